/* SPDX-License-Identifier: MIT
 * What a script keeps of a match comes back to it as a copy, of data only, and
 * never more than its limit. */
#include "asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static struct asked worker;
static uint8_t kept[WORKER_KEPT_MAX]; /* by the last answer */
static size_t kept_len;

static int start(void **state)
{
	(void)state;
	asked_init_here(&worker);
	kept_len = 0;
	return 0;
}

static int end(void **state)
{
	(void)state;
	asked_release_here(&worker);
	return 0;
}

/* Asks a policy of this body with what was kept; keeps what it keeps. */
static struct worker_reply ask(const char *body)
{
	struct worker_reply r;
	struct worker_ruling out;
	struct ruleset rs;
	struct buf source;
	char text[RULESET_TEXT_MAX];
	buf_init(&source, 4096);
	buf_printf(&source,
		   "return { name = 'x', verdict = function(t) local "
		   "m = t.memory %s end }",
		   body);
	assert_true(ask_load(&worker, WORKER_POLICY, "x", buf_span(&source), 0,
			     &r));
	assert_int_equal(r.err, PLYD_OK);
	ruleset_find("english", 7, &rs);
	struct worker_verdict m = {
		.policy = span_str("x"),
		.ruleset = span_of(text, ruleset_write(&rs, text)),
		.position = span_str("W:WK15:BK1"),
		.match = span_str(""),
		.repeats = 1,
		.memory = span_of(kept, kept_len),
	};
	buf_clear(&worker.question);
	worker_ask_verdict(&worker.question, 1, &m);
	assert_true(asked_answer(&worker, 0, &r));
	if (!r.err) {
		assert_int_equal(worker_ruling_read(r.result, &out), PLYD_OK);
		kept_len = out.memory.len;
		memcpy(kept, out.memory.at, kept_len);
	}
	buf_release(&source);
	return r;
}

static void expect(const char *body)
{
	struct worker_reply r = ask(body);
	if (r.err)
		fail_msg("%s: %.*s", body, (int)r.error.text.len,
			 (const char *)r.error.text.at);
}

static void refuse(const char *body, const char *words)
{
	struct worker_reply r = ask(body);
	assert_int_equal(r.err, PLYD_EWORKER);
	if (!memmem(r.error.text.at, r.error.text.len, words, strlen(words)))
		fail_msg("%s: %.*s", body, (int)r.error.text.len,
			 (const char *)r.error.text.at);
}

static void it_counts(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++) {
		char body[128];
		snprintf(body, sizeof(body),
			 "assert((m.n or 0) == %d) m.n = (m.n or 0) + 1", i);
		expect(body);
	}
}

static void all_that_is_plain_comes_back(void **state)
{
	(void)state;
	expect("assert(next(m) == nil)");
	assert_int_equal(kept_len, 0);
	expect("m.text = 'a' m.yes = true m.no = false m.low = -5 "
	       "m.big = math.maxinteger m.list = { 1, 'b', { c = 2 } } "
	       "m.map = { x = { y = { z = 1 } } }");
	for (int i = 0; i < 2; i++)
		expect("assert(m.text == 'a' and m.yes == true and m.no == "
		       "false and m.low == -5 and m.big == math.maxinteger and "
		       "m.list[2] == 'b' and m.list[3].c == 2 and "
		       "m.map.x.y.z == 1)");
}

static void it_may_be_replaced_and_forgotten(void **state)
{
	(void)state;
	expect("t.memory = { a = 1 }");
	expect("assert(m.a == 1) t.memory = { b = 2 }");
	expect("assert(m.a == nil and m.b == 2) t.memory = nil");
	assert_int_equal(kept_len, 0);
	expect("assert(next(m) == nil)");
}

static void what_is_not_plain_is_refused(void **state)
{
	(void)state;
	expect("m.good = 1");
	size_t before = kept_len;
	refuse("m.f = function() end", "'f' must be a text");
	refuse("m.x = 0.5", "'x' must be a whole number");
	refuse("m.self = m", "nested too deep");
	refuse("m[true] = 1", "must have a text as its name");
	refuse("t.memory = 5", "'memory' must be a table");
	refuse("m.s = ('x'):rep(2000)", "more than the 1024 bytes");
	refuse("for i = 1, 100 do m['k' .. i] = ('x'):rep(9) end",
	       "more than the 1024 bytes");
	refuse("setmetatable(t, { __index = error }) m.f = print",
	       "there is no");
	/* and what was kept is as it was, where plyd keeps it */
	assert_int_equal(kept_len, before);
	expect("assert(m.good == 1)");
}

/* A server would not send this; it must do no harm. */
static void bad_bytes_are_nothing(void **state)
{
	(void)state;
	static const char *const bad[] = { "\xc1", "\x81", "hello", "\x93\x01",
					   "\xc0" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		kept_len = strlen(bad[i]);
		memcpy(kept, bad[i], kept_len);
		expect("assert(next(m) == nil)");
	}
	kept_len = WORKER_KEPT_MAX;
	memset(kept, 0x91, kept_len); /* lists in lists in lists */
	expect("assert(type(m) == 'table') t.memory = nil");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_counts, start, end),
		cmocka_unit_test_setup_teardown(all_that_is_plain_comes_back,
						start, end),
		cmocka_unit_test_setup_teardown(
			it_may_be_replaced_and_forgotten, start, end),
		cmocka_unit_test_setup_teardown(what_is_not_plain_is_refused,
						start, end),
		cmocka_unit_test_setup_teardown(bad_bytes_are_nothing, start,
						end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
