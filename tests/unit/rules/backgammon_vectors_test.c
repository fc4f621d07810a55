/* SPDX-License-Identifier: MIT
 * Backgammon against data that other programs, or a naive reference, gave:
 * every row for both colours. */
#include "unit.h"

#include <stdlib.h>

#include "vectors.h"
#include "backgammon_boards.h"

static char complaint[512];

#define WRONG(...)                                                             \
	(snprintf(complaint, sizeof(complaint), __VA_ARGS__), complaint)

enum { RESULTS_MAX = 4096 };

/* Boards as the mover sees them, sorted. */
struct results {
	size_t count;
	char board[RESULTS_MAX][BOARD_CHARS + 1];
};

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void results_sort(struct results *r)
{
	qsort(r->board, r->count, sizeof(r->board[0]), by_text);
}

static const char *results_equal(const struct results *got,
				 const struct results *want)
{
	if (got->count != want->count)
		return WRONG("%zu results, not %zu", got->count, want->count);
	for (size_t i = 0; i < got->count; i++) {
		if (strcmp(got->board[i], want->board[i]) != 0)
			return WRONG("result %s, not %s", got->board[i],
				     want->board[i]);
	}
	return NULL;
}

/* Checks one listed move every way there is, and adds its result. */
static const char *move_holds(const struct ruleset *rs,
			      const struct position *pos,
			      const struct move *move, struct results *got)
{
	struct position after, again;
	struct move same;
	struct refusal why;
	char text[MOVE_TEXT_MAX];
	size_t len = game_move_text(rs, pos, move, text);
	game_apply(rs, pos, move, &after);
	if (game_check(rs, pos, text, len, &same, &why) != PLYD_OK)
		return WRONG("'%s' is listed but refused: %s", text,
			     reason_name(why.reason));
	if (memcmp(&same, move, sizeof(same)) != 0)
		return WRONG("'%s' is read as another move", text);
	if (game_replay_move(rs, pos, text, len, false, &again) != PLYD_OK ||
	    memcmp(&again, &after, sizeof(after)) != 0)
		return WRONG("'%s' is replayed otherwise", text);
	board_write(rs, &after, (enum side)pos->side, got->board[got->count++]);
	return NULL;
}

/* Lists the moves; all must use that many dice (-1: unknown). */
static const char *list_results(const struct ruleset *rs,
				const struct position *pos, long long dice,
				struct results *got)
{
	static struct move_list list;
	char last[MOVE_TEXT_MAX] = "";
	got->count = 0;
	if (game_moves(rs, pos, &list) != PLYD_OK)
		return "game_moves() failed";
	if (list.total != list.count)
		return WRONG("%zu moves are too many", list.total);
	if (game_can_move(rs, pos) != (list.count > 0))
		return "game_can_move() differs from game_moves()";
	for (size_t i = 0; i < list.count; i++) {
		char text[MOVE_TEXT_MAX];
		const char *wrong = move_holds(rs, pos, &list.move[i], got);
		if (wrong)
			return wrong;
		if (dice >= 0 && list.move[i].legs != dice)
			return WRONG("a move of %d dice", list.move[i].legs);
		game_move_text(rs, pos, &list.move[i], text);
		if (strcmp(last, text) >= 0)
			return WRONG("'%s' stands after '%s'", text, last);
		strcpy(last, text);
	}
	results_sort(got);
	return NULL;
}

static void die_pair(const json_t *row, int die[2])
{
	const json_t *dice = json_object_get(row, "dice");
	die[0] = (int)json_integer_value(json_array_get(dice, 0));
	die[1] = (int)json_integer_value(json_array_get(dice, 1));
}

/* The exact results of a row, for both colours, in `want`. */
static const char *row_results(const struct ruleset *rs, const json_t *row,
			       long long dice, const struct results *want)
{
	static struct results got;
	int die[2];
	die_pair(row, die);
	for (int side = WHITE; side <= BLACK; side++) {
		struct position pos;
		if (board_read(rs, vector_str(row, "pos"), (enum side)side,
			       die[0], die[1], &pos) != PLYD_OK)
			return "the position cannot be read";
		const char *wrong = list_results(rs, &pos, dice, &got);
		if (!wrong)
			wrong = results_equal(&got, want);
		if (wrong)
			return wrong;
	}
	return NULL;
}

