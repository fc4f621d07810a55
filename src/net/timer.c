/* SPDX-License-Identifier: MIT
 * libuv runs timers before it reads sockets. Here a timer only falls due there,
 * keeps the poll that follows from blocking, and is called after it. */
#include "net/timer_priv.h"

#include <stdlib.h>

#include "net/net_priv.h"

struct net_timer {
	struct net_owner owner;
	struct net *net;
	uv_timer_t handle;
	void (*fn)(void *payload);
	void *payload;
	struct net_timer *next_due;
	bool is_due;
};

void net_start_timer(uv_timer_t *timer, uv_timer_cb fn, uint64_t after_ms)
{
	uv_update_time(timer->loop);
	uv_timer_start(timer, fn, after_ms, 0);
}

static void on_nothing(uv_idle_t *handle)
{
	(void)handle;
}

void net_stay_awake(struct net *n)
{
	uv_idle_start(&n->no_block, on_nothing);
}

static void fall_due(struct net_timer *t)
{
	struct net *n = t->net;
	struct net_timer **end = &n->due;
	while (*end)
		end = &(*end)->next_due;
	*end = t;
	t->next_due = NULL;
	t->is_due = true;
	net_stay_awake(n);
}

static void on_due(uv_timer_t *handle)
{
	fall_due(handle->data);
}

void timers_run_due(struct net *n)
{
	n->running = n->due;
	n->due = NULL; /* those that fall due from here on wait a turn */
	while (n->running) {
		struct net_timer *t = n->running;
		n->running = t->next_due;
		t->is_due = false;
		t->fn(t->payload);
	}
	if (!n->due)
		uv_idle_stop(&n->no_block);
}

static void on_closed(uv_handle_t *handle)
{
	free(handle->data);
}

static void timer_stop_owner(struct net_owner *owner)
{
	net_timer_free((struct net_timer *)owner);
}

struct net_timer *net_timer_new(struct net *n, void (*fn)(void *payload),
				void *payload)
{
	struct net_timer *t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->owner.stop = timer_stop_owner;
	t->net = n;
	t->fn = fn;
	t->payload = payload;
	uv_timer_init(&n->loop, &t->handle);
	t->handle.data = t;
	return t;
}

void net_timer_start(struct net_timer *t, uint64_t after_ms)
{
	net_timer_stop(t);
	if (after_ms == 0) {
		fall_due(t);
		return;
	}
	/* the loop counts whole ms from one that has begun already */
	net_start_timer(&t->handle, on_due, after_ms + 1);
}

static bool take_from(struct net_timer **list, struct net_timer *t)
{
	while (*list && *list != t)
		list = &(*list)->next_due;
	if (!*list)
		return false;
	*list = t->next_due;
	return true;
}

void net_timer_stop(struct net_timer *t)
{
	uv_timer_stop(&t->handle);
	if (!t->is_due)
		return;
	if (!take_from(&t->net->due, t))
		take_from(&t->net->running, t);
	t->is_due = false;
}

void net_timer_free(struct net_timer *t)
{
	if (!t || uv_is_closing((uv_handle_t *)&t->handle))
		return;
	net_timer_stop(t);
	uv_close((uv_handle_t *)&t->handle, on_closed);
}
