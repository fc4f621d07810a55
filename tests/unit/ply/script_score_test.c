/* SPDX-License-Identifier: MIT
 * Intervals against published values of Wilson's, and against games that are
 * drawn from players of known strength. */
#include "ply/script_score.h"

#include <math.h>

#include "base/rng.h"
#include "unit.h"

static void near(double got, double want)
{
	if (fabs(got - want) > 0.0006)
		fail_msg("%f is not %f", got, want);
}

/* Lower ends from the table of Newcombe, "Two-sided confidence intervals for
 * the single proportion" (1998), method 3. */
static void all_won_says_at_least(void **state)
{
	struct score s = { 0 };
	(void)state;
	for (int i = 0; i < 20; i++)
		score_game(&s, 1, 1);
	struct estimate m = score_mean(&s);
	near(m.value, 1);
	near(m.low, 0.8389);
	near(m.high, 1);
	assert_true(isinf(score_elo(&s).value));
	near(score_elo(&s).low, 400 * log10(m.low / (1 - m.low)));
	near(score_points(&s).value, 1);
}

static void elo_is_of_the_mean(void **state)
{
	struct score s = { 0 };
	(void)state;
	for (int i = 0; i < 100; i++) {
		score_game(&s, 1, 2);
		score_game(&s, i % 2 ? 1 : 0, i % 2 ? 1 : -1);
	}
	assert_int_equal(s.pairs, 100);
	near(score_mean(&s).value, 0.75);
	near(score_elo(&s).value, 190.8485);
	near(score_points(&s).value, 1);
	/* pairs are 1.5 or 0.5 points: standard deviation 0.5025 */
	near(score_points(&s).high, 1 + 1.96 * 0.050252);
}

/* Each pair is one win each: the difference is known to be 0, but a few pairs
 * prove nothing. */
static void alike_pairs_do_not_prove(void **state)
{
	struct score s = { 0 };
	(void)state;
	score_game(&s, 1, 1);
	score_game(&s, 0, -1);
	struct estimate m = score_mean(&s);
	near(m.value, 0.5);
	assert_true(m.low < 0.15 && m.high > 0.85);
	assert_true(isinf(score_points(&s).high));
}

/* Of many rows between players of known strength about 95 in 100 intervals
 * hold the truth. */
static void intervals_hold_the_truth(void **state)
{
	struct rng rng;
	int held = 0;
	(void)state;
	rng_seed(&rng, 1);
	for (int row = 0; row < 2000; row++) {
		struct score s = { 0 };
		for (int game = 0; game < 60; game++) {
			uint32_t n = rng_below(&rng, 100);
			score_game(&s, n < 50 ? 1 : n < 70 ? 0.5 : 0, 0);
		}
		struct estimate m = score_mean(&s);
		held += m.low <= 0.6 && m.high >= 0.6;
	}
	assert_in_range(held, 1860, 1950);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_won_says_at_least),
		cmocka_unit_test(elo_is_of_the_mean),
		cmocka_unit_test(alike_pairs_do_not_prove),
		cmocka_unit_test(intervals_hold_the_truth),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
