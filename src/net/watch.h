/* SPDX-License-Identifier: MIT
 * watch.h - what else a program may wait for in the loop: a file descriptor that
 * can be read, such as a terminal, or a signal that net_on_signal() does not
 * take. Callbacks as in net.h. */
#ifndef PLYD_NET_WATCH_H
#define PLYD_NET_WATCH_H

#include "net/net.h"

struct net_watch;

/* Calls fn while fd can be read, or is at its end; who does not read is called
 * again at once. fd stays the caller's, as it is, and open until the watch is
 * freed. NULL:
 * no memory, or fd is a file that cannot be waited for. */
struct net_watch *net_watch_fd(struct net *n, int fd, void (*fn)(void *payload),
			       void *payload);
/* Calls fn after the signal came, once for several that came at a time. NULL: no
 * memory, or it cannot be caught. */
struct net_watch *net_watch_signal(struct net *n, int signal,
				   void (*fn)(void *payload), void *payload);
/* Ends it, also from within fn, and before net_free(). NULL is nothing. */
void net_watch_free(struct net_watch *w);

#endif
