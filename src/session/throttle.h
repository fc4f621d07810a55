/* SPDX-License-Identifier: MIT
 * throttle.h - how often something may be tried under one name: a bucket of
 * tries for each, refilled one by one. Bounded: the name that was not seen for
 * longest is forgotten first. Pure. */
#ifndef PLYD_SESSION_THROTTLE_H
#define PLYD_SESSION_THROTTLE_H

#include <stdint.h>

#include "base/table.h"

enum { THROTTLED_MAX = 8192, THROTTLED_NAME_MAX = 95 };

struct throttle {
	struct throttled *names;
	int64_t burst;     /* tries at once */
	int64_t refill_ms; /* until there is one more */
};

void throttle_init(struct throttle *t, int64_t burst, int64_t refill_ms);
/* Other numbers, for what is tried from now on. */
void throttle_set(struct throttle *t, int64_t burst, int64_t refill_ms);
void throttle_release(struct throttle *t);

/* 0, or in how many ms one more try is allowed. Changes nothing. */
int64_t throttle_wait_ms(const struct throttle *t, const char *name,
			 uint64_t now_ms);
/* Takes a try; without the memory for it, it is free. */
void throttle_take(struct throttle *t, const char *name, uint64_t now_ms);
/* Gives one back: it was no failure. */
void throttle_give(struct throttle *t, const char *name);

#endif
