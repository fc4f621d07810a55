/* SPDX-License-Identifier: MIT */
#include "ply/time_text.h"
#include "unit.h"

static const struct row {
	const char *name; /* what is read */
	const char *kind; /* NULL: refused */
	int64_t base, increment, delay;
} rows[] = {
	{ "5+3", "fischer", 300000, 3000, -1 },
	{ "0.5+0", "fischer", 30000, 0, -1 },
	{ "15d12", "delay", 900000, -1, 12000 },
	{ "5b2.5", "bronstein", 300000, -1, 2500 },
	{ "3days", "per_move", 259200000, -1, -1 },
	{ "1day", "per_move", 86400000, -1, -1 },
	{ "30days", "per_move", 2592000000, -1, -1 },
	{ "none", "unlimited", -1, -1, -1 },
	{ "31days", NULL, 0, 0, 0 },
	{ "1441+0", NULL, 0, 0, 0 },
	{ "5+3601", NULL, 0, 0, 0 },
	{ "5", NULL, 0, 0, 0 },
	{ "", NULL, 0, 0, 0 },
	{ "5+", NULL, 0, 0, 0 },
	{ "+3", NULL, 0, 0, 0 },
	{ "5+3x", NULL, 0, 0, 0 },
	{ "-5+3", NULL, 0, 0, 0 },
	{ "nan+3", NULL, 0, 0, 0 },
	{ "5+inf", NULL, 0, 0, 0 },
	{ "1e99+3", NULL, 0, 0, 0 },
	{ "days", NULL, 0, 0, 0 },
	{ "3dayss", NULL, 0, 0, 0 },
};

static void a_clock_is_read(void **state)
{
	const struct row *row = *state;
	struct time_text t;
	assert_int_equal(time_text_read(row->name, &t), row->kind != NULL);
	if (!row->kind)
		return;
	assert_string_equal(t.kind, row->kind);
	assert_int_equal(t.base_ms, row->base);
	assert_int_equal(t.increment_ms, row->increment);
	assert_int_equal(t.delay_ms, row->delay);
}

static const struct left {
	const char *name; /* what is shown */
	int64_t ms;
} lefts[] = {
	{ "0:00", -5 },
	{ "0:00", 999 },
	{ "0:01", 1000 },
	{ "4:32", 272999 },
	{ "59:59", 3599000 },
	{ "1:00:00", 3600000 },
	{ "23:59:59", 86399999 },
	{ "1 d 00:00", 86400000 },
	{ "30 d 00:00", 2592000000 },
	{ "2 d 03:10", 184200000 },
};

static void a_time_is_shown(void **state)
{
	const struct left *row = *state;
	char text[TIME_TEXT_MAX];
	assert_string_equal(time_text_left(row->ms, text), row->name);
}

int main(void)
{
	return RUN_TABLE("clocks", rows, a_clock_is_read) +
	       RUN_TABLE("times", lefts, a_time_is_shown);
}
