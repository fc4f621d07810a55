/* SPDX-License-Identifier: MIT
 * Draughts: iterative deepening, principal variation search with a
 * transposition table, and captures played out before a position is judged.
 * The rules make the moves; this file only decides which to look at first. */
#include "engine/engine_priv.h"

#include <assert.h>
#include <string.h>

enum {
	SQUARES = 64,
	KILLERS = 2,
	REDUCE_DEPTH_MIN = 3, /* shallower moves are never searched less deep */
	REDUCE_MOVES_MIN = 4, /* nor are the first moves of a position */
	REDUCE_MORE_MIN = 10,
	FORCED_DEPTH_MAX = 4,      /* enough to judge an only move */
	TOO_COMPLEX_NODES = 20000, /* the time that giving up takes */
	SUCCESS_MAX = 1 << 20
};

/* What is known of the position so many half-moves from the root. */
struct frame {
	struct position pos;
	uint64_t hash;
	unsigned quiet; /* half-moves without progress */
	bool fresh;     /* the move that led here cannot be undone */
	uint16_t killer[KILLERS];
	struct move_list list;
	int order[MOVE_LIST_MAX]; /* greater is sooner */
};

struct root_move {
	int score;
	uint16_t index; /* in the list of frame 0 */
};

struct draughts_search {
	struct task *task;
	int root_depth;
	size_t root_count;
	struct root_move root[MOVE_LIST_MAX]; /* best first */
	struct root_move kept[MOVE_LIST_MAX]; /* as before this iteration */
	int success[2][SQUARES][SQUARES];     /* of quiet moves, by side */
	struct frame frame[PLY_MAX + 1];
};

size_t draughts_search_bytes(void)
{
	return sizeof(struct draughts_search);
}

/* First and last square in one number that is never 0. */
static uint16_t move_ends(const struct move *m)
{
	return (uint16_t)(1u << 12 | (unsigned)m->at[0] << 6 | m->at[m->legs]);
}

static bool is_quiet(const struct move *m)
{
	return !m->taken && !m->crowned;
}

/* ---- draws ------------------------------------------------------------- */

/* A draw as the side to move at this ply sees it. */
static int draw_score(const struct draughts_search *s, int ply)
{
	int contempt = s->task->weights->contempt;
	return ply % 2 == 0 ? -contempt : contempt;
}

/* Whether the position at ply stood before: once within the search is enough
 * to see that it leads nowhere; in the game as often as the limit says. */
static bool is_repeated(const struct draughts_search *s, int ply)
{
	const struct engine_history *h = s->task->history;
	if (!h || h->repetition == 0)
		return false;
	uint64_t hash = s->frame[ply].hash;
	unsigned seen = 1;
	for (int i = ply; i > 0; i--) {
		if (s->frame[i].fresh)
			return false;
		if (s->frame[i - 1].hash == hash)
			return true;
	}
	for (size_t i = 0; i < h->count; i++)
		seen += h->hash[i] == hash;
	return seen >= h->repetition;
}

static bool is_stale(const struct draughts_search *s, int ply)
{
	const struct engine_history *h = s->task->history;
	return h && h->no_progress && s->frame[ply].quiet >= h->no_progress;
}

/* ---- moves ------------------------------------------------------------- */

/* Puts the position after a move of `ply` into the next frame. */
static void enter(struct draughts_search *s, int ply, const struct move *m)
{
	const struct ruleset *rs = s->task->ruleset;
	struct frame *f = &s->frame[ply];
	struct frame *next = &s->frame[ply + 1];
	const struct engine_history *h = s->task->history;
	bool man = !(f->pos.draughts.kings >> m->at[0] & 1);

	game_apply(rs, &f->pos, m, &next->pos);
	next->hash = game_hash(rs, &next->pos);
	next->fresh = !is_quiet(m);
	next->quiet = f->quiet + 1;
	if (next->fresh || (h && h->man_moves_count && man))
		next->quiet = 0;
}

/* Lists the moves at ply and charges for what is more than a list holds, so
 * that a node stays a measure of time. False: they cannot be counted; whoever
 * has so many stands as he stands. */
static bool list_moves(struct draughts_search *s, int ply)
{
	struct task *t = s->task;
	struct frame *f = &s->frame[ply];
	if (game_moves(t->ruleset, &f->pos, &f->list) != PLYD_OK) {
		meter_charge(&t->meter, TOO_COMPLEX_NODES);
		return false;
	}
	meter_charge(&t->meter, f->list.total / MOVE_LIST_MAX);
	return true;
}

