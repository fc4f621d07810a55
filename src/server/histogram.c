/* SPDX-License-Identifier: MIT */
#include "server/histogram.h"

static const struct {
	uint64_t us;
	const char *text;
} bounds[HISTOGRAM_CLASSES] = {
#define B(us, text) { us, text },
	HISTOGRAM_BOUNDS(B)
#undef B
};

void histogram_add(struct histogram *h, uint64_t us)
{
	size_t i = 0;
	while (i < HISTOGRAM_CLASSES && us > bounds[i].us)
		i++;
	if (i < HISTOGRAM_CLASSES)
		h->class[i]++;
	h->count++;
	h->sum_us += us;
}

const char *histogram_bound(size_t i)
{
	return bounds[i].text;
}