static void want_strings(const json_t *array, struct results *out)
{
	out->count = json_array_size(array);
	for (size_t i = 0; i < out->count; i++)
		snprintf(out->board[i], sizeof(out->board[i]), "%s",
			 json_string_value(json_array_get(array, i)));
	results_sort(out);
}

/* ---- plays ------------------------------------------------------------- */

/* The notation of GNU Backgammon leads to its result, for both colours. */
static const char *text_leads_to(const struct ruleset *rs, const char *board,
				 const int die[2], const char *text,
				 const char *want)
{
	for (int side = WHITE; side <= BLACK; side++) {
		struct position pos, after;
		struct move move;
		struct refusal why;
		char got[BOARD_CHARS + 1];
		if (board_read(rs, board, (enum side)side, die[0], die[1],
			       &pos) != PLYD_OK)
			return "the position cannot be read";
		if (game_check(rs, &pos, text, strlen(text), &move, &why) !=
		    PLYD_OK)
			return WRONG("'%s' refused: %s %s", text,
				     reason_name(why.reason), why.detail);
		game_apply(rs, &pos, &move, &after);
		board_write(rs, &after, (enum side)side, got);
		if (strcmp(got, want) != 0)
			return WRONG("'%s' gives %s", text, got);
	}
	return NULL;
}

static const char *id_holds(const struct ruleset *rs, const json_t *row)
{
	struct position pos, by_id;
	const char *id = vector_str(row, "pid");
	if (board_read(rs, vector_str(row, "pos"), WHITE, 0, 0, &pos))
		return "the position cannot be read";
	if (game_read(rs, id, strlen(id), &by_id, NULL) != PLYD_OK)
		return "the position id cannot be read";
	if (memcmp(&pos, &by_id, sizeof(pos)) != 0)
		return "the position id is another position";
	return NULL;
}

static const char *play_holds(const json_t *row, void *payload)
{
	const struct ruleset *rs = payload;
	static struct results want;
	const json_t *plays = json_object_get(row, "plays");
	int die[2];
	die_pair(row, die);
	want.count = json_array_size(plays);
	for (size_t i = 0; i < want.count; i++) {
		const json_t *play = json_array_get(plays, i);
		const char *text = json_string_value(json_array_get(play, 0));
		const char *board = json_string_value(json_array_get(play, 1));
		const char *wrong = text_leads_to(rs, vector_str(row, "pos"),
						  die, text, board);
		if (wrong)
			return wrong;
		strcpy(want.board[i], board);
	}
	if ((long long)want.count != vector_int(row, "n_results"))
		return "n_results is another";
	results_sort(&want);
	const char *wrong =
		row_results(rs, row, vector_int(row, "dice_used"), &want);
	return wrong ? wrong : id_holds(rs, row);
}

static const char *last_checker_holds(const json_t *row, void *payload)
{
	static struct results want;
	want_strings(json_object_get(row, "gnubg_and_openspiel"), &want);
	return row_results(payload, row, 2, &want);
}

/* ---- outcomes and games ------------------------------------------------ */

static const char *outcome_holds(const json_t *row, void *payload)
{
	const struct ruleset *rs = payload;
	static const char *const names[] = { "", "single", "gammon",
					     "backgammon" };
	long long points = vector_int(row, "points");
	for (int side = WHITE; side <= BLACK; side++) {
		struct position pos;
		if (board_read(rs, vector_str(row, "pos"), (enum side)side, 0,
			       0, &pos) != PLYD_OK)
			return "the position cannot be read";
		struct outcome o = game_outcome(rs, &pos);
		if (!o.over || o.winner != (enum side)side ||
		    o.points != points || strcmp(o.why, names[points]) != 0)
			return WRONG("over %d, winner %d, %d points, %s",
				     o.over, o.winner, o.points, o.why);
		if (game_points_lost(rs, &pos, side_other(o.winner)) != points)
			return "game_points_lost() differs";
	}
	return NULL;
}

