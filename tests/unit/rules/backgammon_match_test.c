/* SPDX-License-Identifier: MIT
 * The doubling cube, gammons and matches: worked examples, and whole matches
 * beside a naive opinion. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "backgammon_boards.h"
#include "base/rng.h"

#define START "XGID=-b----E-C---eE---c-e----B-"
/* White has borne off all; Black one, none, none and one in White's home. */
#define SINGLE     "XGID=-------------------gg-----"
#define GAMMON     "XGID=-------------------gh-----"
#define BACKGAMMON "XGID=--a----------------gg-----"

/* A ruleset with some options set: "cube=true jacoby=true". */
static struct ruleset rules(const char *name, const char *options)
{
	struct ruleset rs = ruleset_named(name);
	const char *why;
	while (*options) {
		size_t len = strcspn(options, " ");
		size_t option = strcspn(options, "=");
		assert_int_equal(ruleset_set(&rs, options, option,
					     options + option + 1,
					     len - option - 1),
				 PLYD_OK);
		options += len + (options[len] == ' ');
	}
	assert_int_equal(ruleset_check(&rs, &why), PLYD_OK);
	return rs;
}

static struct position position(const struct ruleset *rs, const char *text)
{
	struct position pos;
	struct text_error where;
	if (game_read(rs, text, strlen(text), &pos, &where))
		fail_msg("%s: at %zu: %s", text, where.offset, where.text);
	return pos;
}

static void text_is(const struct ruleset *rs, const struct position *pos,
		    const char *want)
{
	char text[POSITION_TEXT_MAX];
	game_write(rs, pos, text);
	assert_string_equal(text, want);
}

/* ---- may the cube be turned? ------------------------------------------- */

#define MATCH "backgammon-match", ""
#define MONEY "short-backgammon", "cube=true"

static const struct double_case {
	const char *name, *base, *options, *position;
	enum reason want;
} double_cases[] = {
	{ "in the middle", MATCH, START ":0:0:1:00:0:0:0:7:10", REASON_NONE },
	{ "in the middle, for Black", MATCH, START ":0:0:-1:00:0:0:0:7:10",
	  REASON_NONE },
	{ "one's own", MATCH, START ":1:1:1:00:0:0:0:7:10", REASON_NONE },
	{ "the opponent's", MATCH, START ":1:1:-1:00:0:0:0:7:10",
	  REASON_NOT_YOUR_CUBE },
	{ "the opponent's, for White", MATCH, START ":1:-1:1:00:0:0:0:7:10",
	  REASON_NOT_YOUR_CUBE },
	{ "after the throw", MATCH, START ":0:0:1:31:0:0:0:7:10",
	  REASON_AFTER_THROW },
	{ "Crawford game, who leads", MATCH, START ":0:0:1:00:6:3:1:7:10",
	  REASON_CRAWFORD_GAME },
	{ "Crawford game, who trails", MATCH, START ":0:0:-1:00:6:3:1:7:10",
	  REASON_CRAWFORD_GAME },
	{ "Crawford game, after the throw", MATCH, START ":0:0:1:31:6:3:1:7:10",
	  REASON_AFTER_THROW },
	{ "after the Crawford game, who trails", MATCH,
	  START ":0:0:-1:00:6:3:0:7:10", REASON_NONE },
	{ "after the Crawford game, who leads", MATCH,
	  START ":0:0:1:00:6:3:0:7:10", REASON_DEAD_CUBE },
	{ "4 is enough at 3 of 7", MATCH, START ":2:1:1:00:3:0:0:7:10",
	  REASON_DEAD_CUBE },
	{ "4 is not enough at 2 of 7", MATCH, START ":2:1:1:00:2:6:0:7:10",
	  REASON_NONE },
	{ "the opponent's dead cube", MATCH, START ":2:-1:1:00:3:0:0:7:10",
	  REASON_NOT_YOUR_CUBE },
	{ "a match of one point", "backgammon-match", "match_length=1",
	  START ":0:0:1:00:0:0:0:1:10", REASON_DEAD_CUBE },
	{ "512 without a match", MONEY, START ":9:1:1:00:0:0:0:0:10",
	  REASON_NONE },
	{ "1024", MONEY, START ":10:1:1:00:0:0:0:0:10", REASON_CUBE_AT_LIMIT },
	{ "1024 that is dead", MATCH, START ":10:1:1:00:0:0:0:7:10",
	  REASON_CUBE_AT_LIMIT },
	{ "no cube", "backgammon", "", START ":1:-1:1:31:0:0:0:0:10",
	  REASON_NO_CUBE },
	{ "a match without a cube", "backgammon-match",
	  "cube=false crawford=false", START ":0:0:1:00:0:0:0:7:10",
	  REASON_NO_CUBE },
	{ "draughts", "english", "", "B:W21-32:B1-12", REASON_NO_CUBE },
};

