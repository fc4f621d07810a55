/* SPDX-License-Identifier: MIT */
#include "server/worker.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

#include <plyd/err.h>
#include "base/buf.h"
#include "base/log.h"
#include "net/child.h"
#include "proto/scan.h"

struct worker {
	struct worker_ops ops;
	struct child *child; /* NULL: dead */
	struct net_timer *deadline;
	struct scan scan;
	struct scan_limits limits;
	struct buf in;
	struct doc *doc;
	size_t waiting; /* questions */
	int64_t deadline_ms;
	clockid_t clock; /* of the process's time on a processor, */
	bool has_clock;  /* if there is one */
	int64_t cpu_us;  /* that it had used when the deadline began */
	bool begins;     /* the time of the oldest question */
	bool reading;    /* ... which begins when all that came was read */
	bool late;
	bool starved;
	bool killed; /* what it still says is not heard */
	bool freed;  /* only the child's last call is awaited */
};

static void destroy(struct worker *w)
{
	net_timer_free(w->deadline);
	doc_free(w->doc);
	buf_release(&w->in);
	free(w);
}

static void kill_child(struct worker *w)
{
	w->killed = true;
	if (w->child)
		child_kill(w->child);
}

/* Time that the process has spent on a processor; 0: it cannot be known. */
static int64_t cpu_us(const struct worker *w)
{
	struct timespec t;
	if (!w->child || !w->has_clock || clock_gettime(w->clock, &t))
		return 0;
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* The oldest question is another one: its time begins. Answers come together,
 * so that this is done once for all of them. */
static void deadline_move(struct worker *w)
{
	if (!w->begins || w->reading || w->killed || w->freed)
		return;
	w->begins = false;
	if (w->waiting == 0) {
		net_timer_stop(w->deadline);
		return;
	}
	w->cpu_us = cpu_us(w);
	net_timer_start(w->deadline, (uint64_t)w->deadline_ms);
}

static void on_deadline(void *payload)
{
	struct worker *w = payload;
	int64_t used_us = cpu_us(w) - w->cpu_us;
	w->late = true;
	w->starved = used_us * 4 < w->deadline_ms * 1000;
	log_event(LOG_WARNING,
		  "a script worker did not answer in time and was killed",
		  "pid=%d cpu_us=%lld%s", w->child ? child_pid(w->child) : 0,
		  (long long)used_us,
		  w->starved ? " why=\"the machine gave it no time\"" : "");
	kill_child(w);
}

static void log_words(const struct worker_log *l)
{
	char script[80], text[2 * WORKER_TEXT_MAX];
	log_quote((const char *)l->script.at, l->script.len, script,
		  sizeof(script));
	log_quote((const char *)l->text.at, l->text.len, text, sizeof(text));
	log_event((enum log_level)l->level, "a script says",
		  "script=%s match=%.*s text=%s", script, (int)l->match.len,
		  (const char *)l->match.at, text);
}

/* A worker that talks nonsense is killed; its end is told by on_exit. */
static void nonsense(struct worker *w, int err)
{
	log_event(LOG_WARNING, "a script worker talked nonsense and was killed",
		  "pid=%d why=%s", child_pid(w->child), plyd_err_name(err));
	kill_child(w);
}

/* False: the worker is not to be read any further. */
static bool on_message(struct worker *w, struct span message, int found)
{
	struct worker_reply reply;
	int err = worker_read_scanned(w->doc, message, found, &reply);
	if (err || (!reply.is_log && w->waiting == 0)) {
		nonsense(w, err ? err : PLYD_EMESSAGE);
		return false;
	}
	if (reply.is_log) {
		log_words(&reply.log);
		return true;
	}
	w->waiting--;
	w->begins = true;
	w->ops.answered(w->ops.payload, w, &reply, false);
	return !w->freed && w->child != NULL;
}

static void read_all(struct worker *w, struct span bytes)
{
	while (!w->freed && !w->killed && bytes.len > 0) {
		size_t taken;
		int found = scan_feed(&w->scan, bytes, &taken);
		if (found < 0 || buf_put(&w->in, bytes.at, taken)) {
			nonsense(w, found < 0 ? found : PLYD_ETOOLARGE);
			return;
		}
		bytes = span_of(bytes.at + taken, bytes.len - taken);
		if (found == SCAN_MORE)
			return;
		bool more = on_message(w, buf_span(&w->in), found);
		buf_clear(&w->in);
		if (!more)
			return;
	}
}

static void tell_told(const struct worker_ops *ops)
{
	if (ops->told)
		ops->told(ops->payload);
}

static void on_bytes(void *payload, struct child *c, struct span bytes)
{
	struct worker *w = payload;
	const struct worker_ops ops = w->ops; /* w may be no more */
	(void)c;
	if (w->freed)
		return;
	w->reading = true;
	read_all(w, bytes);
	w->reading = false;
	deadline_move(w);
	tell_told(&ops);
}

static void on_exit_of(void *payload, struct child *c, int status, int signal)
{
	struct worker *w = payload;
	w->child = NULL;
	if (w->freed) {
		destroy(w);
		return;
	}
	if (!w->late)
		log_event(LOG_WARNING, "a script worker died",
			  "pid=%d status=%d signal=%d", child_pid(c), status,
			  signal);
	net_timer_stop(w->deadline);
	const struct worker_ops ops = w->ops;
	if (w->waiting == 0) {
		ops.died(ops.payload, w);
		return;
	}
	w->waiting = 0;
	ops.answered(ops.payload, w, NULL, w->late);
	tell_told(&ops);
}

int worker_start(struct net *n, const char *program,
		 const struct worker_ops *ops, struct worker **out,
		 char why[NET_WHY_MAX])
{
	char *argv[] = { (char *)program, NULL };
	struct worker *w = calloc(1, sizeof(*w));
	*out = NULL;
	why[0] = '\0';
	if (!w)
		return PLYD_ENOMEM;
	w->ops = *ops;
	w->limits =
		(struct scan_limits){ WORKER_BYTES_MAX, STORE_ELEMENTS_MAX };
	scan_init(&w->scan, &w->limits);
	buf_init(&w->in, WORKER_BYTES_MAX);
	w->doc = doc_new();
	w->deadline = net_timer_new(n, on_deadline, w);
	const struct child_options options = {
		.path = program,
		.argv = argv,
		.on_bytes = on_bytes,
		.on_exit = on_exit_of,
		.payload = w,
	};
	int err = w->doc && w->deadline
			  ? child_spawn(n, &options, &w->child, why)
			  : PLYD_ENOMEM;
	if (err) {
		destroy(w);
		return err;
	}
	w->has_clock = !clock_getcpuclockid(child_pid(w->child), &w->clock);
	*out = w;
	return PLYD_OK;
}

void worker_free(struct worker *w)
{
	if (!w)
		return;
	if (!w->child) {
		destroy(w);
		return;
	}
	w->freed = true;
	net_timer_stop(w->deadline);
	child_kill(w->child);
}

void worker_ask(struct worker *w, struct span question, int64_t deadline_ms)
{
	assert(w->child && (w->waiting == 0 || deadline_ms == w->deadline_ms));
	w->deadline_ms = deadline_ms;
	w->begins = w->begins || w->waiting == 0;
	w->waiting++;
	deadline_move(w);
	if (child_send(w->child, question))
		kill_child(w);
}

size_t worker_waiting(const struct worker *w)
{
	return w->waiting;
}

bool worker_was_starved(const struct worker *w)
{
	return w->starved;
}

int worker_pid(const struct worker *w)
{
	return w->child ? child_pid(w->child) : 0;
}
