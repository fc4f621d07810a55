/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/draughts_priv.h"

/* ---- squares and directions -------------------------------------------- */

#define FILE_A UINT64_C(0x0101010101010101)
#define FILE_H UINT64_C(0x8080808080808080)
#define RANK_1 UINT64_C(0x00000000000000ff)
#define RANK_8 UINT64_C(0xff00000000000000)

const uint64_t direction_keep[DIRECTIONS] = {
	[NORTH] = ~RANK_8,
	[SOUTH] = ~RANK_1,
	[EAST] = ~FILE_H,
	[WEST] = ~FILE_A,
	[NORTH_EAST] = ~(RANK_8 | FILE_H),
	[NORTH_WEST] = ~(RANK_8 | FILE_A),
	[SOUTH_EAST] = ~(RANK_1 | FILE_H),
	[SOUTH_WEST] = ~(RANK_1 | FILE_A),
};

const uint8_t direction_turn[DIRECTIONS] = {
	[NORTH] = 8,           [SOUTH] = 64 - 8,      [EAST] = 1,
	[WEST] = 64 - 1,       [NORTH_EAST] = 9,      [NORTH_WEST] = 7,
	[SOUTH_EAST] = 64 - 7, [SOUTH_WEST] = 64 - 9,
};

unsigned line_between(unsigned from, unsigned to, uint64_t *between)
{
	uint64_t target = square_bit(to);
	for (unsigned d = 0; d < DIRECTIONS; d++) {
		uint64_t x = squares_step(square_bit(from), d);
		for (*between = 0; x; x = squares_step(x, d)) {
			if (x == target)
				return d;
			*between |= x;
		}
	}
	*between = 0;
	return NOWHERE;
}

/* ---- views -------------------------------------------------------------- */

struct view view_of(const struct position *pos)
{
	enum side side = (enum side)pos->side;
	return (struct view){
		.own = pos->draughts.pieces[side],
		.foe = pos->draughts.pieces[side_other(side)],
		.kings = pos->draughts.kings,
		.side = side,
	};
}

void view_to_position(const struct view *view, struct position *out)
{
	memset(out, 0, sizeof(*out));
	out->side = (uint8_t)view->side;
	out->draughts.pieces[view->side] = view->own;
	out->draughts.pieces[side_other(view->side)] = view->foe;
	out->draughts.kings = view->kings;
}

struct view view_after(const struct view *view, const struct move *move)
{
	uint64_t from = square_bit(move->at[0]);
	uint64_t to = square_bit(move->at[move->legs]);
	bool king = move->crowned || (view->kings & from);
	return (struct view){
		.own = view->foe & ~move->taken,
		.foe = (view->own & ~from) | to,
		.kings =
			(view->kings & ~(from | move->taken)) | (king ? to : 0),
		.side = side_other(view->side),
	};
}

/* ---- what can move ----------------------------------------------------- */

uint64_t view_capturers(const struct variant *v, const struct view *view)
{
	uint64_t empty = v->squares & ~(view->own | view->foe);
	uint64_t men = view->own & ~view->kings;
	uint64_t kings = view->own & view->kings;
	uint64_t prey =
		v->men_capture_kings ? view->foe : view->foe & ~view->kings;
	uint64_t found = 0;
	for (unsigned m = v->man_capture[view->side]; m; m &= m - 1) {
		unsigned back = squares_first(m) ^ 4;
		uint64_t over = squares_step(empty, back) & prey;
		found |= squares_step(over, back) & men;
	}
	for (unsigned m = kings ? v->king : 0; m; m &= m - 1) {
		unsigned back = squares_first(m) ^ 4;
		uint64_t over = squares_step(empty, back) & view->foe;
		uint64_t x = squares_step(over, back);
		found |= x & kings;
		while (v->flying && (x &= empty)) {
			x = squares_step(x, back);
			found |= x & kings;
		}
	}
	return found;
}

unsigned view_quiet_count(const struct variant *v, const struct view *view)
{
	uint64_t empty = v->squares & ~(view->own | view->foe);
	uint64_t men = view->own & ~view->kings;
	uint64_t kings = view->own & view->kings;
	unsigned count = 0;
	for (unsigned m = v->man_step[view->side]; m; m &= m - 1)
		count += squares_count(squares_step(men, squares_first(m)) &
				       empty);
	for (unsigned m = kings ? v->king : 0; m; m &= m - 1) {
		unsigned d = squares_first(m);
		uint64_t x = squares_step(kings, d) & empty;
		count += squares_count(x);
		while (v->flying && x) {
			x = squares_step(x, d) & empty;
			count += squares_count(x);
		}
	}
	return count;
}

/* Visits the steps of the pieces of one kind, direction by direction and,
 * within that, distance by distance. */
static void visit_steps(const struct variant *v, const struct view *view,
			bool kings, move_fn *visit, void *payload)
{
	uint64_t empty = v->squares & ~(view->own | view->foe);
	uint64_t pieces = view->own & (kings ? view->kings : ~view->kings);
	uint64_t crowning = kings ? 0 : v->last_row[view->side];
	unsigned m = kings ? v->king : v->man_step[view->side];
	struct move move = { .legs = 1 };
	for (m = pieces ? m : 0; m; m &= m - 1) {
		unsigned d = squares_first(m), away = direction_turn[d];
		uint64_t set = squares_step(pieces, d) & empty;
		while (set) {
			for (uint64_t to = set; to; to &= to - 1) {
				move.at[1] = (uint8_t)squares_first(to);
				move.at[0] = (move.at[1] - away) & 63;
				move.crowned = crowning & to & -to;
				visit(payload, &move);
			}
			set = kings && v->flying ? squares_step(set, d) & empty
						 : 0;
			away += direction_turn[d];
		}
	}
}

void view_quiet_visit(const struct variant *v, const struct view *view,
		      move_fn *visit, void *payload)
{
	visit_steps(v, view, false, visit, payload);
	visit_steps(v, view, true, visit, payload);
}
