/* SPDX-License-Identifier: MIT
 * Records of games with the doubling cube: what GNU Backgammon wrote of matches
 * and of sessions for money, and hand-made ones for each rule of the cube, of
 * Crawford and of Jacoby (docs/rules/backgammon-match.md). */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "rules/mat.h"
#include "backgammon_boards.h"
#include "game_dump.h"

/* ---- real games -------------------------------------------------------- */

static struct buf record(const char *name, const char *extension)
{
	char path[128];
	snprintf(path, sizeof(path), "golden/records/gnubg_%s%s", name,
		 extension);
	return test_file(path);
}

/* How often the word stands in a text. */
static size_t times(const char *text, const char *word)
{
	size_t n = 0;
	for (text = strstr(text, word); text; text = strstr(text + 1, word))
		n++;
	return n;
}

static const struct real_case {
	const char *name;
	size_t games, faults;
} real_cases[] = {
	{ "match", 3, 0 }, /* with the Crawford game, and one after it */
	{ "money", 9, 0 },
	{ "jacoby", 9, 0 },
	/* GNU Backgammon lets its player double in the Crawford game here */
	{ "crawford", 5, 1 },
};

/* Nothing of the cube is lost, and both formats tell the same. */
static void real_games_are_read(void **state)
{
	const struct real_case *row = *state;
	struct buf mat = record(row->name, ".mat");
	struct buf sgf = record(row->name, ".sgf");
	char *told = game_dump_text(FORMAT_MAT, NULL, buf_span(&mat), 0);
	char *same = game_dump_text(FORMAT_SGF, NULL, buf_span(&sgf), 7);
	buf_put_byte(&mat, '\0');
	const char *text = (const char *)mat.at;
	assert_int_equal(times(told, "\ngame ") + 1, row->games);
	assert_int_equal(times(told, " offset "), row->faults);
	assert_int_equal(times(same, " offset "), row->faults);
	if (row->faults == 0) {
		assert_string_equal(same, told);
		assert_int_equal(times(told, " doubles\n"),
				 times(text, "Doubles"));
		assert_int_equal(times(told, " takes\n"), times(text, "Takes"));
		assert_int_equal(times(told, " drops\n"), times(text, "Drops"));
	} else {
		assert_non_null(strstr(told, "crawford_game 'Doubles'"));
		assert_non_null(strstr(same, "crawford_game 'double'"));
	}
	free(told);
	free(same);
	buf_release(&mat);
	buf_release(&sgf);
}

static void the_crawford_game_is_known(void **state)
{
	(void)state;
	struct buf mat = record("match", ".mat");
	char *told = game_dump_text(FORMAT_MAT, NULL, buf_span(&mat), 0);
	assert_non_null(strstr(told, "game 2: backgammon-match 5 points, White "
				     "gnubg 0, Black root 4, Crawford\n"));
	assert_int_equal(times(told, ", Crawford\n"), 1);
	free(told);
	buf_release(&mat);
}

/* ---- written and read again -------------------------------------------- */

struct copy {
	struct buf out;
	unsigned number;
};

static void write_entry(struct mat_writer *w, const struct game_entry *e)
{
	enum side side = (enum side)e->side;
	if (e->kind == ENTRY_MOVE || e->kind == ENTRY_PASS)
		mat_write_turn(w, side, e->dice, &e->move);
	else
		mat_write_cube(w, side, (enum game_entry_kind)e->kind);
}

static void write_game(void *payload, const struct game_record *g)
{
	struct copy *copy = payload;
	struct mat_writer w;
	const char *const name[2] = { game_tag_find(g, "White"),
				      game_tag_find(g, "Black") };
	enum side winner = g->result == RESULT_WHITE ? WHITE : BLACK;
	if (copy->number == 0)
		mat_write_match(&copy->out, g->match_length);
	mat_write_begin(&w, &copy->out, ++copy->number, name, g->score);
	for (size_t i = 0; i < g->entry_count; i++)
		write_entry(&w, &g->entry[i]);
	assert_int_equal(mat_write_end(&w, winner, g->points), PLYD_OK);
}

