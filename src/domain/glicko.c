/* SPDX-License-Identifier: MIT
 * glicko.c - the steps of the paper, by its numbers and letters. */
#include "domain/glicko.h"

#include <math.h>
#include <stdbool.h>

#include <plyd/err.h>

/* Step 2: the scale of the computation. */
static const double SCALE = 173.7178;
static const double MIDDLE = 1500.0;
/* Step 5.1: how near is near enough. */
static const double EPSILON = 0.000001;

/* A player on the scale of the computation. */
struct point {
	double mu;
	double phi;
};

static struct point point_of(const struct glicko *g)
{
	return (struct point){ (g->rating - MIDDLE) / SCALE,
			       g->deviation / SCALE };
}

static bool is_usable(const struct glicko *g)
{
	return isfinite(g->rating) && isfinite(g->deviation) &&
	       isfinite(g->volatility) && g->deviation > 0;
}

static double g_of(double phi)
{
	static const double PI = 3.14159265358979323846;
	return 1 / sqrt(1 + 3 * phi * phi / (PI * PI));
}

static double expected(double mu, const struct point *opponent)
{
	return 1 / (1 + exp(-g_of(opponent->phi) * (mu - opponent->mu)));
}

/* What the search for the volatility depends on. */
struct search {
	double delta2;
	double phi2;
	double v;
	double a;
	double tau2;
};

/* Step 5.1. */
static double f_of(const struct search *s, double x)
{
	double ex = exp(x);
	double spread = s->phi2 + s->v + ex;
	return ex * (s->delta2 - spread) / (2 * spread * spread) -
	       (x - s->a) / s->tau2;
}

/* Step 5.2: the other end of the bracket; NAN: there is none within reach. */
static double far_end(const struct search *s, double tau)
{
	if (s->delta2 > s->phi2 + s->v)
		return log(s->delta2 - s->phi2 - s->v);
	for (int k = 1; k <= GLICKO_STEPS_MAX; k++)
		if (f_of(s, s->a - k * tau) >= 0)
			return s->a - k * tau;
	return NAN;
}

/* Steps 5.3 to 5.5, the Illinois method. */
static double new_volatility(const struct search *s, double tau, double old)
{
	double A = s->a, B = far_end(s, tau);
	double fA = f_of(s, A), fB = f_of(s, B);
	for (int step = 0; step < GLICKO_STEPS_MAX; step++) {
		if (fabs(B - A) <= EPSILON)
			break;
		double C = A + (A - B) * fA / (fB - fA);
		double fC = f_of(s, C);
		if (fC * fB <= 0) {
			A = B;
			fA = fB;
		} else {
			fA /= 2;
		}
		B = C;
		fB = fC;
	}
	double found = exp(A / 2);
	bool ended = fabs(B - A) <= EPSILON; /* false for what is not a number*/
	return ended && isfinite(found) && found > 0 ? found : old;
}

static int games_check(const struct glicko_game *games, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!is_usable(&games[i].opponent) ||
		    !(games[i].score >= 0 && games[i].score <= 1))
			return PLYD_ERANGE;
	return PLYD_OK;
}

int glicko_rate(struct glicko *out, const struct glicko *before,
		const struct glicko_game *games, size_t count, double periods,
		double tau)
{
	if (!is_usable(before) || !(before->volatility > 0) || !(tau > 0) ||
	    !isfinite(tau) || !(periods >= 0) || !isfinite(periods) ||
	    games_check(games, count))
		return PLYD_ERANGE;
	struct point own = point_of(before);
	double information = 0, gain = 0; /* steps 3 and 4 */
	for (size_t i = 0; i < count; i++) {
		struct point other = point_of(&games[i].opponent);
		double g = g_of(other.phi), e = expected(own.mu, &other);
		information += g * g * e * (1 - e);
		gain += g * (games[i].score - e);
	}
	double sigma = before->volatility, phi2 = own.phi * own.phi;
	/* a game whose end was certain says nothing of the volatility */
	if (information > 0) {
		double v = 1 / information, delta = v * gain;
		struct search s = { delta * delta, phi2, v, log(sigma * sigma),
				    tau * tau };
		sigma = new_volatility(&s, tau, sigma);
	}
	double star2 = phi2 + periods * sigma * sigma; /* step 6 */
	double new2 = 1 / (1 / star2 + information);   /* step 7 */
	struct glicko after = {
		.rating = SCALE * (own.mu + new2 * gain) + MIDDLE, /* step 8 */
		.deviation = SCALE * sqrt(new2),
		.volatility = sigma,
	};
	if (!is_usable(&after))
		return PLYD_ERANGE;
	*out = after;
	return PLYD_OK;
}

double glicko_grown(double deviation, double volatility, double periods)
{
	double step = SCALE * volatility;
	return sqrt(deviation * deviation + periods * step * step);
}
