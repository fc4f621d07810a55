/* SPDX-License-Identifier: MIT
 * operator_test.c - what the operator's connection may do, who may not, and
 * what stays of it. */
#include "talk.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { OPERATOR = 10, ANN = 1, BOB = 2 };

static int open_talk(void **state)
{
	static struct talk t;
	talk_open(&t, NULL);
	*state = &t;
	return talk_operator(&t, OPERATOR);
}

static int close_talk(void **state)
{
	talk_close(*state);
	return 0;
}

/* Says hello, and gives the id. */
static void hello(struct talk *t, uint64_t conn, const char *name,
		  char id[TALK_NAME_MAX])
{
	struct span text;
	assert_int_equal(talk_connect(t, conn, "192.0.2.1"), 0);
	assert_true(talk_ask(t, conn, "hello", "protocol=i name=s", (int64_t)1,
			     name));
	assert_int_equal(value_str(value_find(value_find(t->result, "player"),
					      "id"),
				   &text),
			 0);
	assert_true(span_copy(text, id, TALK_NAME_MAX));
}

/* Ann and Bob play; gives the match. */
static void begin(struct talk *t, char match[TALK_NAME_MAX])
{
	char id[TALK_NAME_MAX], lobby[TALK_NAME_MAX];
	hello(t, ANN, "Ann", id);
	hello(t, BOB, "Bob", id);
	assert_true(talk_ask(t, ANN, "lobby.create", "ruleset=s side=s ready=b",
			     "english", "white", 1));
	snprintf(lobby, sizeof(lobby), "%s", talk_text(t, "lobby"));
	assert_true(
		talk_ask(t, BOB, "lobby.join", "lobby=s ready=b", lobby, 1));
	snprintf(match, TALK_NAME_MAX, "%s", talk_text(t, "match"));
}

/* Every method of the operator is refused to a player, before and after hello,
 * and changes nothing. */
static void players_are_no_operators(void **state)
{
	struct talk *t = *state;
	size_t tried = 0;
	char id[TALK_NAME_MAX];
	talk_connect(t, 3, "192.0.2.3");
	hello(t, ANN, "Ann", id);
	uint64_t row = t->last_row;
	for (size_t i = 0; i < method_count(); i++) {
		const struct method_info *m = method_at(i);
		size_t fields;
		if (m->state != METHOD_OPERATOR)
			continue;
		method_fields(m->method, &fields);
		for (uint64_t conn = ANN; conn <= 3; conn += 2) {
			const char *with =
				m->method == METHOD_ADMIN_SAY ? "text=s" : "";
			if (m->method != METHOD_ADMIN_SAY && fields > 0 &&
			    method_fields(m->method, &fields)[0].required)
				continue;
			assert_false(talk_ask(t, conn, m->name, with, "x"));
			assert_string_equal(t->error, "operator_only");
			tried++;
		}
	}
	assert_true(tried >= 12);
	assert_int_equal(t->last_row, row);
}

static void the_operator_is_no_player(void **state)
{
	struct talk *t = *state;
	assert_true(talk_ask(t, OPERATOR, "ping", ""));
	assert_true(talk_ask(t, OPERATOR, "server.info", ""));
	assert_true(talk_ask(t, OPERATOR, "rules.list", ""));
	assert_false(talk_ask(t, OPERATOR, "hello", "protocol=i", (int64_t)1));
	assert_string_equal(t->error, "hello_again");
	assert_false(
		talk_ask(t, OPERATOR, "lobby.create", "ruleset=s", "english"));
	assert_string_equal(t->error, "hello_first");
}

