/* SPDX-License-Identifier: MIT
 * What is round the boards: titles, lists, forms, keys. */
#include "drawn.h"

#include "screen/form_page.h"
#include "screen/list_page.h"
#include "screen/match_page.h"
#include "screen/text_page.h"

static struct grid g;
static struct log l;
static struct list list;
static struct form form;

static void fresh(int rows, int columns)
{
	drawn_begin(&g, rows, columns, true, false);
}

/* Row i of the grid as text, until the next call. */
static const char *row(int i)
{
	static char text[GRID_COLUMNS_MAX * 4 + 1];
	const char *at = drawn(&g);
	for (; i > 0 && at; i--) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	snprintf(text, sizeof(text), "%.*s", at ? (int)strcspn(at, "\n") : 0,
		 at ? at : "");
	return text;
}

static struct key press(enum press kind)
{
	return (struct key){ .kind = kind };
}

static struct page page_of(void)
{
	memset(&l, 0, sizeof(l));
	log_add(&l, LOG_CHAT, "Bob: hello", 10);
	return (struct page){ .title = "a title",
			      .where = "Ada at home",
			      .say = "do something",
			      .urgent = true,
			      .log = &l,
			      .keys = "a what it does  b  Esc back" };
}

/* -- what all have -- */

static void a_page_has_its_parts(void **state)
{
	(void)state;
	const struct page p = page_of();
	fresh(24, 80);
	assert_true(page_put(&g, &p, 17));
	assert_string_equal(row(0), " a title                                  "
				    "                          Ada at home");
	assert_string_equal(row(18), "▶ do something");
	assert_string_equal(row(21), "  Bob: hello");
	assert_string_equal(row(23), " a what it does  b Esc back");
	assert_int_equal(g.cursor_row, -1);
}

static void an_alert_goes_before_the_line(void **state)
{
	(void)state;
	struct line line;
	struct page p = page_of();
	line_clear(&line);
	line_key(&line, (struct key){ .kind = PRESS_SIGN, .sign = 'x' });
	p.line = &line;
	p.prompt = "Say: ";
	fresh(24, 80);
	page_put(&g, &p, 17);
	assert_string_equal(row(22), "  Say: x");
	assert_int_equal(g.cursor_row, 22);
	p.alert = "lost";
	fresh(24, 80);
	page_put(&g, &p, 17);
	assert_string_equal(row(22), "  lost");
	assert_int_equal(g.cursor_row, -1);
}

static void keys_that_do_not_fit_are_left_out(void **state)
{
	(void)state;
	struct page p = page_of();
	p.keys = "a one  b two  c ------------------------------------------"
		 "--------------------------  d three";
	fresh(24, 80);
	page_put(&g, &p, 17);
	assert_string_equal(row(23), " a one  b two");
}

static void a_small_screen_says_so(void **state)
{
	static const int sizes[][2] = {
		{ 23, 80 }, { 24, 79 }, { 3, 10 }, { 1, 1 }, { 0, 0 }
	};
	(void)state;
	const struct page p = page_of();
	for (size_t i = 0; i < COUNT(sizes); i++) {
		fresh(sizes[i][0], sizes[i][1]);
		assert_false(page_put(&g, &p, 17));
	}
	fresh(23, 80);
	page_put(&g, &p, 17);
	assert_string_equal(drawn(&g), "80 x 23 is too small.\n"
				       "Make it 80 x 24.\n");
}

/* -- a match -- */

static void a_match_tells_both_sides(void **state)
{
	(void)state;
	static const char *const move[] = { "11-15", "22-18" };
	static const int mover[] = { -1, WHITE };
	const struct ruleset rs = ruleset_named("english");
	const struct position pos = position_named(&rs, "B:W18,K31:B9,10,K1");
	const struct match_page m = {
		.page = page_of(),
		.board = { .rules = &rs,
			   .pos = &pos,
			   .bottom = BLACK,
			   .cursor = PICK_NOWHERE },
		.seat = { { .name = "Bob", .clock = "4:01", .note = "is away" },
			  { .name = "Ada",
			    .clock = "0:59",
			    .runs = true,
			    .is_you = true } },
		.stakes = "To 5: 1-0",
		.move = move,
		.mover = mover,
		.moves = 2,
	};
	enum { SIDE = 46 }; /* the first column beside the board */
	static const struct {
		int row;
		const char *text;
	} want[] = {
		{ 1, "○ Bob" },        { 2, "  4:01         1 men, 1 king" },
		{ 3, "  is away" },    { 5, "  11-15" },
		{ 6, "○ 22-18" },      { 13, "To 5: 1-0" },
		{ 15, "● Ada (you)" }, { 16, "▶ 0:59         2 men, 1 king" },
	};
	fresh(24, 80);
	match_page_put(&g, &m);
	for (size_t i = 0; i < COUNT(want); i++) {
		const char *at = strstr(row(want[i].row), want[i].text);
		assert_non_null(at);
		assert_string_equal(at, want[i].text); /* to the row's end */
	}
	assert_int_equal(g.cell[1][SIDE].sign, 0x25cb);
}

