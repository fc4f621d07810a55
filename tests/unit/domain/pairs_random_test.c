/* SPDX-License-Identifier: MIT
 * What holds in every Swiss, over random ones: people come late, leave, do not
 * come. The first argument is how many tournaments. */
#include "base/rng.h"
#include "contest_maker.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include <plyd/err.h>

enum { PLAYERS_MOST = 200, ROUNDS_MOST = 11 };

static struct contest_maker m;
static uint32_t tournaments = 200;
static uint8_t met[PLAYERS_MOST][PLAYERS_MOST];
static int byes[PLAYERS_MOST];

static bool plays(size_t i)
{
	return entry_plays(&m.entry[i], m.c.round_count);
}

/* Somebody comes, goes, or both. */
static void change_entries(struct rng *rng, size_t players)
{
	for (size_t i = 0; i < players; i++) {
		if (plays(i) && rng_below(rng, 25) == 0)
			m.entry[i].gone_from = (uint16_t)m.c.round_count;
	}
	if (m.c.entry_count < players && rng_below(rng, 3) == 0) {
		m.entry[m.c.entry_count].first_round =
			(uint16_t)m.c.round_count;
		m.c.entry_count++;
	}
}

/* Whether a pairing without a repeat is sure to exist: each may still meet at
 * least half of the others (Dirac 1952), whoever has the bye. */
static bool free_of_repeats(size_t active)
{
	size_t even = active - active % 2;
	for (size_t i = 0; i < m.c.entry_count; i++) {
		size_t known = 0;
		for (size_t j = 0; plays(i) && j < m.c.entry_count; j++)
			known += plays(j) && met[i][j] > 0;
		if (plays(i) && even - 1 < known + even / 2)
			return false;
	}
	return true;
}

static void check_colours(size_t rounds, size_t players)
{
	for (size_t i = 0; i < m.c.entry_count; i++) {
		int balance = 0, run = 0, last = -1;
		for (size_t r = 0; r < rounds; r++)
			for (size_t k = 0; k < m.round[r].count; k++) {
				const struct contest_table *t = &m.table[r][k];
				int side = t->white == i   ? 0
					   : t->black == i ? 1
							   : -1;
				if (side < 0 ||
				    !outcome_played(
					    (enum table_outcome)t->outcome))
					continue;
				balance += side == 0 ? 1 : -1;
				run = side == last ? run + 1 : 1;
				last = side;
			}
		if (players > 6 * rounds) {
			assert_in_range(balance + 2, 0, 4);
			assert_in_range(run, 0, 2);
		}
	}
}

static void check_round(size_t round, size_t active, bool must_be_new,
			bool all_had_byes)
{
	bool seen[PLAYERS_MOST] = { false };
	size_t sitting = 0;
	for (size_t k = 0; k < m.round[round].count; k++) {
		const struct contest_table *t = &m.table[round][k];
		uint16_t who[] = { t->white, t->black };
		for (int s = 0; s < 2; s++) {
			if (who[s] == NO_ENTRY)
				continue;
			assert_false(seen[who[s]]);
			seen[who[s]] = true;
			assert_true(entry_plays(&m.entry[who[s]], round));
			sitting++;
		}
		if (t->black == NO_ENTRY) {
			assert_int_equal(active % 2, 1);
			assert_int_equal(t->outcome, OUTCOME_BYE);
			if (!all_had_byes)
				assert_int_equal(byes[t->white], 0);
			byes[t->white]++;
			continue;
		}
		if (must_be_new)
			assert_int_equal(met[t->white][t->black], 0);
		met[t->white][t->black]++;
		met[t->black][t->white]++;
	}
	assert_int_equal(sitting, active);
}

static void play(struct rng *rng, size_t round)
{
	for (size_t k = 0; k < m.round[round].count; k++) {
		struct contest_table *t = &m.table[round][k];
		static const enum table_outcome outcomes[] = {
			OUTCOME_WHITE, OUTCOME_BLACK,         OUTCOME_WHITE,
			OUTCOME_DRAW,  OUTCOME_WHITE_FORFEIT, OUTCOME_BLACK,
		};
		if (t->black != NO_ENTRY)
			t->outcome = (uint8_t)
				outcomes[rng_below(rng, COUNT(outcomes))];
	}
}

static void check_table(size_t rounds)
{
	static struct ranking table[ENTRIES_MAX];
	int score[ENTRIES_MAX];
	contest_scores(&m.c, rounds, score);
	standings(&m.c, table);
	for (size_t i = 0; i < m.c.entry_count; i++) {
		assert_int_equal(table[i].score, score[table[i].entry]);
		assert_true(i == 0 || table[i].score <= table[i - 1].score);
		assert_true(i == 0 || table[i].rank >= table[i - 1].rank);
		assert_in_range(table[i].rank, 1, i + 1);
	}
}

static void play_tournament(uint32_t number)
{
	struct rng rng;
	rng_seed(&rng, number);
	size_t players = 2 + rng_below(&rng, PLAYERS_MOST - 1);
	if (number % 2) /* small ones are the hard ones */
		players = 2 + rng_below(&rng, 19);
	size_t rounds = 1 + rng_below(&rng, ROUNDS_MOST);
	maker_begin(&m, FORMAT_SWISS, players, number);
	m.c.scoring = (enum contest_scoring)rng_below(&rng, SCORING_COUNT);
	m.c.entry_count = players - rng_below(&rng, (uint32_t)players / 4 + 1);
	for (size_t i = 0; number % 3 == 0 && i < players; i++)
		m.entry[i].rating = 0;
	memset(met, 0, sizeof(met));
	memset(byes, 0, sizeof(byes));
	for (size_t r = 0; r < rounds; r++) {
		change_entries(&rng, players);
		size_t active = contest_active(&m.c, r);
		bool must_be_new = free_of_repeats(active), all = true;
		for (size_t i = 0; i < m.c.entry_count; i++)
			all = all && (!plays(i) || byes[i] > 0);
		size_t n = maker_pair(&m);
		assert_int_equal(n, active < 2 ? 0 : (active + 1) / 2);
		if (n == 0)
			break;
		check_round(r, active, must_be_new, all);
		play(&rng, r);
	}
	check_colours(m.c.round_count, m.c.entry_count);
	check_table(m.c.round_count);
}

static void what_holds_in_every_swiss(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < tournaments; i++) {
		play_tournament(i);
		if (i % 1000 == 999)
			printf("%u tournaments\n", i + 1);
	}
}

/* As many as there may be: it must not take long. */
static void five_hundred_and_twelve(void **state)
{
	(void)state;
	struct rng rng;
	rng_seed(&rng, 1);
	maker_begin(&m, FORMAT_SWISS, ENTRIES_MAX, 1);
	for (size_t r = 0; r < 3; r++) {
		assert_int_equal(maker_pair(&m), TABLES_MAX);
		play(&rng, r);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_holds_in_every_swiss),
		cmocka_unit_test(five_hundred_and_twelve),
	};
	if (argc > 1)
		tournaments = (uint32_t)strtoul(argv[1], NULL, 10);
	return cmocka_run_group_tests_name("swiss", tests, NULL, NULL);
}
