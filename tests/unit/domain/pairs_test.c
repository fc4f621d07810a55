/* SPDX-License-Identifier: MIT
 * Who plays whom: published tables, cases, and every other way to pair. */
#include "base/rng.h"
#include "contest_maker.h"
#include "unit.h"

#include <stdio.h>

#include <plyd/err.h>

static struct contest_maker m;

/* -- round robin -- */

/* FIDE Handbook C.05 Annex 1, Berger tables. */
static const struct berger_case {
	const char *name;
	size_t seats;
	const char *round[11];
} berger[] = {
	{ "Berger 4", 4, { "1-4 2-3", "4-3 1-2", "2-4 3-1" } },
	{ "Berger 6",
	  6,
	  { "1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3",
	    "3-6 4-2 5-1" } },
	{ "Berger 8",
	  8,
	  { "1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6",
	    "8-6 7-5 1-4 2-3", "3-8 4-2 5-1 6-7", "8-7 1-6 2-5 3-4",
	    "4-8 5-3 6-2 7-1" } },
	{ "Berger 10",
	  10,
	  { "1-10 2-9 3-8 4-7 5-6", "10-6 7-5 8-4 9-3 1-2",
	    "2-10 3-1 4-9 5-8 6-7", "10-7 8-6 9-5 1-4 2-3",
	    "3-10 4-2 5-1 6-9 7-8", "10-8 9-7 1-6 2-5 3-4",
	    "4-10 5-3 6-2 7-1 8-9", "10-9 1-8 2-7 3-6 4-5",
	    "5-10 6-4 7-3 8-2 9-1" } },
	{ "Berger 12",
	  12,
	  { "1-12 2-11 3-10 4-9 5-8 6-7", "12-7 8-6 9-5 10-4 11-3 1-2",
	    "2-12 3-1 4-11 5-10 6-9 7-8", "12-8 9-7 10-6 11-5 1-4 2-3",
	    "3-12 4-2 5-1 6-11 7-10 8-9", "12-9 10-8 11-7 1-6 2-5 3-4",
	    "4-12 5-3 6-2 7-1 8-11 9-10", "12-10 11-9 1-8 2-7 3-6 4-5",
	    "5-12 6-4 7-3 8-2 9-1 10-11", "12-11 1-10 2-9 3-8 4-7 5-6",
	    "6-12 7-5 8-4 9-3 10-2 11-1" } },
};

/* The entries in the order of their lots, which are their numbers there. */
static void seats_by_lot(const struct contest *c, uint16_t *seat)
{
	for (size_t i = 0; i < c->entry_count; i++) {
		size_t before = 0;
		for (size_t j = 0; j < c->entry_count; j++)
			before += contest_lot(c, j) < contest_lot(c, i);
		seat[before] = (uint16_t)i;
	}
}

static bool has_table(size_t round, unsigned white, unsigned black)
{
	for (size_t i = 0; i < m.round[round].count; i++)
		if (m.table[round][i].white == white &&
		    m.table[round][i].black == black)
			return true;
	return false;
}

static void check_round(size_t round, const char *text, const uint16_t *seat,
			size_t players, bool turned)
{
	unsigned a, b;
	int used;
	size_t tables = 0;
	while (sscanf(text, "%u-%u%n", &a, &b, &used) == 2) {
		text += used;
		tables++;
		unsigned white = turned ? b : a, black = turned ? a : b;
		if (white > players || black > players)
			assert_true(has_table(round,
					      seat[(white > players ? black
								    : white) -
						   1],
					      NO_ENTRY));
		else
			assert_true(has_table(round, seat[white - 1],
					      seat[black - 1]));
	}
	assert_int_equal(tables, m.round[round].count);
}

/* Also with the last seat empty, and twice: then the last two rounds of the
 * first cycle change places, and the second has the colours exchanged. */
