/* SPDX-License-Identifier: MIT
 * late.h - matches as their spectators see them where these are shown late. A
 * second domain holds such matches; the public facts of the first are applied
 * to it when their time has come, so a spectator's snapshot and his events are
 * of one moment and have no hole between them. It is made again by replay, and
 * is in no snapshot. */
#ifndef PLYD_DOMAIN_LATE_H
#define PLYD_DOMAIN_LATE_H

#include "domain/domain_priv.h"

/* Something that spectators have not seen yet. */
struct late_item {
	uint64_t at_ms; /* when they may */
	bool is_fact;   /* else a player came or went */
	struct fact fact;
	enum side side;
	bool here;
	struct late_item *next;
	uint8_t bytes[]; /* that the fact points to */
};

struct late {
	struct match *match; /* as its players see it */
	struct match *shown; /* as its spectators do; of the late domain */
	struct late_item *first;
	struct late_item **last;
	struct due due;
};

/* A public fact was applied to m, whose spectators see it late: BEGUN they see
 * at once, the rest waits. PLYD_ENOMEM. */
int late_fact(struct domain *d, struct match *m, const struct fact *f);
/* The player of a side came or went. */
void late_presence(struct domain *d, struct match *m, enum side side);
/* The next thing is due: shows it. */
void late_due(struct domain *d, struct late *l);
/* What was due before now was seen before a restart. */
void late_catch_up(struct domain *d, struct match *m);
/* Spectators of m came or went. */
void late_watchers(struct match *m);
void late_free(struct domain *d, struct match *m);
/* What the last step showed is no longer lent. */
void late_forget_shown(struct domain *d);

#endif
