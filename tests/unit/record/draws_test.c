/* SPDX-License-Identifier: MIT
 * The verifier counts draws as the independent reference does: every sequence
 * as a record, and the same record with another reason at its end. */
#include "records.h"
#include "unit.h"
#include "vectors.h"

#include <string.h>

struct bench {
	struct play p;
	struct journal j;
	struct doc *doc;
};

static void bench_open(struct bench *t)
{
	play_open(&t->p, 1);
	journal_open(&t->j, &t->p);
	play_hello(&t->p, "ann");
	play_hello(&t->p, "bob");
	t->doc = doc_new();
}

static void bench_close(struct bench *t)
{
	doc_free(t->doc);
	journal_close(&t->j);
	play_close(&t->p);
}

static void play_all(struct bench *t, const struct id *m, const json_t *moves)
{
	for (size_t i = 0; i < json_array_size(moves); i++)
		play_move(&t->p,
			  play_at(&t->p, m)->pos.side == WHITE ? "ann" : "bob",
			  m, (uint32_t)i,
			  json_string_value(json_array_get(moves, i)));
	if (play_at(&t->p, m)->state != MATCH_OVER)
		play_in(&t->p, "ann", CMD_MATCH_RESIGN, m);
}

/* The record holds; with the other end it would have, it does not. */
static const char *judge(struct bench *t, struct record *r)
{
	char why[VERIFY_WHY_MAX];
	size_t last = r->count - 1;
	if (record_verify(r, why))
		return "a good record is refused";
	struct fact f = record_fact(r, t->doc, last);
	bool drawn = f.ended.result == RESULT_DRAW;
	f.ended.result = drawn ? RESULT_BLACK : RESULT_DRAW;
	f.ended.points = drawn;
	f.ended.reason = span_str(drawn ? "resigned" : "no_progress");
	record_put(r, last, &f);
	record_rehead(r);
	if (!record_verify(r, why))
		return "another end passes";
	f.ended.reason = span_str(drawn ? "resigned" : "repetition");
	record_put(r, last, &f);
	record_rehead(r);
	return record_verify(r, why) ? NULL : "a third end passes";
}

static const char *row_holds(const json_t *row, void *payload)
{
	static struct bench t;
	(void)payload;
	bench_open(&t);
	struct id m = play_position(&t.p, vector_str(row, "ruleset"), "ann",
				    "bob", vector_str(row, "position"));
	play_all(&t, &m, json_object_get(row, "moves"));
	struct record *r = record_take(&t.j, &m);
	const char *wrong = judge(&t, r);
	record_free(r);
	bench_close(&t);
	return wrong;
}

static void all_sequences_hold(void **state)
{
	(void)state;
	assert_int_equal(vectors_run("golden/rulings/draws.jsonl", row_holds,
				     NULL),
			 0);
}

/* A man's move is progress in one policy, and none in the other. */
static void the_policy_of_the_record_counts(void **state)
{
	(void)state;
	for (int counts = 0; counts < 2; counts++) {
		static struct bench t;
		char why[VERIFY_WHY_MAX];
		bench_open(&t);
		struct match_rules rules =
			*domain_rules_find(t.p.d, span_str("english"));
		rules.draws = (struct draw_rules){ .no_progress = 3,
						   .man_moves_count = counts };
		domain_set_rules(t.p.d, &rules, 1);
		struct id m = play_position(&t.p, "english", "ann", "bob",
					    "B:WK32,21:BK1,12");
		play_move(&t.p, "bob", &m, 0, "1-6");
		play_move(&t.p, "ann", &m, 1, "32-28");
		play_move(&t.p, "bob", &m, 2, "12-16");
		play_in(&t.p, "ann", CMD_MATCH_RESIGN, &m);
		struct record *r = record_take(&t.j, &m);
		assert_int_equal(record_verify(r, why), PLYD_OK);
		struct fact f = record_fact(r, t.doc, 0);
		f.begun.no_progress_counts = !counts;
		record_put(r, 0, &f);
		record_rehead(r);
		assert_int_equal(record_verify(r, why), PLYD_ERECORD);
		record_free(r);
		bench_close(&t);
	}
}

/* What a policy forbids to offer, a record must not tell. */
static void offers_are_judged_by_their_policy(void **state)
{
	(void)state;
	static struct bench t;
	char why[VERIFY_WHY_MAX];
	bench_open(&t);
	struct id m = play_position(&t.p, "english", "ann", "bob",
				    "B:WK32,5:BK1,K3,14");
	play_in(&t.p, "bob", CMD_MATCH_OFFER_DRAW, &m);
	play_move(&t.p, "bob", &m, 0, "1-6");
	play_move(&t.p, "ann", &m, 1, "32-27");
	play_in(&t.p, "ann", CMD_MATCH_OFFER_DRAW, &m);
	play_move(&t.p, "bob", &m, 2, "14-17");
	play_in(&t.p, "bob", CMD_MATCH_OFFER_DRAW, &m);
	play_in(&t.p, "ann", CMD_MATCH_RESIGN, &m);
	struct record *r = record_take(&t.j, &m);
	static const struct {
		bool none;
		int64_t from, max;
		int want;
	} rows[] = {
		{ false, 0, 0, PLYD_OK },       { false, 0, 2, PLYD_OK },
		{ false, 0, 1, PLYD_ERECORD },  { false, 1, 0, PLYD_ERECORD },
		{ true, 0, 0, PLYD_ERECORD },   { false, -1, 0, PLYD_ERECORD },
		{ false, 0, -1, PLYD_ERECORD },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fact f = record_fact(r, t.doc, 0);
		f.begun.no_offers = rows[i].none;
		f.begun.offers_from = rows[i].from;
		f.begun.offers_max = rows[i].max;
		record_put(r, 0, &f);
		record_rehead(r);
		assert_int_equal(record_verify(r, why), rows[i].want);
	}
	record_free(r);
	bench_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_sequences_hold),
		cmocka_unit_test(the_policy_of_the_record_counts),
		cmocka_unit_test(offers_are_judged_by_their_policy),
	};
	return cmocka_run_group_tests_name("draws", tests, NULL, NULL);
}
