/* SPDX-License-Identifier: MIT
 * referee_rating.c - ratings, reckoned once more with plain floating point: each
 * rated match changes both ratings once, an aborted one none. */
#include "referee_priv.h"

#include <math.h>

static const double scale = 173.7178, tau = 0.5;

static struct book_rating *rating_of(struct sim *sim, const struct id *player,
				     struct span ruleset, int64_t speed,
				     int64_t pool)
{
	struct referee *r = sim->referee;
	for (size_t i = 0; i < r->ratings; i++) {
		struct book_rating *b = &r->rating[i];
		if (id_eq(&b->player, player) && b->speed == speed &&
		    b->pool == pool && span_is(ruleset, b->ruleset))
			return b;
	}
	r->rating = sim_grow(r->rating, &r->rating_cap, r->ratings,
			     sizeof(*r->rating));
	struct book_rating *b = &r->rating[r->ratings++];
	*b = (struct book_rating){ .player = *player,
				   .speed = speed,
				   .pool = pool,
				   .points = 1500,
				   .deviation = 350,
				   .volatility = 0.06 };
	span_copy(ruleset, b->ruleset, sizeof(b->ruleset));
	return b;
}

static double weight(double phi)
{
	return 1 / sqrt(1 + 3 * phi * phi / (M_PI * M_PI));
}

/* The root by halving. */
static double volatility(double delta2, double phi2, double v, double sigma)
{
	double a = log(sigma * sigma), low = a - 20, high = a + 20;
	for (int i = 0; i < 200; i++) {
		double x = (low + high) / 2, e = exp(x), s = phi2 + v + e;
		double f = e * (delta2 - s) / (2 * s * s) - (x - a) / tau / tau;
		*(f > 0 ? &low : &high) = x;
	}
	return exp(low / 2);
}

/* points, deviation, volatility of one side before, and after a score. */
static void rate(const double own[3], const double other[3], double score,
		 double out[3])
{
	double mu = (own[0] - 1500) / scale, phi = own[1] / scale;
	double g = weight(other[1] / scale);
	double e = 1 / (1 + exp(-g * (own[0] - other[0]) / scale));
	double v = 1 / (g * g * e * (1 - e)), delta = v * g * (score - e);
	out[2] = volatility(delta * delta, phi * phi, v, own[2]);
	double new2 = 1 / (1 / (phi * phi) + 1 / v);
	out[0] = scale * (mu + new2 * g * (score - e)) + 1500;
	out[1] = scale * sqrt(new2);
}

enum { DAY_MS = 24 * 60 * 60 * 1000 };

static int64_t days_of(const struct book_rating *r, int64_t at_ms)
{
	return r->games > 0 && at_ms > r->since_ms
		       ? (at_ms - r->since_ms) / DAY_MS
		       : 0;
}

/* Whole days without a match add to the deviation. */
static double grown(const struct book_rating *r, int64_t at_ms)
{
	double step = scale * r->volatility;
	double d = sqrt(r->deviation * r->deviation +
			(double)days_of(r, at_ms) * step * step);
	return d < 350 ? d : 350;
}

/* Said when it ended, by the wall clock, or soon after. */
static bool is_time_of(const struct sim *sim, int64_t at_ms)
{
	enum { LATE_MS_MAX = 10000 };
	int64_t now = sim_unix_ms(sim);
	bool leapt =
		sim->leapt_ms > 0 && sim->t_ms < sim->leapt_at_ms + LATE_MS_MAX;
	return at_ms <= now && (leapt || now - at_ms <= LATE_MS_MAX);
}

static bool is_near(double points, int64_t milli)
{
	return fabs(points - (double)milli / 1000) < 0.01;
}

void rated_fact(struct sim *sim, struct book_match *m, const struct fact *f)
{
	const struct fact_rated_body *b = &f->rated;
	if (!m->rated || m->rated_said)
		sim_fail(sim, "%s is rated, and should not be", m->id.text);
	m->rated_said = true;
	m->rating = *b;
}

