/* SPDX-License-Identifier: MIT
 * clock_test.c - the arithmetic of clocks: tables by hand, and a naive clock
 * that counts millisecond by millisecond. */
#include "domain/clock.h"
#include "base/rng.h"
#include "unit.h"

#define FISCHER(base, inc)                                                     \
	{                                                                      \
		.kind = CLOCK_FISCHER, .base_ms = (base),                      \
		.increment_ms = (inc)                                          \
	}
#define DELAY(base, delay)                                                     \
	{                                                                      \
		.kind = CLOCK_DELAY, .base_ms = (base), .delay_ms = (delay)    \
	}
#define BRONSTEIN(base, delay)                                                 \
	{                                                                      \
		.kind = CLOCK_BRONSTEIN, .base_ms = (base),                    \
		.delay_ms = (delay)                                            \
	}
#define PER_MOVE(ms)                                                           \
	{                                                                      \
		.kind = CLOCK_PER_MOVE, .base_ms = (ms)                        \
	}

static const struct turn {
	const char *name;
	struct clock_rules clock;
	int64_t left, used;
	int64_t turn, shown, free, after;
} turns[] = {
	{ "Fischer", FISCHER(60000, 2000), 30000, 4500, 30000, 25500, 0,
	  27500 },
	{ "Fischer at once", FISCHER(60000, 2000), 30000, 0, 30000, 30000, 0,
	  32000 },
	{ "Fischer in the last ms", FISCHER(60000, 2000), 30000, 29999, 30000,
	  1, 0, 2001 },
	{ "Fischer never above a day", FISCHER(60000, 2000), CLOCK_MS_MAX, 1999,
	  CLOCK_MS_MAX, CLOCK_MS_MAX - 1999, 0, CLOCK_MS_MAX },
	{ "delay not used up", DELAY(60000, 5000), 30000, 4500, 35000, 30000,
	  500, 30000 },
	{ "delay just used up", DELAY(60000, 5000), 30000, 5000, 35000, 30000,
	  0, 30000 },
	{ "delay and more", DELAY(60000, 5000), 30000, 5001, 35000, 29999, 0,
	  29999 },
	{ "delay in the last ms", DELAY(60000, 5000), 30000, 34999, 35000, 1, 0,
	  1 },
	{ "delay of 0", DELAY(60000, 0), 30000, 100, 30000, 29900, 0, 29900 },
	{ "Bronstein gives all back", BRONSTEIN(60000, 5000), 30000, 4500,
	  30000, 25500, 0, 30000 },
	{ "Bronstein gives the delay back", BRONSTEIN(60000, 5000), 30000, 7000,
	  30000, 23000, 0, 28000 },
	{ "Bronstein falls before it gives", BRONSTEIN(60000, 5000), 3000, 2999,
	  3000, 1, 0, 3000 },
	{ "a day a move", PER_MOVE(86400000), 86400000, 86000000, 86400000,
	  400000, 0, 86400000 },
	{ "no clock",
	  { .kind = CLOCK_UNLIMITED },
	  0,
	  86400001,
	  INT64_MAX,
	  0,
	  0,
	  0 },
};

static void a_turn_takes_what_it_must(void **state)
{
	const struct turn *t = *state;
	assert_int_equal(clock_turn_ms(&t->clock, t->left), t->turn);
	assert_int_equal(clock_shown_ms(&t->clock, t->left, t->used), t->shown);
	assert_int_equal(clock_free_ms(&t->clock, t->used), t->free);
	assert_int_equal(clock_after_move_ms(&t->clock, t->left, t->used),
			 t->after);
}

/* A clock that ticks. */
struct ticking {
	int64_t left, delay, came_back;
	bool fell;
};

static void tick(struct ticking *t, const struct clock_rules *c)
{
	if (c->kind == CLOCK_UNLIMITED)
		return;
	if (t->delay > 0 && c->kind == CLOCK_DELAY) {
		t->delay--;
		return;
	}
	t->left--;
	t->fell = t->fell || t->left == 0;
	if (c->kind == CLOCK_BRONSTEIN && t->came_back < c->delay_ms)
		t->came_back++;
}

static struct clock_rules any_clock(struct rng *rng)
{
	struct clock_rules c = {
		.kind = (enum clock_kind)rng_below(rng, CLOCK_KIND_COUNT)
	};
	if (c.kind != CLOCK_UNLIMITED)
		c.base_ms = 1 + rng_below(rng, 300);
	if (c.kind == CLOCK_FISCHER)
		c.increment_ms = rng_below(rng, 50);
	if (c.kind == CLOCK_DELAY || c.kind == CLOCK_BRONSTEIN)
		c.delay_ms = rng_below(rng, 50);
	return c;
}

enum { MATCHES = 3000, TURNS = 30 };

