/* SPDX-License-Identifier: MIT
 * judges.h - the one worker that runs the functions of draw policies. It can
 * only add a verdict: without one, and when it is late, the match goes on. */
#ifndef PLYD_SERVER_JUDGES_H
#define PLYD_SERVER_JUDGES_H

#include "domain/domain.h"
#include "server/conduct.h"
#include "server/config.h"
#include "server/pool.h"
#include "server/scripts.h"

struct judges;

struct judges_ops {
	void *payload;
	/* The verdict about a position; lent. */
	void (*verdict)(void *payload, const struct id *match,
			const struct cmd_verdict *verdict);
	/* All verdicts that came at once were told. */
	void (*told)(void *payload);
};

/* Gives the judges; their process starts with the first question. scripts and
 * versions, which may change, must outlive them. PLYD_EIO: the program cannot be started, why says
 * why. PLYD_ENOMEM. */
int judges_new(struct net *n, const char *program,
	       const struct scripts *scripts, const struct versions *versions,
	       const struct config *c, const struct judges_ops *ops,
	       struct judges **out, char why[NET_WHY_MAX]);
/* Of its worker; all zero without one. */
struct pool_counts judges_counts(const struct judges *j);
void judges_free(struct judges *j); /* NULL is fine */

/* Asks the policy of m, which kept `memory`, about its position. The answer comes later, never from
 * this call; or, with too many waiting, not at all. A policy that is not there,
 * or is in quarantine, lets the match go on. */
void judges_ask(struct judges *j, const struct match *m, struct span memory);

#endif
