/* SPDX-License-Identifier: MIT
 * Edges that mutants of the rules showed to be untested: see
 * tests/mutants/README.md. One test, one edge. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "backgammon_boards.h"
#include "game_dump.h"
#include "told.h"
#include "rules/pdn.h"

/* ---- PDN --------------------------------------------------------------- */

static const struct pdn_edge {
	const char *name, *pdn, *want;
} pdn_edges[] = {
	{ "a glyph takes the digits that follow, and no more",
	  "[GameType \"21\"]\n1. 11-15 $22-17 *\n",
	  "! illegal_move 2:13 ply 2 '-17' bad_notation\n" },
	{ "a glyph in front of the moves is nobody's",
	  "[GameType \"21\"]\n$4 1. 11-15 $0 $7 *\n",
	  "english: 11-15 $7 none\n" },
	{ "a result of one letter is none",
	  "[GameType \"21\"]\n[Result \"x\"]\n1. 11-15 *\n",
	  "! bad_record 2:10 'x'\n" },
};

static void pdn_edge_holds(void **state)
{
	const struct pdn_edge *e = *state;
	struct told t;
	told_init(&t, FORMAT_PDN, NULL);
	assert_string_equal(told_of(&t, span_str(e->pdn), SIZE_MAX), e->want);
	told_release(&t);
}

/* The place of a longer text of the game before is used again. */
static void a_tag_ends_where_it_ends(void **state)
{
	(void)state;
	struct told t;
	told_init(&t, FORMAT_PDN, "english");
	strcpy(t.tag, "Event");
	told_of(&t,
		span_str("[Event \"a name that is long\"]\n1. 11-15 *\n\n"
			 "[Event \"short\"]\n1. 11-15 *\n"),
		SIZE_MAX);
	assert_string_equal(t.value, "short");
	told_release(&t);
}

/* What lies behind the bytes that are given is nobody's business. */
static void a_guess_reads_what_it_is_given(void **state)
{
	(void)state;
	enum game_format format;
	assert_int_equal(game_format_guess("x", span_of("[Event", 1), &format),
			 PLYD_ERECORD);
	assert_int_equal(game_format_guess("x", span_of("1. 11", 1), &format),
			 PLYD_ERECORD);
}

/* PDN has no number for a house's own rules. */
static void rules_of_a_house_have_no_game_type(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("english");
	struct position start;
	struct pdn_writer w;
	struct buf out;
	strcpy(rs.name, "house");
	game_start(&rs, &start);
	buf_init(&out, 4096);
	pdn_write_begin(&w, &out, &rs, &start, RESULT_NONE);
	assert_int_equal(pdn_write_end(&w), PLYD_OK);
	buf_put_byte(&out, '\0');
	assert_null(strstr((const char *)out.at, "GameType"));
	assert_non_null(strstr((const char *)out.at, "[Result \"*\"]"));
	buf_release(&out);
}

/* ---- match files ------------------------------------------------------- */

static void a_move_of_one_byte_is_a_move(void **state)
{
	(void)state;
	char *got =
		game_dump_text(FORMAT_MAT, NULL,
			       span_str(
				       " Game 1\n a : 0   b : 0\n  1) 31: x\n"),
			       0);
	assert_non_null(strstr(got, "bad_notation 'x'"));
	free(got);
}

static void no_points(void *payload, const struct game_record *game)
{
	size_t *seen = payload;
	assert_int_equal(game->result, RESULT_NONE);
	assert_int_equal(game->points, 0);
	++*seen;
}

static void no_fault(void *payload, const struct game_fault *fault)
{
	(void)payload;
	fail_msg("line %u: %s", fault->place.line, fault->text);
}

static void counts_nothing(enum game_format format, const char *text)
{
	size_t seen = 0;
	const struct game_sink sink = { no_points, no_fault, &seen };
	struct game_reader *r;
	assert_int_equal(game_reader_new(format, NULL, &sink, &r), PLYD_OK);
	game_reader_feed(r, span_str(text));
	game_reader_end(r);
	game_reader_free(r);
	assert_int_equal(seen, 1);
}

static void a_game_broken_off_counts_nothing(void **state)
{
	(void)state;
	counts_nothing(FORMAT_MAT, " Game 1\n a : 0   b : 0\n"
				   "  1) 31: 8/5 6/5\n");
	counts_nothing(FORMAT_SGF, "(;GM[6];W[31hefe])");
}

