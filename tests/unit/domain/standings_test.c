/* SPDX-License-Identifier: MIT
 * Scores and tie-breaks against worked examples. */
#include "contest_maker.h"
#include "unit.h"

#include <stdio.h>

static struct contest_maker m;
static struct ranking table[ENTRIES_MAX];

static void use_breaks(size_t count, const enum contest_break *b)
{
	m.c.break_count = count;
	memcpy(m.c.breaks, b, count * sizeof(*b));
}

static const struct ranking *of(unsigned entry)
{
	for (size_t i = 0; i < m.c.entry_count; i++)
		if (table[i].entry == entry)
			return &table[i];
	fail();
	return NULL;
}

/* The championship of the Hamilton Chess Club, New Zealand, 2018, as published
 * with its tie-breaks (hamiltonchess.net, 11 April 2018). */
static const char *const hamilton[] = {
	"+W10 +B17 +W12 =W2 +B4 +B3",   "+B27 +W16 +W9 =B1 +W8 +B10",
	"=BYE +W11 +B6 =W4 +B5 -W1",    "+W22 +B15 =W8 =B3 -W1 +B13",
	"-W16 +B14 +W22 +B15 -W3 +B8",  "-W21 +B27 -W3 +B23 +W16 +B14",
	"-W9 -B23 +W27 +B19 +W15 +B12", "+B25 +W21 =B4 +W13 -B2 -W5",
	"+B7 +W13 -B2 =BYE +W18 none",  "-B1 +W25 +W26 =B12 +B17 -W2",
	"=BYE -B3 -W14 +B25 +W20 +W17", "+B20 +W18 -B1 =W10 =B14 -W7",
	"+W23 -B9 +W19 -B8 +W21 -W4",   "=BYE -W5 +B11 +B22 =W12 -W6",
	"+B26 -W4 +B21 -W5 -B7 +W24",   "+B5 -B2 -W17 +W24 -B6 +B22",
	"+B24 -W1 +B16 =BYE -W10 -B11", "+W19 -B12 +W23 =BYE -B9 none",
	"-B18 +W20 -B13 -W7 =B25 +W21", "-W12 -B19 =W25 +B27 -B11 +W26",
	"+B6 -B8 -W15 +W26 -B13 -B19",  "-B4 +W24 -B5 -W14 +B26 -W16",
	"-B13 +W7 -B18 -W6 -B24 +W27",  "-W17 -B22 +BYE -B16 +W23 -B15",
	"-W8 -B10 =B20 -W11 =W19 +BYE", "-W15 +BYE -B10 -B21 -W22 -B20",
	"-W2 -W6 -B7 -W20 +BYE -B23",
};

static void hamilton_2018(void **state)
{
	(void)state;
	static const enum contest_break breaks[] = { BREAK_DIRECT,
						     BREAK_BUCHHOLZ };
	maker_begin(&m, FORMAT_SWISS, COUNT(hamilton), 1);
	maker_crosstable(&m, hamilton, COUNT(hamilton), 6);
	use_breaks(COUNT(breaks), breaks);
	standings(&m.c, table);
	assert_int_equal(of(0)->score, 11); /* 5.5 */
	assert_int_equal(of(1)->score, 11);
	assert_int_equal(of(0)->value[BREAK_DIRECT], 1);
	assert_int_equal(of(1)->value[BREAK_DIRECT], 1);
	assert_int_equal(of(0)->value[BREAK_BUCHHOLZ], 45); /* 22.5 */
	assert_int_equal(of(1)->value[BREAK_BUCHHOLZ], 40); /* 20.0 */
	assert_int_equal(of(0)->value[BREAK_BUCHHOLZ_CUT], 40);
	/* 19.5 there, for the bye of his last opponent counts half there */
	assert_int_equal(of(1)->value[BREAK_BUCHHOLZ_CUT], 38);
	assert_int_equal(of(0)->value[BREAK_SONNEBORN_BERGER], 79); /* 19.75 */
	assert_int_equal(of(1)->value[BREAK_SONNEBORN_BERGER], 69); /* 17.25 */
	assert_int_equal(of(0)->rank, 1); /* as published */
	assert_int_equal(of(1)->rank, 2);
}