static void the_cube_may_be_turned_so(void **state)
{
	const struct double_case *row = *state;
	struct ruleset rs = rules(row->base, row->options);
	struct position pos = position(&rs, row->position);
	assert_string_equal(reason_name(game_may_double(&rs, &pos)),
			    reason_name(row->want));
}

/* White doubles, Black takes; Black redoubles, White takes, then drops. */
static void a_story_of_three_doubles(void **state)
{
	(void)state;
	struct ruleset rs = rules("backgammon-match", "match_length=11");
	struct position pos = position(&rs, START ":0:0:1:00:2:3:0:11:10");
	struct outcome o = game_drop(&pos);
	assert_true(o.over);
	assert_int_equal(o.winner, WHITE);
	assert_int_equal(o.points, 1);
	assert_string_equal(o.why, "dropped");
	game_take(&pos, &pos);
	text_is(&rs, &pos, START ":1:-1:1:00:2:3:0:11:10");
	assert_int_equal(game_may_double(&rs, &pos), REASON_NOT_YOUR_CUBE);
	game_throw(&pos, 3, 1, &pos);
	game_pass(&pos, &pos);
	text_is(&rs, &pos, START ":1:-1:-1:00:2:3:0:11:10");
	assert_int_equal(game_may_double(&rs, &pos), REASON_NONE);
	game_take(&pos, &pos);
	text_is(&rs, &pos, START ":2:1:-1:00:2:3:0:11:10");
	game_pass(&pos, &pos);
	assert_int_equal(game_may_double(&rs, &pos), REASON_NONE);
	game_take(&pos, &pos);
	text_is(&rs, &pos, START ":3:-1:1:00:2:3:0:11:10");
	game_pass(&pos, &pos);
	o = game_drop(&pos);
	assert_int_equal(o.winner, BLACK);
	assert_int_equal(o.points, 8);
	assert_int_equal(game_next(&rs, &pos, &o, &pos), BLACK);
	text_is(&rs, &pos, START ":3:-1:-1:00:2:11:0:11:10");
}

/* ---- what a game counts ------------------------------------------------ */

static const struct outcome_case {
	const char *name, *base, *options, *position;
	int points;
	const char *why;
} outcome_cases[] = {
	{ "single", MATCH, SINGLE ":0:0:-1:00:0:0:0:7:10", 1, "single" },
	{ "gammon with the cube at 4", MATCH, GAMMON ":2:1:-1:00:0:0:0:7:10", 8,
	  "gammon" },
	{ "backgammon with the cube at 2", MATCH,
	  BACKGAMMON ":1:-1:-1:00:0:0:0:7:10", 6, "backgammon" },
	{ "backgammon with the cube at 1024", MONEY,
	  BACKGAMMON ":10:1:-1:00:0:0:0:0:10", 3072, "backgammon" },
	{ "gammon without Jacoby", MONEY, GAMMON ":0:0:-1:00:0:0:0:0:10", 2,
	  "gammon" },
	{ "Jacoby, cube in the middle", "short-backgammon",
	  "cube=true jacoby=true", GAMMON ":0:0:-1:00:0:0:1:0:10", 1,
	  "single" },
	{ "Jacoby, a backgammon", "short-backgammon", "cube=true jacoby=true",
	  BACKGAMMON ":0:0:-1:00:0:0:1:0:10", 1, "single" },
	{ "Jacoby, the cube was turned", "short-backgammon",
	  "cube=true jacoby=true", GAMMON ":1:1:-1:00:0:0:1:0:10", 4,
	  "gammon" },
	{ "no cube: it is left out", "backgammon", "",
	  GAMMON ":2:1:-1:00:0:0:0:0:10", 2, "gammon" },
	{ "hypergammon, not yet", "hypergammon", "",
	  "XGID=------------------bA------:0:0:1:00:0:0:0:0:10", 0, "" },
	{ "hypergammon, single", "hypergammon", "",
	  "XGID=------------------b-------:0:0:-1:00:0:0:0:0:10", 1, "single" },
	{ "hypergammon, gammon", "hypergammon", "",
	  "XGID=-------a----------b-------:0:0:-1:00:0:0:0:0:10", 2, "gammon" },
	{ "hypergammon, backgammon", "hypergammon", "",
	  "XGID=a-----------------b-------:0:0:-1:00:0:0:0:0:10", 3,
	  "backgammon" },
};

