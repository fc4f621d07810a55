/* SPDX-License-Identifier: MIT */
#include "net/conn_priv.h"

#include <assert.h>
#include <stdlib.h>

#include <utlist.h>

#include <plyd/err.h>
#include "base/warm.h"

enum {
	CONN_KEEPALIVE_S = 60,
	CONN_KEEP_BYTES = 1024, /* of a queue whose memory another gets */
};

const char *conn_end_name(enum conn_end end)
{
	static const char *const names[] = {
#define X(code, name) [code] = name,
		CONN_ENDS(X)
#undef X
	};
	return names[end];
}

static void conn_move_to(struct conn *c, enum conn_state next)
{
	static const unsigned may_enter[] = {
#define TO(name)      (1u << CONN_##name)
#define X(name, next) [CONN_##name] = (next),
		CONN_STATES(X)
#undef X
#undef TO
	};
	assert(may_enter[c->state] & 1u << next);
	c->state = next;
}

/* ---- the end ----------------------------------------------------------- */

static void unsent_remove(struct conn *c)
{
	struct net *n = c->net;
	if (c->unsent == 0)
		return;
	struct conn *last = n->unsent[--n->unsent_count];
	n->unsent[c->unsent - 1] = last;
	last->unsent = c->unsent;
	c->unsent = 0;
}

static void later_remove(struct conn *c)
{
	if (c->is_later)
		DL_DELETE2(c->net->later, c, later_prev, later_next);
	c->is_later = false;
}

static void flight_end(struct conn *c)
{
	if (c->flight)
		buf_release(&c->flight->bytes);
	free(c->flight);
	c->flight = NULL;
}

/* ---- memory of queues -------------------------------------------------- */

/* Only few connections have something to say in one turn of the loop. */
static void waiting_give(struct conn *c)
{
	struct net *n = c->net;
	if (c->waiting.at && c->waiting.cap <= CONN_KEEP_BYTES &&
	    n->spare_count < NET_SPARE_BUFS) {
		buf_clear(&c->waiting);
		n->spare[n->spare_count++] = c->waiting;
		buf_init(&c->waiting, UINT32_MAX);
	} else {
		buf_release(&c->waiting);
	}
}

static void waiting_take(struct conn *c)
{
	struct net *n = c->net;
	if (!c->waiting.at && n->spare_count > 0)
		c->waiting = n->spare[--n->spare_count];
}

/* ---- the last of it ---------------------------------------------------- */

static void conn_release(struct conn *c)
{
	c->net->lives--;
	if (c->listener)
		listener_forget(c->listener, c->address);
	if (c->callbacks)
		c->callbacks->on_closed(c->payload, c, c->end,
					c->uv_err ? uv_strerror(c->uv_err)
						  : "");
	waiting_give(c);
	flight_end(c);
	free(c->shutdown);
	dial_free(c->dial);
	free(c);
}

void conn_settled(struct conn *c)
{
	c->pending--;
	if (c->state == CONN_CLOSING && c->pending == 0)
		conn_release(c);
	else if (c->state == CONN_CONNECTING)
		dial_next(c, c->uv_err);
}

void conn_handle_closed(uv_handle_t *handle)
{
	conn_settled(handle->data);
}

void conn_end(struct conn *c, enum conn_end end, int uv_err)
{
	if (c->state == CONN_CLOSING)
		return;
	conn_move_to(c, CONN_CLOSING);
	c->end = end;
	c->uv_err = uv_err;
	unsent_remove(c);
	later_remove(c);
	dial_cancel(c->dial);
	deadline_clear(c);
	if (!c->io_open && c->pending == 0) {
		/* its owner is told from the loop, and not from within a call
		 * of his own */
		uv_idle_init(&c->net->loop, &c->io.nothing);
		c->io.handle.data = c;
		c->io_open = true;
		c->pending++;
	}
	if (c->io_open)
		uv_close(&c->io.handle, conn_handle_closed);
	c->io_open = false;
}

/* ---- deadlines --------------------------------------------------------- */

static void stall_begins(struct conn *c)
{
	c->stalled_at = c->io.stream.write_queue_size;
	deadline_set(c, DEADLINE_STALL);
}

