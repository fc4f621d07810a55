/* SPDX-License-Identifier: MIT
 * conn_priv.h - a connection's insides, for those who make connections. */
#ifndef PLYD_NET_CONN_PRIV_H
#define PLYD_NET_CONN_PRIV_H

#include "base/buf.h"
#include "net/listener.h"
#include "net/net_priv.h"

enum { ADDRESS_BYTES = 16 };

/* X(name, states it may enter). */
#define CONN_STATES(X)                                                         \
	/* dialling, or not yet given to its owner */                          \
	X(CONNECTING, TO(OPEN) | TO(CLOSING))                                  \
	X(OPEN, TO(HALF) | TO(FLUSHING) | TO(CLOSING))                         \
	/* the peer sends no more */                                           \
	X(HALF, TO(FLUSHING) | TO(CLOSING))                                    \
	/* conn_close(): what is queued is written */                          \
	X(FLUSHING, TO(LINGERING) | TO(CLOSING))                               \
	/* all is written, the peer's end of stream is awaited */              \
	X(LINGERING, TO(CLOSING))                                              \
	X(CLOSING, 0)

enum conn_state {
#define X(name, next) CONN_##name,
	CONN_STATES(X)
#undef X
};

/* X(name, how long it lasts): what may take only so long. */
#define CONN_DEADLINES(X)                                                      \
	X(CONNECT, CONN_CONNECT_MS)                                            \
	X(STALL, CONN_STALL_MS)                                                \
	X(EOF, CONN_EOF_MS)                                                    \
	X(FLUSH, CONN_FLUSH_MS)

enum deadline {
#define X(name, ms) DEADLINE_##name,
	CONN_DEADLINES(X)
#undef X
};

/* What the socket did not take at once. */
struct flight {
	uv_write_t request;
	struct buf bytes;
};

struct conn {
	struct net_owner owner;
	struct net *net;
	union {
		uv_handle_t handle;
		uv_stream_t stream;
		uv_tcp_t tcp;
		uv_pipe_t pipe;
		uv_idle_t nothing; /* is only closed */
	} io;
	/* what every message looks at lies together */
	const struct conn_callbacks *callbacks;
	void *payload;
	enum conn_state state;
	bool io_open; /* io is initialised and not yet closing */
	bool is_reading, peer_ended;
	bool is_held;          /* conn_set_reading() said not to read */
	bool is_pressed;       /* much waits, or did a moment ago */
	bool is_later;         /* it is in the list of those */
	uint8_t deadline;      /* 1 + its kind; 0: there is none */
	unsigned unsent;       /* 1 + its place there; 0: it is not there */
	struct flight *flight; /* NULL: nothing is being written */
	struct buf waiting;    /* has memory only while something waits */
	size_t queue_max;

	unsigned pending; /* close callbacks and look-ups to come */
	enum conn_end end;
	int uv_err;              /* or 0 */
	uv_shutdown_t *shutdown; /* NULL: not yet */
	size_t stalled_at;       /* in flight, when the deadline began */
	uint64_t deadline_ms;
	struct conn *deadline_prev, *deadline_next; /* of its kind */
	struct conn *later_prev, *later_next;
	struct dial *dial;              /* while it is being dialled */
	struct listener *listener;      /* that accepted it, or NULL */
	uint8_t address[ADDRESS_BYTES]; /* as the listener counts it */
	char peer[NET_PEER_MAX];
};

/* Gives a connection without its io, CONNECTING, or NULL. */
struct conn *conn_new(struct net *n);
/* io is open: reads from now on. */
void conn_opened(struct conn *c);
/* The one way to the end: closes each handle once, and then tells and frees. */
void conn_end(struct conn *c, enum conn_end end, int uv_err);
/* A handle of c is gone. */
void conn_handle_closed(uv_handle_t *handle);
/* The deadline of what c is doing has passed. */
void conn_deadline(struct conn *c);
/* Begins a deadline in place of the one there is, and takes it away. */
void deadline_set(struct conn *c, enum deadline kind);
void deadline_clear(struct conn *c);
/* A look-up of c is over. */
void conn_settled(struct conn *c);
/* What the socket of every TCP connection is told; a local one is told
 * nothing. */
void conn_tune(struct conn *c);

/* The next address, after an attempt failed with uv_err. */
void dial_next(struct conn *c, int uv_err);
/* Its look-up need not go on; it is still awaited. NULL is nothing. */
void dial_cancel(struct dial *d);
void dial_free(struct dial *d);

/* "192.0.2.1:4000". */
void peer_text(const struct sockaddr *address, char out[NET_PEER_MAX]);

/* Gives a socket that listens on the host and port of o. Errors and why as
 * net_listen(). */
int listener_socket(const struct listener_options *o, int *out,
		    char why[NET_WHY_MAX]);

unsigned socket_port(int fd);

/* A connection that was accepted is gone. */
void listener_forget(struct listener *l, const uint8_t *address);
/* Waits for a proxy's header, then introduces the connection. */
void greet(struct conn *c);
/* Gives it to the listener's owner, as one from that address; NULL: from its
 * own. */
void listener_introduce(struct listener *l, struct conn *c,
			const struct sockaddr *from);
/* Logs why somebody was turned away, now and then. */
void listener_complain(struct listener *l, const char *why);

#endif