static const char *turn_holds(const struct ruleset *rs, const json_t *turn)
{
	static struct results got;
	int die[2];
	const char *text = json_string_value(json_array_get(turn, 2));
	const char *before = json_string_value(json_array_get(turn, 3));
	const char *after = json_string_value(json_array_get(turn, 4));
	const json_t *dice = json_array_get(turn, 1);
	struct position pos;
	die[0] = (int)json_integer_value(json_array_get(dice, 0));
	die[1] = (int)json_integer_value(json_array_get(dice, 1));
	if (text[0] != '\0')
		return text_leads_to(rs, before, die, text, after);
	if (board_read(rs, before, WHITE, die[0], die[1], &pos) != PLYD_OK)
		return "the position cannot be read";
	const char *wrong = list_results(rs, &pos, -1, &got);
	return wrong ? wrong : got.count ? "a turn was passed" : NULL;
}

static const char *game_holds(const json_t *row, void *payload)
{
	const struct ruleset *rs = payload;
	const json_t *turns = json_object_get(row, "turns");
	char seen[BOARD_CHARS + 1];
	const char *after = NULL;
	for (size_t i = 0; i < json_array_size(turns); i++) {
		const json_t *turn = json_array_get(turns, i);
		const char *before = json_string_value(json_array_get(turn, 3));
		if (after) {
			board_mirror(after, seen);
			if (strcmp(seen, before) != 0)
				return "a turn does not follow the last one";
		}
		const char *wrong = turn_holds(rs, turn);
		if (wrong)
			return wrong;
		after = json_string_value(json_array_get(turn, 4));
	}
	struct position end;
	if (board_read(rs, after, WHITE, 0, 0, &end) != PLYD_OK)
		return "the end cannot be read";
	struct outcome o = game_outcome(rs, &end);
	if (o.over != json_is_true(json_object_get(row, "finished")))
		return "finished is another";
	if (o.over && o.points != vector_int(row, "computed_points"))
		return "computed_points is another";
	return NULL;
}

/* ---- rulings: no hit-and-hide ------------------------------------------ */

static const char *texts_hold(const struct ruleset *rs, const json_t *row)
{
	int die[2];
	struct position pos;
	struct position by_text[2];
	die_pair(row, die);
	static const char *const keys[2] = { "xgid", "xgid_black" };
	for (int side = WHITE; side <= BLACK; side++) {
		const char *text = vector_str(row, keys[side]);
		char again[POSITION_TEXT_MAX];
		if (board_read(rs, vector_str(row, "pos"), (enum side)side,
			       die[0], die[1], &pos) ||
		    game_read(rs, text, strlen(text), &by_text[side], NULL))
			return "a position cannot be read";
		game_write(rs, &pos, again);
		if (memcmp(&pos, &by_text[side], sizeof(pos)) != 0 ||
		    strcmp(again, text) != 0)
			return WRONG("%s is another position", keys[side]);
	}
	return NULL;
}

/* Each variant of the ruleset has results of its own. */
static const char *variant_holds(const json_t *row, const char *name,
				 const char *bear_off, const json_t *expected)
{
	static struct results want, got;
	struct ruleset rs = ruleset_named(name);
	if (bear_off &&
	    ruleset_set(&rs, "hit_and_bear_off", strlen("hit_and_bear_off"),
			bear_off, strlen(bear_off)) != PLYD_OK)
		return "hit_and_bear_off cannot be set";
	long long dice = vector_int(expected, "dice_used");
	const json_t *results = json_object_get(expected, "results");
	if (results) {
		want_strings(results, &want);
		return row_results(&rs, row, dice, &want);
	}
	struct position pos;
	int die[2];
	die_pair(row, die);
	if (board_read(&rs, vector_str(row, "pos"), WHITE, die[0], die[1],
		       &pos))
		return "the position cannot be read";
	const char *wrong = list_results(&rs, &pos, dice, &got);
	if (!wrong && (long long)got.count != vector_int(expected, "n_results"))
		wrong = "n_results without the ban is another";
	return wrong;
}

