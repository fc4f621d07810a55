/* SPDX-License-Identifier: MIT
 * backgammon_inputs.h - what the nets see of a backgammon position: how many
 * checkers stand on every point, and measures that a player would count. The
 * program that trains the nets and the engine that uses them share it. All is
 * seen by the side on roll, `own`; boards are as in struct
 * backgammon_position. Pure, and in integers. */
#ifndef PLYD_ENGINE_BACKGAMMON_INPUTS_H
#define PLYD_ENGINE_BACKGAMMON_INPUTS_H

#include <stdint.h>

/* I(name, doc): the measures of one side. Each is a small whole number, and
 * most are of a like size, so that they are learned alike. */
#define BACKGAMMON_MEASURES(I)                                                 \
	I(pips, "Half its pips, less 64.")                                     \
	I(shots, "Throws, of 36, that hit a blot if it is on roll.")           \
	I(loss, "What those hits cost, in units of 16 pips.")                  \
	I(choice, "Throws that can hit one of several blots.")                 \
	I(last, "Where its last checker stands.")                              \
	I(escape, "Throws with which its last checker gets six pips away.")    \
	I(run, "How far one throw brings that checker on average.")            \
	I(hardest, "Fewest throws that leave a point on that checker's way.")  \
	I(wall, "The same of any point in the far half.")                      \
	I(trapped, "Throws that do not free checkers that are far back.")      \
	I(mobility, "Throws that free its checkers outside, by their pips.")   \
	I(back_anchor, "The highest point it has made.")                       \
	I(front_anchor, "The lowest it has made in the other's home.")         \
	I(closed, "Throws, of 36, that do not enter from the bar.")            \
	I(entering, "The same, for each checker on the bar.")                  \
	I(contact, "Pips to go until the sides have passed, in fours.")        \
	I(behind, "Checkers that have to pass opposing ones, times 3.")        \
	I(prime, "Longest row of points made, times 5.")                       \
	I(block, "Points made of the six before the other's last, times 6.")   \
	I(far_block, "Points made of the six beyond those, times 6.")

enum {
#define I(name, doc) BACKGAMMON_MEASURE_##name,
	BACKGAMMON_MEASURES(I)
#undef I
		BACKGAMMON_MEASURE_COUNT
};

enum {
	BACKGAMMON_COUNT_MAX = 6, /* more checkers count as so many */
	BACKGAMMON_POINT_ROWS = 2 * 25 * BACKGAMMON_COUNT_MAX,
	BACKGAMMON_OFF_ROWS = 2 * 15,
	BACKGAMMON_ROWS = BACKGAMMON_POINT_ROWS + BACKGAMMON_OFF_ROWS,
	BACKGAMMON_ROWS_SET_MAX = 32, /* of one position */
	BACKGAMMON_MEASURES_BOTH = 2 * BACKGAMMON_MEASURE_COUNT
};

/* The rows that are set: of point p of side s (0 own, 1 foe) with n checkers,
 * row (s * 25 + p - 1) * BACKGAMMON_COUNT_MAX + n - 1; of n checkers off, row
 * BACKGAMMON_POINT_ROWS + s * 15 + n - 1. Returns how many. */
int backgammon_rows(const uint8_t *own, const uint8_t *foe,
		    uint16_t row[BACKGAMMON_ROWS_SET_MAX]);

/* The row of the first checker of a side on a point. */
static inline int backgammon_row(int side, int point)
{
	return point ? (side * 25 + point - 1) * BACKGAMMON_COUNT_MAX
		     : BACKGAMMON_POINT_ROWS + side * 15;
}

/* What a position is about; each has a net of its own. */
enum backgammon_plan {
	PLAN_RACE,   /* no checker must still pass one of the other side */
	PLAN_NORMAL, /* none of those that follow */
	PLAN_BACK,   /* a side has over two checkers in the other's home */
	PLAN_LATE,   /* with contact, but somebody has begun to bear off */
	PLAN_COUNT
};

enum backgammon_plan backgammon_plan(const uint8_t *own, const uint8_t *foe);

/* The measures, own first. Of a race only the pips are measured: the rest is
 * 0. */
enum backgammon_plan
backgammon_measure(const uint8_t *own, const uint8_t *foe,
		   int16_t measure[BACKGAMMON_MEASURES_BOTH]);

#endif
