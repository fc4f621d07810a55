/* SPDX-License-Identifier: MIT
 * The moves of a position for a search. */
#include "rules/draughts_priv.h"

/* The directions of men and kings that move straight. */
enum {
	STRAIGHT_UP = 1 << NORTH | 1 << EAST | 1 << WEST,
	STRAIGHT_DOWN = 1 << SOUTH | 1 << EAST | 1 << WEST,
	STRAIGHT = STRAIGHT_UP | 1 << SOUTH,
	DIAGONAL = MEN_UP | MEN_DOWN
};

/* ---- quiet moves ------------------------------------------------------- */

struct steps {
	uint64_t pieces;
	uint64_t empty;
	uint64_t crowning;
	bool flies;
	struct view_move *end; /* of the list */
};

ALWAYS_INLINE void list_steps(struct steps *s, unsigned directions)
{
	struct view_move *out = s->end;
#pragma GCC unroll 4
	for (unsigned m = directions; m; m &= m - 1) {
		unsigned d = squares_first(m), away = direction_turn[d];
		uint64_t set = squares_step(s->pieces, d) & s->empty;
		while (set) {
			for (uint64_t to = set; to; to &= to - 1) {
				unsigned at = squares_first(to);
				out->taken = 0;
				out->from = (uint8_t)((at - away) & 63);
				out->to = (uint8_t)at;
				out->crowned = s->crowning >> at & 1;
				out++;
			}
			set = s->flies ? squares_step(set, d) & s->empty : 0;
			away += direction_turn[d];
		}
	}
	s->end = out;
}

static void list_all_steps(struct steps *s, unsigned directions)
{
	switch (directions) {
	case MEN_UP: list_steps(s, MEN_UP); break;
	case MEN_DOWN: list_steps(s, MEN_DOWN); break;
	case DIAGONAL: list_steps(s, DIAGONAL); break;
	case STRAIGHT_UP: list_steps(s, STRAIGHT_UP); break;
	case STRAIGHT_DOWN: list_steps(s, STRAIGHT_DOWN); break;
	case STRAIGHT: list_steps(s, STRAIGHT); break;
	default: list_steps(s, directions); break;
	}
}

/* A king moves to 14 squares at most. */
static int list_quiet(const struct variant *v, const struct view *view,
		      struct view_move out[MOVE_LIST_MAX])
{
	struct steps s = {
		.pieces = view->own & ~view->kings,
		.empty = v->squares & ~(view->own | view->foe),
		.crowning = v->last_row[view->side],
		.end = out,
	};
	list_all_steps(&s, v->man_step[view->side]);
	s.pieces = view->own & view->kings;
	s.crowning = 0;
	s.flies = v->flying;
	if (s.pieces)
		list_all_steps(&s, v->king);
	return (int)(s.end - out);
}

ALWAYS_INLINE uint64_t targets(uint64_t pieces, unsigned directions)
{
	uint64_t found = 0;
#pragma GCC unroll 4
	for (unsigned m = directions; m; m &= m - 1)
		found |= squares_step(pieces, squares_first(m));
	return found;
}

bool view_can_step(const struct variant *v, const struct view *view)
{
	uint64_t empty = v->squares & ~(view->own | view->foe);
	uint64_t men = view->own & ~view->kings;
	uint64_t found;
	switch (v->man_step[view->side]) {
	case MEN_UP: found = targets(men, MEN_UP); break;
	case MEN_DOWN: found = targets(men, MEN_DOWN); break;
	default: found = targets(men, v->man_step[view->side]); break;
	}
	return (found & empty) ||
	       (targets(view->own & view->kings, v->king) & empty);
}

/* ---- captures ---------------------------------------------------------- */

struct captures {
	struct view_move *move;
	int count;
};

static bool add_capture(void *payload, const struct move *move)
{
	struct captures *c = payload;
	struct view_move m = { move->taken, move->at[0], move->at[move->legs],
			       move->crowned };
	for (int i = 0; i < c->count; i++) {
		const struct view_move *o = &c->move[i];
		if (o->taken == m.taken && o->from == m.from && o->to == m.to)
			return true;
	}
	if (c->count == MOVE_LIST_MAX)
		return false;
	c->move[c->count++] = m;
	return true;
}

int view_list(const struct variant *v, const struct view *view,
	      uint64_t capturers, uint64_t *budget,
	      struct view_move out[MOVE_LIST_MAX])
{
	struct captures c = { out, 0 };
	if (!capturers)
		return list_quiet(v, view, out);
	struct walk w = { .v = v,
			  .only = view->foe,
			  .budget = budget,
			  .visit = add_capture,
			  .payload = &c };
	int err = view_worth_due(v, view, capturers, budget, &w.worth);
	if (!err)
		err = walk_all(&w, view, capturers);
	return err ? err : c.count;
}
