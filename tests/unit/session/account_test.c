/* SPDX-License-Identifier: MIT
 * Accounts over connections: who is answered, who is closed, what is shown, and
 * how often a password may be tried. Passwords are hashed falsely. */
#include "talk.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "session/throttle.h"

enum { TOKEN_CHARS = 2 * TOKEN_BYTES };

/* Connects and says hello as a guest; token takes what the answer gives. */
static void guest(struct talk *t, uint64_t conn, const char *name, char *token)
{
	assert_int_equal(talk_connect(t, conn, "10.0.0.1"), 0);
	assert_true(talk_ask(t, conn, "hello", "protocol=i name=s", (int64_t)1,
			     name));
	if (token)
		snprintf(token, TOKEN_CHARS + 1, "%s", talk_text(t, "token"));
}

static bool login(struct talk *t, uint64_t conn, const char *address,
		  const char *name, const char *password)
{
	assert_int_equal(talk_connect(t, conn, address), 0);
	return talk_ask(t, conn, "hello", "protocol=i login=s password=s",
			(int64_t)1, name, password);
}

static bool resumes(struct talk *t, uint64_t conn, const char *token)
{
	assert_int_equal(talk_connect(t, conn, "10.0.0.1"), 0);
	return talk_ask(t, conn, "hello", "protocol=i token=s", (int64_t)1,
			token);
}

static void member(struct talk *t, uint64_t conn, const char *name,
		   const char *password)
{
	guest(t, conn, name, NULL);
	assert_true(talk_ask(t, conn, "account.register", "login=s password=s",
			     name, password));
}

/* A match between two connections that have said hello; its id. */
static const char *match_of(struct talk *t, uint64_t white, uint64_t black)
{
	static char id[ID_CHARS + 1];
	char lobby[ID_CHARS + 1];
	assert_true(talk_ask(t, white, "lobby.create",
			     "ruleset=s side=s ready=b", "english", "white",
			     true));
	snprintf(lobby, sizeof(lobby), "%s", talk_text(t, "lobby"));
	assert_true(talk_ask(t, black, "lobby.join", "lobby=s ready=b", lobby,
			     true));
	assert_true(talk_ask(t, black, "match.list", ""));
	struct span text;
	const struct value *list = value_find(t->result, "matches");
	const struct value *last = value_at(list, value_count(list) - 1);
	assert_int_equal(value_str(value_find(last, "match"), &text), 0);
	assert_true(span_copy(text, id, sizeof(id)));
	return id;
}

/* AU-05: what was known before the login has no rights after it. */
static void the_token_changes_with_the_rights(void **state)
{
	struct talk t;
	char before[TOKEN_CHARS + 1], after[TOKEN_CHARS + 1];
	(void)state;
	talk_open(&t, NULL);
	guest(&t, 1, "Ann", before);
	assert_true(talk_ask(&t, 1, "account.register", "login=s password=s",
			     "ann", "secret-1"));
	snprintf(after, sizeof(after), "%s", talk_text(&t, "token"));
	assert_string_not_equal(before, after);
	assert_false(resumes(&t, 2, before));
	assert_string_equal(t.error, "bad_token");
	assert_true(resumes(&t, 3, after));
	talk_close(&t);
}

/* AU-03: the id of a player, which everybody sees, opens nothing. */
static void an_id_is_no_token(void **state)
{
	struct talk t;
	char token[TOKEN_CHARS + 1];
	(void)state;
	talk_open(&t, NULL);
	guest(&t, 1, "Ann", token);
	guest(&t, 2, "Bob", NULL);
	struct span id;
	assert_true(talk_ask(&t, 1, "account.get", ""));
	value_str(value_find(value_find(t.result, "player"), "id"), &id);
	char forged[TOKEN_CHARS + 1];
	memset(forged, '0', TOKEN_CHARS);
	for (size_t i = 0; i < id.len; i++)
		snprintf(forged + 2 * i, 3, "%02x", id.at[i]);
	forged[2 * id.len] = '0';
	forged[TOKEN_CHARS] = '\0';
	assert_false(resumes(&t, 3, forged));
	assert_string_equal(t.error, "bad_token");
	talk_close(&t);
}