static const char *order_holds(const struct ruleset *rs, const json_t *row,
			       const json_t *order)
{
	int die[2];
	struct position pos;
	struct move move;
	struct refusal why;
	const char *banned = vector_str(order, "banned_order");
	die_pair(row, die);
	if (board_read(rs, vector_str(row, "pos"), WHITE, die[0], die[1], &pos))
		return "the position cannot be read";
	if (game_check(rs, &pos, banned, strlen(banned), &move, &why) !=
		    PLYD_EILLEGAL ||
	    why.reason != REASON_HIT_AND_HIDE)
		return WRONG("'%s' is not hit_and_hide", banned);
	return text_leads_to(rs, vector_str(row, "pos"), die,
			     vector_str(order, "legal_order"),
			     vector_str(order, "result"));
}

static const char *caucasian_holds(const json_t *row, void *payload)
{
	const json_t *always = json_object_get(row, "always");
	const json_t *order = json_object_get(row, "other_order");
	const char *wrong = texts_hold(payload, row);
	if (!wrong)
		wrong = variant_holds(row, "caucasian", NULL, row);
	if (!wrong && json_is_object(always))
		wrong = variant_holds(row, "caucasian", "always", always);
	if (!wrong)
		wrong = variant_holds(row, "short-backgammon", NULL,
				      json_object_get(row, "without_ban"));
	if (!wrong && order)
		wrong = order_holds(payload, row, order);
	return wrong;
}

/* ---- rulings: reasons and questions ------------------------------------ */

static bool is_backgammon(const char *ruleset)
{
	struct ruleset rs = ruleset_named(ruleset);
	return rs.family == FAMILY_BACKGAMMON;
}

/* The same position with the colours exchanged. */
static void exchange(const struct position *pos, struct position *out)
{
	*out = *pos;
	out->side = (uint8_t)side_other((enum side)pos->side);
	memcpy(out->backgammon.point[WHITE], pos->backgammon.point[BLACK],
	       sizeof(pos->backgammon.point[BLACK]));
	memcpy(out->backgammon.point[BLACK], pos->backgammon.point[WHITE],
	       sizeof(pos->backgammon.point[WHITE]));
}

static const char *refusal_holds(const struct ruleset *rs, const json_t *row,
				 const struct position *pos)
{
	struct move move;
	struct refusal why;
	const char *text = vector_str(row, "move");
	int err = game_check(rs, pos, text, strlen(text), &move, &why);
	if (err != PLYD_EILLEGAL)
		return WRONG("'%s' is not refused", text);
	if (strcmp(reason_name(why.reason), vector_str(row, "reason")) != 0)
		return WRONG("'%s': %s at %d", text, reason_name(why.reason),
			     why.step);
	if (why.step != vector_int(row, "step"))
		return WRONG("'%s': %s at %d", text, reason_name(why.reason),
			     why.step);
	return NULL;
}

static const char *acceptance_holds(const struct ruleset *rs, const json_t *row,
				    const struct position *pos)
{
	struct position after;
	struct move move;
	struct refusal why;
	char got[POSITION_TEXT_MAX];
	const char *text = vector_str(row, "move");
	if (game_check(rs, pos, text, strlen(text), &move, &why) != PLYD_OK)
		return WRONG("'%s' is refused: %s", text,
			     reason_name(why.reason));
	game_apply(rs, pos, &move, &after);
	game_write(rs, &after, got);
	return strcmp(got, vector_str(row, "result")) ? WRONG("gives %s", got)
						      : NULL;
}

static const char *check_row(const json_t *row, bool legal)
{
	struct position pos, exchanged;
	struct ruleset rs = ruleset_named(vector_str(row, "ruleset"));
	const char *text = vector_str(row, "position");
	if (game_read(&rs, text, strlen(text), &pos, NULL) != PLYD_OK)
		return "the position cannot be read";
	if (legal)
		return acceptance_holds(&rs, row, &pos);
	const char *wrong = refusal_holds(&rs, row, &pos);
	exchange(&pos, &exchanged);
	return wrong ? wrong : refusal_holds(&rs, row, &exchanged);
}

static const char *reason_holds(const json_t *row, void *payload)
{
	size_t *rows = payload;
	if (!is_backgammon(vector_str(row, "ruleset")))
		return NULL;
	++*rows;
	return check_row(row, false);
}

