/* SPDX-License-Identifier: MIT
 * hub_test.c - what leaves the hub when: the journal works, fails, or failed
 * and worked all the same. The owner here keeps all that it is given. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/digest.h"
#include "base/log.h"
#include "base/table.h"
#include "proto/methods.h"
#include "proto/write.h"
#include "record/replay.h"
#include "session/hub.h"

enum { ROWS_MAX = 64, ROW_BYTES = 2048, CONNS = 4 };

struct row {
	uint64_t number;
	struct id match;
	uint8_t at[ROW_BYTES];
	size_t len;
};

struct owner {
	struct hub *hub;
	struct row row[ROWS_MAX]; /* given, in order */
	size_t rows;
	size_t snapshots, submits, judged;
	int submit_err;
	struct buf said[CONNS]; /* to each connection */
	bool closed[CONNS];
	uint64_t now_ms;
};

/* -- the owner -- */

static void on_send(void *payload, uint64_t conn, struct span bytes)
{
	struct owner *o = payload;
	assert_false(o->closed[conn]);
	buf_put(&o->said[conn], bytes.at, bytes.len);
}

static void on_close(void *payload, uint64_t conn)
{
	struct owner *o = payload;
	o->closed[conn] = true;
}

static void on_append(void *payload, uint64_t row, const struct id *match,
		      uint64_t prev, struct span bytes)
{
	struct owner *o = payload;
	(void)prev;
	assert_true(o->rows < ROWS_MAX && bytes.len <= ROW_BYTES);
	struct row *r = &o->row[o->rows++];
	*r = (struct row){ .number = row, .match = *match, .len = bytes.len };
	memcpy(r->at, bytes.at, bytes.len);
}

static void on_secret(void *payload, const struct id *match, struct span bytes)
{
	(void)payload, (void)match, (void)bytes;
}

static void on_finish(void *payload, const struct hub_ending *e)
{
	(void)payload, (void)e;
}

static void on_snapshot(void *payload, uint64_t row, struct span bytes)
{
	struct owner *o = payload;
	(void)row, (void)bytes;
	o->snapshots++;
}

static int on_submit(void *payload)
{
	struct owner *o = payload;
	o->submits++;
	return o->submit_err;
}

static void on_think(void *payload, const struct match *m, enum awaits asked)
{
	(void)payload, (void)m, (void)asked;
}

static void on_judge(void *payload, const struct match *m)
{
	struct owner *o = payload;
	(void)m;
	o->judged++;
}

static void on_record(void *payload, uint64_t conn, uint32_t msgid,
		      const struct id *match)
{
	(void)payload, (void)conn, (void)msgid, (void)match;
}

/* A domain from the first `rows` rows. */
static struct domain *load(const struct owner *o, size_t rows)
{
	struct domain_limits limits;
	struct match_rules rules = { .draws.judged = true,
				     .clock = { .base_ms = 60000 },
				     .clock_limits = { .kinds = CLOCK_KINDS_ALL,
						       .base_ms_max = 60000 } };
	struct entropy entropy;
	struct domain *d;
	struct doc *doc = doc_new();
	domain_limits_default(&limits);
	entropy_from_seed(&entropy, 7 + rows);
	assert_int_equal(ruleset_find("english", 7, &rules.rules), 0);
	assert_int_equal(domain_new(&d, &limits, &entropy), 0);
	assert_int_equal(domain_set_rules(d, &rules, 1), 0);
	for (size_t i = 0; i < rows; i++) {
		const struct row *r = &o->row[i];
		assert_int_equal(replay_row(d, doc, r->number, &r->match,
					    span_of(r->at, r->len)),
				 0);
	}
	doc_free(doc);
	return d;
}

static int open_owner(void **state)
{
	struct owner *o = calloc(1, sizeof(*o));
	struct hub_ops ops = { .payload = o,
			       .send = on_send,
			       .close = on_close,
			       .append = on_append,
			       .secret = on_secret,
			       .finish = on_finish,
			       .snapshot = on_snapshot,
			       .submit = on_submit,
			       .think = on_think,
			       .judge = on_judge,
			       .record = on_record };
	struct hub_limits limits;
	struct entropy entropy;
	hub_limits_default(&limits);
	limits.requests_burst = 20;
	limits.requests_per_s = 1;
	entropy_from_seed(&entropy, 1);
	o->now_ms = 1000;
	for (int i = 0; i < CONNS; i++)
		buf_init(&o->said[i], 1 << 20);
	*state = o;
	if (hub_new(&o->hub, load(o, 0), &limits, &ops, &entropy))
		return -1;
	hub_wake(o->hub, o->now_ms, 0);
	return 0;
}

