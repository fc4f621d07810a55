/* SPDX-License-Identifier: MIT
 * pairs_swiss.c - the costs of a pair, and the pairing that costs least. */
#include "domain/matching.h"
#include "domain/pairs_priv.h"

#include <assert.h>
#include <stdlib.h>

#include <plyd/err.h>

enum {
	COST_BYE_AGAIN,
	COST_MET,
	COST_COLOUR_MUST,
	COST_BYE_SCORE,
	COST_APART,
	COST_FLOAT_AGAIN,
	COST_COLOUR_DUE,
	COST_FOLD,
	COST_LOT,
	MET_MOST = 3,
	GROUPS_APART_MOST = 15,
	FOLD_MOST = 255,
	LOT_BITS = 30,
};
_Static_assert(COST_LOT + 1 == PAIR_COSTS, "as pairs.h lists them");

/* The most that one table, or with a bye one pairing, can cost. */
static const struct {
	int64_t most;
	bool once;
} ranges[PAIR_COSTS] = {
	[COST_BYE_AGAIN] = { MET_MOST, true },
	[COST_MET] = { MET_MOST, false },
	[COST_COLOUR_MUST] = { 1, false },
	[COST_BYE_SCORE] = { GROUPS_APART_MOST, true },
	[COST_APART] = { GROUPS_APART_MOST * GROUPS_APART_MOST, false },
	[COST_FLOAT_AGAIN] = { 2, false },
	[COST_COLOUR_DUE] = { 1, false },
	[COST_FOLD] = { FOLD_MOST, false },
	[COST_LOT] = { ((int64_t)1 << LOT_BITS) - 1, false },
};

/* One who takes part, in order of rank. */
struct swiss_player {
	uint16_t entry;
	int group; /* 0 the leaders */
	int place; /* in his group */
	int group_size;
	int byes;
	int floated; /* in the last round: 1 down, -1 up */
	struct colours colours;
	uint64_t lot;
};

struct swiss {
	const struct contest *c;
	size_t count;
	int groups;
	struct swiss_player player[ENTRIES_MAX];
	uint16_t of[ENTRIES_MAX];              /* an entry's place in player */
	uint8_t met[ENTRIES_MAX][ENTRIES_MAX]; /* by place in player */
};

static int at_most(int n, int most)
{
	return n < most ? n : most;
}

static void note_history(struct swiss *s, uint16_t white, uint16_t black,
			 enum table_outcome o)
{
	size_t a = s->of[white];
	if (o == OUTCOME_BYE && a != NO_ENTRY)
		s->player[a].byes++;
	if (black == NO_ENTRY || a == NO_ENTRY || s->of[black] == NO_ENTRY)
		return;
	size_t b = s->of[black];
	if (s->met[a][b] < MET_MOST)
		s->met[b][a] = ++s->met[a][b];
}

/* Who played one of another score in the last round floated. */
static void note_floats(struct swiss *s)
{
	const struct contest *c = s->c;
	int score[ENTRIES_MAX];
	if (c->round_count == 0)
		return;
	const struct contest_round *last = &c->round[c->round_count - 1];
	contest_scores(c, c->round_count - 1, score);
	for (size_t i = 0; i < last->count; i++) {
		const struct contest_table *t = &last->table[i];
		bool bye = t->black == NO_ENTRY;
		int diff = bye ? 1 : score[t->white] - score[t->black];
		int way = diff > 0 ? 1 : diff < 0 ? -1 : 0;
		if (s->of[t->white] != NO_ENTRY)
			s->player[s->of[t->white]].floated = way;
		if (!bye && s->of[t->black] != NO_ENTRY)
			s->player[s->of[t->black]].floated = -way;
	}
}

static void set_groups(struct swiss *s)
{
	int score[ENTRIES_MAX];
	size_t first = 0;
	contest_scores(s->c, s->c->round_count, score);
	for (size_t i = 0; i < s->count; i++) {
		struct swiss_player *p = &s->player[i];
		if (i > 0 && score[p->entry] != score[s->player[i - 1].entry]) {
			s->groups++;
			first = i;
		}
		p->group = s->groups;
		p->place = (int)(i - first);
		for (size_t j = first; j <= i; j++)
			s->player[j].group_size = p->place + 1;
	}
	s->groups++;
}

static int swiss_new(struct swiss **out, const struct contest *c)
{
	uint16_t order[ENTRIES_MAX];
	struct swiss *s = calloc(1, sizeof(*s));
	*out = s;
	if (!s)
		return PLYD_ENOMEM;
	s->c = c;
	memset(s->of, 0xff, sizeof(s->of));
	s->count = pairs_rank(c, c->round_count, order);
	for (size_t i = 0; i < s->count; i++) {
		struct swiss_player *p = &s->player[i];
		p->entry = order[i];
		p->colours = colours_of(c, order[i]);
		p->lot = contest_round_lot(c, c->round_count, order[i]);
		s->of[order[i]] = (uint16_t)i;
	}
	set_groups(s);
	for (size_t r = 0; r < c->round_count; r++)
		for (size_t i = 0; i < c->round[r].count; i++) {
			const struct contest_table *t = &c->round[r].table[i];
			note_history(s, t->white, t->black,
				     (enum table_outcome)t->outcome);
		}
	note_floats(s);
	return PLYD_OK;
}

