/* SPDX-License-Identifier: MIT
 * histogram_test.c - against sorting all values. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "ply/histogram.h"

enum { VALUES = 5000, ERROR_PART = 64 };

static struct histogram h;
static uint64_t value[VALUES];

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Values of up to so many bits, most of them large. */
static void fill(unsigned bits, uint64_t seed)
{
	struct rng r;
	rng_seed(&r, seed);
	memset(&h, 0, sizeof(h));
	for (size_t i = 0; i < VALUES; i++) {
		value[i] = rng_next(&r) >> (64 - bits);
		histogram_add(&h, value[i]);
	}
	qsort(value, VALUES, sizeof(*value), compare);
}

static void parts_are_those_of_the_sorted_values(void **state)
{
	(void)state;
	for (unsigned bits = 1; bits <= HISTOGRAM_TOP; bits++) {
		fill(bits, bits);
		assert_int_equal(h.count, VALUES);
		assert_int_equal(h.max, value[VALUES - 1]);
		for (size_t rank = 1; rank <= VALUES; rank += 7) {
			uint64_t want = value[rank - 1];
			uint64_t got =
				histogram_at(&h, ((double)rank - 0.5) / VALUES);
			assert_true(got >= want);
			assert_true(got - want <= want / ERROR_PART);
		}
		assert_int_equal(histogram_at(&h, 1), value[VALUES - 1]);
	}
}

static void small_values_are_exact(void **state)
{
	(void)state;
	memset(&h, 0, sizeof(h));
	for (uint64_t v = 0; v < 128; v++)
		histogram_add(&h, v);
	for (uint64_t v = 0; v < 128; v++)
		assert_int_equal(histogram_at(&h, ((double)v + 0.5) / 128), v);
}

static void nothing_and_too_much(void **state)
{
	(void)state;
	memset(&h, 0, sizeof(h));
	assert_int_equal(histogram_at(&h, 0.5), 0);
	histogram_add(&h, UINT64_MAX);
	assert_int_equal(histogram_at(&h, 0.5), HISTOGRAM_MAX);
	assert_int_equal(h.sum, HISTOGRAM_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_those_of_the_sorted_values),
		cmocka_unit_test(small_values_are_exact),
		cmocka_unit_test(nothing_and_too_much),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
