/* SPDX-License-Identifier: MIT
 * Glicko-2: the paper's example, an independent computation of other games, the
 * edges where others never ended, and what must hold of every rating. */
#include "domain/glicko.h"
#include "unit.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <plyd/err.h>
#include "base/rng.h"

static void is_near(const char *what, double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%s is %.9f, not %.9f", what, got, want);
}

/* "Example of the Glicko-2 system", 2013, pages 4 to 6. The paper computes with
 * rounded steps: mu' = -0.2069 is 1464.06, unrounded it is 1464.05. */
static void the_papers_example(void **state)
{
	(void)state;
	struct glicko own = { 1500, 200, 0.06 }, after;
	const struct glicko_game games[] = {
		{ { 1400, 30, 0.06 }, 1 },
		{ { 1550, 100, 0.06 }, 0 },
		{ { 1700, 300, 0.06 }, 0 },
	};
	assert_int_equal(glicko_rate(&after, &own, games, 3, 1, 0.5), PLYD_OK);
	is_near("rating", after.rating, 1464.06, 0.01);
	is_near("mu'", (after.rating - 1500) / 173.7178, -0.2069, 0.00005);
	is_near("deviation", after.deviation, 151.52, 0.005);
	is_near("phi'", after.deviation / 173.7178, 0.8722, 0.00005);
	is_near("volatility", after.volatility, 0.05999, 0.00001);
}

/* RT-01: several roots, great volatilities; each comes back, and soon. */
static void the_iteration_ends(void **state)
{
	(void)state;
	struct glicko strong = { 2000, 50, 0.06 }, after;
	struct glicko_game losses[30], win = { { 3000, 30, 0.06 }, 1 };
	for (size_t i = 0; i < COUNT(losses); i++)
		losses[i] = (struct glicko_game){ { 1200, 50, 0.06 }, 0 };
	assert_int_equal(glicko_rate(&after, &strong, losses, 30, 1, 0.5),
			 PLYD_OK);
	assert_true(isfinite(after.rating) && after.rating < 2000);
	assert_true(after.deviation > 0 && after.volatility > 0);
	struct glicko wild = { 879.1, 280, 1.09 };
	assert_int_equal(glicko_rate(&after, &wild, &win, 1, 1, 0.5), PLYD_OK);
	assert_true(isfinite(after.rating) && after.rating > 879.1);
	assert_true(isfinite(after.deviation) && after.deviation > 0);
	assert_true(isfinite(after.volatility) && after.volatility > 0);
}

/* RT-01: what no rating can be is refused, and nothing is written. */
static struct refused {
	const char *name;
	struct glicko own;
	struct glicko_game game;
	double periods, tau;
} refused[] = {
	{ "deviation 0", { 1500, 0, 0.06 }, { { 1500, 50, 0 }, 1 }, 1, 0.5 },
	{ "volatility 0", { 1500, 50, 0 }, { { 1500, 50, 0 }, 1 }, 1, 0.5 },
	{ "tau 0", { 1500, 50, 0.06 }, { { 1500, 50, 0 }, 1 }, 1, 0 },
	{ "tau infinite",
	  { 1500, 50, 0.06 },
	  { { 1500, 50, 0 }, 1 },
	  1,
	  INFINITY },
	{ "rating not a number",
	  { NAN, 50, 0.06 },
	  { { 1500, 50, 0 }, 1 },
	  1,
	  0.5 },
	{ "opponent's deviation 0",
	  { 1500, 50, 0.06 },
	  { { 1500, 0, 0 }, 1 },
	  1,
	  0.5 },
	{ "score 2", { 1500, 50, 0.06 }, { { 1500, 50, 0 }, 2 }, 1, 0.5 },
	{ "score below 0",
	  { 1500, 50, 0.06 },
	  { { 1500, 50, 0 }, -0.5 },
	  1,
	  0.5 },
	{ "score not a number",
	  { 1500, 50, 0.06 },
	  { { 1500, 50, 0 }, NAN },
	  1,
	  0.5 },
	{ "periods below 0",
	  { 1500, 50, 0.06 },
	  { { 1500, 50, 0 }, 1 },
	  -1,
	  0.5 },
};

static void it_is_refused(void **state)
{
	const struct refused *row = *state;
	struct glicko after = { 1, 2, 3 };
	assert_int_equal(glicko_rate(&after, &row->own, &row->game, 1,
				     row->periods, row->tau),
			 PLYD_ERANGE);
	assert_true(after.rating == 1 && after.deviation == 2 &&
		    after.volatility == 3);
}

