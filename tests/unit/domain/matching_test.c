/* SPDX-License-Identifier: MIT
 * The least matching, against all matchings. */
#include "domain/matching.h"
#include "base/rng.h"
#include "unit.h"

#include <stdlib.h>

#include <plyd/err.h>

enum { SMALL_MAX = 14, TRIES = 4000, LARGE = 512 };

/* The least cost of pairing up those who are in the set, by looking at every
 * partner of its first member. */
static match_cost least_of_all(size_t n, const match_cost *cost)
{
	static match_cost best[1 << SMALL_MAX];
	best[0] = 0;
	for (unsigned set = 1; set < 1u << n; set++) {
		size_t a = (size_t)__builtin_ctz(set);
		best[set] = -1;
		for (size_t b = a + 1; b < n; b++) {
			if (!(set >> b & 1))
				continue;
			unsigned rest = set & ~(1u << a) & ~(1u << b);
			if (best[rest] < 0)
				continue;
			match_cost sum = best[rest] + cost[a * n + b];
			if (best[set] < 0 || sum < best[set])
				best[set] = sum;
		}
	}
	return best[(1u << n) - 1];
}

static void draw_costs(struct rng *rng, size_t n, int bits, match_cost *cost)
{
	for (size_t a = 0; a < n; a++)
		for (size_t b = a + 1; b < n; b++) {
			match_cost c = 0;
			for (int i = 0; i < bits; i++)
				c = 2 * c + rng_below(rng, 2);
			cost[a * n + b] = cost[b * n + a] = c;
		}
}

/* Everybody has one partner; what it costs. */
static match_cost cost_of(size_t n, const match_cost *cost,
			  const uint16_t *mate)
{
	match_cost sum = 0;
	for (size_t a = 0; a < n; a++) {
		assert_true(mate[a] < n && mate[a] != a);
		assert_int_equal(mate[mate[a]], a);
		if (a < mate[a])
			sum += cost[a * n + mate[a]];
	}
	return sum;
}

static void no_matching_costs_less(void **state)
{
	(void)state;
	static const int bits[] = { 1, 2, 4, 10, 60, MATCH_COST_BITS };
	match_cost cost[SMALL_MAX * SMALL_MAX] = { 0 };
	uint16_t mate[SMALL_MAX];
	struct rng rng;
	rng_seed(&rng, 5);
	for (int i = 0; i < TRIES; i++) {
		size_t n = 2 + 2 * (size_t)rng_below(&rng, SMALL_MAX / 2 - 1);
		draw_costs(&rng, n, bits[rng_below(&rng, COUNT(bits))], cost);
		assert_int_equal(matching_least(n, cost, mate), PLYD_OK);
		assert_true(cost_of(n, cost, mate) == least_of_all(n, cost));
	}
}

/* Costs whose least matching is known: partners were drawn first, each pair
 * costs nothing, all else something. */
static void a_large_one_is_found(void **state)
{
	(void)state;
	match_cost *cost = calloc(LARGE * LARGE, sizeof(*cost));
	uint16_t mate[LARGE], order[LARGE];
	struct rng rng;
	rng_seed(&rng, 6);
	assert_non_null(cost);
	draw_costs(&rng, LARGE, 40, cost);
	for (size_t i = 0; i < LARGE; i++) {
		size_t j = rng_below(&rng, (uint32_t)i + 1);
		order[i] = order[j];
		order[j] = (uint16_t)i;
	}
	for (size_t i = 0; i < LARGE; i += 2) {
		size_t a = order[i], b = order[i + 1];
		cost[a * LARGE + b] = cost[b * LARGE + a] = 0;
	}
	assert_int_equal(matching_least(LARGE, cost, mate), PLYD_OK);
	assert_true(cost_of(LARGE, cost, mate) == 0);
	free(cost);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_matching_costs_less),
		cmocka_unit_test(a_large_one_is_found),
	};
	return cmocka_run_group_tests_name("matching", tests, NULL, NULL);
}
