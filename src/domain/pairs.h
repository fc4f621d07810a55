/* SPDX-License-Identifier: MIT
 * pairs.h - who plays whom in the next round, and with which colour. Pure: the
 * contest, its seed in it, gives the pairs, and nothing else does. Tables come
 * with what is decided already: byes, and forfeits of those who have left. */
#ifndef PLYD_DOMAIN_PAIRS_H
#define PLYD_DOMAIN_PAIRS_H

#include "domain/contest.h"

enum { TABLES_MAX = ENTRIES_MAX / 2 };

/* Sets the tables of round c->round_count; *count of them, at most TABLES_MAX.
 * None: nothing is left to be played, or fewer than two take part in what
 * needs two (a round robin goes on: its tables are forfeits). PLYD_ENOMEM.
 *
 * Round robin: the entries of the first round, in the order of their lots, sit
 * down by Berger's tables; who is alone has a bye. The second cycle of a double
 * one has the colours exchanged; the last two rounds of the first one then
 * change places, so that nobody has a colour three times running.
 *
 * Swiss: of all ways to pair those who take part (and one bye, if they are an
 * odd number) the one that costs least. Costs, each the sum over the tables,
 * are compared in this order; see pairs_cost():
 *  1 byes that he who has this one had before
 *  2 times that the two have met before
 *  3 both must have the same colour: its balance is at 2, or he had the other
 *    one in his last two games
 *  4 score groups below the one whose player has the bye
 *  5 the square of how many score groups the two are apart
 *  6 either plays up, or down (a bye is down), as he did the round before
 *  7 both are due the same colour
 *  8 how far it is from the top half of a score group meeting its bottom half
 *    in order; between groups, from the last of the upper meeting the first of
 *    the lower; a bye, from the last of its group
 *  9 a lot: the first 30 bits of splitmix64(round lot of one + of the other)
 * Within a score group the order is by rating, then by lot. Colours then: who
 * must have one gets it; else who has had it less (whites less blacks); else
 * the contrary of the last round in which the two had different ones; else by
 * lot: the better ranked has white if the last bit of the table's lot is 0.
 *
 * Knock-out: by rating, then by lot, 1 meets the last and so on in the usual
 * bracket; places without a player are byes of the best. Winners meet in the
 * order of the bracket; colours as in a Swiss. */
int pairs_next(const struct contest *c, struct contest_table *out,
	       size_t *count);

/* The entries that take part in round `round`, best first: by score of the
 * rounds before, by rating, by lot. Returns how many. */
size_t pairs_rank(const struct contest *c, size_t round,
		  uint16_t out[ENTRIES_MAX]);

/* Each cost of a Swiss pairing, in order; for those who check one. */
enum { PAIR_COSTS = 9 };
struct pairing_cost {
	int64_t of[PAIR_COSTS];
};
/* What these tables of round c->round_count cost; each entry that takes part
 * sits at one of them. PLYD_ENOMEM. */
int pairs_cost(const struct contest *c, const struct contest_table *table,
	       size_t count, struct pairing_cost *out);

#endif
