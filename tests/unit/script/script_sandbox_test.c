/* SPDX-License-Identifier: MIT
 * Every escape and bomb of sandbox.jsonl, in this process, so that a sanitizer
 * sees what it does to the host; but for those that only a deadline ends. */
#include "asking.h"

#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include "script/sandbox.h"
#include "unit.h"

/* Twice in fresh workers, to the same letter. */
static const char *case_holds(const json_t *row, void *payload)
{
	(void)payload;
	char first[WORKER_TEXT_MAX + 1] = "";
	if (!strcmp(vector_str(row, "outcome"), "killed"))
		return NULL;
	if (getenv("TRACE"))
		puts(vector_str(row, "id")), fflush(stdout);
	for (int i = 0; i < 2; i++) {
		struct asked a;
		struct worker_error error = { .line = 0 };
		asked_init_here(&a);
		const char *outcome = run_case(&a, row, 0, &error);
		const char *wrong = judge_case(row, outcome, &error);
		char text[WORKER_TEXT_MAX + 1] = "";
		if (error.text.len > 0)
			span_copy(error.text, text, sizeof(text));
		asked_release_here(&a);
		if (wrong)
			return wrong;
		if (i == 1 && strcmp(first, text) != 0)
			return "the second run differs";
		memcpy(first, text, sizeof(first));
	}
	return NULL;
}

static void cases_hold(void **state)
{
	(void)state;
	assert_int_equal(vectors_run("unit/script/sandbox.jsonl", case_holds,
				     NULL),
			 0);
}

static int build(lua_State *L)
{
	sandbox_run_source(L);
	return 0;
}

/* With every lesser amount of memory there is an error and no fault. */
static void little_memory_is_an_error(void **state)
{
	(void)state;
	struct span source = span_str(
		"local t = {} for i = 1, 20 do t['k' .. i] = { i } end "
		"local s = '' for k, v in pairs(t) do s = s .. k end "
		"table.sort(t) pcall(error, s) "
		"return { name = string.format('%s %d', s, 1) }");
	size_t failed = 0;
	bool done = false;
	for (size_t bytes = 0; bytes < 100000 && !done; bytes += 64) {
		struct sandbox_limits limits = { bytes, 1 << 30, 1 << 20 };
		struct sandbox sb;
		struct script_error why;
		if (sandbox_init(&sb, &limits, SANDBOX_FULL, span_str("x"),
				 source, 0)) {
			failed++;
			continue;
		}
		done = sandbox_call(&sb, build, NULL, &why) == PLYD_OK;
		if (!done)
			assert_int_equal(why.fault, FAULT_MEMORY);
		failed += !done;
		sandbox_release(&sb);
		assert_int_equal(sb.bytes, 0);
	}
	assert_true(done);
	assert_true(failed > 100);
}

static void lines_of_fields_are_found(void **state)
{
	(void)state;
	struct sandbox sb = { .source = span_str("name == 1\nxname = 2\n"
						 "  name   = 3\nnames = 4") };
	assert_int_equal(sandbox_line_of(&sb, "name"), 3);
	assert_int_equal(sandbox_line_of(&sb, "names"), 4);
	assert_int_equal(sandbox_line_of(&sb, "nam"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cases_hold),
		cmocka_unit_test(little_memory_is_an_error),
		cmocka_unit_test(lines_of_fields_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
