/* SPDX-License-Identifier: MIT */
#include "ply/script_worker.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <plyd/err.h>
#include "net/child.h"
#include "proto/scan.h"

struct script_worker {
	struct net *net;
	struct net_timer *deadline;
	struct child *child; /* NULL: none runs */
	struct scan scan;
	struct buf in;
	struct doc *doc;
	struct worker_reply reply;
	bool answered;
	bool late;
};

static const struct scan_limits limits = { WORKER_BYTES_MAX,
					   STORE_ELEMENTS_MAX };

/* Both are built and installed into one directory. */
static void find_program(char out[PATH_MAX])
{
	static const char name[] = "plyd-script";
	char self[PATH_MAX - sizeof(name) - 1];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[len < 0 ? 0 : len] = '\0';
	snprintf(out, PATH_MAX, "%s/%s", dirname(self), name);
}

static void lose(struct script_worker *w)
{
	if (w->child)
		child_kill(w->child);
}

static void on_deadline(void *payload)
{
	struct script_worker *w = payload;
	w->late = true;
	lose(w);
}

/* True: it was the answer. */
static bool take(struct script_worker *w, struct span message)
{
	if (worker_read(w->doc, message, &w->reply)) {
		lose(w);
		return false;
	}
	if (!w->reply.is_log)
		return true;
	printf("  it says: %.*s\n", (int)w->reply.log.text.len,
	       (const char *)w->reply.log.text.at);
	return false;
}

static void on_bytes(void *payload, struct child *c, struct span bytes)
{
	struct script_worker *w = payload;
	(void)c;
	while (bytes.len > 0 && !w->answered) {
		size_t taken;
		int found = scan_feed(&w->scan, bytes, &taken);
		if (found < 0 || buf_put(&w->in, bytes.at, taken)) {
			lose(w);
			return;
		}
		bytes = span_of(bytes.at + taken, bytes.len - taken);
		if (found == SCAN_MORE)
			return;
		w->answered = take(w, buf_span(&w->in));
		buf_clear(&w->in);
	}
	if (w->answered)
		net_stop(w->net);
}

static void on_exit_of(void *payload, struct child *c, int status, int signal)
{
	struct script_worker *w = payload;
	(void)c;
	(void)status;
	(void)signal;
	w->child = NULL;
	net_stop(w->net);
}

static int start(struct script_worker *w, char why[NET_WHY_MAX])
{
	char path[PATH_MAX];
	find_program(path);
	char *argv[] = { path, NULL };
	const struct child_options options = {
		.path = path,
		.argv = argv,
		.on_bytes = on_bytes,
		.on_exit = on_exit_of,
		.payload = w,
	};
	scan_init(&w->scan, &limits);
	buf_clear(&w->in);
	return child_spawn(w->net, &options, &w->child, why);
}

static double now_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int script_worker_ask(struct script_worker *w, struct span question,
		      int64_t deadline_ms, struct script_answer *out,
		      char why[NET_WHY_MAX])
{
	why[0] = '\0';
	*out = (struct script_answer){ .reply = NULL };
	int err = w->child ? PLYD_OK : start(w, why);
	if (err)
		return err;
	double began = now_seconds();
	w->answered = w->late = false;
	net_timer_start(w->deadline, (uint64_t)deadline_ms);
	if (child_send(w->child, question))
		lose(w);
	/* a lost child is told of at once, or soon: then too it ends */
	while (w->child && !w->answered)
		net_run(w->net);
	net_timer_stop(w->deadline);
	out->seconds = now_seconds() - began;
	out->reply = w->answered ? &w->reply : NULL;
	out->late = w->late;
	return PLYD_OK;
}

bool script_worker_runs(const struct script_worker *w)
{
	return w->child != NULL;
}

int script_worker_new(struct script_worker **out)
{
	struct script_worker *w = calloc(1, sizeof(*w));
	*out = NULL;
	if (!w)
		return PLYD_ENOMEM;
	buf_init(&w->in, WORKER_BYTES_MAX);
	w->doc = doc_new();
	int err = net_new(&w->net);
	w->deadline = err ? NULL : net_timer_new(w->net, on_deadline, w);
	if (err || !w->doc || !w->deadline) {
		script_worker_free(w);
		return PLYD_ENOMEM;
	}
	*out = w;
	return PLYD_OK;
}

void script_worker_free(struct script_worker *w)
{
	if (!w)
		return;
	net_timer_free(w->deadline);
	net_free(w->net); /* kills the child */
	doc_free(w->doc);
	buf_release(&w->in);
	free(w);
}
