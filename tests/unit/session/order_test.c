/* SPDX-License-Identifier: MIT
 * order_test.c - what comes before what, who replaces whom, and who is turned
 * away. */
#include "talk.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static int open_talk(void **state)
{
	static struct talk t;
	struct hub_limits limits;
	hub_limits_default(&limits);
	limits.connections_max = 8;
	limits.connections_per_address = 3;
	limits.requests_burst = 10;
	limits.requests_per_s = 5;
	limits.idle_ms = 60000;
	talk_open(&t, &limits);
	*state = &t;
	return 0;
}

static int close_talk(void **state)
{
	talk_close(*state);
	return 0;
}

static void hello(struct talk *t, uint64_t conn)
{
	assert_int_equal(talk_connect(t, conn, "127.0.0.1"), 0);
	assert_true(talk_ask(t, conn, "hello", "protocol=i", (int64_t)1));
}

/* In one packet: hello and what needs it; ping overtakes, the rest is in
 * order, and nothing of it leaves before its commit. */
static void requests_behind_hello(void **state)
{
	struct talk *t = *state;
	struct line *l = &t->line[1];
	struct buf b;
	buf_init(&b, 4096);
	talk_connect(t, 1, "127.0.0.1");
	t->hold = true;
	talk_write(t, 1, &b, "hello", "protocol=i", (int64_t)1);
	talk_write(t, 1, &b, "lobby.create", "ruleset=s", "english");
	talk_write(t, 1, &b, "lobby.list", "");
	talk_write(t, 1, &b, "ping", "");
	talk_write(t, 1, &b, "lobby.create", "ruleset=s", "none");
	talk_send(t, 1, buf_span(&b));
	buf_release(&b);
	assert_int_equal(l->answers, 1);
	assert_int_equal(l->answered, 4); /* ping */
	assert_int_equal(hub_counts(t->hub).waiting, 5);
	hub_committed(t->hub, 1, t->now_ms); /* the player, not the lobby */
	talk_read(t);
	assert_int_equal(l->answers, 2);
	assert_int_equal(l->answered, 1);
	talk_commit(t);
	talk_read(t);
	assert_int_equal(l->answers, 5);
	assert_int_equal(l->answered, 5); /* a refusal keeps its place */
	assert_string_equal(t->error, "no_such_ruleset");
}

static void a_session_moves(void **state)
{
	struct talk *t = *state;
	char first[80], second[80];
	hello(t, 1);
	snprintf(first, sizeof(first), "%s", talk_text(t, "token"));
	assert_true(talk_ask(t, 1, "lobby.create", "ruleset=s", "english"));
	talk_connect(t, 2, "127.0.0.1");
	assert_false(talk_ask(t, 2, "hello", "protocol=i token=s", (int64_t)1,
			      "00112233445566778899aabbccddeeff"
			      "00112233445566778899aabbccddeeff"));
	assert_string_equal(t->error, "bad_token");
	assert_false(t->line[1].closed);
	assert_true(talk_ask(t, 2, "hello", "protocol=i token=s", (int64_t)1,
			     first));
	snprintf(second, sizeof(second), "%s", talk_text(t, "token"));
	assert_int_equal(value_count(value_find(t->result, "lobbies")), 1);
	assert_true(t->line[1].closed);
	assert_string_equal(t->line[1].closing, "replaced");
	assert_int_equal(hub_counts(t->hub).sessions, 1);
	hub_disconnected(t->hub, 1, t->now_ms); /* the old one ends at last */
	assert_int_equal(hub_counts(t->hub).sessions, 1);
	/* the answer with the second token may have been lost */
	talk_connect(t, 3, "127.0.0.1");
	assert_true(talk_ask(t, 3, "hello", "protocol=i token=s", (int64_t)1,
			     first));
	assert_string_equal(t->line[2].closing, "replaced");
	talk_connect(t, 4, "127.0.0.2");
	assert_false(talk_ask(t, 4, "hello", "protocol=i token=s", (int64_t)1,
			      second));
	assert_string_equal(t->error, "bad_token");
}

static void connections_are_counted(void **state)
{
	struct talk *t = *state;
	static const char *const addresses[] = { "10.0.0.1", "10.0.0.2", "::1",
						 "2001:db8::1" };
	for (uint64_t conn = 1; conn <= 3; conn++)
		assert_int_equal(talk_connect(t, conn, "127.0.0.1"), 0);
	assert_int_equal(talk_connect(t, 4, "127.0.0.1"), PLYD_EADDRESS);
	assert_string_equal(t->line[4].closing, "too_many_connections");
	for (uint64_t conn = 5; conn <= 9; conn++)
		assert_int_equal(talk_connect(t, conn, addresses[conn % 4]), 0);
	assert_int_equal(talk_connect(t, 10, "::9"), PLYD_EFULL);
	assert_string_equal(t->line[10].closing, "server_full");
	hub_disconnected(t->hub, 2, t->now_ms);
	assert_int_equal(talk_connect(t, 11, "127.0.0.1"), 0);
	assert_int_equal(hub_counts(t->hub).connections, 8);
}

