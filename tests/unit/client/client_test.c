/* SPDX-License-Identifier: MIT
 * client_test.c - hello, sessions, and requests that are asked again. */
#include "stage.h"

static void hello_comes_first(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	assert_int_equal(client_request(s.client, "ping", NULL, 0, on_answer,
					&s),
			 0);
	nothing_to_take(&s);
	client_connected(s.client);
	welcome(&s, TOKEN_1, false, NULL);
	nothing_to_take(&s); /* not before hello was answered */
	says(&s);
	answer_empty(&s, take(&s, METHOD_PING)->msgid);
	nothing_to_take(&s);
	says(&s);
	told(&s, "ready Ada\nanswer of 0\n");
	assert_string_equal(client_token(s.client), TOKEN_1);
	stage_close(&s);
}

static void a_saved_token_resumes(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, TOKEN_1);
	client_connected(s.client);
	welcome(&s, TOKEN_2, true, "m2n4p6r7st");
	says(&s);
	answer_watch(&s, "m2n4p6r7st", 9, 3, NULL);
	says(&s);
	told(&s, "ready Ada resumed\n"
		 "match m2n4p6r7st playing seq=9 ply=3 turn=0 you=1\n");
	assert_string_equal(client_token(s.client), TOKEN_2);
	stage_close(&s);
}

static void a_lost_hello_keeps_the_token(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, TOKEN_1);
	client_connected(s.client);
	take(&s, METHOD_HELLO);
	client_disconnected(s.client);
	client_connected(s.client);
	const struct request *r = take(&s, METHOD_HELLO);
	assert_true(r->params.hello.has_token);
	assert_int_equal(r->params.hello.token.at[0], 0x11);
	told(&s, "");
	stage_close(&s);
}

static void errors_are_told(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	client_move(s.client, "m2n4p6r7st", 4, "1-5", on_answer, &s);
	const struct request *r = take(&s, METHOD_MATCH_MOVE);
	assert_int_equal(r->params.match_move.ply, 4);
	assert_true(span_is(r->params.match_move.move, "1-5"));
	rpc_error(&s.message, r->msgid, PLYD_ETURN, NULL, NULL, NULL);
	says(&s);
	told(&s, "answer not_your_turn: The other seat is to play.\n");
	stage_close(&s);
}

static void ask(struct stage *s, const char *method)
{
	assert_int_equal(client_ask_match(s->client, method, "m2n4p6r7st",
					  on_answer, s),
			 0);
}

static void what_is_safe_is_asked_again(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	client_move(s.client, "m2n4p6r7st", 4, "1-5", on_answer, &s);
	ask(&s, "match.resign");
	create(&s, "k1");
	create(&s, NULL);
	uint32_t move = take(&s, METHOD_MATCH_MOVE)->msgid;
	client_disconnected(s.client);
	told(&s, "answer io_error: Reading or writing failed; the log has the "
		 "cause.\n"
		 "answer io_error: Reading or writing failed; the log has the "
		 "cause.\n");
	ask(&s, "match.abort"); /* not sent yet, so it is not lost */
	client_connected(s.client);
	welcome(&s, TOKEN_2, true, NULL);
	says(&s);
	assert_int_equal(take(&s, METHOD_MATCH_MOVE)->msgid, move);
	const struct request *r = take(&s, METHOD_LOBBY_CREATE);
	assert_true(span_is(r->params.lobby_create.key, "k1"));
	assert_int_equal(r->params.lobby_create.base_ms, 60000);
	take(&s, METHOD_MATCH_ABORT);
	nothing_to_take(&s);
	told(&s, "ready Ada resumed\n");
	answer_empty(&s, move);
	answer_empty(&s, move); /* a second answer is nobody's */
	says(&s);
	told(&s, "answer of 0\n");
	stage_close(&s);
}

/* Every method is asked on a connection that is then lost; those with these
 * words as their last only look or watch, and none of them is given up. */
static void whatever_looks_is_asked_again(void **state)
{
	static const char *const last[] = {
		"ping",    "info",   "list",      "get",         "moves",
		"check",   "status", "watch",     "unwatch",     "sessions",
		"history", "round",  "standings", "leaderboard",
	};
	static const char *const methods[] = {
#define M(id, UPPER, name, wire, state, order, RESULT, doc) wire,
		METHODS(M)
#undef M
	};
	struct stage s;
	(void)state;
	for (size_t m = 0; m < sizeof(methods) / sizeof(*methods); m++) {
		const char *name = methods[m];
		const char *word = strrchr(name, '.');
		bool looks = false;
		word = word ? word + 1 : name;
		for (size_t i = 0; i < sizeof(last) / sizeof(*last); i++)
			looks = looks || !strcmp(word, last[i]);
		if (!looks || !strncmp(name, "admin.", 6))
			continue;
		open_with(&s, 7, NULL);
		go_online(&s);
		assert_int_equal(client_request(s.client, name, NULL, 0,
						on_answer, &s),
				 0);
		client_disconnected(s.client);
		told(&s, "");
		stage_close(&s);
	}
}

static void what_was_never_sent_is_not_lost(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	ask(&s, "match.resign");
	client_connected(s.client);
	uint32_t hello = take(&s, METHOD_HELLO)->msgid;
	/* an answer to what the server has not seen is none */
	answer_empty(&s, hello - 1);
	says(&s);
	client_disconnected(s.client);
	told(&s, "");
	client_connected(s.client);
	welcome(&s, TOKEN_1, false, NULL);
	says(&s);
	take(&s, METHOD_MATCH_RESIGN);
	nothing_to_take(&s);
	stage_close(&s);
}

