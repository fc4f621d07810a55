/* SPDX-License-Identifier: MIT
 * conn.h - a stream of bytes to a peer: accepted, dialled, or to a child. What
 * is sent waits in a bounded queue and leaves in few writes at the end of the
 * loop's turn. Framing is not done here. */
#ifndef PLYD_NET_CONN_H
#define PLYD_NET_CONN_H

#include "base/span.h"
#include "net/net.h"

enum {
	CONN_QUEUE_MAX = 256 * 1024, /* bytes, unless told otherwise */
	CONN_READ_MAX = 16 * 1024,   /* bytes in one on_bytes */
	/* Reading stops while more than this part of the queue is full, and
	 * begins again at half of that. It cannot stop within on_bytes: the
	 * rest of the queue must hold the answers to CONN_READ_MAX. */
	CONN_PAUSE_PART = 4,
	CONN_CONNECT_MS = 10000, /* to be connected, over all addresses */
	CONN_STALL_MS = 30000,   /* for the peer to take any byte that waits */
	CONN_EOF_MS = 10000,     /* to close after the peer's end of stream */
	CONN_FLUSH_MS = 3000,    /* for conn_close() to do its work */
	CONN_SOURCE_MAX = 250,
};

/* X(code, name): why a connection ended. Names are for logs and metrics.
 * closed: we closed it, and all was written. aborted: conn_abort(), or
 * net_free(). peer: the peer ended its stream. error: reset or broken. stalled:
 * the peer took no bytes for too long. unreachable: never connected. */
#define CONN_ENDS(X)                                                           \
	X(CONN_END_CLOSED, "closed")                                           \
	X(CONN_END_ABORTED, "aborted")                                         \
	X(CONN_END_PEER, "peer")                                               \
	X(CONN_END_ERROR, "error")                                             \
	X(CONN_END_STALLED, "stalled")                                         \
	X(CONN_END_UNREACHABLE, "unreachable")

enum conn_end {
#define X(code, name) code,
	CONN_ENDS(X)
#undef X
};
const char *conn_end_name(enum conn_end end);

struct conn;

struct conn_callbacks {
	/* A dialled connection stands. May be NULL. */
	void (*on_open)(void *payload, struct conn *c);
	/* Bytes were read: on_bytes comes for them in a moment, in the same
	 * turn, unless c ends before. Its owner can have fetched what that will
	 * look at; see base/warm.h. Nothing may be done to c, or another. May
	 * be NULL. */
	void (*on_soon)(void *payload, struct conn *c);
	/* Lends bytes until it returns. */
	void (*on_bytes)(void *payload, struct conn *c, struct span bytes);
	/* The peer sends no more, and may still wait for answers: call
	 * conn_close() when they are sent, at the latest after CONN_EOF_MS. May
	 * be NULL: then it is closed when what was sent is written. */
	void (*on_eof)(void *payload, struct conn *c);
	/* What waits has become little again, after it was much (see
	 * CONN_PAUSE_PART). May be NULL. */
	void (*on_drained)(void *payload, struct conn *c);
	/* The last call, always made; c is freed when it returns. detail says
	 * what the system said, or "". */
	void (*on_closed)(void *payload, struct conn *c, enum conn_end end,
			  const char *detail);
};

/* Dials host:port (a name or an address; every address of it in turn). Gives a
 * connection that may be sent to at once; on_open or on_closed tells what
 * became of it. callbacks must live as long as c. PLYD_ENOMEM. */
int net_connect(struct net *n, const char *host, const char *port,
		const struct conn_callbacks *callbacks, void *payload,
		struct conn **out);

/* Right after net_connect(): if c goes to 127.0.0.0/8, it comes from the nth
 * address after 127.0.0.1, up to CONN_SOURCE_MAX. Of its 28,232 ports for
 * dialling (net.ipv4.ip_local_port_range) an address can use half for one
 * listener; from there on Linux looks through all of them for each that it
 * gives. 0, and to anywhere else: the system chooses. */
void conn_set_source(struct conn *c, unsigned nth);

/* Dials the Unix socket at a path. As net_connect(). PLYD_EIO: the path is
 * longer than a socket's may be. */
int net_connect_path(struct net *n, const char *path,
		     const struct conn_callbacks *callbacks, void *payload,
		     struct conn **out);

/* Says who is told; for an accepted connection, within on_accept. */
void conn_set_callbacks(struct conn *c, const struct conn_callbacks *callbacks,
			void *payload);
/* Bytes that may wait to be written. */
void conn_set_queue_max(struct conn *c, size_t bytes);

/* Queues a copy of bytes, all or nothing. An error queues nothing:
 * PLYD_ESLOW: the queue would overflow. PLYD_ENOMEM.
 * PLYD_EIO: c is closing, or broken and on_closed will come. */
int conn_send(struct conn *c, struct span bytes);
/* The same for what many are sent at once, and others should not wait for: it
 * leaves in this turn or, in the order of the calls, in one of the next, between
 * which the loop does all else. What c is sent by conn_send() takes it along, so
 * that bytes arrive in the order in which they were sent. */
int conn_send_later(struct conn *c, struct span bytes);
/* c will be sent to soon: has fetched what that looks at. */
void conn_warm(const struct conn *c);
/* Reads nothing until told otherwise. */
void conn_set_reading(struct conn *c, bool on);
/* Bytes that wait to be written. */
size_t conn_queued(const struct conn *c);
/* Who is at the other end: "192.0.2.1:4000", "[2001:db8::1]:4000", a child's
 * name. Lent while c lives. */
const char *conn_peer(const struct conn *c);

/* Writes what is queued, tells the peer that no more comes, waits for its end
 * (so that the last words are not lost to a reset), and closes; all within
 * CONN_FLUSH_MS. From now on only on_closed is called. Again: nothing. */
void conn_close(struct conn *c);
/* Closes now and drops what is queued. From now on only on_closed is called. */
void conn_abort(struct conn *c);

#endif
