/* SPDX-License-Identifier: MIT */
#include "domain/speed.h"

enum { MINUTE_MS = 60000 };

enum speed_class speed_class(const struct clock_rules *c)
{
	if (clock_is_slow(c))
		return SPEED_CORRESPONDENCE;
	int64_t ms = c->base_ms + SPEED_MOVES * (c->increment_ms + c->delay_ms);
	return ms < 3 * MINUTE_MS    ? SPEED_BULLET
	       : ms < 8 * MINUTE_MS  ? SPEED_BLITZ
	       : ms < 25 * MINUTE_MS ? SPEED_RAPID
				     : SPEED_CLASSICAL;
}

const char *speed_class_name(enum speed_class speed)
{
	static const char *const names[] = {
#define V(UPPER, name, doc) name,
		SPEED_CLASSES(V)
#undef V
	};
	return names[speed];
}
