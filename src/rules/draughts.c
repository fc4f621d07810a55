/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/draughts_priv.h"
#include "rules/draughts_steps_priv.h"
#include "rules/family_priv.h"
#include "rules/options_priv.h"

/* ---- variants ---------------------------------------------------------- */

#define RANKS(first, count)                                                    \
	(((UINT64_C(1) << 8 * (count)) - 1) << 8 * ((first)-1))
#define DARK UINT64_C(0xaa55aa55aa55aa55) /* a1 is dark */

enum {
	FORWARD = 1 << NORTH,
	SIDEWAYS = 1 << EAST | 1 << WEST,
	STRAIGHT = FORWARD | SIDEWAYS | 1 << SOUTH,
	DIAGONAL_FORWARD = 1 << NORTH_EAST | 1 << NORTH_WEST,
	DIAGONAL = DIAGONAL_FORWARD | 1 << SOUTH_EAST | 1 << SOUTH_WEST
};

static const uint8_t step_directions[] = {
	[MAN_STEP_DIAGONAL_FORWARD] = DIAGONAL_FORWARD,
	[MAN_STEP_FORWARD_SIDEWAYS] = FORWARD | SIDEWAYS,
};

static const uint8_t capture_directions[] = {
	[MAN_CAPTURE_FORWARD] = DIAGONAL_FORWARD,
	[MAN_CAPTURE_ANY] = DIAGONAL,
	[MAN_CAPTURE_FORWARD_SIDEWAYS] = FORWARD | SIDEWAYS,
};

static const struct {
	uint8_t per_piece, per_king;
} worth[] = {
	[MAJORITY_NONE] = { 0, 0 },
	[MAJORITY_NUMBER] = { 1, 0 },
	[MAJORITY_QUALITY] = { 2, 1 },
	[MAJORITY_KING] = { 0, 1 },
};

static const uint64_t start_rows[] = {
	[START_ROWS_1_3] = RANKS(1, 3),
	[START_ROWS_2_3] = RANKS(2, 2),
};

/* What is ahead of White is behind Black: directions turned by half a turn. */
static void both_sides(uint8_t white, uint8_t out[2])
{
	out[WHITE] = white;
	out[BLACK] = (uint8_t)(white << 4 | white >> 4);
}

void variant_of(const struct ruleset *rs, struct variant *out)
{
	const struct draughts_options *o = &rs->draughts;
	uint64_t start = start_rows[o->start];
	*out = (struct variant){
		.squares = o->squares == SQUARES_DARK ? DARK : ~UINT64_C(0),
		.last_row = { RANKS(8, 1), RANKS(1, 1) },
		.king = o->man_step == MAN_STEP_DIAGONAL_FORWARD ? DIAGONAL
								 : STRAIGHT,
		.promotion = o->promotion,
		.per_piece = worth[o->majority].per_piece,
		.per_king = worth[o->majority].per_king,
		.flying = o->king == KING_FLYING,
		.must_go_on = o->king == KING_FLYING &&
			      worth[o->majority].per_piece == 0,
		.taken_stay = o->removal == REMOVAL_AT_END,
		.men_capture_kings = o->men_capture_kings == OPTION_TRUE,
		.turn_back = o->turn_back == OPTION_TRUE,
		.numeric = o->notation == NOTATION_NUMERIC,
	};
	out->start[WHITE] = start & out->squares;
	out->start[BLACK] = __builtin_bswap64(start) & out->squares;
	both_sides(step_directions[o->man_step], out->man_step);
	both_sides(capture_directions[o->man_capture], out->man_capture);
}

