/* SPDX-License-Identifier: MIT */
#include "server/judges.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "base/log.h"
#include "server/pool.h"
#include "server/question.h"

/* More than that need not be asked in one breath. */
enum { JUDGES_BATCH = 64 };

/* One position that waits for its verdict. The job comes first. */
struct case_ {
	struct job job;
	struct judges *judges;
	struct id match;
	uint32_t ply;
	uint32_t takebacks;
	char policy[POLICY_BYTES_MAX + 1];
	struct case_ *prev, *next; /* while it is not asked */
};

struct judges {
	struct judges_ops ops;
	const struct scripts *scripts;
	const struct versions *versions;
	struct pool *pool;
	struct buf question; /* grows once, and not with every question */
	/* Those that go on without being asked, from the loop: the hub is in
	 * the middle of a step when it asks. */
	struct case_ *unasked;
	struct net_timer *soon;
};

static void case_free(struct case_ *c)
{
	buf_release(&c->job.question);
	version_drop(c->job.script);
	free(c);
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

void judges_ask(struct judges *j, const struct match *m, struct span memory)
{
	struct case_ *c = calloc(1, sizeof(*c));
	if (!c)
		return; /* the turn begins when the time for a verdict is up */
	c->job.ready = on_ready;
	c->job.suspect = on_suspect;
	c->job.done = on_done;
	c->job.drop = on_drop;
	c->judges = j;
	c->match = m->id;
	c->ply = m->ply;
	c->takebacks = m->takebacks;
	memcpy(c->policy, m->rules.draws.policy, sizeof(c->policy));
	buf_init(&c->job.question, WORKER_BYTES_MAX);
	struct version *script =
		scripts_version(j->scripts, j->versions, WORKER_POLICY,
				c->policy, m->rules.draws.version);
	if (!script || conduct_is_quarantined(script)) {
		go_on(c);
		return;
	}
	c->job.script = version_hold(script);
	buf_clear(&j->question);
	question_verdict(&j->question, m, script->whole, memory);
	buf_put(&c->job.question, j->question.at, j->question.len);
	if (j->question.err || c->job.question.err ||
	    pool_ask(j->pool, &c->job))
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
	buf_init(&j->question, WORKER_BYTES_MAX);
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
	net_timer_free(j->soon);
	buf_release(&j->question);
	free(j);
}
