/* SPDX-License-Identifier: MIT
 * docs/scripting.md has a row for every option of a ruleset and every weight of
 * a search, just as the tables of the code say, and one for every field that a
 * script may have, with its type; a missing one is printed. And
 * every example in it is a script that loads. Every built-in ruleset has a page
 * with its options. */
#include "asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "script/load.h"
#include "script/turn.h"
#include "unit.h"

static char *page;

static void want_row(const char *row, int *missing)
{
	if (strstr(page, row))
		return;
	printf("%s", row);
	(*missing)++;
}

/* `dark|all` as "`dark`, `all`". */
static void want_option(const char *name, const char *values, const char *doc,
			int *missing)
{
	char row[1024];
	size_t n = (size_t)snprintf(row, sizeof(row), "| `%s` | `", name);
	for (; *values; values++) {
		const char *put = *values == '|' ? "`, `" : NULL;
		n += (size_t)snprintf(row + n, sizeof(row) - n, "%s",
				      put ? put : (char[2]){ *values, 0 });
	}
	snprintf(row + n, sizeof(row) - n, "` | %s |\n", doc);
	want_row(row, missing);
}

static void options_are_documented(void **state)
{
	(void)state;
	int missing = 0;
#define O(name, values, doc) want_option(#name, values, doc, &missing);
	DRAUGHTS_OPTIONS(O)
	BACKGAMMON_OPTIONS(O)
#undef O
	assert_int_equal(missing, 0);
}

/* A row for each `option=value` of the ruleset's text. */
static void ruleset_has_its_page(const struct ruleset *rs, int *missing)
{
	char path[128], text[RULESET_TEXT_MAX], row[128];
	snprintf(path, sizeof(path), "../docs/rules/%s.md", rs->name);
	struct span found = read_script(path);
	ruleset_write(rs, text);
	for (char *word = strchr(text, ' '); word; word = strchr(word, ' ')) {
		char *equals = strchr(++word, '=');
		if (!equals || equals > word + strcspn(word, " "))
			continue;
		snprintf(row, sizeof(row), "| `%.*s` | `%.*s` |\n",
			 (int)(equals - word), word,
			 (int)strcspn(equals + 1, " "), equals + 1);
		if (memmem(found.at, found.len, row, strlen(row)))
			continue;
		printf("%s: %s", path, row);
		(*missing)++;
	}
	free((void *)found.at);
}

static void rulesets_have_pages(void **state)
{
	(void)state;
	int missing = 0;
	for (size_t i = 0; i < ruleset_count(); i++)
		ruleset_has_its_page(ruleset_at(i), &missing);
	assert_int_equal(missing, 0);
}

static void weights_are_documented(void **state)
{
	(void)state;
	int missing = 0;
	for (size_t i = 0; i < engine_weight_count(); i++) {
		const struct engine_weight *w = engine_weight_at(i);
		char row[512];
		snprintf(row, sizeof(row), "| `%s` | %d | %d to %d | %s |\n",
			 w->name, w->standard, w->min, w->max, w->doc);
		want_row(row, &missing);
	}
	assert_int_equal(missing, 0);
}

/* Words of a row that say the type of a field. */
static const char *const type_words[][3] = {
	[FIELD_TEXT] = { "text", "the choice", NULL },
	[FIELD_INT] = { " to ", NULL },
	[FIELD_BOOL] = { "true or false", "boolean", NULL },
	[FIELD_TABLE] = { "table", "list", NULL },
	[FIELD_FUNCTION] = { "function", NULL },
	[FIELD_ANY] = { "text", NULL },
};

static bool line_has(const char *line, size_t len, const char *words)
{
	return memmem(line, len, words, strlen(words)) != NULL;
}

/* A row of a table names it and says its type. */
static bool has_field_row(const struct field *f)
{
	char name[64];
	snprintf(name, sizeof(name), "`%s`", f->name);
	for (const char *at = page; (at = strstr(at, "\n| ")); at++) {
		size_t len = strcspn(at + 1, "\n");
		if (!line_has(at + 1, len, name))
			continue;
		for (int i = 0; i < 3 && type_words[f->type][i]; i++)
			if (line_has(at + 1, len, type_words[f->type][i]))
				return true;
	}
	return false;
}

static int fields_without_row(const struct field *f)
{
	int missing = 0;
	for (; f->name; f++) {
		if (has_field_row(f))
			continue;
		printf("no row for `%s` with its type\n", f->name);
		missing++;
	}
	return missing;
}

static void fields_are_documented(void **state)
{
	(void)state;
	int missing = fields_without_row(load_fields(WORKER_RULESET)) +
		      fields_without_row(load_fields(WORKER_POLICY)) +
		      fields_without_row(load_fields(WORKER_PERSONALITY)) +
		      fields_without_row(turn_choice_fields) +
		      fields_without_row(turn_answer_fields) +
		      fields_without_row(turn_ruling_fields);
	assert_int_equal(missing, 0);
}

/* The kind of an example from the comment on its first line. */
static enum worker_kind kind_of(const char *example)
{
	if (!strncmp(example, "-- scripts/rulesets/", 20))
		return WORKER_RULESET;
	if (!strncmp(example, "-- scripts/policies/", 20))
		return WORKER_POLICY;
	if (!strncmp(example, "-- scripts/lib/", 15))
		return WORKER_LIBRARY;
	assert_true(!strncmp(example, "-- scripts/personalities/", 25));
	return WORKER_PERSONALITY;
}

static void example_works(struct asked *a, const char *example, size_t len)
{
	struct worker_reply r;
	enum worker_kind kind = kind_of(example);
	assert_true(ask_load(a, kind, "example", span_of(example, len), 0, &r));
	if (!r.err && kind == WORKER_PERSONALITY) {
		struct ruleset rs;
		struct position pos;
		struct asking_texts texts;
		ruleset_find("backgammon", 10, &rs);
		game_start(&rs, &pos);
		game_throw(&pos, 3, 1, &pos);
		struct worker_choose m =
			choose_at("example", &rs, &pos, &texts);
		assert_true(ask_choose(a, &m, 0, &r));
	}
	if (r.err)
		fail_msg("%.40s: %.*s", example, (int)r.error.text.len,
			 (const char *)r.error.text.at);
}

static void examples_work(void **state)
{
	(void)state;
	struct asked a;
	int count = 0;
	asked_init_here(&a);
	for (const char *at = page; (at = strstr(at, "```lua\n"));) {
		at += 7;
		const char *end = strstr(at, "```");
		assert_non_null(end);
		example_works(&a, at, (size_t)(end - at));
		at = end + 3;
		count++;
	}
	asked_release_here(&a);
	assert_true(count >= 4);
}

int main(void)
{
	struct span text = read_script("../docs/scripting.md");
	page = calloc(1, text.len + 1);
	if (!page)
		return 1;
	memcpy(page, text.at, text.len);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_documented),
		cmocka_unit_test(rulesets_have_pages),
		cmocka_unit_test(weights_are_documented),
		cmocka_unit_test(fields_are_documented),
		cmocka_unit_test(examples_work),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(page);
	free((void *)text.at);
	return failed;
}
