/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/draughts_priv.h"

/* ---- squares and directions -------------------------------------------- */

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

/* ---- what can move ----------------------------------------------------- */

ALWAYS_INLINE uint64_t men_capturers(uint64_t men, uint64_t prey,
				     uint64_t empty, unsigned directions)
{
	uint64_t found = 0;
#pragma GCC unroll 4
	for (unsigned m = directions; m; m &= m - 1) {
		unsigned back = squares_first(m) ^ 4;
		uint64_t over = squares_step(empty, back) & prey;
		found |= squares_step(over, back) & men;
	}
	return found;
}

static uint64_t any_men_capturers(uint64_t men, uint64_t prey, uint64_t empty,
				  unsigned directions)
{
	switch (directions) {
	case MEN_UP: return men_capturers(men, prey, empty, MEN_UP);
	case MEN_DOWN: return men_capturers(men, prey, empty, MEN_DOWN);
	default: return men_capturers(men, prey, empty, directions);
	}
}

uint64_t view_capturers(const struct variant *v, const struct view *view)
{
	uint64_t empty = v->squares & ~(view->own | view->foe);
	uint64_t men = view->own & ~view->kings;
	uint64_t kings = view->own & view->kings;
	uint64_t prey =
		v->men_capture_kings ? view->foe : view->foe & ~view->kings;
	uint64_t found =
		any_men_capturers(men, prey, empty, v->man_capture[view->side]);
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

ALWAYS_INLINE unsigned men_steps(uint64_t men, uint64_t empty,
				 unsigned directions)
{
	unsigned count = 0;
#pragma GCC unroll 4
	for (unsigned m = directions; m; m &= m - 1) {
		uint64_t to = squares_step(men, squares_first(m));
		count += squares_count(to & empty);
	}
	return count;
}

static unsigned any_men_steps(uint64_t men, uint64_t empty, unsigned directions)
{
	switch (directions) {
	case MEN_UP: return men_steps(men, empty, MEN_UP);
	case MEN_DOWN: return men_steps(men, empty, MEN_DOWN);
	default: return men_steps(men, empty, directions);
	}
}

unsigned view_quiet_count(const struct variant *v, const struct view *view)
{
	uint64_t empty = v->squares & ~(view->own | view->foe);
	uint64_t men = view->own & ~view->kings;
	uint64_t kings = view->own & view->kings;
	unsigned count = any_men_steps(men, empty, v->man_step[view->side]);
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
