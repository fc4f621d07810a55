/* SPDX-License-Identifier: MIT */
#include "domain/standings.h"

#include <stdlib.h>

/* Every table, seen from both of its sides. */
typedef void side_fn(const struct contest *c, const struct contest_table *t,
		     int side, struct ranking *of);

static void each_side(const struct contest *c, struct ranking *by_entry,
		      side_fn *fn)
{
	for (size_t r = 0; r < c->round_count; r++)
		for (size_t i = 0; i < c->round[r].count; i++) {
			const struct contest_table *t = &c->round[r].table[i];
			fn(c, t, 0, by_entry);
			if (t->black != NO_ENTRY)
				fn(c, t, 1, by_entry);
		}
}

static uint16_t sitting(const struct contest_table *t, int side)
{
	return side == 0 ? t->white : t->black;
}

static void count_result(const struct contest *c, const struct contest_table *t,
			 int side, struct ranking *of)
{
	struct ranking *s = &of[sitting(t, side)];
	enum table_outcome o = (enum table_outcome)t->outcome;
	bool won = outcome_won(o, side), drawn = outcome_drawn(o);
	if (o == OUTCOME_PENDING)
		return;
	s->score += contest_table_score(c, t, side);
	s->won += won;
	s->drawn += drawn;
	s->lost += !won && !drawn;
	s->value[BREAK_WINS] += won;
	s->value[BREAK_HALVES] += won ? 2 : drawn;
}

static void count_opponent(const struct contest *c,
			   const struct contest_table *t, int side,
			   struct ranking *of)
{
	enum table_outcome o = (enum table_outcome)t->outcome;
	(void)c;
	if (!outcome_played(o))
		return;
	struct ranking *s = &of[sitting(t, side)];
	int score = of[sitting(t, 1 - side)].score;
	int32_t *cut = &s->value[BREAK_BUCHHOLZ_CUT];
	s->value[BREAK_BUCHHOLZ] += score;
	if (*cut < 0 || score < *cut)
		*cut = score; /* the lowest, for now */
	s->value[BREAK_SONNEBORN_BERGER] += outcome_won(o, side) ? 2 * score
					    : outcome_drawn(o)   ? score
								 : 0;
}

struct drawn_lot {
	uint64_t lot;
	size_t entry;
};

static int lower_first(const void *a, const void *b)
{
	const struct drawn_lot *x = a, *y = b;
	if (x->lot != y->lot)
		return x->lot < y->lot ? -1 : 1;
	return x->entry < y->entry ? -1 : 1;
}

static void draw_lots(const struct contest *c, struct ranking *of)
{
	struct drawn_lot order[ENTRIES_MAX];
	for (size_t i = 0; i < c->entry_count; i++)
		order[i] = (struct drawn_lot){ contest_lot(c, i), i };
	qsort(order, c->entry_count, sizeof(*order), lower_first);
	for (size_t i = 0; i < c->entry_count; i++)
		of[order[i].entry].value[BREAK_LOTS] = (int32_t)i + 1;
}

static void count_all(const struct contest *c, struct ranking *of)
{
	for (size_t i = 0; i < c->entry_count; i++) {
		of[i] = (struct ranking){ .entry = (uint16_t)i };
		of[i].value[BREAK_BUCHHOLZ_CUT] = -1;
	}
	each_side(c, of, count_result);
	each_side(c, of, count_opponent);
	for (size_t i = 0; i < c->entry_count; i++) {
		int32_t *cut = &of[i].value[BREAK_BUCHHOLZ_CUT];
		*cut = of[i].value[BREAK_BUCHHOLZ] - (*cut < 0 ? 0 : *cut);
	}
	draw_lots(c, of);
}

/* -- order -- */

/* What they are compared by now; more is better. */
struct keyed {
	struct ranking s;
	int64_t key;
};

static int more_first(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;
	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	return x->s.entry < y->s.entry ? -1 : x->s.entry > y->s.entry;
}

/* Games that a and b played with each other, and what a made of them. */
static size_t met(const struct contest *c, uint16_t a, uint16_t b, int *score)
{
	size_t games = 0;
	for (size_t r = 0; r < c->round_count; r++)
		for (size_t i = 0; i < c->round[r].count; i++) {
			const struct contest_table *t = &c->round[r].table[i];
			bool white = t->white == a && t->black == b;
			if ((!white && (t->white != b || t->black != a)) ||
			    !outcome_played((enum table_outcome)t->outcome))
				continue;
			*score += contest_table_score(c, t, !white);
			games++;
		}
	return games;
}

/* The score of each among themselves, or 0 for all if some have not met: every
 * two of the group must have played each other as often. */
static void key_direct(const struct contest *c, struct keyed *group, size_t n)
{
	size_t games = 0;
	bool all = n > 1 && n <= ROBIN_MAX;
	for (size_t i = 0; all && i < n; i++) {
		int score = 0;
		for (size_t j = 0; all && j < n; j++) {
			if (i == j)
				continue;
			size_t g = met(c, group[i].s.entry, group[j].s.entry,
				       &score);
			if (games == 0)
				games = g;
			all = g > 0 && g == games;
		}
		group[i].key = score;
	}
	for (size_t i = 0; i < n; i++) {
		if (!all)
			group[i].key = 0;
		group[i].s.value[BREAK_DIRECT] = (int32_t)group[i].key;
	}
}

static void key_by(const struct contest *c, enum contest_break b,
		   struct keyed *group, size_t n)
{
	if (b == BREAK_DIRECT) {
		key_direct(c, group, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		int64_t value = group[i].s.value[b];
		group[i].key = b == BREAK_LOTS ? -value : value;
	}
}

/* Those at group[0..n-1] are level so far. */
static void order_group(const struct contest *c, size_t next,
			struct keyed *group, size_t n, uint16_t rank)
{
	while (n > 1 && next < c->break_count) {
		size_t from = 0;
		key_by(c, c->breaks[next++], group, n);
		qsort(group, n, sizeof(*group), more_first);
		while (from < n && group[from].key == group[0].key)
			from++;
		if (from == n)
			continue; /* level in this too */
		order_group(c, next, group, from, rank);
		/* the rest is level among themselves by parts */
		for (size_t i = from; i < n;) {
			size_t end = i;
			while (end < n && group[end].key == group[i].key)
				end++;
			order_group(c, next, group + i, end - i,
				    (uint16_t)(rank + i));
			i = end;
		}
		return;
	}
	for (size_t i = 0; i < n; i++)
		group[i].s.rank = rank;
}

void standings(const struct contest *c, struct ranking out[ENTRIES_MAX])
{
	struct keyed order[ENTRIES_MAX];
	size_t n = c->entry_count;
	count_all(c, out);
	for (size_t i = 0; i < n; i++)
		order[i] = (struct keyed){ out[i], out[i].score };
	qsort(order, n, sizeof(*order), more_first);
	for (size_t i = 0; i < n;) {
		size_t end = i;
		while (end < n && order[end].key == order[i].key)
			end++;
		order_group(c, 0, order + i, end - i, (uint16_t)(i + 1));
		i = end;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = order[i].s;
}
