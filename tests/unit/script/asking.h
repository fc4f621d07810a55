/* SPDX-License-Identifier: MIT
 * asking.h - asks a worker, which runs in this process or in one of its own,
 * and judges what a case of sandbox.jsonl did to it. */
#ifndef PLYD_TESTS_SCRIPT_ASKING_H
#define PLYD_TESTS_SCRIPT_ASKING_H

#include <plyd/rules.h>
#include "proto/worker.h"
#include "vectors.h"

/* A worker of either sort. */
struct asked {
	struct buf answer;   /* the last message that is no log line */
	struct buf question; /* scratch */
	struct doc *doc;
	size_t logs;         /* log lines that came */
	struct serve *serve; /* in this process, or NULL */
	int fd;              /* else its socket and */
	long pid;
};

void asked_init_here(struct asked *a);
void asked_release_here(struct asked *a);
/* Starts the program; returns false if it cannot. */
bool asked_spawn(struct asked *a);
/* Kills it, unless pid is 0, and waits; returns its wait status. */
int asked_kill(struct asked *a);

/* Sends what a->question holds and reads the answer; what it lends lives until
 * the next. False: no answer in time, or the worker has gone. */
bool asked_answer(struct asked *a, int deadline_ms, struct worker_reply *out);

/* The same for one question. */
bool ask_load(struct asked *a, enum worker_kind kind, const char *name,
	      struct span source, int deadline_ms, struct worker_reply *out);
/* One that ships, by its path as for read_script(); it must be good. */
void ask_load_shipped(struct asked *a, enum worker_kind kind, const char *name,
		      const char *path);
bool ask_choose(struct asked *a, const struct worker_choose *m, int deadline_ms,
		struct worker_reply *out);

/* A question about this position; its texts live in *texts. */
struct asking_texts {
	char ruleset[RULESET_TEXT_MAX];
	char position[POSITION_TEXT_MAX];
};
struct worker_choose choose_at(const char *personality,
			       const struct ruleset *rs,
			       const struct position *pos,
			       struct asking_texts *texts);

/* Runs one case; returns "value", "script", "steps", "memory" or "killed", and
 * sets *error in the middle three. */
const char *run_case(struct asked *a, const json_t *row, int deadline_ms,
		     struct worker_error *error);

/* NULL if the case ended as its row says. */
const char *judge_case(const json_t *row, const char *outcome,
		       const struct worker_error *error);

/* The whole of SCRIPTS_DIR/path, to be freed; aborts if it is not there. */
struct span read_script(const char *path);

#endif
