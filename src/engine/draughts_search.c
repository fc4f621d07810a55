/* SPDX-License-Identifier: MIT
 * The tree: principal variation search with a transposition table, captures
 * played out before a position is judged, late quiet moves looked at less deep
 * first, and what is far above the window cut off after a shallow search has
 * said so, too. */
#include "engine/draughts_priv.h"

#include <string.h>

enum {
	REDUCE_DEPTH_MIN = 3, /* shallower moves are never searched less deep */
	REDUCE_MOVES_MIN = 3, /* nor are the first moves of a position */
	REDUCE_MORE_MIN = 8,
	CUT_DEPTH_MIN = 4,
	CUT_MARGIN = 45,
	CUT_LESS = 4,
	JUMPS_MAX_NODE = 20000, /* tried for one position's moves */
	JUMPS_A_NODE = 64,      /* that take the time of a node */
	SUCCESS_MAX = 1 << 20,
	REPEAT_MIN = 4 /* half-moves until a position can stand again */
};

/* First and last square in one number that is never 0. */
static uint16_t move_ends(const struct view_move *m)
{
	return (uint16_t)(1u << 12 | (unsigned)m->from << 6 | m->to);
}

static bool is_quiet(const struct view_move *m)
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

static bool view_same(const struct view *a, const struct view *b)
{
	return a->own == b->own && a->foe == b->foe && a->kings == b->kings;
}

/* How often the position at ply stood in the game. */
static unsigned count_in_game(const struct draughts_search *s, int ply)
{
	const struct engine_history *h = s->task->history;
	struct position pos;
	unsigned seen = 0;
	view_to_position(&s->frame[ply].view, &pos);
	uint64_t hash = game_hash(s->task->ruleset, &pos);
	if (!(s->history_seen >> hash % 64 & 1))
		return 0;
	for (size_t i = 0; i < h->count; i++)
		seen += h->hash[i] == hash;
	return seen;
}

/* Whether the position at ply stood before: once within the search is enough
 * to see that it leads nowhere; in the game as often as the limit says. */
static bool is_repeated(const struct draughts_search *s, int ply)
{
	const struct engine_history *h = s->task->history;
	if (!h || h->repetition == 0)
		return false;
	const struct frame *f = &s->frame[ply];
	int oldest = ply - (int)f->bound;
	for (int i = ply - REPEAT_MIN; i >= oldest; i -= 2)
		if (view_same(&s->frame[i].view, &f->view))
			return true;
	return oldest <= 0 && h->count > 0 &&
	       count_in_game(s, ply) + 1 >= h->repetition;
}

static bool is_stale(const struct draughts_search *s, int ply)
{
	const struct engine_history *h = s->task->history;
	return h && h->no_progress && s->frame[ply].quiet >= h->no_progress;
}

/* Whether the limit on quiet moves may be met within so many half-moves: what
 * the table knows of a position does not know it. */
static bool is_nearly_stale(const struct draughts_search *s, int ply, int depth)
{
	const struct engine_history *h = s->task->history;
	return h && h->no_progress &&
	       s->frame[ply].quiet + (unsigned)depth >= h->no_progress;
}

/* ---- moves ------------------------------------------------------------- */

static uint64_t view_key(const struct view *view)
{
	uint64_t h = view->own * UINT64_C(0x9e3779b97f4a7c15);
	h = ((h ^ h >> 32) + view->foe) * UINT64_C(0xbf58476d1ce4e5b9);
	h = ((h ^ h >> 29) + view->kings + view->side) *
	    UINT64_C(0x94d049bb133111eb);
	return h ^ h >> 32;
}

void tree_enter(struct draughts_search *s, int ply, const struct view_move *m,
		int depth)
{
	const struct frame *f = &s->frame[ply];
	struct frame *next = &s->frame[ply + 1];
	const struct engine_history *h = s->task->history;
	bool man = !(f->view.kings >> m->from & 1);

	view_play(&f->view, m, &next->view);
	if (depth > 0) {
		next->key = view_key(&next->view);
		table_fetch(s->task->table, next->key);
	}
	next->few = f->few || (m->taken &&
			       squares_count(next->view.own | next->view.foe) <=
				       ENDING_PIECES_MAX);
	next->bound = is_quiet(m) ? f->bound + 1 : 0;
	next->quiet = f->quiet + 1;
	if (!is_quiet(m) || (man && h && h->man_moves_count))
		next->quiet = 0;
}