/* AU-01 */
static void a_new_password_closes_the_other_connections(void **state)
{
	struct talk t;
	char phone[TOKEN_CHARS + 1];
	(void)state;
	talk_open(&t, NULL);
	member(&t, 1, "ann", "secret-1");
	assert_true(login(&t, 2, "10.0.0.2", "ann", "secret-1"));
	snprintf(phone, sizeof(phone), "%s", talk_text(&t, "token"));
	guest(&t, 3, "Bob", NULL);
	char match[ID_CHARS + 1];
	snprintf(match, sizeof(match), "%s", match_of(&t, 3, 2));
	assert_true(talk_ask(&t, 1, "account.password", "old=s new=s",
			     "secret-1", "secret-2"));
	assert_string_equal(t.line[2].closing, "session_ended");
	assert_true(t.line[2].closed);
	assert_false(resumes(&t, 4, phone));
	assert_string_equal(t.error, "bad_token");
	/* the other session of hers is still there, and so is the match */
	assert_true(talk_ask(&t, 1, "match.move", "match=s ply=i move=s", match,
			     (int64_t)0, "11-15"));
	assert_true(talk_ask(&t, 1, "account.logout", "everywhere=b", true));
	assert_string_equal(t.line[3].last_notice, "match.presence");
	talk_close(&t);
}

/* AU-06: all in one segment. */
static void what_follows_a_logout_is_refused(void **state)
{
	struct talk t;
	struct buf b;
	(void)state;
	talk_open(&t, NULL);
	member(&t, 1, "ann", "secret-1");
	guest(&t, 2, "Bob", NULL);
	char match[ID_CHARS + 1];
	snprintf(match, sizeof(match), "%s", match_of(&t, 2, 1));
	buf_init(&b, MESSAGE_BYTES_MAX);
	size_t answers = t.line[1].answers;
	talk_write(&t, 1, &b, "account.logout", "");
	talk_write(&t, 1, &b, "match.move", "match=s ply=i move=s", match,
		   (int64_t)0, "11-15");
	talk_write(&t, 1, &b, "lobby.list", "");
	talk_write(&t, 1, &b, "hello", "protocol=i login=s password=s",
		   (int64_t)1, "ann", "secret-1");
	talk_send(&t, 1, buf_span(&b));
	buf_release(&b);
	assert_int_equal(t.line[1].answers, answers + 4);
	/* and the same connection may be somebody again */
	assert_true(talk_ask(&t, 1, "match.get", "match=s", match));
	assert_int_equal(talk_number(&t, "ply"), 0);
	assert_int_equal(hub_counts(t.hub).sessions, 2);
	talk_close(&t);
}

/* LB-01 over two sessions: one person, one seat, told to all of them. */
static void every_session_hears_of_its_seats(void **state)
{
	struct talk t;
	(void)state;
	talk_open(&t, NULL);
	member(&t, 1, "ann", "secret-1");
	guest(&t, 2, "Bob", NULL);
	assert_true(login(&t, 3, "10.0.0.2", "ann", "secret-1"));
	char match[ID_CHARS + 1];
	snprintf(match, sizeof(match), "%s", match_of(&t, 2, 1));
	assert_string_equal(t.line[3].last_notice, "match.started");
	assert_true(talk_ask(&t, 3, "match.move", "match=s ply=i move=s", match,
			     (int64_t)0, "11-15"));
	assert_string_equal(t.line[1].last_event, "moved");
	assert_int_equal(t.line[1].seq, 2);
	assert_int_equal(t.line[3].seq, 2);
	/* the seat is taken back by the very next command */
	assert_true(talk_ask(&t, 1, "match.offer_draw", "match=s", match));
	assert_string_equal(t.line[3].last_notice, "match.event");
	assert_true(talk_ask(&t, 1, "account.sessions", ""));
	assert_int_equal(value_count(value_find(t.result, "sessions")), 2);
	talk_close(&t);
}

