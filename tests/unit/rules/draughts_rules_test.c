/* SPDX-License-Identifier: MIT
 * Table tests of the draughts family: faults that other projects had (the
 * names say which), readings of move and position texts, options, outcomes. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "draughts_sets.h"

/* ---- legal moves ------------------------------------------------------- */

static const struct moves_case {
	const char *name, *set, *position, *moves;
} moves_cases[] = {
	{ "a king goes on with a multiple jump, ends where it began", "english",
	  "W:WK22:B1,9,10,17,18", "22x13x6x15x22 22x15x6x13x22" },
	{ "a man crowned by a jump stops", "english", "W:W11:B6,7,12", "11x2" },
	{ "english: no majority", "english", "W:W27,31:B24,23,15,7",
	  "27x18x11x2 27x20" },
	{ "english kings are short", "english", "W:WK4:B15,18", "4-8" },
	{ "no jump onto an occupied square", "english", "W:W22:B15,18",
	  "22-17" },
	{ "captures exclude quiet moves", "english", "W:W21,32:B17,28,19,12",
	  "21x14" },
	{ "a blocked side has no move", "english", "W:W28:B19,24", "" },
	{ "captures at edge and corner", "english", "W:WK1:B6,15,24,7",
	  "1x10x19x28 1x10x3" },
	{ "man and king captures together", "english", "W:W30,K21:B17,10,26,3",
	  "21x14x7 30x23" },
	{ "the seven moves of the start", "english", "B:W21-32:B1-12",
	  "10-14 10-15 11-15 11-16 12-16 9-13 9-14" },
	{ "turkish: the most over all pieces", "turkish", "W:Wa4,h4:Ba5,h5,g6",
	  "h4xh6xf6" },
	{ "turkish: no turning back", "turkish", "W:WKd4:Bf4,b4",
	  "d4xa4 d4xg4 d4xh4" },
	{ "turkish: captured pieces leave at once", "turkish",
	  "W:WKd8:Ba4,c2,d6,g6", "d8xd2xa2xa6xh6" },
	{ "turkish men never capture backwards", "turkish", "W:Wd4:Bc4,d3",
	  "d4xb4" },
	{ "turkish: every square behind", "turkish", "W:WKa1:Ba5",
	  "a1xa6 a1xa7 a1xa8" },
	{ "turkish: two neighbours block", "turkish", "W:WKa1:Ba4,a5,h8",
	  "a1-a2 a1-a3 a1-b1 a1-c1 a1-d1 a1-e1 a1-f1 a1-g1 a1-h1" },
	{ "turkish: a capture is not stopped half way", "turkish",
	  "W:Wd3:Bd4,d6", "d3xd5xd7" },
	{ "turkish: the landing is limited by the majority", "turkish",
	  "W:WKa1:Ba4,d6", "a1xa6xe6 a1xa6xf6 a1xa6xg6 a1xa6xh6" },
	{ "turkish: nothing behind the edge", "turkish", "W:WKa1:Bh1",
	  "a1-a2 a1-a3 a1-a4 a1-a5 a1-a6 a1-a7 a1-a8 a1-b1 a1-c1 a1-d1 "
	  "a1-e1 a1-f1 a1-g1" },
	{ "turkish: a step to the last row and beside it", "turkish",
	  "W:Wa7:Bh6", "a7-a8 a7-b7" },
	{ "two landings between two pieces are two paths", "turkish",
	  "W:WKa1:Ba3,a6", "a1xa4xa7 a1xa4xa8 a1xa5xa7 a1xa5xa8" },
	{ "russian: a landing that goes on must be chosen", "russian",
	  "W:WKa1:Bc3,d6", "a1xe5xb8 a1xe5xc7" },
	{ "at_end: a captured piece still blocks", "turkish-at-end",
	  "W:WKd8:Ba4,c2,d6,g6",
	  "d8xd2xa2xa5 d8xd2xa2xa6 d8xd2xa2xa7 d8xd2xa2xa8" },
	{ "quality: as many by a king as by a man", "short-quality",
	  "B:W15,18:BK14,11", "14x23" },
	{ "king: a king's capture before a man's longer one", "czech",
	  "W:Wc3,Kh2:Bd4,f6,g3", "h2xe5xg7 h2xe5xh8" },
	{ "men that may not capture kings", "short-quality", "B:WK15,18:B11,14",
	  "14x23" },
};