static void no_fault(void *payload, const struct game_fault *fault)
{
	(void)payload;
	fail_msg("line %u: %s", fault->place.line, fault->text);
}

static void what_is_written_reads_back_alike(void **state)
{
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct buf sgf = record(real_cases[i].name, ".sgf");
		struct copy copy = { .number = 0 };
		const struct game_sink sink = { write_game, no_fault, &copy };
		struct game_reader *r;
		buf_init(&copy.out, 1 << 20);
		assert_int_equal(game_reader_new(FORMAT_SGF, NULL, &sink, &r),
				 PLYD_OK);
		game_reader_feed(r, buf_span(&sgf));
		game_reader_end(r);
		game_reader_free(r);
		char *want =
			game_dump_text(FORMAT_SGF, NULL, buf_span(&sgf), 0);
		char *got = game_dump_text(FORMAT_MAT, NULL,
					   buf_span(&copy.out), 0);
		assert_string_equal(got, want);
		free(want);
		free(got);
		buf_release(&copy.out);
		buf_release(&sgf);
	}
}

static void the_cube_is_written_so(void **state)
{
	(void)state;
	static const char text[] =
		" 0 point match\n"
		"\n"
		" Game 1\n"
		" ann : 0                        bob : 0\n"
		"  1) 31: 8/5 6/5                  Doubles => 2\n"
		"  2)  Takes                      42: 8/4 6/4\n"
		"  3)  Doubles => 4                Drops\n"
		"      Wins 2 points\n";
	static const uint16_t score[2] = { 0, 0 };
	static const char *const name[2] = { "ann", "bob" };
	const struct move white = { .legs = 2, .at = { 8, 5, 6, 5 } };
	const struct move black = { .legs = 2, .at = { 8, 4, 6, 4 } };
	struct mat_writer w;
	struct buf out;
	buf_init(&out, 4096);
	mat_write_match(&out, 0);
	mat_write_begin(&w, &out, 1, name, score);
	mat_write_turn(&w, WHITE, (const uint8_t[]){ 3, 1 }, &white);
	mat_write_cube(&w, BLACK, ENTRY_DOUBLE);
	mat_write_cube(&w, WHITE, ENTRY_TAKE);
	mat_write_turn(&w, BLACK, (const uint8_t[]){ 4, 2 }, &black);
	mat_write_cube(&w, WHITE, ENTRY_DOUBLE);
	mat_write_cube(&w, BLACK, ENTRY_DROP);
	assert_int_equal(mat_write_end(&w, WHITE, 2), PLYD_OK);
	buf_put_byte(&out, '\0');
	assert_string_equal((const char *)out.at, text);
	buf_release(&out);
}

/* ---- games at random --------------------------------------------------- */

struct played {
	struct mat_writer w;
	struct position pos;
	struct rng rng;
};

static void play_begins(struct played *p, struct buf *out, unsigned length,
			uint64_t seed)
{
	static const uint16_t score[2] = { 0, 0 };
	static const char *const name[2] = { "ann", "bob" };
	struct ruleset rs = ruleset_named("backgammon-match");
	rng_seed(&p->rng, seed);
	game_start(&rs, &p->pos);
	mat_write_match(out, length);
	mat_write_begin(&p->w, out, 1, name, score);
}

static void play_turn(struct played *p, int high, int low)
{
	static struct move_list list;
	struct ruleset rs = ruleset_named("backgammon-match");
	struct position thrown;
	struct move move = { .legs = 0 };
	game_throw(&p->pos, high, low, &thrown);
	assert_int_equal(game_moves(&rs, &thrown, &list), PLYD_OK);
	if (list.count > 0)
		move = list.move[rng_below(&p->rng, list.count)];
	mat_write_turn(&p->w, (enum side)p->pos.side, thrown.dice, &move);
	if (list.count > 0)
		game_apply(&rs, &thrown, &move, &p->pos);
	else
		game_pass(&thrown, &p->pos);
}

