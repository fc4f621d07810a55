/* SPDX-License-Identifier: MIT
 * pairs_robin.c - Berger's tables. With n seats, n even, the seats below n meet
 * in round r (from 0) where the sum of their numbers (from 1) is r + 2 modulo
 * n - 1, and n meets the one who would meet himself. */
#include "domain/pairs_priv.h"

#include <stdlib.h>

struct seat_lot {
	uint64_t lot;
	uint16_t entry;
};

static int by_lot(const void *a, const void *b)
{
	const struct seat_lot *x = a, *y = b;
	if (x->lot != y->lot)
		return x->lot < y->lot ? -1 : 1;
	return x->entry < y->entry ? -1 : 1;
}

/* Who sits where: all who took part in the first round. */
static size_t seats_of(const struct contest *c, uint16_t seat[ENTRIES_MAX])
{
	struct seat_lot order[ENTRIES_MAX];
	size_t n = 0;
	for (size_t i = 0; i < c->entry_count; i++)
		if (entry_plays(&c->entry[i], 0))
			order[n++] = (struct seat_lot){ contest_lot(c, i),
							(uint16_t)i };
	qsort(order, n, sizeof(*order), by_lot);
	for (size_t i = 0; i < n; i++)
		seat[i] = order[i].entry;
	return n;
}

/* Among equals the one with the smaller number has white if the sum is odd,
 * the greater if it is even; n has black against the lower half. */
static bool first_has_white(size_t a, size_t b, size_t n)
{
	if (b == n)
		return a <= n / 2;
	return (a + b) % 2 == 1;
}

static void sit(const struct contest *c, uint16_t white, uint16_t black,
		struct contest_table *out)
{
	bool here[] = { entry_plays(&c->entry[white], c->round_count),
			entry_plays(&c->entry[black], c->round_count) };
	*out = (struct contest_table){ .white = white, .black = black };
	out->outcome = here[0] && here[1] ? OUTCOME_PENDING
		       : here[0]          ? OUTCOME_WHITE_FORFEIT
		       : here[1]          ? OUTCOME_BLACK_FORFEIT
					  : OUTCOME_NEITHER;
}

/* Who meets a in round r, both from 1. */
static size_t partner(size_t a, size_t r, size_t n)
{
	if (a == n)
		return 0; /* by the one whom he meets */
	size_t b = (r + 2 + 2 * (n - 1) - a) % (n - 1);
	if (b == 0)
		b = n - 1;
	return b == a ? n : b;
}

size_t pairs_robin(const struct contest *c, struct contest_table *out)
{
	uint16_t seat[ENTRIES_MAX];
	size_t players = seats_of(c, seat), count = 0;
	size_t n = players + players % 2, round = c->round_count;
	bool twice = c->format == FORMAT_DOUBLE_ROBIN;
	if (contest_active(c, round) < 2 ||
	    round >= contest_rounds(c->format, players, 0))
		return 0;
	bool second = round >= n - 1;
	if (twice && n > 2 && (round == n - 2 || round == n - 3))
		round = 2 * n - 5 - round; /* the two change places */
	else
		round %= n - 1;
	for (size_t a = 1; a < n; a++) {
		size_t b = partner(a, round, n);
		if (b < a)
			continue;
		uint16_t x = seat[a - 1];
		if (b > players) {
			if (entry_plays(&c->entry[x], c->round_count))
				sit_alone(x, &out[count++]);
			continue;
		}
		uint16_t y = seat[b - 1];
		bool white = first_has_white(a, b, n) != second;
		sit(c, white ? x : y, white ? y : x, &out[count++]);
	}
	return count;
}