static void passwords_are_of_8_to_128_bytes(void **state)
{
	struct talk t;
	char many[PASSWORD_BYTES_MAX + 1] = "";
	(void)state;
	talk_open(&t, NULL);
	guest(&t, 1, "Ann", NULL);
	assert_false(talk_ask(&t, 1, "account.register", "login=s password=s",
			      "ann", "seven-7"));
	assert_string_equal(t.error, "out_of_range");
	/* 65 letters of two bytes each */
	for (int i = 0; i < 64; i++)
		strcat(many, "\xc3\xa9");
	char more[PASSWORD_BYTES_MAX + 3];
	snprintf(more, sizeof(more), "%s\xc3\xa9", many);
	assert_false(talk_ask(&t, 1, "account.register", "login=s password=s",
			      "ann", more));
	assert_string_equal(t.error, "out_of_range");
	assert_false(talk_ask(&t, 1, "account.register", "login=s password=s",
			      "Ann", many));
	assert_string_equal(t.error, "bad_value");
	assert_true(talk_ask(&t, 1, "account.register", "login=s password=s",
			     "ann", many));
	talk_close(&t);
}

static void one_way_in_at_a_time(void **state)
{
	struct talk t;
	(void)state;
	talk_open(&t, NULL);
	talk_connect(&t, 1, "10.0.0.1");
	assert_false(talk_ask(&t, 1, "hello", "protocol=i login=s", (int64_t)1,
			      "ann"));
	assert_string_equal(t.error, "missing_key");
	char token[TOKEN_CHARS + 1];
	memset(token, 'a', TOKEN_CHARS);
	token[TOKEN_CHARS] = '\0';
	assert_false(talk_ask(&t, 1, "hello",
			      "protocol=i login=s password=s token=s",
			      (int64_t)1, "ann", "secret-1", token));
	assert_string_equal(t.error, "bad_value");
	/* while a password is checked there is no second hello */
	t.hold_hash = true;
	talk_ask(&t, 1, "hello", "protocol=i login=s password=s", (int64_t)1,
		 "ann", "secret-1");
	assert_false(talk_ask(&t, 1, "hello", "protocol=i", (int64_t)1));
	assert_string_equal(t.error, "hello_again");
	talk_hashed(&t);
	assert_string_equal(t.error, "bad_login");
	assert_true(talk_ask(&t, 1, "hello", "protocol=i", (int64_t)1));
	talk_close(&t);
}

/* Tries are counted for the login, whether there is one or not, and for the
 * address; a good password costs none. */
static void guessing_is_slow(void **state)
{
	struct talk t;
	struct hub_limits limits;
	(void)state;
	hub_limits_default(&limits);
	limits.requests_burst = 1000000;
	limits.logins_per_account = 3;
	limits.logins_per_address = 8;
	talk_open(&t, &limits);
	member(&t, 1, "ann", "secret-1");
	static const char *const names[] = { "ann", "nobody" };
	for (size_t i = 0; i < COUNT(names); i++) {
		uint64_t conn = 2 + i;
		assert_false(
			login(&t, conn, "10.0.0.9", names[i], "wrong-one"));
		for (int n = 0; n < 3; n++) {
			assert_string_equal(t.error, n < 3 ? "bad_login" : "");
			talk_ask(&t, conn, "hello",
				 "protocol=i login=s password=s", (int64_t)1,
				 names[i], "wrong-one");
		}
		assert_string_equal(t.error, "rate_limited");
		assert_int_equal(talk_number(&t, "retry_after_ms"),
				 limits.login_account_ms);
	}
	/* there the right one has to wait, too, but not for ever */
	assert_false(login(&t, 5, "10.0.0.9", "ann", "secret-1"));
	assert_string_equal(t.error, "rate_limited");
	assert_true(login(&t, 6, "10.0.0.8", "ann", "secret-1"));
	talk_wait(&t, (uint64_t)limits.login_account_ms);
	for (uint64_t conn = 7; conn < 12; conn++)
		assert_true(login(&t, conn, "10.0.0.9", "ann", "secret-1"));
	talk_close(&t);
}

