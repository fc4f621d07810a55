/* SPDX-License-Identifier: MIT
 * solve.h - endings by retrograde analysis: what is lost in 0 half-moves, then
 * what is won in 1, lost in 2 and so on, until nothing is added; the rest is
 * drawn. Slices are solved in order, each with its mirror, so that captures and
 * crownings lead to what is solved already. */
#ifndef PLYD_ENGINE_TRAIN_SOLVE_H
#define PLYD_ENGINE_TRAIN_SOLVE_H

#include "engine/draughts_endings_priv.h"

enum {
	DISTANCE_DRAWN = 0, /* or no position */
	DISTANCE_FIRST = 1, /* lost now; 1 + n: decided in n half-moves */
	DISTANCE_MAX = 255
};

/* A byte for each place: one of the above; odd is lost, even won. Gives it;
 * free() it. NULL: no memory. */
uint8_t *solve_endings(const struct variant *v, const struct slices *s);

#endif
