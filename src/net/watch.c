/* SPDX-License-Identifier: MIT */
#include "net/watch.h"

#include <fcntl.h>
#include <stdlib.h>

#include "net/net_priv.h"

struct net_watch {
	struct net_owner owner;
	union {
		uv_handle_t any;
		uv_poll_t poll;
		uv_signal_t signal;
	} handle;
	void (*fn)(void *payload);
	void *payload;
};

static void stop(struct net_owner *owner)
{
	net_watch_free((struct net_watch *)owner);
}

static struct net_watch *watch_new(void (*fn)(void *payload), void *payload)
{
	struct net_watch *w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	w->owner.stop = stop;
	w->fn = fn;
	w->payload = payload;
	return w;
}

static void on_readable(uv_poll_t *handle, int status, int events)
{
	struct net_watch *w = handle->data;
	(void)status, (void)events; /* whoever reads meets the error */
	w->fn(w->payload);
}

static void on_signal(uv_signal_t *handle, int number)
{
	struct net_watch *w = handle->data;
	(void)number;
	w->fn(w->payload);
}

struct net_watch *net_watch_fd(struct net *n, int fd, void (*fn)(void *payload),
			       void *payload)
{
	struct net_watch *w = watch_new(fn, payload);
	if (!w)
		return NULL;
	/* libuv makes it non-blocking, for every process that shares it */
	int flags = fcntl(fd, F_GETFL);
	if (uv_poll_init(&n->loop, &w->handle.poll, fd)) {
		free(w);
		return NULL;
	}
	fcntl(fd, F_SETFL, flags);
	w->handle.any.data = w;
	if (uv_poll_start(&w->handle.poll, UV_READABLE, on_readable)) {
		net_watch_free(w);
		return NULL;
	}
	return w;
}

struct net_watch *net_watch_signal(struct net *n, int signal,
				   void (*fn)(void *payload), void *payload)
{
	struct net_watch *w = watch_new(fn, payload);
	if (!w)
		return NULL;
	uv_signal_init(&n->loop, &w->handle.signal);
	w->handle.any.data = w;
	if (uv_signal_start(&w->handle.signal, on_signal, signal)) {
		net_watch_free(w);
		return NULL;
	}
	return w;
}

static void on_closed(uv_handle_t *handle)
{
	free(handle->data);
}

void net_watch_free(struct net_watch *w)
{
	if (w && !uv_is_closing(&w->handle.any))
		uv_close(&w->handle.any, on_closed);
}