void conn_deadline(struct conn *c)
{
	switch (c->state) {
	case CONN_CONNECTING:
		conn_end(c, CONN_END_UNREACHABLE, UV_ETIMEDOUT);
		break;
	case CONN_OPEN:
		/* slow is not stalled: it took some since */
		if (c->io.stream.write_queue_size < c->stalled_at)
			stall_begins(c);
		else
			conn_end(c, CONN_END_STALLED, 0);
		break;
	case CONN_FLUSHING: conn_end(c, CONN_END_STALLED, 0); break;
	case CONN_HALF:
	case CONN_LINGERING: conn_end(c, c->end, 0); break;
	case CONN_CLOSING: break;
	}
}

/* ---- reading ----------------------------------------------------------- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	struct net *n = handle->loop->data;
	(void)suggested;
	*buf = uv_buf_init(n->read_bytes + n->read_len, CONN_READ_MAX);
}

static void on_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buf);

static void reading_set(struct conn *c, bool on)
{
	if (on == c->is_reading || c->peer_ended)
		return;
	c->is_reading = on;
	if (on)
		uv_read_start(&c->io.stream, on_alloc, on_read);
	else
		uv_read_stop(&c->io.stream);
}

/* Who does not read answers is not asked for more questions. */
static void reading_pace(struct conn *c)
{
	size_t pause = c->queue_max / CONN_PAUSE_PART;
	size_t queued = conn_queued(c);
	if (c->state != CONN_OPEN)
		return;
	if (queued > pause)
		c->is_pressed = true;
	if (queued > pause || c->is_held)
		reading_set(c, false);
	else if (queued <= pause / 2)
		reading_set(c, true);
}

void conn_set_reading(struct conn *c, bool on)
{
	c->is_held = !on;
	reading_pace(c);
}

/* Never within conn_send(): only the loop calls this. */
static void tell_drained(struct conn *c)
{
	size_t pause = c->queue_max / CONN_PAUSE_PART;
	if (c->state != CONN_OPEN || !c->is_pressed ||
	    conn_queued(c) > pause / 2)
		return;
	c->is_pressed = false;
	if (c->callbacks->on_drained)
		c->callbacks->on_drained(c->payload, c);
}

static void on_peer_ended(struct conn *c)
{
	reading_set(c, false);
	c->peer_ended = true;
	if (c->state == CONN_LINGERING)
		conn_end(c, c->end, 0);
	if (c->state != CONN_OPEN)
		return;
	conn_move_to(c, CONN_HALF);
	c->end = CONN_END_PEER;
	deadline_set(c, DEADLINE_EOF);
	if (c->callbacks->on_eof)
		c->callbacks->on_eof(c->payload, c);
	else
		conn_close(c);
}

/* Of many connections nothing is in the processor's cache. All owners are told
 * first whose bytes come, and fetch what these need side by side. */
void conn_deliver(struct net *n)
{
	unsigned count = n->arrived_count;
	for (unsigned i = 0; i < count; i++) {
		struct conn *c = n->arrived[i].conn;
		if (c->state == CONN_OPEN && c->callbacks->on_soon)
			c->callbacks->on_soon(c->payload, c);
	}
	for (unsigned i = 0; i < count; i++) {
		struct conn *c = n->arrived[i].conn;
		/* perhaps one before it has ended this one */
		if (c->state != CONN_OPEN)
			continue;
		c->callbacks->on_bytes(c->payload, c, n->arrived[i].bytes);
		reading_pace(c);
	}
	n->arrived_count = 0;
	n->read_len = 0;
}

/* Who sent as much as is read at once may have to be paced before the next. */
static void arrive(struct conn *c, struct span bytes)
{
	struct net *n = c->net;
	n->arrived[n->arrived_count++] = (struct arrival){ c, bytes };
	n->read_len += bytes.len;
	if (n->arrived_count == NET_ARRIVED_MAX || bytes.len == CONN_READ_MAX ||
	    n->read_len > NET_READ_BYTES - CONN_READ_MAX)
		conn_deliver(n);
}

