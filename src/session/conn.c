/* SPDX-License-Identifier: MIT
 * conn.c - connections: bytes become requests; too many, too slow and too
 * silent ones are told so and closed. */
#include "session/hub_priv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "proto/write.h"

struct conn *find_conn(const struct hub *h, uint64_t number)
{
	return numbered_find(&h->conns, number);
}

const char *conn_address(const struct conn *c)
{
	return c->peer ? c->peer : c->address->text;
}

const char *conn_by(const struct conn *c)
{
	return c->by ? c->by : "";
}

/* state -> the states that it may enter */
static const unsigned may_enter[] = {
	/* an operator also by a token */
	[CONN_NEW] = 1u << CONN_READY | 1u << CONN_OPERATOR | 1u << CONN_CLOSED,
	[CONN_READY] = 1u << CONN_NEW | 1u << CONN_CLOSING | 1u << CONN_CLOSED,
	[CONN_OPERATOR] = 1u << CONN_CLOSED,
	[CONN_CLOSING] = 1u << CONN_CLOSED,
	[CONN_CLOSED] = 0,
};

void conn_move_to(struct conn *c, enum conn_state state)
{
	assert(may_enter[c->state] >> state & 1);
	c->state = state;
}

/* -- coming -- */

static struct address *address_of(struct hub *h, const char *peer)
{
	struct address *a;
	struct ip ip;
	char text[ADDRESS_CHARS_MAX + 1];
	span_copy(span_str(peer), text, sizeof(text));
	if (ip_read(span_str(peer), &ip)) {
		struct ip_range range = ip_neighbours(&ip);
		ip_range_write(&range, text);
	}
	HASH_FIND_STR(h->addresses, text, a);
	if (a)
		return a;
	a = calloc(1, sizeof(*a));
	if (!a)
		return NULL;
	memcpy(a->text, text, sizeof(a->text));
	HASH_ADD_STR(h->addresses, text, a);
	if (a->hh.tbl)
		return a;
	free(a);
	return NULL;
}

static void address_forget(struct hub *h, struct address *a)
{
	if (a->connections > 0)
		return;
	HASH_DEL(h->addresses, a);
	free(a);
}

static void address_drop(struct hub *h, struct address *a)
{
	a->connections--;
	address_forget(h, a);
}

static void set_due(struct hub *h, struct conn *c)
{
	uint64_t at = c->heard_ms + (uint64_t)h->limits.idle_ms;
	if (c->state == CONN_NEW)
		at = c->opened_ms + (uint64_t)h->limits.hello_ms;
	if (c->message_at_ms > 0) {
		uint64_t end =
			c->message_at_ms + (uint64_t)h->limits.message_ms;
		at = end < at ? end : at;
	}
	due_set(&h->due, &c->due, at);
}

static int refuse_connection(struct hub *h, uint64_t number, int err)
{
	hub_refused(h, err);
	buf_clear(&h->out);
	rpc_closing(&h->out, err, NULL, NULL, NULL);
	hub_send_now(h, number);
	return err;
}

static void conn_release(struct conn *c)
{
	free(c->peer);
	free(c->by);
	free(c);
}

/* PLYD_ENOMEM. */
static int conn_init(const struct hub *h, struct conn *c, uint64_t number,
		     struct address *a, const char *address)
{
	char text[ADDRESS_CHARS_MAX + 1];
	c->number = number;
	c->address = a;
	span_copy(span_str(address), text, sizeof(text));
	if (strcmp(text, a->text) != 0 && !(c->peer = strdup(text)))
		return PLYD_ENOMEM;
	c->has_ip = ip_read(span_str(address), &c->ip);
	c->opened_ms = c->heard_ms = c->tokens_at_ms = h->now_ms;
	c->tokens_ms = h->limits.requests_burst * 1000;
	c->due.owner = c;
	return PLYD_OK;
}

