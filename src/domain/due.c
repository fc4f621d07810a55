/* SPDX-License-Identifier: MIT */
#include "domain/due.h"

#include <assert.h>
#include <stdlib.h>

#include <plyd/err.h>

int due_heap_init(struct due_heap *h, size_t cap)
{
	*h = (struct due_heap){ .item = calloc(cap, sizeof(*h->item)),
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
	struct due_item *item = realloc(h->item, cap * sizeof(*item));
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

static void put(const struct due_heap *h, size_t i, struct due_item item)
{
	h->item[i] = item;
	item.due->place = i + 1;
}

static void rise(const struct due_heap *h, size_t i)
{
	struct due_item item = h->item[i];
	while (i > 0 && h->item[(i - 1) / 2].at_ms > item.at_ms) {
		put(h, i, h->item[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	put(h, i, item);
}

static void sink(const struct due_heap *h, size_t i)
{
	struct due_item item = h->item[i];
	for (;;) {
		size_t child = 2 * i + 1;
		if (child >= h->count)
			break;
		if (child + 1 < h->count &&
		    h->item[child + 1].at_ms < h->item[child].at_ms)
			child++;
		if (h->item[child].at_ms >= item.at_ms)
			break;
		put(h, i, h->item[child]);
		i = child;
	}
	put(h, i, item);
}

void due_set(struct due_heap *h, struct due *d, uint64_t at_ms)
{
	bool is_new = d->place == 0;
	d->at_ms = at_ms;
	if (is_new) {
		assert(h->count < h->cap);
		d->place = ++h->count;
	} else if (h->item[d->place - 1].at_ms <= at_ms) {
		return; /* later: it sinks when its old time has come */
	}
	h->item[d->place - 1] = (struct due_item){ at_ms, d };
	rise(h, d->place - 1);
}

void due_clear(struct due_heap *h, struct due *d)
{
	if (d->place == 0)
		return;
	size_t i = d->place - 1;
	d->place = 0;
	struct due_item last = h->item[--h->count];
	if (last.due == d)
		return;
	put(h, i, last);
	rise(h, i);
	sink(h, last.due->place - 1);
}

struct due *due_first(const struct due_heap *h)
{
	while (h->count > 0 && h->item[0].at_ms < h->item[0].due->at_ms) {
		h->item[0].at_ms = h->item[0].due->at_ms;
		sink(h, 0);
	}
	return h->count > 0 ? h->item[0].due : NULL;
}
