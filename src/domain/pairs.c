/* SPDX-License-Identifier: MIT
 * pairs.c - the order of the entries, and colours. */
#include "domain/pairs_priv.h"

#include <stdlib.h>

#include <plyd/err.h>

int pairs_next(const struct contest *c, struct contest_table *out,
	       size_t *count)
{
	*count = 0;
	switch (c->format) {
	case FORMAT_SWISS: return pairs_swiss(c, out, count);
	case FORMAT_KNOCKOUT: *count = pairs_knockout(c, out); break;
	case FORMAT_ROBIN:
	case FORMAT_DOUBLE_ROBIN: *count = pairs_robin(c, out); break;
	case FORMAT_COUNT: break;
	}
	return PLYD_OK;
}

/* -- order -- */

struct ranked {
	int score;
	int rating;
	uint64_t lot;
	uint16_t entry;
};

static int better_first(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	if (x->rating != y->rating)
		return x->rating > y->rating ? -1 : 1;
	if (x->lot != y->lot)
		return x->lot < y->lot ? -1 : 1;
	return x->entry < y->entry ? -1 : 1;
}

size_t pairs_rank(const struct contest *c, size_t round,
		  uint16_t out[ENTRIES_MAX])
{
	struct ranked order[ENTRIES_MAX];
	int score[ENTRIES_MAX];
	size_t n = 0;
	contest_scores(c, round < c->round_count ? round : c->round_count,
		       score);
	for (size_t i = 0; i < c->entry_count; i++)
		if (entry_plays(&c->entry[i], round))
			order[n++] =
				(struct ranked){ score[i], c->entry[i].rating,
						 contest_lot(c, i),
						 (uint16_t)i };
	qsort(order, n, sizeof(*order), better_first);
	for (size_t i = 0; i < n; i++)
		out[i] = order[i].entry;
	return n;
}

/* -- colours -- */

/* The table of an entry in a round, and his side; NULL: he sat at none. */
static const struct contest_table *
table_of(const struct contest *c, size_t round, size_t entry, int *side)
{
	const struct contest_round *r = &c->round[round];
	for (size_t i = 0; i < r->count; i++) {
		const struct contest_table *t = &r->table[i];
		if (t->white != entry && t->black != entry)
			continue;
		*side = t->black == entry;
		return t;
	}
	return NULL;
}

/* The side that he played in a round, or -1. */
static int side_in(const struct contest *c, size_t round, size_t entry)
{
	int side;
	const struct contest_table *t = table_of(c, round, entry, &side);
	return t && outcome_played((enum table_outcome)t->outcome) ? side : -1;
}

struct colours colours_of(const struct contest *c, size_t entry)
{
	struct colours k = { .last = { -1, -1 }, .due = -1 };
	for (size_t r = 0; r < c->round_count; r++) {
		int side = side_in(c, r, entry);
		if (side < 0)
			continue;
		k.balance += side == 0 ? 1 : -1;
		k.last[1] = k.last[0];
		k.last[0] = side;
	}
	if (k.last[0] >= 0 && k.last[0] == k.last[1]) {
		k.must = true;
		k.due = 1 - k.last[0];
	}
	if (abs(k.balance) >= 2) { /* the balance before the sequence */
		k.must = true;
		k.due = k.balance > 0;
	} else if (!k.must && k.balance != 0) {
		k.due = k.balance > 0;
	} else if (!k.must && k.last[0] >= 0) {
		k.due = 1 - k.last[0];
	}
	return k;
}

/* Whether `a` has white by the last round in which they had different colours;
 * -1: there is none. */
static int by_history(const struct contest *c, uint16_t a, uint16_t b)
{
	for (size_t r = c->round_count; r-- > 0;) {
		int x = side_in(c, r, a), y = side_in(c, r, b);
		if (x >= 0 && y >= 0 && x != y)
			return x == 1;
	}
	return -1;
}

static bool better_has_white(const struct contest *c, uint16_t a, uint16_t b)
{
	struct colours x = colours_of(c, a), y = colours_of(c, b);
	if (x.must && !y.must)
		return x.due == 0;
	if (y.must && !x.must)
		return y.due == 1;
	if (x.balance != y.balance)
		return x.balance < y.balance;
	if (x.due != y.due && x.due >= 0)
		return x.due == 0;
	if (x.due != y.due)
		return y.due == 1;
	int white = by_history(c, a, b);
	if (white >= 0)
		return white;
	return (table_lot(contest_round_lot(c, c->round_count, a),
			  contest_round_lot(c, c->round_count, b)) &
		1) == 0;
}

void sit_down(const struct contest *c, uint16_t better, uint16_t other,
	      struct contest_table *out)
{
	bool white = better_has_white(c, better, other);
	*out = (struct contest_table){ .white = white ? better : other,
				       .black = white ? other : better,
				       .outcome = OUTCOME_PENDING };
}

void sit_alone(uint16_t entry, struct contest_table *out)
{
	*out = (struct contest_table){ .white = entry,
				       .black = NO_ENTRY,
				       .outcome = OUTCOME_BYE };
}

uint64_t table_lot(uint64_t a, uint64_t b)
{
	uint64_t x = a + b + 0x9e3779b97f4a7c15u; /* splitmix64 */
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}
