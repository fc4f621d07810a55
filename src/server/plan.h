/* SPDX-License-Identifier: MIT
 * plan.h - tournaments that the operator has held by a plan: what they are and
 * when they begin, in the local time of the server (TZ). */
#ifndef PLYD_SERVER_PLAN_H
#define PLYD_SERVER_PLAN_H

#include "domain/command.h"
#include "domain/name.h"
#include "proto/worker.h"

enum {
	PLANS_LOOK_MS = 10000, /* how often they are looked at */
	PLAN_DIRECTORS_MAX = 256
};

struct plan {
	bool enabled;
	struct tournament_terms terms; /* but for its time */
	struct clock_wish clock;
	char directors[PLAN_DIRECTORS_MAX + 1];
	int weekday; /* 0 Sunday; -1: every day */
	int minute;  /* of the day */
	int64_t open_ms;
};

/* Takes what the worker read. NULL, or what is wrong with it. */
const char *plan_set(struct plan *out, const struct worker_plan *said);

/* The next time after unix_ms at which it begins; the clock of the wall may
 * jump by an hour twice a year, and the time of day still holds. */
int64_t plan_next_ms(const struct plan *p, int64_t unix_ms);

struct scripts;
struct hub;
/* Makes every tournament whose registration is open by now, unless it is
 * there. */
void plans_hold(const struct scripts *s, struct hub *h, uint64_t now_ms,
		int64_t unix_ms);

#endif
