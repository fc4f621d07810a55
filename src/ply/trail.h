/* SPDX-License-Identifier: MIT
 * trail.h - the way of a game, kept by one who is shown positions only: what a
 * search must know of repetitions and of moves without progress. */
#ifndef PLYD_PLY_TRAIL_H
#define PLYD_PLY_TRAIL_H

#include "engine/engine.h"

enum {
	TRAIL_NO_PROGRESS = 80, /* half-moves that draw a game of draughts */
	TRAIL_REPETITION = 3,
	TRAIL_FORCED_MAX = 3 /* turns of the other between two positions */
};

struct trail {
	const struct ruleset *rules; /* lent */
	struct engine_history history;
	bool moved;            /* in this game */
	struct position after; /* our last move */
};

/* A game of which nothing is known yet. */
void trail_forget(struct trail *t, const struct ruleset *rules);

/* We are to move in pos. How the other moved is found out, also where our only
 * legal moves were played without asking us; where there is no such way from
 * our last move, this is another game. */
void trail_see(struct trail *t, const struct position *pos);

/* We moved so. */
void trail_move(struct trail *t, const struct position *pos,
		const struct move *move);

#endif