static void moves_case_holds(void **state)
{
	const struct moves_case *row = *state;
	static struct move_list list;
	char text[MOVE_TEXT_MAX], all[2048] = "";
	struct ruleset rs = draughts_set(row->set, "");
	struct position pos = draughts_position(&rs, row->position);
	assert_int_equal(game_moves(&rs, &pos, &list), PLYD_OK);
	for (size_t i = 0; i < list.count; i++) {
		game_move_text(&rs, &pos, &list.move[i], text);
		sprintf(all + strlen(all), "%s%s", i > 0 ? " " : "", text);
	}
	assert_string_equal(all, row->moves);
}

/* ---- verdicts ---------------------------------------------------------- */

static const struct verdict_case {
	const char *name, *set, *position, *move;
	const char *want; /* canonical text, or a reason */
	int step;
	const char *detail;
} verdict_cases[] = {
	{ "both paths of a circle give one result", "english",
	  "W:WK22:B1,9,10,17,18", "22x22", "22x13x6x15x22", 0, "" },
	{ "stopping early in a circle", "english", "W:WK22:B1,9,10,17,18",
	  "22x13x6", "capture_unfinished", 2, "22x13x6x15x22" },
	{ "ends that name one capture, with a dash", "english", "B:W15,22:B11",
	  "11-25", "11x18x25", 0, "" },
	{ "ends that name one capture, with a colon", "english", "B:W15,22:B11",
	  "11:18:25", "11x18x25", 0, "" },
	{ "ends that name two captures, with a dash", "english",
	  "W:W22:B9,10,17,18", "22-6", "ambiguous_capture", 1,
	  "22x13x6 22x15x6" },
	{ "a dash on half a capture is a step", "english", "B:W15,22:B11",
	  "11-18", "too_far", 1, "18" },
	{ "two pieces could capture", "english", "B:W15,19,32:B1,11,16", "1-5",
	  "must_capture", 1, "11 16" },
	{ "letters in english", "english", "B:W15,22:B11", "c3xe5xg7",
	  "11x18x25", 0, "" },
	{ "numbers in turkish", "turkish", "W:Wd4:Bh8", "12-16", "bad_notation",
	  0, "" },
	{ "two dashes", "english", "B:W21-32:B1-12", "11-15-19", "bad_notation",
	  0, "" },
	{ "a dash and a capture sign", "english", "B:W15,22:B11", "11x18-25",
	  "bad_notation", 0, "" },
	{ "a light square", "english", "B:W32:B18", "a2-b3", "no_such_square",
	  1, "a2" },
	{ "a huge number", "english", "B:W32:B18", "18-4294967297",
	  "no_such_square", 1, "4294967" },
	{ "seventeen legs", "turkish", "W:WKa1:Ba5",
	  "a1xa6xa1xa6xa1xa6xa1xa6xa1xa6xa1xa6xa1xa6xa1xa6xa1xa6",
	  "bad_notation", 0, "" },
	{ "a blank", "english", "B:W32:B18", "18-22 ", "bad_notation", 0, "" },
	{ "an upper-case square", "turkish", "W:Wd4:Bh8", "D4-D5",
	  "bad_notation", 0, "" },
	{ "from a square to itself", "turkish", "W:Wd4:Bh8", "d4-d4",
	  "wrong_direction", 1, "d4" },
	{ "ends only, a king's landing", "turkish", "W:WKa1:Ba5", "a1-a7",
	  "a1xa7", 0, "" },
	{ "ends only, over four captures", "turkish", "W:WKd8:Ba4,c2,d6,g6",
	  "d8xh6", "d8xd2xa2xa6xh6", 0, "" },
	{ "an own piece under a jump", "turkish", "W:WKa1,a3:Ba5", "a1xa6",
	  "path_blocked", 1, "a6" },
	{ "at_end: over a piece that was captured", "russian",
	  "W:WKa1:Bc3,f6,h2", "a1xd4xa1", "path_blocked", 2, "a1" },
	{ "russian men step forward only", "russian", "W:Wd4:Bh8", "d4-c3",
	  "wrong_direction", 1, "c3" },
	{ "russian men capture backwards", "russian", "W:Wd4:Bc3,h8", "d4xb2",
	  "d4xb2", 0, "" },
	{ "russian: the landing that does not go on", "russian",
	  "W:WKa1:Bc3,d6,h8", "a1xd4", "capture_unfinished", 1,
	  "a1xe5xb8 a1xe5xc7" },
	{ "a man may not capture a king here", "short-quality",
	  "B:WK15,22:B11,1", "11x18", "nothing_to_capture", 1, "18" },
	{ "a king's capture is due", "czech", "W:Wc3,Kh2:Bd4,g3", "c3xe5",
	  "not_maximum_capture", 1, "1: h2xb8 h2xc7 h2xd6 h2xe5 h2xf4" },
};

