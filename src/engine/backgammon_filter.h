/* SPDX-License-Identifier: MIT
 * backgammon_filter.h - a quick look at all results of a throw, so that only
 * those that may be best need be judged by the nets. A filter is a tiny net
 * that has learned from the nets how such results differ: it sees the points
 * alone, and tells nothing but their order. There is one for each plan of the
 * position that is played from. Pure, and in integers. */
#ifndef PLYD_ENGINE_BACKGAMMON_FILTER_H
#define PLYD_ENGINE_BACKGAMMON_FILTER_H

#include "engine/backgammon_inputs.h"

#include <plyd/rules.h>
#include <stdint.h>

enum { BACKGAMMON_FILTER_HIDDEN = 16 };

/* As it lies in the file, behind the nets. Row r, as backgammon_rows() numbers
 * it, is what the last of its checkers adds: the row of n checkers less that
 * of n - 1. */
struct backgammon_filter {
	int16_t row[BACKGAMMON_ROWS][BACKGAMMON_FILTER_HIDDEN];
	int16_t bias[BACKGAMMON_FILTER_HIDDEN];
	int16_t out[BACKGAMMON_FILTER_HIDDEN];
};

/* A position, seen by the side that is to throw and to move. */
struct filtered {
	const struct backgammon_filter *filter;
	uint8_t point[2][32]; /* own and foe */
	int16_t sum[BACKGAMMON_FILTER_HIDDEN];
};

void filter_begin(struct filtered *f, const uint8_t *own, const uint8_t *foe);

enum { FILTER_MOST = 10 };

/* Which results of a throw pass. */
struct filter_width {
	size_t least; /* so many in any case, */
	size_t most;  /* and at most so many, up to FILTER_MOST, */
	int margin;   /* if no worse than the best by more millipoints */
};

/* For a choice; and for answers to it of which only the average counts, so that
 * one that is held back wrongly now and then costs nothing. */
extern const struct filter_width plyd_filter_choice;
extern const struct filter_width plyd_filter_answer;

/* Which moves of a throw in this position may be best: their indices, in
 * order; returns how many. The position has fifteen checkers a side. */
size_t filter_moves(const struct filtered *f, const struct filter_width *width,
		    const struct move *move, size_t count,
		    uint16_t passed[FILTER_MOST]);

#endif
