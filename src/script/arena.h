/* SPDX-License-Identifier: MIT
 * arena.h - memory of one Lua state after another: blocks out of one piece,
 * which are forgotten all at once, and which can be had again as they were.
 * Whatever does not fit comes from malloc(). Not thread-safe. */
#ifndef PLYD_SCRIPT_ARENA_H
#define PLYD_SCRIPT_ARENA_H

#include <stddef.h>

enum {
	ARENA_BYTES = 512 * 1024,
	ARENA_BLOCK_MAX = 32 * 1024 /* a greater one lies outside */
};

struct arena;

struct arena *arena_new(void);    /* gives; NULL: no memory */
void arena_free(struct arena *a); /* NULL is fine; nothing lies outside */

/* As realloc(); had: what block was asked to have, 0 for NULL. size 0 frees.
 * NULL: no memory, and block is as it was. */
void *arena_realloc(struct arena *a, void *block, size_t had, size_t size);

/* Blocks that came from malloc(), and must be freed one by one. */
size_t arena_outside(const struct arena *a);

/* Forgets all blocks inside. */
void arena_clear(struct arena *a);

/* All blocks as they are now. */
struct arena_copy;
/* Gives; nothing lies outside. NULL: no memory. Freed with free(). */
struct arena_copy *arena_save(const struct arena *a);
/* Where they were, they are again, and no others; nothing lies outside. */
void arena_restore(struct arena *a, const struct arena_copy *copy);

#endif
