/* SPDX-License-Identifier: MIT */
#include "server/question.h"

#include "proto/worker.h"

static void fill_history(struct worker_words *out, const struct match *m)
{
	size_t count = m->hash_count > 0 ? m->hash_count - 1 : 0;
	size_t skip =
		count > WORKER_HISTORY_MAX ? count - WORKER_HISTORY_MAX : 0;
	out->count = count - skip;
	memcpy(out->at, m->hashes + skip, out->count * sizeof(*m->hashes));
}

/* The texts of a match's ruleset and position, while their holder lives. */
struct texts {
	char rules[RULESET_TEXT_MAX];
	char pos[POSITION_TEXT_MAX];
	struct span rules_span;
	struct span pos_span;
};

static void fill_texts(struct texts *t, const struct match *m)
{
	t->rules_span =
		span_of(t->rules, ruleset_write(&m->rules->rules, t->rules));
	t->pos_span =
		span_of(t->pos, game_write(&m->rules->rules, &m->pos, t->pos));
}

static int64_t quiet_of(const struct match *m)
{
	return m->quiet < WORKER_DRAW_MAX ? m->quiet : WORKER_DRAW_MAX;
}

static int64_t remaining_ms(const struct match *m, uint64_t now_ms)
{
	int64_t left = match_left_ms(m, match_turn(m), now_ms);
	if (!clock_is_limited(&m->rules->clock))
		return -1;
	return left < WORKER_TIME_MAX_MS ? left : WORKER_TIME_MAX_MS;
}

_Static_assert((int)KEPT_BYTES_MAX >= (int)WORKER_KEPT_MAX,
	       "the domain takes what a script may keep");
_Static_assert((int)CHAT_BYTES_MAX >= (int)WORKER_SAY_MAX,
	       "and what it may say");
_Static_assert((int)AWAITS_MOVE == (int)DECIDE_MOVE &&
		       (int)AWAITS_ROLL == (int)DECIDE_ROLL &&
		       (int)AWAITS_ANSWER == (int)DECIDE_ANSWER &&
		       (int)AWAITS_RESIGNATION == (int)DECIDE_RESIGNATION,
	       "a worker is asked in the domain's words");

enum side question_side(const struct match *m, enum awaits asked)
{
	return asked == AWAITS_RESIGNATION ? side_other(m->resign.by)
					   : match_turn(m);
}

void question_choose(struct buf *b, const struct match *m, enum awaits asked,
		     const char *script, uint64_t now_ms, struct span memory)
{
	struct worker_choose c;
	struct texts t;
	enum side side = question_side(m, asked);
	fill_texts(&t, m);
	c = (struct worker_choose){
		.personality = span_str(script),
		.match = span_str(m->id.text),
		.ruleset = t.rules_span,
		.position = t.pos_span,
		.decision = asked,
		.side = side,
		.level = m->resign.standing ? m->resign.level : 0,
		.ply = m->ply,
		.quiet = quiet_of(m),
		.no_progress = m->rules->draws.no_progress,
		.repetition = m->rules->draws.repetition,
		.counts = m->rules->draws.man_moves_count
				  ? COUNTS_CAPTURE_OR_MAN_MOVE
				  : COUNTS_CAPTURE_OR_PROMOTION,
		.seed = worker_seed(span_str(m->id.text), m->ply),
		.remaining_ms = remaining_ms(m, now_ms),
		.increment_ms = m->rules->clock.increment_ms,
		.offer_pending = match_offer_stands_for(m, side),
		.memory = memory,
	};
	fill_history(&c.history, m);
	worker_ask_choose(b, 1, &c);
}

static struct span text_of(struct ruleset_text *t, const struct ruleset *rules)
{
	/* bytes between the fields may differ: then it is written again */
	if (t->len == 0 || memcmp(&t->rules, rules, sizeof(*rules)) != 0) {
		memcpy(&t->rules, rules, sizeof(*rules));
		t->len = ruleset_write(rules, t->text);
	}
	return span_of(t->text, t->len);
}

void question_verdict(struct buf *b, const struct match *m, const char *script,
		      struct span memory, struct ruleset_text *rules)
{
	char pos[POSITION_TEXT_MAX];
	struct worker_verdict v; /* not zeroed: its history has room for many */
	v.policy = span_str(script);
	v.match = span_str(m->id.text);
	v.ruleset = text_of(rules, &m->rules->rules);
	v.position = span_of(pos, game_write(&m->rules->rules, &m->pos, pos));
	v.ply = m->ply;
	v.quiet = quiet_of(m);
	v.repeats = match_repeats(m);
	v.memory = memory;
	fill_history(&v.history, m);
	worker_ask_verdict(b, 1, &v);
}
