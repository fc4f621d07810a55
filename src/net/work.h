/* SPDX-License-Identifier: MIT
 * work.h - slow work on the threads of the loop's pool, NET_WORKERS of them
 * unless UV_THREADPOOL_SIZE says another number. How much may wait is the
 * caller's to limit. */
#ifndef PLYD_NET_WORK_H
#define PLYD_NET_WORK_H

#include <stdbool.h>

#include "net/net.h"

enum { NET_WORKERS = 2 };

struct net_work;

struct net_work_ops {
	void *payload;
	/* On a thread of the pool; touches nothing that the loop's may. */
	void (*run)(void *payload);
	/* On the loop's thread, just once for each start. ran: false if it was
	 * cancelled. It may be started again from here, or freed. */
	void (*done)(void *payload, bool ran);
};

/* Gives work that does not wait yet, or NULL without memory. */
struct net_work *net_work_new(struct net *n, const struct net_work_ops *ops);
/* It waits for its turn; it must not wait or run already. This cannot fail.
 * net_run() and net_free() wait for its end. */
void net_work_start(struct net_work *w);
/* What has not begun is not run any more; what runs goes on. */
void net_work_cancel(struct net_work *w);
/* Not while it waits or runs. NULL is fine. */
void net_work_free(struct net_work *w);

#endif
