/* SPDX-License-Identifier: MIT
 * due.h - the earliest of many deadlines: a binary heap. Most deadlines are
 * moved to a later time again and again before they come: that costs nothing,
 * for the heap keeps the old time until it comes. */
#ifndef PLYD_DOMAIN_DUE_H
#define PLYD_DOMAIN_DUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct due {
	uint64_t at_ms;
	size_t place; /* in the heap, from 1; 0 = waits for nothing */
	void *owner;
	int kind; /* the owner's type, as its room numbers them */
};

struct due_item {
	uint64_t at_ms; /* no later than that of due */
	struct due *due;
};

struct due_heap {
	struct due_item *item;
	size_t count;
	size_t cap;
};

/* Room for `cap` entries, which is not 0; PLYD_ENOMEM. */
int due_heap_init(struct due_heap *h, size_t cap);
/* Makes room for `count` entries in all, so that due_set() cannot fail for so
 * many. PLYD_ENOMEM: nothing changed. */
int due_heap_reserve(struct due_heap *h, size_t count);
void due_heap_release(struct due_heap *h);

/* Sets, moves or (due_clear) takes away one deadline. UINT64_MAX is never. */
void due_set(struct due_heap *h, struct due *d, uint64_t at_ms);
void due_clear(struct due_heap *h, struct due *d);

/* The earliest entry, or NULL. */
struct due *due_first(const struct due_heap *h);

#endif
