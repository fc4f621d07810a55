/* SPDX-License-Identifier: MIT
 * client.c - the connection: hello, messages in, bytes out. */
#include "client/client_priv.h"

#include <assert.h>
#include <stdlib.h>

#include "proto/methods.h"
#include "proto/write.h"

/* What can be waiting to be sent at most: every request and a hello. */
enum { OUTPUT_BYTES_MAX = (CLIENT_REQUESTS_MAX + 1) * MESSAGE_BYTES_MAX };

#define TO(name) (1u << CLIENT_##name)
static const unsigned may_enter[] = {
#define X(name, to) [CLIENT_##name] = (to),
	CLIENT_STATES(X)
#undef X
};

static void move_to(struct client *c, enum client_state state)
{
	assert(may_enter[c->state] >> state & 1);
	c->state = state;
}

/* -- life -- */

static bool take_text(const char *text, char *out, size_t size)
{
	return !text || span_copy(span_str(text), out, size);
}

int client_new(struct client **out, const struct client_options *options,
	       const struct client_callbacks *callbacks, void *payload)
{
	struct client *c = calloc(1, sizeof(*c));
	*out = NULL;
	if (!c)
		return PLYD_ENOMEM;
	c->callbacks = callbacks;
	c->payload = payload;
	c->bot = options->bot;
	c->is_operator = options->is_operator;
	buf_init(&c->in, ANSWER_BYTES_MAX);
	buf_init(&c->out, OUTPUT_BYTES_MAX);
	int err = PLYD_OK;
	if (!take_text(options->name, c->name, sizeof(c->name)) ||
	    !take_text(options->program, c->program, sizeof(c->program)) ||
	    !take_text(options->token, c->token, sizeof(c->token)) ||
	    !take_text(options->login, c->login, sizeof(c->login)) ||
	    !take_text(options->password, c->password, sizeof(c->password)) ||
	    !take_text(options->bot_token, c->bot_token, sizeof(c->bot_token)))
		err = PLYD_ERANGE;
	else if (!(c->doc = doc_new()))
		err = PLYD_ENOMEM;
	if (err) {
		client_free(c);
		return err;
	}
	*out = c;
	return PLYD_OK;
}

void client_free(struct client *c)
{
	if (!c)
		return;
	requests_free(c);
	doc_free(c->doc);
	buf_release(&c->in);
	buf_release(&c->out);
	explicit_bzero(c, sizeof(*c));
	free(c);
}

bool client_is_ready(const struct client *c)
{
	return c->state == CLIENT_READY;
}

const char *client_token(const struct client *c)
{
	return c->token;
}

void client_forget(struct client *c)
{
	assert(c->state == CLIENT_OFFLINE);
	c->token[0] = '\0';
	requests_lost(c, PLYD_ETOKEN, true);
	follow_forget(c, PLYD_ETOKEN);
}

/* -- connections -- */

static void put_text(struct buf *b, const char *key, const char *text)
{
	if (!text[0])
		return;
	put_cstr(b, key);
	put_cstr(b, text);
}

void client_connected(struct client *c)
{
	struct buf *b = &c->out;
	move_to(c, CLIENT_HELLO);
	scan_init(&c->scan, &scan_answers);
	if (c->is_operator) {
		move_to(c, CLIENT_READY);
		requests_send(c);
		return;
	}
	c->hello_msgid = client_next_msgid(c);
	rpc_begin_request(b, c->hello_msgid, "hello");
	bool resumes = c->token[0], bot = !resumes && c->bot_token[0];
	bool member = !resumes && !bot && c->login[0];
	put_map(b, 2u + (c->name[0] != '\0') + (c->program[0] != '\0') +
			   resumes + bot + 2 * member);
	put_cstr(b, "protocol");
	put_int(b, PROTOCOL_VERSION);
	put_cstr(b, "bot");
	put_bool(b, c->bot);
	put_text(b, "name", c->name);
	put_text(b, "client", c->program);
	put_text(b, "token", c->token);
	put_text(b, "bot_token", bot ? c->bot_token : "");
	if (!member)
		return;
	put_cstr(b, "login");
	put_cstr(b, c->login);
	put_cstr(b, "password");
	put_cstr(b, c->password);
}

void client_disconnected(struct client *c)
{
	if (c->state == CLIENT_OFFLINE)
		return;
	move_to(c, CLIENT_OFFLINE);
	buf_clear(&c->in);
	buf_clear(&c->out);
	requests_lost(c, PLYD_EIO, false);
}

const uint8_t *client_output(const struct client *c, size_t *len)
{
	*len = c->out.len;
	return c->out.at;
}

void client_sent(struct client *c, size_t n)
{
	buf_drop(&c->out, n);
}

/* -- messages -- */

static void tell_closing(struct client *c, const struct client_error *e)
{
	move_to(c, CLIENT_BROKEN);
	if (c->callbacks->on_closing)
		c->callbacks->on_closing(c->payload, e);
}

