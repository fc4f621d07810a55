/* SPDX-License-Identifier: MIT
 * pairs_knockout.c - a bracket of the next power of two. */
#include "domain/pairs_priv.h"

/* The bracket's places: seed 1 at the top, 2 at the bottom, and in each part
 * the best against the last. */
static size_t bracket(const struct contest *c, uint16_t place[ENTRIES_MAX])
{
	uint16_t order[ENTRIES_MAX], seed[ENTRIES_MAX];
	size_t players = pairs_rank(c, 0, order), size = 1;
	seed[0] = 0;
	while (size < players) {
		/* each place of the smaller bracket becomes two */
		for (size_t i = size; i-- > 0;) {
			uint16_t s = seed[i];
			uint16_t other = (uint16_t)(2 * size - 1 - s);
			seed[2 * i] = i % 2 == 0 ? s : other;
			seed[2 * i + 1] = i % 2 == 0 ? other : s;
		}
		size *= 2;
	}
	for (size_t i = 0; i < size; i++)
		place[i] = seed[i] < players ? order[seed[i]] : NO_ENTRY;
	return size;
}

/* Who goes on from the table of two; NO_ENTRY: nobody. */
static uint16_t winner(const struct contest_round *r, uint16_t a, uint16_t b)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct contest_table *t = &r->table[i];
		enum table_outcome o = (enum table_outcome)t->outcome;
		if ((t->white != a || t->black != b) &&
		    (t->white != b || t->black != a))
			continue;
		if (outcome_won(o, 0) || o == OUTCOME_WHITE_LOT)
			return t->white;
		if (outcome_won(o, 1) || o == OUTCOME_BLACK_LOT)
			return t->black;
	}
	return NO_ENTRY;
}

static uint16_t through(const struct contest_round *r, uint16_t a, uint16_t b)
{
	if (a == NO_ENTRY || b == NO_ENTRY)
		return a == NO_ENTRY ? b : a;
	return winner(r, a, b);
}

static void sit(const struct contest *c, uint16_t a, uint16_t b,
		struct contest_table *out)
{
	bool here[] = { entry_plays(&c->entry[a], c->round_count),
			entry_plays(&c->entry[b], c->round_count) };
	sit_down(c, a, b, out);
	if (here[0] && here[1])
		return;
	bool white = here[out->white == b];
	bool black = here[out->black == b];
	out->outcome = white   ? OUTCOME_WHITE_FORFEIT
		       : black ? OUTCOME_BLACK_FORFEIT
			       : OUTCOME_NEITHER;
}

size_t pairs_knockout(const struct contest *c, struct contest_table *out)
{
	uint16_t place[ENTRIES_MAX];
	size_t size = bracket(c, place), count = 0, left = 0;
	for (size_t r = 0; r < c->round_count; r++, size /= 2)
		for (size_t i = 0; i < size / 2; i++)
			place[i] = through(&c->round[r], place[2 * i],
					   place[2 * i + 1]);
	for (size_t i = 0; i < size; i++)
		left += place[i] != NO_ENTRY;
	if (left < 2)
		return 0; /* there is a winner, or nobody */
	for (size_t i = 0; i + 1 < size; i += 2) {
		uint16_t a = place[i], b = place[i + 1];
		if (a != NO_ENTRY && b != NO_ENTRY)
			sit(c, a, b, &out[count++]);
		else if (a != NO_ENTRY || b != NO_ENTRY)
			sit_alone(a == NO_ENTRY ? b : a, &out[count++]);
	}
	return count;
}
