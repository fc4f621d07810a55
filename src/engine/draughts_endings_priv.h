/* SPDX-License-Identifier: MIT
 * draughts_endings_priv.h - endings with few pieces, each known to be won, lost
 * or drawn. A position is a slice, which says how many pieces of each kind
 * there are, and a place in it. All is seen from the side to move, whose men go
 * up. */
#ifndef PLYD_ENGINE_DRAUGHTS_ENDINGS_PRIV_H
#define PLYD_ENGINE_DRAUGHTS_ENDINGS_PRIV_H

#include "rules/view.h"

enum { OWN_MEN, FOE_MEN, OWN_KINGS, FOE_KINGS, KINDS };

enum { ENDING_PIECES_MAX = 4, SLICES_MAX = 64 };

/* What is kept of a place: a byte. Who wins looks for the reply that loses
 * soonest. */
enum ending_code {
	ENDING_DRAWN,
	ENDING_WON,
	ENDING_UNKNOWN, /* it depends on the variant */
	ENDING_LOST     /* and more: in 2 (code - ENDING_LOST) half-moves */
};

/* The squares that are played on, numbered row by row from a1. */
struct ending_board {
	bool dark;   /* only every other square */
	int squares; /* 32 or 64 */
	int row;     /* squares of one */
	int pieces;  /* at most, of both sides */
};

struct slice {
	uint8_t count[KINDS];
	uint32_t size;  /* places, those with two pieces on a square too */
	uint32_t first; /* places of the slices before it */
};

/* All slices of a board, those with fewer pieces, then with fewer men first. */
struct slices {
	struct ending_board board;
	int count;
	uint32_t size; /* places of all */
	struct slice slice[SLICES_MAX];
	int8_t of[5][5][5][5]; /* by count; -1: none */
};

/* The slices for a variant of English or Turkish draughts. */
void slices_init(struct slices *s, const struct variant *v);
/* The place of a position among all; false: it has too many pieces, or only
 * one side has any. */
bool slices_find(const struct slices *s, const struct view *view,
		 uint32_t *out);
/* The position, White to move, at a place of slice i; false: there is none. */
bool slices_place(const struct slices *s, int i, uint32_t place,
		  struct view *out);

/* ---- what ships -------------------------------------------------------- */

struct endings {
	struct slices slices;
	const uint8_t *code; /* by place; NULL: not unpacked yet */
};

/* The endings of a variant, unpacked when they are first asked for, or NULL:
 * there are none. Any thread may ask. */
const struct endings *endings_of(const struct variant *v);

/* Whether the endings know the position, and then the score for the side to
 * move: 0, or ENGINE_WIN less the half-moves to the end. */
bool endings_score(const struct endings *e, const struct variant *v,
		   const struct view *view, int *score);

#endif
