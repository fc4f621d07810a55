/* SPDX-License-Identifier: MIT */
#include "session/throttle.h"

#include <stdlib.h>
#include <string.h>

struct throttled {
	char name[THROTTLED_NAME_MAX + 1];
	int64_t spent_ms; /* of burst x refill_ms */
	uint64_t at_ms;   /* when that was reckoned */
	UT_hash_handle hh;
};

void throttle_init(struct throttle *t, int64_t burst, int64_t refill_ms)
{
	*t = (struct throttle){ .burst = burst, .refill_ms = refill_ms };
}

void throttle_set(struct throttle *t, int64_t burst, int64_t refill_ms)
{
	t->burst = burst;
	t->refill_ms = refill_ms;
}

static void forget(struct throttle *t, struct throttled *n)
{
	HASH_DEL(t->names, n);
	free(n);
}

void throttle_release(struct throttle *t)
{
	while (t->names)
		forget(t, t->names);
}

static struct throttled *find(const struct throttle *t, const char *name)
{
	struct throttled *n;
	HASH_FIND_STR(t->names, name, n);
	return n;
}

static int64_t spent_at(const struct throttled *n, uint64_t now_ms)
{
	uint64_t passed = now_ms - n->at_ms;
	return passed >= (uint64_t)n->spent_ms ? 0
					       : n->spent_ms - (int64_t)passed;
}

int64_t throttle_wait_ms(const struct throttle *t, const char *name,
			 uint64_t now_ms)
{
	const struct throttled *n = find(t, name);
	int64_t most_ms = (t->burst - 1) * t->refill_ms;
	int64_t spent_ms = n ? spent_at(n, now_ms) : 0;
	return spent_ms > most_ms ? spent_ms - most_ms : 0;
}

static struct throttled *add(struct throttle *t, const char *name)
{
	struct throttled *n = calloc(1, sizeof(*n));
	if (!n)
		return NULL;
	strncpy(n->name, name, THROTTLED_NAME_MAX);
	HASH_ADD_STR(t->names, name, n);
	if (n->hh.tbl)
		return n;
	free(n);
	return NULL;
}

void throttle_take(struct throttle *t, const char *name, uint64_t now_ms)
{
	struct throttled *n = find(t, name);
	if (n) {
		/* to the end of the queue of those that may be forgotten */
		n->spent_ms = spent_at(n, now_ms);
		HASH_DEL(t->names, n);
		HASH_ADD_STR(t->names, name, n);
		if (!n->hh.tbl) {
			free(n);
			return;
		}
	} else {
		if (HASH_COUNT(t->names) >= THROTTLED_MAX)
			forget(t, t->names);
		n = add(t, name);
		if (!n)
			return;
	}
	n->at_ms = now_ms;
	n->spent_ms += t->refill_ms;
}

void throttle_give(struct throttle *t, const char *name)
{
	struct throttled *n = find(t, name);
	if (!n)
		return;
	n->spent_ms -= t->refill_ms;
	if (n->spent_ms <= 0)
		forget(t, n);
}
