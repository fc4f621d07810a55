/* SPDX-License-Identifier: MIT */
#include "drawn.h"

#include "base/rng.h"
#include "screen/board.h"

static struct grid g;

static struct board board_of(const struct ruleset *rs,
			     const struct position *pos)
{
	return (struct board){
		.rules = rs, .pos = pos, .bottom = WHITE, .cursor = PICK_NOWHERE
	};
}

static const char *draw(const struct board *b, bool utf8, bool colour)
{
	drawn_begin(&g, BOARD_ROWS, BOARD_COLUMNS, utf8, colour);
	board_put(&g, 0, 0, b);
	return drawn(&g);
}

static uint64_t at(int place)
{
	return UINT64_C(1) << place;
}

static void english_with_a_choice(void **state)
{
	(void)state;
	const struct ruleset rs = ruleset_named("english");
	const struct position pos =
		position_named(&rs, "B:W18,22,K31:B9,10,K1");
	struct board b = board_of(&rs, &pos);
	b.chosen = at(43);           /* square 10 */
	b.targets = at(36) | at(34); /* 15 and 14 */
	b.cursor = 36;
	b.last = at(27);
	assert_string_equal(draw(&b, true, false),
			    "   ░░░░░ 1   ░░░░░ 2   ░░░░░ 3   ░░░░░ 4\n"
			    "   ░░░░░  ◉  ░░░░░     ░░░░░     ░░░░░\n"
			    "    5   ░░░░░ 6   ░░░░░ 7   ░░░░░ 8   ░░░░░\n"
			    "        ░░░░░     ░░░░░     ░░░░░     ░░░░░\n"
			    "   ░░░░░ 9   ░░░░░10   ░░░░░11   ░░░░░12\n"
			    "   ░░░░░  ●  ░░░░░( ● )░░░░░     ░░░░░\n"
			    "   13   ░░░░░14   ░░░░░15   ░░░░░16   ░░░░░\n"
			    "        ░░░░░  ◇  ░░░░░[ ◇ ]░░░░░     ░░░░░\n"
			    "   ░░░░░17   ░░░░░18  *░░░░░19   ░░░░░20\n"
			    "   ░░░░░     ░░░░░  ○  ░░░░░     ░░░░░\n"
			    "   21   ░░░░░22   ░░░░░23   ░░░░░24   ░░░░░\n"
			    "        ░░░░░  ○  ░░░░░     ░░░░░     ░░░░░\n"
			    "   ░░░░░25   ░░░░░26   ░░░░░27   ░░░░░28\n"
			    "   ░░░░░     ░░░░░     ░░░░░     ░░░░░\n"
			    "   29   ░░░░░30   ░░░░░31   ░░░░░32   ░░░░░\n"
			    "        ░░░░░     ░░░░░  ◎  ░░░░░     ░░░░░\n");
}

static void turkish_from_black_in_ascii(void **state)
{
	(void)state;
	const struct ruleset rs = ruleset_named("turkish");
	const struct position pos = position_named(&rs, "W:Wa2,Kd4:Ba6,Kh7");
	struct board b = board_of(&rs, &pos);
	b.bottom = BLACK;
	assert_string_equal(draw(&b, false, false),
			    "\n"
			    " 1   .    .    .    .    .    .    .    .\n"
			    "\n"
			    " 2   .    .    .    .    .    .    .    w\n"
			    "\n"
			    " 3   .    .    .    .    .    .    .    .\n"
			    "\n"
			    " 4   .    .    .    .    W    .    .    .\n"
			    "\n"
			    " 5   .    .    .    .    .    .    .    .\n"
			    "\n"
			    " 6   .    .    .    .    .    .    .    b\n"
			    "\n"
			    " 7   B    .    .    .    .    .    .    .\n"
			    "\n"
			    " 8   .    .    .    .    .    .    .    .\n"
			    "     h    g    f    e    d    c    b    a\n");
}

static const char bar_and_cube[] =
	"   13 14 15 16 17 18      19 20 21 22 23 24\n"
	"  ┌──────────────────┬───┬──────────────────┐\n"
	"  │ ·  :  ·  :  ·  : │   │ ●  ◇  ·  :  ·  : │   9\n"
	"  │ ·  :  ·  :  ·  : │[○]│ ●  :  ·  :  ·  : │ off\n"
	"  │ ·  :  ·  :  ·  : │   │ ●  :  ·  :  ·  : │\n"
	"  │ ·  :  ·  :  ·  : │   │ ●  :  ·  :  ·  : │\n"
	"  │ ·  :  ·  :  ·  : │   │ ●  :  ·  :  ·  : │\n"
	"  ├──────────────────┼───┼──(5)─[2]─────────┤\n"
	"  │ :  ·  :  ·  :  · │   │ :  ·  :  ·  : 10 │\n"
	"  │ :  ·  :  ·  :  · │   │ :  ·  :  ·  :  ○ │\n"
	"  │ :  ·  :  ·  :  · │   │ :  ·  :  ·  :  ○ │\n"
	"  │ :  ·  :  ·  :  · │ ● │ :  ·  :  ·  :  ○ │ off\n"
	"  │ :  ·  :  ·  :  · │  4│(○) ·  :  ·  :  ○ │   3\n"
	"  └──────────────────┴───┴──────────────────┘\n"
	"   12 11 10  9  8  7       6  5  4* 3  2  1\n";

