/* SPDX-License-Identifier: MIT
 * bg_vec.h - sixteen hidden units at a time, and what squashes them. */
#ifndef PLYD_ENGINE_TRAIN_BG_VEC_H
#define PLYD_ENGINE_TRAIN_BG_VEC_H

#include <stdint.h>

enum { BG_LANES = 16 };

typedef float bg_vec __attribute__((vector_size(4 * BG_LANES)));
typedef int32_t bg_mask __attribute__((vector_size(4 * BG_LANES)));

static inline bg_vec spread(float x)
{
	return x - (bg_vec){ 0 };
}

static inline bg_vec pick(bg_mask which, bg_vec yes, bg_vec no)
{
	return (bg_vec)((which & (bg_mask)yes) | (~which & (bg_mask)no));
}

static inline bg_vec size_of(bg_vec x)
{
	return (bg_vec)((bg_mask)x & 0x7fffffff);
}

/* x(1 - |x|/4) up to |x| = 2, and +-1 beyond. */
static inline bg_vec squash(bg_vec x)
{
	bg_vec size = size_of(x);
	bg_vec y = x * (1 - 0.25f * size);
	bg_mask sign = (bg_mask)x & (int32_t)0x80000000;
	bg_vec one = (bg_vec)(sign | (bg_mask)spread(1));
	return pick(size > 2, one, y);
}

static inline bg_vec slope(bg_vec x)
{
	bg_vec size = size_of(x);
	return pick(size > 2, spread(0), 1 - 0.5f * size);
}

static inline float total(bg_vec v)
{
	float s = 0;
	for (int i = 0; i < BG_LANES; i++)
		s += v[i];
	return s;
}

#endif
