/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>

#include "ply/stdio_line.h"

#define START "0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0"

static const struct line {
	const char *name;
	const char *ruleset;
	const char *text;
	enum stdio_ask ask;
	uint64_t ms;
	const char *position; /* as the rules write it; NULL: none */
} lines[] = {
	{ "new", "english", "new", STDIO_NEW, 0, NULL },
	{ "new, carriage return", "english", "new\r", STDIO_NEW, 0, NULL },
	{ "quit", "backgammon", "  quit ", STDIO_QUIT, 0, NULL },
	{ "blank", "backgammon", " ", STDIO_NOTHING, 0, NULL },
	{ "empty", "backgammon", "", STDIO_NOTHING, 0, NULL },
	{ "go", "english", "go B:W18,K10:B12,K22 100", STDIO_CHOOSE, 100,
	  "B:WK10,18:B12,K22" },
	{ "go with many spaces", "english", "  go   B:W18:B12 \t 0 ",
	  STDIO_CHOOSE, 0, "B:W18:B12" },
	{ "go, Turkish", "turkish-classic", "go W:Wa2,Kd4:Ba6 86400000",
	  STDIO_CHOOSE, 86400000, "W:Wa2,Kd4:Ba6" },
	{ "start of backgammon", "backgammon", "move " START " 3 1",
	  STDIO_CHOOSE, 0,
	  "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10" },
	{ "both on the bar", "backgammon",
	  "move -1 -1 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 1 1 6 6",
	  STDIO_CHOOSE, 0,
	  "XGID=aa----E-C---eE---c-e----AA:0:0:1:66:0:0:0:0:10" },
};

static void it_is_read(void **state)
{
	const struct line *l = *state;
	struct stdio_line got = { STDIO_NOTHING, { 0 }, 0 };
	const char *why = "";
	char text[POSITION_TEXT_MAX];
	struct ruleset rs;
	assert_int_equal(ruleset_find(l->ruleset, strlen(l->ruleset), &rs), 0);
	assert_int_equal(stdio_read(&rs, l->text, strlen(l->text), &got, &why),
			 0);
	assert_int_equal(got.ask, l->ask);
	if (!l->position)
		return;
	assert_int_equal(got.ms, l->ms);
	game_write(&rs, &got.pos, text);
	assert_string_equal(text, l->position);
}

static const struct bad {
	const char *name;
	const char *ruleset;
	const char *text;
	const char *why; /* that is in the message */
} bad_lines[] = {
	{ "no such word", "english", "play 11-15", "a line is" },
	{ "new and more", "english", "new game", "a line is" },
	{ "go without anything", "english", "go", "ends with a number" },
	{ "go without a time", "english", "go B:W18:B12", "number of ms" },
	{ "go with a time below 0", "english", "go B:W18:B12 -1",
	  "number of ms" },
	{ "go with a time over a day", "english", "go B:W18:B12 86400001",
	  "number of ms" },
	{ "go with a time of many digits", "english",
	  "go B:W18:B12 99999999999999999999999", "number of ms" },
	{ "go without a position", "english", "go 100", "" },
	{ "go of another game", "english", "go W:Wa2:Ba6 100", "" },
	{ "go in a lost position", "english", "go B:W18:B 100", "over" },
	{ "go in backgammon", "backgammon", "go B:W18:B12 100", "draughts" },
	{ "move in draughts", "turkish", "move " START " 3 1", "backgammon" },
	{ "move without dice", "backgammon", "move " START, "dice" },
	{ "move with one die", "backgammon", "move " START " 3", "dice" },
	{ "move with a die of 7", "backgammon", "move " START " 3 7", "dice" },
	{ "move with a die of 0", "backgammon", "move " START " 0 1", "dice" },
	{ "move with three dice", "backgammon", "move " START " 3 1 1",
	  "follows" },
	{ "move with 25 numbers", "backgammon",
	  "move -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0 3 1",
	  "dice" },
	{ "move with 16 checkers on a point", "backgammon",
	  "move 0 -2 0 0 0 0 16 0 0 0 0 0 -5 0 0 0 0 -3 0 -5 0 0 0 0 0 0 3 1",
	  "26 numbers" },
	{ "move with 16 checkers", "backgammon",
	  "move 0 -2 0 0 0 0 6 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0 3 1",
	  "" },
	{ "move with its own checkers on the other's bar", "backgammon",
	  "move 1 -2 0 0 0 0 5 0 3 0 0 0 -5 4 0 0 0 -3 0 -5 0 0 0 0 2 0 3 1",
	  "" },
	{ "move when it is over", "backgammon",
	  "move 0 -2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 3 1",
	  "over" },
};

