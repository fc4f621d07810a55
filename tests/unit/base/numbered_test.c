/* SPDX-License-Identifier: MIT
 * Whatever is added and dropped, those that are in are found and no others: held
 * against a plain list. */
#include "base/numbered.h"
#include "unit.h"

#include <stdbool.h>

#include "base/rng.h"

enum { ELEMENTS = 600, STEPS = 40000 };

struct element {
	uint64_t number;
	bool in;
};

static size_t count_in(const struct element *e)
{
	size_t count = 0;
	for (size_t i = 0; i < ELEMENTS; i++)
		count += e[i].in;
	return count;
}

static void all_are_as_they_should(const struct numbered *n,
				   const struct element *e)
{
	size_t seen = 0, place = 0;
	for (size_t i = 0; i < ELEMENTS; i++)
		assert_ptr_equal(numbered_find(n, e[i].number),
				 e[i].in ? &e[i] : NULL);
	while (numbered_next(n, &place))
		seen++;
	assert_int_equal(seen, count_in(e));
	assert_int_equal(seen, n->count);
}

/* Numbers that lie near each other, and such that all want one place. */
static void run(uint64_t seed, uint64_t step)
{
	static struct element e[ELEMENTS];
	struct numbered n = { 0 };
	struct rng rng;
	rng_seed(&rng, seed);
	for (size_t i = 0; i < ELEMENTS; i++)
		e[i] = (struct element){ .number = 1 + i * step };
	for (int i = 0; i < STEPS; i++) {
		struct element *one = &e[rng_below(&rng, ELEMENTS)];
		/* now more of them, now fewer */
		uint32_t of_four = i / 5000 % 2 ? 3 : 1;
		bool add = rng_below(&rng, 4) < of_four;
		if (add && !one->in)
			assert_int_equal(numbered_add(&n, one), 0);
		if (!add)
			numbered_drop(&n, one->number);
		one->in = add;
		if (i % 500 == 0)
			all_are_as_they_should(&n, e);
	}
	all_are_as_they_should(&n, e);
	for (size_t i = 0; i < ELEMENTS; i++)
		numbered_drop(&n, e[i].number);
	assert_int_equal(n.count, 0);
	numbered_release(&n);
}

static void what_is_in_is_found(void **state)
{
	(void)state;
	run(1, 1);
	run(2, 3);
	run(3, 1024);
	run(4, UINT64_C(0x100000001));
}

static void an_empty_one_has_nothing(void **state)
{
	struct numbered n = { 0 };
	size_t place = 0;
	(void)state;
	assert_null(numbered_find(&n, 1));
	assert_null(numbered_next(&n, &place));
	numbered_drop(&n, 1);
	numbered_release(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_in_is_found),
		cmocka_unit_test(an_empty_one_has_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
