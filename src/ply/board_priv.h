/* SPDX-License-Identifier: MIT
 * board_priv.h - what the two boards have in common: paint and pieces. */
#ifndef PLYD_PLY_BOARD_PRIV_H
#define PLYD_PLY_BOARD_PRIV_H

#include "ply/board.h"

/* Colours of xterm's table of 256; -1 leaves what is there. */
enum {
	INK_NONE = -1,
	INK_WHITE = 231,
	INK_BLACK = 16,
	INK_FAINT = 150,
	GROUND_FIELD = 65,   /* backgammon's table, dark squares */
	GROUND_FIELD_2 = 71, /* light squares that are played on */
	GROUND_BAR = 94,
	GROUND_LIGHT = 187,
	GROUND_MARKED = 136
};

/* Appends text in these colours, or plain if the look has none. */
void paint(struct buf *out, const struct board_look *look, int ink, int ground,
	   const char *text);

static inline bool is_marked(const struct board_look *look, unsigned place)
{
	return look->marked >> place & 1;
}

/* One column wide: a hollow sign for White, a filled one for Black; with colour
 * both are filled. */
const char *piece_sign(const struct board_look *look, enum side side,
		       bool king);
int piece_ink(enum side side);
const char *side_label(enum side side); /* `White` */

void board_draw_draughts(const struct ruleset *rs, const struct position *pos,
			 const struct board_look *look, struct buf *out);
void board_draw_backgammon(const struct position *pos,
			   const struct board_look *look, struct buf *out);

#endif
