/* SPDX-License-Identifier: MIT
 * net_priv.h - the loop as the room itself sees it. */
#ifndef PLYD_NET_NET_PRIV_H
#define PLYD_NET_NET_PRIV_H

#include <stdbool.h>
#include <uv.h>

#include "base/buf.h"
#include "net/conn.h"
#include "net/net.h"

enum {
	NET_SIGNALS = 4,
	NET_SPARE_BUFS = 64, /* queues whose memory is kept */
	/* connections whose bytes wait for the end of the turn: soon after that
	 * what they hold is no more in the processor's cache */
	NET_UNSENT_MAX = 32,
	NET_ARRIVED_MAX = 16, /* reads that are handled together */
	NET_READ_BYTES = 4 * CONN_READ_MAX,
	NET_LATER_MAX =
		32,    /* of conn_send_later() that are written in a turn */
	DEADLINES = 4, /* kinds of them, see CONN_DEADLINES */
};

/* What was read from a connection and its owner has not yet. */
struct arrival {
	struct conn *conn;
	struct span bytes;
};

struct net {
	uv_loop_t loop;
	uv_async_t wake;
	uv_prepare_t before_poll;
	uv_check_t after_poll;
	uv_idle_t no_block; /* runs while timers are due */
	uv_signal_t signals[NET_SIGNALS];
	void (*on_wake)(void *payload);
	void *wake_payload;
	void (*on_turn)(void *payload);
	void *turn_payload;
	void (*on_signal)(void *payload, int signal);
	void *signal_payload;
	struct net_timer *due;     /* in the order in which they fell due */
	struct net_timer *running; /* of those, the ones of this turn */
	uv_timer_t deadline;       /* the next of connections */
	struct conn *deadlines[DEADLINES];
	struct conn *unsent[NET_UNSENT_MAX]; /* have bytes not yet tried */
	unsigned unsent_count;
	struct conn *later;               /* have bytes that others go before */
	struct buf spare[NET_SPARE_BUFS]; /* memory for those who send next */
	unsigned spare_count;
	unsigned lives; /* connections and children */
	bool freeing;
	struct arrival arrived[NET_ARRIVED_MAX]; /* in this turn */
	unsigned arrived_count;
	size_t read_len;                 /* of all that arrived */
	char read_bytes[NET_READ_BYTES]; /* one read behind the other */
};

/* The first member of all that owns handles; each of its handles has it as its
 * data. A handle of the loop itself has NULL. */
struct net_owner {
	/* Closes the handles, if that has not begun. */
	void (*stop)(struct net_owner *owner);
	bool is_life; /* ends before timers are taken away */
};

/* Starts a handle's timer from a fresh clock: after a long turn the loop's own
 * time is old and a timer would fire early. */
void net_start_timer(uv_timer_t *timer, uv_timer_cb fn, uint64_t after_ms);

/* The poll that follows does not block, until no timer is due. */
void net_stay_awake(struct net *n);

/* Gives what has arrived to its owners. Called once a turn, after everything was
 * read, and before that whenever there is no room for more. */
void conn_deliver(struct net *n);
/* Called once a turn, after that and before the loop sleeps. */
void conn_flush_all(struct net *n);
/* Called after that: some of those who wait. */
void conn_flush_later(struct net *n);

#endif
