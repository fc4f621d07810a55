/* SPDX-License-Identifier: MIT */
#include "server/thinkers.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include <utlist.h>

#include "base/log.h"
#include "engine/engine.h"
#include "server/worker.h"

enum {
	FALLBACK_NODES = 2000, /* a few ms on the loop */
	FALLBACK_TABLE_BYTES = 1 << 18,
	RESTART_MS_FIRST = 10, /* doubled with each death in a row */
	RESTART_MS_MAX = 10000,
	QUIET_PART_OF_CLOCK = 20, /* seeming to think: a part at most */
};

/* One turn that waits for its move. */
struct job {
	struct id match;
	uint32_t ply;
	struct ruleset rules;
	struct position pos;
	int64_t think_ms_max; /* how long it may seem to think */
	struct buf question;
	char move[MOVE_TEXT_MAX]; /* when it is known */
	struct cmd_thought thought;
	struct net_timer *pause; /* until it is told */
	struct thinkers *pool;
	struct job *prev, *next;
};

/* One process. */
struct slot {
	struct thinkers *pool;
	struct worker *worker; /* NULL: waits for its restart */
	size_t told;           /* personalities that it knows */
	struct job *job;
	struct net_timer *restart;
	uint64_t restart_ms;
};

struct thinkers {
	struct net *net;
	char program[PATH_BYTES_MAX];
	const struct scripts *scripts;
	struct thinkers_ops ops;
	struct engine *engine;
	int64_t load_deadline_ms;
	int64_t choose_deadline_ms;
	size_t queue_max;
	struct job *queue;
	struct job *pausing;
	struct buf load;
	size_t slot_count;
	struct slot *slot;
	struct thinkers_counts counts;
};

static void serve(struct thinkers *t);

static void job_free(struct job *j)
{
	buf_release(&j->question);
	net_timer_free(j->pause);
	free(j);
}

static void tell(struct job *j)
{
	struct thinkers *t = j->pool;
	j->thought.ply = j->ply;
	t->ops.thought(t->ops.payload, &j->match, &j->thought);
	job_free(j);
}

static void on_pause_end(void *payload)
{
	struct job *j = payload;
	DL_DELETE(j->pool->pausing, j);
	tell(j);
}

/* A personality may take its time; the pause never costs it the game. */
static void tell_after(struct job *j, int64_t think_ms)
{
	struct thinkers *t = j->pool;
	if (think_ms > j->think_ms_max)
		think_ms = j->think_ms_max;
	if (think_ms > 0)
		j->pause = net_timer_new(t->net, on_pause_end, j);
	if (!j->pause) {
		tell(j);
		return;
	}
	DL_APPEND(t->pausing, j);
	net_timer_start(j->pause, (uint64_t)think_ms);
}

/* plyd's own choice: a small search, here and now. */
static void fall_back(struct job *j, const char *why)
{
	struct thinkers *t = j->pool;
	struct engine_result result = { .count = 0 };
	const struct engine_question q = {
		.ruleset = &j->rules,
		.position = &j->pos,
		.budget = { .nodes = FALLBACK_NODES },
		.multipv = 1,
	};
	t->counts.fallbacks++;
	log_event(LOG_WARNING, "plyd chose the move instead of a personality",
		  "match=%s ply=%u why=%s", j->match.text, j->ply, why);
	int err = engine_search(t->engine, &q, &result);
	j->thought = (struct cmd_thought){ .failed = err || result.count == 0 };
	if (!j->thought.failed) {
		size_t len = game_move_text(&j->rules, &j->pos,
					    &result.line[0].move, j->move);
		j->thought.move = span_of(j->move, len);
	}
	tell(j);
}

/* -- one process -- */

static void on_restart(void *payload);

static void slot_down(struct slot *s)
{
	worker_free(s->worker);
	s->worker = NULL;
	s->told = 0;
	s->pool->counts.restarts++;
	net_timer_start(s->restart, s->restart_ms);
	s->restart_ms *= 2;
	if (s->restart_ms > RESTART_MS_MAX)
		s->restart_ms = RESTART_MS_MAX;
}

