/* SPDX-License-Identifier: MIT
 * Backgammon, case by case: faults that other programs had (BG-nn), readings of
 * texts, position texts and replay. Boards are as the mover sees them, and each
 * case is played by both colours. */
#include "unit.h"

#include "backgammon_boards.h"

static struct move_list list;

static struct position position_at(const struct ruleset *rs, const char *board,
				   enum side side, int die1, int die2)
{
	struct position pos;
	assert_int_equal(board_read(rs, board, side, die1, die2, &pos), 0);
	return pos;
}

/* ---- which turns there are --------------------------------------------- */

static const struct turn_case {
	const char *name;
	const char *board;
	int die1, die2;
	size_t results;
	unsigned hops;
	const char *moves; /* all of them, parted by ';', or NULL */
} turn_cases[] = {
	{ "BG-01 a full play is not cut to one die",
	  "----b-M-A-------b-cdd---A-", 6, 2, 1, 2, "24/22 8/2" },
	{ "BG-02 one die of two: the larger", "-b----------A-------cccbb-", 6,
	  5, 1, 1, "12/6" },
	{ "BG-04 one order only", "---bA---A-----------cccbb-", 5, 2, 1, 2,
	  "8/6 6/1" },
	{ "BG-05 both dice can bear off", "----AA--------------ccccc-", 6, 4, 2,
	  2, "5/1 4/off;5/off 4/off" },
	{ "BG-07 a die that bears nobody off", "--A--A--------------ccccc-", 4,
	  2, 2, 2, "5/1 2/off;5/3 3/off" },
	{ "BG-08 fewer checkers than dice", "-A------------------ccccc-", 6, 6,
	  1, 1, "1/off" },
	{ "BG-10 doubles are one turn", "-F------------------ccccc-", 1, 1, 1,
	  4, "1/off 1/off 1/off 1/off" },
	{ "BG-11 one of two enters", "-b----E-C---cE---c-e--b--B", 5, 3, 1, 1,
	  "bar/20" },
	{ "BG-13 closed out", "------E-D---cE-----bbbbbbA", 6, 4, 0, 0, "" },
	{ "BG-15 blocked points", "-b----E-D---eD--B-ad--c---", 5, 1, 11, 2,
	  NULL },
	{ "BG-17 a hit on the way", "------E-D---eE---d-e-a--A-", 3, 1, 16, 2,
	  NULL },
	{ "BG-34 both colours have 16 for 31", "-b----E-C---eE---c-e----B-", 3,
	  1, 16, 2, NULL },
};

static void join_moves(const struct ruleset *rs, const struct position *pos,
		       char *out, size_t size)
{
	size_t at = 0;
	out[0] = '\0';
	for (size_t i = 0; i < list.count; i++) {
		char text[MOVE_TEXT_MAX];
		game_move_text(rs, pos, &list.move[i], text);
		at += (size_t)snprintf(out + at, size - at, "%s%s",
				       i > 0 ? ";" : "", text);
		assert_true(at < size);
	}
}

static void the_turns_are_these(void **state)
{
	const struct turn_case *row = *state;
	struct ruleset rs = ruleset_named("backgammon");
	for (int side = WHITE; side <= BLACK; side++) {
		char moves[4096];
		struct position pos =
			position_at(&rs, row->board, (enum side)side, row->die1,
				    row->die2);
		assert_int_equal(game_moves(&rs, &pos, &list), PLYD_OK);
		assert_int_equal(list.total, row->results);
		for (size_t i = 0; i < list.count; i++)
			assert_int_equal(list.move[i].legs, row->hops);
		join_moves(&rs, &pos, moves, sizeof(moves));
		if (row->moves)
			assert_string_equal(moves, row->moves);
	}
}

/* ---- how texts are read ------------------------------------------------ */