/* Of one account from ever more addresses, until all the world must wait. */
static int guess_from_everywhere(struct talk *t, uint64_t conn)
{
	char address[16];
	int guesses = 0;
	for (int n = 0; n < 64; n++) {
		snprintf(address, sizeof(address), "10.0.1.%d", n);
		for (int tries = 0; tries < 2; tries++) {
			login(t, conn, address, "ann", "wrong-one");
			hub_disconnected(t->hub, conn, t->now_ms);
			if (strcmp(t->error, "bad_login"))
				return guesses;
			guesses++;
		}
	}
	return guesses;
}

static void many_guessers_lock_out_nobody_who_is_known(void **state)
{
	struct talk t;
	struct hub_limits limits;
	(void)state;
	hub_limits_default(&limits);
	limits.requests_burst = 1000000;
	limits.logins_per_account = 3;
	talk_open(&t, &limits);
	member(&t, 1, "ann", "secret-1"); /* from 10.0.0.1 */
	assert_int_equal(guess_from_everywhere(&t, 2), 30);
	assert_string_equal(t.error, "rate_limited");
	assert_false(login(&t, 3, "10.0.0.8", "ann", "secret-1"));
	assert_string_equal(t.error, "rate_limited");
	for (uint64_t conn = 4; conn < 8; conn++)
		assert_true(login(&t, conn, "10.0.0.1", "ann", "secret-1"));
	/* but there only so many wrong ones are free */
	for (uint64_t n = 0; n < 4; n++) {
		login(&t, 8 + n, "10.0.0.1", "ann", "wrong-one");
		assert_string_equal(t.error,
				    n < 3 ? "bad_login" : "rate_limited");
	}
	/* and elsewhere it is a matter of seconds */
	talk_wait(&t, (uint64_t)limits.login_account_ms / 10 + 1);
	assert_true(login(&t, 12, "10.0.0.8", "ann", "secret-1"));
	talk_close(&t);
}

static void an_address_has_its_own_measure(void **state)
{
	struct talk t;
	struct hub_limits limits;
	(void)state;
	hub_limits_default(&limits);
	limits.logins_per_address = 4;
	talk_open(&t, &limits);
	talk_connect(&t, 1, "10.0.0.9");
	for (int n = 0; n < 5; n++) {
		char name[] = { 'a', 'a', (char)('a' + n), '\0' };
		talk_ask(&t, 1, "hello", "protocol=i login=s password=s",
			 (int64_t)1, name, "wrong-one");
		assert_string_equal(t.error,
				    n < 4 ? "bad_login" : "rate_limited");
	}
	assert_false(login(&t, 2, "10.0.0.8", "aaa", "wrong-one"));
	assert_string_equal(t.error, "bad_login");
	talk_close(&t);
}

static void a_throttle_forgets_in_order(void **state)
{
	struct throttle th;
	char name[16];
	(void)state;
	throttle_init(&th, 2, 1000);
	throttle_take(&th, "first", 0);
	throttle_take(&th, "first", 0);
	assert_int_equal(throttle_wait_ms(&th, "first", 0), 1000);
	assert_int_equal(throttle_wait_ms(&th, "first", 400), 600);
	assert_int_equal(throttle_wait_ms(&th, "first", 1000), 0);
	throttle_give(&th, "first");
	assert_int_equal(throttle_wait_ms(&th, "first", 0), 0);
	throttle_take(&th, "first", 0);
	for (int i = 0; i < THROTTLED_MAX; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		throttle_take(&th, name, 0);
		if (i == 5)
			throttle_take(&th, "first", 0); /* seen again */
	}
	assert_int_equal(throttle_wait_ms(&th, "first", 0), 2000);
	throttle_take(&th, "n0", 0);
	assert_int_equal(throttle_wait_ms(&th, "n0", 0), 0); /* forgotten */
	throttle_release(&th);
}