static int close_owner(void **state)
{
	struct owner *o = *state;
	hub_free(o->hub);
	for (int i = 0; i < CONNS; i++)
		buf_release(&o->said[i]);
	free(o);
	return 0;
}

/* -- a client -- */

static void ask(struct owner *o, uint64_t conn, const struct buf *b)
{
	hub_bytes(o->hub, conn, buf_span(b), o->now_ms, 0);
	hub_flush(o->hub, o->now_ms);
}

static void ask_hello(struct owner *o, uint64_t conn)
{
	struct buf b;
	buf_init(&b, 256);
	if (!o->said[conn].len)
		assert_int_equal(hub_connected(o->hub, conn, "127.0.0.1",
					       o->now_ms),
				 0);
	rpc_begin_request(&b, 1, "hello");
	put_map(&b, 1);
	put_cstr(&b, "protocol");
	put_int(&b, 1);
	ask(o, conn, &b);
	buf_release(&b);
}

static void heard_token(struct owner *o, uint64_t conn,
			char token[2 * TOKEN_BYTES + 1])
{
	static const char key[] = "\xa5token\xd9\x40"; /* 64 hex digits */
	const struct buf *b = &o->said[conn];
	const uint8_t *at = memmem(b->at, b->len, key, sizeof(key) - 1);
	assert_non_null(at);
	memcpy(token, at + sizeof(key) - 1, 2 * TOKEN_BYTES);
	token[2 * TOKEN_BYTES] = '\0';
}

static void ask_resume(struct owner *o, uint64_t conn, const char *token)
{
	struct buf b;
	buf_init(&b, 256);
	assert_int_equal(hub_connected(o->hub, conn, "127.0.0.1", o->now_ms),
			 0);
	rpc_begin_request(&b, 1, "hello");
	put_map(&b, 2);
	put_cstr(&b, "protocol");
	put_int(&b, 1);
	put_cstr(&b, "token");
	put_cstr(&b, token);
	ask(o, conn, &b);
	buf_release(&b);
}

static void ask_plain(struct owner *o, uint64_t conn, const char *method)
{
	struct buf b;
	buf_init(&b, 256);
	rpc_begin_request(&b, 2, method);
	put_map(&b, 0);
	ask(o, conn, &b);
	buf_release(&b);
}

static void ask_lobby(struct owner *o, uint64_t conn)
{
	struct buf b;
	buf_init(&b, 256);
	rpc_begin_request(&b, 3, "lobby.create");
	put_map(&b, 1);
	put_cstr(&b, "ruleset");
	put_cstr(&b, "english");
	ask(o, conn, &b);
	buf_release(&b);
}

static bool has_heard(struct owner *o, uint64_t conn, const char *word)
{
	const struct buf *b = &o->said[conn];
	bool yes = b->len > 0 && memmem(b->at, b->len, word, strlen(word));
	buf_clear(&o->said[conn]);
	return yes;
}

static void commit(struct owner *o)
{
	uint64_t row = o->rows > 0 ? o->row[o->rows - 1].number : 0;
	hub_committed(o->hub, row, o->now_ms);
}

static void joined(struct owner *o, uint64_t conn)
{
	ask_hello(o, conn);
	commit(o);
	assert_true(has_heard(o, conn, "token"));
}

static void rebuild(struct owner *o, size_t rows, bool writable)
{
	o->rows = rows;
	hub_rebuilt(o->hub, load(o, rows), writable, o->now_ms, 0);
	hub_flush(o->hub, o->now_ms);
}

/* -- what must hold -- */

static void answers_wait_for_the_commit(void **state)
{
	struct owner *o = *state;
	ask_hello(o, 1);
	assert_int_equal(o->rows, 1);
	assert_int_equal(o->submits, 1);
	assert_int_equal(o->said[1].len, 0);
	commit(o);
	assert_true(has_heard(o, 1, "token"));
	ask_lobby(o, 1);
	assert_int_equal(o->said[1].len, 0);
	ask_plain(o, 1, "lobby.list"); /* shows it, so it waits too */
	assert_int_equal(o->said[1].len, 0);
	ask_plain(o, 1, "ping");
	assert_true(has_heard(o, 1, "\x94\x01\x02"));
	commit(o);
	assert_true(has_heard(o, 1, "lobbies"));
}

