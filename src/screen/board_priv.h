/* SPDX-License-Identifier: MIT
 * board_priv.h - what the two boards have in common. */
#ifndef PLYD_SCREEN_BOARD_PRIV_H
#define PLYD_SCREEN_BOARD_PRIV_H

#include "screen/board.h"

static inline bool has_place(uint64_t set, int place)
{
	return set >> place & 1;
}

/* A piece's sign: with colours all are filled; ASCII has letters. */
const char *board_piece(const struct grid *g, enum side side, bool king);
/* The ground of a place, by what is most important there. */
enum ground board_ground(const struct board *b, int place, enum ground plain);

void draughts_put(struct grid *g, int row, int column, const struct board *b);
int draughts_go(const struct board *b, int place, enum way way);
void backgammon_put(struct grid *g, int row, int column, const struct board *b);
int backgammon_go(int place, enum way way);

#endif
