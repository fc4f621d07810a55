/* SPDX-License-Identifier: MIT
 * A block has one of few sizes, and one that was freed goes to the next who
 * wants that size. */
#include "script/arena.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	GRAIN = 16,     /* sizes are multiples of it ... */
	FINE_MAX = 512, /* up to here, then powers of two */
	FINE_SIZES = FINE_MAX / GRAIN,
	COARSE_SIZES = 6,
	SIZES = FINE_SIZES + COARSE_SIZES
};
_Static_assert(FINE_MAX << COARSE_SIZES == ARENA_BLOCK_MAX, "the last size");

/* What lies inside. A block that was freed begins with the next such one. */
struct blocks {
	size_t end; /* bytes up to here were handed out at least once */
	uint8_t *spare[SIZES];
};

struct arena {
	struct blocks blocks;
	size_t outside;
	_Alignas(max_align_t) uint8_t bytes[ARENA_BYTES];
};

struct arena_copy {
	struct blocks blocks;
	uint8_t bytes[];
};

/* Which size a block of so many bytes has; SIZES: none. */
static size_t size_index(size_t size)
{
	if (size <= FINE_MAX)
		return (size + GRAIN - 1) / GRAIN - 1;
	size_t i = FINE_SIZES;
	for (size_t most = 2 * FINE_MAX; most < size && i < SIZES; most *= 2)
		i++;
	return i;
}

static size_t size_bytes(size_t index)
{
	return index < FINE_SIZES
		       ? (index + 1) * GRAIN
		       : (size_t)FINE_MAX << (index - FINE_SIZES + 1);
}

static bool is_inside(const struct arena *a, const void *block)
{
	uintptr_t at = (uintptr_t)block;
	uintptr_t begin = (uintptr_t)a->bytes;
	return at >= begin && at < begin + ARENA_BYTES;
}

static void *take_outside(struct arena *a, size_t size)
{
	void *block = malloc(size);
	a->outside += block != NULL;
	return block;
}

static void *take(struct arena *a, size_t size)
{
	struct blocks *b = &a->blocks;
	size_t i = size_index(size);
	if (i == SIZES)
		return take_outside(a, size);
	uint8_t *block = b->spare[i];
	if (block) {
		memcpy(&b->spare[i], block, sizeof(b->spare[i]));
		return block;
	}
	if (size_bytes(i) > ARENA_BYTES - b->end)
		return take_outside(a, size);
	block = a->bytes + b->end;
	b->end += size_bytes(i);
	return block;
}

static void give(struct arena *a, void *block, size_t had)
{
	if (!block)
		return;
	if (!is_inside(a, block)) {
		free(block);
		a->outside--;
		return;
	}
	uint8_t **spare = &a->blocks.spare[size_index(had)];
	memcpy(block, spare, sizeof(*spare));
	*spare = block;
}

void *arena_realloc(struct arena *a, void *block, size_t had, size_t size)
{
	if (size == 0) {
		give(a, block, had);
		return NULL;
	}
	if (!block)
		return take(a, size);
	if (!is_inside(a, block))
		return realloc(block, size);
	if (size_index(had) == size_index(size))
		return block;
	void *moved = take(a, size);
	if (!moved)
		return NULL;
	memcpy(moved, block, had < size ? had : size);
	give(a, block, had);
	return moved;
}

size_t arena_outside(const struct arena *a)
{
	return a->outside;
}

void arena_clear(struct arena *a)
{
	a->blocks = (struct blocks){ 0 };
}

struct arena_copy *arena_save(const struct arena *a)
{
	assert(a->outside == 0);
	struct arena_copy *copy = malloc(sizeof(*copy) + a->blocks.end);
	if (!copy)
		return NULL;
	copy->blocks = a->blocks;
	memcpy(copy->bytes, a->bytes, a->blocks.end);
	return copy;
}

void arena_restore(struct arena *a, const struct arena_copy *copy)
{
	assert(a->outside == 0);
	a->blocks = copy->blocks;
	memcpy(a->bytes, copy->bytes, copy->blocks.end);
}

struct arena *arena_new(void)
{
	struct arena *a = malloc(sizeof(*a));
	if (!a)
		return NULL;
	a->outside = 0;
	arena_clear(a);
	return a;
}

void arena_free(struct arena *a)
{
	assert(!a || a->outside == 0);
	free(a);
}