void rated_ended(struct sim *sim, const struct book_match *m,
		 enum match_result result)
{
	const struct fact_rated_body *b = &m->rating;
	bool counts = !is_frozen(m) && m->rated && result != RESULT_ABORTED;
	if (counts != m->rated_said)
		sim_fail(sim, "%s ends %s", m->id.text,
			 counts ? "and is not rated" : "and was rated");
	if (!counts)
		return;
	double white = result == RESULT_WHITE  ? 1
		       : result == RESULT_DRAW ? 0.5
					       : 0;
	double before[2][3] = {
		{ (double)b->white_before_milli / 1e3,
		  (double)b->white_before_deviation_milli / 1e3,
		  (double)b->white_before_volatility_nano / 1e9 },
		{ (double)b->black_before_milli / 1e3,
		  (double)b->black_before_deviation_milli / 1e3,
		  (double)b->black_before_volatility_nano / 1e9 },
	};
	double after[2][3];
	rate(before[0], before[1], white, after[0]);
	rate(before[1], before[0], 1 - white, after[1]);
	if (!is_near(after[0][0], b->white_milli) ||
	    !is_near(after[0][1], b->white_deviation_milli) ||
	    !is_near(after[1][0], b->black_milli) ||
	    !is_near(after[1][1], b->black_deviation_milli))
		sim_fail(sim, "%s is rated otherwise than it was played",
			 m->id.text);
}

int64_t rating_shown(struct sim *sim, const struct id *player,
		     const char *ruleset, const struct book_clock *clock)
{
	enum { MINUTE_MS = 60000, MOVES = 40 };
	const struct book_player *p = book_player(sim->referee, player);
	int64_t ms = clock->base_ms +
		     MOVES * (clock->increment_ms + clock->delay_ms);
	int64_t speed =
		clock->kind == CLOCK_UNLIMITED || clock->kind == CLOCK_PER_MOVE
			? SPEED_CORRESPONDENCE
		: ms < 3 * MINUTE_MS  ? SPEED_BULLET
		: ms < 8 * MINUTE_MS  ? SPEED_BLITZ
		: ms < 25 * MINUTE_MS ? SPEED_RAPID
				      : SPEED_CLASSICAL;
	int64_t pool = p && p->kind == KIND_BOT ? POOL_BOTS : POOL_PEOPLE;
	return (int64_t)round(
		rating_of(sim, player, span_str(ruleset), speed, pool)->points);
}

void player_rated_fact(struct sim *sim, const struct fact *f)
{
	const struct fact_player_rated_body *b = &f->player_rated;
	struct book_match *m = book_match(sim->referee, &b->played);
	int side = m ? seat_of(m, &b->player) : -1;
	if (side < 0 || !m->over || !m->rated_said || m->rated_times[side]++) {
		sim_fail(sim, "%s is rated for %s, once too often",
			 b->player.text, b->played.text);
		return;
	}
	struct book_rating *r =
		rating_of(sim, &b->player, b->ruleset, b->speed, b->pool);
	const struct fact_rated_body *said = &m->rating;
	int64_t before = side == WHITE ? said->white_before_milli
				       : said->black_before_milli;
	int64_t after = side == WHITE ? said->white_milli : said->black_milli;
	int64_t deviation = side == WHITE ? said->white_before_deviation_milli
					  : said->black_before_deviation_milli;
	if (!is_time_of(sim, b->at) || !is_near(grown(r, b->at), deviation))
		sim_fail(sim,
			 "%s is less certain of %s after some days than "
			 "he should be, or more",
			 b->played.text, b->player.text);
	r->since_ms =
		r->games > 0 ? r->since_ms + days_of(r, b->at) * DAY_MS : b->at;
	if (!is_near(r->points, before) || b->before_milli != before ||
	    b->milli != after || b->games != ++r->games)
		sim_fail(sim, "%s has another rating after %s", b->player.text,
			 b->played.text);
	r->points = (double)b->milli / 1e3;
	r->deviation = (double)b->deviation_milli / 1e3;
	r->volatility = (double)b->volatility_nano / 1e9;
}
