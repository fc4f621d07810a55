/* SPDX-License-Identifier: MIT
 * Match files: the records of GNU Backgammon against what it said of the same
 * games elsewhere, and hand-made ones for each fault. */
#include "unit.h"

#include <stdlib.h>

#include "rules/mat.h"
#include "vectors.h"
#include "backgammon_boards.h"
#include "game_dump.h"

static char complaint[512];

#define WRONG(...)                                                             \
	(snprintf(complaint, sizeof(complaint), __VA_ARGS__), complaint)

/* ---- real games -------------------------------------------------------- */

enum { GAMES_MAX = 32 };

static const char *const files[] = { "golden/records/gnubg_selfplay_1.mat",
				     "golden/records/gnubg_selfplay_2.mat" };

/* The games of the files above in their order, each of its own. */
struct games {
	size_t count, faults, next;
	struct game_record *game[GAMES_MAX];
};

static void keep_game(void *payload, const struct game_record *game)
{
	struct games *all = payload;
	struct game_record *copy = malloc(sizeof(*copy));
	if (!copy || all->count == GAMES_MAX)
		abort();
	*copy = *game;
	all->game[all->count++] = copy;
}

static void count_fault(void *payload, const struct game_fault *fault)
{
	struct games *all = payload;
	print_error("line %u: %s\n", fault->place.line, fault->text);
	all->faults++;
}

static void games_read(struct games *all)
{
	const struct game_sink sink = { keep_game, count_fault, all };
	*all = (struct games){ 0 };
	for (size_t i = 0; i < COUNT(files); i++) {
		struct game_reader *r;
		struct buf bytes = test_file(files[i]);
		assert_int_equal(game_reader_new(FORMAT_MAT, NULL, &sink, &r),
				 PLYD_OK);
		game_reader_feed(r, buf_span(&bytes));
		game_reader_end(r);
		game_reader_free(r);
		buf_release(&bytes);
	}
}

static void games_free(struct games *all)
{
	for (size_t i = 0; i < all->count; i++)
		free(all->game[i]);
}

/* One turn: [side, dice, move, board before, board after], the boards as the
 * mover sees them. */
static const char *turn_differs(const struct game_record *g,
				const struct game_entry *e, const json_t *turn,
				struct position *pos)
{
	char before[BOARD_CHARS + 1], after[BOARD_CHARS + 1];
	const json_t *dice = json_array_get(turn, 1);
	struct position now = *pos;
	board_write(&g->ruleset, pos, (enum side)e->side, before);
	now.side = e->side;
	if (e->kind == ENTRY_PASS)
		game_pass(&now, pos);
	else
		game_apply(&g->ruleset, &now, &e->move, pos);
	board_write(&g->ruleset, pos, (enum side)e->side, after);
	if (e->side != json_integer_value(json_array_get(turn, 0)) ||
	    e->dice[0] != json_integer_value(json_array_get(dice, 0)) ||
	    e->dice[1] != json_integer_value(json_array_get(dice, 1)))
		return "another side or other dice";
	if (strcmp(before, json_string_value(json_array_get(turn, 3))) != 0)
		return "another position before";
	if (strcmp(after, json_string_value(json_array_get(turn, 4))) != 0)
		return "another position after";
	return NULL;
}

static const char *game_differs(const json_t *row, void *payload)
{
	struct games *all = payload;
	const json_t *turns = json_object_get(row, "turns");
	if (all->next == all->count)
		return "no such game in the match files";
	const struct game_record *g = all->game[all->next++];
	struct position pos = g->start;
	if (g->entry_count != json_array_size(turns))
		return WRONG("%zu turns, not %zu", g->entry_count,
			     json_array_size(turns));
	for (size_t i = 0; i < g->entry_count; i++) {
		const char *wrong =
			turn_differs(g, &g->entry[i], json_array_get(turns, i),
				     &pos);
		if (wrong)
			return WRONG("turn %zu: %s", i + 1, wrong);
	}
	if (memcmp(&pos, &g->end, sizeof(pos)) != 0)
		return "another end";
	if (g->points != vector_int(row, "points"))
		return "other points";
	if (game_outcome(&g->ruleset, &g->end).over !=
	    json_is_true(json_object_get(row, "finished")))
		return "finished in one, resigned in the other";
	return NULL;
}

