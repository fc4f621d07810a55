/* SPDX-License-Identifier: MIT */
#include "server/pool.h"

#include <stdlib.h>

#include <utlist.h>

#include <plyd/err.h>
#include "base/log.h"

enum {
	RESTART_MS_FIRST = 10, /* doubled with each death in a row */
	RESTART_MS_MAX = 10000,
	PASSED_OVER_MAX = 16, /* questions that go before a suspect's */
	PROGRAM_BYTES_MAX = 1024
};

/* One process. */
struct slot {
	struct pool *pool;
	struct worker *worker; /* NULL: waits for its restart, or is lazy */
	bool waits;            /* for its restart */
	size_t told_count;     /* versions that it was told; held */
	size_t told_bytes;
	struct version *told[WORKER_SCRIPTS_MAX];
	struct job *job; /* for which it may still be told scripts */
	bool asked;      /* what it answers is the job's answer */
	struct net_timer *restart;
	uint64_t restart_ms;
};

struct pool {
	struct net *net;
	char program[PROGRAM_BYTES_MAX];
	struct pool_options options;
	struct job *queue;
	size_t waiting;
	unsigned passed_over; /* so often the oldest was */
	struct buf load;
	struct pool_counts counts; /* what is not reckoned anew */
	struct slot *slot;
};

static void serve(struct pool *p);

static void lose_worker(struct slot *s)
{
	worker_free(s->worker);
	s->worker = NULL;
	while (s->told_count > 0)
		version_drop(s->told[--s->told_count]);
	s->told_bytes = 0;
}

static void slot_down(struct slot *s)
{
	lose_worker(s);
	s->waits = true;
	net_timer_start(s->restart, s->restart_ms);
	s->restart_ms *= 2;
	if (s->restart_ms > RESTART_MS_MAX)
		s->restart_ms = RESTART_MS_MAX;
}

/* What is told of a script first is no answer, but may cost the worker. */
static void count_answer(struct slot *s, const struct job *j, bool answered,
			 bool late)
{
	struct pool_counts *c = &s->pool->counts;
	if (s->asked)
		histogram_add(&c->answer, net_now_us() - j->asked_us);
	c->late += late;
	c->died += !answered && !late;
}

static void on_answered(void *payload, struct worker *w,
			const struct worker_reply *reply, bool late)
{
	struct slot *s = payload;
	struct job *j = s->job;
	(void)w;
	if (!reply)
		slot_down(s);
	if (s->asked || !reply || reply->err) {
		if (reply)
			s->restart_ms = RESTART_MS_FIRST;
		s->job = NULL;
		count_answer(s, j, reply != NULL, late);
		j->done(j, reply, late);
	}
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

/* False: it cannot be had now; it is tried again later. */
static bool slot_up(struct slot *s)
{
	char why[NET_WHY_MAX];
	if (!slot_start(s, why))
		return true;
	log_event(LOG_ERROR, "a script worker cannot be started", "why=\"%s\"",
		  why);
	s->waits = true;
	net_timer_start(s->restart, RESTART_MS_MAX);
	return false;
}

static void on_restart(void *payload)
{
	struct slot *s = payload;
	s->waits = false;
	if (s->pool->options.lazy || slot_up(s))
		serve(s->pool);
}

static bool knows(const struct slot *s, const struct version *v)
{
	for (size_t i = 0; i < s->told_count; i++)
		if (s->told[i] == v)
			return true;
	return false;
}

/* What the worker must be told first: a library, or the script itself; NULL:
 * it knows all. */
static struct version *untold(const struct slot *s, struct version *script)
{
	for (size_t i = 0; i < script->use_count; i++)
		if (!knows(s, script->use[i]))
			return script->use[i];
	return knows(s, script) ? NULL : script;
}

static void tell(struct slot *s, struct version *v)
{
	struct pool *p = s->pool;
	s->told[s->told_count++] = version_hold(v);
	s->told_bytes += v->len;
	buf_clear(&p->load);
	version_tell(v, &p->load);
	worker_ask(s->worker, buf_span(&p->load), p->options.load_deadline_ms);
}

/* Whether it can remember this script with all its libraries, too. */
static bool has_room(const struct slot *s, const struct version *script)
{
	size_t bytes = s->told_bytes + script->len;
	for (size_t i = 0; i < script->use_count; i++)
		bytes += script->use[i]->len;
	return bytes <= WORKER_SOURCES_MAX &&
	       s->told_count + script->use_count < WORKER_SCRIPTS_MAX;
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

/* The worker that asks for the job at hand; NULL: none is to be had now. One
 * that has heard too many scripts makes way for a fresh one. */
static struct worker *worker_for(struct slot *s)
{
	if (s->worker && untold(s, s->job->script) &&
	    !has_room(s, s->job->script))
		lose_worker(s);
	if (!s->worker && !s->waits)
		slot_up(s);
	return s->worker;
}

static void ask(struct slot *s)
{
	struct pool *p = s->pool;
	uint64_t now_us = net_now_us();
	histogram_add(&p->counts.wait, now_us - s->job->asked_us);
	s->job->asked_us = now_us;
	worker_ask(s->worker, buf_span(&s->job->question),
		   p->options.ask_deadline_ms);
}

static void serve_slot(struct pool *p, struct slot *s)
{
	if (s->waits || (s->worker && worker_busy(s->worker)))
		return;
	if (!s->job)
		s->job = next_job(p);
	if (!s->job || !worker_for(s))
		return;
	struct version *first = untold(s, s->job->script);
	s->asked = !first;
	if (first)
		tell(s, first);
	else
		ask(s);
}

static void serve(struct pool *p)
{
	for (size_t i = 0; i < p->options.workers; i++)
		serve_slot(p, &p->slot[i]);
}

int pool_ask(struct pool *p, struct job *j)
{
	if (p->waiting >= p->options.queue_max) {
		p->counts.refused++;
		return PLYD_EFULL;
	}
	j->asked_us = net_now_us();
	DL_APPEND(p->queue, j);
	p->waiting++;
	serve(p);
	return PLYD_OK;
}

struct pool_counts pool_counts(const struct pool *p)
{
	struct pool_counts c = p->counts;
	c.waiting = p->waiting;
	c.workers = p->options.workers;
	for (size_t i = 0; i < p->options.workers; i++)
		c.busy += p->slot[i].job != NULL;
	return c;
}

static int slots_start(struct pool *p, char why[NET_WHY_MAX])
{
	for (size_t i = 0; i < p->options.workers; i++) {
		struct slot *s = &p->slot[i];
		s->pool = p;
		s->restart_ms = RESTART_MS_FIRST;
		s->restart = net_timer_new(p->net, on_restart, s);
		int err = !s->restart       ? PLYD_ENOMEM
			  : p->options.lazy ? PLYD_OK
					    : slot_start(s, why);
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
	p->options.program = p->program;
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
		lose_worker(&p->slot[i]);
		net_timer_free(p->slot[i].restart);
	}
	buf_release(&p->load);
	free(p->slot);
	free(p);
}
