/* SPDX-License-Identifier: MIT
 * load_conn.c - one connection of `ply load`: dials, says hello, sorts what
 * comes. */
#include "ply/load.h"

#include "proto/methods.h"
#include "proto/write.h"

enum { ASK_BITS = 4 };
_Static_assert(LOAD_ASKS <= 1 << ASK_BITS, "an id holds what was asked");

/* -- requests -- */

void load_begin(struct load_conn *c, enum load_ask ask, const char *method,
		uint32_t params)
{
	struct buf *b = &c->load->out;
	buf_clear(b);
	rpc_begin_request(b, c->asks++ << ASK_BITS | ask, method);
	put_map(b, params);
}

void load_send(struct load_conn *c)
{
	struct load *l = c->load;
	if (!c->conn)
		return;
	if (l->out.err || conn_send(c->conn, buf_span(&l->out)))
		conn_abort(c->conn);
	l->messages_out += load_counts(l);
}

static void say_hello(struct load_conn *c)
{
	struct buf *b = &c->load->out;
	load_begin(c, LOAD_ASK_HELLO, "hello", 3);
	put_cstr(b, "protocol");
	put_int(b, PROTOCOL_VERSION);
	put_cstr(b, "bot");
	put_bool(b, true);
	put_cstr(b, "client");
	put_cstr(b, "ply load " PLYD_VERSION);
	load_send(c);
}

/* An idle connection is closed, if it never says anything. */
static void ping(void *payload)
{
	struct load_conn *c = payload;
	if (!c->conn)
		return;
	load_begin(c, LOAD_ASK_PING, "ping", 0);
	load_send(c);
	load_at(c->load, &c->due,
		c->due.at_us + c->load->options.ping_s * 1000000);
}

/* -- what comes -- */

static void ready(struct load_conn *c)
{
	struct load *l = c->load;
	uint64_t now_us = load_now_us();
	c->ready = true;
	histogram_add(&l->hello, now_us - c->dialled_us);
	c->due.fn = ping;
	if (c->role != LOAD_PLAYS)
		load_at(l, &c->due, now_us + l->options.ping_s * 1000000);
	if (c->role == LOAD_PLAYS && c->pair->player[0]->ready &&
	    c->pair->player[1]->ready)
		pair_begin(c->pair);
	if (c->role == LOAD_WATCHES)
		pair_watch(c);
	l->conns_ready++;
	load_conns_changed(l);
}

static void count_error(struct load *l, const struct value *name)
{
	char text[CLIENT_WORD_MAX];
	client_copy((const struct client_value *)name, text, sizeof(text));
	load_count_error(l, text);
}

/* [1, msgid, error, result] */
static int on_response(struct load_conn *c, const struct value *root)
{
	uint64_t msgid;
	const struct value *error = value_at(root, 2);
	if (value_count(root) != 4 ||
	    value_uint(value_at(root, 1), UINT32_MAX, &msgid))
		return PLYD_EMESSAGE;
	enum load_ask ask = msgid & ((1 << ASK_BITS) - 1);
	if (value_type(error) == VALUE_NIL)
		error = NULL;
	else if (c->load->phase !=
		 LOAD_ENDS) /* then moves cross resignations */
		count_error(c->load, value_at(error, 1));
	if (ask == LOAD_ASK_HELLO && !error)
		ready(c);
	else if (c->role == LOAD_PLAYS && ask > LOAD_ASK_PING)
		pair_answer(c, ask, error, value_at(root, 3));
	return PLYD_OK;
}

/* [2, method, [params]] */
static int on_notification(struct load_conn *c, const struct value *root)
{
	struct span name;
	const struct value *params = value_at(value_at(root, 2), 0);
	if (value_str(value_at(root, 1), &name))
		return PLYD_EMESSAGE;
	if (span_is(name, "match.event"))
		pair_event(c, params);
	else if (span_is(name, "match.started"))
		pair_started(c, params);
	else if (span_is(name, "closing"))
		count_error(c->load, value_find(params, "name"));
	return PLYD_OK;
}

static int on_message(struct load_conn *c, struct span bytes)
{
	struct load *l = c->load;
	const struct value *root;
	int64_t type;
	l->messages_in += load_counts(l);
	int err = doc_parse(l->doc, bytes, &doc_answer, &root);
	if (err)
		return err;
	if (value_int(value_at(root, 0), 1, 2, &type))
		return PLYD_EMESSAGE;
	return type == 1 ? on_response(c, root) : on_notification(c, root);
}

/* A message in one piece is read where it lies; others are collected. */
static int take_piece(struct load_conn *c, struct span piece, bool whole)
{
	if (whole && c->in.len == 0)
		return on_message(c, piece);
	int err = buf_put(&c->in, piece.at, piece.len);
	if (err || !whole)
		return err;
	err = on_message(c, buf_span(&c->in));
	buf_release(&c->in);
	return err;
}

static void on_bytes(void *payload, struct conn *conn, struct span bytes)
{
	struct load_conn *c = payload;
	size_t taken;
	while (bytes.len > 0) {
		int found = scan_feed(&c->scan, bytes, &taken);
		int err = found < 0 ? found
				    : take_piece(c, span_of(bytes.at, taken),
						 found != SCAN_MORE);
		if (err) {
			load_count_error(c->load, plyd_err_name(err));
			conn_abort(conn);
			return;
		}
		bytes = span_of(bytes.at + taken, bytes.len - taken);
	}
}

static void on_open(void *payload, struct conn *conn)
{
	(void)conn;
	say_hello(payload);
}

static void on_closed(void *payload, struct conn *conn, enum conn_end end,
		      const char *detail)
{
	struct load_conn *c = payload;
	struct load *l = c->load;
	(void)conn;
	c->conn = NULL;
	load_cancel(l, &c->due);
	buf_release(&c->in);
	if (l->phase == LOAD_ENDS)
		return;
	load_count_error(l, conn_end_name(end));
	if (end == CONN_END_UNREACHABLE && l->conns_ready == 0)
		load_fail(l, detail);
	l->conns_ready -= c->ready;
	c->ready = false;
	l->conns_lost++;
	load_conns_changed(l);
}

static const struct conn_callbacks callbacks = {
	.on_open = on_open,
	.on_bytes = on_bytes,
	.on_closed = on_closed,
};

void load_conn_dial(void *conn)
{
	struct load_conn *c = conn;
	struct load *l = c->load;
	scan_init(&c->scan, &scan_answers);
	buf_init(&c->in, ANSWER_BYTES_MAX);
	if (net_connect(l->net, l->address.host, l->address.port, &callbacks, c,
			&c->conn)) {
		c->conn = NULL;
		load_fail(l, plyd_err_text(PLYD_ENOMEM));
		return;
	}
	conn_set_source(c->conn,
			(unsigned)((c - l->conns) / LOAD_CONNS_PER_SOURCE));
}