/* A commit that failed: nothing happened, and everybody is told. */
static void what_is_not_stored_did_not_happen(void **state)
{
	struct talk t;
	(void)state;
	talk_open(&t, NULL);
	guest(&t, 1, "Ann", NULL);
	t.hold_hash = true;
	talk_ask(&t, 1, "account.register", "login=s password=s", "ann",
		 "secret-1");
	hub_commit_failed(t.hub, t.last_row + 1);
	talk_read(&t);
	assert_string_equal(t.error, "not_stored");
	talk_hashed(&t); /* too late */
	assert_null(t.line[1].closing[0] ? t.line[1].closing : NULL);
	assert_int_equal(domain_account_count(hub_domain(t.hub)), 0);
	talk_close(&t);
}

/* What a player may see of himself; nothing that opens anything is in it. */
static void the_export_has_no_secrets(void **state)
{
	struct talk t;
	(void)state;
	talk_open(&t, NULL);
	member(&t, 1, "ann", "secret-1");
	assert_true(talk_ask(&t, 1, "account.export", ""));
	assert_null(memmem(t.kept.at, t.kept.len, "secret-1", 8));
	assert_null(memmem(t.kept.at, t.kept.len, "h:", 2));
	assert_true(
		talk_ask(&t, 1, "account.delete", "password=s", "secret-1"));
	assert_false(talk_ask(&t, 1, "account.get", ""));
	assert_string_equal(t.error, "hello_first");
	assert_false(talk_ask(&t, 1, "hello", "protocol=i login=s password=s",
			      (int64_t)1, "ann", "secret-1"));
	assert_string_equal(t.error, "bad_login");
	talk_close(&t);
}

static bool says(const struct value *map, const char *key, const char *text)
{
	struct span said;
	return !value_str(value_find(map, key), &said) && span_is(said, text);
}

/* A rated match that one resigns is in what both may take home. */
static void the_export_has_the_ratings(void **state)
{
	static const char *const results[] = { "win", "loss" };
	struct talk t;
	char id[ID_CHARS + 1];
	(void)state;
	talk_open(&t, NULL);
	member(&t, 1, "ann", "secret-1");
	member(&t, 2, "bob", "secret-2");
	assert_true(talk_ask(&t, 1, "lobby.create", "ruleset=s rated=b ready=b",
			     "english", true, true));
	snprintf(id, sizeof(id), "%s", talk_text(&t, "lobby"));
	assert_true(talk_ask(&t, 2, "lobby.join", "lobby=s ready=b", id, true));
	const struct match *m = domain_matches(hub_domain(t.hub));
	snprintf(id, sizeof(id), "%s", m->id.text);
	assert_true(
		talk_ask(&t, 2, "match.resign", "match=s whole=b", id, true));
	for (uint64_t conn = 1; conn <= 2; conn++) {
		assert_true(talk_ask(&t, conn, "account.export", ""));
		const struct value *all = value_find(t.result, "ratings");
		const struct value *past =
			value_find(value_at(all, 0), "matches");
		assert_int_equal(value_count(all), 1);
		assert_int_equal(value_count(past), 1);
		assert_true(says(value_at(past, 0), "match", id));
		assert_true(
			says(value_at(past, 0), "result", results[conn - 1]));
	}
	talk_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_token_changes_with_the_rights),
		cmocka_unit_test(an_id_is_no_token),
		cmocka_unit_test(a_new_password_closes_the_other_connections),
		cmocka_unit_test(what_follows_a_logout_is_refused),
		cmocka_unit_test(every_session_hears_of_its_seats),
		cmocka_unit_test(passwords_are_of_8_to_128_bytes),
		cmocka_unit_test(one_way_in_at_a_time),
		cmocka_unit_test(guessing_is_slow),
		cmocka_unit_test(many_guessers_lock_out_nobody_who_is_known),
		cmocka_unit_test(an_address_has_its_own_measure),
		cmocka_unit_test(a_throttle_forgets_in_order),
		cmocka_unit_test(what_is_not_stored_did_not_happen),
		cmocka_unit_test(the_export_has_no_secrets),
		cmocka_unit_test(the_export_has_the_ratings),
	};
	return cmocka_run_group_tests_name("account", tests, NULL, NULL);
}
