/* SPDX-License-Identifier: MIT */
#include "domain/due.h"

#include <assert.h>
#include <stdlib.h>

#include <plyd/err.h>

int due_heap_init(struct due_heap *h, size_t cap)
{
	*h = (struct due_heap){ .item = calloc(cap, sizeof(struct due *)),
				.cap = cap };
	return h->item ? PLYD_OK : PLYD_ENOMEM;
}

int due_heap_reserve(struct due_heap *h, size_t count)
{
	size_t cap = h->cap;
	if (count <= cap)
		return PLYD_OK;
	while (cap < count)
		cap *= 2;
	struct due **item = realloc(h->item, cap * sizeof(struct due *));
	if (!item)
		return PLYD_ENOMEM;
	h->item = item;
	h->cap = cap;
	return PLYD_OK;
}

void due_heap_release(struct due_heap *h)
{
	free(h->item);
	*h = (struct due_heap){ 0 };
}

static void put(struct due_heap *h, size_t i, struct due *d)
{
	h->item[i] = d;
	d->place = i + 1;
}

static void rise(struct due_heap *h, size_t i)
{
	struct due *d = h->item[i];
	while (i > 0 && h->item[(i - 1) / 2]->at_ms > d->at_ms) {
		put(h, i, h->item[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	put(h, i, d);
}

static void sink(struct due_heap *h, size_t i)
{
	struct due *d = h->item[i];
	for (;;) {
		size_t child = 2 * i + 1;
		if (child >= h->count)
			break;
		if (child + 1 < h->count &&
		    h->item[child + 1]->at_ms < h->item[child]->at_ms)
			child++;
		if (h->item[child]->at_ms >= d->at_ms)
			break;
		put(h, i, h->item[child]);
		i = child;
	}
	put(h, i, d);
}

void due_set(struct due_heap *h, struct due *d, uint64_t at_ms)
{
	d->at_ms = at_ms;
	if (d->place == 0) {
		assert(h->count < h->cap);
		put(h, h->count++, d);
	}
	rise(h, d->place - 1);
	sink(h, d->place - 1);
}

void due_clear(struct due_heap *h, struct due *d)
{
	if (d->place == 0)
		return;
	size_t i = d->place - 1;
	d->place = 0;
	struct due *last = h->item[--h->count];
	if (last == d)
		return;
	put(h, i, last);
	rise(h, i);
	sink(h, last->place - 1);
}
