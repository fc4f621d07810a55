/* SPDX-License-Identifier: MIT
 * contest_maker.h - tournaments for the tests of pairing and standings. */
#ifndef PLYD_TESTS_CONTEST_MAKER_H
#define PLYD_TESTS_CONTEST_MAKER_H

#include "domain/pairs.h"
#include "domain/standings.h"

struct contest_maker {
	struct contest c;
	struct contest_entry entry[ENTRIES_MAX];
	struct contest_round round[2 * ROBIN_MAX];
	struct contest_table table[2 * ROBIN_MAX][TABLES_MAX];
};

/* `players` of them, the first with the best rating; the seed is made of
 * `number`. Scored 1, one half, 0. */
void maker_begin(struct contest_maker *m, enum contest_format f, size_t players,
		 uint32_t number);
/* A round of these tables, white first; "1-0", "0-1" and so on is the outcome;
 * black NO_ENTRY is a bye. */
void maker_table(struct contest_maker *m, size_t round, unsigned white,
		 unsigned black, enum table_outcome o);
/* Pairs the next round by pairs_next(); how many tables it has. */
size_t maker_pair(struct contest_maker *m);
/* The round of crosstable rows like "+W10 -B2 =W3 +BYE", one for each entry,
 * opponents counted from 1. */
void maker_crosstable(struct contest_maker *m, const char *const *row,
		      size_t players, size_t rounds);

#endif