static void berger_holds(void **state)
{
	const struct berger_case *b = *state;
	uint16_t seat[ENTRIES_MAX];
	size_t once = b->seats - 1;
	for (size_t players = once; players <= b->seats; players++) {
		maker_begin(&m, FORMAT_ROBIN, players, 7);
		seats_by_lot(&m.c, seat);
		for (size_t r = 0; r < once; r++) {
			assert_true(maker_pair(&m) > 0);
			check_round(r, b->round[r], seat, players, false);
		}
		assert_int_equal(maker_pair(&m), 0);
	}
	maker_begin(&m, FORMAT_DOUBLE_ROBIN, b->seats, 8);
	seats_by_lot(&m.c, seat);
	for (size_t r = 0; r < 2 * once; r++) {
		size_t as = r == once - 2   ? once - 1
			    : r == once - 1 ? once - 2
					    : r % once;
		assert_true(maker_pair(&m) > 0);
		check_round(r, b->round[as], seat, b->seats, r >= once);
	}
	assert_int_equal(maker_pair(&m), 0);
}

static void two_play_twice(void **state)
{
	(void)state;
	maker_begin(&m, FORMAT_DOUBLE_ROBIN, 2, 1);
	assert_int_equal(maker_pair(&m), 1);
	assert_int_equal(maker_pair(&m), 1);
	assert_int_equal(maker_pair(&m), 0);
	assert_int_equal(m.table[0][0].white, m.table[1][0].black);
}

static void who_leaves_a_round_robin_forfeits(void **state)
{
	(void)state;
	maker_begin(&m, FORMAT_ROBIN, 4, 3);
	maker_pair(&m);
	m.entry[2].gone_from = 1;
	for (size_t r = 1; r < 3; r++) {
		assert_int_equal(maker_pair(&m), 2);
		for (size_t i = 0; i < 2; i++) {
			const struct contest_table *t = &m.table[r][i];
			int want = t->white == 2   ? OUTCOME_BLACK_FORFEIT
				   : t->black == 2 ? OUTCOME_WHITE_FORFEIT
						   : OUTCOME_PENDING;
			assert_int_equal(t->outcome, want);
		}
	}
}

/* -- Swiss: cases -- */

enum { A, B, C, D, E };

/* RT-07: the same player got a bye several times. */
static void rt_07_no_second_bye_no_repeat(void **state)
{
	(void)state;
	for (uint32_t seed = 0; seed < 50; seed++) {
		maker_begin(&m, FORMAT_SWISS, 5, seed);
		maker_table(&m, 0, A, B, OUTCOME_WHITE + seed % 3);
		maker_table(&m, 0, C, D, OUTCOME_WHITE + seed / 3 % 3);
		maker_table(&m, 0, E, NO_ENTRY, OUTCOME_BYE);
		maker_table(&m, 1, A, C, OUTCOME_WHITE + seed / 9 % 3);
		maker_table(&m, 1, B, E, OUTCOME_WHITE + seed / 27 % 3);
		maker_table(&m, 1, D, NO_ENTRY, OUTCOME_BYE);
		assert_int_equal(maker_pair(&m), 3);
		static const int fine[][5] = {
			{ A, B, C, D, E },
			{ A, B, D, C, E },
			{ B, A, D, C, E },
			{ C, A, E, B, D },
		};
		bool found = false;
		for (size_t i = 0; i < COUNT(fine); i++) {
			const int *f = fine[i];
			found |= has_table(2, f[0], NO_ENTRY) &&
				 (has_table(2, f[1], f[2]) ||
				  has_table(2, f[2], f[1])) &&
				 (has_table(2, f[3], f[4]) ||
				  has_table(2, f[4], f[3]));
		}
		assert_true(found);
	}
}

/* RT-08: a second bye was given although another had none. */
static void rt_08_the_only_way_is_found(void **state)
{
	(void)state;
	maker_begin(&m, FORMAT_SWISS, 3, 1);
	maker_table(&m, 0, A, B, OUTCOME_WHITE);
	maker_table(&m, 0, C, NO_ENTRY, OUTCOME_BYE);
	maker_table(&m, 1, A, C, OUTCOME_WHITE);
	maker_table(&m, 1, B, NO_ENTRY, OUTCOME_BYE);
	assert_int_equal(maker_pair(&m), 2);
	assert_true(has_table(2, A, NO_ENTRY));
	assert_true(has_table(2, B, C) || has_table(2, C, B));
}

