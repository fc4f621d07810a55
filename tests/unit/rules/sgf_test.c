/* SPDX-License-Identifier: MIT
 * SGF of backgammon: what GNU Backgammon saves of a match must be what its
 * match file of the same match says, and hand-made trees for each property and
 * fault. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game_dump.h"

/* ---- real games -------------------------------------------------------- */

static const char *const names[] = { "golden/records/gnubg_selfplay_1",
				     "golden/records/gnubg_selfplay_2" };

static struct buf record(const char *name, const char *extension)
{
	char path[128];
	snprintf(path, sizeof(path), "%s%s", name, extension);
	return test_file(path);
}

static void sgf_and_match_file_are_equal(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct buf mat = record(names[i], ".mat");
		struct buf sgf = record(names[i], ".sgf");
		char *want =
			game_dump_text(FORMAT_MAT, NULL, buf_span(&mat), 0);
		assert_null(strstr(want, "offset"));
		for (size_t piece = 0; piece < 3; piece++) {
			char *got = game_dump_text(FORMAT_SGF, NULL,
						   buf_span(&sgf), piece);
			assert_string_equal(got, want);
			free(got);
		}
		free(want);
		buf_release(&mat);
		buf_release(&sgf);
	}
}

/* PD-28 */
static void line_ends_and_marks_do_not_matter(void **state)
{
	(void)state;
	static const char *const newlines[] = { "\n", "\r\n", "\r", "" };
	struct buf sgf = record(names[1], ".sgf"), other;
	char *want = game_dump_text(FORMAT_SGF, NULL, buf_span(&sgf), 0);
	for (size_t k = 0; k < COUNT(newlines); k++) {
		buf_init(&other, 1 << 20);
		buf_put_str(&other, "\xef\xbb\xbf");
		for (size_t i = 0; i < sgf.len; i++) {
			if (sgf.at[i] == '\n')
				buf_put_str(&other, newlines[k]);
			else
				buf_put_byte(&other, sgf.at[i]);
		}
		char *got =
			game_dump_text(FORMAT_SGF, NULL, buf_span(&other), 0);
		assert_string_equal(got, want);
		free(got);
		buf_release(&other);
	}
	free(want);
	buf_release(&sgf);
}

static void nesting_needs_no_stack(void **state)
{
	(void)state;
	enum { DEEP = 1000000 };
	struct buf text;
	buf_init(&text, 4 * DEEP);
	for (int closed = 0; closed < 2; closed++) {
		buf_clear(&text);
		buf_put_str(&text, "(;GM[6]");
		for (size_t i = 0; i < DEEP; i++)
			buf_put_byte(&text, '(');
		for (size_t i = 0; closed && i <= DEEP; i++)
			buf_put_byte(&text, ')');
		buf_put_str(&text, closed ? "(;GM[6];W[31hefe])" : "");
		char *got =
			game_dump_text(FORMAT_SGF, NULL, buf_span(&text), 0);
		assert_non_null(strstr(got, "nested too deep"));
		assert_true(!closed == !strstr(got, "W 31 8/5 6/5"));
		free(got);
	}
	buf_release(&text);
}

static void values_are_bounded(void **state)
{
	(void)state;
	enum { MAX = 512 };
	for (int over = 0; over < 2; over++) {
		struct buf text;
		buf_init(&text, 4096);
		buf_put_str(&text, "(;GM[6]PW[");
		for (int i = 0; i < MAX + over; i++)
			buf_put_byte(&text, 'a');
		buf_put_str(&text, "])");
		char *got =
			game_dump_text(FORMAT_SGF, NULL, buf_span(&text), 0);
		assert_true(!over == !strstr(got, "The value is too long."));
		assert_true(!over == !!strstr(got, "no result"));
		free(got);
		buf_release(&text);
	}
}

/* ---- hand-made --------------------------------------------------------- */

#define NOBODY "game 1: backgammon-match 0 points, White - 0, Black - 0\n"