/* Whoever has an IPv6 network has more addresses than anyone can count. */
static void a_network_of_ipv6_is_one_address(void **state)
{
	struct talk *t = *state;
	assert_int_equal(talk_connect(t, 1, "2001:db8:0:7::1"), 0);
	assert_int_equal(talk_connect(t, 2, "2001:db8:0:7:f::1"), 0);
	assert_int_equal(talk_connect(t, 3, "2001:db8:0:7:ffff::"), 0);
	assert_int_equal(talk_connect(t, 4, "2001:db8:0:7::2"), PLYD_EADDRESS);
	assert_int_equal(talk_connect(t, 5, "2001:db8:0:8::2"), 0);
	/* of IPv4 each is its own, however it is written */
	assert_int_equal(talk_connect(t, 6, "192.0.2.1"), 0);
	assert_int_equal(talk_connect(t, 7, "::ffff:192.0.2.2"), 0);
	hub_disconnected(t->hub, 2, t->now_ms);
	assert_int_equal(talk_connect(t, 8, "2001:db8:0:7::2"), 0);
}

/* Who comes as ever other guests, lobbies and matches behind him, must wait. */
static void guests_of_one_address_are_counted(void **state)
{
	struct talk *t = *state;
	int came = 0;
	for (uint64_t conn = 1; t->error[0] == '\0'; conn = conn % 20 + 1) {
		assert_int_equal(talk_connect(t, conn, "127.0.0.1"), 0);
		came += talk_ask(t, conn, "hello", "protocol=i", (int64_t)1);
		hub_disconnected(t->hub, conn, t->now_ms);
	}
	assert_string_equal(t->error, "rate_limited");
	assert_int_equal(came, 8 * t->limits.connections_per_address);
	int64_t retry_ms = talk_number(t, "retry_after_ms");
	assert_true(retry_ms > 0 && retry_ms <= 200);
	assert_int_equal(talk_connect(t, 21, "10.0.0.1"), 0);
	assert_true(talk_ask(t, 21, "hello", "protocol=i", (int64_t)1));
	talk_wait(t, (uint64_t)retry_ms);
	assert_int_equal(talk_connect(t, 22, "127.0.0.1"), 0);
	assert_true(talk_ask(t, 22, "hello", "protocol=i", (int64_t)1));
}

static void the_rate_recovers(void **state)
{
	struct talk *t = *state;
	hello(t, 1);
	for (int i = 0; i < 9; i++)
		assert_true(talk_ask(t, 1, "ping", ""));
	assert_false(talk_ask(t, 1, "ping", ""));
	assert_string_equal(t->error, "rate_limited");
	assert_int_equal(talk_number(t, "retry_after_ms"), 200);
	talk_wait(t, 199);
	assert_false(talk_ask(t, 1, "ping", ""));
	assert_int_equal(talk_number(t, "retry_after_ms"), 1);
	talk_wait(t, 1);
	assert_true(talk_ask(t, 1, "ping", ""));
	assert_false(talk_ask(t, 1, "ping", ""));
	talk_wait(t, 3600000 - 3540001); /* full again, and not more */
	for (int i = 0; i < 10; i++)
		assert_true(talk_ask(t, 1, "ping", ""));
	assert_false(talk_ask(t, 1, "ping", ""));
}

/* Deadlines are not set anew by a byte. */
/* A short question with a long answer costs more than one. */
static void a_long_answer_counts_as_several(void **state)
{
	struct talk *t = *state;
	static const char many[] =
		"XGID=-o------B-B-B-B-B-B-B-A---:0:0:1:11:0:0:0:0:10";
	size_t before;
	hello(t, 1);
	talk_wait(t, 2000); /* ten requests */
	before = t->line[1].bytes;
	assert_true(talk_ask(t, 1, "rules.moves", "ruleset=s position=s",
			     "backgammon", many));
	size_t parts = (t->line[1].bytes - before) / (16 * 1024);
	assert_in_range(parts, 1, 4);
	for (size_t i = 0; i < 9 - parts; i++)
		assert_true(talk_ask(t, 1, "ping", ""));
	assert_false(talk_ask(t, 1, "ping", ""));
	assert_string_equal(t->error, "rate_limited");
	/* it may cost more than there is, but no more than to wait for */
	talk_wait(t, 200);
	assert_true(talk_ask(t, 1, "rules.moves", "ruleset=s position=s",
			     "backgammon", many));
	assert_false(talk_ask(t, 1, "ping", ""));
	assert_int_equal(talk_number(t, "retry_after_ms"), 200 * (1 + parts));
	talk_wait(t, 200 * (1 + parts));
	assert_true(talk_ask(t, 1, "ping", ""));
}