/* Operators come in when there is no room for players, but not without end. */
static void there_is_room_for_operators(void **state)
{
	struct talk t;
	struct hub_limits limits;
	(void)state;
	hub_limits_default(&limits);
	limits.connections_max = 2;
	limits.requests_burst = 1000;
	talk_open(&t, &limits);
	assert_int_equal(talk_connect(&t, 1, "192.0.2.1"), 0);
	assert_int_equal(talk_connect(&t, 2, "192.0.2.1"), 0);
	assert_int_equal(talk_connect(&t, 3, "192.0.2.1"), PLYD_EFULL);
	for (uint64_t i = 0; i < OPERATORS_MAX; i++)
		assert_int_equal(talk_operator(&t, 4 + i), 0);
	assert_int_equal(talk_operator(&t, 20), PLYD_EADDRESS);
	assert_true(talk_ask(&t, 4, "admin.status", ""));
	assert_int_equal(talk_number(&t, "connections"), 2 + OPERATORS_MAX);
	talk_close(&t);
}

static void lists(void **state)
{
	struct talk *t = *state;
	char match[TALK_NAME_MAX];
	struct span text;
	begin(t, match);
	assert_true(talk_ask(t, ANN, "lobby.create", "ruleset=s private=b",
			     "turkish", 1));
	assert_true(talk_ask(t, OPERATOR, "admin.players", ""));
	assert_int_equal(talk_number(t, "total"), 2);
	const struct value *bob = value_at(value_find(t->result, "players"), 1);
	assert_int_equal(value_str(value_find(bob, "address"), &text), 0);
	assert_true(span_is(text, "192.0.2.1"));
	hub_disconnected(t->hub, BOB, t->now_ms);
	assert_true(talk_ask(t, OPERATOR, "admin.players", "online=b", 1));
	assert_int_equal(talk_number(t, "total"), 1);
	assert_true(
		talk_ask(t, OPERATOR, "admin.players", "first=i", (int64_t)1));
	assert_int_equal(talk_number(t, "total"), 2);
	assert_int_equal(value_count(value_find(t->result, "players")), 1);
	assert_true(
		talk_ask(t, OPERATOR, "admin.players", "first=i", (int64_t)7));
	assert_int_equal(value_count(value_find(t->result, "players")), 0);
	assert_true(talk_ask(t, OPERATOR, "admin.lobbies", ""));
	assert_int_equal(talk_number(t, "total"), 1);
	assert_null(value_find(value_at(value_find(t->result, "lobbies"), 0),
			       "code"));
	assert_true(talk_ask(t, OPERATOR, "admin.matches", ""));
	assert_int_equal(talk_number(t, "total"), 1);
	assert_true(talk_ask(t, OPERATOR, "admin.match", "match=s", match));
	assert_string_equal(talk_text(t, "you"), "watcher");
	assert_false(
		talk_ask(t, OPERATOR, "admin.match", "match=s", "aaaaaaaaaa"));
	assert_string_equal(t->error, "no_such_match");
}

/* The seed of running dice is the operator's secret too. */
static void no_look_at_the_dice(void **state)
{
	struct talk *t = *state;
	char id[TALK_NAME_MAX], match[TALK_NAME_MAX];
	hello(t, ANN, "Ann", id);
	assert_true(talk_ask(t, ANN, "lobby.create",
			     "ruleset=s personality=s ready=b", "backgammon",
			     "calm", 1));
	snprintf(match, sizeof(match), "%s", talk_text(t, "match"));
	assert_true(talk_ask(t, OPERATOR, "admin.match", "match=s", match));
	assert_int_equal(value_type(value_find(t->result, "result")),
			 VALUE_NIL);
	assert_true(talk_ask(t, OPERATOR, "admin.end_match", "match=s result=s",
			     match, "none"));
	assert_true(talk_ask(t, OPERATOR, "admin.match", "match=s", match));
	assert_non_null(value_find(value_find(t->result, "result"), "seed"));
}

