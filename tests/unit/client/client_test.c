/* SPDX-License-Identifier: MIT
 * client_test.c - the client against a server that follows a script. What the
 * client sends is read by the server's own decoder; what it tells its caller is
 * written down as text and compared. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <plyd/client.h>
#include "proto/methods.h"
#include "proto/write.h"

#define TOKEN_1                                                                \
	"1111111111111111111111111111111111111111111111111111111111111111"
#define TOKEN_2                                                                \
	"2222222222222222222222222222222222222222222222222222222222222222"

enum { TOLD_MAX = 8192 };

struct stage {
	struct client *client;
	size_t chunk; /* bytes that the client is fed at a time */
	bool ask_when_ready;
	char told[TOLD_MAX];
	struct buf message; /* of the server */
	struct doc *doc;    /* of the server */
	struct request request;
};

/* -- what the client tells -- */

static void tell(struct stage *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void tell(struct stage *s, const char *format, ...)
{
	size_t len = strlen(s->told);
	va_list args;
	va_start(args, format);
	vsnprintf(s->told + len, TOLD_MAX - len, format, args);
	va_end(args);
}

static void on_ready(void *payload, const struct client_welcome *w)
{
	struct stage *s = payload;
	tell(s, "ready %s%s\n", w->name, w->resumed ? " resumed" : "");
	if (s->ask_when_ready)
		client_request(s->client, "server.info", NULL, 0, NULL, NULL);
}

static void on_match(void *payload, const struct client_match *m)
{
	tell(payload, "match %s %s seq=%d ply=%u turn=%d you=%d%s%s\n",
	     m->match, m->state, (int)m->seq, m->ply, m->turn, m->you,
	     m->over ? " " : "", m->result.result);
}

static void on_event(void *payload, const struct client_event *e)
{
	tell(payload, "event %s %d %s%s%s%s%s\n", e->match, (int)e->seq,
	     e->event, e->move[0] ? " " : "", e->move, e->over ? " " : "",
	     e->result.result);
}

static void on_lost(void *payload, const char *match, int err)
{
	tell(payload, "lost %s %s\n", match, plyd_err_name(err));
}

static void on_notice(void *payload, const char *name,
		      const struct client_value *params)
{
	tell(payload, "notice %s of %d\n", name, (int)client_count(params));
}

static void on_closing(void *payload, const struct client_error *e)
{
	tell(payload, "closing %s\n", e->name);
}

static const struct client_callbacks callbacks = {
	on_ready, on_match, on_event, on_lost, on_notice, on_closing,
};

static void on_answer(void *payload, const struct client_error *error,
		      const struct client_value *result)
{
	if (error)
		tell(payload, "answer %s: %s\n", error->name, error->message);
	else
		tell(payload, "answer of %d\n", (int)client_count(result));
}

static void told(struct stage *s, const char *expected)
{
	assert_string_equal(s->told, expected);
	s->told[0] = '\0';
}

/* -- the stage -- */

static void open_with(struct stage *s, size_t chunk, const char *token)
{
	const struct client_options options = {
		.name = "Ada", .program = "test 1", .bot = true, .token = token
	};
	memset(s, 0, sizeof(*s));
	s->chunk = chunk;
	buf_init(&s->message, ANSWER_BYTES_MAX);
	s->doc = doc_new();
	assert_non_null(s->doc);
	assert_int_equal(client_new(&s->client, &options, &callbacks, s), 0);
}

static void stage_close(struct stage *s)
{
	client_free(s->client);
	buf_release(&s->message);
	doc_free(s->doc);
}

/* The next request that the client has ready; it must have one. */
static const struct request *take(struct stage *s, enum method method)
{
	size_t len, taken;
	struct scan scan;
	struct decode_error where;
	const struct value *root;
	const uint8_t *out = client_output(s->client, &len);
	scan_init(&scan, &scan_requests);
	assert_int_equal(scan_feed(&scan, span_of(out, len), &taken),
			 SCAN_MESSAGE);
	/* texts of the request live as long as this copy */
	static uint8_t copy[MESSAGE_BYTES_MAX];
	memcpy(copy, out, taken);
	assert_int_equal(doc_parse(s->doc, span_of(copy, taken), &doc_request,
				   &root),
			 0);
	assert_int_equal(request_decode(root, &s->request, &where), 0);
	assert_int_equal(s->request.method, method);
	client_sent(s->client, taken);
	return &s->request;
}

static void nothing_to_take(struct stage *s)
{
	size_t len;
	client_output(s->client, &len);
	assert_int_equal(len, 0);
}

static int feed(struct stage *s)
{
	int err = s->message.err;
	for (size_t at = 0; !err && at < s->message.len; at += s->chunk) {
		size_t rest = s->message.len - at;
		/* a buffer of just that size, so that ASan sees overreads */
		size_t len = rest < s->chunk ? rest : s->chunk;
		uint8_t *piece = test_malloc(len);
		memcpy(piece, s->message.at + at, len);
		err = client_feed(s->client, piece, len);
		test_free(piece);
	}
	buf_clear(&s->message);
	return err;
}

static void says(struct stage *s)
{
	assert_int_equal(feed(s), 0);
}

/* -- the server's part -- */

static void str(struct buf *b, const char *key, const char *text)
{
	put_cstr(b, key);
	put_cstr(b, text);
}

static void num(struct buf *b, const char *key, int64_t value)
{
	put_cstr(b, key);
	put_int(b, value);
}

static void welcome(struct stage *s, const char *token, bool resumed,
		    const char *match)
{
	struct buf *b = &s->message;
	const struct request *r = take(s, METHOD_HELLO);
	assert_true(span_is(r->params.hello.name, "Ada"));
	assert_true(r->params.hello.bot);
	assert_int_equal(r->params.hello.has_token, resumed);
	rpc_begin_result(b, r->msgid);
	put_map(b, 4);
	str(b, "token", token);
	put_cstr(b, "resumed");
	put_bool(b, resumed);
	put_cstr(b, "player");
	put_map(b, 3);
	str(b, "id", "abcdefghij");
	str(b, "name", "Ada");
	str(b, "kind", "bot");
	put_cstr(b, "matches");
	put_array(b, match ? 1 : 0);
	if (match)
		put_cstr(b, match);
}

/* The map of a match; result NULL: it is being played. */
static void match_map(struct buf *b, const char *match, int seq, int ply,
		      const char *result)
{
	put_map(b, 9 + (result != NULL));
	str(b, "match", match);
	num(b, "seq", seq);
	str(b, "state", result ? "over" : "playing");
	str(b, "ruleset", "english");
	str(b, "rules", "english draughts ...");
	str(b, "position", "B:W32:B1");
	num(b, "ply", ply);
	str(b, "you", "black");
	str(b, "turn", ply % 2 ? "white" : "black");
	if (!result)
		return;
	put_cstr(b, "result");
	put_map(b, 3);
	str(b, "result", result);
	str(b, "reason", "no_moves");
	num(b, "points", 1);
}

static void started(struct stage *s, const char *match, int seq)
{
	rpc_begin_notification(&s->message, "match.started");
	match_map(&s->message, match, seq, 0, NULL);
}

static void snapshot(struct stage *s, const char *match, int seq)
{
	rpc_begin_notification(&s->message, "match.snapshot");
	match_map(&s->message, match, seq, 0, NULL);
}

static void moved(struct stage *s, const char *match, int seq)
{
	struct buf *b = &s->message;
	rpc_begin_notification(b, "match.event");
	put_map(b, 5);
	str(b, "match", match);
	num(b, "seq", seq);
	str(b, "event", "moved");
	num(b, "ply", seq - 2);
	str(b, "move", "1-5");
}

static void ended(struct stage *s, const char *match, int seq)
{
	struct buf *b = &s->message;
	rpc_begin_notification(b, "match.event");
	put_map(b, 4);
	str(b, "match", match);
	num(b, "seq", seq);
	str(b, "event", "ended");
	put_cstr(b, "result");
	put_map(b, 3);
	str(b, "result", "draw");
	str(b, "reason", "agreed");
	num(b, "points", 0);
}

static void answer_watch(struct stage *s, const char *match, int seq, int ply,
			 const char *result)
{
	const struct request *r = take(s, METHOD_MATCH_WATCH);
	assert_string_equal(r->params.match_watch.match.text, match);
	rpc_begin_result(&s->message, r->msgid);
	match_map(&s->message, match, seq, ply, result);
}

static void answer_empty(struct stage *s, uint32_t msgid)
{
	rpc_begin_result(&s->message, msgid);
	put_map(&s->message, 0);
}

static void go_online(struct stage *s)
{
	client_connected(s->client);
	welcome(s, TOKEN_1, false, NULL);
	says(s);
	told(s, "ready Ada\n");
}

/* -- tests -- */

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

static void turn_begins(struct stage *s, int seq, const char *turn)
{
	struct buf *b = &s->message;
	rpc_begin_notification(b, "match.event");
	put_map(b, 7);
	str(b, "match", "m2n4p6r7st");
	num(b, "seq", seq);
	str(b, "event", "moved");
	num(b, "ply", seq - 2);
	str(b, "move", "1-5");
	str(b, "turn", turn);
	str(b, "lag", "9f86d081884c7d65");
}

/* Before anything else can be done about it; and not the other's turn. */
static void a_turn_of_ours_is_echoed(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	started(&s, "m2n4p6r7st", 1);
	says(&s);
	turn_begins(&s, 2, "white");
	says(&s);
	nothing_to_take(&s);
	turn_begins(&s, 3, "black");
	says(&s);
	const struct request *r = take(&s, METHOD_MATCH_SEEN);
	assert_string_equal(r->params.match_seen.match.text, "m2n4p6r7st");
	assert_int_equal(r->params.match_seen.lag.len, LAG_BYTES);
	assert_int_equal(r->params.match_seen.lag.at[0], 0x9f);
	nothing_to_take(&s);
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

static void create(struct stage *s, const char *key)
{
	const struct client_param param[] = {
		CLIENT_TEXT("ruleset", "english"),
		CLIENT_FLAG("ready", true),
		CLIENT_NUMBER("base_ms", 60000),
		CLIENT_TEXT("key", key),
	};
	assert_int_equal(client_request(s->client, "lobby.create", param,
					key ? 4 : 3, on_answer, s),
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

static void a_match_is_watched_once(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	client_watch(s.client, "m2n4p6r7st");
	client_watch(s.client, "m2n4p6r7st");
	uint32_t first = take(&s, METHOD_MATCH_WATCH)->msgid;
	nothing_to_take(&s);
	/* the server has stopped the events when it reads the second */
	client_unwatch(s.client, "m2n4p6r7st");
	client_watch(s.client, "m2n4p6r7st");
	take(&s, METHOD_MATCH_UNWATCH);
	rpc_begin_result(&s.message, first);
	match_map(&s.message, "m2n4p6r7st", 8, 6, "draw");
	answer_watch(&s, "m2n4p6r7st", 8, 6, "draw");
	says(&s);
	told(&s, "match m2n4p6r7st over seq=8 ply=6 turn=1 you=1 draw\n");
	stage_close(&s);
}

static void events_come_once_and_in_order(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	moved(&s, "m2n4p6r7st", 1); /* before it was shown */
	started(&s, "m2n4p6r7st", 2);
	moved(&s, "m2n4p6r7st", 2); /* the snapshot has it */
	moved(&s, "m2n4p6r7st", 3);
	moved(&s, "m2n4p6r7st", 3);
	moved(&s, "m2n4p6r7st", 4);
	ended(&s, "m2n4p6r7st", 5);
	moved(&s, "m2n4p6r7st", 6); /* after its end */
	says(&s);
	told(&s, "match m2n4p6r7st playing seq=2 ply=0 turn=1 you=1\n"
		 "event m2n4p6r7st 3 moved 1-5\n"
		 "event m2n4p6r7st 4 moved 1-5\n"
		 "event m2n4p6r7st 5 ended draw\n");
	nothing_to_take(&s);
	stage_close(&s);
}

static void a_gap_is_filled_by_a_snapshot(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	started(&s, "m2n4p6r7st", 2);
	moved(&s, "m2n4p6r7st", 5);
	moved(&s, "m2n4p6r7st", 6);
	says(&s);
	answer_watch(&s, "m2n4p6r7st", 6, 4, NULL);
	nothing_to_take(&s); /* asked once */
	moved(&s, "m2n4p6r7st", 7);
	says(&s);
	told(&s, "match m2n4p6r7st playing seq=2 ply=0 turn=1 you=1\n"
		 "match m2n4p6r7st playing seq=6 ply=4 turn=1 you=1\n"
		 "event m2n4p6r7st 7 moved 1-5\n");
	stage_close(&s);
}

static void a_snapshot_stands_for_missed_events(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	snapshot(&s, "m2n4p6r7st", 2); /* of a player who is watched */
	moved(&s, "m2n4p6r7st", 3);
	snapshot(&s, "m2n4p6r7st", 9); /* he read too slowly */
	moved(&s, "m2n4p6r7st", 9);
	moved(&s, "m2n4p6r7st", 10);
	says(&s);
	nothing_to_take(&s);
	client_watch(s.client, "m2n4p6r7st");
	snapshot(&s, "m2n4p6r7st", 12); /* the answer will show it */
	says(&s);
	answer_watch(&s, "m2n4p6r7st", 12, 10, NULL);
	says(&s);
	told(&s, "match m2n4p6r7st playing seq=2 ply=0 turn=1 you=1\n"
		 "event m2n4p6r7st 3 moved 1-5\n"
		 "match m2n4p6r7st playing seq=9 ply=0 turn=1 you=1\n"
		 "event m2n4p6r7st 10 moved 1-5\n"
		 "match m2n4p6r7st playing seq=12 ply=10 turn=1 you=1\n");
	stage_close(&s);
}

static void a_lost_connection_is_caught_up(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	started(&s, "m2n4p6r7st", 2);
	started(&s, "aaaaaaaaaa", 1);
	says(&s);
	client_watch(s.client, "bbbbbbbbbb");
	take(&s, METHOD_MATCH_WATCH);
	client_disconnected(s.client);
	s.told[0] = '\0';
	client_connected(s.client);
	welcome(&s, TOKEN_2, true, "cccccccccc");
	moved(&s, "m2n4p6r7st", 5); /* before the snapshot is asked for */
	moved(&s, "cccccccccc", 1);
	says(&s);
	answer_watch(&s, "bbbbbbbbbb", 3, 1, NULL);
	answer_watch(&s, "m2n4p6r7st", 5, 3, NULL);
	answer_watch(&s, "aaaaaaaaaa", 8, 6, "white");
	answer_watch(&s, "cccccccccc", 1, 0, NULL);
	moved(&s, "cccccccccc", 2);
	says(&s);
	nothing_to_take(&s);
	told(&s, "ready Ada resumed\n"
		 "match bbbbbbbbbb playing seq=3 ply=1 turn=0 you=1\n"
		 "match m2n4p6r7st playing seq=5 ply=3 turn=0 you=1\n"
		 "match aaaaaaaaaa over seq=8 ply=6 turn=1 you=1 white\n"
		 "match cccccccccc playing seq=1 ply=0 turn=1 you=1\n"
		 "event cccccccccc 2 moved 1-5\n");
	/* what is over is not watched again */
	client_disconnected(s.client);
	client_connected(s.client);
	welcome(&s, TOKEN_2, true, NULL);
	says(&s);
	answer_watch(&s, "m2n4p6r7st", 5, 3, NULL);
	answer_watch(&s, "bbbbbbbbbb", 3, 1, NULL);
	answer_watch(&s, "cccccccccc", 2, 0, NULL);
	nothing_to_take(&s);
	stage_close(&s);
}

static void unknown_matches_are_lost(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	client_watch(s.client, "m2n4p6r7st");
	rpc_error(&s.message, take(&s, METHOD_MATCH_WATCH)->msgid,
		  PLYD_ENOMATCH, NULL, NULL, NULL);
	says(&s);
	told(&s, "lost m2n4p6r7st no_such_match\n");
	assert_int_equal(client_watch(s.client, "a match"), 0);
	assert_int_equal(client_watch(s.client, "much longer than an id"),
			 PLYD_ENOMATCH);
	stage_close(&s);
}

static void what_is_unwatched_is_silent(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	client_watch(s.client, "m2n4p6r7st");
	client_unwatch(s.client, "m2n4p6r7st");
	answer_watch(&s, "m2n4p6r7st", 5, 3, NULL);
	answer_empty(&s, take(&s, METHOD_MATCH_UNWATCH)->msgid);
	moved(&s, "m2n4p6r7st", 6);
	says(&s);
	told(&s, "");
	client_disconnected(s.client);
	client_connected(s.client);
	welcome(&s, TOKEN_2, true, NULL);
	says(&s);
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

/* -- what the callbacks are shown -- */

struct seen {
	struct client_match match;
	struct client_event event;
	struct client_error error;
};

static void see_match(void *payload, const struct client_match *m)
{
	((struct seen *)payload)->match = *m;
}

static void see_event(void *payload, const struct client_event *e)
{
	((struct seen *)payload)->event = *e;
}

static void see_closing(void *payload, const struct client_error *e)
{
	((struct seen *)payload)->error = *e;
}

static void put_clock(struct buf *b)
{
	put_cstr(b, "clock");
	put_map(b, 4);
	num(b, "white_ms", 300000);
	num(b, "black_ms", 123);
	str(b, "running", "black");
	put_cstr(b, "unlimited");
	put_bool(b, false);
}

static void put_stakes(struct buf *b)
{
	put_cstr(b, "stakes");
	put_map(b, 8);
	num(b, "length", 7);
	num(b, "white", 3);
	num(b, "black", 6);
	num(b, "game", 5);
	num(b, "cube", 4);
	str(b, "owner", "black");
	str(b, "doubled", "white");
	put_cstr(b, "resign");
	put_map(b, 3);
	str(b, "side", "black");
	num(b, "points", 8);
	num(b, "offer", 321);
}

static void full_match(struct buf *b)
{
	rpc_begin_notification(b, "match.started");
	put_map(b, 15);
	put_stakes(b);
	str(b, "awaits", "answer");
	put_clock(b);
	str(b, "match", "m2n4p6r7st");
	num(b, "seq", 1);
	str(b, "state", "nonces");
	str(b, "ruleset", "backgammon");
	str(b, "rules", "backgammon backgammon ...");
	str(b, "position", "XGID=");
	num(b, "ply", 12);
	str(b, "you", "watcher");
	put_cstr(b, "turn");
	put_nil(b);
	str(b, "offer", "white");
	put_cstr(b, "white");
	put_map(b, 1);
	str(b, "name", "Ada");
	put_cstr(b, "black");
	put_map(b, 1);
	str(b, "name", "Bob");
}

static void full_event(struct buf *b)
{
	rpc_begin_notification(b, "match.event");
	put_map(b, 9);
	str(b, "match", "m2n4p6r7st");
	num(b, "seq", 2);
	str(b, "event", "rolled");
	num(b, "ply", 12);
	str(b, "side", "black");
	put_cstr(b, "dice");
	put_array(b, 2);
	put_int(b, 6);
	put_int(b, 5);
	str(b, "position", "XGID=after");
	str(b, "turn", "black");
	num(b, "black_ms", 77);
}

/* A sentence of two-byte letters that is cut at an odd place. */
static void long_closing(struct buf *b)
{
	char sentence[2 * CLIENT_SENTENCE_MAX + 1];
	for (size_t i = 0; i < 2 * CLIENT_SENTENCE_MAX; i += 2)
		memcpy(sentence + i, "\xc3\xa9", 2);
	sentence[2 * CLIENT_SENTENCE_MAX] = '\0';
	rpc_closing(b, PLYD_EIDLE, sentence, NULL, NULL);
}

static void objects_are_read(void **state)
{
	static const struct client_callbacks see = {
		.on_match = see_match,
		.on_event = see_event,
		.on_closing = see_closing,
	};
	struct stage s;
	struct seen seen;
	const struct client_options options = { .name = "Ada", .bot = true };
	(void)state;
	open_with(&s, 7, NULL);
	client_free(s.client);
	assert_int_equal(client_new(&s.client, &options, &see, &seen), 0);
	client_connected(s.client);
	welcome(&s, TOKEN_1, false, NULL);
	full_match(&s.message);
	full_event(&s.message);
	long_closing(&s.message);
	says(&s);
	const struct client_match *m = &seen.match;
	assert_string_equal(m->name[CLIENT_WHITE], "Ada");
	assert_string_equal(m->name[CLIENT_BLACK], "Bob");
	assert_string_equal(m->state, "nonces");
	assert_int_equal(m->you, CLIENT_NOBODY);
	assert_int_equal(m->turn, CLIENT_NOBODY);
	assert_int_equal(m->offer, CLIENT_WHITE);
	assert_int_equal(m->running, CLIENT_BLACK);
	assert_int_equal(m->left_ms[CLIENT_WHITE], 300000);
	assert_int_equal(m->left_ms[CLIENT_BLACK], 123);
	assert_false(m->over);
	assert_int_equal(m->awaits, CLIENT_AWAITS_ANSWER);
	assert_int_equal(m->stakes.length, 7);
	assert_int_equal(m->stakes.score[CLIENT_WHITE], 3);
	assert_int_equal(m->stakes.score[CLIENT_BLACK], 6);
	assert_int_equal(m->stakes.game, 5);
	assert_int_equal(m->stakes.cube, 4);
	assert_false(m->stakes.crawford);
	assert_int_equal(m->stakes.owner, CLIENT_BLACK);
	assert_int_equal(m->stakes.doubled, CLIENT_WHITE);
	assert_int_equal(m->stakes.resign, CLIENT_BLACK);
	assert_int_equal(m->stakes.resign_points, 8);
	assert_int_equal(m->stakes.resign_offer, 321);
	const struct client_event *e = &seen.event;
	assert_int_equal(e->awaits, CLIENT_AWAITS_NOTHING);
	assert_int_equal(e->stakes.owner, CLIENT_NOBODY);
	assert_int_equal(e->stakes.resign, CLIENT_NOBODY);
	assert_int_equal(e->side, CLIENT_BLACK);
	assert_int_equal(e->dice[0], 6);
	assert_int_equal(e->dice[1], 5);
	assert_string_equal(e->position, "XGID=after");
	assert_int_equal(e->turn, CLIENT_BLACK);
	assert_int_equal(e->left_ms[CLIENT_BLACK], 77);
	assert_int_equal(seen.error.code, PLYD_EIDLE);
	assert_int_equal(strlen(seen.error.message), CLIENT_SENTENCE_MAX - 2);
	stage_close(&s);
}

/* A whole conversation, with a cut in it, in pieces of every size. */
static void any_split_tells_the_same(void **state)
{
	(void)state;
	for (size_t chunk = 1; chunk <= 600; chunk += 1 + chunk / 40) {
		struct stage s;
		open_with(&s, chunk, NULL);
		go_online(&s);
		create(&s, "k1");
		answer_empty(&s, take(&s, METHOD_LOBBY_CREATE)->msgid);
		started(&s, "m2n4p6r7st", 1);
		moved(&s, "m2n4p6r7st", 2);
		says(&s);
		/* cut within a message */
		moved(&s, "m2n4p6r7st", 3);
		s.message.len /= 2;
		says(&s);
		client_disconnected(s.client);
		client_connected(s.client);
		welcome(&s, TOKEN_2, true, "m2n4p6r7st");
		says(&s);
		answer_watch(&s, "m2n4p6r7st", 3, 2, NULL);
		moved(&s, "m2n4p6r7st", 4);
		ended(&s, "m2n4p6r7st", 5);
		says(&s);
		told(&s, "answer of 0\n"
			 "match m2n4p6r7st playing seq=1 ply=0 turn=1 you=1\n"
			 "event m2n4p6r7st 2 moved 1-5\n"
			 "ready Ada resumed\n"
			 "match m2n4p6r7st playing seq=3 ply=2 turn=1 you=1\n"
			 "event m2n4p6r7st 4 moved 1-5\n"
			 "event m2n4p6r7st 5 ended draw\n");
		stage_close(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hello_comes_first),
		cmocka_unit_test(a_turn_of_ours_is_echoed),
		cmocka_unit_test(a_saved_token_resumes),
		cmocka_unit_test(a_lost_hello_keeps_the_token),
		cmocka_unit_test(errors_are_told),
		cmocka_unit_test(what_is_safe_is_asked_again),
		cmocka_unit_test(whatever_looks_is_asked_again),
		cmocka_unit_test(what_was_never_sent_is_not_lost),
		cmocka_unit_test(what_is_asked_when_ready_is_asked_once),
		cmocka_unit_test(a_match_is_watched_once),
		cmocka_unit_test(objects_are_read),
		cmocka_unit_test(events_come_once_and_in_order),
		cmocka_unit_test(a_gap_is_filled_by_a_snapshot),
		cmocka_unit_test(a_snapshot_stands_for_missed_events),
		cmocka_unit_test(a_lost_connection_is_caught_up),
		cmocka_unit_test(unknown_matches_are_lost),
		cmocka_unit_test(what_is_unwatched_is_silent),
		cmocka_unit_test(a_forgotten_session_ends_all),
		cmocka_unit_test(closing_is_told),
		cmocka_unit_test(requests_are_bounded),
		cmocka_unit_test(any_split_tells_the_same),
	};
	int failed = RUN_TABLE("bad bytes", bad_bytes, bad_bytes_are_named);
	return failed +
	       cmocka_run_group_tests_name("client", tests, NULL, NULL);
}
