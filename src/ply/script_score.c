/* SPDX-License-Identifier: MIT */
#include "ply/script_score.h"

#include <math.h>

static const double Z = 1.959964; /* 95 % of the normal distribution */

static size_t games_of(const struct score *s)
{
	return s->won + s->drawn + s->lost;
}

void score_game(struct score *s, double result, double points)
{
	size_t before = games_of(s);
	if (result > 0.75)
		s->won++;
	else if (result < 0.25)
		s->lost++;
	else
		s->drawn++;
	if (before % 2 == 0) {
		s->half = result;
		s->half_points = points;
		return;
	}
	double mean = (s->half + result) / 2;
	double gain = (s->half_points + points) / 2;
	s->pairs++;
	s->sum += mean;
	s->sum2 += mean * mean;
	s->points += gain;
	s->points2 += gain * gain;
}

/* Variance of a mean of n values, from their sums; n > 1. */
static double variance_of_mean(double sum, double sum2, double n)
{
	double v = (sum2 - sum * sum / n) / (n - 1);
	return v > 0 ? v / n : 0;
}

/* As many games of win or loss as would say just as much. */
static double games_worth(const struct score *s, double mean)
{
	double games = (double)games_of(s), n = (double)s->pairs;
	double v = n > 1 ? variance_of_mean(s->sum, s->sum2, n) : 0;
	double spread = mean * (1 - mean);
	/* of a few pairs that happen to be alike nothing is to be concluded */
	return v > 0 && spread / v < 4 * games ? spread / v : games;
}

struct estimate score_mean(const struct score *s)
{
	double games = (double)games_of(s);
	double mean = ((double)s->won + (double)s->drawn / 2) / games;
	double n = mean > 0 && mean < 1 ? games_worth(s, mean) : games;
	double centre = (mean + Z * Z / (2 * n)) / (1 + Z * Z / n);
	double reach = Z / (1 + Z * Z / n) *
		       sqrt(mean * (1 - mean) / n + Z * Z / (4 * n * n));
	return (struct estimate){ mean, centre - reach, centre + reach };
}

static double elo(double mean)
{
	if (mean <= 0)
		return -INFINITY;
	return mean >= 1 ? INFINITY : 400 * log10(mean / (1 - mean));
}

struct estimate score_elo(const struct score *s)
{
	struct estimate m = score_mean(s);
	/* rounding may carry an end just past 0 or 1 */
	return (struct estimate){ elo(m.value), elo(m.low), elo(m.high) };
}

struct estimate score_points(const struct score *s)
{
	double n = (double)s->pairs;
	double mean = n > 0 ? s->points / n : s->half_points;
	double reach =
		n > 1 ? Z * sqrt(variance_of_mean(s->points, s->points2, n))
		      : INFINITY;
	return (struct estimate){ mean, mean - reach, mean + reach };
}
