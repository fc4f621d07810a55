/* SPDX-License-Identifier: MIT
 * analysis_print.h - a file's analyses for people and for programs: a table of
 * each game, the worst decisions of all with their boards, or JSON. */
#ifndef PLYD_PLY_ANALYSIS_PRINT_H
#define PLYD_PLY_ANALYSIS_PRINT_H

#include "ply/analysis.h"

enum { REPORT_WORST = 3, REPORT_WORST_MAX = 100, REPORT_NAME_MAX = 40 };

struct report_item {
	uint64_t game;
	struct ruleset rules;
	char name[REPORT_NAME_MAX + 1]; /* whose decision */
	struct decision decision;
};

/* Of one file. */
struct report {
	const char *path;
	const struct analysis_options *options; /* lent */
	bool json;
	size_t worst; /* to be shown, of moves and of the cube each */
	uint64_t games;
	bool same_names;      /* in all games */
	struct ruleset rules; /* of the first game */
	char name[2][REPORT_NAME_MAX + 1];
	struct side_tally total[2];
	size_t move_count;
	struct report_item move[REPORT_WORST_MAX]; /* blunders, worst first */
	size_t cube_count;
	struct report_item cube[REPORT_WORST_MAX]; /* as they came */
};

/* Prints a game and keeps what is worst of it. */
void report_game(struct report *r, const struct game_record *game,
		 const struct analysis *a);
/* Prints what all games of the file come to, and the worst. */
void report_end(struct report *r);

#endif