/* Says what to look at first: the move of the table, captures by number and
 * crownings, killers, then quiet moves by how often they were good. */
static void order_moves(struct draughts_search *s, int ply, uint16_t first)
{
	struct frame *f = &s->frame[ply];
	for (size_t i = 0; i < f->list.count; i++) {
		const struct move *m = &f->list.move[i];
		uint16_t ends = move_ends(m);
		int order = s->success[f->pos.side][m->at[0]][m->at[m->legs]];
		if (ends == f->killer[0])
			order = SUCCESS_MAX + 2;
		else if (ends == f->killer[1])
			order = SUCCESS_MAX + 1;
		order += m->crowned * 2 * SUCCESS_MAX;
		order += __builtin_popcountll(m->taken) * 4 * SUCCESS_MAX;
		if (ends == first)
			order += 128 * SUCCESS_MAX;
		f->order[i] = order;
	}
}

/* Brings the best of the moves from i on to place i. */
static const struct move *next_move(struct frame *f, size_t i)
{
	size_t best = i;
	for (size_t j = i + 1; j < f->list.count; j++)
		if (f->order[j] > f->order[best])
			best = j;
	struct move m = f->list.move[best];
	int order = f->order[best];
	f->list.move[best] = f->list.move[i];
	f->order[best] = f->order[i];
	f->list.move[i] = m;
	f->order[i] = order;
	return &f->list.move[i];
}

static void note_success(struct draughts_search *s, int ply,
			 const struct move *m, int depth)
{
	if (!is_quiet(m))
		return;
	struct frame *f = &s->frame[ply];
	uint16_t ends = move_ends(m);
	if (f->killer[0] != ends) {
		f->killer[1] = f->killer[0];
		f->killer[0] = ends;
	}
	int *good = &s->success[f->pos.side][m->at[0]][m->at[m->legs]];
	*good += depth * depth;
	if (*good >= SUCCESS_MAX)
		*good = SUCCESS_MAX - 1;
}

/* ---- the table --------------------------------------------------------- */

/* A win is stored as seen from its own position, not from the root. */
static int16_t to_table(int score, int ply)
{
	if (score >= WIN_FOUND)
		score += ply;
	else if (score <= -WIN_FOUND)
		score -= ply;
	return (int16_t)score;
}

static int from_table(int score, int ply)
{
	if (score >= WIN_FOUND)
		score -= ply;
	else if (score <= -WIN_FOUND)
		score += ply;
	return score;
}

/* Whether the table knows enough; *score is then the answer. */
static bool table_answers(const struct table_entry *e, int ply, int depth,
			  int alpha, int beta, int *score)
{
	if (!e || e->depth < depth)
		return false;
	*score = from_table(e->score, ply);
	return e->bound == BOUND_EXACT ||
	       (e->bound == BOUND_LOWER && *score >= beta) ||
	       (e->bound == BOUND_UPPER && *score <= alpha);
}

/* ---- search ------------------------------------------------------------ */

static int search(struct draughts_search *s, int ply, int depth, int alpha,
		  int beta);

/* How much less deep a late quiet move is looked at first. */
static int reduction(const struct frame *f, size_t i, int depth)
{
	if (depth < REDUCE_DEPTH_MIN || i < REDUCE_MOVES_MIN ||
	    f->order[i] >= SUCCESS_MAX)
		return 0;
	return i < REDUCE_MORE_MIN ? 1 : 2;
}

/* The score of the move just entered: with a null window unless it is the
 * first, and in full only where that shows it to be better than alpha. */
static int search_move(struct draughts_search *s, int ply, bool first, int less,
		       int depth, int alpha, int beta)
{
	if (first)
		return -search(s, ply + 1, depth - 1, -beta, -alpha);
	int score = -search(s, ply + 1, depth - 1 - less, -alpha - 1, -alpha);
	if (less > 0 && score > alpha)
		score = -search(s, ply + 1, depth - 1, -alpha - 1, -alpha);
	if (score > alpha && score < beta)
		score = -search(s, ply + 1, depth - 1, -beta, -alpha);
	return score;
}

/* The best score over the listed moves; 0, and nothing kept, if the meter ran
 * out. */
