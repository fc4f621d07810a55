/* SPDX-License-Identifier: MIT
 * greet.c - a connection of a proxy, until it has said for whom it speaks. It
 * reaches its owner as if that one had come himself. */
#include <stdlib.h>

#include <plyd/err.h>
#include "base/log.h"
#include "net/conn_priv.h"
#include "net/proxy.h"

struct greeting {
	struct conn *conn;
	struct net_timer *limit;
	struct buf head;
};

static void greeting_free(struct greeting *g)
{
	net_timer_free(g->limit);
	buf_release(&g->head);
	free(g);
}

static void ignore_bytes(void *payload, struct conn *c, struct span bytes)
{
	(void)payload;
	(void)c;
	(void)bytes;
}

static void ignore_closed(void *payload, struct conn *c, enum conn_end end,
			  const char *detail)
{
	(void)payload;
	(void)c;
	(void)end;
	(void)detail;
}

static const struct conn_callbacks nobody = { .on_bytes = ignore_bytes,
					      .on_closed = ignore_closed };

static void drop(struct greeting *g, const char *why)
{
	listener_complain(g->conn->listener, why);
	conn_abort(g->conn);
}

static void introduce(struct greeting *g, const struct proxy_header *h)
{
	struct conn *c = g->conn;
	struct buf head = g->head;
	const struct sockaddr *from = (const void *)&h->from;
	buf_init(&g->head, 0);
	greeting_free(g);
	conn_set_callbacks(c, &nobody, NULL);
	listener_introduce(c->listener, c,
			   from->sa_family == AF_UNSPEC ? NULL : from);
	struct span rest = buf_span(&head);
	rest = span_of(rest.at + h->len, rest.len - h->len);
	if (rest.len > 0 && (c->state == CONN_OPEN || c->state == CONN_HALF))
		c->callbacks->on_bytes(c->payload, c, rest);
	buf_release(&head);
}

static void on_bytes(void *payload, struct conn *c, struct span bytes)
{
	struct greeting *g = payload;
	struct proxy_header h;
	(void)c;
	if (buf_put(&g->head, bytes.at, bytes.len)) {
		drop(g, "no memory for the header of a proxy");
		return;
	}
	switch (proxy_header_read(buf_span(&g->head), &h)) {
	case PROXY_WHOLE: introduce(g, &h); break;
	case PROXY_PART: break;
	case PROXY_BAD:
		drop(g, "a configured proxy does not speak PROXY protocol 2 "
			"(haproxy: send-proxy-v2)");
		break;
	}
}

static void on_closed(void *payload, struct conn *c, enum conn_end end,
		      const char *detail)
{
	ignore_closed(payload, c, end, detail);
	greeting_free(payload);
}

static void on_limit(void *payload)
{
	drop(payload, "a proxy did not say for whom it speaks in time");
}

void greet(struct conn *c)
{
	static const struct conn_callbacks callbacks = {
		.on_bytes = on_bytes,
		.on_closed = on_closed,
	};
	struct greeting *g = calloc(1, sizeof(*g));
	struct net_timer *limit = net_timer_new(c->net, on_limit, g);
	if (!g || !limit) {
		net_timer_free(limit);
		free(g);
		conn_set_callbacks(c, &nobody, NULL);
		conn_abort(c);
		return;
	}
	g->conn = c;
	g->limit = limit;
	buf_init(&g->head, PROXY_HEADER_MAX + CONN_READ_MAX);
	conn_set_callbacks(c, &callbacks, g);
	net_timer_start(limit, LISTENER_GREETING_MS);
}
