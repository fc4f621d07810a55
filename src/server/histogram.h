/* SPDX-License-Identifier: MIT
 * histogram.h - how long something took, counted in fixed classes. */
#ifndef PLYD_SERVER_HISTOGRAM_H
#define PLYD_SERVER_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

/* B(microseconds, seconds as text): upper ends of the classes, which hold their
 * end; what took longer is counted in all only. */
#define HISTOGRAM_BOUNDS(B)                                                    \
	B(500, "0.0005")                                                       \
	B(1000, "0.001")                                                       \
	B(2500, "0.0025")                                                      \
	B(5000, "0.005")                                                       \
	B(10000, "0.01")                                                       \
	B(25000, "0.025")                                                      \
	B(50000, "0.05")                                                       \
	B(100000, "0.1")                                                       \
	B(250000, "0.25")                                                      \
	B(500000, "0.5")                                                       \
	B(1000000, "1")                                                        \
	B(2500000, "2.5")                                                      \
	B(5000000, "5")                                                        \
	B(10000000, "10")

enum {
#define B(us, text) +1
	HISTOGRAM_CLASSES = 0 HISTOGRAM_BOUNDS(B)
#undef B
};

struct histogram {
	uint64_t class[HISTOGRAM_CLASSES]; /* each without those before */
	uint64_t count;
	uint64_t sum_us;
};

void histogram_add(struct histogram *h, uint64_t us);
/* "0.0005" and so on. */
const char *histogram_bound(size_t i);

#endif
