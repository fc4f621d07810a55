/* SPDX-License-Identifier: MIT
 * Every message of the worker link comes back as it went, and what is not as
 * the table says is refused. */
#include "proto/worker.h"

#include <stdlib.h>
#include <string.h>

#include <plyd/err.h>
#include "base/rng.h"
#include "unit.h"

static struct worker_choose a_choose(void)
{
	struct worker_choose m = {
		.personality = span_str("steady"),
		.match = span_str("abcdefghij"),
		.ruleset = span_str("english draughts"),
		.position = span_str("B:W21-32:B1-12"),
		.ply = 12,
		.quiet = 3,
		.no_progress = 80,
		.repetition = 3,
		.counts = COUNTS_CAPTURE_OR_MAN_MOVE,
		.seed = UINT64_MAX,
		.remaining_ms = -1,
		.increment_ms = 2000,
		.offer_pending = true,
	};
	m.history.count = WORKER_HISTORY_MAX;
	for (size_t i = 0; i < m.history.count; i++)
		m.history.at[i] = UINT64_MAX - i;
	return m;
}

static void choose_comes_back(void **state)
{
	(void)state;
	struct worker_choose m = a_choose();
	struct worker_question q;
	struct doc *d = doc_new();
	struct buf b;
	buf_init(&b, WORKER_BYTES_MAX);
	worker_ask_choose(&b, 9, &m);
	assert_int_equal(worker_read_question(d, buf_span(&b), &q), PLYD_OK);
	assert_int_equal(q.method, ASKED_CHOOSE);
	assert_int_equal(q.id, 9);
	assert_true(span_is(q.choose.personality, "steady"));
	assert_true(span_is(q.choose.position, "B:W21-32:B1-12"));
	assert_int_equal(q.choose.history.count, WORKER_HISTORY_MAX);
	assert_memory_equal(q.choose.history.at, m.history.at,
			    sizeof(m.history.at));
	assert_true(q.choose.seed == UINT64_MAX);
	assert_int_equal(q.choose.remaining_ms, -1);
	assert_int_equal(q.choose.increment_ms, 2000);
	assert_int_equal(q.choose.counts, COUNTS_CAPTURE_OR_MAN_MOVE);
	assert_true(q.choose.offer_pending);
	buf_release(&b);
	doc_free(d);
}

static void load_carries_any_bytes(void **state)
{
	(void)state;
	struct worker_load m = { .kind = WORKER_POLICY,
				 .name = span_str("x"),
				 .source = span_of("\x1bLua\0\xff", 6) };
	struct worker_question q;
	struct doc *d = doc_new();
	struct buf b;
	buf_init(&b, WORKER_BYTES_MAX);
	worker_ask_load(&b, 1, &m);
	assert_int_equal(worker_read_question(d, buf_span(&b), &q), PLYD_OK);
	assert_int_equal(q.load.kind, WORKER_POLICY);
	assert_true(span_eq(q.load.source, m.source));
	buf_release(&b);
	doc_free(d);
}

static void answers_come_back(void **state)
{
	(void)state;
	struct worker_error e = { span_str("bold"), 12, span_str("why") };
	struct worker_log log = { 6, span_str("bold"), span_str(""),
				  span_str("hello") };
	struct worker_reply r;
	struct doc *d = doc_new();
	struct buf b;
	buf_init(&b, WORKER_BYTES_MAX);
	worker_answer_error(&b, 5, PLYD_EWORKER, &e);
	assert_int_equal(worker_read(d, buf_span(&b), &r), PLYD_OK);
	assert_int_equal(r.id, 5);
	assert_int_equal(r.err, PLYD_EWORKER);
	assert_int_equal(r.error.line, 12);
	assert_true(span_is(r.error.script, "bold"));
	assert_true(span_is(r.error.text, "why"));
	buf_clear(&b);
	worker_send_log(&b, &log);
	assert_int_equal(worker_read(d, buf_span(&b), &r), PLYD_OK);
	assert_true(r.is_log);
	assert_true(span_is(r.log.text, "hello"));
	buf_clear(&b);
	struct worker_choice c = { .move = span_str("11-15"), .nodes = 77 };
	struct worker_choice back;
	rpc_begin_result(&b, 3);
	worker_choice_put(&b, &c);
	assert_int_equal(worker_read(d, buf_span(&b), &r), PLYD_OK);
	assert_int_equal(r.err, PLYD_OK);
	assert_int_equal(worker_choice_read(r.result, &back), PLYD_OK);
	assert_true(span_is(back.move, "11-15"));
	assert_int_equal(back.nodes, 77);
	buf_release(&b);
	doc_free(d);
}

