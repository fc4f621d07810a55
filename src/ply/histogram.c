/* SPDX-License-Identifier: MIT */
#include "ply/histogram.h"

#include <math.h>

/* How many low bits of a value are not looked at. */
static unsigned shift_of(uint64_t value)
{
	unsigned high = 63u - (unsigned)__builtin_clzll(value | 1);
	return high > HISTOGRAM_BITS ? high - HISTOGRAM_BITS : 0;
}

void histogram_add(struct histogram *h, uint64_t value)
{
	if (value > HISTOGRAM_MAX)
		value = HISTOGRAM_MAX;
	unsigned shift = shift_of(value);
	h->slot[((uint64_t)shift << HISTOGRAM_BITS) + (value >> shift)]++;
	h->count++;
	h->sum += value;
	if (value > h->max)
		h->max = value;
}

/* The greatest value of a slot: the reverse of what histogram_add() does. */
static uint64_t slot_top(uint64_t slot)
{
	uint64_t shift = slot >> HISTOGRAM_BITS;
	shift = shift > 0 ? shift - 1 : 0;
	uint64_t head = slot - (shift << HISTOGRAM_BITS);
	return ((head + 1) << shift) - 1;
}

uint64_t histogram_at(const struct histogram *h, double part)
{
	uint64_t wanted = (uint64_t)ceil(part * (double)h->count), seen = 0;
	for (uint64_t i = 0; i < HISTOGRAM_SLOTS; i++) {
		seen += h->slot[i];
		if (h->slot[i] > 0 && seen >= wanted) {
			uint64_t top = slot_top(i);
			return top < h->max ? top : h->max;
		}
	}
	return 0;
}
