/* SPDX-License-Identifier: MIT
 * tourney.h - tournaments in a play: made, entered, played to their end. */
#ifndef PLYD_TESTS_TOURNEY_H
#define PLYD_TESTS_TOURNEY_H

#include "play.h"

/* English draughts, who enters is anyone, no waiting; change what matters. */
struct tournament_terms tourney_terms(enum contest_format f);
/* `name` makes it; its id. */
struct id tourney_make(struct play *p, const char *name,
		       const struct tournament_terms *terms);
/* Any command that names only the tournament. Returns p->err. */
int tourney_do(struct play *p, const char *name, enum command_type type,
	       const struct id *t);
/* p1, p2 and so on say hello and enter. */
void tourney_enter(struct play *p, const struct id *t, size_t players);
const struct tournament *tourney_at(const struct play *p, const struct id *t);
/* The match of a table of the last round; both from 0. */
const struct match *tourney_match(const struct play *p, const struct id *t,
				  size_t table);
/* Who sits there is called so. */
const char *tourney_name(const struct play *p, const struct id *t,
			 uint16_t entry);
/* Every match that is played is decided: white resigns where the bit of its
 * table is 0 in `who`, else black; then time passes until nothing is left. */
void tourney_play(struct play *p, const struct id *t, uint64_t who);

#endif