static void a_lost_hello_is_no_session(void **state)
{
	struct owner *o = *state;
	ask_hello(o, 1);
	hub_commit_failed(o->hub, 1);
	assert_true(o->closed[1]);
	assert_int_equal(hub_counts(o->hub).sessions, 0);
	assert_true(has_heard(o, 1, "not_stored"));
}

static void sessions_outlive_a_failure(void **state)
{
	struct owner *o = *state;
	joined(o, 1);
	ask_lobby(o, 1);
	size_t lost = o->rows;
	hub_commit_failed(o->hub, 2);
	assert_true(has_heard(o, 1, "not_stored"));
	assert_false(o->closed[1]);
	ask_plain(o, 1, "lobby.list");
	assert_true(has_heard(o, 1, "not_stored"));
	assert_true(lost > 1);
	rebuild(o, 1, false);
	ask_plain(o, 1, "lobby.list");
	assert_true(has_heard(o, 1, "not_stored"));
	hub_writable(o->hub);
	ask_plain(o, 1, "lobby.list");
	assert_true(has_heard(o, 1, "total"));
	ask_lobby(o, 1);
	commit(o);
	assert_true(has_heard(o, 1, "english"));
}

/* What was reported lost and is there was told to nobody. */
static void all_look_anew_when_rows_reappear(void **state)
{
	struct owner *o = *state;
	joined(o, 1);
	joined(o, 2);
	ask_lobby(o, 1);
	size_t there = o->rows;
	hub_commit_failed(o->hub, 3);
	assert_false(o->closed[2]);
	rebuild(o, there, true);
	assert_true(o->closed[1]);
	assert_true(o->closed[2]);
	assert_true(has_heard(o, 2, "closing"));
	assert_int_equal(hub_counts(o->hub).sessions, 0);
}

/* The journal takes no more while a commit is on its way, which then succeeds:
 * its answers were `not_stored` already. */
static void all_look_anew_when_a_commit_overlapped(void **state)
{
	struct owner *o = *state;
	joined(o, 1);
	ask_lobby(o, 1);
	size_t there = o->rows;
	o->submit_err = PLYD_EFULL;
	ask_lobby(o, 1);
	assert_true(o->rows > there);
	assert_true(has_heard(o, 1, "not_stored"));
	hub_committed(o->hub, o->row[there - 1].number, o->now_ms);
	assert_int_equal(o->said[1].len, 0);
	o->submit_err = PLYD_OK;
	rebuild(o, there, true);
	assert_true(o->closed[1]);
	assert_true(has_heard(o, 1, "closing"));
}

static void no_snapshot_of_lost_state(void **state)
{
	struct owner *o = *state;
	joined(o, 1);
	ask_lobby(o, 1);
	hub_commit_failed(o->hub, 2);
	hub_snapshot(o->hub);
	hub_flush(o->hub, o->now_ms);
	assert_int_equal(o->snapshots, 0);
	rebuild(o, 1, true);
	assert_int_equal(o->snapshots, 1);
}

/* What happened between failure and rebuild is told by the new state alone. */
static void nothing_stale_is_told(void **state)
{
	struct owner *o = *state;
	joined(o, 1);
	ask_lobby(o, 1);
	hub_commit_failed(o->hub, 2);
	hub_disconnected(o->hub, 1, o->now_ms);
	rebuild(o, 1, true);
	assert_int_equal(hub_counts(o->hub).waiting, 0);
}

/* on_send() looks that nothing follows a close. */
static void closing_is_the_last_word(void **state)
{
	struct owner *o = *state;
	static const uint8_t no_messagepack[] = { 0xc1 };
	joined(o, 1);
	ask_lobby(o, 1);
	hub_bytes(o->hub, 1, span_of(no_messagepack, 1), o->now_ms, 0);
	assert_true(o->closed[1]);
	assert_true(has_heard(o, 1, "bad_message"));
	commit(o);
	assert_int_equal(o->said[1].len, 0);
}

static void malformed_requests_count(void **state)
{
	struct owner *o = *state;
	/* [0, 9, "ping", [{"a": 1, "a": 1}]] */
	static const uint8_t twice[] = { 0x94, 0,    9,    0xa4, 'p',  'i',
					 'n',  'g',  0x91, 0x82, 0xa1, 'a',
					 1,    0xa1, 'a',  1 };
	joined(o, 1);
	for (int i = 0; i < 19; i++)
		hub_bytes(o->hub, 1, span_of(twice, sizeof(twice)), o->now_ms,
			  0);
	assert_true(has_heard(o, 1, "duplicate_key"));
	hub_bytes(o->hub, 1, span_of(twice, sizeof(twice)), o->now_ms, 0);
	assert_true(has_heard(o, 1, "rate_limited"));
}

