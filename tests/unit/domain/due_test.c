/* SPDX-License-Identifier: MIT */
#include "domain/due.h"
#include "base/rng.h"
#include "unit.h"

#include <plyd/err.h>

enum { MANY = 200, ROUNDS = 50000 };

/* The earliest of all that are set, by looking at each. */
static uint64_t earliest(const struct due *d)
{
	uint64_t at_ms = UINT64_MAX;
	for (int i = 0; i < MANY; i++)
		if (d[i].place > 0 && d[i].at_ms < at_ms)
			at_ms = d[i].at_ms;
	return at_ms;
}

static void the_earliest_is_first(void **state)
{
	(void)state;
	static struct due d[MANY];
	struct due_heap h;
	struct rng rng;
	rng_seed(&rng, 11);
	assert_int_equal(due_heap_init(&h, 1), PLYD_OK);
	assert_int_equal(due_heap_reserve(&h, MANY), PLYD_OK);
	for (int i = 0; i < ROUNDS; i++) {
		struct due *one = &d[rng_below(&rng, MANY)];
		if (rng_below(&rng, 3) == 0)
			due_clear(&h, one);
		else
			due_set(&h, one, rng_below(&rng, 1000));
		const struct due *first = due_first(&h);
		assert_true((first ? first->at_ms : UINT64_MAX) == earliest(d));
		for (size_t j = 0; j < h.count; j++)
			assert_int_equal(h.item[j].due->place, j + 1);
	}
	due_heap_release(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_earliest_is_first),
	};
	return cmocka_run_group_tests_name("due", tests, NULL, NULL);
}
