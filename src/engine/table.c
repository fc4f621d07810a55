/* SPDX-License-Identifier: MIT */
#include "engine/engine_priv.h"

#include <string.h>

void table_next_search(struct table *t)
{
	if (++t->generation != 0)
		return;
	memset(t->entry, 0, (t->mask + 1) * sizeof(t->entry[0]));
	t->generation = 1;
}

const struct table_entry *table_find(const struct table *t, uint64_t key)
{
	const struct table_entry *e = &t->entry[key & t->mask];
	return e->generation == t->generation && e->key == key ? e : NULL;
}

void table_store(struct table *t, const struct table_entry *entry)
{
	struct table_entry *old = &t->entry[entry->key & t->mask];
	/* a deeper result for another position of this search is worth more,
	 * but a table full of deep old results would be worth nothing */
	if (old->generation == t->generation && old->key != entry->key &&
	    old->depth > entry->depth + 3)
		return;
	*old = *entry;
	old->generation = t->generation;
}