static void backgammon_with_bar_cube_and_dice(void **state)
{
	(void)state;
	const struct ruleset rs = ruleset_named("backgammon-match");
	struct position pos = { .side = WHITE, .dice = { 5, 2 } };
	uint8_t *white = pos.backgammon.point[WHITE];
	uint8_t *black = pos.backgammon.point[BLACK];
	pos.stakes.cube = 2;
	pos.stakes.cube_owner = CUBE_WHITE;
	white[PICK_BAR] = 1;
	white[6] = 1;
	white[1] = 10;
	white[PICK_OFF] = 3;
	black[6] = 5; /* White's 19 */
	black[PICK_BAR] = 1;
	black[PICK_OFF] = 9;
	struct board b = board_of(&rs, &pos);
	b.cursor = PICK_BAR;
	b.chosen = at(6);
	b.targets = at(20);
	b.last = at(4);
	b.dice_played = 1;
	assert_string_equal(draw(&b, true, false), bar_and_cube);
}

/* -- in any position -- */

static unsigned count_of(const char *text, const char *sign)
{
	unsigned n = 0;
	for (; (text = strstr(text, sign)); text += strlen(sign))
		n++;
	return n;
}

static void draughts_shows_each_piece(void **state)
{
	static const char *const names[] = { "english", "turkish" };
	struct rng rng;
	(void)state;
	rng_seed(&rng, 3);
	for (int i = 0; i < 200; i++) {
		const struct ruleset rs = ruleset_named(names[i % 2]);
		struct position pos = { .side = WHITE };
		uint64_t played = i % 2 ? ~UINT64_C(0)
					: UINT64_C(0x55aa55aa55aa55aa) >> 8 |
						  UINT64_C(0xaa) << 56;
		uint64_t a = rng_next(&rng) & played;
		pos.draughts.pieces[WHITE] = a & rng_next(&rng);
		pos.draughts.pieces[BLACK] = a & ~pos.draughts.pieces[WHITE];
		pos.draughts.kings = a & rng_next(&rng);
		struct board b = board_of(&rs, &pos);
		b.bottom = i % 3 ? WHITE : BLACK;
		b.cursor = (int)rng_below(&rng, 64);
		const char *text = draw(&b, true, false);
		const uint64_t kings = pos.draughts.kings;
		const uint64_t *of = pos.draughts.pieces;
		assert_int_equal(count_of(text, "○"),
				 __builtin_popcountll(of[WHITE] & ~kings));
		assert_int_equal(count_of(text, "●"),
				 __builtin_popcountll(of[BLACK] & ~kings));
		assert_int_equal(count_of(text, "◎"),
				 __builtin_popcountll(of[WHITE] & kings));
		assert_int_equal(count_of(text, "◉"),
				 __builtin_popcountll(of[BLACK] & kings));
	}
}

/* -- the cursor -- */

static void arrows_reach_every_place(void **state)
{
	static const struct {
		const char *name;
		int places;
	} all[] = { { "english", 32 },
		    { "turkish", 64 },
		    { "backgammon", 26 } };
	(void)state;
	for (size_t i = 0; i < COUNT(all); i++) {
		const struct ruleset rs = ruleset_named(all[i].name);
		struct position pos;
		game_start(&rs, &pos);
		for (int side = WHITE; side <= BLACK; side++) {
			struct board b = board_of(&rs, &pos);
			b.bottom = (enum side)side;
			uint64_t seen = at(board_home(&b)), before = 0;
			while (seen != before) {
				before = seen;
				for (int p = 0; p < 64; p++)
					for (int w = 0;
					     w < 4 && (before >> p & 1); w++)
						seen |= at(
							board_go(&b, p,
								 (enum way)w));
			}
			assert_int_equal(__builtin_popcountll(seen),
					 all[i].places);
		}
	}
}

static void arrows_go_where_they_point(void **state)
{
	(void)state;
	const struct ruleset rs = ruleset_named("english");
	struct position pos;
	game_start(&rs, &pos);
	struct board b = board_of(&rs, &pos);
	assert_int_equal(board_go(&b, 18, WAY_RIGHT), 20); /* c3, e3 */
	assert_int_equal(board_go(&b, 16, WAY_LEFT), 16);
	b.bottom = BLACK;
	assert_int_equal(board_go(&b, 18, WAY_RIGHT), 16);
	const struct ruleset bg = ruleset_named("backgammon");
	b = board_of(&bg, &pos);
	assert_int_equal(board_go(&b, 7, WAY_RIGHT), PICK_BAR);
	assert_int_equal(board_go(&b, PICK_BAR, WAY_RIGHT), 19);
	assert_int_equal(board_go(&b, 6, WAY_UP), 19);
	assert_int_equal(board_go(&b, 1, WAY_RIGHT), PICK_OFF);
	assert_int_equal(board_go(&b, PICK_OFF, WAY_RIGHT), PICK_OFF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(english_with_a_choice),
		cmocka_unit_test(turkish_from_black_in_ascii),
		cmocka_unit_test(backgammon_with_bar_cube_and_dice),
		cmocka_unit_test(draughts_shows_each_piece),
		cmocka_unit_test(arrows_reach_every_place),
		cmocka_unit_test(arrows_go_where_they_point),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