/* RT-09: everybody had withdrawn and was paired all the same. */
static void rt_09_nobody_is_paired_alone(void **state)
{
	(void)state;
	for (size_t stay = 0; stay < 2; stay++)
		for (int f = FORMAT_ROBIN; f < FORMAT_COUNT; f++) {
			maker_begin(&m, (enum contest_format)f, 4, 1);
			for (int r = 0; r < 1; r++) {
				maker_pair(&m);
				for (size_t i = 0; i < 2; i++)
					m.table[r][i].outcome = OUTCOME_WHITE;
			}
			for (size_t i = stay; i < 4; i++)
				m.entry[i].gone_from = 1;
			if (f != FORMAT_KNOCKOUT)
				assert_int_equal(maker_pair(&m), 0);
			else if (maker_pair(&m) == 1)
				assert_int_not_equal(m.table[1][0].outcome,
						     OUTCOME_PENDING);
		}
}

/* A first round by rating: the top half meets the bottom half in order. */
static void a_first_round_is_folded(void **state)
{
	(void)state;
	maker_begin(&m, FORMAT_SWISS, 8, 2);
	assert_int_equal(maker_pair(&m), 4);
	for (unsigned i = 0; i < 4; i++)
		assert_true(has_table(0, i, i + 4) || has_table(0, i + 4, i));
	maker_begin(&m, FORMAT_SWISS, 7, 2);
	assert_int_equal(maker_pair(&m), 4);
	assert_true(has_table(0, 6, NO_ENTRY)); /* the last has the bye */
}

/* A second round worked by hand: 1 to 4 won with white against 5 to 8. The
 * winners meet 1-3 and 2-4, the losers 5-7 and 6-8. */
static void a_second_round_by_hand(void **state)
{
	(void)state;
	maker_begin(&m, FORMAT_SWISS, 8, 2);
	for (unsigned i = 0; i < 4; i++)
		maker_table(&m, 0, i, i + 4, OUTCOME_WHITE);
	assert_int_equal(maker_pair(&m), 4);
	for (unsigned i = 0; i < 6; i++)
		if (i != 2 && i != 3)
			assert_true(has_table(1, i, i + 2) ||
				    has_table(1, i + 2, i));
}

/* Of six, 1 to 3 have won and 4 to 6 lost; 3 is the last of the winners and 4
 * the first of the losers, so they play across. */
static void an_odd_group_floats_from_its_end(void **state)
{
	(void)state;
	maker_begin(&m, FORMAT_SWISS, 6, 2);
	maker_table(&m, 0, 0, 3, OUTCOME_WHITE);
	maker_table(&m, 0, 4, 1, OUTCOME_BLACK);
	maker_table(&m, 0, 2, 5, OUTCOME_WHITE);
	maker_pair(&m);
	/* 1 had white and 2 black, so 1-2 is best for colours; 3 had white as
	 * had 5: both facts leave 3-4 across and 5-6 below */
	assert_true(has_table(1, 1, 0));
	assert_true(has_table(1, 3, 2));
	assert_true(has_table(1, 5, 4));
}

/* Six players and five rounds: the pairs of three rounds may leave no way
 * without a repeat, and then the fewest are repeated. */
static void a_repeat_only_where_there_is_no_other_way(void **state)
{
	(void)state;
	maker_begin(&m, FORMAT_SWISS, 6, 2);
	for (unsigned r = 0; r < 3; r++)
		for (unsigned i = 0; i < 3; i++)
			maker_table(&m, r, i, 3 + (i + r) % 3, OUTCOME_DRAW);
	struct pairing_cost k;
	assert_int_equal(maker_pair(&m), 3);
	m.c.round_count--;
	assert_int_equal(pairs_cost(&m.c, m.table[3], 3, &k), PLYD_OK);
	assert_int_equal(k.of[1], 1);
}

