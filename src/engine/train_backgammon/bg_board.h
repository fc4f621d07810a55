/* SPDX-License-Identifier: MIT
 * bg_board.h - backgammon as a training program plays it by the million: the
 * board alone, seen by the side on roll, and every distinct result of a throw.
 * What is legal is what the rules of `backgammon` say; a test holds this
 * generator to them. */
#ifndef PLYD_ENGINE_TRAIN_BG_BOARD_H
#define PLYD_ENGINE_TRAIN_BG_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bg_board {
	uint8_t own[26]; /* of the side on roll, in its numbering, 0 off */
	uint8_t foe[26];
};

enum { BG_MOVES_MAX = 2048 };

struct bg_moves {
	size_t count;
	/* after the turn, and still seen by the side that moved */
	struct bg_board board[BG_MOVES_MAX];
	uint64_t key[BG_MOVES_MAX];
	/* of the generator: which keys were seen, by a hash of them */
	uint32_t stamp;
	int dice_used;
	uint32_t seen_stamp[4 * BG_MOVES_MAX];
	uint16_t seen[4 * BG_MOVES_MAX];
};

void bg_start(struct bg_board *b);
/* The same position, seen by the other side. */
void bg_turn(struct bg_board *b);
/* Every result; without a legal move that is the board as it is. */
void bg_generate(const struct bg_board *b, int die1, int die2,
		 struct bg_moves *out);
/* 1, 2 or 3: what the loser loses. */
int bg_points(const uint8_t *loser);

/* ---- chance ------------------------------------------------------------ */

struct bg_rng {
	uint64_t state;
};
uint64_t bg_random(struct bg_rng *r);
int bg_die(struct bg_rng *r);
double bg_unit(struct bg_rng *r); /* in [0, 1) */

#endif
