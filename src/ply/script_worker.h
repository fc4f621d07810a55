/* SPDX-License-Identifier: MIT
 * script_worker.h - a plyd-script of our own, the very program that plyd runs,
 * asked one question at a time and waited for. It lies beside this program. */
#ifndef PLYD_PLY_SCRIPT_WORKER_H
#define PLYD_PLY_SCRIPT_WORKER_H

#include "net/net.h"
#include "proto/worker.h"

struct script_worker;

/* Gives a worker without scripts; its process starts with the first question.
 * PLYD_ENOMEM. */
int script_worker_new(struct script_worker **out);
void script_worker_free(struct script_worker *w); /* NULL is fine */

/* Whether its process runs, and so knows what it was told. */
bool script_worker_runs(const struct script_worker *w);

/* How a question went. */
struct script_answer {
	const struct worker_reply *reply; /* lent until the next question, or
					   * NULL: the worker was lost, */
	bool late;                        /* because it took too long */
	double seconds;
};

/* Asks what was written by worker_ask_*() under id 1. After a loss a new worker
 * starts with the next question, and knows nothing. Log lines of the script go
 * to stdout. PLYD_EIO: the program cannot be started, why says why. */
int script_worker_ask(struct script_worker *w, struct span question,
		      int64_t deadline_ms, struct script_answer *out,
		      char why[NET_WHY_MAX]);

#endif
