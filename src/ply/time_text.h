/* SPDX-License-Identifier: MIT
 * time_text.h - clocks as people write and read them. */
#ifndef PLYD_PLY_TIME_TEXT_H
#define PLYD_PLY_TIME_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* A clock as lobby.create takes it; what is not asked for is -1. */
struct time_text {
	const char *kind;
	int64_t base_ms, increment_ms, delay_ms;
};

/* `5+3` is 5 minutes and 3 s for each move; `5d3` a delay of 3 s, `5b3`
 * Bronstein's; `3days` three days for each move; `none` no clock. Minutes may
 * be a half, `0.5+1`. False: not one of these. */
bool time_text_read(const char *text, struct time_text *out);

enum { TIME_TEXT_MAX = 48 };
/* `4:32`, `1:04:32`, `2 d 03:10`. Returns out. */
const char *time_text_left(int64_t ms, char out[TIME_TEXT_MAX]);

#endif
