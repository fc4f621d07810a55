/* SPDX-License-Identifier: MIT
 * The policies that ship, as a real worker reads and judges by them: their
 * limits, and the verdict of federation.lua in positions of both games. */
#include "asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { PATIENCE_MS = 10000 };

static struct asked worker;

static int start(void **state)
{
	(void)state;
	return asked_spawn(&worker) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	asked_kill(&worker);
	return 0;
}

static void load(const char *name, struct worker_policy *out)
{
	char path[64];
	struct worker_reply r;
	snprintf(path, sizeof(path), "policies/%s.lua", name);
	struct span source = read_script(path);
	assert_true(ask_load(&worker, WORKER_POLICY, name, source, PATIENCE_MS,
			     &r));
	if (r.err)
		fail_msg("%s: %.*s", name, (int)r.error.text.len,
			 (const char *)r.error.text.at);
	assert_int_equal(worker_policy_read(r.result, out), PLYD_OK);
	assert_true(span_is(out->name, name));
	assert_true(out->about.len > 0);
	free((void *)source.at);
}

static const struct shipped {
	const char *name;
	int no_progress, repetition;
	enum worker_counts counts;
	bool has_verdict, no_offers;
	int offers_from, offers_max;
} shipped[] = {
	{ "standard", 80, 3, COUNTS_CAPTURE_OR_PROMOTION, false, false, 0, 0 },
	/* ED-18: 40 moves of EACH side */
	{ "federation", 80, 3, COUNTS_CAPTURE_OR_MAN_MOVE, true, false, 0, 0 },
	{ "club", 80, 3, COUNTS_CAPTURE_OR_PROMOTION, false, false, 30, 2 },
	{ "no-draws", 160, 5, COUNTS_CAPTURE_OR_PROMOTION, false, true, 0, 0 },
};

static void policies_are_what_they_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shipped) / sizeof(shipped[0]); i++) {
		const struct shipped *want = &shipped[i];
		struct worker_policy p;
		load(want->name, &p);
		assert_int_equal(p.no_progress, want->no_progress);
		assert_int_equal(p.repetition, want->repetition);
		assert_int_equal(p.counts, want->counts);
		assert_int_equal(p.has_verdict, want->has_verdict);
		assert_int_equal(p.no_offers, want->no_offers);
		assert_int_equal(p.offers_from, want->offers_from);
		assert_int_equal(p.offers_max, want->offers_max);
	}
}

static const struct judged {
	const char *ruleset;
	const char *position;
	enum worker_verdict_kind want;
} judged[] = {
	/* TD-17 */
	{ "turkish", "W:WKa1:BKh7", VERDICT_DRAW },
	{ "turkish-classic", "W:WKa1:BKh7", VERDICT_DRAW },
	{ "turkish", "W:Wa3:Bh7", VERDICT_DRAW },
	/* the last piece can be taken */
	{ "turkish", "W:WKa1:BKa7", VERDICT_CONTINUE },
	{ "turkish", "W:Wd3:Bd4", VERDICT_CONTINUE },
	{ "turkish", "W:WKa1,b2:BKh7", VERDICT_CONTINUE },
	/* in English draughts one king may still beat one man */
	{ "english", "B:WK32:BK1", VERDICT_CONTINUE },
	{ "caucasian", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
	  VERDICT_CONTINUE },
};

static void federation_judges(void **state)
{
	(void)state;
	struct worker_policy p;
	load("federation", &p);
	for (size_t i = 0; i < sizeof(judged) / sizeof(judged[0]); i++) {
		struct worker_reply r;
		struct worker_ruling out;
		struct ruleset rs;
		char text[RULESET_TEXT_MAX];
		const char *name = judged[i].ruleset;
		assert_int_equal(ruleset_find(name, strlen(name), &rs), 0);
		struct worker_verdict m = {
			.policy = span_str("federation"),
			.ruleset = span_of(text, ruleset_write(&rs, text)),
			.position = span_str(judged[i].position),
			.match = span_str(""),
			.ply = 60,
			.quiet = 1,
			.repeats = 1,
		};
		buf_clear(&worker.question);
		worker_ask_verdict(&worker.question, 1, &m);
		assert_true(asked_answer(&worker, PATIENCE_MS, &r));
		if (r.err)
			fail_msg("%s: %.*s", judged[i].position,
				 (int)r.error.text.len,
				 (const char *)r.error.text.at);
		assert_int_equal(worker_ruling_read(r.result, &out), PLYD_OK);
		if ((int64_t)judged[i].want != out.verdict)
			fail_msg("%s: %lld", judged[i].position,
				 (long long)out.verdict);
		assert_int_equal(out.reason.len > 0,
				 out.verdict != VERDICT_CONTINUE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policies_are_what_they_say),
		cmocka_unit_test(federation_judges),
	};
	return cmocka_run_group_tests(tests, start, end);
}