static void the_game_counts_so(void **state)
{
	const struct outcome_case *row = *state;
	struct ruleset rs = rules(row->base, row->options);
	struct position pos = position(&rs, row->position);
	struct outcome o = game_outcome(&rs, &pos);
	assert_string_equal(o.why, row->why);
	assert_int_equal(o.over, row->points > 0);
	assert_int_equal(o.points, row->points);
	if (!o.over)
		return;
	assert_int_equal(o.winner, WHITE);
	assert_int_equal(game_points_lost(&rs, &pos, BLACK), row->points);
}

/* ---- the next game ----------------------------------------------------- */

static const struct next_case {
	const char *name, *options, *position;
	enum side winner;
	uint16_t points;
	const char *want; /* the fields after; of a won match too */
	bool won;
} next_cases[] = {
	{ "the first game", "", START ":2:1:1:31:0:0:0:7:10", WHITE, 4,
	  ":0:0:1:00:4:0:0:7:10", false },
	{ "a point short: the Crawford game", "", START ":0:0:-1:00:5:3:0:7:10",
	  WHITE, 1, ":0:0:1:00:6:3:1:7:10", false },
	{ "a point short at once", "", START ":1:1:-1:00:0:4:0:7:10", BLACK, 2,
	  ":0:0:1:00:0:6:1:7:10", false },
	{ "the Crawford game is one", "", START ":0:0:1:00:6:3:1:7:10", BLACK,
	  2, ":0:0:1:00:6:5:0:7:10", false },
	{ "both a point short", "", START ":0:0:1:00:6:5:0:7:10", BLACK, 1,
	  ":0:0:1:00:6:6:0:7:10", false },
	{ "both a point short after the Crawford game", "",
	  START ":0:0:1:00:6:5:1:7:10", BLACK, 1, ":0:0:1:00:6:6:0:7:10",
	  false },
	{ "no Crawford game", "crawford=false", START ":0:0:1:00:5:3:0:7:10",
	  WHITE, 1, ":0:0:1:00:6:3:0:7:10", false },
	{ "the match", "", START ":0:0:1:00:6:3:1:7:10", WHITE, 1,
	  ":0:0:1:00:7:3:0:7:10", true },
	{ "more than the match", "", START ":2:-1:-1:00:1:5:0:7:10", BLACK, 8,
	  ":2:-1:-1:00:1:7:0:7:10", true },
	{ "a match of one point", "match_length=1",
	  START ":0:0:1:31:0:0:0:1:10", BLACK, 1, ":0:0:1:00:0:1:0:1:10",
	  true },
	{ "a match of 64 in one game", "match_length=64",
	  START ":10:-1:-1:00:63:63:0:64:10", BLACK, 3072,
	  ":10:-1:-1:00:63:64:0:64:10", true },
	{ "no match", "match_length=0 crawford=false",
	  START ":2:1:1:31:0:0:0:0:10", BLACK, 8, ":2:1:1:00:0:0:0:0:10",
	  true },
};

static void the_match_goes_on_so(void **state)
{
	const struct next_case *row = *state;
	struct ruleset rs = rules("backgammon-match", row->options);
	struct position pos = position(&rs, row->position), next;
	struct outcome o = { true, row->winner, row->points, "single" };
	char want[POSITION_TEXT_MAX];
	snprintf(want, sizeof(want), "%s%s", START, row->want);
	int winner = game_next(&rs, &pos, &o, &next);
	assert_int_equal(winner, row->won ? (int)row->winner : -1);
	text_is(&rs, &next, want);
	assert_int_equal(game_next(&rs, &pos, &o, &pos), winner);
	assert_memory_equal(&pos, &next, sizeof(pos));
	position(&rs, want); /* it can be read */
}