static void the_files_hold_the_golden_games(void **state)
{
	(void)state;
	struct games all;
	games_read(&all);
	assert_int_equal(all.faults, 0);
	assert_int_equal(all.count, 24);
	assert_int_equal(vectors_run("golden/backgammon_games.jsonl",
				     game_differs, &all),
			 0);
	assert_int_equal(all.next, all.count);
	games_free(&all);
}

/* A game that the rules have ended has their result and no other. */
static void the_result_is_checked(void **state)
{
	(void)state;
	static const struct {
		const char *from, *to, *want;
	} changes[] = {
		{ "                                  Wins 3 points",
		  "                                  Wins 2 points",
		  "By the rules this game counts other points." },
		{ "                                  Wins 3 points",
		  "      Wins 3 points",
		  "By the rules the other side won here." },
		/* nobody says who has won, but the position does */
		{ "                                  Wins 3 points\n", "",
		  "B 32 1/off\nBlack wins 3\n" },
		{ "                                  Wins 3 points\n",
		  " 31) 11:\n", "The game was over before this turn." },
		/* words for a pass */
		{ " 62:      ", " 62: Cannot Move  ",
		  "W 62 pass\nB 41 19/18 9/5\n" },
		{ "30) 22:", "30) 22: 21/19\n 31) 22:", "dice_unused '21/19'" },
	};
	struct buf bytes = test_file(files[0]);
	buf_put_byte(&bytes, '\0');
	for (size_t i = 0; i < COUNT(changes); i++) {
		struct buf out;
		const char *text = (const char *)bytes.at;
		const char *at = strstr(text, changes[i].from);
		assert_non_null(at);
		buf_init(&out, 1 << 20);
		buf_printf(&out, "%.*s%s%s", (int)(at - text), text,
			   changes[i].to, at + strlen(changes[i].from));
		char *got = game_dump_text(FORMAT_MAT, NULL, buf_span(&out), 0);
		assert_non_null(strstr(got, changes[i].want));
		free(got);
		buf_release(&out);
	}
	buf_release(&bytes);
}

/* White begins in this ruleset. */
static void the_ruleset_says_who_begins(void **state)
{
	(void)state;
	static const char text[] = " Game 1\n a : 0   b : 0\n"
				   "  1)                  11: 8/7(2) 6/5(2)\n"
				   " Game 2\n a : 0   b : 0\n"
				   "  1) 11: 8/7(2) 6/5(2)\n";
	struct ruleset rs = ruleset_named("backgammon");
	char *got = game_dump_text(FORMAT_MAT, &rs, span_str(text), 0);
	assert_string_equal(
		got, "game 1: line 3 column 23 offset 45: bad_record '' In "
		     "this ruleset the other side begins.\n"
		     "game 2: backgammon 0 points, White a 0, Black b 0\n"
		     "W 11 8/7 8/7 6/5 6/5\nno result\n");
	free(got);
	rs = ruleset_named("english");
	got = game_dump_text(FORMAT_MAT, &rs, span_str(text), 0);
	assert_non_null(strstr(got, "no_such_ruleset"));
	assert_null(strstr(got, "no result"));
	free(got);
	rs = ruleset_named("short-backgammon");
	got = game_dump_text(FORMAT_MAT, &rs, span_str(text), 0);
	assert_non_null(strstr(got, "Equal dice do not decide who begins."));
	assert_null(strstr(got, "no result"));
	free(got);
}

/* Columns are told in characters. */
static void names_have_their_places(void **state)
{
	(void)state;
	static const char text[] =
		" Game 1\n \xc3\xa4\xe2\x82\xac : 0   bob : 0\n";
	struct games all = { 0 };
	const struct game_sink sink = { keep_game, count_fault, &all };
	struct game_reader *r;
	assert_int_equal(game_reader_new(FORMAT_MAT, NULL, &sink, &r), PLYD_OK);
	game_reader_feed(r, span_str(text));
	game_reader_end(r);
	assert_int_equal(all.count, 1);
	assert_int_equal(all.game[0]->tag[WHITE].place.column, 2);
	assert_int_equal(all.game[0]->tag[BLACK].place.column, 11);
	assert_int_equal(all.game[0]->tag[BLACK].place.offset, 21);
	game_reader_free(r);
	games_free(&all);
}