static void on_read(uv_stream_t *stream, ssize_t len, const uv_buf_t *buf)
{
	struct conn *c = stream->data;
	if (len < 0)
		conn_deliver(c->net); /* what came before the end */
	if (len == UV_EOF) {
		on_peer_ended(c);
	} else if (len < 0) {
		/* all was written and said: how the peer leaves is its own */
		bool done = c->state == CONN_LINGERING;
		conn_end(c, done ? c->end : CONN_END_ERROR, (int)len);
	} else if (len > 0 && c->state == CONN_OPEN) {
		arrive(c, span_of(buf->base, (size_t)len));
	}
}

/* ---- writing ----------------------------------------------------------- */

static void on_shutdown(uv_shutdown_t *req, int status)
{
	struct conn *c = req->handle->data;
	if (status < 0 && status != UV_ECANCELED)
		conn_end(c, c->end, status);
}

/* All is written: the peer is told so, and may read it in peace. */
static void finish(struct conn *c)
{
	if (c->peer_ended) {
		conn_end(c, c->end, 0);
		return;
	}
	conn_move_to(c, CONN_LINGERING);
	c->shutdown = malloc(sizeof(*c->shutdown));
	int rc = c->shutdown
			 ? uv_shutdown(c->shutdown, &c->io.stream, on_shutdown)
			 : UV_ENOMEM;
	if (rc < 0)
		conn_end(c, c->end, rc);
}

static void on_drained(struct conn *c)
{
	waiting_give(c);
	if (c->state == CONN_OPEN)
		deadline_clear(c);
	if (c->state == CONN_FLUSHING)
		finish(c);
	else
		reading_pace(c);
}

static void conn_flush(struct conn *c);

static void on_written(uv_write_t *req, int status)
{
	struct conn *c = req->handle->data;
	flight_end(c);
	if (c->state == CONN_CLOSING)
		return;
	if (status < 0)
		conn_end(c, CONN_END_ERROR, status);
	else if (c->waiting.len > 0)
		conn_flush(c);
	else
		on_drained(c);
	tell_drained(c);
}

/* Hands all that waits, but for the first `taken` bytes, to the loop. */
static void write_waiting(struct conn *c, size_t taken)
{
	struct flight *f = malloc(sizeof(*f));
	if (!f) {
		conn_end(c, CONN_END_ERROR, UV_ENOMEM);
		return;
	}
	f->bytes = c->waiting;
	buf_init(&c->waiting, UINT32_MAX);
	c->flight = f;
	uv_buf_t rest = uv_buf_init((char *)f->bytes.at + taken,
				    (unsigned)(f->bytes.len - taken));
	int rc = uv_write(&f->request, &c->io.stream, &rest, 1, on_written);
	if (rc < 0) {
		flight_end(c);
		conn_end(c, CONN_END_ERROR, rc);
		return;
	}
	if (c->state == CONN_OPEN)
		stall_begins(c);
}

/* Writes what waits as far as the socket takes it at once. */
static void conn_flush(struct conn *c)
{
	unsent_remove(c);
	later_remove(c);
	if (c->state == CONN_CONNECTING || c->state == CONN_CLOSING ||
	    c->flight || c->waiting.len == 0)
		return;
	uv_buf_t all =
		uv_buf_init((char *)c->waiting.at, (unsigned)c->waiting.len);
	int rc = uv_try_write(&c->io.stream, &all, 1);
	if (rc < 0 && rc != UV_EAGAIN)
		conn_end(c, CONN_END_ERROR, rc);
	else if (rc >= 0 && (size_t)rc == c->waiting.len)
		on_drained(c);
	else
		write_waiting(c, rc > 0 ? (size_t)rc : 0);
	reading_pace(c);
}

void conn_flush_all(struct net *n)
{
	while (n->unsent_count > 0)
		conn_flush(n->unsent[n->unsent_count - 1]);
}

void conn_flush_later(struct net *n)
{
	for (int i = 0; i < NET_LATER_MAX && n->later; i++)
		conn_flush(n->later);
	if (n->later)
		net_stay_awake(n);
}

