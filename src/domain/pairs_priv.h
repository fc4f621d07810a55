/* SPDX-License-Identifier: MIT
 * pairs_priv.h - what the formats share. */
#ifndef PLYD_DOMAIN_PAIRS_PRIV_H
#define PLYD_DOMAIN_PAIRS_PRIV_H

#include "domain/pairs.h"

/* What his games so far say about the colour of the next one. */
struct colours {
	int balance; /* whites less blacks */
	int last[2]; /* the last game's side and the one before; -1: none */
	bool must;   /* he must have the side that is due */
	int due;     /* 0 white, 1 black, -1 either */
};
struct colours colours_of(const struct contest *c, size_t entry);

/* Sits the two down: white and black by what they are due. `better` is ranked
 * before the other. */
void sit_down(const struct contest *c, uint16_t better, uint16_t other,
	      struct contest_table *out);

/* A table of nobody, or of one, whom nobody plays. */
void sit_alone(uint16_t entry, struct contest_table *out);

/* The lot of a table, from the round lots of its two. */
uint64_t table_lot(uint64_t a, uint64_t b);

int pairs_swiss(const struct contest *c, struct contest_table *out,
		size_t *count);
size_t pairs_robin(const struct contest *c, struct contest_table *out);
size_t pairs_knockout(const struct contest *c, struct contest_table *out);

#endif
