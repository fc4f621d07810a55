/* SPDX-License-Identifier: MIT
 * backgammon_net.h - the learned judgement of a backgammon position: nets with
 * one hidden layer, one for each plan. They were trained in floats
 * (train_backgammon/) and are used in integers, so that every machine and compiler
 * judges alike. A net sums up, for each of its hidden units, a weight for every
 * input; squashes the sum; and from these makes five chances.
 *
 * Boards are as in struct backgammon_position, with fifteen checkers a side,
 * and `own` is on roll. Everything here is pure. */
#ifndef PLYD_ENGINE_BACKGAMMON_NET_H
#define PLYD_ENGINE_BACKGAMMON_NET_H

#include "engine/backgammon_filter.h"
#include "engine/backgammon_inputs.h"

#include <stdbool.h>

/* Chances of the side on roll. A gammon counts among the wins, a backgammon
 * among the gammons. */
enum backgammon_output {
	BACKGAMMON_WIN,
	BACKGAMMON_WIN_GAMMON,
	BACKGAMMON_WIN_BACKGAMMON,
	BACKGAMMON_LOSE_GAMMON,
	BACKGAMMON_LOSE_BACKGAMMON,
	BACKGAMMON_OUTPUTS
};

enum {
	BACKGAMMON_HIDDEN = 128,
	NET_SUM_ONE = 1024, /* 1.0 of what enters a hidden unit */
	NET_OUT_ONE = 4096, /* 1.0 of what leaves it, and of its weights */
	NET_CERTAIN = 65536 /* a chance of 1 */
};

/* As it lies in the file: little-endian. */
struct backgammon_net {
	int16_t row[BACKGAMMON_ROWS][BACKGAMMON_HIDDEN];
	int16_t measure[BACKGAMMON_MEASURES_BOTH][BACKGAMMON_HIDDEN];
	int16_t bias[BACKGAMMON_HIDDEN];
	int16_t out[BACKGAMMON_OUTPUTS][BACKGAMMON_HIDDEN];
	int32_t out_bias[BACKGAMMON_OUTPUTS]; /* of NET_OUT_ONE squared */
};

struct backgammon_nets {
	struct backgammon_net plan[PLAN_COUNT];
	struct backgammon_filter filter[PLAN_COUNT];
};

extern const struct backgammon_nets plyd_backgammon_nets;

/* What a hidden unit makes of its sum: x(1 - |x|/4) up to |x| = 2, and +-1
 * beyond; from NET_SUM_ONE to NET_OUT_ONE. */
static inline int16_t net_squash(int16_t x)
{
	enum { LINEAR = 2 * NET_SUM_ONE };
	int16_t sign = x < 0 ? -1 : 0;
	x = x > LINEAR ? LINEAR : x < -LINEAR ? -LINEAR : x;
	uint16_t size = (uint16_t)((x ^ sign) - sign);
	/* size * (4096 - size) / 1024, as halves of words are multiplied
	 * fastest */
	uint16_t a = (uint16_t)(size << 3);
	uint16_t b = (uint16_t)((2 * LINEAR - size) << 3);
	uint16_t y = (uint16_t)((uint32_t)a * b >> 16);
	return (int16_t)((y ^ sign) - sign);
}

/* What a net has summed up for a position, so that another that differs little
 * costs little. All zero: nothing yet. Only the one who asks may use it. */
struct net_memo {
	bool set;
	uint8_t own[26];
	uint8_t foe[26];
	int16_t measure[BACKGAMMON_MEASURES_BOTH];
	int16_t sum[BACKGAMMON_HIDDEN];
};

struct backgammon_memo {
	struct net_memo plan[PLAN_COUNT];
};

/* Of NET_CERTAIN each. No chance is greater than one that it is part of, and
 * one that the rules exclude is 0. */
struct backgammon_chances {
	int32_t chance[BACKGAMMON_OUTPUTS];
};

/* The chances in a game that is not over. Where both sides bear off they are
 * those of the table, else those of a net. The memo changes nothing but the
 * time it takes. */
struct backgammon_chances backgammon_judge(const uint8_t *own,
					   const uint8_t *foe,
					   struct backgammon_memo *memo);

/* Cubeless equity, of NET_CERTAIN a point. */
int backgammon_equity(const struct backgammon_chances *c);

/* FNV-1a of the weights, by which they are told apart. */
uint32_t backgammon_nets_sum(void);

#endif