/* A line of 512 bytes is read, a longer one only if it is a comment. */
static void lines_are_bounded(void **state)
{
	(void)state;
	static const char *const formats[] = {
		" Game 1\n%*s : 0   b : 0\n", "; %*s\n Game 1\n a : 0  b : 0\n"
	};
	for (int over = 0; over < 2; over++) {
		for (size_t i = 0; i < COUNT(formats); i++) {
			char text[2048];
			bool refused = over && i == 0;
			snprintf(text, sizeof(text), formats[i],
				 512 - (int)strlen(" : 0   b : 0") + over, "a");
			char *got = game_dump_text(FORMAT_MAT, NULL,
						   span_str(text), 0);
			assert_true(refused ==
				    !!strstr(got, "The line is too long."));
			assert_true(refused == !strstr(got, "no result"));
			free(got);
		}
	}
}

/* ---- line ends, marks, pieces (PD-28) ---------------------------------- */

static void put_variant(struct buf *out, struct span text, bool mark,
			const char *newline, bool last)
{
	if (mark)
		buf_put_str(out, "\xef\xbb\xbf");
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] != '\n')
			buf_put_byte(out, text.at[i]);
		else if (last || i + 1 < text.len)
			buf_put_str(out, newline);
	}
}

static void line_ends_and_pieces_do_not_matter(void **state)
{
	(void)state;
	static const struct {
		bool mark;
		const char *newline;
		bool last;
		size_t piece;
	} variants[] = {
		{ false, "\n", true, 1 },    { false, "\r\n", true, 0 },
		{ true, "\r\n", true, 0 },   { true, "\r\n", true, 1 },
		{ false, "\n", false, 0 },   { true, "\n", false, 7 },
		{ false, "\r", true, 1000 }, { true, "\r\n", false, 2 },
	};
	struct buf bytes = test_file(files[1]);
	char *want = game_dump_text(FORMAT_MAT, NULL, buf_span(&bytes), 0);
	assert_non_null(strstr(want, "Black wins 2"));
	assert_null(strstr(want, "offset"));
	for (size_t i = 0; i < COUNT(variants); i++) {
		struct buf variant;
		buf_init(&variant, 2 * bytes.len);
		put_variant(&variant, buf_span(&bytes), variants[i].mark,
			    variants[i].newline, variants[i].last);
		char *got = game_dump_text(FORMAT_MAT, NULL, buf_span(&variant),
					   variants[i].piece);
		assert_string_equal(got, want);
		free(got);
		buf_release(&variant);
	}
	free(want);
	buf_release(&bytes);
}

/* ---- writing ----------------------------------------------------------- */

/* A match as it is read, written again. */
struct copy {
	struct buf *out;
	unsigned number;
};

static void write_game(void *payload, const struct game_record *g)
{
	struct copy *copy = payload;
	struct mat_writer w;
	const char *const name[2] = { game_tag_find(g, "White"),
				      game_tag_find(g, "Black") };
	if (copy->number == 0)
		mat_write_match(copy->out, g->match_length);
	mat_write_begin(&w, copy->out, ++copy->number, name, g->score);
	for (size_t i = 0; i < g->entry_count; i++)
		mat_write_turn(&w, (enum side)g->entry[i].side,
			       g->entry[i].dice, &g->entry[i].move);
	assert_int_equal(mat_write_end(&w,
				       g->result == RESULT_WHITE ? WHITE
								 : BLACK,
				       g->points),
			 PLYD_OK);
}

static void no_fault(void *payload, const struct game_fault *fault)
{
	(void)payload;
	fail_msg("line %u: %s", fault->place.line, fault->text);
}

static void written_again(struct span bytes, struct buf *out)
{
	struct copy copy = { out, 0 };
	const struct game_sink sink = { write_game, no_fault, &copy };
	struct game_reader *r;
	assert_int_equal(game_reader_new(FORMAT_MAT, NULL, &sink, &r), 0);
	game_reader_feed(r, bytes);
	game_reader_end(r);
	game_reader_free(r);
}

static void what_is_written_reads_back_alike(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(files); i++) {
		struct buf bytes = test_file(files[i]), once, twice;
		buf_init(&once, 1 << 20);
		buf_init(&twice, 1 << 20);
		written_again(buf_span(&bytes), &once);
		char *want =
			game_dump_text(FORMAT_MAT, NULL, buf_span(&bytes), 0);
		char *got =
			game_dump_text(FORMAT_MAT, NULL, buf_span(&once), 0);
		assert_string_equal(got, want);
		written_again(buf_span(&once), &twice);
		assert_true(span_eq(buf_span(&once), buf_span(&twice)));
		free(want);
		free(got);
		buf_release(&bytes);
		buf_release(&once);
		buf_release(&twice);
	}
}