static void a_player_is_kicked_and_comes_back(void **state)
{
	struct talk *t = *state;
	char id[TALK_NAME_MAX], token[80];
	hello(t, ANN, "Ann", id);
	snprintf(token, sizeof(token), "%s", talk_text(t, "token"));
	assert_false(
		talk_ask(t, OPERATOR, "admin.kick", "player=s", "aaaaaaaaaa"));
	assert_string_equal(t->error, "no_such_player");
	assert_true(talk_ask(t, OPERATOR, "admin.kick", "player=s text=s", id,
			     "rude"));
	assert_int_equal(talk_number(t, "audit"), 1);
	assert_true(t->line[ANN].closed);
	assert_string_equal(t->line[ANN].closing, "kicked");
	talk_connect(t, 5, "192.0.2.1");
	assert_true(talk_ask(t, 5, "hello", "protocol=i token=s", (int64_t)1,
			     token));
	/* one who is away is kicked too: nothing to close, but noted */
	hub_disconnected(t->hub, 5, t->now_ms);
	assert_true(talk_ask(t, OPERATOR, "admin.kick", "player=s", id));
	assert_int_equal(talk_number(t, "audit"), 2);
}

static void a_match_is_ended(void **state)
{
	struct talk *t = *state;
	char match[TALK_NAME_MAX];
	begin(t, match);
	assert_true(talk_ask(t, OPERATOR, "admin.end_match",
			     "match=s result=s text=s", match, "black",
			     "left the hall"));
	assert_string_equal(t->line[ANN].last_event, "ended");
	assert_int_equal(t->finished, 1);
	assert_true(talk_ask(t, ANN, "match.get", "match=s", match));
	t->result = value_find(t->result, "result");
	assert_string_equal(talk_text(t, "result"), "black");
	assert_string_equal(talk_text(t, "reason"), "operator");
	assert_string_equal(talk_text(t, "text"), "left the hall");
	assert_int_equal(talk_number(t, "points"), 1);
	assert_false(talk_ask(t, OPERATOR, "admin.end_match",
			      "match=s result=s", match, "draw"));
	assert_string_equal(t->error, "game_over");
}

static void everybody_hears_the_operator(void **state)
{
	struct talk *t = *state;
	char id[TALK_NAME_MAX];
	hello(t, ANN, "Ann", id);
	hello(t, BOB, "Bob", id);
	talk_connect(t, 3, "192.0.2.3"); /* no hello yet: hears nothing */
	assert_true(talk_ask(t, OPERATOR, "admin.say", "text=s", "good luck"));
	assert_string_equal(t->line[ANN].last_notice, "server.notice");
	assert_string_equal(t->line[BOB].last_notice, "server.notice");
	assert_int_equal(t->line[3].notices, 0);
	assert_int_equal(t->line[OPERATOR].notices, 0);
}

static void a_drained_server_begins_no_match(void **state)
{
	struct talk *t = *state;
	char id[TALK_NAME_MAX];
	hello(t, ANN, "Ann", id);
	assert_true(talk_ask(t, OPERATOR, "admin.drain", ""));
	assert_true(talk_ask(t, ANN, "lobby.create",
			     "ruleset=s personality=s ready=b", "english",
			     "calm", 1));
	assert_null(talk_text(t, "match"));
	assert_false(talk_ask(t, ANN, "lobby.ready", "lobby=s",
			      talk_text(t, "lobby")));
	assert_string_equal(t->error, "draining");
	assert_true(talk_ask(t, OPERATOR, "admin.drain", "on=b", 0));
	assert_true(talk_ask(t, ANN, "lobby.create",
			     "ruleset=s personality=s ready=b", "english",
			     "calm", 1));
	assert_non_null(talk_text(t, "match"));
}