/* ---- texts ------------------------------------------------------------- */

static const struct text_case {
	const char *name, *base, *options, *text;
	const char *want; /* as written; NULL: refused, at this offset */
	size_t offset;
	const char *why;
} text_cases[] = {
	{ "all fields", MATCH, START ":2:-1:-1:52:3:4:0:7:10",
	  START ":2:-1:-1:52:3:4:0:7:10", 0, NULL },
	{ "the Crawford game", MATCH, START ":0:0:1:00:6:5:1:7:10",
	  START ":0:0:1:00:6:5:1:7:10", 0, NULL },
	{ "without a match the score is left out", MONEY,
	  START ":3:1:1:00:3:4:1:9:10", START ":3:1:1:00:0:0:0:0:10", 0, NULL },
	{ "Jacoby is the ruleset's", "short-backgammon",
	  "cube=true jacoby=true", START ":0:0:1:00:0:0:0:0:10",
	  START ":0:0:1:00:0:0:1:0:10", 0, NULL },
	{ "without a cube it is left out", "backgammon-match",
	  "cube=false crawford=false", START ":3:1:1:00:3:4:0:7:10",
	  START ":0:0:1:00:3:4:0:7:10", 0, NULL },
	{ "a cube of 2048", MATCH, START ":11:1:1:00:0:0:0:7:10", NULL, 32,
	  "power of two" },
	{ "a cube below 1", MATCH, START ":-1:1:1:00:0:0:0:7:10", NULL, 32,
	  "power of two" },
	{ "an owner that is none", MATCH, START ":1:2:1:00:0:0:0:7:10", NULL,
	  34, "nobody's (0)" },
	{ "turned, and nobody's", MATCH, START ":1:0:1:00:0:0:0:7:10", NULL, 34,
	  "until it is turned" },
	{ "not turned, and White's", MATCH, START ":0:1:1:00:0:0:0:7:10", NULL,
	  34, "until it is turned" },
	{ "another length", MATCH, START ":0:0:1:00:0:0:0:9:10", NULL, 47,
	  "another length" },
	{ "a score beyond the match", MATCH, START ":0:0:1:00:8:0:0:7:10", NULL,
	  41, "the match's length" },
	{ "a score below 0", MATCH, START ":0:0:1:00:0:-1:0:7:10", NULL, 43,
	  "the match's length" },
	{ "two winners", MATCH, START ":0:0:1:00:7:7:0:7:10", NULL, 43,
	  "Only one side" },
	{ "Crawford of 2", MATCH, START ":0:0:1:00:0:0:2:7:10", NULL, 45,
	  "0 or 1" },
	{ "a Crawford game too early", MATCH, START ":0:0:1:00:5:3:1:7:10",
	  NULL, 45, "a point short" },
	{ "a Crawford game too late", MATCH, START ":0:0:1:00:6:6:1:7:10", NULL,
	  45, "a point short" },
	{ "a Crawford game after the match", MATCH,
	  START ":0:0:1:00:6:7:1:7:10", NULL, 45, "a point short" },
	{ "a Crawford game with the cube turned", MATCH,
	  START ":1:1:1:00:6:3:1:7:10", NULL, 45, "nobody turns" },
	{ "no Crawford game here", "backgammon-match", "crawford=false",
	  START ":0:0:1:00:6:3:1:7:10", NULL, 45, "no Crawford game" },
	/* the example of GNU Backgammon's manual: to 9 points, 2 to 4, player
	 * 0 has the cube at 2, player 1 rolled 52 */
	{ "a match id", "backgammon-match", "match_length=9",
	  "4HPwATDgc/ABMA:QYkqASAAIAAA", START ":1:-1:1:52:4:2:0:9:10", 0,
	  NULL },
	{ "a match id of a Crawford game", MATCH, "4HPwATDgc/ABMA:8InqADAAMAAA",
	  START ":0:0:1:52:6:3:1:7:10", 0, NULL },
	{ "a match id with an owner that is none", "backgammon-match",
	  "match_length=9", "4HPwATDgc/ABMA:YYkqASAAIAAA", NULL, 15,
	  "nobody's (0)" },
	{ "a match id of another length", MATCH, "4HPwATDgc/ABMA:QYkqASAAIAAA",
	  NULL, 15, "another length" },
	{ "a match id without a match", "short-backgammon", "",
	  "4HPwATDgc/ABMA:QYkqASAAIAAA", START ":0:0:1:52:0:0:0:0:10", 0,
	  NULL },
	{ "four checkers of three", "hypergammon", "",
	  "XGID=-aaa-----------------AAAA-:0:0:1:00:0:0:0:0:10", NULL, 0,
	  "more than 3" },
	{ "hypergammon", "hypergammon", "",
	  "XGID=-aaa------------------AAA-:0:0:1:00:0:0:0:0:10",
	  "XGID=-aaa------------------AAA-:0:0:1:00:0:0:0:0:10", 0, NULL },
};

