/* SPDX-License-Identifier: MIT
 * numbered.h - elements by a number that the server itself gives out, one after
 * another: an array in which the low bits of a number say where to look first.
 * What a peer can choose belongs in a table.h. The elements are not owned. */
#ifndef PLYD_BASE_NUMBERED_H
#define PLYD_BASE_NUMBERED_H

#include <stddef.h>
#include <stdint.h>

/* Zeros are an empty one. The first member of each element is its number, a
 * uint64_t that is not 0 and no other's. */
struct numbered {
	uint64_t **at;
	size_t count;
	size_t cap; /* a power of two, at least twice the count; or 0 */
};

/* PLYD_ENOMEM: nothing changed. */
int numbered_add(struct numbered *n, void *element);
void numbered_drop(struct numbered *n, uint64_t number); /* not in: nothing */
void numbered_release(struct numbered *n);

/* The element of a number, or NULL. */
static inline void *numbered_find(const struct numbered *n, uint64_t number)
{
	size_t mask = n->cap - 1;
	if (n->cap == 0)
		return NULL;
	for (size_t i = number & mask; n->at[i]; i = (i + 1) & mask)
		if (*n->at[i] == number)
			return n->at[i];
	return NULL;
}

/* The first element at *place or behind it, and *place becomes where the next
 * one may be; NULL: there is none. Nothing is added or dropped between the
 * calls. */
void *numbered_next(const struct numbered *n, size_t *place);

#endif
