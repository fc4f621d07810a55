/* SPDX-License-Identifier: MIT
 * glicko.h - Glicko-2 as numbers in, numbers out: Mark Glickman, "Example of
 * the Glicko-2 system" (2013). It knows no players and no time; what is rated,
 * and when, is in rating.h. Pure, and the same with gcc and clang: the file is
 * compiled without contracted floating point. */
#ifndef PLYD_DOMAIN_GLICKO_H
#define PLYD_DOMAIN_GLICKO_H

#include <stddef.h>

/* How much a volatility may change: between 0.3 and 1.2 by the paper. Of every
 * rating here; a parameter of the calls only so that tests may use the paper's
 * other values. */
#define GLICKO_TAU 0.5

enum {
	/* Steps of the iteration for the volatility; it needs about ten. */
	GLICKO_STEPS_MAX = 100,
};

struct glicko {
	double rating;     /* 1500 is the middle */
	double deviation;  /* over 0, of the same scale */
	double volatility; /* over 0, about 0.06 */
};

struct glicko_game {
	struct glicko opponent; /* as before; its volatility is not used */
	double score;           /* 1 won, 0.5 drawn, 0 lost */
};

/* Rates games together. `periods` is the time that passes with them: 1 is the
 * paper's, 0 rates games one by one within a period. With count 0 only the
 * deviation grows. Where the iteration for the volatility does not end in
 * GLICKO_STEPS_MAX steps, or leaves the numbers that a computer has, the
 * volatility stays as it was. PLYD_ERANGE: a deviation, a volatility or tau is
 * not over 0, a score is not within 0..1, periods are below 0, or something is
 * not finite; *out is untouched. */
int glicko_rate(struct glicko *out, const struct glicko *before,
		const struct glicko_game *games, size_t count, double periods,
		double tau);

/* The deviation after `periods` periods without a game. */
double glicko_grown(double deviation, double volatility, double periods);

#endif