static void verdict_case_holds(void **state)
{
	const struct verdict_case *row = *state;
	char text[MOVE_TEXT_MAX];
	struct move move;
	struct refusal why;
	struct ruleset rs = draughts_set(row->set, "");
	struct position pos = draughts_position(&rs, row->position);
	int err = game_check(&rs, &pos, row->move, strlen(row->move), &move,
			     &why);
	if (!err)
		game_move_text(&rs, &pos, &move, text);
	assert_string_equal(err ? reason_name(why.reason) : text, row->want);
	assert_int_equal(why.step, row->step);
	assert_string_equal(why.detail, row->detail);
	if (err && row->step > 0)
		assert_true(why.from[0] && why.to[0]);
}

/* ---- positions --------------------------------------------------------- */

static const struct text_case {
	const char *name, *set, *text;
	const char *want; /* canonical text, or NULL where it is refused ... */
	size_t offset;    /* ... here */
} text_cases[] = {
	{ "the start, in ranges", "english", "B:W21-32:B1-12",
	  "B:W21,22,23,24,25,26,27,28,29,30,31,32:"
	  "B1,2,3,4,5,6,7,8,9,10,11,12",
	  0 },
	{ "black first, kings, any order", "english", "W:BK3,1:W32,K30",
	  "W:WK30,32:B1,K3", 0 },
	{ "a range of kings", "english", "W:WK30-32:B1", "W:WK30,K31,K32:B1",
	  0 },
	{ "letters in english", "english", "B:Wd4,f6:Bc3", "B:W15,22:B11", 0 },
	{ "empty lists", "english", "W:W:B", "W:W:B", 0 },
	{ "turkish", "turkish", "W:Wa2,Kd4:Ba6", "W:Wa2,Kd4:Ba6", 0 },
	{ "a man on its last row stays one", "english", "W:W1:B32", "W:W1:B32",
	  0 },
	{ "two pieces on one square", "english", "W:W18:B18", NULL, 7 },
	{ "one piece twice", "english", "W:W18,18:B1", NULL, 6 },
	{ "square 33", "english", "W:W33:B1", NULL, 3 },
	{ "square 0", "english", "W:W0:B1", NULL, 3 },
	{ "a king nowhere", "english", "W:WK:B1", NULL, 4 },
	{ "a comma at the end", "english", "W:W18,:B1", NULL, 6 },
	{ "a side X", "english", "X:W18:B1", NULL, 0 },
	{ "three lists", "english", "W:W18:B1:W19", NULL, 8 },
	{ "two white lists", "english", "W:W18:W1", NULL, 6 },
	{ "one list", "english", "W:W18", NULL, 5 },
	{ "a negative square", "english", "W:W-5:B1", NULL, 3 },
	{ "a number over 32 bits", "english", "W:W4294967297:B1", NULL, 3 },
	{ "a range that runs backwards", "english", "W:W32-21:B1", NULL, 3 },
	{ "a range over a piece", "english", "W:W21-24:B22-23", NULL, 10 },
	{ "a range to nowhere", "english", "W:W30-33:B1", NULL, 6 },
	{ "a range without an end", "english", "W:W30-:B1", NULL, 6 },
	{ "thirteen men", "english", "W:W20-32:B1", NULL, 3 },
	{ "a light square", "english", "W:Wa2:B1", NULL, 3 },
	{ "a number in turkish", "turkish", "W:W18:Ba1", NULL, 3 },
	{ "no rank 9", "turkish", "W:Wa9:Ba1", NULL, 3 },
	{ "no file i", "turkish", "W:Wi4:Ba1", NULL, 3 },
	{ "a range in turkish", "turkish", "W:Wa2-h2:Ba6", NULL, 5 },
	{ "a blank", "turkish", "W:Wa2, b2:Ba6", NULL, 6 },
	{ "nothing", "turkish", "", NULL, 0 },
};

static void text_case_holds(void **state)
{
	const struct text_case *row = *state;
	struct ruleset rs = draughts_set(row->set, "");
	struct position pos, untouched;
	struct text_error where;
	memset(&pos, 0x5a, sizeof(pos));
	untouched = pos;
	int err = game_read(&rs, row->text, strlen(row->text), &pos, &where);
	if (row->want) {
		assert_int_equal(err, PLYD_OK);
		assert_string_equal(draughts_text(&rs, &pos), row->want);
		return;
	}
	assert_int_equal(err, PLYD_EPOSITION);
	assert_int_equal(where.offset, row->offset);
	assert_true(strlen(where.text) > 0);
	assert_memory_equal(&pos, &untouched, sizeof(pos));
}