/* Takes a connection in, at most `most` from its address. */
static int conn_add(struct hub *h, uint64_t number, const char *address,
		    size_t most)
{
	struct address *a = address_of(h, address);
	struct conn *c = a ? calloc(1, sizeof(*c)) : NULL;
	if (!c) {
		if (a)
			address_forget(h, a);
		return refuse_connection(h, number, PLYD_EFULL);
	}
	if (a->connections >= most) {
		free(c);
		return refuse_connection(h, number, PLYD_EADDRESS);
	}
	a->connections++;
	if (conn_init(h, c, number, a, address) || numbered_add(&h->conns, c)) {
		address_drop(h, a);
		conn_release(c);
		return refuse_connection(h, number, PLYD_EFULL);
	}
	h->counts.connections++;
	set_due(h, c);
	return PLYD_OK;
}

static bool address_is_banned(const struct hub *h, const char *address)
{
	struct ip ip;
	struct newcomer who = { .address = &ip };
	return ip_read(span_str(address), &ip) &&
	       domain_ban_of(h->domain, &who, h->unix_ms) != NULL;
}

int hub_connected(struct hub *h, uint64_t number, const char *address,
		  uint64_t now_ms)
{
	hub_later(h, now_ms);
	if (address_is_banned(h, address))
		return refuse_connection(h, number, PLYD_EBANNED);
	if (h->counts.connections >= (size_t)h->limits.connections_max)
		return refuse_connection(h, number, PLYD_EFULL);
	return conn_add(h, number, address,
			(size_t)h->limits.connections_per_address);
}

int hub_connected_operator(struct hub *h, uint64_t number, uint64_t now_ms)
{
	hub_later(h, now_ms);
	int err = conn_add(h, number, "operator", OPERATORS_MAX);
	if (err)
		return err;
	struct conn *c = find_conn(h, number);
	conn_move_to(c, CONN_OPERATOR);
	set_due(h, c);
	return PLYD_OK;
}

/* -- going -- */

static void detach(struct hub *h, struct conn *c)
{
	if (id_is_none(&c->player))
		return;
	struct command cmd = { .type = CMD_GONE,
			       .conn = c->number,
			       .player = c->player };
	c->player = (struct id){ "" };
	h->counts.sessions--;
	hub_step(h, &cmd);
}

static void partial_drop(struct conn *c)
{
	if (c->partial)
		buf_release(&c->partial->in);
	free(c->partial);
	c->partial = NULL;
}

void conn_free(struct hub *h, struct conn *c)
{
	due_clear(&h->due, &c->due);
	numbered_drop(&h->conns, c->number);
	h->counts.connections--;
	address_drop(h, c->address);
	partial_drop(c);
	conn_pace_release(h, c);
	conn_release(c);
}

void hub_disconnected(struct hub *h, uint64_t number, uint64_t now_ms)
{
	struct conn *c = find_conn(h, number);
	hub_later(h, now_ms);
	if (!c)
		return;
	detach(h, c);
	conn_free(h, c);
}

static void log_close(const struct conn *c, int err)
{
	log_event(LOG_INFO, "connection closed", "conn=%llu address=%s why=%s",
		  (unsigned long long)c->number, conn_address(c),
		  plyd_err_name(err));
}

void conn_close_ordered(struct hub *h, struct conn *c, int err)
{
	if (c->state >= CONN_CLOSING)
		return;
	log_close(c, err);
	hub_told(h, err);
	buf_clear(&h->out);
	rpc_closing(&h->out, err, NULL, NULL, NULL);
	hub_queue(h, ENTRY_CLOSE, c->number, 0);
	if (c->state != CONN_CLOSED)
		conn_move_to(c, CONN_CLOSING);
	due_clear(&h->due, &c->due);
	detach(h, c);
}

struct farewell {
	const char *reason;
	int64_t retry_after_ms;
};

static void put_farewell(struct buf *b, void *farewell)
{
	const struct farewell *f = farewell;
	put_map(b, 2);
	put_cstr(b, "reason");
	put_cstr(b, f->reason);
	put_cstr(b, "retry_after_ms");
	put_int(b, f->retry_after_ms);
}

