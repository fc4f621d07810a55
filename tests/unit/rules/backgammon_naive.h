/* SPDX-License-Identifier: MIT
 * backgammon_naive.h - a second, slow opinion on backgammon, written from the
 * rules alone: it plays the dice in every order with every checker and keeps
 * the sequences that play the most dice. It shares no code with src/rules. */
#ifndef PLYD_TESTS_BACKGAMMON_NAIVE_H
#define PLYD_TESTS_BACKGAMMON_NAIVE_H

#include <stdbool.h>
#include <stddef.h>

/* As the mover sees it: his checkers on 1 to 24 and 25, the opponent's on the
 * same points and 0, the opponent's bar; off[0] his, off[1] the opponent's. */
struct naive_board {
	int own[26], opp[26], off[2];
	bool hitter[26]; /* a checker that hit in its home this turn */
};

struct naive_hop {
	int from, to, die;
	bool hits;
};

struct naive_turn {
	int hops;
	struct naive_hop hop[4];
	bool bears_hitter_off;
	struct naive_board end;
};

enum { NAIVE_TURNS_MAX = 1 << 17 };

struct naive_turns {
	size_t count;
	struct naive_turn *turn; /* NAIVE_TURNS_MAX */
};

struct naive_rules {
	bool no_hiding;          /* no hit-and-hide in one's own home */
	bool bear_off_if_forced; /* hitters are borne off only if forced */
};

/* Every legal sequence of hops, whatever its result. */
void naive_turns(const struct naive_rules *rules,
		 const struct naive_board *board, int die1, int die2,
		 struct naive_turns *out);

#endif
