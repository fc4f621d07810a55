/* SPDX-License-Identifier: MIT
 * scripts.h - operators' Lua files as they are in force: read as bytes here,
 * understood by a worker, kept as plain data and as versions for the workers
 * that run them. Reading goes on from the loop, file by file; a file that is
 * wrong changes nothing: what it said before stays. */
#ifndef PLYD_SERVER_SCRIPTS_H
#define PLYD_SERVER_SCRIPTS_H

#include "domain/domain.h"
#include "net/net.h"
#include "server/config.h"
#include "server/plan.h"
#include "server/version.h"

enum {
	POLICIES_MAX = 128,
	LIBRARIES_MAX = WORKER_USES_MAX,
	PLANS_MAX = 64,
	UNITS_MAX = LIBRARIES_MAX + POLICIES_MAX + RULES_MAX +
		    PERSONALITIES_MAX + PLANS_MAX,
	PROBLEMS_MAX = 32,
	SCRIPTS_WHY_MAX = 768,
	PATH_BYTES_MAX = 1024
};

/* What one file says. */
struct unit {
	char file[WORKER_NAME_MAX + 1]; /* without directory and .lua */
	struct version *version;        /* held; has kind and name */
	struct plan plan;               /* of a tournament */
	struct draw_rules draws;        /* of a policy */
	struct match_rules rules;       /* of a ruleset */
	struct personality personality; /* but for what it plays: */
	size_t plays_count;             /* names of rulesets; 0: all */
	char plays[WORKER_RULESETS_MAX][RULESET_NAME_MAX + 1];
};

struct scripts {
	size_t count; /* libraries, policies, rulesets, personalities, plans */
	struct unit *unit[UNITS_MAX];
	/* what is on offer, made of them */
	size_t rules_count;
	struct match_rules rules[RULES_MAX];
	size_t personality_count;
	struct personality personality[PERSONALITIES_MAX];
};
void scripts_release(struct scripts *s);

/* NULL: none of that kind and name is in force. */
const struct unit *scripts_find(const struct scripts *s, int kind,
				const char *name);

/* The version that a match began with; where none is known, as in matches of
 * before, the one in force. NULL: it is gone. */
struct version *scripts_version(const struct scripts *in_force,
				const struct versions *versions, int kind,
				const char *name, const char *hash);

/* Reads and checks the configuration file with a worker, then what --dev says
 * if dev, then the environment. path NULL: without a file. Runs n until that is
 * done.
 * PLYD_ECONFIG: why says what is wrong, with its place. */
int scripts_read_config(struct net *n, const char *worker, const char *path,
			bool dev, struct config *out,
			char why[SCRIPTS_WHY_MAX]);

/* What was wrong with files, each with its place. */
struct problems {
	size_t count; /* more than PROBLEMS_MAX: the rest is not here */
	char text[PROBLEMS_MAX][SCRIPTS_WHY_MAX];
};

struct loading;
struct loading_options {
	struct net *net;
	const char *worker; /* path of plyd-script; copied */
	const char *base;   /* what relative directories start from; copied */
	const struct config *config;    /* directories and deadline */
	struct versions *versions;      /* where versions are kept */
	const struct scripts *in_force; /* must live until done; NULL: none */
	/* Everything was read. out is the callee's, and in force from now on if
	 * he wants; problems are lent. */
	void (*done)(void *payload, struct scripts *out,
		     const struct problems *problems);
	void *payload;
};

/* Gives a reading of libraries, rulesets, policies and personalities from the
 * directories that the configuration names, which goes on from the loop. End
 * it with loading_free(), in `done` too. PLYD_ENOMEM. */
int loading_start(const struct loading_options *options, struct loading **out);
void loading_free(struct loading *l); /* NULL is fine */

/* The same at the start, where no file may be wrong: runs n until it is done.
 * PLYD_ECONFIG: why says which file, which line. PLYD_ENOMEM. */
int scripts_load(struct net *n, const char *worker, const char *base,
		 const struct config *c, struct versions *versions,
		 struct scripts *out, char why[SCRIPTS_WHY_MAX]);

#endif
