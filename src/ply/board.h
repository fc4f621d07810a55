/* SPDX-License-Identifier: MIT
 * board.h - draws a position as lines of UTF-8 text, at most 72 columns wide,
 * readable without colour and prettier with it. It knows no terminal: the
 * caller says whether colour is wanted. */
#ifndef PLYD_PLY_BOARD_H
#define PLYD_PLY_BOARD_H

#include <plyd/rules.h>
#include "base/buf.h"

enum { BOARD_TEXT_MAX = 32 * 1024 }; /* bytes that any board needs at most */

struct board_look {
	bool colour;      /* 256-colour escape sequences */
	enum side bottom; /* who sits below; backgammon: whose numbering */
	/* Places to be marked, such as those of the last move: bit i is square
	 * i of a draughts board, or point i as the player below counts. */
	uint64_t marked;
};

/* Appends the board, the side to move and, in backgammon, dice and pip counts
 * to out, each line ended by '\n'. Returns PLYD_OK or what buf_put() says. */
int board_draw(const struct ruleset *rs, const struct position *pos,
	       const struct board_look *look, struct buf *out);

#endif