static const struct text_case {
	const char *name;
	const char *board;
	int die1, die2;
	const char *text;
	const char *move; /* the canonical text, or NULL: refused */
	enum reason reason;
	int step;
	const char *from, *to, *detail;
} text_cases[] = {
#define START      "-b----E-C---eE---c-e----B-"
#define BG17       "------E-D---eE---d-e-a--A-"
#define TWO_ON_BAR "-b----E-C---eC-----e----BB"
	{ "BG-01 one die alone", "----b-M-A-------b-cdd---A-", 6, 2, "8/2",
	  NULL, REASON_DICE_UNUSED, 1, "8", "2", "2 dice: 24/22 8/2" },
	{ "BG-02 the smaller die", "-b----------A-------cccbb-", 6, 5, "12/7",
	  NULL, REASON_LARGER_DIE, 1, "12", "7", "1 die: 12/6" },
	{ "BG-15 a blocked point", "-b----E-D---eD--B-ad--c---", 5, 1,
	  "13/12 13/8", NULL, REASON_POINT_BLOCKED, 1, "13", "12", "13/12" },
	{ "BG-17 no star is the quiet way", BG17, 3, 1, "24/20", "24/23 23/20",
	  REASON_NONE, 0, "", "", "" },
	{ "BG-17 a star is the way with a hit", BG17, 3, 1, "24/20*",
	  "24/21* 21/20", REASON_NONE, 0, "", "", "" },
	{ "BG-17 the way is written", BG17, 3, 1, "24/21/20", "24/21* 21/20",
	  REASON_NONE, 0, "", "", "" },
	{ "BG-17 the way is written, with its star", BG17, 3, 1, "24/21*/20",
	  "24/21* 21/20", REASON_NONE, 0, "", "", "" },
	{ "a hit on either way", "------E-D---eE---c-e-a-aA-", 3, 1, "24/20*",
	  NULL, REASON_BAD_NOTATION, 0, "", "",
	  "24/21* 21/20 or 24/23* 23/20" },
	{ "any order of the words", START, 3, 1, "6/5 8/5", "8/5 6/5",
	  REASON_NONE, 0, "", "", "" },
	{ "one checker, both dice", START, 6, 5, "24/13", "24/18 18/13",
	  REASON_NONE, 0, "", "", "" },
	{ "capitals, blanks and two at once", START, 1, 1, "  8/7(2)   6/5(2) ",
	  "8/7 8/7 6/5 6/5", REASON_NONE, 0, "", "", "" },
	{ "25 is the bar, 0 is off", "--B------------------cccc-", 6, 5,
	  "2/0 2/0", "2/off 2/off", REASON_NONE, 0, "", "", "" },
	{ "two borne off at once", "------C-------------ccccc-", 6, 6,
	  "6/off(2) 6/0", "6/off 6/off 6/off", REASON_NONE, 0, "", "", "" },
	{ "two that hit at once, and another", "----a---C----B----cccbb---", 4,
	  4, "13/9(2) 8/4*(2)", "13/9 13/9 8/4* 8/4", REASON_NONE, 0, "", "",
	  "" },
	{ "a way with all its landings", START, 6, 5, "24/18/13", "24/18 18/13",
	  REASON_NONE, 0, "", "", "" },
	{ "the later dice of a word come later", TWO_ON_BAR, 4, 4,
	  "BAR/17 bar/21 24/20", "bar/21 bar/21 24/20 21/17", REASON_NONE, 0,
	  "", "", "" },
	{ "words are begun as written", TWO_ON_BAR, 4, 4, "24/20 bar/17 bar/21",
	  NULL, REASON_BAR_FIRST, 1, "24", "20", "24/20" },
	{ "a way is judged as far as it comes", TWO_ON_BAR, 4, 4,
	  "bar/17 bar/21 24/13", NULL, REASON_NO_SUCH_DIE, 4, "24", "13",
	  "24/13" },
	{ "a merged step goes round a block", "-b----E-C---eE---b-d-b--B-", 6,
	  3, "24/15", "24/18 18/15", REASON_NONE, 0, "", "", "" },
	{ "the last landing is blocked", "-b----E-C---eE--bc-c----B-", 5, 3,
	  "24/16", NULL, REASON_POINT_BLOCKED, 2, "21", "16", "21/16" },
	{ "6/off by two dice with checkers outside",
	  "------B-B-----------ccccc-", 4, 2, "6/off", NULL,
	  REASON_NOT_ALL_HOME, 2, "2", "off", "2/off" },
	{ "6/off by one die with checkers outside",
	  "------B-B-----------ccccc-", 6, 4, "6/off", NULL,
	  REASON_NOT_ALL_HOME, 1, "6", "off", "6/off" },
	{ "backwards", START, 3, 1, "6/8", NULL, REASON_NO_SUCH_DIE, 1, "6",
	  "8", "6/8" },
	{ "to the bar", START, 3, 1, "24/bar", NULL, REASON_NO_SUCH_DIE, 1,
	  "24", "bar", "24/bar" },
	{ "from here to here", START, 3, 1, "6/6", NULL, REASON_NO_SUCH_DIE, 1,
	  "6", "6", "6/6" },
	{ "no text", START, 3, 1, "", NULL, REASON_BAD_NOTATION, 0, "", "",
	  "" },
	{ "pass is no text", START, 3, 1, "pass", NULL, REASON_BAD_NOTATION, 0,
	  "", "", "pass" },
	{ "beyond the bar", START, 3, 1, "8/5 26/23", NULL, REASON_BAD_NOTATION,
	  0, "", "", "26/23" },
	{ "a zero in front", START, 3, 1, "8/05", NULL, REASON_BAD_NOTATION, 0,
	  "", "", "8/05" },
	{ "on from off", "--B------------------cccc-", 6, 5, "2/off/1", NULL,
	  REASON_BAD_NOTATION, 0, "", "", "2/off/1" },
	{ "from off", START, 3, 1, "off/5", NULL, REASON_BAD_NOTATION, 0, "",
	  "", "off/5" },
	{ "one checker (1)", START, 3, 1, "8/5(1)", NULL, REASON_BAD_NOTATION,
	  0, "", "", "8/5(1)" },
	{ "five checkers", START, 1, 1, "6/5(5)", NULL, REASON_BAD_NOTATION, 0,
	  "", "", "6/5(5)" },
	{ "bytes that cannot be shown", START, 3, 1, "8/5\x01\xff", NULL,
	  REASON_BAD_NOTATION, 0, "", "", "8/5??" },
	{ "more words than dice", START, 3, 1,
	  "8/5 6/5 6/5 6/5 6/5 6/5 6/5 6/5 6/5 6/5", NULL, REASON_NO_SUCH_DIE,
	  3, "6", "5", "6/5" },
	{ "a word with more points than dice", START, 1, 1,
	  "24/23/22/21/20/19/18/17", NULL, REASON_NO_SUCH_DIE, 5, "20", "19",
	  "20/19" },
};

