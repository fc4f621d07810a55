/* SPDX-License-Identifier: MIT */
#include "domain/speed.h"
#include "unit.h"

#include <string.h>

struct row {
	const char *name;
	struct clock_rules clock;
	const char *speed;
};

#define MIN(n) ((n)*60000)
#define FISCHER(base, inc)                                                     \
	{                                                                      \
		.base_ms = (base), .increment_ms = (inc)                       \
	}

#define DELAY(base, delay)                                                     \
	{                                                                      \
		.kind = CLOCK_DELAY, .base_ms = (base), .delay_ms = (delay)    \
	}

static const struct row rows[] = {
	{ "one minute", FISCHER(MIN(1), 0), "bullet" },
	{ "no time at all", FISCHER(0, 0), "bullet" },
	{ "just under 3 minutes", FISCHER(MIN(3) - 1, 0), "bullet" },
	{ "3 minutes", FISCHER(MIN(3), 0), "blitz" },
	{ "1 minute and 3 s a move", FISCHER(MIN(1), 3000), "blitz" },
	{ "2 minutes and 1.5 s a move", FISCHER(MIN(2), 1500), "blitz" },
	{ "1 minute and 2.975 s a move", FISCHER(MIN(1), 2975), "bullet" },
	{ "just under 8 minutes", FISCHER(MIN(8) - 1, 0), "blitz" },
	{ "8 minutes", FISCHER(MIN(8), 0), "rapid" },
	{ "5 minutes and 5 s a move", FISCHER(MIN(5), 5000), "rapid" },
	{ "just under 25 minutes", FISCHER(MIN(25) - 1, 0), "rapid" },
	{ "25 minutes", FISCHER(MIN(25), 0), "classical" },
	{ "a day", FISCHER(MIN(24 * 60), 3600000), "classical" },
	{ "2 minutes and 2 s delay", DELAY(MIN(2), 2000), "blitz" },
	{ "a day a move",
	  { .kind = CLOCK_PER_MOVE, .base_ms = MIN(1440) },
	  "correspondence" },
	{ "no clock", { .kind = CLOCK_UNLIMITED }, "correspondence" },
};

static void the_class_follows_from_the_clock(void **state)
{
	const struct row *row = *state;
	assert_string_equal(speed_class_name(speed_class(&row->clock)),
			    row->speed);
}

int main(void)
{
	return RUN_TABLE("speed", rows, the_class_follows_from_the_clock);
}
