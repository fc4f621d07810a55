/* SPDX-License-Identifier: MIT
 * clock.h - domain time: milliseconds of the server's own, which go on from the
 * last durable time and never back. When the machine stalls (suspended,
 * stopped, starved) the time is credited to everybody: between two looks at
 * the clock, of which a heartbeat makes ten a second, domain time grows by
 * CLOCK_STALL_MS at most. The wall clock never touches it. */
#ifndef PLYD_SERVER_CLOCK_H
#define PLYD_SERVER_CLOCK_H

#include <stdint.h>

enum { CLOCK_HEARTBEAT_MS = 100, CLOCK_STALL_MS = 250 };

struct clock {
	uint64_t domain_ms;
	uint64_t seen_ms; /* the monotonic clock at the last look */
	uint64_t credited_ms;
};

void clock_start(struct clock *c, uint64_t domain_ms, uint64_t monotonic_ms);
/* Domain time now. */
uint64_t clock_look(struct clock *c, uint64_t monotonic_ms);

/* Unix time in ms, for records only. */
int64_t unix_now_ms(void);

#endif