static void the_text_is_read_so(void **state)
{
	const struct text_case *row = *state;
	struct ruleset rs = ruleset_named("backgammon");
	for (int side = WHITE; side <= BLACK; side++) {
		char text[MOVE_TEXT_MAX];
		struct move move;
		struct refusal why;
		struct position pos =
			position_at(&rs, row->board, (enum side)side, row->die1,
				    row->die2);
		int err = game_check(&rs, &pos, row->text, strlen(row->text),
				     &move, &why);
		assert_string_equal(reason_name(why.reason),
				    reason_name(row->reason));
		assert_int_equal(why.step, row->step);
		assert_string_equal(why.from, row->from);
		assert_string_equal(why.to, row->to);
		assert_string_equal(why.detail, row->detail);
		assert_int_equal(err, row->move ? PLYD_OK : PLYD_EILLEGAL);
		if (!row->move)
			continue;
		game_move_text(&rs, &pos, &move, text);
		assert_string_equal(text, row->move);
	}
}

static void a_long_text_is_bad_notation(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon");
	struct position pos = position_at(&rs, START, WHITE, 3, 1);
	struct move move;
	struct refusal why;
	char text[5000];
	memset(text, '/', sizeof(text));
	for (size_t len = 1; len <= sizeof(text); len *= 2) {
		assert_int_equal(game_check(&rs, &pos, text, len, &move, &why),
				 PLYD_EILLEGAL);
		assert_int_equal(why.reason, REASON_BAD_NOTATION);
	}
	memset(text, ' ', sizeof(text));
	memcpy(text, "8/5 6/5", 7);
	assert_int_equal(game_check(&rs, &pos, text, 100, &move, &why), 0);
	assert_int_equal(game_check(&rs, &pos, text, 200, &move, &why),
			 PLYD_EILLEGAL);
}

