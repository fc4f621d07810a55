/* SPDX-License-Identifier: MIT
 * stakes_naive.h - cube, score and Crawford game kept a second time, in plain
 * numbers and from docs/rules/backgammon-match.md only. */
#ifndef PLYD_TESTS_STAKES_NAIVE_H
#define PLYD_TESTS_STAKES_NAIVE_H

#include <plyd/rules.h>

struct naive_stakes {
	int length; /* of the match; 0: none */
	bool has_cube, crawford_rule, jacoby;
	int value; /* of the cube */
	int owner; /* enum side, or -1 */
	int score[2];
	bool crawford;      /* this is the Crawford game */
	bool crawford_been; /* or one before it was */
};

/* A match, or a session for money, begins. */
void naive_begin(struct naive_stakes *n, int length, bool has_cube,
		 bool crawford_rule, bool jacoby);
bool naive_may_double(const struct naive_stakes *n, int side);
/* The other side took side's double. */
void naive_taken(struct naive_stakes *n, int side);
/* What a loss counts; point is of the loser, in its own numbering. */
int naive_points(const struct naive_stakes *n, const uint8_t point[26]);
/* A game ends; returns whether that wins the match, and else begins the next
 * game. */
bool naive_won(struct naive_stakes *n, int winner, int points);
/* Whether pos has these stakes. */
bool naive_agrees(const struct naive_stakes *n, const struct position *pos);

#endif
