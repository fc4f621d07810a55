/* SPDX-License-Identifier: MIT */
#include "net/work.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "net/net_priv.h"

struct net_work {
	uv_work_t request;
	struct net *net;
	struct net_work_ops ops;
	bool busy; /* waits or runs */
};

static void run(uv_work_t *request)
{
	struct net_work *w = request->data;
	w->ops.run(w->ops.payload);
}

static void after(uv_work_t *request, int status)
{
	struct net_work *w = request->data;
	w->busy = false;
	w->ops.done(w->ops.payload, status == 0);
}

struct net_work *net_work_new(struct net *n, const struct net_work_ops *ops)
{
	char workers[16];
	struct net_work *w = calloc(1, sizeof(*w));
	if (!w)
		return NULL;
	/* read by libuv when its first work is started */
	snprintf(workers, sizeof(workers), "%d", NET_WORKERS);
	setenv("UV_THREADPOOL_SIZE", workers, 0);
	w->net = n;
	w->ops = *ops;
	w->request.data = w;
	return w;
}

void net_work_start(struct net_work *w)
{
	assert(!w->busy);
	w->busy = true;
	int err = uv_queue_work(&w->net->loop, &w->request, run, after);
	assert(!err); /* it wants a function, and has one */
	(void)err;
}

void net_work_cancel(struct net_work *w)
{
	if (w->busy)
		uv_cancel((uv_req_t *)&w->request);
}

void net_work_free(struct net_work *w)
{
	assert(!w || !w->busy);
	free(w);
}