static void close_now(struct hub *h, struct conn *c, int err,
		      const char *message, struct farewell *farewell)
{
	if (c->state >= CONN_CLOSING)
		return;
	log_close(c, err);
	hub_told(h, err);
	buf_clear(&h->out);
	rpc_closing(&h->out, err, message, farewell ? put_farewell : NULL,
		    farewell);
	hub_send_now(h, c->number);
	if (c->state != CONN_CLOSED) {
		h->ops.close(h->ops.payload, c->number);
		conn_move_to(c, CONN_CLOSED);
	}
	due_clear(&h->due, &c->due);
	detach(h, c);
}

void conn_close_now(struct hub *h, struct conn *c, int err, const char *message)
{
	close_now(h, c, err, message, NULL);
}

void conn_cut(struct hub *h, struct conn *c)
{
	if (c->state == CONN_CLOSED)
		return;
	log_close(c, PLYD_ENOMEM);
	hub_told(h, PLYD_ENOMEM);
	h->ops.close(h->ops.payload, c->number);
	conn_move_to(c, CONN_CLOSED);
	due_clear(&h->due, &c->due);
}

void hub_close_all(struct hub *h, int err, const char *reason,
		   int64_t retry_after_ms)
{
	struct farewell farewell = { reason, retry_after_ms };
	struct conn *c;
	for (size_t at = 0; (c = numbered_next(&h->conns, &at));) {
		if (c->state == CONN_CLOSING) {
			/* what it waits for may not come any more */
			h->ops.close(h->ops.payload, c->number);
			conn_move_to(c, CONN_CLOSED);
		}
		close_now(h, c, err, NULL, reason ? &farewell : NULL);
	}
}

void conn_due(struct hub *h, struct conn *c)
{
	conn_close_now(h, c, PLYD_EIDLE,
		       c->state == CONN_NEW ? "No hello arrived in time."
		       : c->message_at_ms   ? "A message was begun and not "
					      "finished in time."
					    : NULL);
}

/* -- rate -- */

/* Whether one more request is allowed; else *retry_ms is when. A request costs
 * 1000 of tokens_ms, which refill by requests_per_s a ms. */
static bool rate_allows(struct hub *h, struct conn *c, int64_t *retry_ms)
{
	int64_t per_s = h->limits.requests_per_s;
	int64_t full = h->limits.requests_burst * 1000;
	int64_t passed = (int64_t)(h->now_ms - c->tokens_at_ms);
	c->tokens_at_ms = h->now_ms;
	c->tokens_ms += passed > full / per_s ? full : passed * per_s;
	if (c->tokens_ms > full)
		c->tokens_ms = full;
	if (c->tokens_ms >= 1000) {
		c->tokens_ms -= 1000;
		return true;
	}
	*retry_ms = (1000 - c->tokens_ms + per_s - 1) / per_s;
	return false;
}

void conn_pays(const struct hub *h, struct conn *c, size_t bytes)
{
	int64_t least = -h->limits.requests_burst * 1000;
	c->tokens_ms -= (int64_t)(bytes / ANSWER_PART_BYTES) * 1000;
	if (c->tokens_ms < least)
		c->tokens_ms = least;
}

static void put_retry(struct buf *b, void *retry_ms)
{
	put_map(b, 1);
	put_cstr(b, "retry_after_ms");
	put_int(b, *(int64_t *)retry_ms);
}

/* -- messages -- */

static void refuse_now(struct hub *h, struct conn *c, int err,
		       const struct decode_error *where)
{
	hub_refused(h, err);
	buf_clear(&h->out);
	size_t details_at = request_refuse(&h->out, err, where);
	hub_trace(h, c->number, where->msgid, err, details_at);
	hub_send_now(h, c->number);
}

