/* SPDX-License-Identifier: MIT
 * script_score.h - what a row of games between two players says about their
 * strength. Games come in pairs, the same chances with the sides swapped, and
 * only pairs are independent of one another: errors are reckoned from them. */
#ifndef PLYD_PLY_SCRIPT_SCORE_H
#define PLYD_PLY_SCRIPT_SCORE_H

#include <stddef.h>

struct score {
	size_t won, drawn, lost; /* games of the first player */
	size_t pairs;            /* whole ones */
	double half;             /* result of the game whose pair is open, */
	double half_points;      /* and its points */
	double sum, sum2;        /* of the pairs' mean results, 0 to 1 */
	double points, points2;  /* of the pairs' mean points */
};

/* A value and its 95 % interval. */
struct estimate {
	double value, low, high;
};

/* Notes a game: result 1, 0.5 or 0, and points that the first won, negative if
 * he lost them. The two games of a pair follow one another. */
void score_game(struct score *s, double result, double points);

/* Mean result by Wilson's interval, which is sound also where one side has won
 * all games; needs a game. */
struct estimate score_mean(const struct score *s);
/* The same as a difference in Elo; infinite where all were won or lost. */
struct estimate score_elo(const struct score *s);
/* Points a game; of fewer than two pairs the interval is infinite. */
struct estimate score_points(const struct score *s);

#endif