/* Entry 0 plays five rounds against opponents who score so much in all, and
 * wins the first three. hultcc.org, "Sonneborn-Berger": 6 and 5; chessbio.com,
 * "Buchholz": 17.5 of 3, 2.5, 4, 4.5, 3.5. */
static const struct worked_case {
	const char *name;
	int scores[5]; /* of the opponents at the end, in halves */
	int won;
	int sonneborn_berger; /* quarters */
	int buchholz, cut;    /* halves */
} worked[] = {
	{ "hultcc: player A", { 2, 6, 4, 4, 4 }, 3, 24, 20, 18 },
	{ "hultcc: player B", { 2, 4, 4, 4, 4 }, 3, 20, 18, 16 },
	{ "chessbio: Buchholz", { 6, 5, 8, 9, 7 }, 0, 0, 35, 30 },
};

static void worked_example_holds(void **state)
{
	const struct worked_case *w = *state;
	unsigned next = 6;
	maker_begin(&m, FORMAT_SWISS, 80, 1);
	for (unsigned i = 0; i < 5; i++) {
		bool won = (int)i < w->won;
		int left = w->scores[i] - (won ? 0 : 2);
		maker_table(&m, i, 0, i + 1,
			    won ? OUTCOME_WHITE : OUTCOME_BLACK);
		for (unsigned r = 5; left > 0; left -= 2, r++)
			maker_table(&m, r, i + 1, next++,
				    left >= 2 ? OUTCOME_WHITE : OUTCOME_DRAW);
	}
	standings(&m.c, table);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(of(i + 1)->score, w->scores[i]);
	assert_int_equal(of(0)->value[BREAK_SONNEBORN_BERGER],
			 w->sonneborn_berger);
	assert_int_equal(of(0)->value[BREAK_BUCHHOLZ], w->buchholz);
	assert_int_equal(of(0)->value[BREAK_BUCHHOLZ_CUT], w->cut);
}

static void note(unsigned entry, int out[3])
{
	out[0] = of(entry)->score;
	out[1] = of(entry)->value[BREAK_BUCHHOLZ];
	out[2] = of(entry)->value[BREAK_SONNEBORN_BERGER];
}

/* RT-11: tie-breaks counted opponents' unplayed games. */
static void rt_11_what_is_not_finished_counts_for_nothing(void **state)
{
	(void)state;
	int before[4][3];
	maker_begin(&m, FORMAT_SWISS, 4, 1);
	maker_table(&m, 0, 0, 1, OUTCOME_WHITE);
	maker_table(&m, 0, 2, 3, OUTCOME_DRAW);
	standings(&m.c, table);
	for (unsigned i = 0; i < 4; i++)
		note(i, before[i]);
	maker_table(&m, 1, 0, 2, OUTCOME_PENDING);
	maker_table(&m, 1, 1, 3, OUTCOME_PENDING);
	standings(&m.c, table);
	for (unsigned i = 0; i < 4; i++) {
		int now[3];
		note(i, now);
		assert_memory_equal(now, before[i], sizeof(now));
	}
	m.table[1][0].outcome = OUTCOME_BLACK;
	standings(&m.c, table);
	assert_int_equal(of(2)->score, 3);
	assert_int_equal(of(2)->value[BREAK_BUCHHOLZ], 2 + 1);
	assert_int_equal(of(1)->value[BREAK_BUCHHOLZ], 2);
}

/* A game that nobody played makes no opponent, but it is in the score. */
static void byes_and_forfeits_are_no_opponents(void **state)
{
	(void)state;
	maker_begin(&m, FORMAT_SWISS, 3, 1);
	maker_table(&m, 0, 0, 1, OUTCOME_WHITE_FORFEIT);
	maker_table(&m, 0, 2, NO_ENTRY, OUTCOME_BYE);
	maker_table(&m, 1, 1, 0, OUTCOME_NEITHER);
	standings(&m.c, table);
	assert_int_equal(of(0)->score, 2);
	assert_int_equal(of(2)->score, 2);
	assert_int_equal(of(1)->score, 0);
	assert_int_equal(of(1)->lost, 2);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(of(i)->value[BREAK_BUCHHOLZ], 0);
		assert_int_equal(of(i)->value[BREAK_SONNEBORN_BERGER], 0);
	}
}

