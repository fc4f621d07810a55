/* SPDX-License-Identifier: MIT
 * tournament_test.c - a tournament over false connections: every answer and
 * notification has the shape that docs/protocol.md shows (talk.c looks). */
#include "talk.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { ORG = 1, P1 = 2, P2 = 3, P3 = 4, WATCHER = 5, OUTSIDER = 6 };

static struct talk t;
static char id[16];

static bool ask(uint64_t conn, const char *method)
{
	return talk_ask(&t, conn, method, "tournament=s", id);
}

static void meet(void)
{
	talk_open(&t, NULL);
	for (uint64_t conn = ORG; conn <= OUTSIDER; conn++) {
		assert_int_equal(talk_connect(&t, conn, "127.0.0.1"), 0);
		assert_true(talk_ask(&t, conn, "hello", "protocol=i bot=b",
				     (int64_t)1, conn == P3));
	}
}

static void make(const char *format, bool draft)
{
	assert_true(talk_ask(&t, ORG, "tournament.create",
			     "name=s ruleset=s format=s players=s draft=b",
			     "Club cup", "english", format, "anyone", draft));
	snprintf(id, sizeof(id), "%s", talk_text(&t, "tournament"));
}

/* Whoever has a match resigns it. */
static bool somebody_resigns(void)
{
	for (uint64_t conn = P1; conn <= P3; conn++) {
		char match[16];
		struct span text;
		assert_true(talk_ask(&t, conn, "match.list", ""));
		const struct value *all = value_find(t.result, "matches");
		for (size_t i = 0; i < value_count(all); i++) {
			value_str(value_find(value_at(all, i), "match"), &text);
			span_copy(text, match, sizeof(match));
			if (talk_ask(&t, conn, "match.resign", "match=s",
				     match))
				return true;
			assert_true(talk_ask(&t, conn, "match.list", ""));
			all = value_find(t.result, "matches");
		}
	}
	return false;
}

static void a_whole_one(void **state)
{
	(void)state;
	meet();
	make("double_round_robin", true);
	assert_string_equal(talk_text(&t, "state"), "draft");
	assert_false(ask(P1, "tournament.get"));
	assert_string_equal(t.error, "no_such_tournament");
	assert_true(ask(ORG, "tournament.open"));
	assert_true(ask(WATCHER, "tournament.watch"));
	for (uint64_t conn = P1; conn <= P3; conn++)
		assert_true(ask(conn, "tournament.register"));
	assert_string_equal(talk_text(&t, "you"), "player");
	assert_string_equal(t.line[WATCHER].last_notice, "tournament.changed");
	assert_false(ask(P1, "tournament.start"));
	assert_string_equal(t.error, "not_director");
	assert_true(talk_ask(&t, OUTSIDER, "tournament.list", ""));
	assert_true(ask(ORG, "tournament.start"));
	talk_wait(&t, 10);
	assert_string_equal(t.line[P1].last_notice[0] ? "told" : "", "told");
	assert_true(talk_ask(&t, OUTSIDER, "tournament.round",
			     "tournament=s round=i", id, (int64_t)1));
	for (int i = 0; i < 20 && somebody_resigns(); i++) {
		talk_wait(&t, 1100);
		assert_true(ask(OUTSIDER, "tournament.standings"));
		assert_int_equal(talk_number(&t, "total"), 3);
	}
	assert_true(ask(OUTSIDER, "tournament.get"));
	talk_wait(&t, 3000);
	assert_string_equal(t.line[WATCHER].last_notice, "tournament.ranked");
	assert_true(ask(OUTSIDER, "tournament.get"));
	assert_string_equal(talk_text(&t, "state"), "finished");
	assert_string_equal(talk_text(&t, "end"), "played");
	assert_int_equal(strlen(talk_text(&t, "seed")), 64);
	assert_true(ask(OUTSIDER, "tournament.standings"));
	assert_true(ask(WATCHER, "tournament.unwatch"));
	assert_false(talk_ask(&t, OUTSIDER, "tournament.round",
			      "tournament=s round=i", id, (int64_t)7));
	assert_string_equal(t.error, "no_such_table");
	talk_close(&t);
}

static void directors_and_guests(void **state)
{
	(void)state;
	meet();
	make("swiss", false);
	assert_true(ask(P1, "tournament.register"));
	assert_true(ask(P2, "tournament.register"));
	assert_true(ask(P2, "tournament.withdraw"));
	assert_string_equal(talk_text(&t, "you"), "gone");
	assert_true(ask(P2, "tournament.register"));
	assert_true(ask(ORG, "tournament.start"));
	talk_wait(&t, 10);
	assert_true(ask(ORG, "tournament.pause"));
	assert_true(ask(ORG, "tournament.resume"));
	assert_false(talk_ask(&t, ORG, "tournament.correct",
			      "tournament=s round=i table=i outcome=s words=s",
			      id, (int64_t)1, (int64_t)1, "draw", "a\nb"));
	assert_string_equal(t.error, "bad_text");
	assert_true(talk_ask(&t, ORG, "tournament.correct",
			     "tournament=s round=i table=i outcome=s words=s",
			     id, (int64_t)1, (int64_t)1, "draw", "Agreed."));
	assert_true(talk_ask(&t, ORG, "tournament.round",
			     "tournament=s round=i", id, (int64_t)1));
	assert_true(ask(ORG, "tournament.finish"));
	assert_string_equal(talk_text(&t, "end"), "stopped");
	assert_false(talk_ask(&t, ORG, "tournament.create",
			      "name=s ruleset=s format=s breaks=s", "Other",
			      "english", "swiss", "direct luck"));
	assert_string_equal(t.error, "bad_value");
	assert_false(talk_ask(&t, ORG, "tournament.create",
			      "name=s ruleset=s format=s scoring=s", "Other",
			      "english", "swiss", "points"));
	assert_string_equal(t.error, "bad_terms");
	talk_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_one),
		cmocka_unit_test(directors_and_guests),
	};
	return cmocka_run_group_tests_name("tournament", tests, NULL, NULL);
}