static void what_is_asked_when_ready_is_asked_once(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	s.ask_when_ready = true;
	ask(&s, "match.resign");
	go_online(&s);
	take(&s, METHOD_SERVER_INFO);
	take(&s, METHOD_MATCH_RESIGN);
	nothing_to_take(&s);
	stage_close(&s);
}

static void a_forgotten_session_ends_all(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	started(&s, "m2n4p6r7st", 2);
	says(&s);
	s.told[0] = '\0';
	client_disconnected(s.client);
	client_move(s.client, "m2n4p6r7st", 0, "1-5", on_answer, &s);
	client_connected(s.client);
	rpc_error(&s.message, take(&s, METHOD_HELLO)->msgid, PLYD_ETOKEN, NULL,
		  NULL, NULL);
	says(&s);
	told(&s, "closing bad_token\n");
	client_disconnected(s.client);
	client_forget(s.client);
	told(&s, "answer bad_token: The resume token is unknown or has been "
		 "replaced.\n"
		 "lost m2n4p6r7st bad_token\n");
	client_connected(s.client);
	welcome(&s, TOKEN_1, false, NULL);
	says(&s);
	nothing_to_take(&s);
	stage_close(&s);
}

static void closing_is_told(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	rpc_begin_notification(&s.message, "lobby.closed");
	put_map(&s.message, 1);
	str(&s.message, "lobby", "k3v5q7mzab");
	rpc_closing(&s.message, PLYD_EREPLACED, NULL, NULL, NULL);
	started(&s, "m2n4p6r7st", 2); /* nothing comes after closing */
	says(&s);
	told(&s, "notice lobby.closed of 1\nclosing replaced\n");
	assert_false(client_is_ready(s.client));
	stage_close(&s);
}

static void requests_are_bounded(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	for (int i = 0; i < CLIENT_REQUESTS_MAX; i++)
		assert_int_equal(client_request(s.client, "ping", NULL, 0,
						on_answer, &s),
				 0);
	assert_int_equal(client_request(s.client, "ping", NULL, 0, on_answer,
					&s),
			 PLYD_ETOOMANY);
	/* matches that cannot be watched for that are watched later */
	client_connected(s.client);
	welcome(&s, TOKEN_1, false, "m2n4p6r7st");
	says(&s);
	for (int i = 0; i < CLIENT_REQUESTS_MAX; i++)
		answer_empty(&s, take(&s, METHOD_PING)->msgid);
	nothing_to_take(&s);
	says(&s);
	answer_watch(&s, "m2n4p6r7st", 5, 3, NULL);
	nothing_to_take(&s);
	stage_close(&s);
}

static struct bad_bytes {
	const char *name;
	uint8_t at[12];
	size_t len;
	int err;
} bad_bytes[] = {
	{ "not MessagePack", { 0xc1 }, 1, PLYD_EMESSAGE },
	{ "an integer", { 0x07 }, 1, PLYD_EMESSAGE },
	{ "a request",
	  { 0x94, 0, 1, 0xa1, 'x', 0x91, 0x80 },
	  7,
	  PLYD_EMESSAGE },
	{ "a response without result", { 0x93, 1, 1, 0xc0 }, 4, PLYD_EMESSAGE },
	{ "an error that is none",
	  { 0x94, 1, 1, 0x01, 0xc0 },
	  5,
	  PLYD_EMESSAGE },
	{ "an error with a positive code",
	  { 0x94, 1, 1, 0x94, 1, 0xa1, 'x', 0xa0, 0x80, 0xc0 },
	  10,
	  PLYD_EMESSAGE },
	{ "nine deep",
	  { 0x93, 2, 0x91, 0x91, 0x91, 0x91, 0x91, 0x91, 0x91, 0x90, 0xc0 },
	  11,
	  PLYD_ETOODEEP },
	{ "a message of 8 GiB", { 0xdd, 0x10, 0, 0, 0 }, 5, PLYD_ETOOLARGE },
	{ "a float",
	  { 0x93, 2, 0xa1, 'x', 0x91, 0xca, 0, 0, 0, 0 },
	  10,
	  PLYD_EWIRETYPE },
};

static void bad_bytes_are_named(void **state)
{
	const struct bad_bytes *row = *state;
	struct stage s;
	open_with(&s, 1, NULL);
	go_online(&s);
	buf_put(&s.message, row->at, row->len);
	assert_int_equal(feed(&s), row->err);
	told(&s, "");
	stage_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hello_comes_first),
		cmocka_unit_test(a_saved_token_resumes),
		cmocka_unit_test(a_lost_hello_keeps_the_token),
		cmocka_unit_test(errors_are_told),
		cmocka_unit_test(what_is_safe_is_asked_again),
		cmocka_unit_test(whatever_looks_is_asked_again),
		cmocka_unit_test(what_was_never_sent_is_not_lost),
		cmocka_unit_test(what_is_asked_when_ready_is_asked_once),
		cmocka_unit_test(a_forgotten_session_ends_all),
		cmocka_unit_test(closing_is_told),
		cmocka_unit_test(requests_are_bounded),
	};
	int failed = RUN_TABLE("bad bytes", bad_bytes, bad_bytes_are_named);
	return failed +
	       cmocka_run_group_tests_name("client", tests, NULL, NULL);
}