static void a_nul_ends_no_text(void **state)
{
	(void)state;
	static const char text[] = "W:W18:B1\0W:W18:B1";
	struct ruleset rs = draughts_set("english", "");
	struct position pos;
	struct text_error where;
	assert_int_equal(game_read(&rs, text, sizeof(text) - 1, &pos, &where),
			 PLYD_EPOSITION);
	assert_int_equal(where.offset, 8);
	struct move move;
	struct refusal why;
	pos = draughts_position(&rs, "W:W18:B1");
	assert_int_equal(game_check(&rs, &pos, "18-15\0", 6, &move, &why),
			 PLYD_EILLEGAL);
	assert_int_equal(why.reason, REASON_BAD_NOTATION);
}

/* ---- options ----------------------------------------------------------- */

static const struct options_case {
	const char *name, *base, *option, *value;
} options_cases[] = {
	{ "straight moves on dark squares", "turkish", "squares", "dark" },
	{ "men that step straight and capture diagonally", "turkish",
	  "man_capture", "any" },
	{ "men that step diagonally and capture straight", "english",
	  "man_capture", "forward_sideways" },
	{ "numbers on all squares", "english", "squares", "all" },
	{ "24 men a side", "turkish", "start", "rows_1_3" },
};

static void options_case_is_refused(void **state)
{
	const struct options_case *row = *state;
	struct ruleset rs = draughts_set(row->base, "");
	const char *why = NULL;
	assert_int_equal(ruleset_set(&rs, row->option, strlen(row->option),
				     row->value, strlen(row->value)),
			 PLYD_OK);
	assert_int_equal(ruleset_check(&rs, &why), PLYD_EOPTION);
	assert_non_null(why);
}

/* ---- outcomes and progress --------------------------------------------- */

static const struct outcome_case {
	const char *name, *set, *position, *why;
	enum side winner;
} outcome_cases[] = {
	{ "blocked", "english", "W:W28:B19,24", "no_moves", BLACK },
	{ "no piece", "english", "W:W:B19,24", "no_pieces", BLACK },
	{ "the other side has no piece", "turkish", "W:Wa2:B", "no_pieces",
	  WHITE },
	{ "one king each goes on", "turkish", "W:WKa1:BKh7", "", WHITE },
	{ "only a capture is left", "english", "W:W28:B24", "", WHITE },
};

static void outcome_case_holds(void **state)
{
	const struct outcome_case *row = *state;
	struct ruleset rs = draughts_set(row->set, "");
	struct position pos = draughts_position(&rs, row->position);
	struct outcome o = game_outcome(&rs, &pos);
	assert_string_equal(o.why, row->why);
	assert_int_equal(o.over, row->why[0] != '\0');
	if (o.over) {
		assert_int_equal(o.winner, row->winner);
		assert_int_equal(o.points, 1);
	}
}

static const struct progress_case {
	const char *name, *set, *position, *move, *after;
	bool captured, promoted, man_moved;
} progress_cases[] = {
	{ "a man steps", "english", "B:W32:B1", "1-5", "W:W32:B5", false, false,
	  true },
	{ "a king steps", "english", "B:W32:BK1", "1-5", "W:W32:BK5", false,
	  false, false },
	{ "a man is crowned", "english", "W:W6:B12,K32", "6-1", "B:WK1:B12,K32",
	  false, true, true },
	{ "a king captures a king", "english", "W:WK6:BK10", "6x15", "B:WK15:B",
	  true, false, false },
	{ "a man captures and is crowned", "english", "W:W11:B6,7,12", "11x2",
	  "B:WK2:B6,12", true, true, true },
	{ "crowned on the way", "turkish", "W:We6:Bb8,e7,g8,h5", "e6xe8xh8xh4",
	  "B:WKh4:Bb8", true, true, true },
	{ "crowned where the capture ends", "turkish-classic",
	  "W:We6:Bb8,e7,g8,h5", "e6xe8", "B:WKe8:Bh5,b8,g8", true, true, true },
};

static void progress_case_holds(void **state)
{
	const struct progress_case *row = *state;
	struct ruleset rs = draughts_set(row->set, "");
	struct position pos = draughts_position(&rs, row->position), after;
	struct move move;
	struct refusal why;
	assert_int_equal(game_check(&rs, &pos, row->move, strlen(row->move),
				    &move, &why),
			 PLYD_OK);
	game_apply(&rs, &pos, &move, &after);
	assert_string_equal(draughts_text(&rs, &after), row->after);
	struct progress p = game_progress(&rs, &pos, &after);
	assert_int_equal(p.captured, row->captured);
	assert_int_equal(p.promoted, row->promoted);
	assert_int_equal(p.man_moved, row->man_moved);
	assert_int_equal(move.crowned, row->promoted);
	assert_int_equal(game_points_lost(&rs, &pos, WHITE), 1);
}

