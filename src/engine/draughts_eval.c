/* SPDX-License-Identifier: MIT
 * The static judgement of a draughts position, for every option set: material,
 * how far men have come, who holds the centre and the back row, how many steps
 * are free, and, for the side ahead, how few pieces are left and how close its
 * kings are to the others. In centi-men. Bit 0 is a1, White moves up. */
#include "engine/engine_priv.h"

#define FILE_A    UINT64_C(0x0101010101010101)
#define FILE_H    UINT64_C(0x8080808080808080)
#define RANK_1    UINT64_C(0x00000000000000ff)
#define RANK_8    UINT64_C(0xff00000000000000)
#define CENTRE_16 UINT64_C(0x00003c3c3c3c0000)
#define CENTRE_4  UINT64_C(0x0000001818000000)

enum {
	MAN = 100,
	KING_SHORT = 135,
	KING_FLYING = 310,
	TRADE = 240, /* pieces ahead / pieces on the board */
	CHASE = 3    /* a square nearer */
};

/* What a place is worth depends on how men go: a man that steps sideways is at
 * home everywhere, and one that steps diagonally lives in the centre. */
struct place_worth {
	int advance; /* a row */
	int near_centre;
	int in_centre; /* and so much more */
	int back_row;
	int free_step;
};
static const struct place_worth diagonal_worth = { 3, 3, 3, 7, 2 };
static const struct place_worth straight_worth = { 5, 1, 0, 3, 1 };

static bool is_diagonal(const struct ruleset *rs)
{
	return rs->draughts.man_step == 0;
}

static int bits(uint64_t b)
{
	return __builtin_popcountll(b);
}

static uint64_t east(uint64_t b)
{
	return (b & ~FILE_H) << 1;
}

static uint64_t west(uint64_t b)
{
	return (b & ~FILE_A) >> 1;
}

/* The squares one step away that pieces of `side` may step to. */
static int free_steps(const struct ruleset *rs, uint64_t men, uint64_t kings,
		      uint64_t empty, enum side side)
{
	uint64_t front = side == WHITE ? men << 8 : men >> 8;
	uint64_t ahead = kings << 8;
	uint64_t behind = kings >> 8;
	if (is_diagonal(rs))
		return bits(east(front) & empty) + bits(west(front) & empty) +
		       bits(east(ahead) & empty) + bits(west(ahead) & empty) +
		       bits(east(behind) & empty) + bits(west(behind) & empty);
	uint64_t all = men | kings;
	return bits(front & empty) + bits(ahead & empty) +
	       bits(behind & empty) + bits(east(all) & empty) +
	       bits(west(all) & empty);
}

/* Rows that men have come from their own side, summed. */
static int rows_advanced(uint64_t men, enum side side)
{
	int sum = 0;
	for (int row = 1; row < 8; row++) {
		int rank = side == WHITE ? row : 7 - row;
		sum += row * bits(men & RANK_1 << 8 * rank);
	}
	return sum;
}

static int distance(int a, int b)
{
	int files = a % 8 > b % 8 ? a % 8 - b % 8 : b % 8 - a % 8;
	int ranks = a / 8 > b / 8 ? a / 8 - b / 8 : b / 8 - a / 8;
	return files > ranks ? files : ranks;
}

/* How near each of `kings` is to the nearest of `others`: 7 is a neighbour. */
static int nearness(uint64_t kings, uint64_t others)
{
	int sum = 0;
	for (; kings; kings &= kings - 1) {
		int nearest = 8;
		for (uint64_t o = others; o; o &= o - 1) {
			int d = distance(__builtin_ctzll(kings),
					 __builtin_ctzll(o));
			if (d < nearest)
				nearest = d;
		}
		sum += 8 - nearest;
	}
	return sum;
}

static int material(const struct ruleset *rs, const struct draughts_position *d,
		    enum side side, const struct engine_weights *w)
{
	int king = rs->draughts.king == 0 ? KING_SHORT : KING_FLYING;
	return percent(MAN, w->man) * bits(d->pieces[side] & ~d->kings) +
	       percent(king, w->king) * bits(d->pieces[side] & d->kings);
}

/* What one side's pieces are worth where they stand. */
static int placement(const struct ruleset *rs,
		     const struct draughts_position *d, enum side side,
		     const struct engine_weights *w)
{
	uint64_t men = d->pieces[side] & ~d->kings;
	uint64_t kings = d->pieces[side] & d->kings;
	uint64_t empty = ~(d->pieces[WHITE] | d->pieces[BLACK]);
	uint64_t home = side == WHITE ? RANK_1 : RANK_8;
	const struct place_worth *p =
		is_diagonal(rs) ? &diagonal_worth : &straight_worth;
	int centre = p->near_centre * bits((men | kings) & CENTRE_16) +
		     p->in_centre * bits((men | kings) & CENTRE_4);
	int steps = free_steps(rs, men, kings, empty, side);

	return percent(p->advance * rows_advanced(men, side), w->advance) +
	       percent(centre, w->centre) +
	       percent(p->back_row * bits(men & home), w->back_row) +
	       percent(p->free_step * steps, w->mobility);
}

/* The side ahead wants fewer pieces, and its kings near the others. */
static int pressure(const struct draughts_position *d, enum side ahead,
		    const struct engine_weights *w)
{
	int own = bits(d->pieces[ahead]);
	int other = bits(d->pieces[side_other(ahead)]);
	int trade = own > other ? TRADE * (own - other) / (own + other) : 0;
	int chase = CHASE * nearness(d->pieces[ahead] & d->kings,
				     d->pieces[side_other(ahead)]);
	return percent(trade, w->trade_when_ahead) +
	       percent(chase, w->aggression);
}

int draughts_evaluate(const struct ruleset *rs, const struct position *pos,
		      const struct engine_weights *w)
{
	const struct draughts_position *d = &pos->draughts;
	enum side me = pos->side;
	enum side you = side_other(me);
	int score = material(rs, d, me, w) - material(rs, d, you, w);

	if (score > 0)
		score += pressure(d, me, w);
	else if (score < 0)
		score -= pressure(d, you, w);
	score += placement(rs, d, me, w) - placement(rs, d, you, w);
	return clamp(score, -WIN_FOUND + 1, WIN_FOUND - 1);
}