static void take_choice(struct slot *s, const struct worker_reply *reply)
{
	struct worker_choice c;
	struct job *j = s->job;
	s->job = NULL;
	s->restart_ms = RESTART_MS_FIRST;
	if (reply->err) {
		char text[2 * WORKER_TEXT_MAX];
		log_quote((const char *)reply->error.text.at,
			  reply->error.text.len, text, sizeof(text));
		log_event(LOG_WARNING, "a personality's script failed",
			  "script=%.*s line=%lld match=%s text=%s",
			  (int)reply->error.script.len,
			  (const char *)reply->error.script.at,
			  (long long)reply->error.line, j->match.text, text);
		fall_back(j, plyd_err_name(reply->err));
		return;
	}
	if (worker_choice_read(reply->result, &c) ||
	    !span_copy(c.move, j->move, sizeof(j->move))) {
		fall_back(j, "unreadable");
		return;
	}
	j->thought = (struct cmd_thought){
		.resign = c.resign,
		.accept_draw = c.accept_draw,
		.offer_draw = c.offer_draw,
		.move = span_str(j->move),
	};
	tell_after(j, c.think_ms);
}

static void on_answered(void *payload, struct worker *w,
			const struct worker_reply *reply, bool late)
{
	struct slot *s = payload;
	(void)w;
	if (!reply) {
		struct job *j = s->job;
		s->job = NULL;
		slot_down(s);
		if (j)
			fall_back(j, late ? "late" : "died");
	} else if (s->job) {
		take_choice(s, reply);
	}
	serve(s->pool);
}

static void on_died(void *payload, struct worker *w)
{
	struct slot *s = payload;
	(void)w;
	slot_down(s);
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

/* Tells the next personality to a worker that does not know all yet. */
static void tell_script(struct slot *s)
{
	struct thinkers *t = s->pool;
	const struct script *script = &t->scripts->script[s->told++];
	const struct worker_load load = {
		.kind = script->kind,
		.name = span_str(script->name),
		.source = span_of(script->source, script->source_len),
	};
	buf_clear(&t->load);
	worker_ask_load(&t->load, 1, &load);
	if (!t->load.err)
		worker_ask(s->worker, buf_span(&t->load), t->load_deadline_ms);
}

static void serve_slot(struct thinkers *t, struct slot *s)
{
	if (!s->worker || worker_busy(s->worker))
		return;
	if (s->told < t->scripts->count) {
		tell_script(s);
		return;
	}
	if (!t->queue)
		return;
	s->job = t->queue;
	DL_DELETE(t->queue, s->job);
	t->counts.waiting--;
	worker_ask(s->worker, buf_span(&s->job->question),
		   t->choose_deadline_ms);
}

static void serve(struct thinkers *t)
{
	for (size_t i = 0; i < t->slot_count; i++)
		serve_slot(t, &t->slot[i]);
}

/* -- questions -- */

/* The same match and ply have the same seed in every process. */
static uint64_t job_seed(const struct match *m)
{
	uint8_t ply[4] = { (uint8_t)(m->ply >> 24), (uint8_t)(m->ply >> 16),
			   (uint8_t)(m->ply >> 8), (uint8_t)m->ply };
	const struct span part[] = { span_of(m->id.text, ID_CHARS),
				     span_of(ply, sizeof(ply)) };
	struct digest d = sha256(part, 2);
	uint64_t seed = 0;
	for (int i = 0; i < 8; i++)
		seed = seed << 8 | d.byte[i];
	return seed;
}

static void fill_history(struct worker_words *out, const struct match *m)
{
	size_t count = m->hash_count > 0 ? m->hash_count - 1 : 0;
	size_t skip =
		count > WORKER_HISTORY_MAX ? count - WORKER_HISTORY_MAX : 0;
	out->count = count - skip;
	memcpy(out->at, m->hashes + skip, out->count * sizeof(*m->hashes));
}

static void fill_question(struct job *j, const struct match *m, uint64_t now_ms)
{
	static struct worker_choose c;
	char rules[RULESET_TEXT_MAX], pos[POSITION_TEXT_MAX];
	enum side side = (enum side)m->pos.side;
	size_t rules_len = ruleset_write(&m->rules.rules, rules);
	size_t pos_len = game_write(&m->rules.rules, &m->pos, pos);
	bool unlimited = m->rules.clock.unlimited;
	c = (struct worker_choose){
		.personality = span_str(m->seat[side].name),
		.match = span_str(m->id.text),
		.ruleset = span_of(rules, rules_len),
		.position = span_of(pos, pos_len),
		.ply = m->ply,
		.quiet =
			m->quiet < WORKER_DRAW_MAX ? m->quiet : WORKER_DRAW_MAX,
		.no_progress = m->rules.draws.no_progress,
		.repetition = m->rules.draws.repetition,
		.counts = m->rules.draws.man_moves_count
				  ? COUNTS_CAPTURE_OR_MAN_MOVE
				  : COUNTS_CAPTURE_OR_PROMOTION,
		.seed = job_seed(m),
		.remaining_ms = unlimited ? -1 : match_left_ms(m, side, now_ms),
		.increment_ms = unlimited ? 0 : m->rules.clock.increment_ms,
		.offer_pending = match_offer_stands_for(m, side),
	};
	if (c.remaining_ms > WORKER_TIME_MAX_MS)
		c.remaining_ms = WORKER_TIME_MAX_MS;
	fill_history(&c.history, m);
	buf_init(&j->question, WORKER_BYTES_MAX);
	worker_ask_choose(&j->question, 1, &c);
	j->think_ms_max = unlimited ? WORKER_THINK_MAX_MS
				    : c.remaining_ms / QUIET_PART_OF_CLOCK;
}

void thinkers_ask(struct thinkers *t, const struct match *m, uint64_t now_ms)
{
	struct job *j = calloc(1, sizeof(*j));
	t->counts.asked++;
	if (!j) {
		const struct cmd_thought failed = { .ply = m->ply,
						    .failed = true };
		t->ops.thought(t->ops.payload, &m->id, &failed);
		return;
	}
	j->pool = t;
	j->match = m->id;
	j->ply = m->ply;
	j->rules = m->rules.rules;
	j->pos = m->pos;
	fill_question(j, m, now_ms);
	if (j->question.err || t->counts.waiting >= t->queue_max) {
		fall_back(j, "queue");
		return;
	}
	DL_APPEND(t->queue, j);
	t->counts.waiting++;
	serve(t);
}

struct thinkers_counts thinkers_counts(const struct thinkers *t)
{
	return t->counts;
}

/* -- life -- */

static size_t slots_wanted(const struct config *c)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	if (c->workers_count > 0)
		return (size_t)c->workers_count;
	return cores > 2 ? (size_t)cores - 1 : 1;
}

