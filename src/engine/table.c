/* SPDX-License-Identifier: MIT */
#include "engine/engine_priv.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	LINE = 64,
	LARGE = 2 * 1024 * 1024, /* a large page of the machine */
	STORED = 4 /* of so many nodes one is worth a place in the table */
};

static uintptr_t aligned(void *at, uintptr_t to)
{
	return ((uintptr_t)at + to - 1) & ~(to - 1);
}

int table_init(struct table *t, size_t bytes)
{
	size_t group = TABLE_GROUP * sizeof(struct table_entry);
	*t = (struct table){ .groups = 1 };
	while (t->groups * 2 * group <= bytes)
		t->groups *= 2;
	size_t size = t->groups * group;
	t->memory = calloc(1, size + LINE);
	if (!t->memory)
		return PLYD_ENOMEM;
	t->entry = (struct table_entry *)aligned(t->memory, LINE);
	t->mask = t->groups - 1;
	/* a search jumps about in it: the fewer its pages the better. Where
	 * that cannot be had it only takes longer */
	uintptr_t from = aligned(t->memory, LARGE);
	uintptr_t to = ((uintptr_t)t->memory + size) & ~(uintptr_t)(LARGE - 1);
	if (from < to)
		(void)madvise((void *)from, to - from, MADV_HUGEPAGE);
	return PLYD_OK;
}

void table_release(struct table *t)
{
	free(t->memory);
	*t = (struct table){ 0 };
}

void table_next_search(struct table *t, uint64_t nodes)
{
	size_t groups = 1;
	while (groups < t->groups && groups * TABLE_GROUP < nodes / STORED)
		groups *= 2;
	t->mask = groups - 1;
	if (++t->generation != 0)
		return;
	memset(t->entry, 0,
	       t->groups * TABLE_GROUP * sizeof(struct table_entry));
	t->generation = 1;
}

const struct table_entry *table_find(const struct table *t, uint64_t key)
{
	const struct table_entry *e = &t->entry[(key & t->mask) * TABLE_GROUP];
	for (int i = 0; i < TABLE_GROUP; i++)
		if (e[i].key == key && e[i].generation == t->generation)
			return &e[i];
	return NULL;
}

/* How much is lost with an entry. */
static int table_worth(const struct table *t, const struct table_entry *e)
{
	return e->generation == t->generation ? e->depth + 1 : 0;
}

void table_store(struct table *t, const struct table_entry *entry)
{
	struct table_entry *e = &t->entry[(entry->key & t->mask) * TABLE_GROUP];
	struct table_entry *place = e;
	for (int i = 0; i < TABLE_GROUP; i++) {
		if (e[i].key == entry->key &&
		    e[i].generation == t->generation) {
			place = &e[i];
			break;
		}
		if (table_worth(t, &e[i]) < table_worth(t, place))
			place = &e[i];
	}
	/* not as a whole: whoever copies what was just written in pieces waits
	 * until they are in memory */
	place->key = entry->key;
	place->score = entry->score;
	place->move = entry->move;
	place->depth = entry->depth;
	place->bound = entry->bound;
	place->generation = t->generation;
}
