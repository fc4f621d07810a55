/* SPDX-License-Identifier: MIT
 * scripts.h - operators' Lua files: read as bytes here, understood by a worker.
 * At the start everything is loaded once by one worker that is waited for; what
 * it answered becomes plain data, and the sources of personalities are kept for
 * the workers that play them. */
#ifndef PLYD_SERVER_SCRIPTS_H
#define PLYD_SERVER_SCRIPTS_H

#include "domain/domain.h"
#include "net/net.h"
#include "proto/worker.h"
#include "server/config.h"

enum {
	SCRIPTS_MAX = 128,
	LIBRARIES_MAX = 32,
	SCRIPTS_WHY_MAX = 768,
	PATH_BYTES_MAX = 1024
};

struct script {
	int kind;                       /* enum worker_kind */
	char name[WORKER_NAME_MAX + 1]; /* the file's, then its own */
	char path[PATH_BYTES_MAX];
	uint8_t *source;
	size_t source_len;
};

struct scripts {
	/* libraries, and scripts with functions: new workers are told */
	size_t count;
	struct script script[LIBRARIES_MAX + SCRIPTS_MAX + PERSONALITIES_MAX];
	size_t rules_count;
	struct match_rules rules[RULES_MAX];
	size_t personality_count;
	struct personality personality[PERSONALITIES_MAX];
};

/* Reads and checks the configuration file with a worker, then what --dev says
 * if dev, then the environment. path NULL: without a file. Runs n until that is
 * done.
 * PLYD_ECONFIG: why says what is wrong, with its place. */
int scripts_read_config(struct net *n, const char *worker, const char *path,
			bool dev, struct config *out,
			char why[SCRIPTS_WHY_MAX]);

/* Loads libraries, rulesets, policies and personalities from the directories that c names,
 * relative to base. Runs n until that is done. out must be released in any
 * case. PLYD_ECONFIG: a file is wrong, why says which line. */
int scripts_load(struct net *n, const char *worker, const char *base,
		 const struct config *c, struct scripts *out,
		 char why[SCRIPTS_WHY_MAX]);
void scripts_release(struct scripts *s);

#endif