static void sides_of_a_result_may_be_small(void **state)
{
	(void)state;
	char *got =
		game_dump_text(FORMAT_SGF, NULL,
			       span_str("(;GM[6]RE[w+2R])(;GM[6]RE[b+1R])"), 0);
	assert_non_null(strstr(got, "White wins 2"));
	assert_non_null(strstr(got, "Black wins 1"));
	free(got);
}

/* ---- SGF --------------------------------------------------------------- */

static const struct sgf_edge {
	const char *name, *sgf, *want;
} sgf_edges[] = {
	{ "behind a tree another must begin", "(;GM[6];W[31hefe]))(;GM[6])",
	  "game 1: backgammon-match 0 points, White - 0, Black - 0\n"
	  "W 31 8/5 6/5\nno result\n"
	  "game 2: line 1 column 19 offset 18: bad_record ')' Here a game must "
	  "begin, as `(;`.\n"
	  "game 3: backgammon-match 0 points, White - 0, Black - 0\n"
	  "no result\n" },
	{ "a property behind a tree belongs to none", "(;GM[6])PW[a]",
	  "game 1: backgammon-match 0 points, White - 0, Black - 0\n"
	  "no result\n"
	  "game 2: line 1 column 9 offset 8: bad_record 'P' Here a game must "
	  "begin, as `(;`.\n" },
	{ "points are joined with a colon", "(;GM[6]AE[a-y])",
	  "game 1: line 1 column 11 offset 10: bad_position 'a-y' These are no "
	  "points.\n" },
};

static void sgf_edge_holds(void **state)
{
	const struct sgf_edge *e = *state;
	char *got = game_dump_text(FORMAT_SGF, NULL, span_str(e->sgf), 0);
	assert_string_equal(got, e->want);
	free(got);
}

static void no_game(void *payload, const struct game_record *game)
{
	(void)payload;
	fail_msg("game %d has no fault", (int)game->number);
}

static void keep_ply(void *payload, const struct game_fault *fault)
{
	*(unsigned *)payload = fault->ply;
}

/* A move and a pass are half-moves, the words of the cube are none. */
static void a_fault_names_its_half_move(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned ply;
	} rows[] = {
		{ "(;GM[6];W[31hefh])", 1 },
		{ "(;GM[6];W[31hefe];B[42qusw])", 2 },
		{ "(;GM[6];W[31hefe];B[double];W[take];B[42qusw])", 2 },
		{ "(;GM[6];W[31hefe];B[double];W[take];B[42qusu];B[double])",
		  0 /* it is not its turn: no move is due */ },
		{ "(;GM[6]AE[a:y]AW[a:f]AW[a:f]AB[y]PL[B];B[62];W[11fefebaab])",
		  2 },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		unsigned ply = 99;
		const struct game_sink sink = { no_game, keep_ply, &ply };
		struct game_reader *r;
		assert_int_equal(game_reader_new(FORMAT_SGF, NULL, &sink, &r),
				 PLYD_OK);
		game_reader_feed(r, span_str(rows[i].text));
		game_reader_end(r);
		game_reader_free(r);
		assert_int_equal(ply, rows[i].ply);
	}
}

/* ---- backgammon -------------------------------------------------------- */

static const struct refused_position {
	const char *name, *text;
} refused_positions[] = {
	{ "no dice after the end, not the smallest either",
	  "XGID=-a------------------------:0:0:1:11:0:0:0:0:10" },
	{ "an id of nobody", "AAAAAAAAAAAAAA" },
	{ "a match id whose first die is none", "4HPwATDgc/ABDA:cAlsAAAAAAAE" },
	{ "a match id whose second is", "4HPwATDgc/ABDA:cIlhAAAAAAAE" },
	{ "a match id whose first die is 7", "4HPwATDgc/ABDA:cIlvAAAAAAAE" },
	{ "a match id whose second is", "4HPwATDgc/ABDA:cIl9AAAAAAAE" },
};

static void position_is_refused(void **state)
{
	const struct refused_position *row = *state;
	struct ruleset rs = ruleset_named("backgammon");
	struct position pos;
	struct text_error where;
	assert_int_equal(game_read(&rs, row->text, strlen(row->text), &pos,
				   &where),
			 PLYD_EPOSITION);
	assert_non_null(where.text);
}