static void the_text_is_read_so(void **state)
{
	const struct text_case *row = *state;
	struct ruleset rs = rules(row->base, row->options);
	struct position pos, before;
	struct text_error where = { 999, "" };
	memset(&pos, 7, sizeof(pos));
	before = pos;
	int err = game_read(&rs, row->text, strlen(row->text), &pos, &where);
	if (row->want) {
		assert_int_equal(err, PLYD_OK);
		text_is(&rs, &pos, row->want);
		return;
	}
	assert_int_equal(err, PLYD_EPOSITION);
	assert_int_equal(where.offset, row->offset);
	assert_non_null(strstr(where.text, row->why));
	assert_memory_equal(&pos, &before, sizeof(pos));
}

/* Equal boards with other stakes are other positions. */
static void stakes_are_in_the_hash(void **state)
{
	(void)state;
	static const char *const texts[] = {
		START ":0:0:1:00:0:0:0:7:10",  START ":1:1:1:00:0:0:0:7:10",
		START ":1:-1:1:00:0:0:0:7:10", START ":2:1:1:00:0:0:0:7:10",
		START ":0:0:1:00:1:0:0:7:10",  START ":0:0:1:00:0:1:0:7:10",
		START ":0:0:1:00:6:0:0:7:10",  START ":0:0:1:00:6:0:1:7:10",
	};
	struct ruleset rs = rules("backgammon-match", "");
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct position a = position(&rs, texts[i]);
		for (size_t j = 0; j < i; j++) {
			struct position b = position(&rs, texts[j]);
			assert_true(game_hash(&rs, &a) != game_hash(&rs, &b));
		}
	}
}

static void games_start_so(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text;
	} starts[] = {
		{ "backgammon-match", START ":0:0:1:00:0:0:0:7:10" },
		{ "nackgammon", "XGID=-bb---D-C---dD---c-d---BB-:0:0:1:00:0:0:"
				"0:0:10" },
		{ "hypergammon", "XGID=-aaa------------------AAA-:0:0:1:00:0:0:"
				 "0:0:10" },
	};
	for (size_t i = 0; i < COUNT(starts); i++) {
		struct ruleset rs = rules(starts[i].name, "");
		struct position pos;
		game_start(&rs, &pos);
		text_is(&rs, &pos, starts[i].text);
	}
}

/* ---- whole matches ----------------------------------------------------- */

/* The naive opinion: it remembers what happened instead of asking the score. */
struct book {
	int length, score[2];
	bool crawford_rule, crawford_was, crawford_now;
	int stake, holder; /* -1: nobody */
};

static bool book_may_double(const struct book *b, int side)
{
	return !b->crawford_now && b->holder != !side && b->stake < 1024 &&
	       (b->length == 0 || b->length - b->score[side] > b->stake);
}

/* Writes the result down; returns whether the match is won. */
static bool book_result(struct book *b, int winner, int points)
{
	bool was_short =
		b->score[0] == b->length - 1 || b->score[1] == b->length - 1;
	b->score[winner] += points;
	if (b->score[winner] >= b->length)
		return true;
	b->crawford_was = b->crawford_was || was_short;
	b->crawford_now = b->crawford_rule && !b->crawford_was &&
			  b->score[winner] == b->length - 1;
	b->stake = 1;
	b->holder = -1;
	return false;
}