/* Lists the moves at ply and charges for captures that are many, so that a
 * node stays a measure of time. False: they cannot be counted; whoever has so
 * many stands as he stands. */
static bool list_moves(struct draughts_search *s, int ply, uint64_t capturers)
{
	struct frame *f = &s->frame[ply];
	uint64_t jumps = JUMPS_MAX_NODE;
	f->count = view_list(&s->judge.variant, &f->view, capturers, &jumps,
			     f->move);
	meter_charge(&s->task->meter, (JUMPS_MAX_NODE - jumps) / JUMPS_A_NODE);
	return f->count >= 0;
}

/* The move of the table, captures by number and crownings, killers, then quiet
 * moves by how often they were good. */
void tree_order(struct draughts_search *s, int ply, uint16_t first)
{
	struct frame *f = &s->frame[ply];
	int(*success)[SQUARES] = s->success[f->view.side];
	for (int i = 0; i < f->count; i++) {
		const struct view_move *m = &f->move[i];
		uint16_t ends = move_ends(m);
		int order = success[m->from][m->to];
		if (ends == f->killer[0])
			order = SUCCESS_MAX + 2;
		else if (ends == f->killer[1])
			order = SUCCESS_MAX + 1;
		order += m->crowned * 2 * SUCCESS_MAX;
		if (m->taken)
			order += (int)squares_count(m->taken) * 4 * SUCCESS_MAX;
		if (ends == first)
			order += 128 * SUCCESS_MAX;
		f->order[i] = order;
		f->at[i] = (uint16_t)i;
	}
}

/* Brings the best of the moves from place i on there. */
static const struct view_move *next_move(struct frame *f, int i)
{
	int best = i;
	int order = f->order[i];
	for (int j = i + 1; j < f->count; j++)
		if (f->order[j] > order) {
			best = j;
			order = f->order[j];
		}
	uint16_t at = f->at[best];
	f->order[best] = f->order[i];
	f->at[best] = f->at[i];
	f->order[i] = order;
	f->at[i] = at;
	return &f->move[at];
}

