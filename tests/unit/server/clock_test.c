/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include "server/clock.h"

static void time_goes_on_from_the_last_durable_time(void **state)
{
	(void)state;
	struct clock c;
	clock_start(&c, 1000, 50);
	assert_int_equal(clock_look(&c, 50), 1000);
	assert_int_equal(clock_look(&c, 60), 1010);
	assert_int_equal(clock_look(&c, 60 + CLOCK_STALL_MS),
			 1010 + CLOCK_STALL_MS);
	assert_int_equal(c.credited_ms, 0);
}

static void a_stall_is_credited(void **state)
{
	(void)state;
	struct clock c;
	clock_start(&c, 0, 1000);
	assert_int_equal(clock_look(&c, 1000 + 60000), CLOCK_STALL_MS);
	assert_int_equal(c.credited_ms, 60000 - CLOCK_STALL_MS);
	assert_int_equal(clock_look(&c, 1000 + 60010), CLOCK_STALL_MS + 10);
}

static void time_never_goes_back(void **state)
{
	(void)state;
	struct clock c;
	clock_start(&c, 500, 1000);
	assert_int_equal(clock_look(&c, 900), 500);
	assert_int_equal(clock_look(&c, 910), 510);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_goes_on_from_the_last_durable_time),
		cmocka_unit_test(a_stall_is_credited),
		cmocka_unit_test(time_never_goes_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
