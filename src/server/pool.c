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
	struct job *asked; /* what it will answer, oldest first */
	size_t asked_count;
	struct job *next; /* for which it may still be told scripts, */
	bool telling;     /* as it is now */
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

/* Takes the job that is answered now. */
static struct job *take_answered(struct slot *s)
{
	struct job *j = s->asked;
	if (s->telling) {
		j = s->next;
		s->next = NULL;
	} else {
		DL_DELETE(s->asked, j);
		s->asked_count--;
	}
	s->telling = false;
	return j;
}

/* The questions of a worker that was lost wait again. Answers leave a worker
 * together, so nobody knows at which of several it was lost: each is asked
 * alone now. */
static void ask_again(struct slot *s)
{
	struct pool *p = s->pool;
	struct job *j;
	DL_FOREACH (s->asked, j)
		j->alone = true;
	if (s->next)
		DL_PREPEND(p->queue, s->next);
	p->waiting += s->asked_count + (s->next != NULL);
	s->next = NULL;
	DL_CONCAT(s->asked, p->queue);
	p->queue = s->asked;
	s->asked = NULL;
	s->asked_count = 0;
}

/* What is told of a script first is no answer, but may cost the worker. */
static void count_answer(struct slot *s, bool answered, bool late)
{
	struct pool_counts *c = &s->pool->counts;
	if (!s->telling)
		histogram_add(&c->answer, net_now_us() - s->asked->asked_us);
	c->late += late;
	c->died += !answered && !late;
}

static void on_answered(void *payload, struct worker *w,
			const struct worker_reply *reply, bool late)
{
	struct slot *s = payload;
	bool starved = late && worker_was_starved(w);
	if (s->telling && reply && !reply->err) {
		s->telling = false;
		serve(s->pool);
		return;
	}
	count_answer(s, reply != NULL, late);
	bool guilty = reply || s->telling || s->asked_count == 1;
	struct job *j = guilty ? take_answered(s) : NULL;
	if (reply) {
		s->restart_ms = RESTART_MS_FIRST;
	} else {
		ask_again(s);
		s->telling = false;
		slot_down(s);
	}
	if (j) {
		j->starved = starved;
		j->done(j, reply, late);
	}
	serve(s->pool);
}

static void on_told(void *payload)
{
	const struct pool_options *o = &((struct slot *)payload)->pool->options;
	if (o->told)
		o->told(o->payload);
}

static void on_died(void *payload, struct worker *w)
{
	(void)w;
	slot_down(payload);
}

static int slot_start(struct slot *s, char why[NET_WHY_MAX])
{
	const struct worker_ops ops = { s, on_answered, on_died, on_told };
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
	return j->alone || (j->suspect && j->suspect(j));
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

/* Whether it can be asked the next question now: whatever is new to a worker,
 * or may be its end, it is asked alone. */
static bool may_ask(struct slot *s)
{
	if (s->asked_count > 0 &&
	    (is_suspect(s->next) || is_suspect(s->asked) ||
	     untold(s, s->next->script)))
		return false;
	/* one that has heard too many scripts makes way for a fresh one */
	if (s->worker && untold(s, s->next->script) &&
	    !has_room(s, s->next->script))
		lose_worker(s);
	return s->worker || slot_up(s);
}

static void ask(struct slot *s, struct job *j)
{
	struct pool *p = s->pool;
	uint64_t now_us = net_now_us();
	histogram_add(&p->counts.wait, now_us - j->asked_us);
	j->asked_us = now_us;
	DL_APPEND(s->asked, j);
	s->asked_count++;
	worker_ask(s->worker, buf_span(&j->question),
		   p->options.ask_deadline_ms);
}

/* Asks one more question, or tells a script for it; false: not now. */
static bool ask_next(struct pool *p, struct slot *s)
{
	if (s->waits || s->telling || s->asked_count == p->options.batch)
		return false;
	if (!s->next)
		s->next = next_job(p);
	if (!s->next || !may_ask(s))
		return false;
	struct version *first = untold(s, s->next->script);
	if (first) {
		s->telling = true;
		tell(s, first);
		return false;
	}
	struct job *j = s->next;
	s->next = NULL;
	ask(s, j);
	return true;
}

static void serve(struct pool *p)
{
	for (size_t i = 0; i < p->options.workers; i++)
		while (ask_next(p, &p->slot[i]))
			;
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
		c.busy += p->slot[i].asked_count > 0 || p->slot[i].telling;
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
		struct slot *s = &p->slot[i];
		if (s->next)
			s->next->drop(s->next);
		DL_FOREACH_SAFE(s->asked, j, tmp) j->drop(j);
		lose_worker(s);
		net_timer_free(s->restart);
	}
	buf_release(&p->load);
	free(p->slot);
	free(p);
}
