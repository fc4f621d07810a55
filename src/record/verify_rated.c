/* SPDX-License-Identifier: MIT
 * verify_rated.c - what a record says of ratings: the numbers before the match
 * are taken as they are, for no record holds a player's past; those after it
 * must follow from them. */
#include "domain/rating.h"
#include "record/verify_priv.h"

#include <stdlib.h>

/* The last digit may differ between the mathematics of two machines. */
enum { DIGITS_MAY_DIFFER = 1, VOLATILITY_MAY_DIFFER = 10 };

static bool is_account(int64_t kind)
{
	return kind == KIND_MEMBER || kind == KIND_BOT;
}

static bool is_shown(int64_t milli, int64_t deviation)
{
	if (milli == 0)
		return deviation == 0;
	return milli >= RATING_MIN_MILLI && milli <= RATING_MAX_MILLI &&
	       deviation >= DEVIATION_MIN_MILLI &&
	       deviation <= DEVIATION_START_MILLI;
}

int judge_ratings_begun(struct verifier *v, const struct fact_begun_body *b)
{
	if (!is_shown(b->white_milli, b->white_deviation_milli) ||
	    !is_shown(b->black_milli, b->black_deviation_milli) ||
	    (b->pool != POOL_PEOPLE && b->pool != POOL_BOTS))
		return wrong(v, "a rating at its start is not one");
	if (b->rated &&
	    (!is_account(b->white_kind) || !is_account(b->black_kind) ||
	     (id_eq(&b->white, &b->black) && !v->redacted) ||
	     b->white_milli == 0 || b->black_milli == 0))
		return wrong(v, "it is rated, but not between two accounts");
	return PLYD_OK;
}

static void values_of(const struct fact_rated_body *b,
		      struct rating_value before[2],
		      struct rating_value after[2])
{
	before[WHITE] = (struct rating_value){
		(int32_t)b->white_before_milli,
		(int32_t)b->white_before_deviation_milli,
		(int32_t)b->white_before_volatility_nano,
	};
	before[BLACK] = (struct rating_value){
		(int32_t)b->black_before_milli,
		(int32_t)b->black_before_deviation_milli,
		(int32_t)b->black_before_volatility_nano,
	};
	after[WHITE] = (struct rating_value){
		(int32_t)b->white_milli,
		(int32_t)b->white_deviation_milli,
		(int32_t)b->white_volatility_nano,
	};
	after[BLACK] = (struct rating_value){
		(int32_t)b->black_milli,
		(int32_t)b->black_deviation_milli,
		(int32_t)b->black_volatility_nano,
	};
}

static bool is_value(int64_t milli, int64_t deviation, int64_t volatility)
{
	return milli != 0 && is_shown(milli, deviation) &&
	       volatility >= VOLATILITY_MIN_NANO &&
	       volatility <= VOLATILITY_MAX_NANO;
}

int judge_rated(struct verifier *v, const struct fact_rated_body *b)
{
	struct clock_rules clock = { .kind = v->clock,
				     .base_ms = v->begin.base_ms,
				     .increment_ms = v->begin.increment_ms,
				     .delay_ms = v->begin.delay_ms };
	if (!v->begin.rated || b->ply != v->verdict.plies)
		return wrong(v, "a rating out of place");
	if (b->speed != (int64_t)speed_class(&clock))
		return wrong(v, "rated at another speed than it was played at");
	if (!is_value(b->white_before_milli, b->white_before_deviation_milli,
		      b->white_before_volatility_nano) ||
	    !is_value(b->black_before_milli, b->black_before_deviation_milli,
		      b->black_before_volatility_nano) ||
	    !is_value(b->white_milli, b->white_deviation_milli,
		      b->white_volatility_nano) ||
	    !is_value(b->black_milli, b->black_deviation_milli,
		      b->black_volatility_nano))
		return wrong(v, "not a rating");
	v->rated_said = true;
	v->rated = *b;
	return PLYD_OK;
}

static bool is_near(const struct rating_value *a, const struct rating_value *b)
{
	return abs(a->rating_milli - b->rating_milli) <= DIGITS_MAY_DIFFER &&
	       abs(a->deviation_milli - b->deviation_milli) <=
		       DIGITS_MAY_DIFFER &&
	       abs(a->volatility_nano - b->volatility_nano) <=
		       VOLATILITY_MAY_DIFFER;
}

int judge_rating(struct verifier *v, enum match_result result)
{
	struct rating_value before[2], said[2], follows[2];
	bool counts = v->begin.rated && result != RESULT_ABORTED && !v->frozen;
	if (counts != v->rated_said)
		return wrong(v, counts ? "it was not rated"
				       : "it was rated though it must not be");
	if (!counts)
		return PLYD_OK;
	values_of(&v->rated, before, said);
	rating_after(before,
		     result == RESULT_WHITE  ? 2
		     : result == RESULT_DRAW ? 1
					     : 0,
		     follows);
	for (int s = 0; s < 2; s++)
		if (!is_near(&follows[s], &said[s]))
			return wrong(v,
				     "%s's rating after it is %d/1000 where "
				     "%d/1000 follows",
				     s == WHITE ? "white" : "black",
				     said[s].rating_milli,
				     follows[s].rating_milli);
	return PLYD_OK;
}