static void every_size_can_be_drawn(void **state)
{
	static const char *const names[] = { "english", "turkish",
					     "backgammon-match" };
	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		const struct ruleset rs = ruleset_named(names[i]);
		struct position pos;
		game_start(&rs, &pos);
		const struct match_page m = {
			.page = page_of(),
			.board = { .rules = &rs, .pos = &pos },
			.seat = { { .name = "a" }, { .name = "b" } },
		};
		for (int rows = 0; rows <= GRID_ROWS_MAX; rows++) {
			fresh(rows, rows < 50 ? 80 : 40 + 2 * rows);
			match_page_put(&g, &m);
		}
	}
}

/* -- lists -- */

static const struct list_column columns[] = { { "Game", 6 }, { "Who", 0 } };

static void fill(int rows)
{
	memset(&list, 0, sizeof(list));
	for (int i = 0; i < rows; i++) {
		struct list_row *r = list_add(&list);
		assert_non_null(r);
		snprintf(r->cell[0], LIST_CELL_BYTES, "game %03d", i);
		snprintf(r->cell[1], LIST_CELL_BYTES, "who %d", i);
	}
}

static void draw_list(void)
{
	const struct list_page p = { .page = page_of(),
				     .column = columns,
				     .columns = COUNT(columns),
				     .list = &list,
				     .empty = "nothing" };
	fresh(24, 80);
	list_page_put(&g, &p);
}

static void a_list_shows_the_chosen_row(void **state)
{
	(void)state;
	fill(100);
	draw_list();
	assert_string_equal(row(2), "   Game    Who");
	assert_string_equal(row(3), " ▶ game 0  who 0"); /* cut to its width */
	list_key(&list, press(PRESS_END), 10);
	draw_list();
	assert_non_null(strstr(drawn(&g), "▶ game 0  who 99\n"));
	list_key(&list, press(PRESS_PAGE_UP), 10);
	assert_int_equal(list.chosen, 89);
	list_key(&list, press(PRESS_HOME), 10);
	list_key(&list, press(PRESS_UP), 10);
	assert_int_equal(list.chosen, 0);
	assert_false(list_key(&list, press(PRESS_ENTER), 10));
}

static void a_list_may_be_empty_or_full(void **state)
{
	(void)state;
	fill(0);
	list_key(&list, press(PRESS_END), 10);
	assert_int_equal(list.chosen, 0);
	draw_list();
	assert_string_equal(row(4), "   nothing");
	fill(LIST_ROWS_MAX);
	assert_null(list_add(&list));
	list.chosen = LIST_ROWS_MAX - 1;
	list.rows = 3; /* it was made anew, with less */
	list_mend(&list);
	assert_int_equal(list.chosen, 2);
}

/* -- forms -- */

static void a_form_turns_options(void **state)
{
	(void)state;
	const struct page p = page_of();
	memset(&form, 0, sizeof(form));
	form.fields = 3;
	form.field[0].label = "Game";
	form_option(&form.field[0], "one");
	form_option(&form.field[0], "two");
	form.field[2].label = "Clock"; /* between them one that is not asked */
	form_option(&form.field[2], "5+3");
	form_key(&form, press(PRESS_LEFT));
	assert_int_equal(form.field[0].chosen, 1); /* around */
	fresh(24, 80);
	form_page_put(&g, &p, &form);
	assert_string_equal(row(3), "    Game           ← two →");
	assert_string_equal(row(5), "    Clock            5+3");
	form_key(&form, press(PRESS_DOWN));
	assert_int_equal(form.at, 2);
	form_key(&form, press(PRESS_DOWN));
	form_key(&form, press(PRESS_RIGHT));
	assert_int_equal(form.at, 2);
	assert_int_equal(form.field[2].chosen, 0);
	assert_false(form_key(&form, press(PRESS_ENTER)));
	for (int i = 0; i < 2 * FORM_OPTIONS_MAX; i++)
		form_option(&form.field[1], "x");
	assert_int_equal(form.field[1].options, FORM_OPTIONS_MAX);
}

/* -- texts -- */

static void a_text_scrolls_to_its_end(void **state)
{
	static const char *line[100];
	(void)state;
	const struct page p = { .title = "help" };
	for (size_t i = 0; i < COUNT(line); i++)
		line[i] = i == 99 ? "the end" : i == 0 ? "the start" : "text";
	int from = -5;
	fresh(24, 80);
	text_page_put(&g, &p, line, COUNT(line), &from);
	assert_int_equal(from, 0);
	assert_string_equal(row(1), "   the start");
	from = 1000;
	fresh(24, 80);
	text_page_put(&g, &p, line, COUNT(line), &from);
	assert_int_equal(from, 80);
	assert_string_equal(row(20), "   the end");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_has_its_parts),
		cmocka_unit_test(an_alert_goes_before_the_line),
		cmocka_unit_test(keys_that_do_not_fit_are_left_out),
		cmocka_unit_test(a_small_screen_says_so),
		cmocka_unit_test(a_match_tells_both_sides),
		cmocka_unit_test(every_size_can_be_drawn),
		cmocka_unit_test(a_list_shows_the_chosen_row),
		cmocka_unit_test(a_list_may_be_empty_or_full),
		cmocka_unit_test(a_form_turns_options),
		cmocka_unit_test(a_text_scrolls_to_its_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