static const struct refused_words {
	const char *name, *text;
} refused_words[] = {
	{ "no times", "8/5(0) 6/5" },
	{ "half a word and a whole one", "8/ 8/5 6/5" },
};

static void words_are_refused(void **state)
{
	const struct refused_words *row = *state;
	struct ruleset rs = ruleset_named("backgammon");
	struct position pos, roll;
	struct move move;
	struct refusal why;
	game_start(&rs, &pos);
	game_throw(&pos, 3, 1, &roll);
	assert_int_equal(game_check(&rs, &roll, row->text, strlen(row->text),
				    &move, &why),
			 PLYD_EILLEGAL);
	assert_int_equal(why.reason, REASON_BAD_NOTATION);
}

/* Every side and roll has a hash of its own. */
static void hashes_tell_rolls_apart(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon");
	struct position pos, roll;
	uint64_t hash[2 * (1 + 21)];
	size_t count = 0;
	game_start(&rs, &pos);
	for (int side = WHITE; side <= BLACK; side++) {
		pos.side = (uint8_t)side;
		hash[count++] = game_hash(&rs, &pos);
		for (int high = 1; high <= 6; high++)
			for (int low = 1; low <= high; low++) {
				game_throw(&pos, high, low, &roll);
				hash[count++] = game_hash(&rs, &roll);
			}
	}
	assert_int_equal(count, COUNT(hash));
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(hash[i], hash[j]);
}

