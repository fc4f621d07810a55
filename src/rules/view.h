/* SPDX-License-Identifier: MIT
 * view.h - draughts for a search: a position as the side to move sees it, and
 * moves as what they change, without path, text or order. Millions of them a
 * second; <plyd/rules.h> is for whoever needs a few. Plain values and pure
 * functions; nothing here allocates or keeps state.
 *
 * A set of squares is 64 bits, a1 = bit 0, h8 = bit 63, a1 at White's left. */
#ifndef PLYD_RULES_VIEW_H
#define PLYD_RULES_VIEW_H

#include <plyd/rules.h>

/* How many there are in every half rank, in fields of 4 bits, then in every
 * rank, in bytes, then on the board: the compiler may not assume that the
 * machine has an instruction for it, and calls a slow function. */
static inline uint64_t squares_by_half_rank(uint64_t set)
{
	set -= set >> 1 & UINT64_C(0x5555555555555555);
	return (set & UINT64_C(0x3333333333333333)) +
	       (set >> 2 & UINT64_C(0x3333333333333333));
}

static inline uint64_t squares_by_rank(uint64_t set)
{
	set = squares_by_half_rank(set);
	return (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

static inline unsigned squares_count(uint64_t set)
{
	return (unsigned)(squares_by_rank(set) * UINT64_C(0x0101010101010101) >>
			  56);
}

/* Of two sets together, in less time than one by one. */
static inline unsigned squares_count2(uint64_t a, uint64_t b)
{
	uint64_t set = squares_by_half_rank(a) + squares_by_half_rank(b);
	set = (set & UINT64_C(0x0f0f0f0f0f0f0f0f)) +
	      (set >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f));
	return (unsigned)(set * UINT64_C(0x0101010101010101) >> 56);
}

/* The first square of a set that is not empty. */
static inline unsigned squares_first(uint64_t set)
{
	return (unsigned)__builtin_ctzll(set);
}

/* ---- variants ---------------------------------------------------------- */

/* The answers that a ruleset's options give, worked out once. Directions are
 * bits, clockwise from straight ahead of White. */
struct variant {
	uint64_t squares;       /* that are played on */
	uint64_t start[2];      /* men of each side at the start */
	uint64_t last_row[2];   /* where men of each side are crowned */
	uint8_t man_step[2];    /* directions of each side's men, bit d */
	uint8_t man_capture[2]; /* likewise when they capture */
	uint8_t king;           /* directions of kings */
	uint8_t promotion;      /* as the option */
	uint8_t per_piece;      /* the worth of a capture is per_piece for */
	uint8_t per_king;       /* each piece, and per_king if a king takes */
	bool flying;            /* kings move and capture over any distance */
	bool must_go_on;        /* kings land where they can capture on */
	bool taken_stay;        /* captured pieces stand until the end */
	bool men_capture_kings; /* else only men */
	bool turn_back;         /* kings, between two captures */
	bool numeric;           /* squares are written as numbers */
};

/* rs is of the draughts family. */
void variant_of(const struct ruleset *rs, struct variant *out);

/* ---- views ------------------------------------------------------------- */

/* A position as the side to move sees it. */
struct view {
	uint64_t own;
	uint64_t foe;
	uint64_t kings; /* of both */
	enum side side; /* to move */
};

struct view view_of(const struct position *pos);
void view_to_position(const struct view *view, struct position *out);

/* The pieces of the side to move that can capture something. */
uint64_t view_capturers(const struct variant *v, const struct view *view);
/* How many quiet moves there are, whether or not a capture is due. */
unsigned view_quiet_count(const struct variant *v, const struct view *view);
/* Whether there is any. */
bool view_can_step(const struct variant *v, const struct view *view);

/* ---- moves ------------------------------------------------------------- */

/* What a move changes: captures that differ only in their path are one. */
struct view_move {
	uint64_t taken;
	uint8_t from;
	uint8_t to;
	bool crowned;
};

/* Lists the moves, captures being compulsory, and returns their number, at most
 * MOVE_LIST_MAX: what is beyond is left out. capturers is what view_capturers()
 * gives. Takes the jumps that it tries from *budget. PLYD_ETOOCOMPLEX: they ran
 * out, and nothing is listed. */
int view_list(const struct variant *v, const struct view *view,
	      uint64_t capturers, uint64_t *budget,
	      struct view_move out[MOVE_LIST_MAX]);

/* The other side's view after a legal move. */
static inline void view_play(const struct view *view, const struct view_move *m,
			     struct view *out)
{
	uint64_t from = UINT64_C(1) << m->from, to = UINT64_C(1) << m->to;
	uint64_t king = m->crowned || (view->kings & from) ? to : 0;
	out->own = view->foe & ~m->taken;
	out->foe = (view->own & ~from) | to;
	out->kings = (view->kings & ~(from | m->taken)) | king;
	out->side = side_other(view->side);
}

#endif