/* Three are level. If all have met, their games decide; if two have not, they
 * decide nothing (the rule as the Scarborough Chess Club publishes it). */
static void direct_encounter_needs_all_to_have_met(void **state)
{
	(void)state;
	static const enum contest_break breaks[] = { BREAK_DIRECT, BREAK_LOTS };
	for (int met = 0; met < 2; met++) {
		maker_begin(&m, FORMAT_SWISS, 6, 1);
		maker_table(&m, 0, 0, 1, OUTCOME_WHITE);
		maker_table(&m, 1, 1, 2, OUTCOME_DRAW);
		if (met)
			maker_table(&m, 2, 2, 0, OUTCOME_DRAW);
		maker_table(&m, 3, 0, 3, met ? OUTCOME_BLACK : OUTCOME_DRAW);
		maker_table(&m, 3, 1, 4, OUTCOME_WHITE);
		maker_table(&m, 3, 2, 5, met ? OUTCOME_DRAW : OUTCOME_WHITE);
		use_breaks(2, breaks);
		standings(&m.c, table);
		for (unsigned i = 0; i < 3; i++)
			assert_int_equal(of(i)->score, 3);
		assert_int_equal(of(0)->value[BREAK_DIRECT], met ? 3 : 0);
		assert_int_equal(of(2)->value[BREAK_DIRECT], met ? 2 : 0);
		assert_int_equal(of(1)->value[BREAK_DIRECT], met ? 1 : 0);
		if (met) {
			assert_int_equal(of(0)->rank, 1);
			assert_int_equal(of(2)->rank, 2);
			assert_int_equal(of(1)->rank, 3);
		}
	}
}

static const struct scoring_case {
	const char *name;
	enum contest_scoring scoring;
	int want[2]; /* who won, drew, lost, and lost; the other */
} scorings[] = {
	{ "wins", SCORING_WINS, { 2, 4 } },
	{ "half", SCORING_HALF, { 3, 5 } },
	{ "three", SCORING_THREE, { 8, 14 } },
	{ "points", SCORING_POINTS, { 4, 8 } },
};

static void scoring_holds(void **state)
{
	const struct scoring_case *s = *state;
	maker_begin(&m, FORMAT_SWISS, 2, 1);
	m.c.scoring = s->scoring;
	maker_table(&m, 0, 0, 1, OUTCOME_WHITE);
	maker_table(&m, 1, 0, 1, OUTCOME_DRAW);
	maker_table(&m, 2, 1, 0, OUTCOME_WHITE);
	maker_table(&m, 3, 0, 1, OUTCOME_BLACK_FORFEIT);
	m.table[0][0].points[0] = 2; /* a gammon */
	m.table[2][0].points[0] = 3;
	standings(&m.c, table);
	assert_int_equal(of(0)->score, s->want[0]);
	assert_int_equal(of(1)->score, s->want[1]);
	assert_int_equal(of(1)->rank, 1);
}

/* Without lots who are level share a rank; with them nobody does. */
static void lots_part_everybody(void **state)
{
	(void)state;
	static const enum contest_break lots[] = { BREAK_LOTS };
	maker_begin(&m, FORMAT_SWISS, 10, 9);
	standings(&m.c, table);
	for (unsigned i = 0; i < 10; i++)
		assert_int_equal(table[i].rank, 1);
	use_breaks(1, lots);
	standings(&m.c, table);
	for (unsigned i = 0; i < 10; i++) {
		assert_int_equal(table[i].rank, i + 1);
		assert_int_equal(table[i].value[BREAK_LOTS], i + 1);
		assert_true(i == 0 ||
			    contest_lot(&m.c, table[i - 1].entry) <
				    contest_lot(&m.c, table[i].entry));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hamilton_2018),
		cmocka_unit_test(rt_11_what_is_not_finished_counts_for_nothing),
		cmocka_unit_test(byes_and_forfeits_are_no_opponents),
		cmocka_unit_test(direct_encounter_needs_all_to_have_met),
		cmocka_unit_test(lots_part_everybody),
	};
	int failed = RUN_TABLE("worked", worked, worked_example_holds);
	failed += RUN_TABLE("scorings", scorings, scoring_holds);
	return failed +
	       cmocka_run_group_tests_name("standings", tests, NULL, NULL);
}
