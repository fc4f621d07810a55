/* SPDX-License-Identifier: MIT
 * analysis.h - what the engine thinks of the decisions in a game that was
 * played: of each, how much worse the move played is than the best one it
 * finds. It prints nothing. */
#ifndef PLYD_PLY_ANALYSIS_H
#define PLYD_PLY_ANALYSIS_H

#include "engine/engine.h"
#include "record/games.h"

enum {
	ANALYSIS_NODES = 20000, /* of a search, where nothing else is said */
	/* Draughts: a win is worth so many centi-men, so that one that was
	 * missed does not outweigh all else. */
	ANALYSIS_WIN = 1000,
	/* A worse move than this is a blunder, unless the caller says else. */
	ANALYSIS_BLUNDER_DRAUGHTS = 70,   /* centi-men */
	ANALYSIS_BLUNDER_BACKGAMMON = 80, /* millipoints */
	/* a move, and before it the cube and its answer */
	ANALYSIS_DECISIONS_MAX = GAME_ENTRIES_MAX * 2
};

enum decision_kind {
	DECISION_MOVE,
	DECISION_DOUBLE, /* to double before the throw, or not */
	DECISION_ANSWER  /* to take a double, or to drop */
};

/* Something that was decided where there was a choice. Of the cube only: what
 * was done with it, and where it should have been. */
struct decision {
	enum decision_kind kind;
	enum side side;
	unsigned ply;        /* of the half-move in its game, from 1 */
	struct position pos; /* before it, with the dice */
	struct move played;  /* DECISION_MOVE */
	struct move best;
	int loss;    /* DECISION_MOVE: centi-men or millipoints, from 0 */
	bool did;    /* double or take; else not, or drop */
	bool should; /* the engine would */
};

struct side_tally {
	unsigned moves;    /* that were decided: two results were possible */
	unsigned blunders; /* of them */
	int64_t loss;      /* of them together */
	unsigned cubes;    /* decisions about the cube */
	unsigned wrong;    /* of them */
};

struct analysis {
	struct side_tally side[2];
	size_t count;
	struct decision decision[ANALYSIS_DECISIONS_MAX];
};

struct analysis_options {
	uint64_t nodes; /* of a search */
	int blunder;    /* at least so much is lost; 0: as above */
	/* Told after each half-move how many of the game's are done; may be
	 * NULL. */
	void (*progress)(void *payload, size_t done, size_t whole);
	void *payload;
};

struct analyser;

/* Gives an analyser, to be released with analyser_free(). options are copied.
 * PLYD_ENOMEM. */
int analyser_new(const struct analysis_options *options, struct analyser **out);
void analyser_free(struct analyser *a); /* NULL is fine */

/* Judges a game; the analysis is lent until the next one. The same game, nodes
 * and engine give the same. */
const struct analysis *analyser_game(struct analyser *a,
				     const struct game_record *game,
				     const struct games_draws *draws);

/* From which loss on a move is a blunder. */
int analysis_blunder(const struct analysis_options *options,
		     enum family family);

#endif