static void a_byte_at_a_time_is_enough(void **state)
{
	struct owner *o = *state;
	static const uint8_t ping[] = { 0x94, 0,   9,   0xa4, 'p',
					'i',  'n', 'g', 0x91, 0x80 };
	joined(o, 1);
	for (size_t i = 0; i < sizeof(ping); i++) {
		assert_int_equal(o->said[1].len, 0);
		hub_bytes(o->hub, 1, span_of(ping + i, 1), o->now_ms, 0);
	}
	assert_true(has_heard(o, 1, "\x94\x01\x09"));
}

/* One that waits for a commit to be told why it is closed is closed at once:
 * a server that ends does not wait for the peer. */
static void the_end_waits_for_no_commit(void **state)
{
	struct owner *o = *state;
	char token[2 * TOKEN_BYTES + 1];
	ask_hello(o, 1);
	commit(o);
	heard_token(o, 1, token);
	ask_resume(o, 2, token);
	assert_false(o->closed[1]);
	hub_close_all(o->hub, PLYD_ESHUTDOWN, NULL, 0);
	assert_true(o->closed[1]);
	assert_true(o->closed[2]);
}

static void note_error(void *payload, enum log_level level, const char *text)
{
	if (level == LOG_ERROR)
		snprintf(payload, LOG_LINE_MAX, "%s", text);
}

/* White, a personality, has more captures than can be counted. */
static struct domain *too_complex(struct owner *o, struct id *match)
{
	struct ruleset rules;
	char text[RULESET_TEXT_MAX];
	struct domain *d = load(o, 0);
	assert_int_equal(ruleset_find("turkish", 7, &rules), 0);
	assert_int_equal(ruleset_set(&rules, "turn_back", 9, "true", 4), 0);
	size_t len = ruleset_write(&rules, text);
	struct fact f = {
		.type = FACT_BEGUN,
		.row = 1,
		.match = { "aaaaaaaaaa" },
		.begun = { .rules = span_of(text, len),
			   .position = span_str(
				   "W:WKh1,Kb2,Kh2,Ka8,Kh8:Bb1,f1,a2,e2,b3,g3,"
				   "c4,f4,d5,g5,a6,e6,h6,b7,f7,d8"),
			   .unlimited = true,
			   .white_kind = KIND_PERSONALITY,
			   .black_kind = KIND_PERSONALITY },
	};
	assert_int_equal(domain_apply(d, &f), 0);
	*match = f.match;
	return d;
}

/* -- moves that wait for a verdict -- */

/* Pairs of key and text. */
static void ask_texts(struct owner *o, uint64_t conn, const char *method,
		      const char *const *pairs, size_t count, int64_t ply)
{
	struct buf b;
	buf_init(&b, 256);
	rpc_begin_request(&b, 4, method);
	put_map(&b, (uint32_t)count + 1);
	for (size_t i = 0; i < 2 * count; i++)
		put_cstr(&b, pairs[i]);
	put_cstr(&b, ply < 0 ? "ready" : "ply");
	if (ply < 0)
		put_bool(&b, true);
	else
		put_int(&b, ply);
	ask(o, conn, &b);
	buf_release(&b);
}

static void ask_move(struct owner *o, uint64_t conn, const char *move,
		     int64_t ply)
{
	const struct match *m = domain_matches(hub_domain(o->hub));
	const char *const pairs[] = { "match", m->id.text, "move", move };
	ask_texts(o, conn, "match.move", pairs, 2, ply);
}

/* Connection 1 is white, 2 black; black has moved, and is being judged. */
static void a_match_that_is_judged(struct owner *o)
{
	const char *const create[] = { "ruleset", "english", "side", "white" };
	joined(o, 1);
	joined(o, 2);
	ask_texts(o, 1, "lobby.create", create, 2, -1);
	commit(o);
	const char *const join[] = {
		"lobby", domain_lobbies(hub_domain(o->hub))->id.text
	};
	ask_texts(o, 2, "lobby.join", join, 1, -1);
	commit(o);
	ask_move(o, 2, "11-15", 0);
	commit(o);
	hub_flush(o->hub, o->now_ms);
	assert_int_equal(o->judged, 1);
	buf_clear(&o->said[1]);
	buf_clear(&o->said[2]);
}

