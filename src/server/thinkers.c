/* SPDX-License-Identifier: MIT */
#include "server/thinkers.h"

#include <stdlib.h>
#include <unistd.h>

#include <utlist.h>

#include "base/log.h"
#include "engine/engine.h"
#include "server/pool.h"
#include "server/question.h"

enum {
	FALLBACK_NODES = 2000, /* a few ms on the loop */
	FALLBACK_TABLE_BYTES = 1 << 18,
	QUIET_PART_OF_CLOCK = 20, /* seeming to think: a part at most */
};

/* One turn that waits for its move. The job comes first. */
struct turn {
	struct job job;
	struct thinkers *thinkers;
	struct id match;
	uint32_t ply;
	enum awaits asked;
	enum side side;
	uint64_t offer; /* asked AWAITS_RESIGNATION, and its level */
	int level;
	uint32_t takebacks;
	char personality[PERSONALITY_BYTES_MAX + 1];
	struct ruleset rules;
	struct position pos;
	int64_t think_ms_max;            /* how long it may seem to think */
	char move[MOVE_TEXT_MAX];        /* when it is known */
	uint8_t memory[WORKER_KEPT_MAX]; /* that it keeps then */
	char said[WORKER_SAY_MAX];       /* and says */
	struct cmd_thought thought;
	struct net_timer *pause; /* until it is told */
	struct turn *prev, *next;
};

struct thinkers {
	struct net *net;
	struct thinkers_ops ops;
	struct engine *engine;
	const struct scripts *scripts;
	const struct versions *versions;
	struct pool *pool;
	struct turn *pausing;
};

static void turn_free(struct turn *t)
{
	buf_release(&t->job.question);
	version_drop(t->job.script);
	net_timer_free(t->pause);
	free(t);
}

static void tell(struct turn *t)
{
	const struct thinkers_ops *ops = &t->thinkers->ops;
	t->thought.ply = t->ply;
	t->thought.asked = t->asked;
	t->thought.offer = t->offer;
	t->thought.takebacks = t->takebacks;
	ops->thought(ops->payload, &t->match, &t->thought);
	turn_free(t);
}

static void on_pause_end(void *payload)
{
	struct turn *t = payload;
	DL_DELETE(t->thinkers->pausing, t);
	tell(t);
}

/* Tells from the loop, never from within the question: the hub is in the
 * middle of a step then. A personality may seem to take its time; the pause
 * never costs it the game. */
static void tell_after(struct turn *t, int64_t think_ms)
{
	if (think_ms > t->think_ms_max)
		think_ms = t->think_ms_max;
	t->pause = net_timer_new(t->thinkers->net, on_pause_end, t);
	if (!t->pause) {
		log_event(LOG_ERROR, "no memory: a turn gets no answer",
			  "match=%s ply=%u", t->match.text, t->ply);
		turn_free(t);
		return;
	}
	DL_APPEND(t->thinkers->pausing, t);
	net_timer_start(t->pause, (uint64_t)think_ms);
}

static void search_move(struct turn *t)
{
	struct engine_result result = { .count = 0 };
	const struct engine_question q = {
		.ruleset = &t->rules,
		.position = &t->pos,
		.budget = { .nodes = FALLBACK_NODES },
		.multipv = 1,
	};
	int err = engine_search(t->thinkers->engine, &q, &result);
	t->thought = (struct cmd_thought){ .failed = err || result.count == 0 };
	if (!t->thought.failed) {
		size_t len = game_move_text(&t->rules, &t->pos,
					    &result.line[0].move, t->move);
		t->thought.move = span_of(t->move, len);
	}
}

/* Cube and resignations need no search. */
static void judge_stakes(struct turn *t)
{
	t->thought = (struct cmd_thought){ 0 };
	if (t->asked == AWAITS_ROLL)
		t->thought.yes = engine_doubles(&t->rules, &t->pos, NULL);
	else if (t->asked == AWAITS_ANSWER)
		t->thought.yes = engine_takes(&t->rules, &t->pos, NULL);
	else
		t->thought.yes =
			engine_accepts(&t->rules, &t->pos, side_other(t->side),
				       t->level, NULL);
}

/* plyd's own choice, here and now: for a move a small search. */
static void fall_back(struct turn *t, const char *why)
{
	log_event(LOG_WARNING, "plyd chose the move instead of a personality",
		  "personality=%s match=%s ply=%u why=%s", t->personality,
		  t->match.text, t->ply, why);
	if (t->asked == AWAITS_MOVE)
		search_move(t);
	else
		judge_stakes(t);
	tell_after(t, 0);
}

/* -- answers -- */

static bool on_ready(struct job *j)
{
	struct turn *t = (struct turn *)j;
	if (!conduct_is_quarantined(t->job.script))
		return true;
	fall_back(t, "quarantine");
	return false;
}

static bool on_suspect(const struct job *j)
{
	return conduct_is_suspect(j->script);
}

static void on_script_error(struct turn *t, const struct worker_reply *reply)
{
	char text[2 * WORKER_TEXT_MAX];
	const struct worker_error *e = &reply->error;
	log_quote((const char *)e->text.at, e->text.len, text, sizeof(text));
	log_event(LOG_WARNING, "a personality's script failed",
		  "script=%.*s version=%s line=%lld match=%s text=%s",
		  (int)e->script.len, (const char *)e->script.at,
		  t->job.script->hash, (long long)e->line, t->match.text, text);
	fall_back(t, plyd_err_name(reply->err));
}

