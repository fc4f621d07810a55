/* SPDX-License-Identifier: MIT
 * Endings as numbers: the squares of pieces of one kind are a combination, and
 * its rank among all combinations is a digit of the place. */
#include "engine/draughts_endings_priv.h"

#include <string.h>

/* n over k, k at most ENDING_PIECES_MAX - 1. */
static uint32_t choose(uint32_t n, int k)
{
	switch (k) {
	case 0: return 1;
	case 1: return n;
	case 2: return n * (n - 1) / 2;
	default: return n < 3 ? 0 : n * (n - 1) / 2 * (n - 2) / 3;
	}
}

/* Squares that a kind may stand on, and the first of them. */
static uint32_t kind_squares(const struct ending_board *b, int kind)
{
	return (uint32_t)(kind < OWN_KINGS ? b->squares - b->row : b->squares);
}

static int kind_offset(const struct ending_board *b, int kind)
{
	return kind == FOE_MEN ? b->row : 0;
}

/* ---- slices ------------------------------------------------------------ */

static void add_slice(struct slices *s, const uint8_t count[KINDS])
{
	struct slice *new = &s->slice[s->count];
	memcpy(new->count, count, sizeof(new->count));
	new->size = 1;
	for (int kind = 0; kind < KINDS; kind++)
		new->size *= choose(kind_squares(&s->board, kind), count[kind]);
	new->first = s->size;
	s->size += new->size;
	s->of[count[0]][count[1]][count[2]][count[3]] = (int8_t)s->count++;
}

/* The slices with so many pieces of which so many are men. */
static void add_slices(struct slices *s, int pieces, int men)
{
	for (int own = 0; own <= men; own++) {
		for (int kings = 0; kings <= pieces - men; kings++) {
			uint8_t count[KINDS] = {
				[OWN_MEN] = (uint8_t)own,
				[FOE_MEN] = (uint8_t)(men - own),
				[OWN_KINGS] = (uint8_t)kings,
				[FOE_KINGS] = (uint8_t)(pieces - men - kings),
			};
			if (count[OWN_MEN] + count[OWN_KINGS] > 0 &&
			    count[FOE_MEN] + count[FOE_KINGS] > 0)
				add_slice(s, count);
		}
	}
}

void slices_init(struct slices *s, const struct variant *v)
{
	bool dark = v->squares != ~UINT64_C(0);
	memset(s, 0, sizeof(*s));
	memset(s->of, -1, sizeof(s->of));
	s->board = (struct ending_board){ .dark = dark,
					  .squares = dark ? 32 : 64,
					  .row = dark ? 4 : 8,
					  .pieces = dark ? 4 : 3 };
	for (int pieces = 2; pieces <= s->board.pieces; pieces++)
		for (int men = 0; men <= pieces; men++)
			add_slices(s, pieces, men);
}

/* ---- places ------------------------------------------------------------ */

/* The number of a square, as the side to move sees the board. */
static int square_number(const struct ending_board *b, unsigned square,
			 enum side side)
{
	int number = (int)(b->dark ? square / 2 : square);
	if (side == WHITE)
		return number;
	return b->dark ? 31 - number : number ^ 56;
}

static uint64_t number_bit(const struct ending_board *b, int number)
{
	if (!b->dark)
		return UINT64_C(1) << number;
	return UINT64_C(1) << (2 * number + (number / 4 & 1));
}

/* The rank of the combination of a set's squares. */
static uint32_t rank_of(const struct ending_board *b, int kind, uint64_t set,
			enum side side)
{
	int at[ENDING_PIECES_MAX], n = 0;
	uint32_t rank = 0;
	for (; set; set &= set - 1) {
		int x = square_number(b, squares_first(set), side) -
			kind_offset(b, kind);
		int i = n++;
		for (; i > 0 && at[i - 1] > x; i--)
			at[i] = at[i - 1];
		at[i] = x;
	}
	for (int i = 0; i < n; i++)
		rank += choose((uint32_t)at[i], i + 1);
	return rank;
}

bool slices_find(const struct slices *s, const struct view *view, uint32_t *out)
{
	uint64_t set[KINDS] = { view->own & ~view->kings,
				view->foe & ~view->kings,
				view->own & view->kings,
				view->foe & view->kings };
	unsigned n[KINDS];
	if ((int)squares_count(view->own | view->foe) > s->board.pieces)
		return false;
	for (int kind = 0; kind < KINDS; kind++)
		n[kind] = squares_count(set[kind]);
	int i = s->of[n[0]][n[1]][n[2]][n[3]];
	if (i < 0)
		return false;
	uint32_t place = 0;
	for (int kind = 0; kind < KINDS; kind++)
		place = place * choose(kind_squares(&s->board, kind),
				       (int)n[kind]) +
			rank_of(&s->board, kind, set[kind], view->side);
	*out = s->slice[i].first + place;
	return true;
}

/* The combination of that rank, as a set of squares. */
static uint64_t set_of(const struct ending_board *b, int kind, int count,
		       uint32_t rank)
{
	uint64_t set = 0;
	for (; count > 0; count--) {
		uint32_t x = (uint32_t)count - 1;
		while (choose(x + 1, count) <= rank)
			x++;
		rank -= choose(x, count);
		set |= number_bit(b, (int)x + kind_offset(b, kind));
	}
	return set;
}

bool slices_place(const struct slices *s, int i, uint32_t place,
		  struct view *out)
{
	const struct slice *slice = &s->slice[i];
	uint64_t set[KINDS], all = 0;
	bool apart = true;
	for (int kind = KINDS - 1; kind >= 0; kind--) {
		uint32_t n = choose(kind_squares(&s->board, kind),
				    slice->count[kind]);
		set[kind] =
			set_of(&s->board, kind, slice->count[kind], place % n);
		place /= n;
		apart = apart && !(all & set[kind]);
		all |= set[kind];
	}
	*out = (struct view){ .own = set[OWN_MEN] | set[OWN_KINGS],
			      .foe = set[FOE_MEN] | set[FOE_KINGS],
			      .kings = set[OWN_KINGS] | set[FOE_KINGS],
			      .side = WHITE };
	return apart;
}