/* ---- replay ------------------------------------------------------------ */

static const struct replay_case {
	const char *name, *text;
	bool crowned;
	const char *want; /* NULL: it cannot be applied */
} replay_cases[] = {
	{ "a step that is no longer legal", "a2-b3", false,
	  "B:Wb3,a4,Kd4:Ba6,d6,d7" },
	{ "a capture over two pieces", "d4xd8", false, "B:Wa2,a4,Kd8:Ba6" },
	{ "a crowning where none is due", "a2-a3", true,
	  "B:WKa3,a4,Kd4:Ba6,d6,d7" },
	{ "no piece there", "a3-b3", false, NULL },
	{ "the opponent's piece", "a6-a5", false, NULL },
	{ "onto a piece", "d4-d6", false, NULL },
	{ "over an own piece", "a2xa7", false, NULL },
	{ "over nothing", "d4xd5", false, NULL },
	{ "off every line", "d4xe6", false, NULL },
	{ "no such square", "d4-d9", false, NULL },
	{ "no move", "pass", false, NULL },
};

static void replay_case_holds(void **state)
{
	const struct replay_case *row = *state;
	struct ruleset rs = draughts_set("turkish", "");
	struct position pos = draughts_position(&rs, "W:Wa2,a4,Kd4:Ba6,d6,d7"),
			after;
	int err = game_replay_move(&rs, &pos, row->text, strlen(row->text),
				   row->crowned, &after);
	assert_int_equal(err, row->want ? PLYD_OK : PLYD_ERECORD);
	if (row->want)
		assert_string_equal(draughts_text(&rs, &after), row->want);
}

/* ---- too much ---------------------------------------------------------- */

#define RICH "b1,f1,a2,e2,b3,g3,c4,f4,d5,g5,a6,e6,h6,b7,f7,d8"

static void a_rich_position_is_counted(void **state)
{
	(void)state;
	static struct move_list list;
	char before[MOVE_TEXT_MAX] = "", text[MOVE_TEXT_MAX];
	struct ruleset rs = draughts_set("turkish", "");
	struct position pos =
		draughts_position(&rs, "W:WKh1,Kh2,Ka8,Kh8:B" RICH);
	assert_int_equal(game_moves(&rs, &pos, &list), PLYD_OK);
	assert_int_equal(list.count, MOVE_LIST_MAX);
	assert_int_equal(list.total, 100033);
	for (size_t i = 0; i < list.count; i++) {
		game_move_text(&rs, &pos, &list.move[i], text);
		assert_true(strcmp(before, text) < 0);
		strcpy(before, text);
		assert_int_equal(list.move[i].legs, 16);
	}
}

static void a_position_may_be_too_complex(void **state)
{
	(void)state;
	static struct move_list list;
	struct move move;
	struct refusal why;
	struct ruleset rs = draughts_set("turkish-reversing", "");
	struct position pos =
		draughts_position(&rs, "W:WKh1,Kb2,Kh2,Ka8,Kh8:B" RICH);
	assert_int_equal(game_moves(&rs, &pos, &list), PLYD_ETOOCOMPLEX);
	assert_int_equal(list.count, 0);
	assert_int_equal(list.total, 0);
	assert_true(game_can_move(&rs, &pos));
	assert_int_equal(game_check(&rs, &pos, "a8xa5", 5, &move, &why),
			 PLYD_ETOOCOMPLEX);
	assert_int_equal(game_check(&rs, &pos, "a8-b8", 5, &move, &why),
			 PLYD_ETOOCOMPLEX);
	assert_int_equal(game_check(&rs, &pos, "g1-f1", 5, &move, &why),
			 PLYD_EILLEGAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_nul_ends_no_text),
		cmocka_unit_test(a_rich_position_is_counted),
		cmocka_unit_test(a_position_may_be_too_complex),
	};
	int failed = RUN_TABLE("moves", moves_cases, moves_case_holds);
	failed += RUN_TABLE("verdicts", verdict_cases, verdict_case_holds);
	failed += RUN_TABLE("texts", text_cases, text_case_holds);
	failed += RUN_TABLE("options", options_cases, options_case_is_refused);
	failed += RUN_TABLE("outcomes", outcome_cases, outcome_case_holds);
	failed += RUN_TABLE("progress", progress_cases, progress_case_holds);
	failed += RUN_TABLE("replay", replay_cases, replay_case_holds);
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
