/* SPDX-License-Identifier: MIT
 * board.h - a position in a grid, with the cursor and what can be chosen. Every
 * mark is a sign as well as a colour: a board can be read without colours. */
#ifndef PLYD_SCREEN_BOARD_H
#define PLYD_SCREEN_BOARD_H

#include <plyd/rules.h>
#include "screen/grid.h"
#include "screen/pick.h"

enum { BOARD_ROWS = 17, BOARD_COLUMNS = 49 };

/* Places are as the player below counts them (see pick.h). */
struct board {
	const struct ruleset *rules;
	const struct position *pos;
	enum side bottom;
	uint64_t last;    /* places of the last move */
	uint64_t chosen;  /* the piece that is to move, and where it was */
	uint64_t targets; /* where it may go */
	int cursor;       /* PICK_NOWHERE: none is shown */
	int dice_played;  /* so many are shown as used */
};

/* Draws it from there, BOARD_ROWS high. */
void board_put(struct grid *g, int row, int column, const struct board *b);

enum way { WAY_UP, WAY_DOWN, WAY_LEFT, WAY_RIGHT };
/* The place that an arrow leads to; the same at an edge. */
int board_go(const struct board *b, int place, enum way way);
/* Where the cursor begins: below, near the middle. */
int board_home(const struct board *b);
/* A place of the side to move as who sits below counts it, and back. */
int board_turn(const struct board *b, int place);

#endif