/* Its match was told durably; it itself is nowhere, so it is not played. */
static void a_held_move_meets_a_failed_commit(void **state)
{
	struct owner *o = *state;
	const struct cmd_verdict goes_on = { .ply = 1 };
	a_match_that_is_judged(o);
	size_t durable = o->rows;
	uint64_t row = o->row[durable - 1].number;
	ask_move(o, 1, "22-18", 1);
	assert_int_equal(o->rows, durable);
	assert_int_equal(o->said[1].len, 0);
	ask_lobby(o, 2); /* what the commit is about */
	hub_commit_failed(o->hub, row + 1);
	/* [1, 4, [-36, "not_stored" ..: one answer, to this request */
	assert_true(o->said[1].len > 0);
	assert_memory_equal(o->said[1].at, "\x94\x01\x04", 3);
	assert_true(has_heard(o, 1, "not_stored"));
	rebuild(o, durable, true);
	struct id match = domain_matches(hub_domain(o->hub))->id;
	assert_int_equal(domain_match(hub_domain(o->hub), &match)->ply, 1);
	assert_int_equal(o->judged, 2); /* anew */
	hub_verdict(o->hub, &match, &goes_on, o->now_ms, 0);
	hub_flush(o->hub, o->now_ms);
	assert_int_equal(domain_match(hub_domain(o->hub), &match)->ply, 1);
	assert_int_equal(o->rows, durable);
	assert_false(has_heard(o, 1, "22-18"));
	/* who asks again plays it */
	ask_move(o, 1, "22-18", 1);
	commit(o);
	assert_true(has_heard(o, 1, "22-18"));
	assert_int_equal(domain_match(hub_domain(o->hub), &match)->ply, 2);
}

/* -- matches that must not go on -- */

static void a_freeze_is_stored_and_told(void **state)
{
	struct owner *o = *state;
	a_match_that_is_judged(o);
	struct id match = domain_matches(hub_domain(o->hub))->id;
	ask_move(o, 1, "22-18", 1);
	hub_freeze(o->hub, &match, "a fault of the test", o->now_ms, 0);
	hub_flush(o->hub, o->now_ms);
	assert_int_equal(o->said[1].len, 0); /* not before it is durable */
	commit(o);
	for (uint64_t conn = 1; conn <= 2; conn++) {
		const struct buf *b = &o->said[conn];
		assert_non_null(memmem(b->at, b->len, "frozen", 6));
		assert_non_null(
			memmem(b->at, b->len, "a fault of the test", 19));
	}
	/* the move that waited is refused */
	assert_true(has_heard(o, 1, "match_frozen"));
	rebuild(o, o->rows, true);
	assert_int_equal(domain_match(hub_domain(o->hub), &match)->state,
			 MATCH_FROZEN);
}

/* A match that can neither go on nor end is frozen, and the operator told. */
static void the_operator_is_told_of_a_frozen_match(void **state)
{
	struct owner *o = *state;
	struct id match;
	char line[LOG_LINE_MAX] = "";
	const struct cmd_thought failed = { .failed = true };
	hub_rebuilt(o->hub, too_complex(o, &match), true, o->now_ms, 0);
	hub_tick(o->hub, o->now_ms, 0);
	hub_flush(o->hub, o->now_ms);
	log_set_sink(note_error, line);
	hub_thought(o->hub, &match, &failed, o->now_ms, 0);
	log_set_sink(NULL, NULL);
	assert_int_equal(domain_match(hub_domain(o->hub), &match)->state,
			 MATCH_FROZEN);
	assert_non_null(strstr(line, "frozen"));
	assert_non_null(strstr(line, match.text));
}

#define HUB_TEST(name)                                                         \
	cmocka_unit_test_setup_teardown(name, open_owner, close_owner)

int main(void)
{
	const struct CMUnitTest tests[] = {
		HUB_TEST(answers_wait_for_the_commit),
		HUB_TEST(a_lost_hello_is_no_session),
		HUB_TEST(sessions_outlive_a_failure),
		HUB_TEST(all_look_anew_when_rows_reappear),
		HUB_TEST(all_look_anew_when_a_commit_overlapped),
		HUB_TEST(no_snapshot_of_lost_state),
		HUB_TEST(nothing_stale_is_told),
		HUB_TEST(closing_is_the_last_word),
		HUB_TEST(malformed_requests_count),
		HUB_TEST(a_byte_at_a_time_is_enough),
		HUB_TEST(the_end_waits_for_no_commit),
		HUB_TEST(a_held_move_meets_a_failed_commit),
		HUB_TEST(a_freeze_is_stored_and_told),
		HUB_TEST(the_operator_is_told_of_a_frozen_match),
	};
	if (crypto_ready())
		return 1;
	table_ready();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
