/* SPDX-License-Identifier: MIT */
#include "server/judges.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/log.h"
#include "server/pool.h"
#include "server/question.h"

enum {
	JUDGES_BATCH = 64,        /* more need not be asked in one breath */
	JUDGES_SPARE = 256,       /* cases whose memory is kept for the next, */
	JUDGES_SPARE_BYTES = 2048 /* if their questions took no more */
};

/* One position that waits for its verdict. The job comes first. */
struct case_ {
	struct job job;
	struct judges *judges;
	struct id match;
	uint32_t ply;
	uint32_t takebacks;
	char policy[POLICY_BYTES_MAX + 1];
	struct case_ *prev, *next; /* while it is not asked, or is spare */
};

struct judges {
	struct judges_ops ops;
	const struct scripts *scripts;
	const struct versions *versions;
	struct pool *pool;
	struct version *last;      /* that was asked; held, or NULL */
	struct ruleset_text rules; /* that it was asked about */
	struct case_ *spare;
	size_t spare_count;
	/* Those that go on without being asked, from the loop: the hub is in
	 * the middle of a step when it asks. */
	struct case_ *unasked;
	struct net_timer *soon;
};

static void case_free(struct case_ *c)
{
	struct judges *j = c->judges;
	version_drop(c->job.script);
	if (j->spare_count < JUDGES_SPARE &&
	    c->job.question.cap <= JUDGES_SPARE_BYTES) {
		LL_PREPEND(j->spare, c);
		j->spare_count++;
		return;
	}
	buf_release(&c->job.question);
	free(c);
}

/* One without a script and with an empty question; NULL: no memory. */
static struct case_ *case_new(struct judges *j)
{
	struct case_ *c = j->spare;
	struct buf question;
	if (c) {
		LL_DELETE(j->spare, c);
		j->spare_count--;
		question = c->job.question;
		buf_clear(&question);
	} else {
		c = malloc(sizeof(*c));
		buf_init(&question, WORKER_BYTES_MAX);
	}
	if (c)
		*c = (struct case_){ .judges = j, .job.question = question };
	return c;
}

static void spare_free(struct judges *j)
{
	struct case_ *c;
	while ((c = j->spare)) {
		LL_DELETE(j->spare, c);
		buf_release(&c->job.question);
		free(c);
	}
}

static void tell(struct case_ *c, struct cmd_verdict verdict)
{
	const struct judges_ops *ops = &c->judges->ops;
	verdict.ply = c->ply;
	verdict.takebacks = c->takebacks;
	ops->verdict(ops->payload, &c->match, &verdict);
	case_free(c);
}

static void on_soon(void *payload)
{
	struct judges *j = payload;
	struct case_ *c = j->unasked, *next;
	j->unasked = NULL;
	for (; c; c = next) {
		next = c->next;
		tell(c, (struct cmd_verdict){ .ends = false });
	}
	j->ops.told(j->ops.payload);
}

static void go_on(struct case_ *c)
{
	DL_APPEND(c->judges->unasked, c);
	net_timer_start(c->judges->soon, 0);
}

static void log_failure(const struct case_ *c, const struct worker_reply *reply,
			bool late)
{
	char text[2 * WORKER_TEXT_MAX] = "\"\"";
	if (reply)
		log_quote((const char *)reply->error.text.at,
			  reply->error.text.len, text, sizeof(text));
	log_event(LOG_WARNING, "a draw policy's script gave no verdict",
		  "policy=%s version=%s match=%s ply=%u why=%s line=%lld "
		  "text=%s",
		  c->policy, c->job.script->hash, c->match.text, c->ply,
		  reply  ? plyd_err_name(reply->err)
		  : late ? "late"
			 : "died",
		  reply ? (long long)reply->error.line : 0, text);
}