/* BG-18, BG-20 and what is near them. */
static const struct points_case {
	const char *name;
	const char *board;
	int points;
} points_cases[] = {
	{ "BG-18 one in the winner's home", "---a----------------gg----", 3 },
	{ "BG-20 none there", "-------a------------gg----", 2 },
	{ "one on the bar", "a-------------------gg----", 3 },
	{ "one borne off", "---a----------------fg----", 1 },
};

static void it_counts_so_many(void **state)
{
	const struct points_case *row = *state;
	struct ruleset rs = ruleset_named("backgammon");
	for (int side = WHITE; side <= BLACK; side++) {
		struct position pos =
			position_at(&rs, row->board, (enum side)side, 0, 0);
		struct outcome o = game_outcome(&rs, &pos);
		assert_true(o.over);
		assert_int_equal(o.winner, side);
		assert_int_equal(o.points, row->points);
	}
}

/* ---- without dice, and at the end -------------------------------------- */

static void no_dice_no_judgement(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon");
	struct position pos, over, roll;
	struct move move;
	struct refusal why;
	game_start(&rs, &pos);
	assert_int_equal(game_moves(&rs, &pos, &list), PLYD_ENODICE);
	assert_int_equal(list.total, 0);
	assert_int_equal(game_check(&rs, &pos, "8/5", 3, &move, &why),
			 PLYD_ENODICE);
	assert_false(game_can_move(&rs, &pos));
	over = position_at(&rs, "-------a------------gg----", BLACK, 0, 0);
	over = position_at(&rs, "-------A------------GG----", BLACK, 0, 0);
	assert_true(game_outcome(&rs, &over).over);
	game_throw(&over, 6, 5, &roll);
	assert_int_equal(game_moves(&rs, &roll, &list), PLYD_OK);
	assert_int_equal(list.total, 0);
	assert_false(game_can_move(&rs, &roll));
	assert_int_equal(game_check(&rs, &roll, "7/2", 3, &move, &why),
			 PLYD_ENODICE);
	assert_int_equal(game_perft(&rs, &over, 1, false), 0);
	assert_int_equal(game_perft(&rs, &over, 0, false), 1);
}

static void a_turn_without_a_move_is_passed(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon");
	struct position after;
	struct position pos =
		position_at(&rs, "------E-D---cE-----bbbbbbA", WHITE, 6, 4);
	assert_false(game_can_move(&rs, &pos));
	assert_int_equal(game_perft(&rs, &pos, 1, false), 1);
	game_pass(&pos, &after);
	assert_int_equal(after.side, BLACK);
	assert_int_equal(after.dice[0], 0);
	assert_memory_equal(&after.backgammon, &pos.backgammon,
			    sizeof(pos.backgammon));
}

static void a_throw_is_kept_larger_first(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon");
	struct position pos, a, b;
	game_start(&rs, &pos);
	game_throw(&pos, 2, 5, &a);
	game_throw(&pos, 5, 2, &b);
	assert_int_equal(a.dice[0], 5);
	assert_memory_equal(&a, &b, sizeof(a));
	assert_int_equal(game_hash(&rs, &a), game_hash(&rs, &b));
	game_throw(&pos, 5, 3, &b);
	assert_true(game_hash(&rs, &a) != game_hash(&rs, &b));
	a = pos;
	a.side = BLACK;
	assert_true(game_hash(&rs, &a) != game_hash(&rs, &pos));
}

static void a_hit_is_told(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon");
	struct position pos = position_at(&rs, BG17, WHITE, 3, 1), after;
	assert_int_equal(game_replay_move(&rs, &pos, "24/21* 21/20", 12, false,
					  &after),
			 0);
	assert_true(game_progress(&rs, &pos, &after).captured);
	assert_int_equal(game_replay_move(&rs, &pos, "24/23 23/20", 11, false,
					  &after),
			 0);
	assert_false(game_progress(&rs, &pos, &after).captured);
}

/* ---- replay ------------------------------------------------------------ */