/* -- what a pair costs -- */

static int fold(const struct swiss_player *a, const struct swiss_player *b)
{
	int way = a->group == b->group
			  ? abs(b->place - a->place - a->group_size / 2)
			  : a->group_size - 1 - a->place + b->place;
	return at_most(way, FOLD_MOST);
}

/* a is ranked before b. */
static struct pairing_cost cost_of_pair(const struct swiss *s, size_t a,
					size_t b)
{
	const struct swiss_player *x = &s->player[a], *y = &s->player[b];
	int apart = at_most(y->group - x->group, GROUPS_APART_MOST);
	struct pairing_cost k = { { 0 } };
	bool same = x->colours.due >= 0 && x->colours.due == y->colours.due;
	k.of[COST_MET] = s->met[a][b];
	k.of[COST_COLOUR_MUST] = same && x->colours.must && y->colours.must;
	k.of[COST_APART] = (int64_t)apart * apart;
	k.of[COST_FLOAT_AGAIN] =
		apart > 0 ? (x->floated == 1) + (y->floated == -1) : 0;
	k.of[COST_COLOUR_DUE] = same;
	k.of[COST_FOLD] = fold(x, y);
	k.of[COST_LOT] =
		(int64_t)(table_lot(x->lot, y->lot) >> (64 - LOT_BITS));
	return k;
}

static struct pairing_cost cost_of_bye(const struct swiss *s, size_t a)
{
	const struct swiss_player *x = &s->player[a];
	struct pairing_cost k = { { 0 } };
	k.of[COST_BYE_AGAIN] = at_most(x->byes, MET_MOST);
	k.of[COST_BYE_SCORE] =
		at_most(s->groups - 1 - x->group, GROUPS_APART_MOST);
	k.of[COST_FLOAT_AGAIN] = x->floated == 1;
	k.of[COST_FOLD] = at_most(x->group_size - 1 - x->place, FOLD_MOST);
	k.of[COST_LOT] = (int64_t)(x->lot >> (64 - LOT_BITS));
	return k;
}

/* One number whose order is that of the sums. */
static match_cost in_one(const struct pairing_cost *k,
			 const match_cost unit[PAIR_COSTS])
{
	match_cost sum = 0;
	for (size_t i = 0; i < PAIR_COSTS; i++)
		sum += unit[i] * k->of[i];
	return sum;
}

static void set_units(size_t tables, match_cost unit[PAIR_COSTS])
{
	match_cost one = 1;
	for (size_t i = PAIR_COSTS; i-- > 0;) {
		unit[i] = one;
		one *= ranges[i].most *
			       (match_cost)(ranges[i].once ? 1 : tables) +
		       1;
	}
	assert(one < (match_cost)1 << MATCH_COST_BITS);
}

static int solve(const struct swiss *s, uint16_t *mate)
{
	size_t n = s->count + s->count % 2;
	match_cost unit[PAIR_COSTS];
	match_cost *cost = calloc(n * n, sizeof(*cost));
	if (!cost)
		return PLYD_ENOMEM;
	set_units(n / 2, unit);
	for (size_t a = 0; a < n; a++)
		for (size_t b = a + 1; b < n; b++) {
			struct pairing_cost k = b < s->count
							? cost_of_pair(s, a, b)
							: cost_of_bye(s, a);
			cost[a * n + b] = cost[b * n + a] = in_one(&k, unit);
		}
	int err = matching_least(n, cost, mate);
	free(cost);
	return err;
}

int pairs_swiss(const struct contest *c, struct contest_table *out,
		size_t *count)
{
	uint16_t mate[ENTRIES_MAX];
	struct swiss *s;
	*count = 0;
	if (contest_active(c, c->round_count) < 2)
		return PLYD_OK;
	int err = swiss_new(&s, c);
	if (!err)
		err = solve(s, mate);
	for (size_t a = 0; !err && a < s->count; a++) {
		if (mate[a] < a)
			continue;
		if (mate[a] >= s->count)
			sit_alone(s->player[a].entry, &out[(*count)++]);
		else
			sit_down(c, s->player[a].entry,
				 s->player[mate[a]].entry, &out[(*count)++]);
	}
	free(s);
	return err;
}

int pairs_cost(const struct contest *c, const struct contest_table *table,
	       size_t count, struct pairing_cost *out)
{
	struct swiss *s;
	*out = (struct pairing_cost){ { 0 } };
	int err = swiss_new(&s, c);
	for (size_t i = 0; !err && i < count; i++) {
		size_t a = s->of[table[i].white];
		size_t b = table[i].black == NO_ENTRY ? NO_ENTRY
						      : s->of[table[i].black];
		struct pairing_cost k =
			b == NO_ENTRY
				? cost_of_bye(s, a)
				: cost_of_pair(s, a < b ? a : b, a < b ? b : a);
		for (size_t j = 0; j < PAIR_COSTS; j++)
			out->of[j] += k.of[j];
	}
	free(s);
	return err;
}