/* PD-26: a single game without a cube is a match to one point. */
static void a_single_game_is_a_match_of_one_point(void **state)
{
	(void)state;
	static const char text[] =
		" 1 point match\n"
		"\n"
		" Game 1\n"
		" ann : 0                        b.b : 0\n"
		"  1) 31: 8/5 6/5                 64: 24/18 18/14\n"
		"  2) 66: 24/18 24/18 13/7 13/7   11: 24/23 24/23 6/5* 6/5\n"
		"  3)                             55:\n"
		"                                  Wins 2 points\n";
	static const char *const moves[] = { "8/5 6/5", "24/14",
					     "24/18(2) 13/7(2)" };
	static const uint8_t dice[][2] = { { 3, 1 }, { 6, 4 }, { 6, 6 } };
	static const uint16_t score[2] = { 0, 0 };
	const char *const name[2] = { "ann", "b:b" };
	struct ruleset rs = ruleset_named("short-backgammon");
	struct position pos, thrown;
	struct mat_writer w;
	struct buf out;
	buf_init(&out, 4096);
	game_start(&rs, &pos);
	mat_write_match(&out, 1);
	mat_write_begin(&w, &out, 1, name, score);
	for (size_t i = 0; i < COUNT(moves); i++) {
		struct move move;
		struct refusal why;
		game_throw(&pos, dice[i][0], dice[i][1], &thrown);
		assert_int_equal(game_check(&rs, &thrown, moves[i],
					    strlen(moves[i]), &move, &why),
				 PLYD_OK);
		mat_write_turn(&w, (enum side)pos.side, dice[i], &move);
		game_apply(&rs, &thrown, &move, &pos);
	}
	const struct move hit = { .legs = 4,
				  .taken = 4,
				  .at = { 24, 23, 24, 23, 6, 5, 6, 5 } };
	const struct move pass = { 0 };
	mat_write_turn(&w, BLACK, (const uint8_t[]){ 1, 1 }, &hit);
	mat_write_turn(&w, BLACK, (const uint8_t[]){ 5, 5 }, &pass);
	assert_int_equal(mat_write_end(&w, BLACK, 2), PLYD_OK);
	buf_put_byte(&out, '\0');
	assert_string_equal((const char *)out.at, text);
	buf_release(&out);
}

/* A name is cut between two characters, and cannot be taken for anything
 * else. */
static void names_are_bounded(void **state)
{
	(void)state;
	char name[103] = "; a: 5  b\n";
	const uint16_t score[2] = { 9999, 0 };
	const char *const both[2] = { name, NULL };
	struct mat_writer w;
	struct buf out;
	memset(name + strlen(name), 'x', 99 - strlen(name));
	memcpy(name + 99, "\xc3\xb6z", 4);
	buf_init(&out, 4096);
	mat_write_match(&out, 0);
	mat_write_begin(&w, &out, 1, both, score);
	assert_int_equal(mat_write_end(&w, WHITE, 0), PLYD_OK);
	char *got = game_dump_text(FORMAT_MAT, NULL, buf_span(&out), 0);
	assert_non_null(strstr(got, "White . a. 5  b xxx"));
	assert_non_null(strstr(got, "xxx 9999, Black  0\nno result\n"));
	free(got);
	buf_release(&out);
}

/* ---- hand-made --------------------------------------------------------- */