static void the_server_stops_when_it_was_said(void **state)
{
	struct talk *t = *state;
	char id[TALK_NAME_MAX];
	hello(t, ANN, "Ann", id);
	assert_true(talk_ask(t, OPERATOR, "admin.shutdown", "in_ms=i",
			     (int64_t)60000));
	assert_string_equal(t->line[ANN].last_notice, "server.notice");
	assert_true(talk_ask(t, OPERATOR, "admin.status", ""));
	assert_int_equal(talk_number(t, "stops_in_ms"), 60000);
	assert_int_equal(hub_next_due_ms(t->hub), t->now_ms + 60000);
	talk_wait(t, 59999);
	assert_int_equal(t->stops, 0);
	assert_true(talk_ask(t, OPERATOR, "admin.shutdown", "cancel=b", 1));
	talk_wait(t, 60000);
	assert_int_equal(t->stops, 0);
	assert_true(talk_ask(t, OPERATOR, "admin.shutdown", ""));
	talk_wait(t, 60000);
	assert_int_equal(t->stops, 1);
	talk_wait(t, 60000);
	assert_int_equal(t->stops, 1);
}

/* A match that is played holds it back, one that is frozen does not. */
static void the_server_stops_when_the_last_match_is_over(void **state)
{
	struct talk *t = *state;
	char match[TALK_NAME_MAX];
	begin(t, match);
	assert_true(talk_ask(t, OPERATOR, "admin.shutdown", "in_ms=i idle=b",
			     (int64_t)600000, 1));
	talk_wait(t, 10000);
	assert_int_equal(t->stops, 0);
	assert_true(talk_ask(t, OPERATOR, "admin.end_match", "match=s result=s",
			     match, "draw"));
	talk_wait(t, 1);
	assert_int_equal(t->stops, 1);
	/* without one there is time for the answer still */
	assert_true(talk_ask(t, OPERATOR, "admin.shutdown", "in_ms=i idle=b",
			     (int64_t)600000, 1));
	talk_wait(t, 150);
	assert_int_equal(t->stops, 1);
	talk_wait(t, 100);
	assert_int_equal(t->stops, 2);
}

/* It is in the trail when it begins, and answered when it is done. */
static void an_errand_takes_a_while(void **state)
{
	struct talk *t = *state;
	char id[TALK_NAME_MAX];
	hello(t, ANN, "Ann", id);
	assert_false(talk_ask(t, OPERATOR, "admin.upgrade", "text=s", "0.2"));
	assert_string_equal(t->error, "");
	assert_int_equal(t->errands, 1);
	assert_int_equal(t->errand.type, ERRAND_UPGRADE);
	assert_int_equal(domain_audit(hub_domain(t->hub))->number, 1);
	hub_errand_done(t->hub, &t->errand,
			&(struct hub_done){ .err = PLYD_EIO,
					    .why = "It has no legs." });
	talk_wait(t, 1);
	assert_string_equal(t->error, "io_error");
	assert_false(talk_ask(t, OPERATOR, "admin.upgrade", ""));
	hub_errand_done(t->hub, &t->errand, &(struct hub_done){ 0 });
	talk_wait(t, 1);
	assert_int_equal(talk_number(t, "audit"), 2);
	/* who asked may be gone */
	assert_false(talk_ask(t, OPERATOR, "admin.upgrade", ""));
	hub_disconnected(t->hub, OPERATOR, t->now_ms);
	hub_errand_done(t->hub, &t->errand, &(struct hub_done){ 0 });
	hub_close_all(t->hub, PLYD_ESHUTDOWN, "upgrade", 100);
	talk_read(t);
	assert_string_equal(t->line[ANN].closing, "shutting_down");
}

/* What could not be stored was not wished. */
static void a_wish_that_is_lost(void **state)
{
	struct talk *t = *state;
	assert_true(talk_ask(t, OPERATOR, "admin.drain", ""));
	t->hold = true;
	assert_false(talk_ask(t, OPERATOR, "admin.drain", "on=b", 0));
	assert_false(talk_ask(t, OPERATOR, "admin.shutdown", "in_ms=i",
			      (int64_t)60000));
	hub_commit_failed(t->hub, 2);
	talk_read(t);
	assert_string_equal(t->error, "not_stored");
	assert_true(talk_ask(t, OPERATOR, "admin.status", ""));
	assert_null(value_find(t->result, "stops_in_ms"));
	hub_writable(t->hub);
	talk_wait(t, 120000);
	assert_int_equal(t->stops, 0);
}

