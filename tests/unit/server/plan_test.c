/* SPDX-License-Identifier: MIT
 * When a plan's tournament begins, in local time. */
#include "server/plan.h"
#include "unit.h"

#include <stdlib.h>
#include <time.h>

#define HOUR_MS INT64_C(3600000)
#define DAY_MS  (24 * HOUR_MS)
/* Monday, 5 January 2026, 00:00 UTC */
#define MONDAY_MS INT64_C(1767571200000)
/* Sunday, 29 March 2026, 00:00 UTC: at 01:00 UTC summer time begins there */
#define SPRING_MS INT64_C(1774742400000)

static const char central_europe[] = "CET-1CEST,M3.5.0,M10.5.0/3";

static const struct next_case {
	const char *name;
	const char *zone;
	int weekday, minute;
	int64_t now_ms, want_ms;
} next_cases[] = {
	{ "Friday 20:00", "UTC0", 5, 20 * 60, MONDAY_MS,
	  MONDAY_MS + 4 * DAY_MS + 20 * HOUR_MS },
	{ "today, later", "UTC0", 1, 20 * 60, MONDAY_MS,
	  MONDAY_MS + 20 * HOUR_MS },
	{ "now is over", "UTC0", 1, 0, MONDAY_MS, MONDAY_MS + 7 * DAY_MS },
	{ "a moment before", "UTC0", 1, 0, MONDAY_MS - 1000, MONDAY_MS },
	{ "daily", "UTC0", -1, 3 * 60, MONDAY_MS + 4 * HOUR_MS,
	  MONDAY_MS + DAY_MS + 3 * HOUR_MS },
	{ "local time", central_europe, 5, 20 * 60, MONDAY_MS,
	  MONDAY_MS + 4 * DAY_MS + 19 * HOUR_MS },
	{ "a weekday that is one already there", central_europe, 1, 0,
	  MONDAY_MS - HOUR_MS - 1000, MONDAY_MS - HOUR_MS },
	{ "over the begin of summer time", central_europe, -1, 20 * 60,
	  SPRING_MS, SPRING_MS + 18 * HOUR_MS },
	{ "the day before it", central_europe, -1, 20 * 60, SPRING_MS - DAY_MS,
	  SPRING_MS - DAY_MS + 19 * HOUR_MS },
};

static void the_next_time_is(void **state)
{
	const struct next_case *c = *state;
	const struct plan plan = { .weekday = c->weekday, .minute = c->minute };
	setenv("TZ", c->zone, 1);
	tzset();
	assert_true(plan_next_ms(&plan, c->now_ms) == c->want_ms);
}

/* In every hour of a year it is later than now, within eight days, and on the
 * day and at the time that was said. */
static void it_is_always_ahead(void **state)
{
	(void)state;
	setenv("TZ", central_europe, 1);
	tzset();
	for (int64_t hour = 0; hour < 366 * 24; hour++) {
		const struct plan plan = { .weekday = (int)(hour % 8) - 1,
					   .minute = 20 * 60 + 5 };
		int64_t now_ms = MONDAY_MS + hour * HOUR_MS + 123;
		int64_t next_ms = plan_next_ms(&plan, now_ms);
		time_t at = (time_t)(next_ms / 1000);
		struct tm local;
		assert_true(next_ms > now_ms && next_ms <= now_ms + 8 * DAY_MS);
		assert_non_null(localtime_r(&at, &local));
		assert_int_equal(local.tm_hour, 20);
		assert_int_equal(local.tm_min, 5);
		if (plan.weekday >= 0)
			assert_int_equal(local.tm_wday, plan.weekday);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_always_ahead),
	};
	int failed = RUN_TABLE("next", next_cases, the_next_time_is);
	return failed + cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