static const struct sgf_case {
	const char *name;
	const char *text;
	const char *want;
} sgf_cases[] = {
	{ "a game", "(;GM[6]PW[a]PB[b];W[31hefe];B[42qusu])",
	  "game 1: backgammon-match 0 points, White a 0, Black b 0\n"
	  "W 31 8/5 6/5\nB 42 8/4 6/4\nno result\n" },
	{ "Black begins, blanks and line ends anywhere",
	  "\n ( ;\n GM [6] ;\tB\n[42qusu]\n ; W [31hefe]\n ) \n",
	  NOBODY "B 42 8/4 6/4\nW 31 8/5 6/5\nno result\n" },
	{ "names with small letters, as in FF[3]",
	  "(;GaMe[6]PlayerWhite[a];White[31hefe])",
	  "game 1: backgammon-match 0 points, White a 0, Black - 0\n"
	  "W 31 8/5 6/5\nno result\n" },
	{ "a name with a bracket, and a folded line",
	  "(;GM[6]PW[a\\]b\\\\c\\\nd]PB[b:c])",
	  "game 1: backgammon-match 0 points, White a]b\\cd 0, Black b:c 0\n"
	  "no result\n" },
	{ "the main line only",
	  "(;GM[6](;W[31hefe](;B[42qusu])(;B[65](;B[1)])));B[x](;W[31]))",
	  NOBODY "W 31 8/5 6/5\nB 42 8/4 6/4\nno result\n" },
	{ "comments, statistics and unknown properties",
	  "(;GM[6]GS[M:0 "
	  "0][C:1;(]XYZ[(;W[bad\\])\\]];W[31hefe]C[(;nice\\])]A[0][1])",
	  NOBODY "W 31 8/5 6/5\nno result\n" },
	{ "dice told before the turn",
	  "(;GM[6];PL[W]DI[13];W[31hefe];PL[B]DI[42];B[42qusu])",
	  NOBODY "W 31 8/5 6/5\nB 42 8/4 6/4\nno result\n" },
	{ "two matches with their scores",
	  "(;GM[6]MI[length:3][game:0][ws:0][bs:0]RE[W+2R])\n"
	  "(;GM[6]MI[length:3][game:1][ws:2][bs:0]RE[B+1R])\n"
	  "(;GM[6]MI[length:5][game:0][ws:0][bs:0]RE[?])\n",
	  "game 1: backgammon-match 3 points, White - 0, Black - 0\n"
	  "White wins 2, resigned\n"
	  "game 2: backgammon-match 3 points, White - 2, Black - 0\n"
	  "Black wins 1, resigned\n"
	  "game 3: backgammon-match 5 points, White - 0, Black - 0\n"
	  "no result\n" },
	{ "a position that is set up, equal dice, to the end",
	  "(;GM[6]AE[a:y]AW[a:b][a]AB[v:x]PL[B]RE[W+1]MI[length:1];B["
	  "11vwwxxzxz];W[66bzazaz])",
	  "game 1: backgammon-match 1 points, White - 0, Black - 0\n"
	  "from XGID=-BA-------------------aaa-:0:0:-1:00:0:0:0:1:10\n"
	  "B 11 3/2 2/1 1/off 1/off\n"
	  "W 66 2/off 1/off 1/off\n"
	  "White wins 1\n" },
	{ "from the bar, and hits",
	  "(;GM[6]AE[a]AE[f]AB[y][y]AW[a][c][e][e][f]PL[B]RE[B+1Resign];B["
	  "31ycya])",
	  NOBODY "from XGID=bA-A-BA-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10\n"
		 "B 31 bar/22* bar/24*\n"
		 "Black wins 1, resigned\n" },
	{ "a turn that is passed",
	  "(;GM[6]AE[a:y]AW[a:f]AW[a:f]AB[y]PL[B];B[62];W[11fefebaba])",
	  NOBODY "from XGID=aBBBBBB-------------------:0:0:-1:00:0:0:0:0:10\n"
		 "B 62 pass\n"
		 "W 11 6/5 6/5 2/1 2/1\n"
		 "no result\n" },
	{ "a position as GNU Backgammon sets it up",
	  "(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:0]"
	  "[game:0][ws:0][bs:0]PW[gnubg]PB[root]DT[2026-11-30]RE[W+1]\n"
	  ";PL[B]AE[a:y]AW[a][b]AB[x][x][w][w][v][v][s][s][s]\n"
	  ";B[64szsw]\n;W[65bzaz])",
	  "game 1: backgammon-match 0 points, White gnubg 0, Black root 0\n"
	  "from XGID=-AA----------------c--bbb-:0:0:-1:00:0:0:0:0:10\n"
	  "B 64 6/off 6/2\nW 65 2/off 1/off\nWhite wins 1\n" },
	{ "two trees without a match", "(;GM[6]RE[W+2R])(;GM[6]RE[?])",
	  NOBODY "White wins 2, resigned\n"
		 "game 2: backgammon-match 0 points, White - 0, Black - 0\n"
		 "no result\n" },
	{ "no dice thrown yet", "(;GM[6];DI[00];W[31hefe];DI[00])",
	  NOBODY "W 31 8/5 6/5\nno result\n" },
	/* faults */
	{ "one die told", "(;GM[6];DI[01])",
	  "game 1: line 1 column 12 offset 11: bad_record '01' These are no "
	  "two dice.\n" },
	{ "text before the tree", "hello (;GM[6])",
	  "game 1: line 1 column 1 offset 0: bad_record 'h' Here a game must "
	  "begin, as `(;`.\n"
	  "game 2: backgammon-match 0 points, White - 0, Black - 0\n"
	  "no result\n" },
	{ "another game", "(;GM[1];B[aa])(;GM[6])",
	  "game 1: line 1 column 6 offset 5: no_such_ruleset '1' Only "
	  "backgammon, game 6, is read.\n"
	  "game 2: backgammon-match 0 points, White - 0, Black - 0\n"
	  "no result\n" },
	{ "no word of the game", "(;FF[4];W[31hefe])",
	  "game 1: line 1 column 1 offset 0: no_such_ruleset '' This does not "
	  "say that it is backgammon, with GM[6].\n" },
	{ "the file ends in a tree", "(;GM[6];W[31hefe]",
	  "game 1: line 1 column 18 offset 17: bad_record '' The file ends "
	  "within a game.\n" },
	{ "the file ends in a value", "(;GM[6];W[31he",
	  "game 1: line 1 column 15 offset 14: bad_record '' The file ends "
	  "within a game.\n" },
	{ "an illegal move, and the next tree",
	  "(;GM[6]\n;W[31hefe]\n;B[42quqt])\n(;GM[6])",
	  "game 1: line 3 column 6 offset 24: no_such_die '8/4 8/5' The move "
	  "is not legal.\n"
	  "game 2: backgammon-match 0 points, White - 0, Black - 0\n"
	  "no result\n" },
	{ "out of turn", "(;GM[6];W[31hefe];W[42hdfd])",
	  "game 1: line 1 column 21 offset 20: bad_record '' It is the other "
	  "side's turn.\n" },
	{ "no move though there is one", "(;GM[6];W[31])",
	  "game 1: line 1 column 11 offset 10: bad_record '' There is a legal "
	  "move, but none is written.\n" },
	{ "no dice", "(;GM[6];W[hefe])",
	  "game 1: line 1 column 11 offset 10: bad_record 'hefe' This is no "
	  "turn: two dice and up to four pairs of points.\n" },
	{ "five moves", "(;GM[6];W[11babababaxw])",
	  "game 1: line 1 column 11 offset 10: bad_record '11babababaxw' This "
	  "is no turn: two dice and up to four pairs of points.\n" },
	{ "half a move", "(;GM[6];W[31hef])",
	  "game 1: line 1 column 11 offset 10: bad_record '31hef' This is no "
	  "turn: two dice and up to four pairs of points.\n" },
	{ "a point beyond", "(;GM[6];W[31he{e])",
	  "game 1: line 1 column 11 offset 10: bad_record '31he{e' This is no "
	  "turn: two dice and up to four pairs of points.\n" },
	{ "a cube", "(;GM[6];W[31hefe];B[double];W[take])",
	  NOBODY "W 31 8/5 6/5\nB doubles\nW takes\nno result\n" },
	{ "another start", "(;GM[6]RU[Crawford:Nackgammon])",
	  "game 1: line 1 column 11 offset 10: no_such_ruleset 'Nackgammon' "
	  "This rule is not known here.\n" },
	{ "other dice than told", "(;GM[6];PL[W]DI[21];W[31hefe])",
	  "game 1: line 1 column 23 offset 22: bad_record '31hefe' Before this "
	  "turn another side or other dice are told.\n" },
	{ "another side than told", "(;GM[6];PL[B]DI[31];W[31hefe])",
	  "game 1: line 1 column 23 offset 22: bad_record '31hefe' Before this "
	  "turn another side or other dice are told.\n" },
	{ "set up in the middle", "(;GM[6];W[31hefe];AE[a])",
	  "game 1: line 1 column 22 offset 21: bad_record 'a' Only before the "
	  "first turn may a position be set up.\n" },
	{ "both on one point", "(;GM[6]AB[f])",
	  "game 1: line 1 column 1 offset 0: bad_position '' Black has more "
	  "than 15 checkers.\n" },
	{ "sixteen checkers", "(;GM[6]AW[f])",
	  "game 1: line 1 column 1 offset 0: bad_position '' White has more "
	  "than 15 checkers.\n" },
	{ "a point without end",
	  "(;GM[6]AW[f:f][f:f][f:f][f:f][f:f][f:f][f:f]"
	  "[f:f][f:f][f:f][f:f][f:f])",
	  "game 1: line 1 column 61 offset 60: bad_position 'f:f' There are "
	  "more than 15 checkers.\n" },
	{ "points that are none", "(;GM[6]AE[z:a])",
	  "game 1: line 1 column 11 offset 10: bad_position 'z:a' These are no "
	  "points.\n" },
	{ "an end that has not come", "(;GM[6]RE[W+1];W[31hefe])",
	  "game 1: line 1 column 11 offset 10: bad_record '' The game has not "
	  "come to this end, and the result does not say that it was "
	  "resigned.\n" },
	{ "no points", "(;GM[6]RE[W+R];W[31hefe])",
	  "game 1: line 1 column 11 offset 10: bad_record '' A game counts "
	  "1, 2 or 3 points, times the cube.\n" },
	{ "a result of go", "(;GM[6]RE[W+3.5])",
	  "game 1: line 1 column 11 offset 10: bad_record 'W+3.5' This is no "
	  "result of backgammon.\n" },
	{ "a draw", "(;GM[6]RE[Draw])",
	  "game 1: line 1 column 11 offset 10: bad_record 'Draw' This is no "
	  "result of backgammon.\n" },
	{ "a score that does not follow",
	  "(;GM[6]MI[ws:0][bs:0]RE[W+2R])\n"
	  "(;GM[6]MI[ws:1][bs:0])",
	  NOBODY "White wins 2, resigned\n"
		 "game 2: line 2 column 17 offset 47: bad_record '' The score "
		 "is not what the games before it led to.\n" },
	{ "a value without a name", "(;GM[6];[31hefe])",
	  "game 1: line 1 column 9 offset 8: bad_record '[' This value belongs "
	  "to no property.\n" },
	{ "a name without a value", "(;GM[6];W;B[42qusu])",
	  "game 1: line 1 column 10 offset 9: bad_record ';' Behind a property "
	  "its value must stand, as `[`.\n" },
	{ "signs between names", "(;GM[6]=PW[a])",
	  "game 1: line 1 column 8 offset 7: bad_record '=' This is not "
	  "understood here.\n" },
	{ "a name told twice", "(;GM[6]PW[a][b])",
	  "game 1: line 1 column 14 offset 13: bad_record 'White' This tag "
	  "stands twice.\n" },
};

static void the_tree_is_read_so(void **state)
{
	const struct sgf_case *row = *state;
	for (size_t piece = 0; piece < 3; piece++) {
		char *got = game_dump_text(FORMAT_SGF, NULL,
					   span_str(row->text), piece);
		assert_string_equal(got, row->want);
		free(got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sgf_and_match_file_are_equal),
		cmocka_unit_test(line_ends_and_marks_do_not_matter),
		cmocka_unit_test(values_are_bounded),
		cmocka_unit_test(nesting_needs_no_stack),
	};
	return RUN_TABLE("trees", sgf_cases, the_tree_is_read_so) +
	       cmocka_run_group_tests(tests, NULL, NULL);
}