static const struct replay_case {
	const char *name;
	const char *text;
	int want;
} replay_cases[] = {
	{ "a turn", "24/21* 21/20", PLYD_OK },
	{ "an illegal turn that can be applied", "13/1", PLYD_OK },
	{ "no hop: a pass", "", PLYD_OK },
	{ "a star where nothing is hit", "24/23*", PLYD_ERECORD },
	{ "a hit without its star", "24/21", PLYD_ERECORD },
	{ "a block that would be hit", "13/12*", PLYD_ERECORD },
	{ "no checker there", "22/21*", PLYD_ERECORD },
	{ "backwards", "8/9", PLYD_ERECORD },
	{ "five hops", "13/11 13/11 13/11 13/11 13/11", PLYD_ERECORD },
	{ "two blanks", "13/11  13/11", PLYD_ERECORD },
	{ "a blank at the end", "13/11 ", PLYD_ERECORD },
	{ "short form", "13/11(2)", PLYD_ERECORD },
	{ "from off", "off/1", PLYD_ERECORD },
	{ "no number", "x/1", PLYD_ERECORD },
	{ "cut short", "13/", PLYD_ERECORD },
};

static void it_is_replayed_so(void **state)
{
	const struct replay_case *row = *state;
	struct ruleset rs = ruleset_named("backgammon");
	for (int side = WHITE; side <= BLACK; side++) {
		struct position pos =
			position_at(&rs, BG17, (enum side)side, 3, 1);
		struct position after = pos;
		assert_int_equal(game_replay_move(&rs, &pos, row->text,
						  strlen(row->text), false,
						  &after),
				 row->want);
		if (row->want == PLYD_OK)
			assert_int_equal(after.side, !side);
		else
			assert_memory_equal(&after, &pos, sizeof(pos));
	}
}

/* ---- position texts ---------------------------------------------------- */

