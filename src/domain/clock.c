/* SPDX-License-Identifier: MIT */
#include "domain/clock.h"

enum { DAY_MS = 24 * 60 * 60 * 1000, HOUR_MS = 60 * 60 * 1000 };

const char *clock_kind_name(enum clock_kind kind)
{
	static const char *const names[] = {
#define V(UPPER, name, doc) name,
		CLOCK_KINDS(V)
#undef V
	};
	return names[kind];
}

static bool has_delay(enum clock_kind kind)
{
	return kind == CLOCK_DELAY || kind == CLOCK_BRONSTEIN;
}

static bool has_bank(enum clock_kind kind)
{
	return kind == CLOCK_FISCHER || has_delay(kind);
}

static bool within(int64_t x, int64_t low, int64_t high)
{
	return x >= low && x <= high;
}

bool clock_is_sound(const struct clock_rules *c)
{
	int64_t base_max = c->kind == CLOCK_PER_MOVE ? CLOCK_PER_MOVE_MS_MAX
						     : CLOCK_MS_MAX;
	return within(c->kind, 0, CLOCK_KIND_COUNT - 1) &&
	       within(c->base_ms, 0, base_max) &&
	       within(c->increment_ms, 0, CLOCK_MS_MAX) &&
	       within(c->delay_ms, 0, CLOCK_MS_MAX);
}

bool clock_read(int64_t kind, bool unlimited, int64_t base_ms,
		int64_t increment_ms, int64_t delay_ms, struct clock_rules *out)
{
	if (unlimited && kind == CLOCK_FISCHER) /* an older row */
		kind = CLOCK_UNLIMITED;
	if (kind < 0 || kind >= CLOCK_KIND_COUNT ||
	    unlimited != (kind == CLOCK_UNLIMITED))
		return false;
	*out = (struct clock_rules){ (enum clock_kind)kind, base_ms,
				     increment_ms, delay_ms };
	return clock_is_sound(out);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t not_negative(int64_t x)
{
	return x > 0 ? x : 0;
}

int64_t clock_turn_ms(const struct clock_rules *c, int64_t left_ms)
{
	switch (c->kind) {
	case CLOCK_DELAY: return left_ms + c->delay_ms;
	case CLOCK_PER_MOVE: return c->base_ms;
	case CLOCK_UNLIMITED: return INT64_MAX;
	default: return left_ms;
	}
}

int64_t clock_shown_ms(const struct clock_rules *c, int64_t left_ms,
		       int64_t used_ms)
{
	switch (c->kind) {
	case CLOCK_DELAY:
		return not_negative(left_ms -
				    not_negative(used_ms - c->delay_ms));
	case CLOCK_PER_MOVE: return not_negative(c->base_ms - used_ms);
	case CLOCK_UNLIMITED: return left_ms;
	default: return not_negative(left_ms - used_ms);
	}
}

int64_t clock_free_ms(const struct clock_rules *c, int64_t used_ms)
{
	return c->kind == CLOCK_DELAY ? not_negative(c->delay_ms - used_ms) : 0;
}

int64_t clock_after_move_ms(const struct clock_rules *c, int64_t left_ms,
			    int64_t used_ms)
{
	switch (c->kind) {
	case CLOCK_FISCHER:
		return least(left_ms - used_ms + c->increment_ms, CLOCK_MS_MAX);
	case CLOCK_BRONSTEIN:
		return left_ms - used_ms + least(used_ms, c->delay_ms);
	case CLOCK_PER_MOVE: return c->base_ms;
	default: return clock_shown_ms(c, left_ms, used_ms);
	}
}

/* -- what may be asked for -- */

void clock_limits_default(struct clock_limits *out)
{
	*out = (struct clock_limits){
		.kinds = CLOCK_KINDS_ALL,
		.base_ms_min = 1000,
		.base_ms_max = CLOCK_MS_MAX,
		.increment_ms_max = HOUR_MS,
		.delay_ms_max = HOUR_MS,
		.move_ms_min = DAY_MS,
		.move_ms_max = CLOCK_PER_MOVE_MS_MAX,
	};
}

bool clock_is_allowed(const struct clock_limits *l, const struct clock_rules *c)
{
	if (!clock_is_sound(c) || !(l->kinds >> c->kind & 1))
		return false;
	if (c->kind == CLOCK_UNLIMITED)
		return true;
	if (c->kind == CLOCK_PER_MOVE)
		return within(c->base_ms, l->move_ms_min, l->move_ms_max);
	return within(c->base_ms, l->base_ms_min, l->base_ms_max) &&
	       c->increment_ms <= l->increment_ms_max &&
	       c->delay_ms <= l->delay_ms_max;
}

/* A time of a wish, or what it is without one; false: the kind has no such
 * time. */
static bool take(bool kind_has, bool wished, int64_t wish_ms,
		 int64_t standard_ms, int64_t *out)
{
	*out = !kind_has ? 0 : wished ? wish_ms : standard_ms;
	return kind_has || !wished || wish_ms == 0;
}

bool clock_wanted(const struct clock_rules *standard,
		  const struct clock_wish *wish, struct clock_rules *out)
{
	enum clock_kind kind = wish->has_kind    ? wish->kind
			       : wish->unlimited ? CLOCK_UNLIMITED
						 : standard->kind;
	bool same = kind == standard->kind;
	bool bank = same || (has_bank(kind) && has_bank(standard->kind));
	bool delay = has_delay(kind) && has_delay(standard->kind);
	*out = (struct clock_rules){ .kind = kind };
	return !(wish->unlimited && kind != CLOCK_UNLIMITED) &&
	       take(kind != CLOCK_UNLIMITED, wish->has_base_ms, wish->base_ms,
		    bank ? standard->base_ms : 0, &out->base_ms) &&
	       take(kind == CLOCK_FISCHER, wish->has_increment_ms,
		    wish->increment_ms, same ? standard->increment_ms : 0,
		    &out->increment_ms) &&
	       take(has_delay(kind), wish->has_delay_ms, wish->delay_ms,
		    delay ? standard->delay_ms : 0, &out->delay_ms);
}
