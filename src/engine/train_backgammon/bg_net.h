/* SPDX-License-Identifier: MIT
 * bg_net.h - a net with one hidden layer, as it is trained: in floats, down the
 * gradient of the cross-entropy of its five outputs. */
#ifndef PLYD_ENGINE_TRAIN_BG_NET_H
#define PLYD_ENGINE_TRAIN_BG_NET_H

#include "engine/backgammon_inputs.h"
#include "engine/train_backgammon/bg_board.h"
#include "engine/train_backgammon/bg_vec.h"

enum { BG_HIDDEN = 128, BG_VECS = BG_HIDDEN / BG_LANES };

/* A measure enters a net divided by 16, to be of the size of the rest. */
#define BG_MEASURE_SCALE (1.0f / 16)

/* Chances of the side on roll. A gammon counts among the wins, a backgammon
 * among the gammons. */
enum {
	BG_WIN,
	BG_WIN_GAMMON,
	BG_WIN_BG,
	BG_LOSE_GAMMON,
	BG_LOSE_BG,
	BG_OUTPUTS
};

struct bg_net {
	bg_vec row[BACKGAMMON_ROWS][BG_VECS];
	bg_vec measure[BACKGAMMON_MEASURES_BOTH][BG_VECS];
	bg_vec bias[BG_VECS];
	bg_vec out[BG_OUTPUTS][BG_VECS];
	float out_bias[BG_OUTPUTS];
};

struct bg_nets {
	struct bg_net plan[PLAN_COUNT];
};

struct bg_chances {
	float p[BG_OUTPUTS];
};

/* Weights at random, of this size at most. */
bg_vec bg_random_vec(struct bg_rng *rng, float size);
void bg_nets_init(struct bg_nets *n, struct bg_rng *rng);

/* The chances of the side on roll; exact where the game is over (the foe has
 * all its checkers off) or both sides bear off. */
struct bg_chances bg_judge(const struct bg_nets *n, const struct bg_board *b);
/* Whether bg_judge() is exact there. */
bool bg_exact(const struct bg_board *b);

/* Moves the net that judges b towards the target by one step. */
void bg_learn(struct bg_nets *n, const struct bg_board *b,
	      const struct bg_chances *target, float rate);

/* Adds to `sum` what a step of rate 1 would add to the net that judges b, each
 * row by itself; returns which net. */
enum backgammon_plan bg_gradient(const struct bg_nets *n,
				 const struct bg_board *b,
				 const struct bg_chances *target,
				 struct bg_nets *sum);

/* The rows of one point or of the checkers off, as backgammon_rows() numbers
 * them: the first, and how many. */
static inline int bg_row_count(int row)
{
	return row < BACKGAMMON_POINT_ROWS ? BACKGAMMON_COUNT_MAX : 15;
}

static inline int bg_row_first(int row)
{
	int base = row < BACKGAMMON_POINT_ROWS ? 0 : BACKGAMMON_POINT_ROWS;
	return row - (row - base) % bg_row_count(row);
}

float bg_equity(const struct bg_chances *c);
struct bg_chances bg_turned(const struct bg_chances *c);

#endif
