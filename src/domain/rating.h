/* SPDX-License-Identifier: MIT
 * rating.h - how strong a player is, for those who may read it; the domain
 * writes it. Glicko-2 with one update a match, when it ends.
 *
 * A rating belongs to an account, a ruleset, a speed class and a pool. In the
 * pool `bots` are the matches in which a bot plays, against a person too: so a
 * person has a rating of his own against bots, and no bot touches the ratings
 * of people among themselves. Where the operator joins the pools, every match
 * is in `people`.
 *
 * A deviation grows by whole days without a match; what is over of a day counts
 * later. Both sides are rated from what both had when the match ended, so the
 * order of two matches that end one after the other matters. Numbers are
 * integers: ratings and deviations in 1/1000 of a point, volatilities in
 * 1/1,000,000,000. Facts hold the numbers after a match, and replay takes them
 * as they are. */
#ifndef PLYD_DOMAIN_RATING_H
#define PLYD_DOMAIN_RATING_H

#include "domain/match.h"
#include "domain/speed.h"

struct domain;
struct player;

enum {
	RATING_START_MILLI = 1500 * 1000,
	RATING_MIN_MILLI = 100 * 1000,
	RATING_MAX_MILLI = 4000 * 1000,
	DEVIATION_START_MILLI = 350 * 1000, /* and the greatest */
	DEVIATION_MIN_MILLI = 30 * 1000,
	DEVIATION_PROVISIONAL_MILLI = 110 * 1000, /* over it: provisional */
	VOLATILITY_START_NANO = 60 * 1000 * 1000,
	VOLATILITY_MIN_NANO = 1000 * 1000,
	VOLATILITY_MAX_NANO = 1000 * 1000 * 1000,
	RATING_DAY_MS = 24 * 60 * 60 * 1000,
	RATING_PAST_MAX = 20, /* matches that a rating remembers */
};

/* What a rating says at one time. */
struct rating_value {
	int32_t rating_milli;
	int32_t deviation_milli;
	int32_t volatility_nano;
};

static inline bool rating_is_provisional(const struct rating_value *v)
{
	return v->deviation_milli > DEVIATION_PROVISIONAL_MILLI;
}

/* Whole points, as people see them. */
static inline int32_t rating_points(int32_t milli)
{
	return (milli + 500) / 1000;
}

/* One match of a rating's past. */
struct rating_past {
	struct id match;
	struct id opponent;
	int64_t at_ms; /* Unix time */
	int32_t before_milli;
	int32_t after_milli;
	int32_t deviation_milli; /* after it */
	int32_t score;           /* 2 won, 1 drawn, 0 lost */
};

struct rating {
	struct id player;
	char ruleset[RULESET_NAME_MAX + 1];
	enum speed_class speed;
	enum rating_pool pool;
	struct rating_value value; /* right after the last match */
	int64_t since_ms;          /* Unix time up to which it has grown */
	int64_t games;
	size_t past_count;
	struct rating_past past[RATING_PAST_MAX]; /* the oldest first */

	/* of this process only */
	struct rating *prev, *next; /* of the same player */
	bool on_board;
};

/* The rating of a player at unix_ms, its deviation grown; that of a beginner if
 * he has none. */
struct rating_value player_rating(const struct domain *d,
				  const struct id *player, struct span ruleset,
				  enum speed_class speed, enum rating_pool pool,
				  int64_t unix_ms);

/* What it is at unix_ms. */
struct rating_value rating_at(const struct rating *r, int64_t unix_ms);

/* The first rating of a player, or NULL; the others follow as ->next. */
const struct rating *player_ratings(const struct domain *d,
				    const struct id *player);

/* Whether this player has ratings: he has an account. */
bool player_has_ratings(const struct player *p);

/* The pool of a match between these kinds. */
enum rating_pool rating_pool_of(const struct domain *d, enum player_kind white,
				enum player_kind black);
const char *rating_pool_name(enum rating_pool pool);

/* Both values after a match between a and b; pure. score is a's: 2 won, 1
 * drawn, 0 lost. */
void rating_after(const struct rating_value before[2], int score,
		  struct rating_value after[2]);

#endif
