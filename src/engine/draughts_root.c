/* SPDX-License-Identifier: MIT
 * The root: which of the legal moves are looked at, how deep, and what is
 * answered. */
#include "engine/draughts_priv.h"

#include <string.h>

enum {
	FORCED_DEPTH_MAX = 4, /* enough to judge an only move */
	WINDOW_DEPTH_MIN = 5, /* from here on the last score is a guess */
	WINDOW = 20,          /* and this much to either side of it is tried */
	WINDOW_MAX = 600,
	ENDINGS_NEAR = 12 /* pieces, from which a known ending is in reach */
};

size_t draughts_search_bytes(void)
{
	return sizeof(struct draughts_search);
}

/* Moves the root move at place i, now with an exact score, to its place among
 * those before it; equal ones keep their order. */
static void settle(struct draughts_search *s, size_t i, int score)
{
	struct root_move m = { score, s->root[i].index };
	for (; i > 0 && s->root[i - 1].score < score; i--)
		s->root[i] = s->root[i - 1];
	s->root[i] = m;
}

/* The score of root move i; alpha below, beta above. */
static int score_move(struct draughts_search *s, size_t i, bool exact,
		      int depth, int alpha, int beta)
{
	tree_enter(s, 0, &s->root_move[s->root[i].index], depth - 1);
	if (!exact) {
		int score = -tree_search(s, 1, depth - 1, -alpha - 1, -alpha);
		if (score <= alpha || s->task->meter.spent)
			return score;
	}
	return -tree_search(s, 1, depth - 1, -beta, -alpha);
}

/* The first root move with a window about what it was worth, which is widened
 * until it holds the score. */
static int score_first(struct draughts_search *s, int depth)
{
	int guess = s->root[0].score;
	int low = WINDOW, high = WINDOW;
	if (depth < WINDOW_DEPTH_MIN)
		low = high = 2 * SCORE_INFINITE;
	for (;;) {
		int alpha = low > WINDOW_MAX ? -SCORE_INFINITE : guess - low;
		int beta = high > WINDOW_MAX ? SCORE_INFINITE : guess + high;
		int score = score_move(s, 0, true, depth, alpha, beta);
		if (s->task->meter.spent || (score > alpha && score < beta))
			return score;
		if (score <= alpha)
			low *= 4;
		else
			high *= 4;
	}
}

/* Looks at every root move; the first multipv get exact scores. False: the
 * meter ran out before so many had one, and the order is as it was. */
static bool iterate(struct draughts_search *s, int depth)
{
	size_t wanted = s->task->multipv;
	if (wanted > s->root_count)
		wanted = s->root_count;
	memcpy(s->kept, s->root, sizeof(s->root[0]) * s->root_count);
	s->root_depth = depth;
	for (size_t i = 0; i < s->root_count; i++) {
		int alpha = i < wanted ? -SCORE_INFINITE
				       : s->root[wanted - 1].score;
		int score = i == 0 ? score_first(s, depth)
				   : score_move(s, i, i < wanted, depth, alpha,
						SCORE_INFINITE);
		if (s->task->meter.spent) {
			if (i >= wanted)
				return true;
			memcpy(s->root, s->kept,
			       sizeof(s->root[0]) * s->root_count);
			return false;
		}
		if (i < wanted || score > alpha)
			settle(s, i, score);
		else
			s->root[i].score = -SCORE_INFINITE;
	}
	return true;
}

/* Makes the legal moves those of the first frame, too. */
static void list_root(struct draughts_search *s)
{
	struct frame *f = &s->frame[0];
	s->root_count = s->legal.count;
	f->count = (int)s->legal.count;
	for (size_t i = 0; i < s->legal.count; i++) {
		struct move *m = &s->legal.move[i];
		move_trim(m, FAMILY_DRAUGHTS);
		f->move[i] = (struct view_move){ m->taken, m->at[0],
						 m->at[m->legs], m->crowned };
	}
	memcpy(s->root_move, f->move, sizeof(f->move[0]) * s->legal.count);
}

/* The first order of the root moves: what looks best, then by the seed. */
static void start_root(struct draughts_search *s)
{
	struct frame *f = &s->frame[0];
	uint64_t tie[MOVE_LIST_MAX];

	list_root(s);
	tree_order(s, 0, 0);
	for (size_t i = 0; i < s->root_count; i++) {
		tie[i] = mix64(move_key(&s->legal.move[i]) ^ s->task->seed);
		size_t j = i;
		for (; j > 0; j--) {
			size_t k = s->root[j - 1].index;
			if (f->order[k] > f->order[i] ||
			    (f->order[k] == f->order[i] && tie[k] >= tie[i]))
				break;
			s->root[j] = s->root[j - 1];
		}
		s->root[j] = (struct root_move){ .index = (uint16_t)i };
	}
	/* as long as nothing was searched, all are worth what one sees */
	int seen = draughts_judge(&s->judge, &f->view);
	for (size_t i = 0; i < s->root_count; i++)
		s->root[i].score = seen;
}

static void answer(const struct draughts_search *s, struct engine_result *out)
{
	out->count = s->task->multipv;
	if (out->count > s->root_count)
		out->count = s->root_count;
	for (size_t i = 0; i < out->count; i++) {
		out->line[i].move = s->legal.move[s->root[i].index];
		out->line[i].score = s->root[i].score;
	}
}

/* Whether all that was asked for is decided, and no depth would change it. */
static bool is_decided(const struct draughts_search *s, int depth)
{
	for (size_t i = 0; i < s->root_count && i < s->task->multipv; i++) {
		int score = s->root[i].score;
		int size = score < 0 ? -score : score;
		if (size < WIN_FOUND || ENGINE_WIN - size > depth)
			return false;
	}
	return true;
}

static void forget(struct draughts_search *s)
{
	const struct engine_history *h = s->task->history;
	memset(s->success, 0, sizeof(s->success));
	for (int i = 0; i <= PLY_MAX; i++)
		memset(s->frame[i].killer, 0, sizeof(s->frame[i].killer));
	s->history_seen = 0;
	for (size_t i = 0; h && i < h->count; i++)
		s->history_seen |= UINT64_C(1) << h->hash[i] % 64;
}

int draughts_search_run(struct draughts_search *s, struct task *task,
			struct engine_result *out)
{
	struct frame *root = &s->frame[0];

	s->task = task;
	int err = game_moves(task->ruleset, task->position, &s->legal);
	if (err || s->legal.count == 0)
		return err;
	draughts_judge_init(&s->judge, task->ruleset, task->weights,
			    task->learned);
	forget(s);
	root->view = view_of(task->position);
	root->quiet = task->history ? task->history->quiet : 0;
	root->bound = 0;
	unsigned pieces = squares_count(root->view.own | root->view.foe);
	root->few = pieces <= ENDING_PIECES_MAX;
	s->endings =
		pieces <= ENDINGS_NEAR ? endings_of(&s->judge.variant) : NULL;
	meter_take(&task->meter);
	start_root(s);
	int depth_max = task->depth;
	if (s->legal.count == 1 && depth_max > FORCED_DEPTH_MAX)
		depth_max = FORCED_DEPTH_MAX;
	for (int depth = 1; depth <= depth_max; depth++) {
		if (!iterate(s, depth))
			break;
		out->depth = depth;
		if (task->meter.spent || is_decided(s, depth))
			break;
	}
	answer(s, out);
	return PLYD_OK;
}
