/* SPDX-License-Identifier: MIT
 * worker.h - the workers of this world, which run no script: what they say is
 * drawn. They are late, silent, say it twice, or lie. */
#ifndef PLYD_TESTS_SIM_WORKER_H
#define PLYD_TESTS_SIM_WORKER_H

#include "domain/domain.h"
#include "queue.h"

struct sim;

/* As in struct hub_ops; payload is the sim. */
void worker_think(void *payload, const struct match *m, enum awaits asked);
void worker_judge(void *payload, const struct match *m);

/* A worker says what was asked for so: THOUGHT, VERDICT. */
void worker_thought(struct sim *sim, const struct happening *h);
void worker_verdict(struct sim *sim, const struct happening *h);

#endif