static void on_done(struct job *job, const struct worker_reply *reply,
		    bool late)
{
	static const enum match_result results[] = {
		[VERDICT_DRAW] = RESULT_DRAW,
		[VERDICT_WHITE] = RESULT_WHITE,
		[VERDICT_BLACK] = RESULT_BLACK,
	};
	struct case_ *c = (struct case_ *)job;
	struct cmd_verdict verdict = { .ends = false };
	struct worker_ruling r;
	bool good =
		reply && !reply->err && !worker_ruling_read(reply->result, &r);
	if (good) {
		conduct_good(c->job.script);
		verdict.keeps = true;
		verdict.memory = r.memory;
	} else if (!c->job.starved) {
		conduct_fault(c->job.script);
	}
	if (!good) {
		log_failure(c, reply, late);
	} else if (r.verdict == VERDICT_WARN) {
		verdict.warns = r.reason.len > 0;
		verdict.words = r.reason;
	} else if (r.verdict != VERDICT_CONTINUE) {
		verdict.ends = true;
		verdict.result = results[r.verdict];
		verdict.words = r.reason;
	}
	tell(c, verdict);
}

/* A policy that was put away while its question waited. */
static bool on_ready(struct job *job)
{
	struct case_ *c = (struct case_ *)job;
	if (!conduct_is_quarantined(c->job.script))
		return true;
	go_on(c);
	return false;
}

static bool on_suspect(const struct job *job)
{
	return conduct_is_suspect(job->script);
}

static void on_drop(struct job *job)
{
	case_free((struct case_ *)job);
}

/* The version that the match follows, lent; NULL: it is gone. Most follow the
 * one that was asked last. */
static struct version *version_of(struct judges *j, const struct match *m)
{
	const char *policy = m->rules->draws.policy;
	const char *hash = m->rules->draws.version;
	struct version *v = j->last;
	/* one that was swept may be in the set again, as another */
	if (v && v->kept && !strcmp(v->hash, hash) && !strcmp(v->name, policy))
		return v;
	v = scripts_version(j->scripts, j->versions, WORKER_POLICY, policy,
			    hash);
	if (v)
		version_hold(v);
	version_drop(j->last);
	j->last = v;
	return v;
}

void judges_ask(struct judges *j, const struct match *m, struct span memory)
{
	struct case_ *c = case_new(j);
	if (!c)
		return; /* the turn begins when the time for a verdict is up */
	c->job.ready = on_ready;
	c->job.suspect = on_suspect;
	c->job.done = on_done;
	c->job.drop = on_drop;
	c->match = m->id;
	c->ply = m->ply;
	c->takebacks = m->takebacks;
	memcpy(c->policy, m->rules->draws.policy, sizeof(c->policy));
	struct version *script = version_of(j, m);
	if (!script || conduct_is_quarantined(script)) {
		go_on(c);
		return;
	}
	c->job.script = version_hold(script);
	question_verdict(&c->job.question, m, script->whole, memory, &j->rules);
	if (c->job.question.err || pool_ask(j->pool, &c->job))
		case_free(c);
}

int judges_new(struct net *n, const char *program,
	       const struct scripts *scripts, const struct versions *versions,
	       const struct config *c, const struct judges_ops *ops,
	       struct judges **out, char why[NET_WHY_MAX])
{
	const struct pool_options options = {
		.program = program,
		.workers = 1,
		.lazy = true, /* many servers have no policy with functions */
		.batch = JUDGES_BATCH,
		.queue_max = (size_t)c->workers_queue,
		.load_deadline_ms = c->workers_load_deadline_ms,
		.ask_deadline_ms = c->workers_verdict_deadline_ms,
		.told = ops->told,
		.payload = ops->payload,
	};
	struct judges *j = calloc(1, sizeof(*j));
	*out = NULL;
	if (!j)
		return PLYD_ENOMEM;
	j->ops = *ops;
	j->scripts = scripts;
	j->versions = versions;
	j->soon = net_timer_new(n, on_soon, j);
	why[0] = '\0';
	int err = j->soon ? pool_new(n, &options, &j->pool, why) : PLYD_ENOMEM;
	if (err) {
		judges_free(j);
		return err;
	}
	*out = j;
	return PLYD_OK;
}

struct pool_counts judges_counts(const struct judges *j)
{
	return j->pool ? pool_counts(j->pool) : (struct pool_counts){ 0 };
}

void judges_free(struct judges *j)
{
	if (!j)
		return;
	struct case_ *c, *tmp;
	pool_free(j->pool);
	DL_FOREACH_SAFE(j->unasked, c, tmp)
	case_free(c);
	spare_free(j);
	version_drop(j->last);
	net_timer_free(j->soon);
	free(j);
}
