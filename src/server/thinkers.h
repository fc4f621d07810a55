/* SPDX-License-Identifier: MIT
 * thinkers.h - the workers that choose moves for personalities: a bounded queue
 * of turns, served in the order in which they came, by processes that are
 * killed when they are late and replaced when they die. A turn that gets no
 * answer is answered by plyd's own search, so that its match goes on. */
#ifndef PLYD_SERVER_THINKERS_H
#define PLYD_SERVER_THINKERS_H

#include "domain/domain.h"
#include "net/net.h"
#include "server/conduct.h"
#include "server/config.h"
#include "server/pool.h"
#include "server/scripts.h"

struct thinkers;

struct thinkers_ops {
	void *payload;
	/* The choice for a turn; lent. thought->failed: neither worker nor
	 * search had one. */
	void (*thought)(void *payload, const struct id *match,
			const struct cmd_thought *thought);
};

/* Gives the pool and starts its processes; scripts and
 * versions, which may change, must outlive it. PLYD_EIO:
 * the program cannot be started, why says why. PLYD_ENOMEM. */
int thinkers_new(struct net *n, const char *program,
		 const struct scripts *scripts, const struct versions *versions,
		 const struct config *c, const struct thinkers_ops *ops,
		 struct thinkers **out, char why[NET_WHY_MAX]);
/* Of its workers. */
struct pool_counts thinkers_counts(const struct thinkers *t);
void thinkers_free(struct thinkers *t); /* NULL is fine */

/* Asks for the personality of m that must decide, and that kept `memory`. */
void thinkers_ask(struct thinkers *t, const struct match *m, enum awaits asked,
		  uint64_t now_ms, struct span memory);

#endif
