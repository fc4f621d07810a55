/* SPDX-License-Identifier: MIT
 * The boards of `ply`: what is drawn is what stands there, in few columns. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "ply/board.h"
#include "ply/explain.h"

enum { COLUMNS_MAX = 72 };

static struct move_list list;

static struct ruleset ruleset_named(const char *name)
{
	struct ruleset rs;
	assert_int_equal(ruleset_find(name, strlen(name), &rs), PLYD_OK);
	return rs;
}

static struct position position_named(const struct ruleset *rs,
				      const char *text)
{
	struct position pos;
	assert_int_equal(game_read(rs, text, strlen(text), &pos, NULL), 0);
	return pos;
}

/* Draws into a C string. */
static void draw_look(const struct ruleset *rs, const struct position *pos,
		      const struct board_look *look, char out[BOARD_TEXT_MAX])
{
	struct buf b;
	buf_init(&b, BOARD_TEXT_MAX - 1);
	assert_int_equal(board_draw(rs, pos, look, &b), PLYD_OK);
	memcpy(out, b.at, b.len);
	out[b.len] = '\0';
	buf_release(&b);
}

static void draw(const struct ruleset *rs, const struct position *pos,
		 bool colour, enum side bottom, char out[BOARD_TEXT_MAX])
{
	const struct board_look look = { .colour = colour, .bottom = bottom };
	draw_look(rs, pos, &look, out);
}

static unsigned count_of(const char *text, const char *word)
{
	unsigned count = 0;
	for (; (text = strstr(text, word)); text += strlen(word))
		count++;
	return count;
}

/* Drops the escape sequences. */
static void without_colour(char *text)
{
	char *to = text;
	for (; *text; text++) {
		if (*text == '\033')
			text = strchr(text, 'm');
		else
			*to++ = *text;
	}
	*to = '\0';
}

/* Every character of ours is one column wide. */
static void lines_are_short(const char *text)
{
	unsigned columns = 0;
	for (; *text; text++) {
		if (*text == '\n')
			columns = 0;
		else if (((unsigned char)*text & 0xc0) != 0x80)
			columns++;
		assert_true(columns <= COLUMNS_MAX);
	}
}

static unsigned signs(const struct position *pos, enum side side, bool kings)
{
	uint64_t set = kings ? pos->draughts.kings : ~pos->draughts.kings;
	return (unsigned)__builtin_popcountll(pos->draughts.pieces[side] & set);
}

/* The key below the board shows each sign once more. */
static void draughts_signs_hold(const struct position *pos, const char *text)
{
	assert_int_equal(count_of(text, "○"), signs(pos, WHITE, false) + 1);
	assert_int_equal(count_of(text, "◎"), signs(pos, WHITE, true) + 1);
	assert_int_equal(count_of(text, "●"), signs(pos, BLACK, false) + 1);
	assert_int_equal(count_of(text, "◉"), signs(pos, BLACK, true) + 1);
}

static unsigned stacks(const struct position *pos, enum side side)
{
	unsigned sum = 0;
	for (int p = 1; p <= 25; p++) {
		unsigned n = pos->backgammon.point[side][p];
		sum += n > 5 ? 4 : n; /* the fifth is a number then */
	}
	return sum;
}

static void board_holds(const struct ruleset *rs, const struct position *pos)
{
	static char plain[BOARD_TEXT_MAX], coloured[BOARD_TEXT_MAX];
	for (int side = WHITE; side <= BLACK; side++) {
		draw(rs, pos, false, (enum side)side, plain);
		draw(rs, pos, true, (enum side)side, coloured);
		without_colour(coloured);
		lines_are_short(plain);
		lines_are_short(coloured);
		assert_null(strchr(plain, '\033'));
		if (rs->family == FAMILY_DRAUGHTS) {
			draughts_signs_hold(pos, plain);
			continue;
		}
		assert_int_equal(count_of(plain, "○"), stacks(pos, WHITE) + 1);
		assert_int_equal(count_of(plain, "●"), stacks(pos, BLACK) + 1);
		assert_int_equal(count_of(coloured, "●"),
				 stacks(pos, WHITE) + stacks(pos, BLACK) + 2);
	}
}

static void random_boards_hold(void **state)
{
	(void)state;
	struct rng rng;
	rng_seed(&rng, 5);
	for (size_t i = 0; i < ruleset_count(); i++) {
		const struct ruleset *rs = ruleset_at(i);
		struct position pos;
		game_start(rs, &pos);
		for (int ply = 0; ply < 200 && !game_outcome(rs, &pos).over;
		     ply++) {
			board_holds(rs, &pos);
			if (ruleset_has_dice(rs))
				game_throw(&pos, 1 + (int)rng_below(&rng, 6),
					   1 + (int)rng_below(&rng, 6), &pos);
			assert_int_equal(game_moves(rs, &pos, &list), 0);
			if (list.count == 0) {
				game_pass(&pos, &pos);
				continue;
			}
			struct position before = pos;
			uint32_t n = rng_below(&rng, (uint32_t)list.count);
			game_apply(rs, &before, &list.move[n], &pos);
		}
	}
}

