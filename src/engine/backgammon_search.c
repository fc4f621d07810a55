/* SPDX-License-Identifier: MIT
 * Backgammon: all results of the throw are judged; as far as the budget goes,
 * the best of them are judged again by the average, over the 21 throws of the
 * opponent, of what stands after his best answer. */
#include "engine/backgammon_priv.h"

#include <limits.h>

enum {
	LOOK_AHEAD_MIN = 8,           /* candidates looked at more closely, */
	LOOK_AHEAD_MARGIN = POINT / 6 /* if no worse than the best by more */
};

struct candidate {
	int score;    /* of POINT */
	uint64_t tie; /* greater first, of equal scores */
	uint16_t index;
};

struct backgammon_search {
	struct task *task;
	struct judge judge;
	struct move_list root;
	struct move_list reply;
	struct candidate best[MOVE_LIST_MAX]; /* best first */
};

size_t backgammon_search_bytes(void)
{
	return sizeof(struct backgammon_search);
}

/* Puts c into its place among the first n; n + 1 are sorted after it. */
static void insert(struct candidate *best, size_t n, struct candidate c)
{
	for (; n > 0; n--) {
		const struct candidate *b = &best[n - 1];
		if (b->score > c.score ||
		    (b->score == c.score && b->tie >= c.tie))
			break;
		best[n] = *b;
	}
	best[n] = c;
}

/* Judges the root's moves one by one. Those beyond the budget come last and
 * seem as good as the worst. */
static void judge_all(struct backgammon_search *s)
{
	struct task *t = s->task;
	int worst = judge_position(&s->judge, t->position);
	for (size_t i = 0; i < s->root.count; i++) {
		struct move *m = &s->root.move[i];
		move_trim(m, FAMILY_BACKGAMMON);
		struct candidate c = { .score = worst,
				       .tie = mix64(move_key(m) ^ t->seed),
				       .index = (uint16_t)i };
		if (meter_take(&t->meter)) {
			struct position after;
			game_apply(t->ruleset, t->position, m, &after);
			c.score = -judge_position(&s->judge, &after);
			if (i == 0 || c.score < worst)
				worst = c.score;
		}
		insert(s->best, i, c);
	}
}

/* The score, for the side that moved to `pos`, after the best answer to one
 * throw. False: the meter ran out. */
static bool best_answer(struct backgammon_search *s, const struct position *pos,
			int a, int b, int *out)
{
	struct task *t = s->task;
	struct position thrown;
	struct position after;
	int least = INT_MAX;

	game_throw(pos, a, b, &thrown);
	if (game_moves(t->ruleset, &thrown, &s->reply) != PLYD_OK)
		s->reply.count = 0;
	if (s->reply.count == 0) {
		if (!meter_take(&t->meter))
			return false;
		game_pass(&thrown, &after);
		*out = judge_position(&s->judge, &after);
		return true;
	}
	for (size_t i = 0; i < s->reply.count; i++) {
		if (!meter_take(&t->meter))
			return false;
		game_apply(t->ruleset, &thrown, &s->reply.move[i], &after);
		int score = judge_position(&s->judge, &after);
		if (score < least)
			least = score;
	}
	*out = least;
	return true;
}

/* The average over all throws of the opponent, who is to move in pos. */
static bool look_ahead(struct backgammon_search *s, const struct position *pos,
		       int *out)
{
	int sum = 0;
	for (int a = 1; a <= 6; a++) {
		for (int b = 1; b <= a; b++) {
			int score;
			if (!best_answer(s, pos, a, b, &score))
				return false;
			sum += score * (a == b ? 1 : 2);
		}
	}
	*out = sum / 36;
	return true;
}

/* How many of the best are worth a closer look: more than `least` only while
 * they are near the best. */
static size_t worth_a_look(const struct backgammon_search *s, size_t least)
{
	size_t n = least;
	size_t most = least > LOOK_AHEAD_MIN ? least : LOOK_AHEAD_MIN;
	if (most > s->root.count)
		most = s->root.count;
	while (n < most &&
	       s->best[0].score - s->best[n].score <= LOOK_AHEAD_MARGIN)
		n++;
	return n;
}

/* Looks ahead for so many of the best as far as the budget allows; returns how
 * many are then sorted by it. Those that it did not reach stay behind them, and
 * seem no better than the last of them. */
static size_t look_ahead_all(struct backgammon_search *s, size_t wanted)
{
	struct task *t = s->task;
	struct candidate seen[MOVE_LIST_MAX];
	size_t n = 0;
	for (; n < wanted; n++) {
		struct candidate c = s->best[n];
		struct position after;
		game_apply(t->ruleset, t->position, &s->root.move[c.index],
			   &after);
		if (game_outcome(t->ruleset, &after).over)
			meter_take(&t->meter); /* its score is exact */
		else if (!look_ahead(s, &after, &c.score))
			break;
		insert(seen, n, c);
	}
	if (n < 2)
		return 0; /* one score of another kind compares to nothing */
	for (size_t i = 0; i < s->root.count; i++) {
		if (i < n)
			s->best[i] = seen[i];
		else if (s->best[i].score > s->best[n - 1].score)
			s->best[i].score = s->best[n - 1].score;
	}
	return n;
}

static void answer(const struct backgammon_search *s, struct engine_result *out)
{
	out->count = s->task->multipv;
	if (out->count > s->root.count)
		out->count = s->root.count;
	for (size_t i = 0; i < out->count; i++) {
		out->line[i].move = s->root.move[s->best[i].index];
		out->line[i].score = judge_millipoints(s->best[i].score);
	}
}

int backgammon_search_run(struct backgammon_search *s, struct task *task,
			  struct engine_result *out)
{
	s->task = task;
	judge_init(&s->judge, task->ruleset, task->position, task->weights);
	int err = game_moves(task->ruleset, task->position, &s->root);
	if (err || s->root.count == 0)
		return err;
	judge_all(s);
	answer(s, out);
	if (task->meter.spent)
		return PLYD_OK;
	out->depth = 1;
	if (task->depth < 2 || s->root.count < 2)
		return PLYD_OK;
	size_t wanted = worth_a_look(s, out->count);
	if (wanted < 2)
		out->depth = 2; /* nothing comes near the best */
	else if (look_ahead_all(s, wanted) >= out->count)
		out->depth = 2;
	answer(s, out);
	return PLYD_OK;
}