static int compare_hashes(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* 64 bits are enough that positions by the thousand do not meet: White's
 * checkers are spread in every way over four points, wherever these lie. */
static void hashes_of_positions_do_not_meet(void **state)
{
	(void)state;
	enum { ALL = 15, SPREADS = 816, PLACES = 21 };
	static uint64_t hash[SPREADS * PLACES];
	struct ruleset rs = ruleset_named("backgammon");
	size_t count = 0;
	for (int place = 1; place <= PLACES; place++) {
		struct position pos = { .side = WHITE };
		uint8_t *at = &pos.backgammon.point[WHITE][place];
		pos.backgammon.point[BLACK][25] = ALL;
		for (int a = 0; a <= ALL; a++) {
			for (int b = 0; a + b <= ALL; b++) {
				for (int c = 0; a + b + c <= ALL; c++) {
					/* no spread stands at two places */
					if (a == 0)
						continue;
					at[0] = (uint8_t)a;
					at[1] = (uint8_t)b;
					at[2] = (uint8_t)c;
					at[3] = (uint8_t)(ALL - a - b - c);
					hash[count++] = game_hash(&rs, &pos);
				}
			}
		}
	}
	qsort(hash, count, sizeof(hash[0]), compare_hashes);
	assert_true(count > 10000);
	for (size_t i = 1; i < count; i++)
		assert_int_not_equal(hash[i - 1], hash[i]);
}

/* Two are on the bar; 23 is the other side's point, 24 is free. The first hop
 * of the text is by the 2, and so it is what is wrong. */
static void a_hop_that_one_die_could_be_is_judged_by_it(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon");
	const char *text =
		"XGID=bbB---G-A--AeB-A--Ad-a-a--:0:0:-1:21:0:0:0:0:10";
	struct position pos;
	struct move move;
	struct refusal why;
	assert_int_equal(game_read(&rs, text, strlen(text), &pos, NULL), 0);
	assert_int_equal(game_check(&rs, &pos, "25/23 3/2", 9, &move, &why),
			 PLYD_EILLEGAL);
	assert_int_equal(why.reason, REASON_POINT_BLOCKED);
	assert_int_equal(why.step, 1);
	assert_string_equal(why.from, "bar");
	assert_string_equal(why.to, "23");
}

static void stakes_are_a_match_or_a_cube(void **state)
{
	(void)state;
	struct ruleset plain = ruleset_named("backgammon");
	struct ruleset match = ruleset_named("backgammon-match");
	struct ruleset draughts = ruleset_named("english");
	assert_false(ruleset_has_stakes(&plain));
	assert_true(ruleset_has_stakes(&match));
	assert_false(ruleset_has_stakes(&draughts));
}

/* One way to play on, told to whoever played one hop, has this hop if any
 * listed move has it. */
static void one_way_goes_on(void **state)
{
	(void)state;
	static struct move_list list;
	struct ruleset rs = ruleset_named("backgammon");
	const char *text = "XGID=-a-B--C-C---dE---c-e-A--A-:0:0:1:53"
			   ":0:0:0:0:10";
	struct position pos;
	size_t tried = 0;
	assert_int_equal(game_read(&rs, text, strlen(text), &pos, NULL), 0);
	assert_int_equal(game_moves(&rs, &pos, &list), PLYD_OK);
	for (size_t i = 0; i < list.count; i++) {
		for (unsigned hop = 0; hop < list.move[i].legs; hop++) {
			const struct move *m = &list.move[i];
			struct move one = { .legs = 1,
					    .taken = m->taken >> hop & 1,
					    .at = { m->at[2 * hop],
						    m->at[2 * hop + 1] } };
			char word[MOVE_TEXT_MAX];
			struct move read;
			struct refusal why;
			size_t len = game_move_text(&rs, &pos, &one, word);
			if (game_check(&rs, &pos, word, len, &read, &why) == 0)
				continue;
			if (why.reason != REASON_DICE_UNUSED)
				continue;
			tried++;
			assert_non_null(strstr(why.detail, word));
		}
	}
	assert_true(tried > 10);
}

static void the_only_way_is_told(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon");
	const char *text = "XGID=-a----------------------A-:0:0:1:21"
			   ":0:0:0:0:10";
	struct position pos;
	struct move move;
	struct refusal why;
	assert_int_equal(game_read(&rs, text, strlen(text), &pos, NULL), 0);
	assert_int_equal(game_check(&rs, &pos, "24/22", 5, &move, &why),
			 PLYD_EILLEGAL);
	assert_int_equal(why.reason, REASON_DICE_UNUSED);
	assert_non_null(strstr(why.detail, "24/22 22/21"));
}

static void numbers_have_no_leading_zeros(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon-match");
	assert_int_equal(ruleset_set(&rs, "match_length", 12, "5", 1), PLYD_OK);
	assert_int_equal(ruleset_set(&rs, "match_length", 12, "07", 2),
			 PLYD_EOPTION);
	assert_int_equal(rs.backgammon.match_length, 5);
}

/* A roll that is danced away is followed by the other side's rolls. */
static void perft_goes_on_after_a_pass(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon");
	/* White on the bar before six closed points */
	const char *text = "XGID=-------------------bbbbbbA:0:0:1:66"
			   ":0:0:0:0:10";
	struct position pos, next;
	assert_int_equal(game_read(&rs, text, strlen(text), &pos, NULL), 0);
	assert_false(game_can_move(&rs, &pos));
	assert_int_equal(game_perft(&rs, &pos, 1, false), 1);
	game_pass(&pos, &next);
	assert_true(game_perft(&rs, &next, 1, false) > 21);
	assert_int_equal(game_perft(&rs, &pos, 2, false),
			 game_perft(&rs, &next, 1, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tag_ends_where_it_ends),
		cmocka_unit_test(a_guess_reads_what_it_is_given),
		cmocka_unit_test(rules_of_a_house_have_no_game_type),
		cmocka_unit_test(a_move_of_one_byte_is_a_move),
		cmocka_unit_test(a_game_broken_off_counts_nothing),
		cmocka_unit_test(sides_of_a_result_may_be_small),
		cmocka_unit_test(stakes_are_a_match_or_a_cube),
		cmocka_unit_test(hashes_tell_rolls_apart),
		cmocka_unit_test(hashes_of_positions_do_not_meet),
		cmocka_unit_test(a_fault_names_its_half_move),
		cmocka_unit_test(a_hop_that_one_die_could_be_is_judged_by_it),
		cmocka_unit_test(one_way_goes_on),
		cmocka_unit_test(the_only_way_is_told),
		cmocka_unit_test(numbers_have_no_leading_zeros),
		cmocka_unit_test(perft_goes_on_after_a_pass),
	};
	int failed = RUN_TABLE("PDN", pdn_edges, pdn_edge_holds);
	failed +=
		RUN_TABLE("positions", refused_positions, position_is_refused);
	failed += RUN_TABLE("words", refused_words, words_are_refused);
	failed += RUN_TABLE("SGF", sgf_edges, sgf_edge_holds);
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
