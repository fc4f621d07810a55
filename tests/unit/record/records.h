/* SPDX-License-Identifier: MIT
 * records.h - whole records for tests: played, taken apart, and changed. */
#ifndef PLYD_TESTS_RECORDS_H
#define PLYD_TESTS_RECORDS_H

#include "journal.h"
#include "record/verify.h"

enum { RECORD_FACTS_MAX = 8192 };

struct record {
	struct id match;
	struct digest head;
	size_t count;
	struct buf fact[RECORD_FACTS_MAX];
};

/* How a record is to end, and what is to happen in it. */
enum record_plot {
	PLOT_PLAYED, /* to the end by random moves */
	PLOT_FLAG,
	PLOT_RESIGNED,
	PLOT_AGREED, /* after an offer that was declined */
	PLOT_ABORTED,
	PLOT_CLAIMED,
	PLOT_OFFERS, /* all that offers may do, and resigned at last */
	PLOT_CHATTY  /* played, both offer and decline whenever they may */
};

/* Plays a match of the ruleset and gives its record. Free it. */
struct record *record_play(const char *ruleset, enum record_plot plot,
			   uint64_t seed);
/* The record of a match that a play has ended; its journal was open. */
struct record *record_take(const struct journal *j, const struct id *match);
void record_free(struct record *r);

/* The place of the first fact of this type from `from` on; SIZE_MAX: none. */
size_t record_find(const struct record *r, enum fact_type type, size_t from);

/* Decodes fact i; its texts are lent by doc and the record. */
struct fact record_fact(const struct record *r, struct doc *doc, size_t i);
/* Writes fact i anew. */
void record_put(struct record *r, size_t i, const struct fact *f);
/* Takes fact i out; puts a fact before i. */
void record_cut(struct record *r, size_t i);
void record_insert(struct record *r, size_t i, const struct fact *f);

/* Makes the head right again: a forger would. */
void record_rehead(struct record *r);

/* Judges all; copies what is wrong to why, "" if nothing. */
int record_verify(const struct record *r, char why[VERIFY_WHY_MAX]);

#endif
