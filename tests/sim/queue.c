/* SPDX-License-Identifier: MIT */
#include "queue.h"

#include <stdlib.h>

void *sim_alloc(size_t bytes)
{
	void *p = calloc(1, bytes > 0 ? bytes : 1);
	if (!p)
		abort();
	return p;
}

void *sim_grow(void *items, size_t *cap, size_t count, size_t item_bytes)
{
	if (count < *cap)
		return items;
	*cap = *cap ? 2 * *cap : 16;
	items = realloc(items, *cap * item_bytes);
	if (!items)
		abort();
	return items;
}

uint8_t *sim_copy(struct span bytes)
{
	uint8_t *copy = sim_alloc(bytes.len);
	if (bytes.len > 0)
		memcpy(copy, bytes.at, bytes.len);
	return copy;
}

static bool before(const struct happening *a, const struct happening *b)
{
	return a->at_ms != b->at_ms ? a->at_ms < b->at_ms : a->order < b->order;
}

static void swap(struct happening *a, struct happening *b)
{
	struct happening c = *a;
	*a = *b;
	*b = c;
}

void queue_put_back(struct queue *q, const struct happening *h)
{
	q->item = sim_grow(q->item, &q->cap, q->count, sizeof(*q->item));
	size_t i = q->count++;
	q->item[i] = *h;
	for (; i > 0 && before(&q->item[i], &q->item[(i - 1) / 2]);
	     i = (i - 1) / 2)
		swap(&q->item[i], &q->item[(i - 1) / 2]);
}

void queue_put(struct queue *q, const struct happening *h)
{
	struct happening ordered = *h;
	ordered.order = q->orders++;
	queue_put_back(q, &ordered);
}

const struct happening *queue_first(const struct queue *q)
{
	return q->count > 0 ? &q->item[0] : NULL;
}

struct happening queue_take(struct queue *q)
{
	struct happening first = q->item[0];
	q->item[0] = q->item[--q->count];
	for (size_t i = 0;;) {
		size_t child = 2 * i + 1;
		if (child >= q->count)
			break;
		if (child + 1 < q->count &&
		    before(&q->item[child + 1], &q->item[child]))
			child++;
		if (!before(&q->item[child], &q->item[i]))
			break;
		swap(&q->item[i], &q->item[child]);
		i = child;
	}
	return first;
}

void queue_release(struct queue *q)
{
	for (size_t i = 0; i < q->count; i++)
		free(q->item[i].bytes);
	free(q->item);
	*q = (struct queue){ 0 };
}
