/* SPDX-License-Identifier: MIT
 * The cube: positions whose answers are known, and what the score makes of
 * them. */
#include "unit.h"

#include <string.h>

#include "engine/engine.h"

enum decision { DOUBLES = 1, TAKES = 2 };

enum { BORDER = 30 /* millipoints between the table and the net of races */ };

/* White, on roll with no dice, is to double; black to answer. */
static struct cube_case {
	const char *name;
	const char *ruleset;
	const char *position; /* without `XGID=` */
	int want;
} cases[] = {
	{ "the start", "backgammon-match",
	  "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", TAKES },
	/* eight checkers on low points against the same: a long way ahead */
	{ "a race that is won", "backgammon-match",
	  "-BBBB---------------ccccc-:0:0:1:00:0:0:0:7:10", DOUBLES },
	{ "a race that is lost", "backgammon-match",
	  "-CCCCC---------------bbbb-:0:0:1:00:0:0:0:7:10", TAKES },
	/* at 6 away of 7 and behind, losing twice is no worse */
	{ "nothing to lose", "backgammon-match",
	  "-CCCCC--------------ccccc-:0:0:1:00:0:6:0:7:10", DOUBLES | TAKES },
	{ "at match point down any cube is free", "backgammon-match",
	  "-BBBBBB-------------ccccc-:0:0:1:00:2:6:0:7:10", DOUBLES },
};

static struct position read(const struct cube_case *row, struct ruleset *rs)
{
	struct position pos;
	assert_int_equal(ruleset_find(row->ruleset, strlen(row->ruleset), rs),
			 0);
	assert_int_equal(game_read(rs, row->position, strlen(row->position),
				   &pos, NULL),
			 0);
	return pos;
}

static void decision_is_right(void **state)
{
	const struct cube_case *row = *state;
	struct ruleset rs;
	struct position pos = read(row, &rs);
	assert_int_equal(engine_doubles(&rs, &pos, NULL),
			 (row->want & DOUBLES) != 0);
	assert_int_equal(engine_takes(&rs, &pos, NULL),
			 (row->want & TAKES) != 0);
}

/* Whether a decision is the one that a threshold asks for: either, on it. */
static bool follows(bool decided, int chance, int threshold)
{
	int off = chance - threshold;
	return (off >= -1 && off <= 1) || decided == (off > 0);
}

/* Races of all leads without gammons. What is told of Janowski's model: with
 * 68 % of a live cube, a first double is right from 68.3 % on, a second from
 * 71.8 %, and 21.4 % are enough to take. */
static void money_has_its_thresholds(void **state)
{
	(void)state;
	struct ruleset rs;
	struct position pos;
	int doubled = 0, dropped = 0, last = -3000;
	assert_int_equal(ruleset_find("backgammon-match", 16, &rs), 0);
	rs.backgammon.match_length = 0;
	rs.backgammon.crawford = 0;
	for (int lead = 0; lead < 24; lead++) {
		memset(&pos, 0, sizeof(pos));
		for (int s = 0; s < 2; s++) {
			pos.backgammon.point[s][0] = 5;
			pos.backgammon.point[s][6] = 5;
			pos.backgammon.point[s][3] = 5;
		}
		/* black is so many pips behind, white has run off some */
		pos.backgammon.point[BLACK][6] = 0;
		for (int i = 0; i < 5; i++)
			pos.backgammon
				.point[BLACK][6 + lead / 5 + (i < lead % 5)]++;
		int score = engine_evaluate(&rs, &pos, NULL);
		assert_true(score >= last - BORDER);
		last = score;
		/* no gammon is possible: the equity is 2p - 1 */
		int win = (score + 1000) / 2;
		assert_true(follows(engine_doubles(&rs, &pos, NULL), win, 683));
		assert_true(follows(engine_takes(&rs, &pos, NULL), 1000 - win,
				    214));
		struct position again = pos;
		again.stakes.cube = 1;
		again.stakes.cube_owner = CUBE_WHITE;
		assert_true(
			follows(engine_doubles(&rs, &again, NULL), win, 718));
		doubled += engine_doubles(&rs, &pos, NULL);
		dropped += !engine_takes(&rs, &pos, NULL);
	}
	assert_true(doubled >= dropped && dropped > 0);
}

static void resignations_are_weighed(void **state)
{
	(void)state;
	static const struct {
		struct cube_case at;
		enum side loser;
		int level;
		bool accepts;
	} rows[] = {
		/* a sure single game: a single is enough */
		{ { "", "backgammon-match",
		    "-BBBB---------------ccccc-:0:0:1:00:0:0:0:7:10", 0 },
		  BLACK,
		  1,
		  true },
		/* the start: a point for nothing */
		{ { "", "backgammon-match",
		    "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", 0 },
		  BLACK,
		  1,
		  true },
		{ { "", "backgammon-match",
		    "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", 0 },
		  WHITE,
		  1,
		  true },
		/* four of his are on the bar of a closed board: more is to be
		 * had */
		{ { "", "backgammon-match",
		    "dCCCBBB---------ddc-------:0:0:1:00:0:0:0:7:10", 0 },
		  BLACK,
		  1,
		  false },
		{ { "", "backgammon-match",
		    "dCCCBBB---------ddc-------:0:0:1:00:0:0:0:7:10", 0 },
		  BLACK,
		  2,
		  false },
		{ { "", "backgammon-match",
		    "dCCCBBB---------ddc-------:0:0:1:00:0:0:0:7:10", 0 },
		  BLACK,
		  3,
		  true },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct ruleset rs;
		struct position pos = read(&rows[i].at, &rs);
		bool accepts = engine_accepts(&rs, &pos, rows[i].loser,
					      rows[i].level, NULL);
		if (accepts != rows[i].accepts)
			fail_msg("row %zu", i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(money_has_its_thresholds),
		cmocka_unit_test(resignations_are_weighed),
	};
	int failed = cmocka_run_group_tests_name("cube", tests, NULL, NULL);
	return failed + RUN_TABLE("decisions", cases, decision_is_right);
}
