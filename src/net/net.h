/* SPDX-License-Identifier: MIT
 * net.h - the loop: time, timers, signals, and a way to wake it. Connections
 * are in conn.h, listeners in listener.h, child processes in child.h. No other
 * room sees libuv.
 *
 * Threads: everything belongs to the thread that runs the loop, but for
 * net_wake() and net_now_ms(). Callbacks come from net_run() and net_free()
 * only, never from the call that asks for something. */
#ifndef PLYD_NET_NET_H
#define PLYD_NET_NET_H

#include <stdint.h>

enum {
	NET_WHY_MAX = 256, /* bytes of a reason, NUL included */
	NET_PEER_MAX = 64, /* "[2001:db8::1]:65535" and its NUL */
};

struct net;

/* Gives a loop; end with net_free(). Ignores SIGPIPE from now on, in the whole
 * process. PLYD_ENOMEM. */
int net_new(struct net **out);

/* Closes all that is still open (connections are told so, children are
 * killed), and frees the loop. PLYD_EINTERNAL: a handle was left, and the loop
 * is leaked; that is a bug here. net_free(NULL) is PLYD_OK. */
int net_free(struct net *n);

/* Runs callbacks until net_stop(), or until there is no listener, connection,
 * running timer, child or wake callback left. */
void net_run(struct net *n);
void net_stop(struct net *n);

/* Milliseconds of the monotonic clock, read now and not when the loop woke. It
 * neither jumps with the wall clock nor counts the sleep of a suspended
 * machine. Thread-safe. */
uint64_t net_now_ms(void);

/* The same clock in microseconds. Thread-safe. */
uint64_t net_now_us(void);

/* What net_wake() calls on the loop's thread; many wakes may become one call.
 * While it is set, net_run() waits for wakes. fn NULL: no more. */
void net_on_wake(struct net *n, void (*fn)(void *payload), void *payload);
/* Thread-safe, until net_free() begins. */
void net_wake(struct net *n);

/* Calls fn in each turn of the loop, after all other callbacks and before what
 * was sent leaves; perhaps twice. fn NULL: no more. */
void net_on_turn(struct net *n, void (*fn)(void *payload), void *payload);

/* SIGTERM, SIGINT, SIGHUP and SIGUSR1 call fn with their number. fn NULL: no
 * more; before another fn. PLYD_EIO: they cannot be caught. */
int net_on_signal(struct net *n, void (*fn)(void *payload, int signal),
		  void *payload);

/* ---- timers ------------------------------------------------------------ */

struct net_timer;

/* Gives a timer that stands still, or NULL without memory. fn is called after
 * the sockets of the same turn were read, so that what arrived in time is not
 * beaten by its own deadline. */
struct net_timer *net_timer_new(struct net *n, void (*fn)(void *payload),
				void *payload);
/* Calls fn once, not less than after_ms from now (not from when the loop woke);
 * replaces what was set before. 0: from the loop, as soon as it has looked at
 * its sockets; never in the turn of a timer that was started so. */
void net_timer_start(struct net_timer *t, uint64_t after_ms);
/* fn is not called until the next start, not even if it was due. */
void net_timer_stop(struct net_timer *t);
/* Stops and frees it, also from within fn. net_timer_free(NULL) is nothing. All
 * timers must be freed before net_free(). */
void net_timer_free(struct net_timer *t);

#endif
