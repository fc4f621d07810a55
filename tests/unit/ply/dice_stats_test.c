/* SPDX-License-Identifier: MIT
 * Chi-square: published critical values, fair dice that pass, and loaded ones
 * that do not. */
#include "ply/dice_stats.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"

/* Critical values as every table of the distribution has them. */
static struct critical {
	const char *name;
	double x;
	int freedom;
	double p;
} criticals[] = {
	{ "1 degree, 5 %", 3.841, 1, 0.05 },
	{ "1 degree, 0.1 %", 10.828, 1, 0.001 },
	{ "2 degrees, 5 %", 5.991, 2, 0.05 },
	{ "5 degrees, 95 %", 1.145, 5, 0.95 },
	{ "5 degrees, 5 %", 11.070, 5, 0.05 },
	{ "5 degrees, 1 %", 15.086, 5, 0.01 },
	{ "5 degrees, 0.1 %", 20.515, 5, 0.001 },
	{ "20 degrees, 95 %", 10.851, 20, 0.95 },
	{ "20 degrees, 5 %", 31.410, 20, 0.05 },
	{ "20 degrees, 0.1 %", 45.315, 20, 0.001 },
};

static void it_is_as_published(void **state)
{
	const struct critical *row = *state;
	double p = chi2_upper(row->x, row->freedom);
	if (fabs(p - row->p) > row->p * 0.002)
		fail_msg("%f where %f is published", p, row->p);
}

/* loaded: one die in so many is a six at once. */
static struct dice_stats thrown(uint64_t seed, int count, uint32_t loaded)
{
	struct dice_stats s = { 0 };
	struct rng rng;
	rng_seed(&rng, seed);
	for (int i = 0; i < count; i++) {
		int a = 1 + (int)rng_below(&rng, 6);
		int b = 1 + (int)rng_below(&rng, 6);
		if (loaded && rng_below(&rng, loaded) == 0)
			a = 6;
		assert_true(dice_stats_add(&s, i % 2 ? "ann" : "bob",
					   i % 9 ? NULL : "eve", a, b));
	}
	return s;
}

static void fair_dice_are_fair(void **state)
{
	(void)state;
	size_t tests, alarms = 0;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct dice_stats s = thrown(seed, 500, 0);
		alarms += !dice_stats_fair(&s, &tests);
		assert_int_equal(tests, 5);
		dice_stats_release(&s);
	}
	assert_true(alarms <= 2);
}

static void loaded_dice_are_not(void **state)
{
	(void)state;
	size_t tests;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct dice_stats s = thrown(seed, 3000, 8);
		assert_false(dice_stats_fair(&s, &tests));
		dice_stats_release(&s);
	}
}

/* Faces alone would not show this. */
static void too_many_doubles(void **state)
{
	(void)state;
	struct dice_stats s = { 0 };
	size_t tests;
	for (int i = 0; i < 3600; i++)
		assert_true(dice_stats_add(&s, "ann", NULL, 1 + i % 6,
					   i % 5 ? 1 + i / 6 % 6 : 1 + i % 6));
	assert_true(dice_test_faces(s.face).p > 0.5);
	assert_true(dice_test_pairs(s.pair).p < 1e-6);
	assert_false(dice_stats_fair(&s, &tests));
	dice_stats_release(&s);
}

static void nothing_is_fair(void **state)
{
	(void)state;
	struct dice_stats s = { 0 };
	size_t tests;
	assert_true(dice_stats_fair(&s, &tests));
	assert_int_equal(tests, 2);
	assert_true(dice_stats_add(&s, "ann", NULL, 6, 6));
	dice_stats_fair(&s, &tests);
	assert_int_equal(tests, 2); /* too few of ann's to test */
	dice_stats_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fair_dice_are_fair),
		cmocka_unit_test(loaded_dice_are_not),
		cmocka_unit_test(too_many_doubles),
		cmocka_unit_test(nothing_is_fair),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + RUN_TABLE("published", criticals, it_is_as_published);
}