static void play_random_turn(struct played *p)
{
	play_turn(p, 1 + (int)rng_below(&p->rng, 6),
		  1 + (int)rng_below(&p->rng, 6));
}

struct points {
	size_t games, faults;
	unsigned points;
	enum reason reason;
};

static void count_points(void *payload, const struct game_record *g)
{
	struct points *p = payload;
	p->games++;
	p->points = g->points;
}

static void count_fault(void *payload, const struct game_fault *fault)
{
	struct points *p = payload;
	p->faults++;
	p->reason = fault->refusal.reason;
}

static struct points points_of(const struct buf *text)
{
	struct points p = { .games = 0 };
	const struct game_sink sink = { count_points, count_fault, &p };
	struct game_reader *r;
	assert_int_equal(game_reader_new(FORMAT_MAT, NULL, &sink, &r), PLYD_OK);
	game_reader_feed(r, buf_span(text));
	game_reader_end(r);
	game_reader_free(r);
	return p;
}

/* Up to 1024, with a turn between any two doubles: the greatest stake there is
 * counts three times in full, and the cube goes no higher. */
static void no_points_are_lost(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon-match");
	for (int doubles = CUBE_MAX; doubles <= CUBE_MAX + 1; doubles++) {
		struct played p;
		struct buf out;
		buf_init(&out, 1 << 16);
		play_begins(&p, &out, 0, 5);
		play_turn(&p, 3, 1);
		for (int i = 0; i < doubles; i++) {
			enum side side = (enum side)p.pos.side;
			mat_write_cube(&p.w, side, ENTRY_DOUBLE);
			mat_write_cube(&p.w, side_other(side), ENTRY_TAKE);
			play_random_turn(&p);
			assert_false(game_outcome(&rs, &p.pos).over);
		}
		mat_write_end(&p.w, WHITE, 3 << doubles);
		struct points got = points_of(&out);
		if (doubles == CUBE_MAX) {
			assert_int_equal(got.faults, 0);
			assert_int_equal(got.points, 3072);
		} else {
			assert_int_equal(got.games, 0);
			assert_int_equal(got.reason, REASON_CUBE_AT_LIMIT);
		}
		buf_release(&out);
	}
}

/* A match file cannot say that Jacoby's rule holds; a gammon with the cube in
 * the middle that counts once, in a game for money, does. */
static void jacoby_shows_in_a_match_file(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon-match");
	struct outcome o = { .over = false };
	for (uint64_t seed = 0; o.points != 2; seed++) {
		struct buf out[2];
		for (unsigned i = 0; i < 2; i++) {
			struct played p;
			buf_init(&out[i], 1 << 16);
			play_begins(&p, &out[i], i ? 5 : 0, seed);
			play_turn(&p, 3, 1);
			while (!game_outcome(&rs, &p.pos).over)
				play_random_turn(&p);
			o = game_outcome(&rs, &p.pos);
			mat_write_end(&p.w, o.winner, 1);
		}
		assert_int_equal(points_of(&out[0]).games, 1);
		assert_int_equal(points_of(&out[0]).points, 1);
		assert_int_equal(points_of(&out[1]).games, o.points == 1);
		buf_release(&out[0]);
		buf_release(&out[1]);
	}
}

/* ---- hand-made --------------------------------------------------------- */

#define FACES(white, black) " Game 1\n ann : " #white "      bob : " #black "\n"
#define MONEY               " 0 point match\n\n" FACES(0, 0)
#define FIVE(white, black)  " 5 point match\n\n" FACES(white, black)
#define SAID0               "game 1: backgammon-match 0 points, White ann 0, Black bob 0\n"
#define TURN                "  1) 31: 8/5 6/5        "
#define DOUBLED             TURN "Doubles => 2\n"
#define TAKEN               DOUBLED "  2)  Takes             42: 8/4 6/4\n"
#define TOLD                "W 31 8/5 6/5\nB doubles\nW takes\nB 42 8/4 6/4\n"