/* -- Swiss: every way to pair -- */

struct every {
	const struct contest *c;
	uint16_t left[ENTRIES_MAX];
	size_t count;
	struct contest_table table[TABLES_MAX];
	size_t tables;
	struct pairing_cost best;
	size_t ways, best_ways;
};

static int compare(const struct pairing_cost *a, const struct pairing_cost *b)
{
	for (size_t i = 0; i < PAIR_COSTS; i++)
		if (a->of[i] != b->of[i])
			return a->of[i] < b->of[i] ? -1 : 1;
	return 0;
}

static void judge(struct every *e)
{
	struct pairing_cost k;
	assert_int_equal(pairs_cost(e->c, e->table, e->tables, &k), PLYD_OK);
	int order = e->ways++ == 0 ? -1 : compare(&k, &e->best);
	if (order < 0) {
		e->best = k;
		e->best_ways = 0;
	}
	e->best_ways += order <= 0;
}

static void try_all(struct every *e, unsigned taken)
{
	size_t a = 0;
	while (a < e->count && taken >> a & 1)
		a++;
	if (a == e->count) {
		judge(e);
		return;
	}
	struct contest_table *t = &e->table[e->tables++];
	for (size_t b = a + 1; b < e->count; b++) {
		if (taken >> b & 1)
			continue;
		*t = (struct contest_table){ .white = e->left[a],
					     .black = e->left[b] };
		try_all(e, taken | 1u << a | 1u << b);
	}
	e->tables--;
}

/* Somebody who is not there makes an odd number even. */
static void every_way(struct every *e, const struct contest *c)
{
	*e = (struct every){ .c = c };
	for (size_t i = 0; i < c->entry_count; i++)
		if (entry_plays(&c->entry[i], c->round_count))
			e->left[e->count++] = (uint16_t)i;
	if (e->count % 2 == 1)
		e->left[e->count++] = NO_ENTRY;
	try_all(e, 0);
}

static void play_round(struct rng *rng)
{
	struct contest_round *r = &m.round[m.c.round_count - 1];
	for (size_t i = 0; i < r->count; i++)
		if (r->table[i].outcome == OUTCOME_PENDING)
			r->table[i].outcome =
				(uint8_t)(OUTCOME_WHITE + rng_below(rng, 6));
	/* a bye is given by the pairing alone */
	for (size_t i = 0; i < r->count; i++)
		if (r->table[i].black != NO_ENTRY &&
		    r->table[i].outcome == OUTCOME_BYE)
			r->table[i].outcome = OUTCOME_DRAW;
}

static void no_pairing_of_eight_costs_less(void **state)
{
	(void)state;
	struct rng rng;
	rng_seed(&rng, 3);
	for (uint32_t i = 0; i < 400; i++) {
		size_t players = 2 + rng_below(&rng, 7);
		static struct every e;
		maker_begin(&m, FORMAT_SWISS, players, i);
		m.c.scoring = (enum contest_scoring)rng_below(&rng, 3);
		if (rng_below(&rng, 2))
			for (size_t p = 0; p < players; p++)
				m.entry[p].rating = 0;
		for (int r = 0; r < 7; r++) {
			if (rng_below(&rng, 8) == 0)
				m.entry[rng_below(&rng, (uint32_t)players)]
					.gone_from = (uint16_t)r;
			if (contest_active(&m.c, m.c.round_count) < 2)
				break;
			every_way(&e, &m.c);
			size_t n = maker_pair(&m);
			struct pairing_cost k;
			m.c.round_count--;
			assert_int_equal(pairs_cost(&m.c,
						    m.table[m.c.round_count], n,
						    &k),
					 PLYD_OK);
			m.c.round_count++;
			assert_int_equal(compare(&k, &e.best), 0);
			assert_int_equal(e.best_ways, 1);
			play_round(&rng);
		}
	}
}

/* -- knock-out -- */

