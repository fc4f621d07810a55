/* SPDX-License-Identifier: MIT */
#include "domain/board.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <plyd/err.h>

enum { BOARD_CAP_FIRST = 16 };

static struct board_key key_of(struct span ruleset, enum speed_class speed,
			       enum rating_pool pool)
{
	struct board_key key;
	memset(&key, 0, sizeof(key)); /* all its bytes are hashed */
	span_copy(ruleset, key.ruleset, sizeof(key.ruleset));
	key.speed = (uint8_t)speed;
	key.pool = (uint8_t)pool;
	return key;
}

struct board *board_find(struct board *boards, struct span ruleset,
			 enum speed_class speed, enum rating_pool pool)
{
	struct board_key key = key_of(ruleset, speed, pool);
	struct board *b;
	HASH_FIND(hh, boards, &key, sizeof(key), b);
	return b;
}

static struct board *board_of(struct board *boards, const struct rating *r)
{
	return board_find(boards, span_str(r->ruleset), r->speed, r->pool);
}

static struct board *board_add(struct board **boards, const struct rating *r)
{
	struct board *b = calloc(1, sizeof(*b));
	if (!b)
		return NULL;
	b->key = key_of(span_str(r->ruleset), r->speed, r->pool);
	HASH_ADD(hh, *boards, key, sizeof(b->key), b);
	if (b->hh.tbl)
		return b;
	free(b);
	return NULL;
}

int board_reserve(struct board **boards, const struct rating *r)
{
	struct board *b = board_of(*boards, r);
	if (!b)
		b = board_add(boards, r);
	if (!b)
		return PLYD_ENOMEM;
	if (b->count < b->cap)
		return PLYD_OK;
	size_t cap = b->cap ? 2 * b->cap : BOARD_CAP_FIRST;
	struct rating **at = realloc(b->at, cap * sizeof(*at));
	if (!at)
		return PLYD_ENOMEM;
	b->at = at;
	b->cap = cap;
	return PLYD_OK;
}

/* Below 0: a stands before b. */
static int order(const struct rating *a, const struct rating *b)
{
	if (a->value.rating_milli != b->value.rating_milli)
		return a->value.rating_milli > b->value.rating_milli ? -1 : 1;
	return memcmp(a->player.text, b->player.text, ID_CHARS);
}

/* How many of the places from low to high - 1 stand before r, and low. */
static size_t place_of(const struct board *b, const struct rating *r,
		       size_t low, size_t high)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (order(b->at[middle], r) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Takes out place i. */
static void close_gap(struct board *b, size_t i)
{
	memmove(b->at + i, b->at + i + 1, (b->count - i - 1) * sizeof(*b->at));
	b->count--;
}

static void enter(struct board *b, struct rating *r)
{
	assert(b->count < b->cap);
	size_t i = place_of(b, r, 0, b->count);
	memmove(b->at + i + 1, b->at + i, (b->count - i) * sizeof(*b->at));
	b->at[i] = r;
	b->count++;
	r->on_board = true;
}

/* The one at place i has another value now: only those between are moved. */
static void shift(struct board *b, size_t i)
{
	struct rating *r = b->at[i];
	size_t up = place_of(b, r, 0, i);
	size_t down = place_of(b, r, i + 1, b->count) - 1;
	if (up < i)
		memmove(b->at + up + 1, b->at + up, (i - up) * sizeof(*b->at));
	else
		memmove(b->at + i, b->at + i + 1, (down - i) * sizeof(*b->at));
	b->at[up < i ? up : down] = r;
}

void board_set(struct board *boards, struct rating *r,
	       const struct rating_value *value)
{
	struct board *b = board_of(boards, r);
	size_t i = r->on_board ? place_of(b, r, 0, b->count) : 0;
	r->value = *value;
	if (!r->on_board) {
		if (!rating_is_provisional(value))
			enter(b, r);
	} else if (rating_is_provisional(value)) {
		close_gap(b, i);
		r->on_board = false;
	} else {
		shift(b, i);
	}
}

void board_leave(struct board *boards, struct rating *r)
{
	struct board *b = board_of(boards, r);
	if (!r->on_board)
		return;
	close_gap(b, place_of(b, r, 0, b->count));
	r->on_board = false;
}

size_t board_settle(struct board *b, size_t count, int64_t unix_ms)
{
	size_t kept = 0, i = 0;
	for (; i < b->count && kept < count; i++) {
		struct rating_value now = rating_at(b->at[i], unix_ms);
		if (rating_is_provisional(&now))
			b->at[i]->on_board = false;
		else
			b->at[kept++] = b->at[i];
	}
	memmove(b->at + kept, b->at + i, (b->count - i) * sizeof(*b->at));
	b->count -= i - kept;
	return kept;
}

void boards_free(struct board **boards)
{
	struct board *b, *tmp;
	HASH_ITER (hh, *boards, b, tmp) {
		HASH_DEL(*boards, b);
		free(b->at);
		free(b);
	}
}
