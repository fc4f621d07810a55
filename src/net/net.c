/* SPDX-License-Identifier: MIT */
#include "net/net_priv.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>

#include <plyd/err.h>
#include "net/timer_priv.h"

static const int signal_numbers[NET_SIGNALS] = { SIGTERM, SIGINT, SIGHUP,
						 SIGUSR1 };

/* ---- the turn ---------------------------------------------------------- */

static void end_turn(struct net *n)
{
	if (n->on_turn)
		n->on_turn(n->turn_payload);
	conn_flush_all(n);
}

/* Connections are told of their end after the check, so that the turn has two
 * ends. */
static void before_poll(uv_prepare_t *handle)
{
	end_turn(handle->loop->data);
}

static void after_poll(uv_check_t *handle)
{
	struct net *n = handle->loop->data;
	conn_deliver(n);
	timers_run_due(n);
	end_turn(n);
	conn_flush_later(n);
}

static void on_wake(uv_async_t *handle)
{
	struct net *n = handle->loop->data;
	if (n->on_wake)
		n->on_wake(n->wake_payload);
}

static void on_signal(uv_signal_t *handle, int number)
{
	struct net *n = handle->loop->data;
	n->on_signal(n->signal_payload, number);
}

/* ---- life -------------------------------------------------------------- */

/* What the loop itself needs keeps nobody waiting for it. */
static int handles_start(struct net *n)
{
	uv_loop_t *loop = &n->loop;
	if (uv_async_init(loop, &n->wake, on_wake))
		return PLYD_ENOMEM;
	uv_prepare_init(loop, &n->before_poll);
	uv_prepare_start(&n->before_poll, before_poll);
	uv_check_init(loop, &n->after_poll);
	uv_check_start(&n->after_poll, after_poll);
	uv_idle_init(loop, &n->no_block);
	uv_timer_init(loop, &n->deadline);
	for (int i = 0; i < NET_SIGNALS; i++) {
		uv_signal_init(loop, &n->signals[i]);
		uv_unref((uv_handle_t *)&n->signals[i]);
	}
	uv_unref((uv_handle_t *)&n->wake);
	uv_unref((uv_handle_t *)&n->before_poll);
	uv_unref((uv_handle_t *)&n->after_poll);
	return PLYD_OK;
}

int net_new(struct net **out)
{
	struct net *n = calloc(1, sizeof(*n));
	*out = NULL;
	if (!n)
		return PLYD_ENOMEM;
	if (uv_loop_init(&n->loop)) {
		free(n);
		return PLYD_ENOMEM;
	}
	n->loop.data = n;
	signal(SIGPIPE, SIG_IGN);
	if (handles_start(n)) {
		uv_loop_close(&n->loop);
		free(n);
		return PLYD_ENOMEM;
	}
	*out = n;
	return PLYD_OK;
}

static void stop_life(uv_handle_t *handle, void *payload)
{
	struct net_owner *owner = handle->data;
	(void)payload;
	if (owner && owner->is_life)
		owner->stop(owner);
}

static void stop_rest(uv_handle_t *handle, void *payload)
{
	struct net_owner *owner = handle->data;
	(void)payload;
	if (owner)
		owner->stop(owner);
	else if (!uv_is_closing(handle))
		uv_close(handle, NULL);
}

int net_free(struct net *n)
{
	if (!n)
		return PLYD_OK;
	n->freeing = true;
	/* their last callbacks may still free timers and listeners */
	uv_walk(&n->loop, stop_life, NULL);
	while (n->lives > 0)
		uv_run(&n->loop, UV_RUN_ONCE);
	uv_walk(&n->loop, stop_rest, NULL);
	uv_run(&n->loop, UV_RUN_DEFAULT);
	while (n->spare_count > 0)
		buf_release(&n->spare[--n->spare_count]);
	if (uv_loop_close(&n->loop))
		return PLYD_EINTERNAL;
	free(n);
	return PLYD_OK;
}

void net_run(struct net *n)
{
	uv_run(&n->loop, UV_RUN_DEFAULT);
}

void net_stop(struct net *n)
{
	uv_stop(&n->loop);
}

uint64_t net_now_ms(void)
{
	return uv_hrtime() / 1000000;
}

uint64_t net_now_us(void)
{
	return uv_hrtime() / 1000;
}

/* ---- wakes and signals ------------------------------------------------- */

void net_on_wake(struct net *n, void (*fn)(void *payload), void *payload)
{
	n->on_wake = fn;
	n->wake_payload = payload;
	if (fn)
		uv_ref((uv_handle_t *)&n->wake);
	else
		uv_unref((uv_handle_t *)&n->wake);
}

void net_wake(struct net *n)
{
	uv_async_send(&n->wake);
}

void net_on_turn(struct net *n, void (*fn)(void *payload), void *payload)
{
	n->on_turn = fn;
	n->turn_payload = payload;
}

int net_on_signal(struct net *n, void (*fn)(void *payload, int signal),
		  void *payload)
{
	assert(!n->on_signal || !fn);
	n->on_signal = fn;
	n->signal_payload = payload;
	for (int i = 0; i < NET_SIGNALS; i++)
		if (!fn)
			uv_signal_stop(&n->signals[i]);
		else if (uv_signal_start(&n->signals[i], on_signal,
					 signal_numbers[i]))
			return PLYD_EIO;
	return PLYD_OK;
}