static int slots_start(struct thinkers *t, char why[NET_WHY_MAX])
{
	for (size_t i = 0; i < t->slot_count; i++) {
		struct slot *s = &t->slot[i];
		s->pool = t;
		s->restart_ms = RESTART_MS_FIRST;
		s->restart = net_timer_new(t->net, on_restart, s);
		int err = s->restart ? slot_start(s, why) : PLYD_ENOMEM;
		if (err)
			return err;
	}
	return PLYD_OK;
}

int thinkers_new(struct net *n, const char *program,
		 const struct scripts *scripts, const struct config *c,
		 const struct thinkers_ops *ops, struct thinkers **out,
		 char why[NET_WHY_MAX])
{
	struct thinkers *t = calloc(1, sizeof(*t));
	*out = NULL;
	why[0] = '\0';
	if (!t)
		return PLYD_ENOMEM;
	t->net = n;
	t->scripts = scripts;
	t->ops = *ops;
	t->load_deadline_ms = c->workers_load_deadline_ms;
	t->choose_deadline_ms = c->workers_choose_deadline_ms;
	t->queue_max = (size_t)c->workers_queue;
	buf_init(&t->load, WORKER_BYTES_MAX);
	span_copy(span_str(program), t->program, sizeof(t->program));
	t->slot_count = slots_wanted(c);
	t->slot = calloc(t->slot_count, sizeof(*t->slot));
	int err = t->slot ? engine_new(FALLBACK_TABLE_BYTES, &t->engine)
			  : PLYD_ENOMEM;
	if (!err)
		err = slots_start(t, why);
	if (err) {
		thinkers_free(t);
		return err;
	}
	serve(t);
	*out = t;
	return PLYD_OK;
}

void thinkers_free(struct thinkers *t)
{
	struct job *j, *tmp;
	if (!t)
		return;
	DL_FOREACH_SAFE(t->queue, j, tmp) job_free(j);
	DL_FOREACH_SAFE(t->pausing, j, tmp) job_free(j);
	for (size_t i = 0; t->slot && i < t->slot_count; i++) {
		if (t->slot[i].job)
			job_free(t->slot[i].job);
		worker_free(t->slot[i].worker);
		net_timer_free(t->slot[i].restart);
	}
	engine_free(t->engine);
	buf_release(&t->load);
	free(t->slot);
	free(t);
}