static int check_options(const struct ruleset *rs, const char **why)
{
	const struct draughts_options *o = &rs->draughts;
	struct variant v;
	bool diagonal = o->man_step == MAN_STEP_DIAGONAL_FORWARD;
	variant_of(rs, &v);
	*why = NULL;
	if (diagonal == (o->man_capture == MAN_CAPTURE_FORWARD_SIDEWAYS))
		*why = "Men step and capture either both diagonally or both "
		       "straight.";
	else if (!diagonal && o->squares == SQUARES_DARK)
		*why = "Straight moves need all squares.";
	else if (v.numeric && o->squares == SQUARES_ALL)
		*why = "Numbers name dark squares only.";
	else if (squares_count(v.start[WHITE]) > MOVE_LEGS_MAX)
		*why = "A side may start with 16 men at most.";
	return *why ? PLYD_EOPTION : PLYD_OK;
}

/* ---- positions --------------------------------------------------------- */

static void start(const struct ruleset *rs, struct position *out)
{
	struct variant v;
	variant_of(rs, &v);
	memset(out, 0, sizeof(*out));
	out->side = rs->draughts.first;
	out->draughts.pieces[WHITE] = v.start[WHITE];
	out->draughts.pieces[BLACK] = v.start[BLACK];
}

/* The finalizer of splitmix64 (Steele, Lea and Flood, 2014). */
static uint64_t mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static uint64_t hash(const struct ruleset *rs, const struct position *pos)
{
	const struct draughts_position *d = &pos->draughts;
	(void)rs;
	uint64_t h = mix(pos->side);
	h = mix(h ^ d->pieces[WHITE]);
	h = mix(h ^ d->pieces[BLACK]);
	return mix(h ^ d->kings);
}

static void apply(const struct ruleset *rs, const struct position *pos,
		  const struct move *move, struct position *out)
{
	struct view view = view_of(pos);
	struct view next = view_after(&view, move);
	(void)rs;
	view_to_position(&next, out);
}

static bool can_move(const struct ruleset *rs, const struct position *pos)
{
	struct variant v;
	struct view view = view_of(pos);
	variant_of(rs, &v);
	return view_capturers(&v, &view) || view_quiet_count(&v, &view) > 0;
}

/* ---- outcomes ---------------------------------------------------------- */

/* A side without a piece has lost whoever is to move: that happens only in
 * positions that were set up. */
static struct outcome outcome(const struct ruleset *rs,
			      const struct position *pos)
{
	enum side mover = (enum side)pos->side, other = side_other(mover);
	if (!pos->draughts.pieces[mover])
		return (struct outcome){ true, other, 1, "no_pieces" };
	if (!pos->draughts.pieces[other])
		return (struct outcome){ true, mover, 1, "no_pieces" };
	if (!can_move(rs, pos))
		return (struct outcome){ true, other, 1, "no_moves" };
	return (struct outcome){ false, WHITE, 0, "" };
}

static int points_lost(const struct ruleset *rs, const struct position *pos,
		       enum side loser)
{
	(void)rs;
	(void)pos;
	(void)loser;
	return 1;
}

static struct progress progress(const struct ruleset *rs,
				const struct position *before,
				const struct position *after)
{
	const struct draughts_position *x = &before->draughts;
	const struct draughts_position *y = &after->draughts;
	enum side mover = (enum side)before->side, other = side_other(mover);
	uint64_t men = x->pieces[mover] & ~x->kings;
	(void)rs;
	return (struct progress){
		.captured = x->pieces[other] != y->pieces[other],
		.promoted = squares_count(y->pieces[mover] & y->kings) >
			    squares_count(x->pieces[mover] & x->kings),
		.man_moved = men != (y->pieces[mover] & ~y->kings),
	};
}

const struct family_ops draughts_ops = {
	.start = start,
	.read = draughts_read,
	.write = draughts_write,
	.hash = hash,
	.moves = draughts_moves,
	.can_move = can_move,
	.apply = apply,
	.move_text = draughts_move_text,
	.replay_move = draughts_replay_move,
	.check = draughts_check,
	.outcome = outcome,
	.points_lost = points_lost,
	.progress = progress,
	.perft = draughts_perft,
	.ruleset_check = check_options,
};
