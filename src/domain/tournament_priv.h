/* SPDX-License-Identifier: MIT
 * tournament_priv.h - tournaments from inside. Files: tournament.c (looking,
 * watching, what many need), tournament_make.c (making, directors, moving it
 * on), tournament_enter.c (who takes part), tournament_round.c (rounds, matches
 * and their results), tournament_apply.c (facts), tournament_put.c (snapshots,
 * invariants). */
#ifndef PLYD_DOMAIN_TOURNAMENT_PRIV_H
#define PLYD_DOMAIN_TOURNAMENT_PRIV_H

#include "domain/domain_priv.h"
#include "domain/tournament.h"

enum { TABLE_BYTES = 5 }; /* of FACT_TOURNAMENT_PAIRED */

/* -- tournament.c -- */

struct tournament *find_tournament(const struct domain *d, const struct id *id);
/* The tournament of a command; NULL: it is refused. */
struct tournament *tournament_of(struct domain *d, const struct command *cmd);
/* The same for a director, and only in some states: bits of enum
 * tournament_state. */
struct tournament *tournament_to_direct(struct domain *d,
					const struct command *cmd,
					unsigned states);
void answer_tournament(struct domain *d, const struct command *cmd,
		       const struct tournament *t);
/* To its watchers and directors; `all`: also to everybody in it. */
void tell_tournament(struct domain *d, const struct tournament *t, bool all);
/* The table has changed: it is shown before long. */
void tournament_changed(struct domain *d, struct tournament *t);
/* When something is to be done. */
void tournament_set_due(struct domain *d, struct tournament *t);

/* -- tournament_make.c -- */

/* PLYD_OK; PLYD_ERULESET, PLYD_ECLOCK, PLYD_ELENGTH, PLYD_ETERMS and *why. */
int terms_check(const struct domain *d, const struct tournament_terms *t,
		const char **why);
void tournament_move(struct domain *d, struct tournament *t,
		     enum tournament_state to, enum tournament_end end);
/* It begins, or there are too few. */
void tournament_begin(struct domain *d, struct tournament *t);

/* -- tournament_enter.c -- */

void entry_leave(struct domain *d, struct tournament *t, size_t entry,
		 enum entry_end why);

/* -- tournament_round.c -- */

/* Does one thing of a running tournament; false: there is nothing. */
bool tournament_go_on(struct domain *d, struct tournament *t);
/* When there will be; UINT64_MAX: something else must happen first. */
uint64_t tournament_goes_on_ms(const struct domain *d,
			       const struct tournament *t);

/* -- tournament_apply.c -- */

void tournament_free(struct domain *d, struct tournament *t);
void tournament_watcher_drop(struct tournament_watcher *w);
/* "direct buchholz" and so on. False: it is not such a list. */
bool breaks_read(struct span words, enum contest_break out[BREAKS_MAX],
		 size_t *count);
void breaks_write(const struct tournament_terms *t, char out[BREAKS_TEXT_MAX]);

#endif
