/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/train_draughts/solve.h"

enum { ONCE = 1, ALWAYS = 2 }; /* what a position is looked at again */

struct solver {
	const struct variant *v;
	const struct slices *s;
	uint8_t *distance; /* by place */
	uint8_t *again;    /* likewise: ONCE, ALWAYS */
	int pass;          /* half-moves that are decided now */
	int longest;       /* that anything took so far */
	bool changed;
};

/* ---- forwards ---------------------------------------------------------- */

static int distance_of(const struct solver *x, const struct view *view)
{
	uint32_t place = 0;
	if (!view->own)
		return DISTANCE_FIRST;
	if (!slices_find(x->s, view, &place))
		abort();
	return x->distance[place];
}

static bool is_lost(int distance)
{
	return distance % 2 == 1;
}

/* What the moves decide, from what is known of their results. */
static int decide(const struct solver *x, const struct view *view,
		  const struct view_move *move, int count)
{
	int soonest = DISTANCE_MAX, latest = DISTANCE_FIRST - 1;
	bool all_won = true;
	for (int i = 0; i < count; i++) {
		struct view next;
		view_play(view, &move[i], &next);
		int d = distance_of(x, &next);
		if (d == DISTANCE_DRAWN)
			all_won = false;
		else if (is_lost(d))
			soonest = d < soonest ? d : soonest;
		else
			latest = d > latest ? d : latest;
	}
	if (soonest < DISTANCE_MAX)
		return soonest + 1;
	return all_won ? latest + 1 : DISTANCE_DRAWN;
}

static int list(const struct solver *x, const struct view *view,
		struct view_move *move)
{
	uint64_t budget = UINT64_MAX;
	uint64_t capturers = view_capturers(x->v, view);
	return view_list(x->v, view, capturers, &budget, move);
}

static void settle(struct solver *x, uint32_t place, int distance)
{
	x->distance[place] = (uint8_t)distance;
	x->again[place] = 0;
	x->changed = true;
	if (distance > x->longest)
		x->longest = distance;
}

/* First look at a position: captures and positions without a move are decided
 * for good. */
static void look_first(struct solver *x, const struct view *view,
		       uint32_t place)
{
	struct view_move move[MOVE_LIST_MAX];
	int count = list(x, view, move);
	if (count == 0 || move[0].taken) {
		int d = decide(x, view, move, count);
		if (d != DISTANCE_DRAWN)
			settle(x, place, d);
		return;
	}
	for (int i = 0; i < count; i++)
		if (move[i].crowned)
			x->again[place] = ALWAYS;
}

static void look_again(struct solver *x, const struct view *view,
		       uint32_t place)
{
	struct view_move move[MOVE_LIST_MAX];
	int d = decide(x, view, move, list(x, view, move));
	x->again[place] &= ALWAYS;
	if (d == DISTANCE_FIRST + x->pass)
		settle(x, place, d);
}

/* ---- backwards --------------------------------------------------------- */

/* Marks the positions from which a quiet move of one piece of the other side
 * may have led here, if it came against one of these directions. */
static void mark_origins(struct solver *x, const struct view *view,
			 uint64_t piece, unsigned directions, bool flies)
{
	static const int step[8] = { 8, 9, 1, -7, -8, -9, -1, 7 };
	static const int file[8] = { 0, 1, 1, 1, 0, -1, -1, -1 };
	uint64_t all = view->own | view->foe;
	for (unsigned m = directions; m; m &= m - 1) {
		int d = __builtin_ctz(m), at = (int)squares_first(piece);
		for (;;) {
			int left = at % 8 - file[d];
			at -= step[d];
			if (left < 0 || left > 7 || at < 0 || at > 63 ||
			    (all >> at & 1))
				break;
			uint64_t from = UINT64_C(1) << at;
			bool king = view->kings & piece;
			struct view before = {
				.own = (view->foe & ~piece) | from,
				.foe = view->own,
				.kings = (view->kings & ~piece) |
					 (king ? from : 0),
				.side = side_other(view->side),
			};
			uint32_t place;
			if (slices_find(x->s, &before, &place) &&
			    x->distance[place] == DISTANCE_DRAWN)
				x->again[place] |= ONCE;
			if (!flies)
				break;
		}
	}
}

static void mark_before(struct solver *x, const struct view *view)
{
	enum side other = side_other(view->side);
	for (uint64_t set = view->foe; set; set &= set - 1) {
		uint64_t piece = set & -set;
		bool king = view->kings & piece;
		mark_origins(x, view, piece,
			     king ? x->v->king : x->v->man_step[other],
			     king && x->v->flying);
	}
}

/* ---- passes ------------------------------------------------------------ */

typedef void visit_fn(struct solver *x, const struct view *view,
		      uint32_t place);

static void mark_visit(struct solver *x, const struct view *view,
		       uint32_t place)
{
	if (x->distance[place] == DISTANCE_FIRST + x->pass - 1)
		mark_before(x, view);
}

/* Whether a visit of this place is due. */
static bool is_due(const struct solver *x, visit_fn *visit, uint32_t place)
{
	if (visit == mark_visit)
		return x->distance[place] == DISTANCE_FIRST + x->pass - 1;
	if (visit == look_again)
		return x->again[place] != 0;
	return true;
}

static void visit_slice(struct solver *x, int slice, visit_fn *visit)
{
	const struct slice *s = &x->s->slice[slice];
	for (uint32_t i = 0; i < s->size; i++) {
		struct view view;
		if (is_due(x, visit, s->first + i) &&
		    slices_place(x->s, slice, i, &view))
			visit(x, &view, s->first + i);
	}
}

static void visit_pair(struct solver *x, int slice, int mirror, visit_fn *visit)
{
	visit_slice(x, slice, visit);
	if (mirror != slice)
		visit_slice(x, mirror, visit);
}

static void solve_pair(struct solver *x, int slice, int mirror)
{
	int idle = 0;
	visit_pair(x, slice, mirror, look_first);
	for (x->pass = 1; idle < 2 || x->pass <= x->longest + 1; x->pass++) {
		x->changed = false;
		visit_pair(x, slice, mirror, mark_visit);
		visit_pair(x, slice, mirror, look_again);
		idle = x->changed ? 0 : idle + 1;
	}
}

static int mirror_of(const struct slices *s, int i)
{
	const uint8_t *n = s->slice[i].count;
	return s->of[n[FOE_MEN]][n[OWN_MEN]][n[FOE_KINGS]][n[OWN_KINGS]];
}

uint8_t *solve_endings(const struct variant *v, const struct slices *s)
{
	struct solver x = { .v = v, .s = s };
	x.distance = calloc(s->size, 1);
	x.again = calloc(s->size, 1);
	for (int i = 0; i < s->count && x.distance && x.again; i++) {
		const uint8_t *n = s->slice[i].count;
		int mirror = mirror_of(s, i);
		if (mirror < i)
			continue;
		solve_pair(&x, i, mirror);
		fprintf(stderr, "%u+%u against %u+%u: longest %d\n", n[OWN_MEN],
			n[OWN_KINGS], n[FOE_MEN], n[FOE_KINGS],
			x.longest - DISTANCE_FIRST);
	}
	free(x.again);
	return x.distance;
}