static void unsent_add(struct conn *c)
{
	struct net *n = c->net;
	if (c->unsent > 0)
		return;
	if (n->unsent_count == NET_UNSENT_MAX)
		conn_flush_all(n);
	n->unsent[n->unsent_count++] = c;
	c->unsent = n->unsent_count;
}

static void later_add(struct conn *c)
{
	if (c->unsent > 0 || c->is_later)
		return;
	DL_APPEND2(c->net->later, c, later_prev, later_next);
	c->is_later = true;
	net_stay_awake(c->net);
}

/* As conn_send(), but that nobody writes it yet. */
static int queue_up(struct conn *c, struct span bytes)
{
	if (c->state > CONN_HALF)
		return PLYD_EIO;
	/* the queue holds what was not yet tried: try before refusing */
	if (bytes.len > c->queue_max - conn_queued(c))
		conn_flush(c);
	if (c->state == CONN_CLOSING)
		return PLYD_EIO;
	if (bytes.len > c->queue_max - conn_queued(c))
		return PLYD_ESLOW;
	waiting_take(c);
	int err = buf_put(&c->waiting, bytes.at, bytes.len);
	if (err) {
		c->waiting.err = PLYD_OK; /* the next one may fit */
		return PLYD_ENOMEM;
	}
	return PLYD_OK;
}

int conn_send(struct conn *c, struct span bytes)
{
	int err = queue_up(c, bytes);
	if (!err)
		unsent_add(c);
	return err;
}

int conn_send_later(struct conn *c, struct span bytes)
{
	int err = queue_up(c, bytes);
	if (!err)
		later_add(c);
	return err;
}

void conn_warm(const struct conn *c)
{
	warm(&c->io, sizeof(c->io));
	warm(&c->callbacks,
	     offsetof(struct conn, pending) - offsetof(struct conn, callbacks));
}

size_t conn_queued(const struct conn *c)
{
	size_t flying = c->flight ? c->io.stream.write_queue_size : 0;
	size_t queued = c->waiting.len + flying;
	/* less than what waits may be allowed later */
	return queued < c->queue_max ? queued : c->queue_max;
}

/* ---- life -------------------------------------------------------------- */

static void conn_stop_owner(struct net_owner *owner)
{
	conn_abort((struct conn *)owner);
}

struct conn *conn_new(struct net *n)
{
	struct conn *c = n->freeing ? NULL : calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->owner.stop = conn_stop_owner;
	c->owner.is_life = true;
	c->net = n;
	c->queue_max = CONN_QUEUE_MAX;
	buf_init(&c->waiting, UINT32_MAX);
	n->lives++;
	return c;
}

void conn_tune(struct conn *c)
{
	if (c->io.handle.type != UV_TCP)
		return;
	uv_tcp_nodelay(&c->io.tcp, 1);
	uv_tcp_keepalive(&c->io.tcp, 1, CONN_KEEPALIVE_S);
}

void conn_opened(struct conn *c)
{
	conn_move_to(c, CONN_OPEN);
	deadline_clear(c);
	reading_set(c, true);
	if (c->waiting.len > 0)
		unsent_add(c);
}

void conn_set_callbacks(struct conn *c, const struct conn_callbacks *callbacks,
			void *payload)
{
	c->callbacks = callbacks;
	c->payload = payload;
}

void conn_set_queue_max(struct conn *c, size_t bytes)
{
	assert(bytes <= UINT32_MAX / 2);
	c->queue_max = bytes;
}

const char *conn_peer(const struct conn *c)
{
	return c->peer;
}

void conn_close(struct conn *c)
{
	if (c->state == CONN_CONNECTING)
		conn_end(c, CONN_END_CLOSED, 0);
	if (c->state > CONN_HALF)
		return;
	if (c->state == CONN_OPEN)
		c->end = CONN_END_CLOSED;
	conn_move_to(c, CONN_FLUSHING);
	/* what still arrives is dropped; unread, it would become a reset */
	reading_set(c, true);
	deadline_set(c, DEADLINE_FLUSH);
	if (!c->flight && c->waiting.len == 0)
		finish(c);
}

void conn_abort(struct conn *c)
{
	conn_end(c, CONN_END_ABORTED, 0);
}
