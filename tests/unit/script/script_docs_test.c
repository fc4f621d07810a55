/* SPDX-License-Identifier: MIT
 * Every example in docs/scripting.md is a script that loads, and every built-in
 * ruleset has a page with its options. The tables of the page are generated. */
#include "asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "script/load.h"
#include "script/turn.h"
#include "unit.h"

static char *page;

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

/* The kind of an example from the comment on its first line. */
static enum worker_kind kind_of(const char *example)
{
	if (!strncmp(example, "-- scripts/rulesets/", 20))
		return WORKER_RULESET;
	if (!strncmp(example, "-- scripts/policies/", 20))
		return WORKER_POLICY;
	if (!strncmp(example, "-- scripts/tournaments/", 23))
		return WORKER_TOURNAMENT;
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
		cmocka_unit_test(rulesets_have_pages),
		cmocka_unit_test(examples_work),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(page);
	free((void *)text.at);
	return failed;
}