static void it_is_refused(void **state)
{
	const struct bad *b = *state;
	struct stdio_line before, got;
	const char *why = NULL;
	struct ruleset rs;
	memset(&got, 0x5a, sizeof(got));
	before = got;
	assert_int_equal(ruleset_find(b->ruleset, strlen(b->ruleset), &rs), 0);
	assert_int_equal(stdio_read(&rs, b->text, strlen(b->text), &got, &why),
			 PLYD_EVALUE);
	assert_non_null(why);
	assert_non_null(strstr(why, b->why));
	assert_memory_equal(&got, &before, sizeof(got));
}

static void a_line_of_nul_is_refused(void **state)
{
	const char text[] = "new\0new";
	struct stdio_line got = { STDIO_NOTHING, { 0 }, 0 };
	const char *why;
	(void)state;
	assert_int_equal(stdio_read(ruleset_at(0), text, sizeof(text) - 1, &got,
				    &why),
			 PLYD_EVALUE);
}

static const struct reply {
	const char *name;
	const char *ruleset;
	const char *line;
	const char *move; /* as people write it */
	const char *answer;
} replies[] = {
	{ "a step", "english", "go B:W21-32:B1-12 100", "11-15", "move 11-15" },
	{ "two captures", "english", "go W:W18:B14,6 100", "18x9x2",
	  "move 18x9x2" },
	{ "a Turkish step", "turkish-classic", "go W:Wa2,Kd4:Bh6 100", "a2-a3",
	  "move a2-a3" },
	{ "a throw", "backgammon", "move " START " 3 1", "8/5 6/5", "8/5 6/5" },
	{ "a double", "backgammon", "move " START " 6 6", "24/18(2) 13/7(2)",
	  "24/18 24/18 13/7 13/7" },
	{ "from the bar", "backgammon",
	  "move -1 -1 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 1 1 5 3",
	  "bar/20 8/5", "25/20 8/5" },
	{ "off", "backgammon",
	  "move 0 0 0 0 0 0 2 0 0 0 0 0 0 0 0 0 0 0 0 -5 0 0 0 0 0 0 6 6",
	  "6/off(2)", "6/0 6/0" },
};

static void it_is_answered(void **state)
{
	const struct reply *r = *state;
	char text[STDIO_ANSWER_MAX];
	struct stdio_line line;
	struct refusal refusal;
	struct ruleset rs;
	struct move move;
	const char *why;
	assert_int_equal(ruleset_find(r->ruleset, strlen(r->ruleset), &rs), 0);
	assert_int_equal(stdio_read(&rs, r->line, strlen(r->line), &line, &why),
			 0);
	assert_int_equal(game_check(&rs, &line.pos, r->move, strlen(r->move),
				    &move, &refusal),
			 PLYD_OK);
	assert_int_equal(stdio_answer(&rs, &line.pos, &move, text),
			 strlen(r->answer));
	assert_string_equal(text, r->answer);
}

static void a_pass_is_an_empty_line(void **state)
{
	const struct move pass = { 0 };
	char text[STDIO_ANSWER_MAX] = "x";
	struct position pos;
	struct ruleset rs;
	(void)state;
	assert_int_equal(ruleset_find("backgammon", 10, &rs), 0);
	game_start(&rs, &pos);
	assert_int_equal(stdio_answer(&rs, &pos, &pass, text), 0);
	assert_string_equal(text, "");
}

int main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(a_line_of_nul_is_refused),
		cmocka_unit_test(a_pass_is_an_empty_line),
	};
	int failed = RUN_TABLE("lines", lines, it_is_read);
	failed += RUN_TABLE("bad lines", bad_lines, it_is_refused);
	failed += RUN_TABLE("answers", replies, it_is_answered);
	return failed +
	       cmocka_run_group_tests_name("others", others, NULL, NULL);
}