static void book_agrees(const struct book *b, const struct ruleset *rs,
			const struct position *pos)
{
	char text[POSITION_TEXT_MAX];
	struct position again;
	const struct stakes *k = &pos->stakes;
	assert_int_equal(1 << k->cube, b->stake);
	assert_int_equal(k->cube_owner, b->holder + 1);
	assert_int_equal(k->crawford, b->crawford_now);
	for (int side = WHITE; side <= BLACK; side++)
		assert_int_equal(k->score[side], b->score[side]);
	size_t len = game_write(rs, pos, text);
	assert_int_equal(game_read(rs, text, len, &again, NULL), PLYD_OK);
	assert_memory_equal(&again, pos, sizeof(again));
}

/* Some turns with doubles, and then an end at random. */
static struct outcome play_game(const struct ruleset *rs, struct position *pos,
				struct book *b, struct rng *rng)
{
	for (uint32_t turns = 1 + rng_below(rng, 12); turns > 0; turns--) {
		bool may = game_may_double(rs, pos) == REASON_NONE;
		assert_int_equal(may, book_may_double(b, pos->side));
		book_agrees(b, rs, pos);
		if (may && rng_below(rng, 3) == 0) {
			if (rng_below(rng, 6) == 0)
				return game_drop(pos);
			game_take(pos, pos);
			b->stake *= 2;
			b->holder = !pos->side;
			book_agrees(b, rs, pos);
		}
		game_throw(pos, 6, 5, pos);
		game_pass(pos, pos);
	}
	enum side winner = (enum side)rng_below(rng, 2);
	uint8_t *own = pos->backgammon.point[winner];
	uint8_t *other = pos->backgammon.point[side_other(winner)];
	uint8_t off = (uint8_t)rng_below(rng, 2);
	memset(own, 0, 26);
	memset(other, 0, 26);
	own[0] = 15;
	other[0] = off;
	other[1] = (uint8_t)(15 - off);
	struct outcome o = game_outcome(rs, pos);
	assert_true(o.over);
	assert_int_equal(o.winner, winner);
	assert_int_equal(o.points, b->stake * (off ? 1 : 2));
	return o;
}

static void play_match(unsigned length, bool crawford, unsigned seed)
{
	char options[64];
	snprintf(options, sizeof(options), "match_length=%u crawford=%s",
		 length, crawford ? "true" : "false");
	struct ruleset rs = rules("backgammon-match", options);
	struct book b = { .length = (int)length,
			  .crawford_rule = crawford,
			  .stake = 1,
			  .holder = -1 };
	struct position pos;
	struct rng rng;
	rng_seed(&rng, seed);
	game_start(&rs, &pos);
	for (unsigned games = 0; games < 2 * length; games++) {
		pos.side = (uint8_t)rng_below(&rng, 2);
		struct outcome o = play_game(&rs, &pos, &b, &rng);
		int winner = game_next(&rs, &pos, &o, &pos);
		if (book_result(&b, (int)o.winner, o.points)) {
			assert_int_equal(winner, o.winner);
			assert_int_equal(pos.stakes.score[winner], length);
			return;
		}
		assert_int_equal(winner, -1);
		book_agrees(&b, &rs, &pos);
	}
	fail_msg("a match to %u with seed %u does not end", length, seed);
}

static void whole_matches_hold(void **state)
{
	(void)state;
	for (unsigned length = 1; length <= 64; length++) {
		for (unsigned seed = 1; seed <= 40; seed++)
			play_match(length, seed % 4 != 0, seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(games_start_so),
		cmocka_unit_test(a_story_of_three_doubles),
		cmocka_unit_test(stakes_are_in_the_hash),
		cmocka_unit_test(whole_matches_hold),
	};
	return RUN_TABLE("doubles", double_cases, the_cube_may_be_turned_so) +
	       RUN_TABLE("outcomes", outcome_cases, the_game_counts_so) +
	       RUN_TABLE("next games", next_cases, the_match_goes_on_so) +
	       RUN_TABLE("texts", text_cases, the_text_is_read_so) +
	       cmocka_run_group_tests(tests, NULL, NULL);
}