static int search_moves(struct draughts_search *s, int ply, int depth,
			int alpha, int beta, uint16_t first)
{
	struct frame *f = &s->frame[ply];
	struct table_entry e = { .key = f->hash, .depth = (int8_t)depth };
	int best = -SCORE_INFINITE;

	e.bound = BOUND_UPPER;
	order_moves(s, ply, first);
	for (size_t i = 0; i < f->list.count; i++) {
		const struct move *m = next_move(f, i);
		enter(s, ply, m);
		int less = reduction(f, i, depth);
		int score =
			search_move(s, ply, i == 0, less, depth, alpha, beta);
		if (s->task->meter.spent)
			return 0;
		if (score <= best)
			continue;
		best = score;
		if (score <= alpha)
			continue;
		alpha = score;
		e.move = move_ends(m);
		e.bound = BOUND_EXACT;
		if (score >= beta) {
			e.bound = BOUND_LOWER;
			note_success(s, ply, m, depth);
			break;
		}
	}
	e.score = to_table(best, ply);
	if (depth > 0)
		table_store(s->task->table, &e);
	return best;
}

/* The score of the position at ply, depth half-moves deep, for its side to
 * move. Captures are compulsory, so that a position with captures has no other
 * moves: they are always played out. */
static int search(struct draughts_search *s, int ply, int depth, int alpha,
		  int beta)
{
	struct task *t = s->task;
	struct frame *f = &s->frame[ply];
	int score;

	if (!meter_take(&t->meter))
		return 0;
	if (is_repeated(s, ply))
		return draw_score(s, ply);
	if (ply == PLY_MAX)
		return draughts_evaluate(t->ruleset, &f->pos, t->weights);

	const struct table_entry *e = NULL;
	if (depth > 0)
		e = table_find(t->table, f->hash);
	if (table_answers(e, ply, depth, alpha, beta, &score))
		return score;
	uint16_t first = e ? e->move : 0;

	if (!list_moves(s, ply))
		return draughts_evaluate(t->ruleset, &f->pos, t->weights);
	if (f->list.count == 0)
		return -(ENGINE_WIN - ply);
	if (is_stale(s, ply))
		return draw_score(s, ply);
	bool captures = f->list.move[0].taken != 0;
	if (depth <= 0 && !captures)
		return draughts_evaluate(t->ruleset, &f->pos, t->weights);
	if (f->list.count == 1 && depth > 0 && ply < 2 * s->root_depth)
		depth++; /* an only move costs nothing to look through */
	return search_moves(s, ply, depth > 0 ? depth : 0, alpha, beta, first);
}

/* ---- the root ---------------------------------------------------------- */

/* Moves the root move at place i, now with an exact score, to its place among
 * those before it; equal ones keep their order. */
static void settle(struct draughts_search *s, size_t i, int score)
{
	struct root_move m = { score, s->root[i].index };
	for (; i > 0 && s->root[i - 1].score < score; i--)
		s->root[i] = s->root[i - 1];
	s->root[i] = m;
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
		enter(s, 0, &s->frame[0].list.move[s->root[i].index]);
		int score = search_move(s, 0, i < wanted, 0, depth, alpha,
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

/* The first order of the root moves: what looks best, then by the seed. */
static void start_root(struct draughts_search *s)
{
	struct frame *f = &s->frame[0];
	uint64_t tie[MOVE_LIST_MAX];

	s->root_count = f->list.count;
	order_moves(s, 0, 0);
	for (size_t i = 0; i < s->root_count; i++) {
		tie[i] = mix64(move_key(&f->list.move[i]) ^ s->task->seed);
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
	int seen =
		draughts_evaluate(s->task->ruleset, &f->pos, s->task->weights);
	for (size_t i = 0; i < s->root_count; i++)
		s->root[i].score = seen;
}

static void answer(const struct draughts_search *s, struct engine_result *out)
{
	out->count = s->task->multipv;
	if (out->count > s->root_count)
		out->count = s->root_count;
	for (size_t i = 0; i < out->count; i++) {
		out->line[i].move = s->frame[0].list.move[s->root[i].index];
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

int draughts_search_run(struct draughts_search *s, struct task *task,
			struct engine_result *out)
{
	struct frame *root = &s->frame[0];

	s->task = task;
	memset(s->success, 0, sizeof(s->success));
	for (int i = 0; i <= PLY_MAX; i++)
		memset(s->frame[i].killer, 0, sizeof(s->frame[i].killer));
	root->pos = *task->position;
	root->hash = game_hash(task->ruleset, &root->pos);
	root->quiet = task->history ? task->history->quiet : 0;
	root->fresh = false;
	int err = game_moves(task->ruleset, &root->pos, &root->list);
	if (err || root->list.count == 0)
		return err;
	for (size_t i = 0; i < root->list.count; i++)
		move_trim(&root->list.move[i], FAMILY_DRAUGHTS);
	meter_take(&task->meter);
	start_root(s);
	int depth_max = task->depth;
	if (root->list.count == 1 && depth_max > FORCED_DEPTH_MAX)
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
