/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/draughts_priv.h"
#include "rules/options_priv.h"

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

void view_to_position(const struct view *b, struct position *out)
{
	memset(out, 0, sizeof(*out));
	out->side = (uint8_t)b->side;
	out->draughts.pieces[b->side] = b->own;
	out->draughts.pieces[side_other(b->side)] = b->foe;
	out->draughts.kings = b->kings;
}

struct view view_after(const struct view *b, uint64_t from, uint64_t to,
		       uint64_t taken, bool crowned)
{
	bool king = crowned || (b->kings & from);
	return (struct view){
		.own = b->foe & ~taken,
		.foe = (b->own & ~from) | to,
		.kings = (b->kings & ~(from | taken)) | (king ? to : 0),
		.side = side_other(b->side),
	};
}

struct view view_after_move(const struct view *b, const struct move *move)
{
	return view_after(b, square_bit(move->at[0]),
			  square_bit(move->at[move->legs]), move->taken,
			  move->crowned);
}

/* ---- what can move ----------------------------------------------------- */

uint64_t view_capturers(const struct variant *v, const struct view *b)
{
	uint64_t empty = v->squares & ~(b->own | b->foe);
	uint64_t men = b->own & ~b->kings, kings = b->own & b->kings;
	uint64_t prey = v->men_capture_kings ? b->foe : b->foe & ~b->kings;
	uint64_t found = 0;
	for (unsigned m = v->man_capture[b->side]; m; m &= m - 1) {
		unsigned back = squares_first(m) ^ 4;
		uint64_t over = squares_step(empty, back) & prey;
		found |= squares_step(over, back) & men;
	}
	for (unsigned m = kings ? v->king : 0; m; m &= m - 1) {
		unsigned back = squares_first(m) ^ 4;
		uint64_t over = squares_step(empty, back) & b->foe;
		uint64_t x = squares_step(over, back);
		found |= x & kings;
		while (v->flying && (x &= empty)) {
			x = squares_step(x, back);
			found |= x & kings;
		}
	}
	return found;
}

unsigned view_quiet_count(const struct variant *v, const struct view *b)
{
	uint64_t empty = v->squares & ~(b->own | b->foe);
	uint64_t men = b->own & ~b->kings, kings = b->own & b->kings;
	unsigned count = 0;
	for (unsigned m = v->man_step[b->side]; m; m &= m - 1)
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

void view_quiet_visit(const struct variant *v, const struct view *b,
		      move_fn *visit, void *payload)
{
	uint64_t empty = v->squares & ~(b->own | b->foe);
	for (uint64_t own = b->own; own; own &= own - 1) {
		uint64_t from = own & -own;
		bool king = b->kings & from, flies = king && v->flying;
		unsigned m = king ? v->king : v->man_step[b->side];
		struct move move = { .legs = 1 };
		move.at[0] = (uint8_t)squares_first(from);
		for (; m; m &= m - 1) {
			unsigned d = squares_first(m);
			uint64_t to = squares_step(from, d) & empty;
			while (to) {
				move.at[1] = (uint8_t)squares_first(to);
				move.crowned =
					!king && (to & v->last_row[b->side]);
				visit(payload, &move);
				to = flies ? squares_step(to, d) & empty : 0;
			}
		}
	}
}

/* ---- captures ---------------------------------------------------------- */

struct capture capture_begin(const struct view *b, uint64_t from)
{
	return (struct capture){
		.at = from,
		.friends = b->own & ~from,
		.foes = b->foe,
		.foe_kings = b->foe & b->kings,
		.side = b->side,
		.came = NOWHERE,
		.king = b->kings & from,
	};
}

static unsigned all_jumps(const struct variant *v, const struct capture *c,
			  struct jump out[JUMPS_MAX])
{
	uint64_t empty = v->squares & ~(capture_obstacles(v, c) | c->foes);
	uint64_t prey = c->foes;
	unsigned directions = c->king ? v->king : v->man_capture[c->side];
	bool flies = c->king && v->flying;
	unsigned count = 0;
	if (c->ended)
		return 0;
	if (!c->king && !v->men_capture_kings)
		prey &= ~c->foe_kings;
	if (!v->turn_back && c->came != NOWHERE)
		directions &= ~(1u << (c->came ^ 4));
	for (unsigned m = directions; m; m &= m - 1) {
		unsigned d = squares_first(m);
		uint64_t over = squares_step(c->at, d);
		while (flies && (over & empty))
			over = squares_step(over, d);
		if (!(over & prey))
			continue;
		uint64_t to = squares_step(over, d) & empty;
		while (to) {
			out[count++] = (struct jump){ over, to, (uint8_t)d };
			to = flies ? squares_step(to, d) & empty : 0;
		}
	}
	return count;
}

struct capture capture_after(const struct variant *v, const struct capture *c,
			     const struct jump *j)
{
	struct capture next = *c;
	next.at = j->to;
	next.foes &= ~j->over;
	next.taken |= j->over;
	next.came = j->direction;
	if (!c->king && v->promotion != PROMOTION_AT_END &&
	    (j->to & v->last_row[c->side])) {
		next.king = true;
		next.crowned = true;
		next.ended = v->promotion == PROMOTION_STOPS;
	}
	return next;
}

static bool goes_on(const struct variant *v, const struct capture *c,
		    const struct jump *j)
{
	struct jump unused[JUMPS_MAX];
	struct capture next = capture_after(v, c, j);
	return all_jumps(v, &next, unused) > 0;
}

/* Where a king may choose among squares behind one piece and can go on from
 * some, it must choose one of those: the Russian, Pool and Czech rule. Where
 * the most pieces must be taken this follows of itself. */
static unsigned without_early_ends(const struct variant *v,
				   const struct capture *c,
				   struct jump jump[JUMPS_MAX], unsigned count)
{
	uint64_t on = 0; /* pieces behind which some landing goes on */
	unsigned kept = 0;
	for (unsigned i = 0; i < count; i++)
		on |= goes_on(v, c, &jump[i]) ? jump[i].over : 0;
	for (unsigned i = 0; i < count; i++) {
		if (!(jump[i].over & on) || goes_on(v, c, &jump[i]))
			jump[kept++] = jump[i];
	}
	return kept;
}

unsigned capture_jumps(const struct variant *v, const struct capture *c,
		       struct jump out[JUMPS_MAX])
{
	unsigned count = all_jumps(v, c, out);
	if (v->per_piece == 0 && v->flying && c->king)
		return without_early_ends(v, c, out, count);
	return count;
}

bool capture_crowns(const struct variant *v, const struct capture *c)
{
	return c->crowned || (!c->king && (c->at & v->last_row[c->side]));
}
