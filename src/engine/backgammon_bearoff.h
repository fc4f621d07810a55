/* SPDX-License-Identifier: MIT
 * backgammon_bearoff.h - the exact end of a race: for every way in which up to
 * fifteen checkers stand on a home's six points, how likely it is that so many
 * throws bear them all off, if each turn is played for the fewest throws on
 * average. Two such distributions give the chances of a race in which each
 * side has all its checkers home. */
#ifndef PLYD_ENGINE_BACKGAMMON_BEAROFF_H
#define PLYD_ENGINE_BACKGAMMON_BEAROFF_H

#include <stdbool.h>
#include <stdint.h>

/* The row of checkers on points 1 to 6, at point[1] to point[6]. */
unsigned bearoff_index(const uint8_t *point);

/* Chances, in 65536ths, of the side `own` that is on roll. */
struct bearoff_chances {
	uint32_t win;
	uint32_t win_gammon;
	uint32_t lose_gammon;
};

/* False, and *out untouched, unless both sides have all their checkers left on
 * points 1 to 6, and each at least one. Boards as in struct
 * backgammon_position. */
bool bearoff_find(const uint8_t *own, const uint8_t *foe,
		  struct bearoff_chances *out);

#endif
