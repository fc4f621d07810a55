/* SPDX-License-Identifier: MIT
 * script_bout.h - two personalities play one match, as plyd would let them:
 * with memory, draw policy, cube and the games of a match, but without a clock.
 * What a script does not answer well plyd's own choice stands in for, and is
 * counted. */
#ifndef PLYD_PLY_SCRIPT_BOUT_H
#define PLYD_PLY_SCRIPT_BOUT_H

#include <stdio.h>

#include "engine/engine.h"
#include "ply/script_file.h"

/* How a script can fail a question. */
enum fault {
	FAULT_ILLEGAL, /* a move that the rules do not allow */
	FAULT_RAISED,  /* an error in it, or an answer that is none */
	FAULT_LATE,    /* its worker was stopped at the deadline */
	FAULT_DIED,    /* its worker died */
	FAULT_KINDS
};
extern const char *const fault_name[FAULT_KINDS];

struct player {
	struct script_file file;
	struct buf memory; /* of the match that is played */
	size_t asked;
	double seconds;
	size_t faults[FAULT_KINDS];
	char first[FAULT_KINDS][SCRIPT_FAULT_MAX]; /* of each, what it was */
};

/* What all matches of a row have in common. */
struct arena {
	struct ruleset rules;
	struct worker_policy draws; /* its numbers */
	struct script_file *policy; /* to be asked for verdicts, or NULL */
	struct buf policy_memory;
	size_t verdict_faults;
	int opening; /* draughts: random half-moves at the start */
	struct engine *engine;
	FILE *moves; /* to be told every choice, a line of JSON each; or NULL */
};

/* Seeds and number of one match: the same `chances` give the same dice and opening. */
struct bout_seeds {
	uint64_t chances;
	uint64_t thoughts;
	uint64_t game;
};

struct bout_result {
	int winner; /* enum side, or -1: drawn */
	int points; /* that the winner won; in a match of games 1 */
	int plies;
};

/* Plays one; side[WHITE] has White. PLY_OK, or PLY_UNREADABLE: it has said why
 * it cannot be played. */
int bout_play(struct arena *a, struct player *const side[2],
	      const struct bout_seeds *seeds, struct bout_result *out);

#endif
