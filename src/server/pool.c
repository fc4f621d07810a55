/* SPDX-License-Identifier: MIT */
#include "server/pool.h"

#include <stdlib.h>

#include <utlist.h>

#include "base/log.h"

enum {
	RESTART_MS_FIRST = 10, /* doubled with each death in a row */
	RESTART_MS_MAX = 10000,
	PASSED_OVER_MAX = 16, /* questions that go before a suspect's */
};

/* One process. */
struct slot {
	struct pool *pool;
	struct worker *worker; /* NULL: waits for its restart */
	size_t told;           /* scripts that it was told, or passed over */
	struct job *job;
	struct net_timer *restart;
	uint64_t restart_ms;
};

struct pool {
	struct net *net;
	char program[PATH_BYTES_MAX];
	struct pool_options options;
	struct job *queue;
	size_t waiting;
	unsigned passed_over; /* so often the oldest was */
	struct buf load;
	struct slot *slot;
};

static void serve(struct pool *p);

static void slot_down(struct slot *s)
{
	worker_free(s->worker);
	s->worker = NULL;
	s->told = 0;
	net_timer_start(s->restart, s->restart_ms);
	s->restart_ms *= 2;
	if (s->restart_ms > RESTART_MS_MAX)
		s->restart_ms = RESTART_MS_MAX;
}

static void on_answered(void *payload, struct worker *w,
			const struct worker_reply *reply, bool late)
{
	struct slot *s = payload;
	struct job *j = s->job;
	(void)w;
	s->job = NULL;
	if (!reply)
		slot_down(s);
	else if (j)
		s->restart_ms = RESTART_MS_FIRST;
	if (j)
		j->done(j, reply, late);
	serve(s->pool);
}

static void on_died(void *payload, struct worker *w)
{
	(void)w;
	slot_down(payload);
}

static int slot_start(struct slot *s, char why[NET_WHY_MAX])
{
	const struct worker_ops ops = { s, on_answered, on_died };
	return worker_start(s->pool->net, s->pool->program, &ops, &s->worker,
			    why);
}

static void on_restart(void *payload)
{
	char why[NET_WHY_MAX];
	struct slot *s = payload;
	if (slot_start(s, why)) {
		log_event(LOG_ERROR, "a script worker cannot be started",
			  "why=\"%s\"", why);
		net_timer_start(s->restart, RESTART_MS_MAX);
		return;
	}
	serve(s->pool);
}

static void tell_script(struct slot *s, const struct script *script)
{
	struct pool *p = s->pool;
	const struct worker_load load = {
		.kind = script->kind,
		.name = span_str(script->name),
		.source = span_of(script->source, script->source_len),
	};
	buf_clear(&p->load);
	worker_ask_load(&p->load, 1, &load);
	if (!p->load.err)
		worker_ask(s->worker, buf_span(&p->load),
			   p->options.load_deadline_ms);
}

/* Tells the next script that the worker does not know; false: it knows all. */
static bool tell_next(struct slot *s)
{
	const struct pool_options *o = &s->pool->options;
	while (s->told < o->scripts->count) {
		const struct script *script = &o->scripts->script[s->told++];
		if (script->kind != o->kind && script->kind != WORKER_LIBRARY)
			continue;
		tell_script(s, script);
		return true;
	}
	return false;
}

static bool is_suspect(const struct job *j)
{
	return j->suspect && j->suspect(j);
}

/* The oldest question that is no suspect's; else, or when others have gone
 * before it often enough, the oldest; NULL: none waits. */
static struct job *first_job(struct pool *p)
{
	struct job *j = p->queue;
	while (j && is_suspect(j) && p->passed_over < PASSED_OVER_MAX)
		j = j->next;
	if (!j)
		j = p->queue;
	p->passed_over = j == p->queue ? 0 : p->passed_over + 1;
	return j;
}

/* The next question that is still to be asked; NULL: none waits. */
static struct job *next_job(struct pool *p)
{
	struct job *j;
	while ((j = first_job(p))) {
		DL_DELETE(p->queue, j);
		p->waiting--;
		if (!j->ready || j->ready(j))
			break;
	}
	return j;
}

static void serve_slot(struct pool *p, struct slot *s)
{
	if (!s->worker || worker_busy(s->worker) || tell_next(s))
		return;
	s->job = next_job(p);
	if (s->job)
		worker_ask(s->worker, buf_span(&s->job->question),
			   p->options.ask_deadline_ms);
}

static void serve(struct pool *p)
{
	for (size_t i = 0; i < p->options.workers; i++)
		serve_slot(p, &p->slot[i]);
}

int pool_ask(struct pool *p, struct job *j)
{
	if (p->waiting >= p->options.queue_max)
		return PLYD_EFULL;
	DL_APPEND(p->queue, j);
	p->waiting++;
	serve(p);
	return PLYD_OK;
}

static int slots_start(struct pool *p, char why[NET_WHY_MAX])
{
	for (size_t i = 0; i < p->options.workers; i++) {
		struct slot *s = &p->slot[i];
		s->pool = p;
		s->restart_ms = RESTART_MS_FIRST;
		s->restart = net_timer_new(p->net, on_restart, s);
		int err = s->restart ? slot_start(s, why) : PLYD_ENOMEM;
		if (err)
			return err;
	}
	return PLYD_OK;
}

int pool_new(struct net *n, const struct pool_options *options,
	     struct pool **out, char why[NET_WHY_MAX])
{
	struct pool *p = calloc(1, sizeof(*p));
	*out = NULL;
	why[0] = '\0';
	if (!p)
		return PLYD_ENOMEM;
	p->net = n;
	p->options = *options;
	buf_init(&p->load, WORKER_BYTES_MAX);
	span_copy(span_str(options->program), p->program, sizeof(p->program));
	p->slot = calloc(options->workers, sizeof(*p->slot));
	int err = p->slot ? slots_start(p, why) : PLYD_ENOMEM;
	if (err) {
		pool_free(p);
		return err;
	}
	serve(p);
	*out = p;
	return PLYD_OK;
}

void pool_free(struct pool *p)
{
	struct job *j, *tmp;
	if (!p)
		return;
	DL_FOREACH_SAFE(p->queue, j, tmp) j->drop(j);
	for (size_t i = 0; p->slot && i < p->options.workers; i++) {
		if (p->slot[i].job)
			p->slot[i].job->drop(p->slot[i].job);
		worker_free(p->slot[i].worker);
		net_timer_free(p->slot[i].restart);
	}
	buf_release(&p->load);
	free(p->slot);
	free(p);
}
