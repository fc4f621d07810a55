/* SPDX-License-Identifier: MIT */
#include "drawn.h"

#include "screen/line.h"
#include "screen/log.h"

static struct grid g;
static const struct style plain = { 0 };

static const struct text_case {
	const char *name;
	const char *in;
	bool utf8;
	int most;
	const char *out;
	int columns;
} text_cases[] = {
	{ "ascii", "abc", true, -1, "abc\n", 3 },
	{ "cut", "abcdef", true, 4, "abcd\n", 4 },
	{ "a wide sign takes two columns", "日本", true, -1, "日本\n", 4 },
	{ "a wide sign is not cut in half", "日本", true, 3, "日\n", 2 },
	{ "no width, no cell", "e\xcc\x81x", true, -1, "ex\n", 2 },
	{ "control characters", "a\x1b[31m\nb\x7f", true, -1, "a?[31m?b?\n",
	  9 },
	{ "C1 controls",
	  "a\xc2\x9b"
	  "b",
	  true, -1, "a?b\n", 3 },
	{ "no UTF-8", "a\xff\xc3", true, -1, "a??\n", 3 },
	{ "frames in ASCII", "┌─│▶○◎●◉", false, -1, "+-|>wWbB\n", 8 },
	{ "others in ASCII", "é日", false, -1, "??\n", 2 },
};

static void text_is_put(void **state)
{
	const struct text_case *c = *state;
	drawn_begin(&g, 2, 20, c->utf8, false);
	assert_int_equal(grid_put(&g, 0, 0, c->most, plain, c->in), c->columns);
	assert_string_equal(drawn(&g), c->out);
}

static void nothing_leaves_the_grid(void **state)
{
	(void)state;
	drawn_begin(&g, 3, 5, true, false);
	grid_put(&g, -1, 0, -1, plain, "xxx");
	grid_put(&g, 3, 0, -1, plain, "xxx");
	grid_put(&g, 1, -2, -1, plain, "abcdefghijk");
	grid_put(&g, 0, 7, -1, plain, "xxx");
	grid_fill(&g, 2, 3, 9, 9, plain, '#');
	assert_string_equal(drawn(&g), "\ncdefg\n   ##\n");
	drawn_begin(&g, 9999, 9999, true, false);
	assert_int_equal(g.rows, GRID_ROWS_MAX);
	assert_int_equal(g.columns, GRID_COLUMNS_MAX);
	drawn_begin(&g, -1, -1, true, false);
	grid_put(&g, 0, 0, -1, plain, "x");
	assert_string_equal(drawn(&g), "");
}

/* -- the log -- */

static struct log l;

static void say(enum log_kind kind, const char *text)
{
	log_add(&l, kind, text, strlen(text));
}

static void the_log_breaks_lines(void **state)
{
	(void)state;
	memset(&l, 0, sizeof(l));
	say(LOG_NEWS, "one\n\ntwo words here\n");
	say(LOG_CHAT, "Ada: abcdefghijklm");
	drawn_begin(&g, 7, 12, true, false);
	log_put(&l, &g, 0, 0, 7, 10, 0);
	assert_string_equal(drawn(&g), "\none\ntwo words\nhere\nAda:\n"
				       "abcdefghij\nklm\n");
}

static void the_log_shows_its_end_or_what_was_before(void **state)
{
	(void)state;
	memset(&l, 0, sizeof(l));
	for (int i = 0; i < 3 * LOG_LINES_MAX; i++) {
		char text[32];
		snprintf(text, sizeof(text), "line %d", i);
		say(LOG_NEWS, text);
	}
	drawn_begin(&g, 4, 20, true, false);
	log_put(&l, &g, 1, 2, 2, 18, 0);
	assert_string_equal(drawn(&g), "\n  line 598\n  line 599\n");
	drawn_begin(&g, 4, 20, true, false);
	log_put(&l, &g, 1, 2, 2, 18, 1);
	assert_string_equal(drawn(&g), "\n  line 597\n  line 598\n");
	drawn_begin(&g, 4, 20, true, false);
	log_put(&l, &g, 0, 0, 4, 18, 10000); /* beyond its beginning */
	assert_string_equal(drawn(&g), "");
}

/* -- the line -- */

static void press(struct line *line, enum press kind)
{
	assert_true(line_key(line, (struct key){ .kind = kind }));
}

static void type(struct line *line, const char *text)
{
	while (*text)
		line_key(line, (struct key){ .kind = PRESS_SIGN,
					     .sign = text_next(&text) });
}

static void a_line_is_edited_by_signs(void **state)
{
	struct line line;
	(void)state;
	line_clear(&line);
	type(&line, "grün");
	press(&line, PRESS_LEFT);
	press(&line, PRESS_BACKSPACE);
	type(&line, "ee");
	assert_string_equal(line.text, "green");
	press(&line, PRESS_HOME);
	press(&line, PRESS_LEFT);
	press(&line, PRESS_DELETE);
	press(&line, PRESS_END);
	press(&line, PRESS_RIGHT);
	press(&line, PRESS_DELETE);
	type(&line, "日");
	assert_string_equal(line.text, "reen日");
	assert_false(line_key(&line, (struct key){ .kind = PRESS_ENTER }));
	press(&line, PRESS_CLEAR_LINE);
	press(&line, PRESS_BACKSPACE);
	assert_string_equal(line.text, "");
}

static void a_line_holds_so_much_and_shows_its_end(void **state)
{
	struct line line;
	(void)state;
	line_clear(&line);
	for (int i = 0; i < 2 * LINE_BYTES; i++)
		type(&line, i % 10 == 0 ? "日" : "x");
	assert_true(strlen(line.text) < LINE_BYTES);
	line_clear(&line);
	type(&line, "abcdefghijklmnopqrstuvwxyz");
	drawn_begin(&g, 1, 14, true, false);
	line_put(&line, &g, 0, 1, "Say: ");
	assert_string_equal(drawn(&g), " Say: tuvwxyz\n");
	assert_int_equal(g.cursor_column, 13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_leaves_the_grid),
		cmocka_unit_test(the_log_breaks_lines),
		cmocka_unit_test(the_log_shows_its_end_or_what_was_before),
		cmocka_unit_test(a_line_is_edited_by_signs),
		cmocka_unit_test(a_line_holds_so_much_and_shows_its_end),
	};
	int failed = RUN_TABLE("text", text_cases, text_is_put);
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