/* The number beside a piece is the one that its position text has. */
static void numbers_are_those_of_the_text(void **state)
{
	(void)state;
	static char board[BOARD_TEXT_MAX];
	struct ruleset rs = ruleset_named("english");
	for (unsigned n = 1; n <= 32; n++) {
		char text[32], beside[16];
		snprintf(text, sizeof(text), "W:WK%u:B", n);
		snprintf(beside, sizeof(beside), "%2u◎", n);
		struct position pos = position_named(&rs, text);
		for (int side = WHITE; side <= BLACK; side++) {
			draw(&rs, &pos, false, (enum side)side, board);
			assert_int_equal(count_of(board, beside), 1);
		}
	}
}

static const char *line_with(const char *text, const char *word)
{
	const char *at = strstr(text, word);
	assert_non_null(at);
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

static void turkish_rows_have_their_digits(void **state)
{
	(void)state;
	static char board[BOARD_TEXT_MAX];
	struct ruleset rs = ruleset_named("turkish");
	struct position pos = position_named(&rs, "W:WKb3:Bg7");
	for (int side = WHITE; side <= BLACK; side++) {
		draw(&rs, &pos, false, (enum side)side, board);
		assert_memory_equal(line_with(board, "◎"), "   3 ", 5);
		assert_memory_equal(line_with(board, "●"), "   7 ", 5);
		assert_true((strstr(board, "◎") < strstr(board, "●")) ==
			    (side == BLACK));
		assert_non_null(strstr(board, side == WHITE ? "a     b     c"
							    : "c     b     a"));
	}
}

static void backgammon_is_numbered_from_below(void **state)
{
	(void)state;
	static char board[BOARD_TEXT_MAX];
	struct ruleset rs = ruleset_named("backgammon");
	/* White's 24 is Black's 1: upper right from White, lower right from
	 * Black; Black's bar waits in the lower half from White */
	struct position pos = position_named(&rs, "XGID=a----------------------"
						  "-A-:0:0:1:63:0:0:0:0:10");
	draw(&rs, &pos, false, WHITE, board);
	assert_true(strstr(board, "○") < strstr(board, "●"));
	assert_non_null(strstr(board, "White to play 6-3"));
	assert_non_null(strstr(board, "○ White 24 pips"));
	assert_non_null(strstr(board, "● Black 25 pips"));
	draw(&rs, &pos, false, BLACK, board);
	assert_true(strstr(board, "●") < strstr(board, "○"));
}

static void a_high_stack_says_its_number(void **state)
{
	(void)state;
	static char board[BOARD_TEXT_MAX];
	struct ruleset rs = ruleset_named("backgammon");
	struct position pos = position_named(&rs, "XGID=------M----------------"
						  "-a-:0:0:-1:00:0:0:0:0:10");
	draw(&rs, &pos, false, WHITE, board);
	assert_non_null(strstr(board, "│13 "));
	assert_non_null(strstr(board, " 2 off"));
	assert_non_null(strstr(board, "14 off"));
	assert_non_null(strstr(board, "Black to throw"));
}

static void marks_are_where_they_belong(void **state)
{
	char text[BOARD_TEXT_MAX];
	struct ruleset rs = ruleset_named("english");
	struct position pos;
	(void)state;
	game_start(&rs, &pos);
	/* e5 and d4, which are numbers 18 and 15 */
	struct board_look look = {
		.bottom = BLACK, .marked = UINT64_C(1) << 36 | UINT64_C(1) << 27
	};
	draw_look(&rs, &pos, &look, text);
	assert_int_equal(count_of(text, "*"), 2);
	assert_non_null(strstr(text, "18 * "));
	assert_non_null(strstr(text, "15 * "));
	look.colour = true;
	draw_look(&rs, &pos, &look, text);
	assert_int_equal(count_of(text, "*"), 0);
	assert_true(count_of(text, "48;5;136m") > 0);

	rs = ruleset_named("backgammon");
	game_start(&rs, &pos);
	look = (struct board_look){ .bottom = WHITE,
				    .marked = 1 << 24 | 1 << 18 | 1 << 6 };
	draw_look(&rs, &pos, &look, text);
	assert_int_equal(count_of(text, "*"), 3);
	assert_non_null(strstr(text, " 24*"));
	assert_non_null(strstr(text, " 18*"));
	assert_non_null(strstr(text, " 6*"));
}

static void a_refusal_is_told(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("english");
	struct position pos = position_named(&rs, "B:W15,32:B1,11");
	struct move move;
	struct refusal why;
	char text[EXPLAIN_MAX];
	assert_int_equal(game_check(&rs, &pos, "1-5", 3, &move, &why),
			 PLYD_EILLEGAL);
	size_t len = explain_refusal(&why, text);
	assert_string_equal(text, "Step 1, 1 to 5: A piece can capture, so a "
				  "capture must be played. These can "
				  "capture: 11.");
	assert_int_equal(len, strlen(text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_boards_hold),
		cmocka_unit_test(numbers_are_those_of_the_text),
		cmocka_unit_test(turkish_rows_have_their_digits),
		cmocka_unit_test(backgammon_is_numbered_from_below),
		cmocka_unit_test(a_high_stack_says_its_number),
		cmocka_unit_test(marks_are_where_they_belong),
		cmocka_unit_test(a_refusal_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
