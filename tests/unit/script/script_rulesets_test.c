/* SPDX-License-Identifier: MIT
 * Rulesets that are data only: the operator's examples, loaded by a worker in
 * its own process, have the leaf counts that others published for these games;
 * and a file may set every option there is. */
#include "asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* Deeper counts are left to `ply perft`. */
enum { LEAVES_MAX = PLYD_SANITIZED ? 50000 : 1000000, LOAD_MS = 5000 };

/* Loads a source as an operator's file; fails with what the worker says. */
static void load(struct asked *a, const char *name, struct span source,
		 struct ruleset *out)
{
	struct worker_reply r;
	struct worker_ruleset w;
	const char *why;
	assert_true(ask_load(a, WORKER_RULESET, name, source, LOAD_MS, &r));
	if (r.err)
		fail_msg("%s: line %d: %.*s", name, (int)r.error.line,
			 (int)r.error.text.len, (const char *)r.error.text.at);
	assert_int_equal(worker_ruleset_read(r.result, &w), PLYD_OK);
	assert_int_equal(ruleset_read((const char *)w.ruleset.at, w.ruleset.len,
				      out),
			 PLYD_OK);
	assert_int_equal(ruleset_check(out, &why), PLYD_OK);
}

/* ---- the examples ------------------------------------------------------ */

static const char *counts_hold(const struct ruleset *rs, const json_t *counts,
			       bool distinct)
{
	struct position start;
	size_t i;
	json_t *count;
	game_start(rs, &start);
	json_array_foreach(counts, i, count)
	{
		uint64_t want = (uint64_t)json_integer_value(count);
		if (want > LEAVES_MAX)
			break;
		if (game_perft(rs, &start, (int)i + 1, distinct) != want)
			return distinct ? "another number of results"
					: "another number of paths";
	}
	return i > 0 ? NULL : "no counts";
}

static const char *example_row(const json_t *row, void *payload)
{
	const char *name = vector_str(row, "set");
	char path[128];
	struct ruleset rs;
	snprintf(path, sizeof(path), "../docs/examples/rulesets/%s.lua", name);
	struct span source = read_script(path);
	load(payload, path, source, &rs);
	free((void *)source.at);
	if (strcmp(rs.name, name))
		return "another name";
	const char *failed =
		counts_hold(&rs, json_object_get(row, "paths"), false);
	return failed ? failed
		      : counts_hold(&rs, json_object_get(row, "distinct"),
				    true);
}

static void examples_have_the_published_counts(void **state)
{
	(void)state;
	struct asked a;
	assert_true(asked_spawn(&a));
	assert_int_equal(vectors_run("golden/draughts_variants.jsonl",
				     example_row, &a),
			 0);
	asked_kill(&a);
}

static void stakes_ship_as_they_are_built_in(void **state)
{
	(void)state;
	static const char *const names[] = { "nackgammon", "hypergammon",
					     "backgammon-match" };
	struct asked a;
	asked_init_here(&a);
	for (size_t i = 0; i < COUNT(names); i++) {
		char path[128];
		struct ruleset rs, want;
		snprintf(path, sizeof(path), "../scripts/rulesets/%s.lua",
			 names[i]);
		struct span source = read_script(path);
		load(&a, path, source, &rs);
		free((void *)source.at);
		assert_int_equal(ruleset_find(names[i], strlen(names[i]),
					      &want),
				 PLYD_OK);
		assert_memory_equal(&rs, &want, sizeof(rs));
	}
	asked_release_here(&a);
}

/* ---- every option ------------------------------------------------------ */

/* A file that sets each option of rs, on the base of another ruleset. */
static void write_file(const struct ruleset *rs, const char *base,
		       struct buf *out)
{
	char text[RULESET_TEXT_MAX];
	char *save, *word;
	ruleset_write(rs, text);
	buf_printf(out, "return { name = '%s', base = '%s', options = {\n",
		   rs->name, base);
	for (word = strtok_r(text, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		char *equals = strchr(word, '=');
		if (!equals)
			continue;
		*equals = '\0';
		buf_printf(out, "%s = '%s',\n", word, equals + 1);
	}
	buf_printf(out, "} }");
}

static void a_file_may_set_every_option(void **state)
{
	(void)state;
	struct asked a;
	struct buf source;
	asked_init_here(&a);
	buf_init(&source, 4096);
	for (size_t i = 0; i < ruleset_count(); i++) {
		struct ruleset want = *ruleset_at(i), got;
		bool dice = ruleset_has_dice(&want);
		buf_clear(&source);
		write_file(&want, dice ? "caucasian" : "turkish", &source);
		load(&a, want.name, buf_span(&source), &got);
		assert_memory_equal(&got, &want, sizeof(want));
		buf_clear(&source);
		write_file(&want, dice ? "backgammon" : "english", &source);
		load(&a, want.name, buf_span(&source), &got);
		assert_memory_equal(&got, &want, sizeof(want));
	}
	buf_release(&source);
	asked_release_here(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_have_the_published_counts),
		cmocka_unit_test(stakes_ship_as_they_are_built_in),
		cmocka_unit_test(a_file_may_set_every_option),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
