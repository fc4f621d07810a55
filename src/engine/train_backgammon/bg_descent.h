/* SPDX-License-Identifier: MIT
 * bg_descent.h - learning many judgements by heart: steps down the gradient of
 * some positions at a time, each weight at its own pace, which is that of the
 * mean of its gradients over the root of the mean of their squares (Kingma and
 * Ba, "Adam", 2015). */
#ifndef PLYD_ENGINE_TRAIN_BG_DESCENT_H
#define PLYD_ENGINE_TRAIN_BG_DESCENT_H

#include "engine/train_backgammon/bg_net.h"

/* One for a study. Rows of a point are learned as differences from one
 * checker to the next, so that rare numbers learn from frequent ones. */
struct bg_descent {
	struct bg_nets weights; /* as differences */
	struct bg_nets gradient;
	struct bg_nets mean;
	struct bg_nets square;
	int pending[PLAN_COUNT]; /* positions in the gradient */
	long steps[PLAN_COUNT];
};

void bg_descent_init(struct bg_descent *d, const struct bg_nets *n);
/* Learns one position; the nets change with every 64th of a plan. */
void bg_descent_learn(struct bg_descent *d, struct bg_nets *n,
		      const struct bg_board *b, const struct bg_chances *target,
		      double rate);

#endif
