/* SPDX-License-Identifier: MIT */
#include "engine/train_backgammon/bg_descent.h"

#include <math.h>
#include <string.h>

enum { BATCH = 64, WEIGHTS = sizeof(struct bg_net) / sizeof(float) };

#define MEAN_KEPT   0.9f
#define SQUARE_KEPT 0.999f
#define STILL       1e-7f /* against a division by nothing */

static void add_row(bg_vec *to, const bg_vec *row, float times)
{
	for (int v = 0; v < BG_VECS; v++)
		to[v] += row[v] * (times - (bg_vec){ 0 });
}

/* Rows as they are used, from differences. */
static void rows_from_differences(struct bg_net *n)
{
	for (int r = 0; r < BACKGAMMON_ROWS; r++)
		if (r > bg_row_first(r))
			add_row(n->row[r], n->row[r - 1], 1);
}

static void rows_to_differences(struct bg_net *n)
{
	for (int r = BACKGAMMON_ROWS - 1; r > 0; r--)
		if (r > bg_row_first(r))
			add_row(n->row[r], n->row[r - 1], -1);
}

/* A difference is part of its row and of all that follow. */
static void gradient_to_differences(struct bg_net *n)
{
	for (int r = BACKGAMMON_ROWS - 1; r > 0; r--)
		if (r > bg_row_first(r))
			add_row(n->row[r - 1], n->row[r], 1);
}

void bg_descent_init(struct bg_descent *d, const struct bg_nets *n)
{
	memset(d, 0, sizeof(*d));
	d->weights = *n;
	for (int i = 0; i < PLAN_COUNT; i++)
		rows_to_differences(&d->weights.plan[i]);
}

static void step(struct bg_descent *d, struct bg_net *out, int plan,
		 double rate)
{
	struct bg_net *gradient = &d->gradient.plan[plan];
	gradient_to_differences(gradient);
	float *g = (float *)gradient;
	float *weight = (float *)&d->weights.plan[plan];
	float *mean = (float *)&d->mean.plan[plan];
	float *square = (float *)&d->square.plan[plan];
	/* the means began at nothing: what they lack */
	double steps = (double)++d->steps[plan];
	float pace = (float)(rate / (1 - pow(MEAN_KEPT, steps)));
	float whole = (float)(1 / (1 - pow(SQUARE_KEPT, steps)));
	for (int i = 0; i < WEIGHTS; i++) {
		float x = g[i] / BATCH;
		mean[i] = MEAN_KEPT * mean[i] + (1 - MEAN_KEPT) * x;
		square[i] = SQUARE_KEPT * square[i] + (1 - SQUARE_KEPT) * x * x;
		weight[i] +=
			pace * mean[i] / (sqrtf(square[i] * whole) + STILL);
	}
	*out = d->weights.plan[plan];
	rows_from_differences(out);
	memset(gradient, 0, sizeof(*gradient));
}

void bg_descent_learn(struct bg_descent *d, struct bg_nets *n,
		      const struct bg_board *b, const struct bg_chances *target,
		      double rate)
{
	int plan = bg_gradient(n, b, target, &d->gradient);
	if (++d->pending[plan] < BATCH)
		return;
	d->pending[plan] = 0;
	step(d, &n->plan[plan], plan, rate);
}