static void silence_ends(void **state)
{
	struct talk *t = *state;
	static const uint8_t begun[] = { 0x94, 0 };
	talk_connect(t, 1, "127.0.0.1");
	hello(t, 2);
	hello(t, 3);
	talk_send(t, 2, span_of(begun, 1));
	talk_wait(t, t->limits.hello_ms - 1);
	assert_false(t->line[1].closed);
	talk_wait(t, 1);
	assert_string_equal(t->line[1].closing, "idle");
	talk_wait(t, t->limits.message_ms - t->limits.hello_ms - 1);
	talk_send(t, 2, span_of(begun + 1, 1));
	assert_false(t->line[2].closed);
	talk_wait(t, 1);
	assert_string_equal(t->line[2].closing, "idle");
	assert_true(talk_ask(t, 3, "ping", ""));
	talk_wait(t, t->limits.idle_ms - 1);
	assert_false(t->line[3].closed);
	talk_wait(t, 1);
	assert_string_equal(t->line[3].closing, "idle");
	assert_int_equal(hub_counts(t->hub).sessions, 0);
}

static void the_end_is_told_to_all(void **state)
{
	struct talk *t = *state;
	hello(t, 1);
	hello(t, 2);
	talk_connect(t, 3, "127.0.0.1");
	hub_close_all(t->hub, PLYD_ESHUTDOWN, NULL, 0);
	talk_read(t);
	for (uint64_t conn = 1; conn <= 3; conn++) {
		assert_true(t->line[conn].closed);
		assert_string_equal(t->line[conn].closing, "shutting_down");
	}
	assert_false(talk_ask(t, 1, "ping", "")); /* not heard any more */
}

/* A record that is being read counts as waiting: who closed his half of the
 * connection after asking is not cut off. */
static void a_record_is_waited_for(void **state)
{
	struct talk *t = *state;
	struct buf b;
	hello(t, 1);
	buf_init(&b, 256);
	talk_write(t, 1, &b, "record.get", "match=s", "aaaaaaaaaa");
	hub_bytes(t->hub, 1, buf_span(&b), t->now_ms, 0);
	buf_release(&b);
	assert_int_equal(hub_counts(t->hub).waiting, 1);
	const struct hub_record none = { .err = PLYD_ENORECORD };
	hub_record(t->hub, 1, t->reading.msgid, &t->reading.match, &none);
	t->reading.wanted = false;
	hub_flush(t->hub, t->now_ms);
	talk_read(t);
	assert_int_equal(hub_counts(t->hub).waiting, 0);
	assert_string_equal(t->error, "no_such_record");
}

static bool is_kept(const struct talk *t, const char *match)
{
	struct id id;
	snprintf(id.text, sizeof(id.text), "%.*s", ID_CHARS, match);
	return domain_match(hub_domain(t->hub), &id) != NULL;
}

/* If its end is lost it goes on, and who watches it must be known still. */
static void a_match_is_kept_until_its_end_is_durable(void **state)
{
	struct talk *t = *state;
	char lobby[16], match[16];
	const uint64_t keep_ms =
		(uint64_t)domain_limits(hub_domain(t->hub))->result_keep_ms;
	hello(t, 1);
	hello(t, 2);
	assert_true(talk_ask(t, 1, "lobby.create",
			     "ruleset=s ready=b unlimited=b", "english", true,
			     true));
	snprintf(lobby, sizeof(lobby), "%s", talk_text(t, "lobby"));
	assert_true(
		talk_ask(t, 2, "lobby.join", "lobby=s ready=b", lobby, true));
	snprintf(match, sizeof(match), "%s", talk_text(t, "match"));
	t->hold = true;
	talk_ask(t, 1, "match.resign", "match=s", match);
	talk_wait(t, 2 * keep_ms);
	assert_true(is_kept(t, match));
	t->hold = false;
	talk_commit(t);
	talk_wait(t, keep_ms - 1);
	assert_true(is_kept(t, match));
	talk_wait(t, 1);
	assert_false(is_kept(t, match));
}

#define TALK_TEST(name)                                                        \
	cmocka_unit_test_setup_teardown(name, open_talk, close_talk)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TALK_TEST(requests_behind_hello),
		TALK_TEST(a_session_moves),
		TALK_TEST(connections_are_counted),
		TALK_TEST(a_network_of_ipv6_is_one_address),
		TALK_TEST(guests_of_one_address_are_counted),
		TALK_TEST(the_rate_recovers),
		TALK_TEST(a_long_answer_counts_as_several),
		TALK_TEST(silence_ends),
		TALK_TEST(the_end_is_told_to_all),
		TALK_TEST(a_record_is_waited_for),
		TALK_TEST(a_match_is_kept_until_its_end_is_durable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