/* -- bans -- */

static int knock(struct talk *t, uint64_t conn, const char *address)
{
	int err = talk_connect(t, conn, address);
	if (!err)
		hub_disconnected(t->hub, conn, t->now_ms);
	return err;
}

static void a_player_is_banned_for_a_while(void **state)
{
	struct talk *t = *state;
	char id[TALK_NAME_MAX], token[80];
	int64_t until;
	t->unix_ms = 1700000000000;
	hello(t, ANN, "Ann", id);
	snprintf(token, sizeof(token), "%s", talk_text(t, "token"));
	assert_true(talk_ask(t, OPERATOR, "admin.ban",
			     "player=s for_ms=i text=s", id, (int64_t)60000,
			     "Cool down."));
	int64_t ban = talk_number(t, "audit");
	assert_string_equal(t->line[ANN].closing, "banned");
	talk_connect(t, 4, "192.0.2.9");
	assert_false(talk_ask(t, 4, "hello", "protocol=i token=s", (int64_t)1,
			      token));
	assert_string_equal(t->error, "banned");
	until = talk_number(t, "until_unix_ms");
	assert_int_equal(until, 1700000060000);
	/* it is he who is banned, not where he sits */
	assert_true(talk_ask(t, 4, "hello", "protocol=i", (int64_t)1));
	assert_true(talk_ask(t, OPERATOR, "admin.bans", ""));
	t->result = value_at(value_find(t->result, "bans"), 0);
	assert_int_equal(talk_number(t, "ban"), ban);
	assert_string_equal(talk_text(t, "target"), id);
	talk_wait(t, 60000);
	talk_connect(t, 5, "192.0.2.9");
	assert_true(talk_ask(t, 5, "hello", "protocol=i token=s", (int64_t)1,
			     token));
}

static void a_range_is_banned(void **state)
{
	struct talk *t = *state;
	char id[TALK_NAME_MAX];
	hello(t, ANN, "Ann", id);            /* 192.0.2.1 */
	talk_connect(t, 3, "192.0.2.77");    /* no hello yet */
	talk_connect(t, 4, "[2001:db8::1]"); /* elsewhere */
	assert_true(talk_ask(t, OPERATOR, "admin.ban", "address=s",
			     "192.0.2.0/24"));
	int64_t ban = talk_number(t, "audit");
	assert_string_equal(t->line[ANN].closing, "banned");
	assert_string_equal(t->line[3].closing, "banned");
	assert_false(t->line[4].closed);
	assert_false(t->line[OPERATOR].closed);
	assert_int_equal(knock(t, 5, "192.0.2.200"), PLYD_EBANNED);
	assert_string_equal(t->line[5].closing, "banned");
	assert_int_equal(knock(t, 6, "192.0.3.200"), 0);
	assert_int_equal(knock(t, 7, "[2001:db8::1]"), 0);
	assert_true(talk_ask(t, OPERATOR, "admin.ban", "address=s",
			     "2001:db8::/33"));
	assert_true(t->line[4].closed);
	assert_int_equal(knock(t, 8, "[2001:db8:7fff::9]"), PLYD_EBANNED);
	assert_int_equal(knock(t, 9, "[2001:db8:8000::9]"), 0);
	assert_true(talk_ask(t, OPERATOR, "admin.unban", "ban=i", ban));
	assert_int_equal(knock(t, 11, "192.0.2.200"), 0);
	assert_false(talk_ask(t, OPERATOR, "admin.unban", "ban=i", ban));
	assert_string_equal(t->error, "not_found");
}

