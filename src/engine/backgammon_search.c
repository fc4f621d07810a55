/* SPDX-License-Identifier: MIT
 * Backgammon: all results of the throw are judged; as far as the budget goes,
 * the best of them are judged again by the average, over the 21 throws of the
 * opponent, of what stands after his best answer. Where only the best of some
 * moves is wanted, the nets judge those that a filter lets pass. */
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
	struct backgammon_memo memo; /* of earlier questions, too */
	struct move_list root;
	struct move_list reply;
	struct filtered before; /* the position that is replied in */
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

/* Moves in this position are filtered next. */
static void filter_position(struct backgammon_search *s,
			    const struct position *pos)
{
	enum side side = (enum side)pos->side;
	if (s->judge.plain)
		filter_begin(&s->before, pos->backgammon.point[side],
			     pos->backgammon.point[side_other(side)]);
}

/* Which of so many moves from there need be judged, where only the best is
 * wanted; returns how many. */
static size_t worth_judging(const struct backgammon_search *s,
			    const struct filter_width *width,
			    const struct move *move, size_t count,
			    uint16_t index[MOVE_LIST_MAX])
{
	if (s->judge.plain && count > width->least)
		return filter_moves(&s->before, width, move, count, index);
	for (size_t i = 0; i < count; i++)
		index[i] = (uint16_t)i;
	return count;
}

static int judge_move(struct backgammon_search *s, size_t i)
{
	const struct task *t = s->task;
	struct position after;
	game_apply(t->ruleset, t->position, &s->root.move[i], &after);
	return -judge_position(&s->judge, &after);
}

static uint64_t tie_of(struct backgammon_search *s, size_t i)
{
	struct move *m = &s->root.move[i];
	move_trim(m, FAMILY_BACKGAMMON);
	return mix64(move_key(m) ^ s->task->seed);
}

/* Judges the root's moves one by one. Those beyond the budget come last and
 * seem as good as the worst. */
static void judge_all(struct backgammon_search *s)
{
	struct task *t = s->task;
	int worst = 0;
	for (size_t i = 0; i < s->root.count; i++) {
		struct candidate c = { .tie = tie_of(s, i),
				       .index = (uint16_t)i };
		if (meter_take(&t->meter))
			c.score = judge_move(s, i);
		else if (i == 0)
			c.score = judge_position(&s->judge, t->position);
		else
			c.score = worst;
		if (i == 0 || c.score < worst)
			worst = c.score;
		insert(s->best, i, c);
	}
}

/* Finds the best of the root's moves alone, if no more is wanted, and all are
 * in the budget; else false. */
static bool judge_best(struct backgammon_search *s)
{
	struct task *t = s->task;
	size_t count = s->root.count;
	uint16_t index[MOVE_LIST_MAX];
	if (t->multipv > 1 || t->depth > 1 || !s->judge.plain ||
	    !meter_has(&t->meter, count))
		return false;
	for (size_t i = 0; i < count; i++)
		meter_take(&t->meter);
	filter_position(s, t->position);
	size_t n = worth_judging(s, &plyd_filter_choice, s->root.move, count,
				 index);
	struct candidate best = { .score = INT_MIN };
	for (size_t i = 0; i < n; i++) {
		uint16_t k = index[i];
		int score = judge_move(s, k);
		if (score > best.score ||
		    (score == best.score &&
		     tie_of(s, k) > tie_of(s, best.index)))
			best = (struct candidate){ .score = score, .index = k };
	}
	move_trim(&s->root.move[best.index], FAMILY_BACKGAMMON);
	s->best[0] = best;
	return true;
}

/* The score, for the side that moved to `pos`, after the best answer to one
 * throw. False: the meter ran out. */
static bool best_answer(struct backgammon_search *s, const struct position *pos,
			int a, int b, int *out)
{
	struct task *t = s->task;
	struct position thrown;
	struct position after;
	uint16_t index[MOVE_LIST_MAX];
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
	for (size_t i = 0; i < s->reply.count; i++)
		if (!meter_take(&t->meter))
			return false;
	size_t n = worth_judging(s, &plyd_filter_answer, s->reply.move,
				 s->reply.count, index);
	for (size_t i = 0; i < n; i++) {
		game_apply(t->ruleset, &thrown, &s->reply.move[index[i]],
			   &after);
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
	filter_position(s, pos);
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
	judge_init(&s->judge, task->ruleset, task->position, task->weights,
		   &s->memo);
	int err = game_moves(task->ruleset, task->position, &s->root);
	if (err || s->root.count == 0)
		return err;
	if (!judge_best(s))
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
