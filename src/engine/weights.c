/* SPDX-License-Identifier: MIT */
#include "engine/engine.h"

#include <assert.h>
#include <string.h>

static const struct engine_weight table[] = {
#define W(name, standard, min, max, doc) { #name, standard, min, max, doc },
	ENGINE_WEIGHTS(W)
#undef W
};

enum { WEIGHTS = sizeof(table) / sizeof(table[0]) };

/* The struct is the table: one int a row, in the same order. */
_Static_assert(sizeof(struct engine_weights) == WEIGHTS * sizeof(int),
	       "one int a weight");

size_t engine_weight_count(void)
{
	return WEIGHTS;
}

const struct engine_weight *engine_weight_at(size_t i)
{
	assert(i < WEIGHTS);
	return &table[i];
}

void engine_weights_init(struct engine_weights *w)
{
	*w = (struct engine_weights){
#define W(name, standard, min, max, doc) .name = standard,
		ENGINE_WEIGHTS(W)
#undef W
	};
}

static int *weight_field(struct engine_weights *w, size_t i)
{
	int *const field[] = {
#define W(name, standard, min, max, doc) &w->name,
		ENGINE_WEIGHTS(W)
#undef W
	};
	return field[i];
}

int engine_weight_set(struct engine_weights *w, const char *name, size_t len,
		      long long value)
{
	for (size_t i = 0; i < WEIGHTS; i++) {
		const struct engine_weight *row = &table[i];
		if (strlen(row->name) != len || memcmp(row->name, name, len))
			continue;
		if (value < row->min || value > row->max)
			return PLYD_EOPTION;
		*weight_field(w, i) = (int)value;
		return PLYD_OK;
	}
	return PLYD_EOPTION;
}