static int on_welcome(struct client *c, const struct value *result)
{
	struct client_welcome w = { .value = shown(result) };
	char token[CLIENT_TOKEN_MAX];
	const struct value *player = value_find(result, "player");
	if (!client_copy(shown(value_find(result, "token")), token,
			 sizeof(token)) ||
	    !client_copy(shown(value_find(player, "id")), w.player,
			 sizeof(w.player)))
		return PLYD_EMESSAGE;
	client_copy(shown(value_find(player, "name")), w.name, sizeof(w.name));
	w.resumed = client_bool(shown(value_find(result, "resumed")));
	memcpy(c->token, token, sizeof(token));
	move_to(c, CLIENT_READY);
	if (c->callbacks->on_ready)
		c->callbacks->on_ready(c->payload, &w);
	/* moves first, so that the snapshots after them show them */
	requests_send(c);
	follow_resume(c, value_find(result, "matches"));
	return c->out.err;
}

/* What else answers with a token of this session replaces it. */
static void keep_token(struct client *c, const struct value *result)
{
	char token[CLIENT_TOKEN_MAX];
	if (client_copy(shown(value_find(result, "token")), token,
			sizeof(token)) &&
	    strlen(token) == CLIENT_TOKEN_MAX - 1)
		memcpy(c->token, token, sizeof(token));
}

/* [1, msgid, error, result] */
static int on_response(struct client *c, const struct value *root)
{
	uint64_t msgid;
	struct client_error error;
	const struct value *failed = value_at(root, 2);
	bool is_error = failed && value_type(failed) != VALUE_NIL;
	if (value_count(root) != 4 ||
	    value_uint(value_at(root, 1), UINT32_MAX, &msgid) ||
	    (is_error && !read_error(failed, &error)))
		return PLYD_EMESSAGE;
	if (c->state == CLIENT_HELLO && msgid == c->hello_msgid) {
		if (!is_error)
			return on_welcome(c, value_at(root, 3));
		tell_closing(c, &error);
		return PLYD_OK;
	}
	if (!is_error && !c->is_operator)
		keep_token(c, value_at(root, 3));
	requests_answered(c, (uint32_t)msgid, is_error ? &error : NULL,
			  is_error ? NULL : value_at(root, 3));
	if (c->state == CLIENT_READY)
		follow_go_on(c);
	return c->out.err;
}

static int on_closing(struct client *c, const struct value *params)
{
	struct client_error error;
	if (!read_closing(params, &error))
		return PLYD_EMESSAGE;
	tell_closing(c, &error);
	return PLYD_OK;
}

/* [2, method, [params]] */
static int on_notification(struct client *c, const struct value *root)
{
	struct span name;
	char text[CLIENT_WORD_MAX];
	const struct value *params = value_at(value_at(root, 2), 0);
	if (value_str(value_at(root, 1), &name))
		return PLYD_EMESSAGE;
	if (span_is(name, notification_info(NOTIFY_CLOSING)->name))
		return on_closing(c, params);
	if (span_is(name, notification_info(NOTIFY_MATCH_STARTED)->name))
		follow_started(c, params);
	else if (span_is(name, notification_info(NOTIFY_MATCH_SNAPSHOT)->name))
		follow_snapshot(c, params);
	else if (span_is(name, notification_info(NOTIFY_MATCH_EVENT)->name))
		follow_event(c, params);
	else if (c->callbacks->on_notice && span_copy(name, text, sizeof(text)))
		c->callbacks->on_notice(c->payload, text, shown(params));
	return c->out.err;
}

static int on_message(struct client *c, struct span bytes)
{
	const struct value *root;
	int64_t type;
	int err = doc_parse(c->doc, bytes, &doc_answer, &root);
	if (err)
		return err;
	if (value_int(value_at(root, 0), 1, 2, &type))
		return PLYD_EMESSAGE;
	return type == 1 ? on_response(c, root) : on_notification(c, root);
}

/* A message in one piece is read where it lies; others are collected. */
static int collect(struct client *c, struct span piece, int found,
		   struct span *message)
{
	if (c->in.len == 0 && found != SCAN_MORE) {
		*message = piece;
		return PLYD_OK;
	}
	int err = buf_put(&c->in, piece.at, piece.len);
	*message = buf_span(&c->in);
	return err;
}

int client_feed(struct client *c, const void *bytes, size_t len)
{
	struct span rest = span_of(bytes, len);
	while (rest.len > 0 &&
	       (c->state == CLIENT_HELLO || c->state == CLIENT_READY)) {
		size_t taken;
		struct span message;
		int found = scan_feed(&c->scan, rest, &taken);
		if (found < 0)
			return found;
		int err = collect(c, span_of(rest.at, taken), found, &message);
		if (!err && found != SCAN_MORE) {
			err = on_message(c, message);
			buf_clear(&c->in);
		}
		if (err)
			return err;
		rest = span_of(rest.at + taken, rest.len - taken);
	}
	return PLYD_OK;
}
