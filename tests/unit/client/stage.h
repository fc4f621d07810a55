/* SPDX-License-Identifier: MIT
 * stage.h - the client against a server that follows a script. What the client
 * sends is read by the server's own decoder; what it tells its caller is written
 * down as text and compared. */
#ifndef PLYD_TESTS_CLIENT_STAGE_H
#define PLYD_TESTS_CLIENT_STAGE_H

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

static inline void tell(struct stage *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static inline void tell(struct stage *s, const char *format, ...)
{
	size_t len = strlen(s->told);
	va_list args;
	va_start(args, format);
	vsnprintf(s->told + len, TOLD_MAX - len, format, args);
	va_end(args);
}

static inline void on_ready(void *payload, const struct client_welcome *w)
{
	struct stage *s = payload;
	tell(s, "ready %s%s\n", w->name, w->resumed ? " resumed" : "");
	if (s->ask_when_ready)
		client_request(s->client, "server.info", NULL, 0, NULL, NULL);
}

static inline void on_match(void *payload, const struct client_match *m)
{
	tell(payload, "match %s %s seq=%d ply=%u turn=%d you=%d%s%s\n",
	     m->match, m->state, (int)m->seq, m->ply, m->turn, m->you,
	     m->over ? " " : "", m->result.result);
}

static inline void on_event(void *payload, const struct client_event *e)
{
	tell(payload, "event %s %d %s%s%s%s%s\n", e->match, (int)e->seq,
	     e->event, e->move[0] ? " " : "", e->move, e->over ? " " : "",
	     e->result.result);
}

static inline void on_lost(void *payload, const char *match, int err)
{
	tell(payload, "lost %s %s\n", match, plyd_err_name(err));
}

static inline void on_notice(void *payload, const char *name,
			     const struct client_value *params)
{
	tell(payload, "notice %s of %d\n", name, (int)client_count(params));
}

static inline void on_closing(void *payload, const struct client_error *e)
{
	tell(payload, "closing %s\n", e->name);
}

static const struct client_callbacks callbacks = {
	on_ready, on_match, on_event, on_lost, on_notice, on_closing,
};

static inline void on_answer(void *payload, const struct client_error *error,
			     const struct client_value *result)
{
	if (error)
		tell(payload, "answer %s: %s\n", error->name, error->message);
	else
		tell(payload, "answer of %d\n", (int)client_count(result));
}

static inline void told(struct stage *s, const char *expected)
{
	assert_string_equal(s->told, expected);
	s->told[0] = '\0';
}

/* -- the stage -- */

static inline void open_with(struct stage *s, size_t chunk, const char *token)
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

static inline void stage_close(struct stage *s)
{
	client_free(s->client);
	buf_release(&s->message);
	doc_free(s->doc);
}

/* The next request that the client has ready; it must have one. */
static inline const struct request *take(struct stage *s, enum method method)
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

static inline void nothing_to_take(struct stage *s)
{
	size_t len;
	client_output(s->client, &len);
	assert_int_equal(len, 0);
}

static inline int feed(struct stage *s)
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

static inline void says(struct stage *s)
{
	assert_int_equal(feed(s), 0);
}

/* -- the server's part -- */

static inline void str(struct buf *b, const char *key, const char *text)
{
	put_cstr(b, key);
	put_cstr(b, text);
}

static inline void num(struct buf *b, const char *key, int64_t value)
{
	put_cstr(b, key);
	put_int(b, value);
}

static inline void welcome(struct stage *s, const char *token, bool resumed,
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
static inline void match_map(struct buf *b, const char *match, int seq, int ply,
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

static inline void started(struct stage *s, const char *match, int seq)
{
	rpc_begin_notification(&s->message, "match.started");
	match_map(&s->message, match, seq, 0, NULL);
}

static inline void snapshot(struct stage *s, const char *match, int seq)
{
	rpc_begin_notification(&s->message, "match.snapshot");
	match_map(&s->message, match, seq, 0, NULL);
}

static inline void moved(struct stage *s, const char *match, int seq)
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

static inline void ended(struct stage *s, const char *match, int seq)
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

static inline void answer_watch(struct stage *s, const char *match, int seq,
				int ply, const char *result)
{
	const struct request *r = take(s, METHOD_MATCH_WATCH);
	assert_string_equal(r->params.match_watch.match.text, match);
	rpc_begin_result(&s->message, r->msgid);
	match_map(&s->message, match, seq, ply, result);
}

static inline void answer_empty(struct stage *s, uint32_t msgid)
{
	rpc_begin_result(&s->message, msgid);
	put_map(&s->message, 0);
}

static inline void go_online(struct stage *s)
{
	client_connected(s->client);
	welcome(s, TOKEN_1, false, NULL);
	says(s);
	told(s, "ready Ada\n");
}

static inline void create(struct stage *s, const char *key)
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

#endif
