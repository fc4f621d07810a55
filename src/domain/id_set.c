/* SPDX-License-Identifier: MIT */
#include "domain/id_set.h"

#include <stdlib.h>
#include <string.h>

#include <plyd/err.h>

static size_t place_of(const struct id_set *set, const struct id *id)
{
	size_t i = 0;
	while (i < set->count && !id_eq(&set->at[i], id))
		i++;
	return i;
}

bool id_set_has(const struct id_set *set, const struct id *id)
{
	return place_of(set, id) < set->count;
}

static void drop_at(struct id_set *set, size_t i)
{
	set->count--;
	memmove(&set->at[i], &set->at[i + 1],
		(set->count - i) * sizeof(set->at[0]));
}

int id_set_add(struct id_set *set, const struct id *id, size_t most)
{
	if (set->count >= most)
		drop_at(set, 0);
	struct id *at = realloc(set->at, (set->count + 1) * sizeof(*at));
	if (!at)
		return PLYD_ENOMEM;
	set->at = at;
	set->at[set->count++] = *id;
	return PLYD_OK;
}

void id_set_drop(struct id_set *set, const struct id *id)
{
	size_t i = place_of(set, id);
	if (i < set->count)
		drop_at(set, i);
}

void id_set_release(struct id_set *set)
{
	free(set->at);
	*set = (struct id_set){ NULL, 0 };
}