static const struct position_case {
	const char *name;
	const char *text;
	const char *want; /* canonical, or NULL: refused */
	size_t offset;
} position_cases[] = {
#define TAIL       ":0:0:0:0:10"
#define XGID(rest) "XGID=-b----E-C---eE---c-e----B-" rest
	{ "the start", XGID(":0:0:1:00" TAIL), XGID(":0:0:1:00" TAIL), 0 },
	{ "without its name", "-b----E-C---eE---c-e----B-:0:0:-1:13" TAIL,
	  XGID(":0:0:-1:31" TAIL), 0 },
	{ "cube and score are left out", XGID(":2:-1:1:52:3:4:1:7:10"),
	  XGID(":0:0:1:52" TAIL), 0 },
	{ "empty", "", NULL, 0 },
	{ "its name only", "XGID=", NULL, 5 },
	{ "25 points", "XGID=-b----E-C---eE---c-e----B:0:0:1:00" TAIL, NULL,
	  30 },
	{ "27 points", "XGID=-b----E-C---eE---c-e----B--:0:0:1:00" TAIL, NULL,
	  31 },
	{ "an unknown sign", "XGID=-b----E-C---e?---c-e----B-:0:0:1:00" TAIL,
	  NULL, 18 },
	{ "White on Black's bar",
	  "XGID=Ab----E-C---eE---c-e----A-:0:0:1:00" TAIL, NULL, 5 },
	{ "Black on White's bar",
	  "XGID=-b----E-C---eE---c-d----Ba:0:0:1:00" TAIL, NULL, 30 },
	{ "16 checkers", "XGID=-b----F-C---eE---c-e----B-:0:0:1:00" TAIL, NULL,
	  0 },
	{ "16 black checkers", "XGID=-b----E-C---eE---c-f----B-:0:0:1:00" TAIL,
	  NULL, 0 },
	{ "nobody", "XGID=--------------------------:0:0:1:00" TAIL, NULL, 0 },
	{ "dice after the end", "XGID=-a------------------------:0:0:1:21" TAIL,
	  NULL, 0 },
	{ "the end", "XGID=-a------------------------:0:0:1:00" TAIL,
	  "XGID=-a------------------------:0:0:1:00" TAIL, 0 },
	{ "no such side", XGID(":0:0:0:00" TAIL), NULL, 36 },
	{ "a die of 7", XGID(":0:0:1:71" TAIL), NULL, 38 },
	{ "one die", XGID(":0:0:1:3" TAIL), NULL, 38 },
	{ "one die and none", XGID(":0:0:1:30" TAIL), NULL, 38 },
	{ "a double offered", XGID(":0:0:1:D" TAIL), NULL, 38 },
	{ "a score of letters", XGID(":0:0:1:31:x:0:0:0:10"), NULL, 41 },
	{ "a field is missing", XGID(":0:0:1:31:0:0:0:0"), NULL, 48 },
	{ "a field too many", XGID(":0:0:1:31" TAIL ":1"), NULL, 51 },
	{ "a field without end", XGID(":0:0:1:31:0:0:0:0:10000000"), NULL, 49 },
	{ "GNU Backgammon's start", "4HPwATDgc/ABMA", XGID(":0:0:1:00" TAIL),
	  0 },
	/* match id of the manual: player 1 (X) on roll with 52 */
	{ "with a match id", "4HPwATDgc/ABMA:QYkqASAAIAAA",
	  XGID(":0:0:1:52" TAIL), 0 },
	/* GNU Backgammon's own ids for XGIDs that differ in who is on roll; X has
	 * two checkers on 22 and none on 24 */
	{ "an id with X on roll", "4HPwATDgc/ABDA:cAlvAAAAAAAE",
	  "XGID=-b----E-C---eE---c-e--B---:0:0:1:63" TAIL, 0 },
	{ "an id with O on roll", "4HPwAQzgc/ABMA:MAFvAAAAAAAE",
	  "XGID=-b----E-C---eE---c-e--B---:0:0:-1:63" TAIL, 0 },
	{ "an id before the dice", "4HPwAQzgc/ABMA:MAFgAAAAAAAE",
	  "XGID=-b----E-C---eE---c-e--B---:0:0:-1:00" TAIL, 0 },
	{ "a sign that is none", "4HPwATDgc/ABM!", NULL, 13 },
	{ "a match id with such a sign", "4HPwATDgc/ABMA:QYkqASAAIAA!", NULL,
	  26 },
	{ "too many checkers in an id", "//////////////", NULL, 0 },
	{ "both on one point", "AQAAAAAAAgAAAA", NULL, 0 },
};

static void the_position_is_read_so(void **state)
{
	const struct position_case *row = *state;
	struct ruleset rs = ruleset_named("backgammon");
	struct position pos, before;
	struct text_error where = { 999, NULL };
	char text[POSITION_TEXT_MAX];
	memset(&pos, 7, sizeof(pos));
	before = pos;
	int err = game_read(&rs, row->text, strlen(row->text), &pos, &where);
	assert_int_equal(err, row->want ? PLYD_OK : PLYD_EPOSITION);
	if (!row->want) {
		assert_non_null(where.text);
		assert_int_equal(where.offset, row->offset);
		assert_memory_equal(&pos, &before, sizeof(pos));
		assert_int_equal(game_read(&rs, row->text, strlen(row->text),
					   &pos, NULL),
				 PLYD_EPOSITION);
		return;
	}
	size_t len = game_write(&rs, &pos, text);
	assert_string_equal(text, row->want);
	assert_int_equal(len, strlen(text));
	static const struct stakes none;
	assert_memory_equal(&pos.stakes, &none, sizeof(none));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_text_is_bad_notation),
		cmocka_unit_test(no_dice_no_judgement),
		cmocka_unit_test(a_turn_without_a_move_is_passed),
		cmocka_unit_test(a_throw_is_kept_larger_first),
		cmocka_unit_test(a_hit_is_told),
	};
	return RUN_TABLE("turns", turn_cases, the_turns_are_these) +
	       RUN_TABLE("texts", text_cases, the_text_is_read_so) +
	       RUN_TABLE("points", points_cases, it_counts_so_many) +
	       RUN_TABLE("replay", replay_cases, it_is_replayed_so) +
	       RUN_TABLE("positions", position_cases, the_position_is_read_so) +
	       cmocka_run_group_tests(tests, NULL, NULL);
}
