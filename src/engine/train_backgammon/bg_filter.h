/* SPDX-License-Identifier: MIT
 * bg_filter.h - the filters (backgammon_filter.h), as they are trained. */
#ifndef PLYD_ENGINE_TRAIN_BG_FILTER_H
#define PLYD_ENGINE_TRAIN_BG_FILTER_H

#include "engine/backgammon_filter.h"
#include "engine/train_backgammon/bg_learn.h"

enum { BG_FILTER_VECS = BACKGAMMON_FILTER_HIDDEN / BG_LANES };

struct bg_filter {
	bg_vec row[BACKGAMMON_ROWS][BG_FILTER_VECS]; /* as differences */
	bg_vec bias[BG_FILTER_VECS];
	bg_vec out[BG_FILTER_VECS];
};

struct bg_filters {
	struct bg_filter plan[PLAN_COUNT];
};

/* Learns to filter for the nets of the directory, in so many of their games.
 * Stopped, it starts again. */
int bg_filter(const char *directory, struct bg_student *s, uint64_t seed,
	      uint64_t games, struct bg_rates rates);
int bg_filters_load(const char *directory, struct bg_filters *out);

#endif
