/* SPDX-License-Identifier: MIT
 * The nets as the engine takes them: in whole numbers. */
#include "engine/train_backgammon/bg_filter.h"

#include "engine/backgammon_net.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)BACKGAMMON_HIDDEN == (int)BG_HIDDEN, "one size of nets");
_Static_assert((int)BACKGAMMON_OUTPUTS == (int)BG_OUTPUTS, "and of outputs");

enum { FILTER = BACKGAMMON_FILTER_HIDDEN };

static struct backgammon_nets nets;
static struct bg_filters filters;

/* Rounds so many weights; false: one of them does not fit. */
static bool round_some(int16_t *out, const bg_vec *from, int count, float one)
{
	const float *w = (const float *)from;
	for (int i = 0; i < count; i++) {
		float x = roundf(w[i] * one);
		if (!(fabsf(x) <= INT16_MAX))
			return false;
		out[i] = (int16_t)x;
	}
	return true;
}

static bool round_all(int16_t *out, const bg_vec *from, float one)
{
	return round_some(out, from, BG_HIDDEN, one);
}

static bool convert(struct backgammon_net *out, const struct bg_net *n)
{
	bool fits = round_all(out->bias, n->bias, NET_SUM_ONE);
	for (int i = 0; i < BACKGAMMON_ROWS; i++)
		fits &= round_all(out->row[i], n->row[i], NET_SUM_ONE);
	for (int i = 0; i < BACKGAMMON_MEASURES_BOTH; i++)
		fits &= round_all(out->measure[i], n->measure[i],
				  NET_SUM_ONE * BG_MEASURE_SCALE);
	for (int k = 0; k < BG_OUTPUTS; k++) {
		double reach = fabs((double)n->out_bias[k]);
		fits &= round_all(out->out[k], n->out[k], NET_OUT_ONE);
		for (int i = 0; i < BG_HIDDEN; i++)
			reach += abs(out->out[k][i]) / (double)NET_OUT_ONE;
		/* their sum must not leave 32 bits */
		fits &= reach < INT32_MAX / NET_OUT_ONE / NET_OUT_ONE - 1;
		out->out_bias[k] = (int32_t)lroundf(
			n->out_bias[k] * (NET_OUT_ONE * NET_OUT_ONE));
	}
	return fits;
}

static bool convert_filter(struct backgammon_filter *out,
			   const struct bg_filter *f)
{
	bool fits = round_some(out->bias, f->bias, FILTER, NET_SUM_ONE);
	int reach = 0;
	fits &= round_some(out->out, f->out, FILTER, NET_OUT_ONE);
	for (int r = 0; r < BACKGAMMON_ROWS; r++)
		fits &= round_some(out->row[r], f->row[r], FILTER, NET_SUM_ONE);
	for (int i = 0; i < FILTER; i++)
		reach += abs(out->out[i]);
	return fits && reach <= INT32_MAX / NET_OUT_ONE;
}

int bg_export(const char *directory, struct bg_student *s, const char *file)
{
	if (bg_load(directory, s) || bg_filters_load(directory, &filters)) {
		fprintf(stderr, "%s: nobody has learned yet\n", directory);
		return -1;
	}
	for (int i = 0; i < PLAN_COUNT; i++) {
		if (convert(&nets.plan[i], &s->nets.plan[i]) &&
		    convert_filter(&nets.filter[i], &filters.plan[i]))
			continue;
		fprintf(stderr, "%s: a weight is too large\n", directory);
		return -1;
	}
	FILE *f = fopen(file, "wb");
	if (!f || fwrite(&nets, sizeof(nets), 1, f) != 1 || fclose(f)) {
		perror(file);
		return -1;
	}
	return 0;
}
