/* SPDX-License-Identifier: MIT
 * standings.h - the table of a tournament, worked out from its rounds. A table
 * that is not decided counts for nobody and nothing; an opponent is one whom he
 * sat down and played with, so byes and forfeits are in the score but in no
 * Buchholz and no Sonneborn-Berger. */
#ifndef PLYD_DOMAIN_STANDINGS_H
#define PLYD_DOMAIN_STANDINGS_H

#include "domain/contest.h"

struct ranking {
	uint16_t entry;
	uint16_t rank; /* from 1; who are level in everything share it */
	int32_t score; /* in halves */
	uint16_t won, drawn, lost; /* won and lost by forfeit too, byes won */
	/* by enum contest_break, whatever is in use: Sonneborn-Berger in
	 * quarters, Buchholz, halves and `direct` in halves; `lots`: the place
	 * by lot, from 1 for who is drawn first */
	int32_t value[BREAK_COUNT];
};

/* Fills out[] in order of rank, all entries of the contest. */
void standings(const struct contest *c, struct ranking out[ENTRIES_MAX]);

#endif
