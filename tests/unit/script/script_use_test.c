/* SPDX-License-Identifier: MIT
 * Libraries in a real worker: scripts share them by name and by nothing else,
 * within the bounds of the script, and nothing stays from question to question. */
#include "asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { PATIENCE_MS = 10000 };

static const struct {
	const char *name, *source;
} libraries[] = {
	{ "words", "return { draw = 'draw', count = 0 }" },
	{ "chain", "local words = use 'words'\n"
		   "return { verdict = words.draw, words = words }" },
	{ "selfish", "return use 'selfish'" },
	{ "ping", "return use 'pong'" },
	{ "pong", "return use 'ping'" },
	{ "number", "return 42" },
	{ "thrower", "\n\nerror('no')" },
	{ "endless", "while true do end" },
	{ "hungry", "return { ('x'):rep(1e9) }" },
	{ "deep", "local t = {}\nfor i = 1, 1e9 do t[i] = { i } end return t" },
	{ "global", "shared = 1 return {}" },
};

static const struct use_case {
	const char *name;
	const char *body;   /* of verdict(t) */
	const char *reason; /* of the draw that it finds; NULL: an error, */
	const char *words;  /* whose text has these */
	int line;           /* and this line; 0: unknown */
} cases[] = {
	{ "a library", "return { verdict = use('words').draw, reason = 'a' }",
	  "a", NULL, 0 },
	{ "one that uses another",
	  "return { verdict = use('chain').verdict, reason = 'b' }", "b", NULL,
	  0 },
	{ "the same table each time",
	  "local w = use 'words' w.count = w.count + 1\n"
	  "if use('words') == w and use('chain').words == w and w.count == 1 "
	  "then return { verdict = 'draw', reason = 'c' } end",
	  "c", NULL, 0 },
	{ "nothing stays in it",
	  "local w = use 'words' w.count = w.count + 1\n"
	  "return { verdict = 'draw', reason = 'n' .. w.count }",
	  "n1", NULL, 0 },
	{ "a global",
	  "use 'global' return { verdict = 'draw', reason = 's' .. shared }",
	  "s1", NULL, 0 },
	{ "nor beside it", "return { verdict = 'draw', reason = shared }", NULL,
	  "no 'shared'", 1 },
	{ "itself", "use 'selfish'", NULL, "'selfish' uses itself", 1 },
	{ "in a circle", "\nuse 'ping'", NULL, "'ping' uses itself", 2 },
	{ "not a table", "use 'number'", NULL, "expected a table, got number",
	  1 },
	{ "not there", "use 'none'", NULL, "there is no library 'none'", 1 },
	{ "a path", "use '../policies/x'", NULL, "use takes the name", 1 },
	{ "a file", "use 'words.lua'", NULL, "use takes the name", 1 },
	{ "a place", "use '/etc/passwd'", NULL, "use takes the name", 1 },
	{ "an empty name", "use ''", NULL, "use takes the name", 1 },
	{ "a NUL", "use 'words\\0'", NULL, "use takes the name", 1 },
	{ "a table", "use {}", NULL, "string expected", 1 },
	{ "an error in it", "\nuse 'thrower'", NULL, "lib/thrower:3: no", 2 },
	{ "no end", "use 'endless'", NULL, "more steps", 0 },
	{ "no end, caught", "while true do pcall(use, 'endless') end", NULL,
	  "more steps", 0 },
	{ "memory", "use 'hungry'", NULL, "more memory", 0 },
	{ "memory, slowly", "use 'deep'", NULL, "more memory", 0 },
	{ "a policy is no library", "use 'x'", NULL, "no library 'x'", 1 },
};

static struct asked worker;

static void load(enum worker_kind kind, const char *name, struct span source,
		 struct worker_reply *out)
{
	assert_true(ask_load(&worker, kind, name, source, PATIENCE_MS, out));
}

static int start(void **state)
{
	(void)state;
	struct worker_reply r;
	if (!asked_spawn(&worker))
		return -1;
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++) {
		load(WORKER_LIBRARY, libraries[i].name,
		     span_str(libraries[i].source), &r);
		assert_int_equal(r.err, PLYD_OK);
	}
	return 0;
}

static int end(void **state)
{
	(void)state;
	asked_kill(&worker);
	return 0;
}

static void ask_verdict(struct worker_reply *out)
{
	struct ruleset rs;
	char text[RULESET_TEXT_MAX];
	ruleset_find("english", 7, &rs);
	struct worker_verdict m = {
		.policy = span_str("x"),
		.ruleset = span_of(text, ruleset_write(&rs, text)),
		.position = span_str("W:WK15:BK1"),
		.match = span_str(""),
		.ply = 30,
		.repeats = 1,
	};
	buf_clear(&worker.question);
	worker_ask_verdict(&worker.question, 1, &m);
	assert_true(asked_answer(&worker, PATIENCE_MS, out));
}

static void case_holds(const struct use_case *c)
{
	struct worker_reply r;
	struct worker_ruling out;
	struct buf source;
	buf_init(&source, 4096);
	buf_printf(&source,
		   "return { name = 'x', verdict = function(t) %s end }",
		   c->body);
	load(WORKER_POLICY, "x", buf_span(&source), &r);
	assert_int_equal(r.err, PLYD_OK);
	ask_verdict(&r);
	if (c->reason) {
		if (r.err)
			fail_msg("%s: %.*s", c->name, (int)r.error.text.len,
				 (const char *)r.error.text.at);
		assert_int_equal(worker_ruling_read(r.result, &out), 0);
		assert_true(span_is(out.reason, c->reason));
	} else {
		assert_int_equal(r.err, PLYD_EWORKER);
		if (!memmem(r.error.text.at, r.error.text.len, c->words,
			    strlen(c->words)) ||
		    (c->line > 0 && r.error.line != c->line))
			fail_msg("%s: line %lld: %.*s", c->name,
				 (long long)r.error.line, (int)r.error.text.len,
				 (const char *)r.error.text.at);
	}
	buf_release(&source);
}

static void libraries_are_used(void **state)
{
	(void)state;
	/* twice: what one question leaves, the next would see */
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
			case_holds(&cases[i]);
}

static void only_text_is_a_library(void **state)
{
	(void)state;
	struct worker_reply r;
	load(WORKER_LIBRARY, "bytes", span_of("\x1bLuaT\0\x19\x93", 8), &r);
	assert_int_equal(r.err, PLYD_EWORKER);
	load(WORKER_LIBRARY, "wrong", span_str("return {\n = }"), &r);
	assert_int_equal(r.err, PLYD_EWORKER);
	assert_int_equal(r.error.line, 2);
	load(WORKER_LIBRARY, "../x", span_str("return {}"), &r);
	assert_int_equal(r.err, PLYD_EWORKER);
}

static void data_uses_nothing(void **state)
{
	(void)state;
	struct worker_reply r;
	load(WORKER_RULESET, "x",
	     span_str("local w = use 'words'\n"
		      "return { name = 'x', base = 'english' }"),
	     &r);
	assert_int_equal(r.err, PLYD_EWORKER);
	assert_int_equal(r.error.line, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(libraries_are_used),
		cmocka_unit_test(only_text_is_a_library),
		cmocka_unit_test(data_uses_nothing),
	};
	return cmocka_run_group_tests(tests, start, end);
}
