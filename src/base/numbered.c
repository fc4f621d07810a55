/* SPDX-License-Identifier: MIT */
#include "base/numbered.h"

#include <stdlib.h>

#include <plyd/err.h>

enum { NUMBERED_LEAST = 16 };

static void put(uint64_t **at, size_t mask, uint64_t *element)
{
	size_t i = *element & mask;
	while (at[i])
		i = (i + 1) & mask;
	at[i] = element;
}

static int grow(struct numbered *n)
{
	size_t cap = n->cap ? 2 * n->cap : NUMBERED_LEAST;
	uint64_t **at = calloc(cap, sizeof(*at));
	if (!at)
		return PLYD_ENOMEM;
	for (size_t i = 0; i < n->cap; i++)
		if (n->at[i])
			put(at, cap - 1, n->at[i]);
	free(n->at);
	n->at = at;
	n->cap = cap;
	return PLYD_OK;
}

int numbered_add(struct numbered *n, void *element)
{
	int err = 2 * (n->count + 1) > n->cap ? grow(n) : PLYD_OK;
	if (err)
		return err;
	put(n->at, n->cap - 1, element);
	n->count++;
	return PLYD_OK;
}

void numbered_drop(struct numbered *n, uint64_t number)
{
	size_t mask = n->cap - 1;
	const uint64_t *element = numbered_find(n, number);
	if (!element)
		return;
	size_t hole = number & mask;
	while (n->at[hole] != element)
		hole = (hole + 1) & mask;
	/* who was put behind it for lack of room comes nearer */
	for (size_t i = (hole + 1) & mask; n->at[i]; i = (i + 1) & mask) {
		size_t home = *n->at[i] & mask;
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		n->at[hole] = n->at[i];
		hole = i;
	}
	n->at[hole] = NULL;
	n->count--;
}

void numbered_release(struct numbered *n)
{
	free(n->at);
	*n = (struct numbered){ 0 };
}

void *numbered_next(const struct numbered *n, size_t *place)
{
	while (*place < n->cap && !n->at[*place])
		++*place;
	return *place < n->cap ? n->at[(*place)++] : NULL;
}