/* A message that is no request cannot be answered: the stream is given up. */
static void refuse_or_close(struct hub *h, struct conn *c, int err,
			    const struct decode_error *where)
{
	if (where->has_msgid)
		refuse_now(h, c, err, where);
	else
		conn_close_now(h, c, err, NULL);
}

static void on_message(struct hub *h, struct conn *c, struct span bytes,
		       int found)
{
	const struct value *root;
	struct request request;
	struct decode_error where = { 0 };
	int64_t retry_ms;
	h->counts.requests++;
	c->heard_ms = h->now_ms;
	int err = doc_parse_scanned(h->doc, bytes, found, &doc_request, &root);
	where.has_msgid = root && request_msgid(root, &where.msgid);
	if (where.has_msgid && !rate_allows(h, c, &retry_ms)) {
		hub_error(h, c->number, where.msgid, PLYD_ERATE, NULL,
			  put_retry, &retry_ms);
		hub_send_now(h, c->number);
		return;
	}
	if (err) {
		refuse_or_close(h, c, err, &where);
		return;
	}
	if (request_is_notification(root))
		return;
	err = request_decode(root, &request, &where);
	if (err)
		refuse_or_close(h, c, err, &where);
	else
		request_run(h, c, &request);
}

/* The scan that goes on: that of a message that was cut, or a new one. */
static struct scan *scan_of(struct conn *c, struct scan *fresh)
{
	if (c->partial)
		return &c->partial->scan;
	scan_init(fresh, &scan_requests);
	return fresh;
}

/* Keeps what there is of a message that has not ended. PLYD_ENOMEM. */
static int partial_keep(struct conn *c, const struct scan *s, struct span piece)
{
	if (!c->partial) {
		c->partial = malloc(sizeof(*c->partial));
		if (!c->partial)
			return PLYD_ENOMEM;
		c->partial->scan = *s;
		buf_init(&c->partial->in, MESSAGE_BYTES_MAX);
	}
	return buf_put(&c->partial->in, piece.at, piece.len);
}

/* A message in one piece is read where it lies; others are collected. */
static int collect(const struct conn *c, struct span piece,
		   struct span *message)
{
	if (!c->partial) {
		*message = piece;
		return PLYD_OK;
	}
	int err = buf_put(&c->partial->in, piece.at, piece.len);
	*message = buf_span(&c->partial->in);
	return err;
}

/* Reads up to the end of a message, or as far as bytes go: how much that was,
 * or why it is no message or cannot be kept. */
static int take_message(struct hub *h, struct conn *c, struct span bytes,
			size_t *taken)
{
	struct scan fresh, *scan = scan_of(c, &fresh);
	struct span message;
	int found = scan_feed(scan, bytes, taken);
	if (found < 0)
		return found;
	struct span piece = span_of(bytes.at, *taken);
	if (found == SCAN_MORE) {
		if (c->message_at_ms == 0)
			c->message_at_ms = h->now_ms;
		return partial_keep(c, scan, piece);
	}
	int err = collect(c, piece, &message);
	if (err)
		return err;
	c->message_at_ms = 0;
	on_message(h, c, message, found);
	partial_drop(c);
	return PLYD_OK;
}

void hub_bytes(struct hub *h, uint64_t number, struct span bytes,
	       uint64_t now_ms, int64_t unix_ms)
{
	struct conn *c = find_conn(h, number);
	hub_now(h, now_ms, unix_ms);
	while (c && c->state < CONN_CLOSING && bytes.len > 0) {
		if (c->held || conn_is_pressed(h, c)) {
			if (conn_hold(h, c, bytes))
				conn_close_now(h, c, PLYD_ESLOW, NULL);
			break;
		}
		size_t taken;
		int err = take_message(h, c, bytes, &taken);
		if (err) {
			conn_close_now(h, c, err, NULL);
			return;
		}
		bytes = span_of(bytes.at + taken, bytes.len - taken);
	}
	if (c && c->state < CONN_CLOSING)
		set_due(h, c);
}