/* Turns one after another until the flag falls, against the ticking clock. */
static void no_clock_differs_from_one_that_ticks(void **state)
{
	struct rng rng;
	unsigned fallen = 0;
	(void)state;
	rng_seed(&rng, 5);
	for (int i = 0; i < MATCHES; i++) {
		struct clock_rules c = any_clock(&rng);
		int64_t left = c.base_ms;
		assert_true(clock_is_sound(&c));
		for (int n = 0; n < TURNS; n++) {
			struct ticking t = { .left = left,
					     .delay = c.delay_ms };
			int64_t used = 0, think = rng_below(&rng, 120);
			while (used < think && !t.fell) {
				assert_int_equal(clock_shown_ms(&c, left, used),
						 t.left);
				assert_int_equal(clock_free_ms(&c, used),
						 c.kind == CLOCK_DELAY ? t.delay
								       : 0);
				tick(&t, &c);
				used++;
			}
			assert_int_equal(used >= clock_turn_ms(&c, left),
					 t.fell);
			fallen += t.fell;
			if (t.fell)
				break;
			int64_t after = clock_after_move_ms(&c, left, used);
			left = c.kind == CLOCK_PER_MOVE
				       ? c.base_ms
				       : t.left + t.came_back + c.increment_ms;
			assert_int_equal(after, left);
			if (c.kind != CLOCK_FISCHER)
				assert_true(after <= c.base_ms);
		}
	}
	assert_in_range(fallen, MATCHES / 10, MATCHES);
}

/* -- facts -- */

static const struct read_row {
	const char *name;
	int64_t kind;
	bool unlimited;
	int64_t base, increment, delay;
	int read; /* enum clock_kind, or -1: it is none */
} reads[] = {
	{ "Fischer", 0, false, 60000, 1000, 0, CLOCK_FISCHER },
	{ "an old row without a clock", 0, true, 60000, 1000, 0,
	  CLOCK_UNLIMITED },
	{ "no clock", 1, true, 0, 0, 0, CLOCK_UNLIMITED },
	{ "no clock, and one", 1, false, 0, 0, 0, -1 },
	{ "delay", 2, false, 60000, 0, 5000, CLOCK_DELAY },
	{ "delay, and no clock", 2, true, 60000, 0, 5000, -1 },
	{ "Bronstein", 3, false, 60000, 0, 5000, CLOCK_BRONSTEIN },
	{ "per move", 4, false, CLOCK_PER_MOVE_MS_MAX, 0, 0, CLOCK_PER_MOVE },
	{ "per move, too long", 4, false, CLOCK_PER_MOVE_MS_MAX + 1, 0, 0, -1 },
	{ "a bank as large as it may be", 0, false, CLOCK_MS_MAX, 0, 0,
	  CLOCK_FISCHER },
	{ "a bank too large", 0, false, CLOCK_MS_MAX + 1, 0, 0, -1 },
	{ "time below zero", 0, false, -1, 0, 0, -1 },
	{ "increment below zero", 0, false, 1, -1, 0, -1 },
	{ "increment too large", 0, false, 1, CLOCK_MS_MAX + 1, 0, -1 },
	{ "delay below zero", 2, false, 1, 0, -1, -1 },
	{ "delay too large", 2, false, 1, 0, CLOCK_MS_MAX + 1, -1 },
	{ "a later kind", CLOCK_KIND_COUNT, false, 1, 0, 0, -1 },
	{ "a kind below zero", -1, false, 1, 0, 0, -1 },
	{ "a kind that wraps", INT64_C(1) << 32, false, 1, 0, 0, -1 },
};

static void a_fact_is_read_or_refused(void **state)
{
	const struct read_row *r = *state;
	struct clock_rules c;
	bool good = clock_read(r->kind, r->unlimited, r->base, r->increment,
			       r->delay, &c);
	assert_int_equal(good ? (int)c.kind : -1, r->read);
	if (good) {
		assert_int_equal(c.base_ms, r->base);
		assert_int_equal(c.increment_ms, r->increment);
		assert_int_equal(c.delay_ms, r->delay);
	}
}

/* -- wishes -- */

#define KIND(k)       .has_kind = true, .kind = CLOCK_##k
#define BASE(ms)      .has_base_ms = true, .base_ms = (ms)
#define INCREMENT(ms) .has_increment_ms = true, .increment_ms = (ms)
#define BY(ms)        .has_delay_ms = true, .delay_ms = (ms)