static void note_success(struct draughts_search *s, int ply,
			 const struct view_move *m, int depth)
{
	if (!is_quiet(m))
		return;
	struct frame *f = &s->frame[ply];
	uint16_t ends = move_ends(m);
	if (f->killer[0] != ends) {
		f->killer[1] = f->killer[0];
		f->killer[0] = ends;
	}
	int *good = &s->success[f->view.side][m->from][m->to];
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

/* How much less deep a late quiet move is looked at first. */
static int reduction(const struct frame *f, int i, int depth)
{
	if (depth < REDUCE_DEPTH_MIN || i < REDUCE_MOVES_MIN ||
	    f->order[i] >= SUCCESS_MAX)
		return 0;
	return (i < REDUCE_MORE_MIN ? 1 : 2) + (depth >= 8);
}

/* The score of the move just entered: with a null window unless it is the
 * first, and in full only where that shows it to be better than alpha. */
static int search_move(struct draughts_search *s, int ply, bool first, int less,
		       int depth, int alpha, int beta)
{
	if (first)
		return -tree_search(s, ply + 1, depth - 1, -beta, -alpha);
	int score =
		-tree_search(s, ply + 1, depth - 1 - less, -alpha - 1, -alpha);
	if (less > 0 && score > alpha)
		score = -tree_search(s, ply + 1, depth - 1, -alpha - 1, -alpha);
	if (score > alpha && score < beta)
		score = -tree_search(s, ply + 1, depth - 1, -beta, -alpha);
	return score;
}

/* The best score over the listed moves; 0, and nothing kept, if the meter ran
 * out. */
static int search_moves(struct draughts_search *s, int ply, int depth,
			int alpha, int beta, uint16_t first)
{
	struct frame *f = &s->frame[ply];
	struct table_entry e = { .key = f->key, .depth = (int8_t)depth };
	int best = -SCORE_INFINITE;

	e.bound = BOUND_UPPER;
	tree_order(s, ply, first);
	for (int i = 0; i < f->count; i++) {
		const struct view_move *m = next_move(f, i);
		int less = reduction(f, i, depth);
		tree_enter(s, ply, m, depth - 1);
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

/* A position that looks far better than beta, and to a shallow search too, is
 * not searched in full: whether it was cut, with its score. */
static bool is_cut(struct draughts_search *s, int ply, int depth, int beta,
		   int *score)
{
	int bar = beta + CUT_MARGIN;
	if (depth < CUT_DEPTH_MIN || bar >= WIN_FOUND || beta <= -WIN_FOUND ||
	    draughts_judge(&s->judge, &s->frame[ply].view) < bar)
		return false;
	*score = tree_search(s, ply, depth - CUT_LESS, bar - 1, bar);
	return *score >= bar;
}

/* ---- endings ----------------------------------------------------------- */

/* Whether the position at ply is a known ending, with its score. */
static bool is_known(const struct draughts_search *s, int ply, int *score)
{
	const struct view *view = &s->frame[ply].view;
	if (!s->endings || !s->frame[ply].few ||
	    !endings_score(s->endings, &s->judge.variant, view, score))
		return false;
	if (*score == 0)
		*score = draw_score(s, ply);
	else
		*score = from_table(*score, ply);
	return true;
}

/* Below the depth: captures are played out, the rest is judged. */
static int search_captures(struct draughts_search *s, int ply, int alpha,
			   int beta)
{
	struct frame *f = &s->frame[ply];
	const struct variant *v = &s->judge.variant;
	uint64_t capturers = view_capturers(v, &f->view);
	if (capturers && ply < PLY_MAX && list_moves(s, ply, capturers))
		return search_moves(s, ply, 0, alpha, beta, 0);
	if (!capturers && !view_can_step(v, &f->view))
		return -(ENGINE_WIN - ply);
	if (is_stale(s, ply))
		return draw_score(s, ply);
	return draughts_judge(&s->judge, &f->view);
}

static int search_deep(struct draughts_search *s, int ply, int depth, int alpha,
		       int beta)
{
	struct task *t = s->task;
	struct frame *f = &s->frame[ply];
	int score;

	uint64_t capturers = view_capturers(&s->judge.variant, &f->view);
	/* meanwhile the table's memory is on its way */
	if (!list_moves(s, ply, capturers))
		return draughts_judge(&s->judge, &f->view);
	const struct table_entry *e = table_find(t->table, f->key);
	if (table_answers(e, ply, depth, alpha, beta, &score) &&
	    !is_nearly_stale(s, ply, depth))
		return score;
	uint16_t first = e ? e->move : 0;
	if (!capturers && beta - alpha == 1 &&
	    is_cut(s, ply, depth, beta, &score))
		return score;
	if (t->meter.spent)
		return 0;
	if (f->count == 0)
		return -(ENGINE_WIN - ply);
	if (is_stale(s, ply))
		return draw_score(s, ply);
	if (f->count == 1 && ply < 2 * s->root_depth)
		depth++; /* an only move costs nothing to look through */
	return search_moves(s, ply, depth, alpha, beta, first);
}

int tree_search(struct draughts_search *s, int ply, int depth, int alpha,
		int beta)
{
	if (!meter_take(&s->task->meter))
		return 0;
	if (is_repeated(s, ply))
		return draw_score(s, ply);
	int score;
	if (is_known(s, ply, &score))
		return is_stale(s, ply) ? draw_score(s, ply) : score;
	if (depth <= 0 || ply >= PLY_MAX)
		return search_captures(s, ply, alpha, beta);
	return search_deep(s, ply, depth, alpha, beta);
}