static void on_done(struct job *j, const struct worker_reply *reply, bool late)
{
	struct turn *t = (struct turn *)j;
	struct worker_choice c;
	if (!reply || reply->err || worker_choice_read(reply->result, &c) ||
	    !span_copy(c.move, t->move, sizeof(t->move))) {
		if (!t->job.starved)
			conduct_fault(t->job.script);
		if (reply && reply->err)
			on_script_error(t, reply);
		else
			fall_back(t, reply  ? "unreadable"
				     : late ? "late"
					    : "died");
		return;
	}
	conduct_good(t->job.script);
	if (c.memory.len > 0)
		memcpy(t->memory, c.memory.at, c.memory.len);
	if (c.say.len > 0)
		memcpy(t->said, c.say.at, c.say.len);
	t->thought = (struct cmd_thought){
		.yes = c.yes,
		.resign = c.resign,
		.accept_draw = c.accept_draw,
		.offer_draw = c.offer_draw,
		.move = span_str(t->move),
		.keeps = true,
		.memory = span_of(t->memory, c.memory.len),
		.say = span_of(t->said, c.say.len),
	};
	tell_after(t, c.think_ms);
}

static void on_drop(struct job *j)
{
	turn_free((struct turn *)j);
}

static int64_t think_ms_max(const struct match *m, uint64_t now_ms)
{
	if (!clock_is_limited(&m->rules->clock))
		return WORKER_THINK_MAX_MS;
	return match_left_ms(m, match_turn(m), now_ms) / QUIET_PART_OF_CLOCK;
}

void thinkers_ask(struct thinkers *th, const struct match *m, enum awaits asked,
		  uint64_t now_ms, struct span memory)
{
	struct turn *t = calloc(1, sizeof(*t));
	if (!t) {
		log_event(LOG_ERROR, "no memory: a turn gets no answer",
			  "match=%s ply=%u", m->id.text, m->ply);
		return;
	}
	t->job.ready = on_ready;
	t->job.suspect = on_suspect;
	t->job.done = on_done;
	t->job.drop = on_drop;
	t->thinkers = th;
	t->match = m->id;
	t->ply = m->ply;
	t->asked = asked;
	t->side = question_side(m, asked);
	if (asked == AWAITS_RESIGNATION) {
		t->offer = m->resign.seq;
		t->level = m->resign.level;
	}
	t->takebacks = m->takebacks;
	t->rules = m->rules->rules;
	t->pos = m->pos;
	t->think_ms_max = think_ms_max(m, now_ms);
	span_copy(span_str(m->seat[t->side].name), t->personality,
		  sizeof(t->personality));
	buf_init(&t->job.question, WORKER_BYTES_MAX);
	struct version *script =
		scripts_version(th->scripts, th->versions, WORKER_PERSONALITY,
				t->personality, m->seat[t->side].version);
	if (!script) {
		fall_back(t, "gone");
		return;
	}
	t->job.script = version_hold(script);
	question_choose(&t->job.question, m, asked, script->whole, now_ms,
			memory);
	if (conduct_is_quarantined(script))
		fall_back(t, "quarantine");
	else if (t->job.question.err || pool_ask(th->pool, &t->job))
		fall_back(t, "queue");
}

static size_t workers_wanted(const struct config *c)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	if (c->workers_count > 0)
		return (size_t)c->workers_count;
	return cores > 2 ? (size_t)cores - 1 : 1;
}

int thinkers_new(struct net *n, const char *program,
		 const struct scripts *scripts, const struct versions *versions,
		 const struct config *c, const struct thinkers_ops *ops,
		 struct thinkers **out, char why[NET_WHY_MAX])
{
	const struct pool_options options = {
		.program = program,
		.workers = workers_wanted(c),
		.batch = 1, /* an answer takes long, and costs a clock */
		.queue_max = (size_t)c->workers_queue,
		.load_deadline_ms = c->workers_load_deadline_ms,
		.ask_deadline_ms = c->workers_choose_deadline_ms,
	};
	struct thinkers *th = calloc(1, sizeof(*th));
	*out = NULL;
	why[0] = '\0';
	if (!th)
		return PLYD_ENOMEM;
	th->net = n;
	th->ops = *ops;
	th->scripts = scripts;
	th->versions = versions;
	int err = engine_new(FALLBACK_TABLE_BYTES, &th->engine);
	if (!err)
		err = pool_new(n, &options, &th->pool, why);
	if (err) {
		thinkers_free(th);
		return err;
	}
	*out = th;
	return PLYD_OK;
}

struct pool_counts thinkers_counts(const struct thinkers *t)
{
	return pool_counts(t->pool);
}

void thinkers_free(struct thinkers *th)
{
	struct turn *t, *tmp;
	if (!th)
		return;
	pool_free(th->pool);
	DL_FOREACH_SAFE(th->pausing, t, tmp) turn_free(t);
	engine_free(th->engine);
	free(th);
}
