/* SPDX-License-Identifier: MIT */
#include "server/clock.h"

#include <time.h>

void clock_start(struct clock *c, uint64_t domain_ms, uint64_t monotonic_ms)
{
	*c = (struct clock){ .domain_ms = domain_ms, .seen_ms = monotonic_ms };
}

uint64_t clock_look(struct clock *c, uint64_t monotonic_ms)
{
	uint64_t passed =
		monotonic_ms > c->seen_ms ? monotonic_ms - c->seen_ms : 0;
	c->seen_ms = monotonic_ms;
	if (passed > CLOCK_STALL_MS) {
		c->credited_ms += passed - CLOCK_STALL_MS;
		passed = CLOCK_STALL_MS;
	}
	c->domain_ms += passed;
	return c->domain_ms;
}

int64_t unix_now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