static void a_bracket_of_eight(void **state)
{
	(void)state;
	maker_begin(&m, FORMAT_KNOCKOUT, 8, 1);
	assert_int_equal(maker_pair(&m), 4);
	static const unsigned first[][2] = {
		{ 0, 7 }, { 3, 4 }, { 1, 6 }, { 2, 5 }
	};
	for (size_t i = 0; i < 4; i++)
		assert_true(has_table(0, first[i][0], first[i][1]) ||
			    has_table(0, first[i][1], first[i][0]));
	for (size_t i = 0; i < 4; i++) /* the better ones win */
		m.table[0][i].outcome =
			m.table[0][i].white < m.table[0][i].black
				? OUTCOME_WHITE
				: OUTCOME_BLACK;
	assert_int_equal(maker_pair(&m), 2);
	assert_true(has_table(1, 0, 3) || has_table(1, 3, 0));
	assert_true(has_table(1, 1, 2) || has_table(1, 2, 1));
	m.table[1][0].outcome = OUTCOME_WHITE_LOT;
	m.table[1][1].outcome = OUTCOME_BLACK_FORFEIT;
	unsigned x = m.table[1][0].white, y = m.table[1][1].black;
	assert_int_equal(maker_pair(&m), 1);
	assert_true(has_table(2, x, y) || has_table(2, y, x));
	m.table[2][0].outcome = OUTCOME_WHITE;
	assert_int_equal(maker_pair(&m), 0);
}

static void the_best_have_byes(void **state)
{
	(void)state;
	maker_begin(&m, FORMAT_KNOCKOUT, 5, 1);
	assert_int_equal(maker_pair(&m), 4);
	for (unsigned i = 0; i < 3; i++)
		assert_true(has_table(0, i, NO_ENTRY));
	assert_true(has_table(0, 3, 4) || has_table(0, 4, 3));
}

/* Every number of players has one winner, and who lost is seen no more. */
static void one_is_left(void **state)
{
	(void)state;
	struct rng rng;
	rng_seed(&rng, 4);
	for (size_t players = 2; players < 70; players++) {
		bool out[ENTRIES_MAX] = { false };
		size_t rounds = 0, n, left = 0;
		maker_begin(&m, FORMAT_KNOCKOUT, players, (uint32_t)players);
		while ((n = maker_pair(&m)) > 0) {
			struct contest_table *t = m.table[rounds++];
			for (size_t i = 0; i < n; i++) {
				assert_false(out[t[i].white]);
				if (t[i].black == NO_ENTRY)
					continue;
				assert_false(out[t[i].black]);
				bool white = rng_below(&rng, 2);
				t[i].outcome =
					white ? OUTCOME_WHITE : OUTCOME_BLACK;
				out[white ? t[i].black : t[i].white] = true;
			}
		}
		for (size_t i = 0; i < players; i++)
			left += !out[i];
		assert_int_equal(left, 1);
		assert_int_equal(rounds,
				 contest_rounds(FORMAT_KNOCKOUT, players, 0));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_play_twice),
		cmocka_unit_test(who_leaves_a_round_robin_forfeits),
		cmocka_unit_test(rt_07_no_second_bye_no_repeat),
		cmocka_unit_test(rt_08_the_only_way_is_found),
		cmocka_unit_test(rt_09_nobody_is_paired_alone),
		cmocka_unit_test(a_first_round_is_folded),
		cmocka_unit_test(a_second_round_by_hand),
		cmocka_unit_test(an_odd_group_floats_from_its_end),
		cmocka_unit_test(a_repeat_only_where_there_is_no_other_way),
		cmocka_unit_test(no_pairing_of_eight_costs_less),
		cmocka_unit_test(a_bracket_of_eight),
		cmocka_unit_test(the_best_have_byes),
		cmocka_unit_test(one_is_left),
	};
	int failed = RUN_TABLE("berger", berger, berger_holds);
	return failed + cmocka_run_group_tests_name("pairs", tests, NULL, NULL);
}
