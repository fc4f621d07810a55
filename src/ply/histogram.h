/* SPDX-License-Identifier: MIT
 * histogram.h - many times in little memory: every value to within one part in
 * 64, from 0 to HISTOGRAM_MAX. Unitless; its users count microseconds. */
#ifndef PLYD_PLY_HISTOGRAM_H
#define PLYD_PLY_HISTOGRAM_H

#include <stdint.h>

enum {
	HISTOGRAM_BITS = 6,
	HISTOGRAM_TOP = 36, /* values have so many bits at most */
	HISTOGRAM_SLOTS = (HISTOGRAM_TOP - HISTOGRAM_BITS + 1) << HISTOGRAM_BITS
};
#define HISTOGRAM_MAX ((UINT64_C(1) << HISTOGRAM_TOP) - 1)

/* All zero is an empty one. */
struct histogram {
	uint64_t count;
	uint64_t sum;
	uint64_t max; /* exact */
	uint64_t slot[HISTOGRAM_SLOTS];
};

/* Greater values count as HISTOGRAM_MAX. */
void histogram_add(struct histogram *h, uint64_t value);
/* The least value that at least `part` (0 to 1) of all do not exceed, rounded
 * up as said above and never over max; 0: there are none. */
uint64_t histogram_at(const struct histogram *h, double part);

#endif
