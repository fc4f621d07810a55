/* SPDX-License-Identifier: MIT
 * draughts_naive.h - a second generator, written from the rules alone: a board
 * of 64 bytes, one square at a time, no bit sets, no pruning. It is slow and
 * plain, and shares nothing with the one under test but the option values. */
#ifndef PLYD_TESTS_DRAUGHTS_NAIVE_H
#define PLYD_TESTS_DRAUGHTS_NAIVE_H

#include <plyd/rules.h>

enum { NAIVE_MOVES_MAX = 4096 };

struct naive_move {
	char text[MOVE_TEXT_MAX];
	struct position after;
};

/* Writes the legal moves, sorted by text; returns how many there are, or -1 if
 * there are more than NAIVE_MOVES_MAX. */
int naive_moves(const struct ruleset *rs, const struct position *pos,
		struct naive_move *out);

#endif