static const struct cube_case {
	const char *name;
	enum game_format format;
	const char *text;
	const char *want;
} cube_cases[] = {
	{ "taken, and the taker redoubles", FORMAT_MAT,
	  MONEY TAKEN "  3)  Doubles => 4      Drops\n      Wins 2 points\n",
	  SAID0 TOLD "W doubles\nB drops\nWhite wins 2, dropped\n" },
	{ "the left column drops", FORMAT_MAT,
	  MONEY DOUBLED "  2)  Drops             Wins 1 point\n",
	  SAID0 "W 31 8/5 6/5\nB doubles\nW drops\nBlack wins 1, dropped\n" },
	{ "other words, and no number", FORMAT_MAT,
	  MONEY TURN "doubles\n  2)  accepts           42: 8/4 6/4\n"
		     "  3)  Redoubles         Passes\n      Wins 2 points\n",
	  SAID0 TOLD "W doubles\nB drops\nWhite wins 2, dropped\n" },
	{ "nobody says who won, but there was a drop", FORMAT_MAT,
	  MONEY DOUBLED "  2)  Rejects\n",
	  SAID0 "W 31 8/5 6/5\nB doubles\nW drops\nBlack wins 1, dropped\n" },
	{ "broken off at a double", FORMAT_MAT, MONEY DOUBLED,
	  SAID0 "W 31 8/5 6/5\nB doubles\nno result\n" },
	{ "resigned at three times the cube", FORMAT_MAT,
	  MONEY TAKEN "      Wins 6 points\n",
	  SAID0 TOLD "White wins 6, resigned\n" },
	{ "no three points with a cube of two", FORMAT_MAT,
	  MONEY TAKEN "      Wins 3 points\n",
	  "game 1: line 7 column 12: bad_record '' A game counts 1, "
	  "2 or 3 points, times the cube.\n" },
	{ "no eight points with a cube of two", FORMAT_MAT,
	  MONEY TAKEN "      Wins 8 points\n",
	  "game 1: line 7 column 12: bad_record '' A game counts 1, "
	  "2 or 3 points, times the cube.\n" },
	{ "the opponent owns the cube", FORMAT_MAT,
	  MONEY TAKEN "  3) 11: 8/7(2) 6/5(2)  Doubles => 4\n",
	  "game 1: line 7 column 25: not_your_cube 'Doubles' The "
	  "move is not legal.\n" },
	{ "the cube comes to another number", FORMAT_MAT,
	  MONEY TURN "Doubles => 4\n",
	  "game 1: line 5 column 25: bad_record 'Doubles' The cube "
	  "does not come to this number.\n" },
	{ "a number is missing", FORMAT_MAT, MONEY TURN "Doubles =>\n",
	  "game 1: line 5 column 35: bad_record '' Here the new "
	  "number of the cube must stand.\n" },
	{ "a number of 0", FORMAT_MAT, MONEY TURN "Doubles => 0\n",
	  "game 1: line 5 column 36: bad_record '0' Here the new "
	  "number of the cube must stand.\n" },
	{ "before the first throw", FORMAT_MAT, MONEY "  1)  Doubles => 2\n",
	  "game 1: line 5 column 7: bad_record '' Nobody doubles "
	  "before the first throw.\n" },
	{ "nobody has doubled", FORMAT_MAT, MONEY TURN "Takes\n",
	  "game 1: line 5 column 25: bad_record 'Takes' There is no "
	  "double to answer.\n" },
	{ "answered already", FORMAT_MAT,
	  MONEY DOUBLED "  2)  Takes             Takes\n",
	  "game 1: line 6 column 25: bad_record 'Takes' There is no "
	  "double to answer.\n" },
	{ "answered by himself", FORMAT_MAT,
	  MONEY DOUBLED "  2)                    Takes\n",
	  "game 1: line 6 column 25: bad_record 'Takes' The other "
	  "side must answer the double.\n" },
	{ "a turn without the answer", FORMAT_MAT,
	  MONEY DOUBLED "  2)                    42: 8/4 6/4\n",
	  "game 1: line 6 column 25: bad_record '' The double has "
	  "not been answered.\n" },
	{ "doubled twice", FORMAT_MAT,
	  MONEY DOUBLED "  2)                    Doubles => 4\n",
	  "game 1: line 6 column 25: bad_record '' The double has "
	  "not been answered.\n" },
	{ "won without the answer", FORMAT_MAT,
	  MONEY DOUBLED "      Wins 1 point\n",
	  "game 1: line 6 column 12: bad_record '' The double has "
	  "not been answered.\n" },
	{ "out of turn", FORMAT_MAT,
	  MONEY TURN "42: 8/4 6/4\n  2)                    Doubles => 2\n",
	  "game 1: line 6 column 25: bad_record '' It is the other "
	  "side's turn.\n" },
	{ "a turn after a drop", FORMAT_MAT,
	  MONEY DOUBLED "  2)  Drops             42: 8/4 6/4\n",
	  "game 1: line 6 column 25: bad_record '' The game was "
	  "over before this turn.\n" },
	{ "a drop counts what the cube showed", FORMAT_MAT,
	  MONEY DOUBLED "  2)  Drops             Wins 2 points\n",
	  "game 1: line 6 column 30: bad_record '' After a dropped "
	  "double its side wins what the cube showed before.\n" },
	{ "who drops does not win", FORMAT_MAT,
	  MONEY DOUBLED "  2)  Drops\n      Wins 1 point\n",
	  "game 1: line 7 column 12: bad_record '' After a dropped "
	  "double its side wins what the cube showed before.\n" },
	{ "beavers", FORMAT_MAT, MONEY DOUBLED "  2)  Beavers => 4\n",
	  "game 1: line 6 column 7: no_such_ruleset 'Beavers' There "
	  "are no beavers here.\n" },
	/* matches */
	{ "the Crawford game follows from the game before", FORMAT_MAT,
	  FIVE(3,
	       0) "      Wins 1 point\n Game 2\n ann : 4   bob : 0\n" DOUBLED,
	  "game 1: backgammon-match 5 points, White ann 3, Black bob 0\n"
	  "White wins 1, resigned\n"
	  "game 2: line 8 column 25: crawford_game 'Doubles' The "
	  "move is not legal.\n" },
	{ "after it the cube is back", FORMAT_MAT,
	  FIVE(3, 0) "      Wins 1 point\n Game 2\n ann : 4   bob : 0\n"
		     "                                  Wins 2 points\n"
		     " Game 3\n ann : 4   bob : 2\n" TAKEN,
	  "game 1: backgammon-match 5 points, White ann 3, Black bob 0\n"
	  "White wins 1, resigned\n"
	  "game 2: backgammon-match 5 points, White ann 4, Black bob 0, "
	  "Crawford\n"
	  "Black wins 2, resigned\n"
	  "game 3: backgammon-match 5 points, White ann 4, Black bob 2\n" TOLD
	  "no result\n" },
	{ "at an unknown place of the match nothing is guessed", FORMAT_MAT,
	  FIVE(4, 2) TAKEN,
	  "game 1: backgammon-match 5 points, White ann 4, Black bob 2\n" TOLD
	  "no result\n" },
	{ "a dead cube", FORMAT_MAT, FIVE(0, 4) DOUBLED,
	  "game 1: line 5 column 25: dead_cube 'Doubles' The move is "
	  "not legal.\n" },
	{ "the points are not cut, the score is", FORMAT_MAT,
	  FIVE(0, 2) TAKEN "                                  Wins 4 points\n"
			   " Game 2\n ann : 0   bob : 5\n",
	  "game 1: backgammon-match 5 points, White ann 0, Black bob 2\n" TOLD
	  "Black wins 4, resigned\n"
	  "game 2: line 9 column 1: bad_record '' The match was "
	  "over before this game.\n" },
	{ "a score that ends the match", FORMAT_MAT, FIVE(0, 5) TAKEN,
	  "game 1: line 4 column 1: bad_record '' By this score the "
	  "match is over.\n" },
	{ "a score that does not follow from a drop", FORMAT_MAT,
	  FIVE(0, 0) DOUBLED "  2)  Drops             Wins 1 point\n"
			     " Game 2\n ann : 0   bob : 2\n",
	  "game 1: backgammon-match 5 points, White ann 0, Black bob 0\n"
	  "W 31 8/5 6/5\nB doubles\nW drops\nBlack wins 1, dropped\n"
	  "game 2: line 8 column 1: bad_record '' The score is not "
	  "what the games before it led to.\n" },
	{ "too long a match", FORMAT_MAT, " 65 point match\n\n" FACES(0, 0),
	  "game 1: line 4 column 1: no_such_ruleset '' Only matches "
	  "to 64 points are read.\n" },
	{ "the longest match", FORMAT_MAT, " 64 point match\n\n" FACES(63, 62),
	  "game 1: backgammon-match 64 points, White ann 63, Black bob 62\n"
	  "no result\n" },
	{ "another match begins anew", FORMAT_MAT,
	  FIVE(3, 0) "      Wins 2 points\n" FIVE(0, 0),
	  "game 1: backgammon-match 5 points, White ann 3, Black bob 0\n"
	  "White wins 2, resigned\n"
	  "game 2: backgammon-match 5 points, White ann 0, Black bob 0\n"
	  "no result\n" },
	/* SGF */
	{ "taken and dropped", FORMAT_SGF,
	  "(;GM[6]RE[W+2];W[31hefe];B[double];W[take];B[42qusu];W[double]"
	  ";B[drop])",
	  "game 1: backgammon-match 0 points, White - 0, Black - 0\n" TOLD
	  "W doubles\nB drops\nWhite wins 2, dropped\n" },
	{ "the cube is set up", FORMAT_SGF,
	  "(;GM[6]CV[4]CO[b];B[double];W[take];B[42qusu])",
	  "game 1: backgammon-match 0 points, White - 0, Black - 0\n"
	  "B doubles\nW takes\nB 42 8/4 6/4\nno result\n" },
	{ "the cube that is set up is the other's", FORMAT_SGF,
	  "(;GM[6]CV[4]CO[w];B[double])",
	  "game 1: line 1 column 21: not_your_cube 'double' The move "
	  "is not legal.\n" },
	{ "whose cube is not told", FORMAT_SGF, "(;GM[6]CV[2];W[31hefe])",
	  "game 1: line 1 column 11: bad_record '' The cube is "
	  "nobody's just until it is turned.\n" },
	{ "a cube of 1 in the middle", FORMAT_SGF, "(;GM[6]CV[1]CO[c])",
	  "game 1: backgammon-match 0 points, White - 0, Black - 0\n"
	  "no result\n" },
	{ "a cube of 3", FORMAT_SGF, "(;GM[6]CV[3])",
	  "game 1: line 1 column 11: bad_position '3' The cube shows "
	  "no such number.\n" },
	{ "a cube of 2048", FORMAT_SGF, "(;GM[6]CV[2048])",
	  "game 1: line 1 column 11: bad_position '2048' The cube "
	  "shows no such number.\n" },
	{ "a cube of 1024", FORMAT_SGF, "(;GM[6]CV[1024]CO[w];W[double])",
	  "game 1: line 1 column 24: cube_at_limit 'double' The move "
	  "is not legal.\n" },
	{ "somebody else's cube", FORMAT_SGF, "(;GM[6]CO[x])",
	  "game 1: line 1 column 11: bad_record 'x' This is nobody: "
	  "b, w, c or n.\n" },
	{ "the cube set up later", FORMAT_SGF, "(;GM[6];W[31hefe];CV[2])",
	  "game 1: line 1 column 22: bad_record '2' Only before the "
	  "first turn may the cube be set up.\n" },
	{ "no cube", FORMAT_SGF, "(;GM[6]RU[NoCube];W[31hefe];B[double])",
	  "game 1: line 1 column 31: no_cube 'double' The move is "
	  "not legal.\n" },
	{ "no cube, and yet it is set up", FORMAT_SGF, "(;GM[6]CV[2]CO[n])",
	  "game 1: line 1 column 16: no_such_ruleset '' This ruleset "
	  "has no doubling cube.\n" },
	{ "the Crawford game is told", FORMAT_SGF,
	  "(;GM[6]MI[length:5][ws:4][bs:2]RU[Crawford:CrawfordGame];W[31hefe]"
	  ";B[double])",
	  "game 1: line 1 column 70: crawford_game 'double' The move "
	  "is not legal.\n" },
	{ "a match without Crawford's rule", FORMAT_SGF,
	  "(;GM[6]MI[length:5][ws:3][bs:0]RE[W+1R])"
	  "(;GM[6]MI[length:5][ws:4][bs:0];W[31hefe];B[double];W[drop])",
	  "game 1: backgammon-match 5 points, White - 3, Black - 0\n"
	  "White wins 1, resigned\n"
	  "game 2: backgammon-match 5 points, White - 4, Black - 0\n"
	  "W 31 8/5 6/5\nB doubles\nW drops\nBlack wins 1, dropped\n" },
	{ "this cannot be the Crawford game", FORMAT_SGF,
	  "(;GM[6]MI[length:5][ws:3][bs:2]RU[Crawford:CrawfordGame])",
	  "game 1: line 1 column 27: bad_record '' In the Crawford "
	  "game just one side is a point short of the match.\n" },
	{ "the Crawford game has been", FORMAT_SGF,
	  "(;GM[6]MI[length:5][ws:3][bs:0]RU[Crawford]RE[W+1R])"
	  "(;GM[6]MI[length:5][ws:4][bs:0]RU[Crawford:CrawfordGame]RE[B+1R])"
	  "(;GM[6]MI[length:5][ws:4][bs:1]RU[Crawford:CrawfordGame])",
	  "game 1: backgammon-match 5 points, White - 3, Black - 0\n"
	  "White wins 1, resigned\n"
	  "game 2: backgammon-match 5 points, White - 4, Black - 0, Crawford\n"
	  "Black wins 1, resigned\n"
	  "game 3: line 1 column 144: bad_record '' By the games "
	  "before it this is not the Crawford game.\n" },
#define LAST                                                                   \
	"AE[a:y]AW[a]AB[x:x][x:x][x:x][x:x][x:x][x:x][x:x][x:x]"               \
	"[x:x][x:x][x:x][x:x][x:x][x:x][x:x];W[21az]"
#define ENDS                                                                   \
	"from XGID=-A----------------------o-:0:0:1:00:0:0:0:0:10\n"           \
	"W 21 1/off\n"
	{ "a gammon", FORMAT_SGF, "(;GM[6]RE[W+2]" LAST ")",
	  "game 1: backgammon-match 0 points, White - 0, Black - 0\n" ENDS
	  "White wins 2\n" },
	{ "Jacoby's rule", FORMAT_SGF, "(;GM[6]RU[Jacoby]RE[W+1]" LAST ")",
	  "game 1: backgammon-match 0 points, White - 0, Black - 0\n"
	  "from XGID=-A----------------------o-:0:0:1:00:0:0:1:0:10\n"
	  "W 21 1/off\nWhite wins 1\n" },
	{ "it is not Jacoby's rule", FORMAT_SGF, "(;GM[6]RE[W+1]" LAST ")",
	  "game 1: line 1 column 11: bad_record '' By the rules this "
	  "game counts other points.\n" },
	{ "Jacoby's rule, and a gammon is resigned", FORMAT_SGF,
	  "(;GM[6]RU[Jacoby]RE[W+2R])",
	  "game 1: line 1 column 21: bad_record '' By Jacoby's rule "
	  "a game counts once until the cube is turned.\n" },
	{ "Jacoby's rule with the cube turned", FORMAT_SGF,
	  "(;GM[6]RU[Jacoby]CV[2]CO[w]RE[W+4R])",
	  "game 1: backgammon-match 0 points, White - 0, Black - 0\n"
	  "White wins 4, resigned\n" },
};