/* Rows: what a worker gone mad might answer. */
struct bad {
	const char *name;
	void (*spoil)(struct worker_ruleset *m);
	int want;
};

static void spoil_name(struct worker_ruleset *m)
{
	m->name = span_str("");
}
static void spoil_text(struct worker_ruleset *m)
{
	static char text[WORKER_RULESET_MAX + 2];
	memset(text, 'x', sizeof(text) - 1);
	m->ruleset = span_str(text);
}
static void spoil_low(struct worker_ruleset *m)
{
	m->no_progress = -2;
}
static void spoil_high(struct worker_ruleset *m)
{
	m->base_ms = INT64_MAX;
}
static void spoil_enum(struct worker_ruleset *m)
{
	m->counts = COUNTS_CAPTURE_OR_MAN_MOVE + 1;
}
static void spoil_nothing(struct worker_ruleset *m)
{
	(void)m;
}

static struct bad bads[] = {
	{ "good", spoil_nothing, PLYD_OK },
	{ "an empty name", spoil_name, PLYD_ERANGE },
	{ "a text too long", spoil_text, PLYD_ERANGE },
	{ "a number too small", spoil_low, PLYD_ERANGE },
	{ "a number too large", spoil_high, PLYD_ERANGE },
	{ "no such value", spoil_enum, PLYD_ERANGE },
};

static void bad_answers_are_refused(void **state)
{
	const struct bad *bad = *state;
	struct worker_ruleset m = { .name = span_str("x"),
				    .base = span_str("english"),
				    .ruleset = span_str("x"),
				    .policy = span_str("standard") };
	struct worker_ruleset back;
	struct worker_reply r;
	struct doc *d = doc_new();
	struct buf b;
	bad->spoil(&m);
	buf_init(&b, WORKER_BYTES_MAX);
	rpc_begin_result(&b, 1);
	worker_ruleset_put(&b, &m);
	assert_int_equal(worker_read(d, buf_span(&b), &r), PLYD_OK);
	assert_int_equal(worker_ruleset_read(r.result, &back), bad->want);
	/* and what is another type, too short, no list, or not there at all */
	struct worker_choice choice;
	assert_int_equal(worker_choice_read(r.result, &choice), PLYD_EBADTYPE);
	buf_clear(&b);
	rpc_begin_result(&b, 1);
	put_array(&b, 1);
	put_cstr(&b, "x");
	assert_int_equal(worker_read(d, buf_span(&b), &r), PLYD_OK);
	assert_int_equal(worker_choice_read(r.result, &choice), PLYD_EMISSING);
	buf_clear(&b);
	rpc_begin_result(&b, 1);
	put_bool(&b, true);
	assert_int_equal(worker_read(d, buf_span(&b), &r), PLYD_OK);
	assert_int_equal(worker_choice_read(r.result, &choice), PLYD_EMISSING);
	assert_int_equal(worker_choice_read(NULL, &choice), PLYD_EMISSING);
	buf_release(&b);
	doc_free(d);
}

/* Any damage to a good message is an error or another good message; a
 * sanitizer watches. */
static void damage_does_no_harm(void **state)
{
	(void)state;
	struct worker_choose m = a_choose();
	struct doc *d = doc_new();
	struct buf b;
	struct rng rng;
	rng_seed(&rng, 1);
	m.history.count = 3;
	for (int i = 0; i < 20000; i++) {
		struct worker_question q;
		struct worker_reply r;
		buf_init(&b, WORKER_BYTES_MAX);
		worker_ask_choose(&b, 1, &m);
		for (uint32_t k = rng_below(&rng, 4) + 1; k > 0; k--)
			b.at[rng_below(&rng, (uint32_t)b.len)] =
				(uint8_t)rng_next(&rng);
		struct span cut =
			span_of(b.at, rng_below(&rng, (uint32_t)b.len + 1));
		worker_read_question(d, rng_below(&rng, 2) ? cut : buf_span(&b),
				     &q);
		worker_read(d, buf_span(&b), &r);
		buf_release(&b);
	}
	doc_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choose_comes_back),
		cmocka_unit_test(load_carries_any_bytes),
		cmocka_unit_test(answers_come_back),
		cmocka_unit_test(damage_does_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) +
	       RUN_TABLE("answers", bads, bad_answers_are_refused);
}