static void a_name_is_banned(void **state)
{
	struct talk *t = *state;
	char id[TALK_NAME_MAX], token[80];
	hello(t, ANN, "Nuisance", id);
	snprintf(token, sizeof(token), "%s", talk_text(t, "token"));
	assert_true(talk_ask(t, OPERATOR, "admin.ban", "name=s", "nuiSANCE"));
	int64_t ban = talk_number(t, "audit");
	assert_string_equal(t->line[ANN].closing, "banned");
	talk_connect(t, 3, "192.0.2.3");
	assert_false(talk_ask(t, 3, "hello", "protocol=i name=s", (int64_t)1,
			      "NUISANCE"));
	assert_string_equal(t->error, "banned");
	assert_false(talk_ask(t, 3, "hello", "protocol=i token=s", (int64_t)1,
			      token));
	assert_string_equal(t->error, "banned");
	assert_true(talk_ask(t, 3, "hello", "protocol=i name=s", (int64_t)1,
			     "Nuisance 2"));
	assert_true(talk_ask(t, OPERATOR, "admin.unban", "ban=i", ban));
	talk_connect(t, 4, "192.0.2.3");
	assert_true(talk_ask(t, 4, "hello", "protocol=i token=s", (int64_t)1,
			     token));
	assert_false(talk_ask(t, OPERATOR, "admin.ban", "name=s", "a  b"));
	assert_string_equal(t->error, "bad_name");
}

static void what_no_ban_can_be(void **state)
{
	struct talk *t = *state;
	char id[TALK_NAME_MAX];
	hello(t, ANN, "Ann", id);
	uint64_t row = t->last_row;
	assert_false(talk_ask(t, OPERATOR, "admin.ban", ""));
	assert_string_equal(t->error, "missing_key");
	assert_false(talk_ask(t, OPERATOR, "admin.ban", "player=s address=s",
			      id, "192.0.2.0/24"));
	assert_string_equal(t->error, "missing_key");
	assert_false(
		talk_ask(t, OPERATOR, "admin.ban", "player=s", "aaaaaaaaaa"));
	assert_string_equal(t->error, "no_such_player");
	assert_false(talk_ask(t, OPERATOR, "admin.ban", "address=s",
			      "192.0.2.0/33"));
	assert_string_equal(t->error, "bad_value");
	assert_int_equal(t->last_row, row);
	assert_false(t->line[ANN].closed);
}

static void the_trail_shows_the_newest_first(void **state)
{
	struct talk *t = *state;
	for (int i = 1; i <= 3; i++) {
		char text[16];
		snprintf(text, sizeof(text), "number %d", i);
		assert_true(talk_ask(t, OPERATOR, "admin.say", "text=s", text));
		assert_int_equal(talk_number(t, "audit"), i);
	}
	assert_true(talk_ask(t, OPERATOR, "admin.audit", ""));
	assert_int_equal(talk_number(t, "total"), 3);
	t->result = value_at(value_find(t->result, "acts"), 0);
	assert_string_equal(talk_text(t, "text"), "number 3");
	assert_string_equal(talk_text(t, "act"), "say");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_talk, close_talk)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(players_are_no_operators),
		TEST(the_operator_is_no_player),
		cmocka_unit_test(there_is_room_for_operators),
		TEST(lists),
		TEST(no_look_at_the_dice),
		TEST(a_player_is_kicked_and_comes_back),
		TEST(a_match_is_ended),
		TEST(everybody_hears_the_operator),
		TEST(a_drained_server_begins_no_match),
		TEST(the_server_stops_when_it_was_said),
		TEST(the_server_stops_when_the_last_match_is_over),
		TEST(an_errand_takes_a_while),
		TEST(a_wish_that_is_lost),
		TEST(a_player_is_banned_for_a_while),
		TEST(a_range_is_banned),
		TEST(a_name_is_banned),
		TEST(what_no_ban_can_be),
		TEST(the_trail_shows_the_newest_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