/* Takes ` offset 12` out of what is told: line and column say the same. */
static void cut_offsets(char *told)
{
	static const char word[] = " offset ";
	for (char *at = strstr(told, word); at; at = strstr(at, word)) {
		const char *rest = at + strlen(word);
		rest += strspn(rest, "0123456789");
		memmove(at, rest, strlen(rest) + 1);
	}
}

static void the_cube_is_read_so(void **state)
{
	const struct cube_case *row = *state;
	for (size_t piece = 0; piece < 3; piece++) {
		char *got = game_dump_text(row->format, NULL,
					   span_str(row->text), piece);
		cut_offsets(got);
		assert_string_equal(got, row->want);
		free(got);
	}
}

/* ---- rulesets that are asked for --------------------------------------- */

static char *told_under(const char *name, const char *option, const char *value,
			const char *text)
{
	struct ruleset rs = ruleset_named(name);
	assert_int_equal(ruleset_set(&rs, option, strlen(option), value,
				     strlen(value)),
			 PLYD_OK);
	return game_dump_text(FORMAT_MAT, &rs, span_str(text), 0);
}

static void the_ruleset_asked_for_rules_the_cube(void **state)
{
	(void)state;
	static const char crawford[] =
		FIVE(3, 0) "      Wins 1 point\n Game 2\n ann : 4   bob : "
			   "0\n" DOUBLED;
	static const struct {
		const char *name, *option, *value, *text, *want;
	} asked[] = {
		{ "short-backgammon", "cube", "false", MONEY DOUBLED,
		  "no_cube 'Doubles'" },
		{ "short-backgammon", "cube", "true", MONEY DOUBLED,
		  "B doubles\nno result\n" },
		/* the length is the record's */
		{ "backgammon-match", "match_length", "3", FIVE(0, 3) DOUBLED,
		  "B doubles\nno result\n" },
		{ "backgammon-match", "crawford", "true", crawford,
		  "crawford_game 'Doubles'" },
		{ "backgammon-match", "crawford", "false", crawford,
		  "B doubles\nno result\n" },
		/* a match is not drawn, whatever the ruleset says */
		{ "backgammon", "cube", "true", FIVE(0, 0) DOUBLED,
		  "no_such_ruleset" },
	};
	for (size_t i = 0; i < COUNT(asked); i++) {
		char *got = told_under(asked[i].name, asked[i].option,
				       asked[i].value, asked[i].text);
		if (!strstr(got, asked[i].want))
			fail_msg("%zu: %s", i, got);
		free(got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_crawford_game_is_known),
		cmocka_unit_test(what_is_written_reads_back_alike),
		cmocka_unit_test(the_cube_is_written_so),
		cmocka_unit_test(no_points_are_lost),
		cmocka_unit_test(jacoby_shows_in_a_match_file),
		cmocka_unit_test(the_ruleset_asked_for_rules_the_cube),
	};
	return RUN_TABLE("real games", real_cases, real_games_are_read) +
	       RUN_TABLE("texts", cube_cases, the_cube_is_read_so) +
	       cmocka_run_group_tests(tests, NULL, NULL);
}