/* RT-03: a period without games raises the deviation and nothing else. */
static void a_period_without_games(void **state)
{
	(void)state;
	struct glicko after;
	struct glicko a = { 1500, 200, 0.06 }, b = { 1700, 50, 0.06 };
	assert_int_equal(glicko_rate(&after, &a, NULL, 0, 1, 0.5), PLYD_OK);
	assert_true(after.rating == 1500 && after.volatility == 0.06);
	is_near("deviation", after.deviation, 200.2714, 0.0001);
	is_near("the same", glicko_grown(200, 0.06, 1), 200.2714, 0.0001);
	assert_int_equal(glicko_rate(&after, &b, NULL, 0, 1, 0.5), PLYD_OK);
	assert_true(after.rating == 1700 && after.volatility == 0.06);
	is_near("deviation", after.deviation, 51.0749, 0.0001);
	is_near("in two steps",
		glicko_grown(glicko_grown(50, 0.06, 3), 0.06, 4),
		glicko_grown(50, 0.06, 7), 1e-9);
}

/* -- an independent computation -- */

static double number(const json_t *array, size_t i)
{
	return strtod(json_string_value(json_array_get(array, i)), NULL);
}

static const char *vector_holds(const json_t *row, void *payload)
{
	static char wrong[160];
	(void)payload;
	const json_t *before = json_object_get(row, "before");
	const json_t *games = json_object_get(row, "games");
	const json_t *want = json_object_get(row, "after");
	struct glicko_game game[8];
	size_t count = json_array_size(games);
	struct glicko own = { number(before, 0), number(before, 1),
			      number(before, 2) },
		      after;
	for (size_t i = 0; i < count; i++) {
		const json_t *g = json_array_get(games, i);
		game[i] = (struct glicko_game){
			{ number(g, 0), number(g, 1), 0.06 }, number(g, 2)
		};
	}
	int err = glicko_rate(&after, &own, game, count,
			      strtod(vector_str(row, "periods"), NULL),
			      strtod(vector_str(row, "tau"), NULL));
	if (err)
		return plyd_err_name(err);
	if (fabs(after.rating - number(want, 0)) < 0.001 &&
	    fabs(after.deviation - number(want, 1)) < 0.001 &&
	    fabs(after.volatility - number(want, 2)) < 0.0000001)
		return NULL;
	snprintf(wrong, sizeof(wrong), "%.9f %.9f %.9f", after.rating,
		 after.deviation, after.volatility);
	return wrong;
}

static void others_compute_the_same(void **state)
{
	(void)state;
	assert_int_equal(vectors_run("golden/glicko2.jsonl", vector_holds,
				     NULL),
			 0);
}

/* -- what must hold of every rating -- */

static double within(struct rng *rng, double low, double high)
{
	return low + (high - low) * (double)rng_below(rng, 1000000) / 1e6;
}

static struct glicko any_rating(struct rng *rng)
{
	return (struct glicko){ within(rng, 100, 4000), within(rng, 30, 350),
				within(rng, 0.001, 1) };
}

static struct glicko rated(const struct glicko *own, const struct glicko *other,
			   double score)
{
	struct glicko after;
	struct glicko_game game = { *other, score };
	assert_int_equal(glicko_rate(&after, own, &game, 1, 0, 0.5), PLYD_OK);
	return after;
}

static void any_game_is_sane(void **state)
{
	(void)state;
	struct rng rng;
	rng_seed(&rng, 3);
	for (int i = 0; i < 20000; i++) {
		struct glicko a = any_rating(&rng), b = any_rating(&rng);
		struct glicko won = rated(&a, &b, 1), lost = rated(&a, &b, 0);
		struct glicko drew = rated(&a, &b, 0.5);
		assert_true(won.rating >= a.rating);
		assert_true(lost.rating <= a.rating);
		assert_true(won.rating >= drew.rating);
		assert_true(drew.rating >= lost.rating);
		assert_true(won.deviation <= a.deviation);
		assert_true(won.volatility > 0 && lost.volatility > 0);
		/* seen from the other side of the scale it is the same */
		struct glicko ma = { 3000 - a.rating, a.deviation,
				     a.volatility };
		struct glicko mb = { 3000 - b.rating, b.deviation,
				     b.volatility };
		struct glicko mirror = rated(&ma, &mb, 0);
		is_near("mirror", 3000 - mirror.rating, won.rating, 1e-3);
		/* who is less certain moves more */
		struct glicko sure = { a.rating, 30, 0.06 };
		struct glicko unsure = { a.rating, 350, 0.06 };
		assert_true(rated(&unsure, &b, 1).rating >=
			    rated(&sure, &b, 1).rating);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_papers_example),
		cmocka_unit_test(the_iteration_ends),
		cmocka_unit_test(a_period_without_games),
		cmocka_unit_test(others_compute_the_same),
		cmocka_unit_test(any_game_is_sane),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + RUN_TABLE("refused", refused, it_is_refused);
}
