/* SPDX-License-Identifier: MIT
 * speed.h - how fast a match is, from its clock alone. Ratings, seeks and quick
 * matches are kept apart by it. */
#ifndef PLYD_DOMAIN_SPEED_H
#define PLYD_DOMAIN_SPEED_H

#include "domain/match.h"

/* V(UPPER, "name", doc). The numbers are in facts and the names on the wire:
 * both for ever. */
#define SPEED_CLASSES(V)                                                       \
	V(BULLET, "bullet", "Under 3 minutes.")                                \
	V(BLITZ, "blitz", "Under 8 minutes.")                                  \
	V(RAPID, "rapid", "Under 25 minutes.")                                 \
	V(CLASSICAL, "classical", "25 minutes or more.")                       \
	V(CORRESPONDENCE, "correspondence", "Days for a move, or no clock.")

enum speed_class {
#define V(UPPER, name, doc) SPEED_##UPPER,
	SPEED_CLASSES(V)
#undef V
		SPEED_CLASS_COUNT
};

/* By the time that a side may use for SPEED_MOVES moves of its own. */
enum { SPEED_MOVES = 40 };
enum speed_class speed_class(const struct clock_rules *c);
const char *speed_class_name(enum speed_class speed);

#endif