#define HEAD " 5 point match\n\n Game 1\n ann : 1      bob : 2\n"
#define SAID "game 1: backgammon-match 5 points, White ann 1, Black bob 2\n"
static const struct mat_case {
	const char *name;
	const char *text;
	const char *want;
} mat_cases[] = {
	{ "the left side begins", HEAD "  1) 31: 8/5 6/5    42: 8/4 6/4\n",
	  SAID "W 31 8/5 6/5\nB 42 8/4 6/4\nno result\n" },
	{ "the right side begins",
	  HEAD "  1)                42: 8/4 6/4\n"
	       "  2) 31: 8/5 6/5\n",
	  SAID "B 42 8/4 6/4\nW 31 8/5 6/5\nno result\n" },
	{ "PD-26 all forms of a move",
	  HEAD "  1) 31: 8/5 6/5        64: 24/14\n"
	       "  2) 66: 24/18(2) 13/7(2)  11: 24/23 14/13 6/5(2)\n"
	       "  3) 62:18/16/10\n",
	  SAID "W 31 8/5 6/5\nB 64 24/18 18/14\n"
	       "W 66 24/18 24/18 13/7 13/7\nB 11 24/23 14/13 6/5 6/5\n"
	       "W 62 18/16 16/10\nno result\n" },
	{ "the left side wins", HEAD "      Wins 2 points\n",
	  SAID "White wins 2, resigned\n" },
	{ "the right side wins",
	  HEAD "                     Wins 3 points and the match\n",
	  SAID "Black wins 3, resigned\n" },
	{ "who wins, in a row", HEAD "  1) 31: 8/5 6/5      Wins 1 point\n",
	  SAID "W 31 8/5 6/5\nBlack wins 1, resigned\n" },
	{ "two games, the score goes on",
	  HEAD "      Wins 2 points\n Game 2\n ann : 3   bob : 2\n"
	       "      Wins 1 point\n",
	  SAID "White wins 2, resigned\n"
	       "game 2: backgammon-match 5 points, White ann 3, Black bob 2\n"
	       "White wins 1, resigned\n" },
	{ "names with blanks, colons and other letters",
	  " Game 1\n a: b : 3 c\xc3\xb6 : 0     d e:f: 7\n",
	  "game 1: backgammon-match 0 points, White a: b 3, Black c\xc3\xb6 : "
	  "0     d e:f 7\nno result\n" },
	{ "comments and empty lines, a word for a pass",
	  "; [Variation \"Backgammon\"]\n; [x]\n 0 point match\n Game 1\n\n"
	  " a : 0\tb : 0\n; x\n  1) 31: 8/5 6/5\t42: 8/4\t6/4\n",
	  "game 1: backgammon-match 0 points, White a 0, Black b 0\n"
	  "W 31 8/5 6/5\nB 42 8/4 6/4\nno result\n" },
	{ "two matches",
	  HEAD "      Wins 2 points\n 3 point match\n Game 1\n"
	       " ann : 0   bob : 0\n",
	  SAID "White wins 2, resigned\n"
	       "game 2: backgammon-match 3 points, White ann 0, Black bob 0\n"
	       "no result\n" },
	/* faults */
	{ "another start", "; [Variation \"Nackgammon\"]\n" HEAD,
	  "game 1: line 1 column 3 offset 2: no_such_ruleset '' Only the usual "
	  "starting position is read.\n" },
	{ "an illegal move, and the next game",
	  HEAD "  1) 31: 8/5 6/5    42: 8/4 6/3\n  2) 11: x\n"
	       " Game 2\n ann : 4   bob : 4\n      Wins 1 point\n",
	  "game 1: line 5 column 25 offset 70: no_such_die '8/4 6/3' The move "
	  "is not legal.\n"
	  "game 2: backgammon-match 5 points, White ann 4, Black bob 4\n"
	  "White wins 1, resigned\n" },
	{ "no text before a game", "hello\nhello\n" HEAD,
	  "game 1: line 1 column 1 offset 0: bad_record '' Here a game must "
	  "begin, as ` Game 1`.\n"
	  "game 2: backgammon-match 5 points, White ann 1, Black bob 2\n"
	  "no result\n" },
	{ "no names", " Game 1\n  1) 31: 8/5 6/5\n",
	  "game 1: line 2 column 1 offset 8: bad_record '' Here two names, "
	  "each with a colon and a score, must stand.\n" },
	{ "nothing after the number", " Game 1\n",
	  "game 1: line 2 column 1 offset 8: bad_record '' The game ends "
	  "before its names.\n" },
	{ "two games run on", " Game 1\n Game 2\n a : 0   b : 0\n",
	  "game 1: line 2 column 1 offset 8: bad_record '' The game ends "
	  "before its names.\n"
	  "game 2: backgammon-match 0 points, White a 0, Black b 0\n"
	  "no result\n" },
	{ "one name", " Game 1\n ann : 1\n",
	  "game 1: line 2 column 1 offset 8: bad_record '' Here two names, "
	  "each with a colon and a score, must stand.\n" },
	{ "a score of letters", " Game 1\n ann : 1   bob : x\n",
	  "game 1: line 2 column 1 offset 8: bad_record '' Here two names, "
	  "each with a colon and a score, must stand.\n" },
	{ "a score that does not follow",
	  HEAD "      Wins 2 points\n Game 2\n ann : 2   bob : 2\n",
	  SAID "White wins 2, resigned\n"
	       "game 2: line 7 column 1 offset 74: bad_record '' The score is "
	       "not what the games before it led to.\n" },
	{ "out of turn",
	  HEAD "  1) 31: 8/5 6/5    42: 8/4 6/4\n"
	       "  2)                31: 8/5 6/5\n",
	  "game 1: line 6 column 21 offset 98: bad_record '' It is the other "
	  "side's turn.\n" },
	{ "a row is missing",
	  HEAD "  1) 31: 8/5 6/5    42: 8/4 6/4\n  3) 31: 8/5 6/5\n",
	  "game 1: line 6 column 3 offset 80: bad_record '3)' The turns are "
	  "not in order.\n" },
	{ "a row without its number", HEAD " 31: 8/5 6/5    42: 8/4 6/4\n",
	  "game 1: line 5 column 2 offset 47: bad_record '31:' Here the number "
	  "of a turn must stand, as `1)`.\n" },
	{ "three columns", HEAD "  1) 31: 8/5 6/5  42: 8/4 6/4  31: 6/5\n",
	  "game 1: line 5 column 32 offset 77: bad_record '31:' Nothing can "
	  "follow the second column.\n" },
	{ "a die of 7", HEAD "  1) 71: 8/1 6/5\n",
	  "game 1: line 5 column 6 offset 51: bad_record '71:' Here two dice "
	  "and a colon must stand.\n" },
	{ "equal dice to begin with", HEAD "  1) 11: 8/7(2) 6/5(2)\n",
	  "game 1: line 5 column 6 offset 51: bad_record '' Equal dice do not "
	  "decide who begins.\n" },
	{ "no move though there is one", HEAD "  1) 31:     42: 8/4 6/4\n",
	  "game 1: line 5 column 6 offset 51: bad_record '' There is a legal "
	  "move, but none is written.\n" },
	{ "Cannot Move though he can", HEAD "  1) 31: Cannot Move\n",
	  "game 1: line 5 column 6 offset 51: bad_record '' There is a legal "
	  "move, but none is written.\n" },
	{ "Cannot Move behind a move", HEAD "  1) 31: 8/5 6/5 Cannot Move\n",
	  "game 1: line 5 column 10 offset 55: bad_notation '8/5 6/5 Cannot "
	  "Move' The move is not legal.\n" },
	{ "one die of two", HEAD "  1) 31: 8/5\n",
	  "game 1: line 5 column 10 offset 55: dice_unused '8/5' The move is "
	  "not legal.\n" },
	{ "a cube", HEAD "  1) 31: 8/5 6/5    Doubles => 2\n  2)  Takes\n",
	  SAID "W 31 8/5 6/5\nB doubles\nW takes\nno result\n" },
	{ "four points", HEAD "      Wins 4 points\n",
	  "game 1: line 5 column 12 offset 57: bad_record '' A game counts "
	  "1, 2 or 3 points, times the cube.\n" },
	{ "no points", HEAD "      Wins points\n",
	  "game 1: line 5 column 12 offset 57: bad_record 'points' Here points "
	  "must stand.\n" },
	{ "more behind the points", HEAD "      Wins 1 point today\n",
	  "game 1: line 5 column 20 offset 65: bad_record 'today' This is not "
	  "understood here.\n" },
	{ "on after the end", HEAD "      Wins 1 point\n  1) 31: 8/5 6/5\n",
	  SAID "White wins 1, resigned\n"
	       "game 2: line 6 column 1 offset 65: bad_record '' Here a game "
	       "must begin, as ` Game 1`.\n" },
	{ "a byte of 0", HEAD "  1) 31: 8/5 6/5^\n",
	  "game 1: line 5 column 10 offset 55: bad_notation '8/5 6/5^' The "
	  "move is not legal.\n" },
};

static void the_text_is_read_so(void **state)
{
	const struct mat_case *row = *state;
	for (size_t piece = 0; piece < 4; piece++) {
		char *got = game_dump_text(FORMAT_MAT, NULL,
					   span_str(row->text), piece);
		assert_string_equal(got, row->want);
		free(got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_files_hold_the_golden_games),
		cmocka_unit_test(the_result_is_checked),
		cmocka_unit_test(the_ruleset_says_who_begins),
		cmocka_unit_test(names_have_their_places),
		cmocka_unit_test(names_are_bounded),
		cmocka_unit_test(lines_are_bounded),
		cmocka_unit_test(line_ends_and_pieces_do_not_matter),
		cmocka_unit_test(what_is_written_reads_back_alike),
		cmocka_unit_test(a_single_game_is_a_match_of_one_point),
	};
	return RUN_TABLE("texts", mat_cases, the_text_is_read_so) +
	       cmocka_run_group_tests(tests, NULL, NULL);
}