static const struct wish_row {
	const char *name;
	struct clock_rules standard;
	struct clock_wish wish;
	bool good;
	struct clock_rules gets;
} wishes[] = {
	{ "nothing", FISCHER(60000, 1000), { 0 }, true, FISCHER(60000, 1000) },
	{ "another base",
	  FISCHER(60000, 1000),
	  { BASE(5000) },
	  true,
	  FISCHER(5000, 1000) },
	{ "no increment",
	  FISCHER(60000, 1000),
	  { INCREMENT(0) },
	  true,
	  FISCHER(60000, 0) },
	{ "the same kind",
	  FISCHER(60000, 1000),
	  { KIND(FISCHER) },
	  true,
	  FISCHER(60000, 1000) },
	{ "another kind of bank",
	  FISCHER(60000, 1000),
	  { KIND(DELAY) },
	  true,
	  DELAY(60000, 0) },
	{ "another kind and its delay",
	  FISCHER(60000, 1000),
	  { KIND(BRONSTEIN), BY(3000) },
	  true,
	  BRONSTEIN(60000, 3000) },
	{ "a delay stays one",
	  DELAY(60000, 2000),
	  { KIND(BRONSTEIN) },
	  true,
	  BRONSTEIN(60000, 2000) },
	{ "a delay of Fischer",
	  FISCHER(60000, 1000),
	  { BY(3000) },
	  false,
	  { 0 } },
	{ "an increment of a delay",
	  DELAY(60000, 2000),
	  { INCREMENT(1) },
	  false,
	  { 0 } },
	{ "no increment of a delay",
	  DELAY(60000, 2000),
	  { INCREMENT(0) },
	  true,
	  DELAY(60000, 2000) },
	{ "a bank does not become days",
	  FISCHER(60000, 0),
	  { KIND(PER_MOVE) },
	  true,
	  PER_MOVE(0) },
	{ "days",
	  FISCHER(60000, 0),
	  { KIND(PER_MOVE), BASE(172800000) },
	  true,
	  PER_MOVE(172800000) },
	{ "days do not become a bank",
	  PER_MOVE(172800000),
	  { KIND(FISCHER) },
	  true,
	  FISCHER(0, 0) },
	{ "no clock",
	  FISCHER(60000, 1000),
	  { .unlimited = true },
	  true,
	  { .kind = CLOCK_UNLIMITED } },
	{ "no clock, in both words",
	  FISCHER(60000, 1000),
	  { KIND(UNLIMITED), .unlimited = true },
	  true,
	  { .kind = CLOCK_UNLIMITED } },
	{ "no clock, and one",
	  FISCHER(60000, 1000),
	  { KIND(FISCHER), .unlimited = true },
	  false,
	  { 0 } },
	{ "no clock with a time",
	  FISCHER(60000, 1000),
	  { KIND(UNLIMITED), BASE(1) },
	  false,
	  { 0 } },
};

static void a_wish_is_granted_or_refused(void **state)
{
	const struct wish_row *w = *state;
	struct clock_rules gets;
	bool good = clock_wanted(&w->standard, &w->wish, &gets);
	assert_int_equal(good, w->good);
	if (!good)
		return;
	assert_int_equal(gets.kind, w->gets.kind);
	assert_int_equal(gets.base_ms, w->gets.base_ms);
	assert_int_equal(gets.increment_ms, w->gets.increment_ms);
	assert_int_equal(gets.delay_ms, w->gets.delay_ms);
}

/* -- limits -- */

static const struct limit_row {
	const char *name;
	struct clock_rules clock;
	bool allowed;
} limited[] = {
	{ "the least base", FISCHER(1000, 0), true },
	{ "less", FISCHER(999, 0), false },
	{ "the greatest base", FISCHER(9000, 0), true },
	{ "more", FISCHER(9001, 0), false },
	{ "the greatest increment", FISCHER(1000, 50), true },
	{ "more increment", FISCHER(1000, 51), false },
	{ "the greatest delay", DELAY(1000, 70), true },
	{ "more delay", DELAY(1000, 71), false },
	{ "a kind that is not allowed", BRONSTEIN(1000, 70), false },
	{ "the least time for a move", PER_MOVE(20000), true },
	{ "less for a move", PER_MOVE(19999), false },
	{ "the greatest time for a move", PER_MOVE(30000), true },
	{ "more for a move", PER_MOVE(30001), false },
	{ "no clock", { .kind = CLOCK_UNLIMITED }, true },
	{ "nonsense", { .kind = CLOCK_KIND_COUNT, .base_ms = 1000 }, false },
};

static void a_clock_is_allowed_or_not(void **state)
{
	const struct limit_row *row = *state;
	const struct clock_limits limits = {
		.kinds = CLOCK_KINDS_ALL & ~(1u << CLOCK_BRONSTEIN),
		.base_ms_min = 1000,
		.base_ms_max = 9000,
		.increment_ms_max = 50,
		.delay_ms_max = 70,
		.move_ms_min = 20000,
		.move_ms_max = 30000,
	};
	assert_int_equal(clock_is_allowed(&limits, &row->clock), row->allowed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_clock_differs_from_one_that_ticks),
	};
	int failed = RUN_TABLE("turns", turns, a_turn_takes_what_it_must);
	failed += RUN_TABLE("facts", reads, a_fact_is_read_or_refused);
	failed += RUN_TABLE("wishes", wishes, a_wish_is_granted_or_refused);
	failed += RUN_TABLE("limits", limited, a_clock_is_allowed_or_not);
	return failed + cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
