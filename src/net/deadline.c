/* SPDX-License-Identifier: MIT
 * deadline.c - one timer for the deadlines of all connections. Those of one
 * kind last as long as each other, so that each kind is a queue. */
#include "net/conn_priv.h"

#include <utlist.h>

_Static_assert(DEADLINE_FLUSH + 1 == DEADLINES, "a queue for each");

static uint64_t lasts_ms(enum deadline kind)
{
	static const uint64_t ms[DEADLINES] = {
#define X(name, value) [DEADLINE_##name] = (value),
		CONN_DEADLINES(X)
#undef X
	};
	return ms[kind];
}

static void drop(struct conn *c)
{
	DL_DELETE2(c->net->deadlines[c->deadline - 1], c, deadline_prev,
		   deadline_next);
	c->deadline = 0;
}

/* The first of all, or NULL. */
static struct conn *first_of(const struct net *n)
{
	struct conn *first = NULL;
	for (int i = 0; i < DEADLINES; i++) {
		struct conn *c = n->deadlines[i];
		if (c && (!first || c->deadline_ms < first->deadline_ms))
			first = c;
	}
	return first;
}

static void wait_for_first(struct net *n);

static void on_timer(uv_timer_t *timer)
{
	struct net *n = timer->loop->data;
	struct conn *c;
	uv_update_time(&n->loop);
	while ((c = first_of(n)) && c->deadline_ms <= uv_now(&n->loop)) {
		drop(c);
		conn_deadline(c);
	}
	wait_for_first(n);
}

static void wait_for_first(struct net *n)
{
	const struct conn *c = first_of(n);
	uint64_t now_ms = uv_now(&n->loop);
	if (!c)
		uv_timer_stop(&n->deadline);
	else
		uv_timer_start(&n->deadline, on_timer,
			       c->deadline_ms > now_ms ? c->deadline_ms - now_ms
						       : 0,
			       0);
}

void deadline_set(struct conn *c, enum deadline kind)
{
	struct net *n = c->net;
	deadline_clear(c);
	/* after a long turn the loop's own time is old */
	uv_update_time(&n->loop);
	c->deadline_ms = uv_now(&n->loop) + lasts_ms(kind);
	c->deadline = (uint8_t)(kind + 1);
	DL_APPEND2(n->deadlines[kind], c, deadline_prev, deadline_next);
	if (first_of(n) == c)
		wait_for_first(n);
}

void deadline_clear(struct conn *c)
{
	if (c->deadline == 0)
		return;
	bool last = first_of(c->net) == c;
	drop(c);
	if (last)
		wait_for_first(c->net);
}
