/* SPDX-License-Identifier: MIT
 * verify_tournament.h - a whole tournament, as its export tells it, against
 * what follows from its entries, its results and its seed: every pairing and
 * the table. Pure. */
#ifndef PLYD_RECORD_VERIFY_TOURNAMENT_H
#define PLYD_RECORD_VERIFY_TOURNAMENT_H

#include "base/digest.h"
#include "domain/contest.h"
#include "domain/pairs.h"
#include "domain/standings.h"

enum { TOURNAMENT_WHY_MAX = 160 };

/* A table was another one before a director decided. */
struct told_correction {
	uint16_t round, table;
	uint16_t paired; /* rounds that were paired then */
	uint8_t was;
	uint8_t was_points[2];
};

struct told_tournament {
	struct digest commitment;
	struct contest contest; /* as it is at the end */
	size_t correction_count;
	const struct told_correction *correction; /* in order */
	size_t row_count;
	const struct ranking *row; /* in order; value[] is not looked at */
};

/* Whether all of it follows; else *why says what does not. PLYD_OK;
 * PLYD_ERECORD: it does not. PLYD_ENOMEM. */
int tournament_verify(const struct told_tournament *t,
		      char why[TOURNAMENT_WHY_MAX]);

#endif
