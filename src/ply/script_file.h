/* SPDX-License-Identifier: MIT
 * script_file.h - a script in a file, loaded with its libraries into a worker
 * of its own, as plyd would. What is wrong is said on stderr with file and
 * line. */
#ifndef PLYD_PLY_SCRIPT_FILE_H
#define PLYD_PLY_SCRIPT_FILE_H

#include <limits.h>

#include <plyd/rules.h>
#include "ply/script_worker.h"

/* Deadlines, as plyd's configuration has them. A verdict may take longer here,
 * so that a slow one is told from one that never ends. */
enum {
	SCRIPT_LOAD_MS = 2000,
	SCRIPT_CHOOSE_MS = 5000,
	SCRIPT_VERDICT_MS = 1000,
	SCRIPT_VERDICT_SLOW_MS = 50,
};

struct script_file {
	char path[PATH_MAX];
	int kind; /* enum worker_kind */
	struct script_worker *worker;
	struct buf question; /* to be written before script_file_ask() */
	struct buf load;
	int64_t choose_ms; /* deadline of a move, SCRIPT_CHOOSE_MS at first */
	uint8_t *source;
	size_t source_len;
	/* what it says of itself */
	char name[WORKER_NAME_MAX + 1];
	char about[WORKER_TEXT_MAX + 1];
	size_t ruleset_count; /* of a personality; 0: all */
	char ruleset[WORKER_RULESETS_MAX][WORKER_NAME_MAX + 1];
	struct worker_policy policy;   /* of a policy, but for its texts */
	struct worker_ruleset numbers; /* of a ruleset, but for its texts */
	struct ruleset rules;
	char base[WORKER_NAME_MAX + 1];
	char follows[WORKER_NAME_MAX + 1]; /* the policy */
};

/* Reads the file, starts the worker and loads first what lies in ../lib, then
 * the file. PLY_OK; PLY_REFUSED: the script is wrong; PLY_UNREADABLE: it cannot
 * be tried. f must be closed in any case. */
int script_file_open(struct script_file *f, const char *path, int kind);
void script_file_close(struct script_file *f);

/* The path of a script that is named by it, or by its name alone in the folders
 * under `scripts`. False: there is no such file. */
bool script_file_find(const char *word, int kind, const char *scripts,
		      char out[PATH_MAX]);

/* Asks f->question. A worker that was lost before has loaded all again.
 * PLY_UNREADABLE: no worker can be started. Else PLY_OK with *out, which may be
 * no answer, or an error of the script. */
int script_file_ask(struct script_file *f, int64_t deadline_ms,
		    struct script_answer *out);

/* Whether it is an answer that can be read further. */
bool script_answer_is_good(const struct script_answer *a);

enum { SCRIPT_FAULT_MAX = PATH_MAX + WORKER_TEXT_MAX + 64 };
/* Writes `FILE:LINE: what is wrong` of an answer that is none. */
void script_file_fault(const struct script_file *f,
		       const struct script_answer *a,
		       char out[SCRIPT_FAULT_MAX]);

/* The texts of a question about a position. */
struct script_texts {
	char rules[RULESET_TEXT_MAX];
	char pos[POSITION_TEXT_MAX];
	struct span rules_span, pos_span;
};
void script_texts_write(struct script_texts *t, const struct ruleset *rs,
			const struct position *pos);

#endif