static const char *verdict_holds(const json_t *row)
{
	struct position pos;
	struct ruleset rs = ruleset_named(vector_str(row, "ruleset"));
	const char *text = vector_str(row, "position");
	if (game_read(&rs, text, strlen(text), &pos, NULL) != PLYD_OK)
		return "the position cannot be read";
	struct outcome o = game_outcome(&rs, &pos);
	const char *winner = vector_str(row, "winner");
	if (!o.over || o.winner != (winner[0] == 'W' ? WHITE : BLACK) ||
	    o.points != vector_int(row, "points") ||
	    strcmp(o.why, vector_str(row, "result")) != 0)
		return WRONG("%d points, %s", o.points, o.why);
	return NULL;
}

/* The throws themselves are the match's; the rules say that they decide, and
 * what the dice of the first turn then are. */
static const char *opening_holds(const json_t *row)
{
	struct position start, roll;
	struct ruleset rs = ruleset_named(vector_str(row, "ruleset"));
	const json_t *throws = json_object_get(row, "throws");
	size_t count = json_array_size(throws);
	game_start(&rs, &start);
	if (count == 0)
		return ruleset_first(&rs) == WHITE ? NULL : "White begins";
	const json_t *last = json_array_get(throws, count - 1);
	const json_t *dice = json_object_get(row, "roll");
	game_throw(&start, (int)json_integer_value(json_array_get(last, 0)),
		   (int)json_integer_value(json_array_get(last, 1)), &roll);
	if (ruleset_first(&rs) != -1)
		return "an opening throw decides";
	for (size_t i = 0; i < 2; i++) {
		if (roll.dice[i] != json_integer_value(json_array_get(dice, i)))
			return "the roll is another";
	}
	return NULL;
}

static const char *question_holds(const json_t *row, void *payload)
{
	size_t *rows = payload;
	const char *kind = vector_str(row, "kind");
	if (!is_backgammon(vector_str(row, "ruleset")))
		return NULL;
	++*rows;
	if (!strcmp(kind, "check"))
		return check_row(row,
				 json_is_true(json_object_get(row, "legal")));
	if (!strcmp(kind, "outcome"))
		return verdict_holds(row);
	return strcmp(kind, "opening") ? "an unknown kind" : opening_holds(row);
}

/* ---- the files --------------------------------------------------------- */

static void plays(void **state)
{
	struct ruleset rs = ruleset_named("backgammon");
	(void)state;
	assert_int_equal(vectors_run("golden/backgammon_plays.jsonl",
				     play_holds, &rs),
			 0);
}

static void the_last_checker(void **state)
{
	struct ruleset rs = ruleset_named("backgammon");
	(void)state;
	assert_int_equal(vectors_run("golden/"
				     "backgammon_last_checker_extra_die.jsonl",
				     last_checker_holds, &rs),
			 0);
}

static void outcomes(void **state)
{
	struct ruleset rs = ruleset_named("backgammon");
	(void)state;
	assert_int_equal(vectors_run("golden/backgammon_outcomes.jsonl",
				     outcome_holds, &rs),
			 0);
}

static void games(void **state)
{
	struct ruleset rs = ruleset_named("backgammon");
	(void)state;
	assert_int_equal(vectors_run("golden/backgammon_games.jsonl",
				     game_holds, &rs),
			 0);
}

static void caucasian(void **state)
{
	struct ruleset rs = ruleset_named("caucasian");
	(void)state;
	assert_int_equal(vectors_run("golden/rulings/caucasian.jsonl",
				     caucasian_holds, &rs),
			 0);
}

static void reasons(void **state)
{
	size_t rows = 0;
	(void)state;
	assert_int_equal(vectors_run("golden/rulings/reasons.jsonl",
				     reason_holds, &rows),
			 0);
	printf("of these, %zu are backgammon\n", rows);
	assert_true(rows > 0);
}

static void questions(void **state)
{
	size_t rows = 0;
	(void)state;
	assert_int_equal(vectors_run("golden/rulings/questions.jsonl",
				     question_holds, &rows),
			 0);
	printf("of these, %zu are backgammon\n", rows);
	assert_true(rows > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plays),     cmocka_unit_test(the_last_checker),
		cmocka_unit_test(outcomes),  cmocka_unit_test(games),
		cmocka_unit_test(caucasian), cmocka_unit_test(reasons),
		cmocka_unit_test(questions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
