/* SPDX-License-Identifier: MIT
 * Any bytes from a server to the client library: it refuses them, or tells the
 * same whatever the split. The first byte is the size of the pieces, the second
 * how often the connection breaks. */
#include "fuzz.h"

#include <string.h>

#include <plyd/client.h>

enum { DEPTH_MAX = 16 };

struct told {
	uint64_t sum;
	struct client *client;
};

static void add(struct told *t, uint64_t value)
{
	t->sum = (t->sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	t->sum ^= t->sum >> 29;
}

static void add_text(struct told *t, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		add(t, (uint8_t)text[i]);
}

/* A value with all that is in it. */
static void add_value(struct told *t, const struct client_value *v, int depth)
{
	size_t len;
	insist(depth < DEPTH_MAX);
	add(t, client_type(v));
	add(t, (uint64_t)client_int(v));
	add(t, client_bool(v));
	const char *text = client_str(v, &len);
	if (text)
		add_text(t, text, len);
	for (size_t i = 0; i < client_count(v); i++) {
		const char *key;
		if (client_type(v) == CLIENT_ARRAY) {
			add_value(t, client_at(v, i), depth + 1);
			continue;
		}
		const struct client_value *entry =
			client_entry(v, i, &key, &len);
		add_text(t, key, len);
		add_value(t, entry, depth + 1);
	}
}

static void on_ready(void *payload, const struct client_welcome *w)
{
	add(payload, w->resumed);
	add_text(payload, w->name, strlen(w->name));
	add_value(payload, w->value, 0);
}

static void on_match(void *payload, const struct client_match *m)
{
	add(payload, m->seq);
	add_text(payload, m->position, strlen(m->position));
	add_value(payload, m->value, 0);
}

static void on_event(void *payload, const struct client_event *e)
{
	add(payload, e->seq);
	add_text(payload, e->move, strlen(e->move));
	add_value(payload, e->value, 0);
}

static void on_lost(void *payload, const char *match, int err)
{
	add_text(payload, match, strlen(match));
	add(payload, (uint64_t)err);
}

static void on_notice(void *payload, const char *name,
		      const struct client_value *params)
{
	add_text(payload, name, strlen(name));
	add_value(payload, params, 0);
}

static void on_closing(void *payload, const struct client_error *e)
{
	add(payload, (uint64_t)e->code);
	add_text(payload, e->message, strlen(e->message));
	add_value(payload, e->details, 0);
}

static void on_answer(void *payload, const struct client_error *error,
		      const struct client_value *result)
{
	add(payload, error ? (uint64_t)error->code : 1);
	add_value(payload, result, 0);
}

static void drain(struct client *c)
{
	size_t len;
	client_output(c, &len);
	client_sent(c, len);
}

static void ask(struct told *t)
{
	const struct client_param params[] = {
		CLIENT_TEXT("ruleset", "english"), CLIENT_FLAG("ready", true)
	};
	client_request(t->client, "lobby.create", params, 2, on_answer, t);
	client_move(t->client, "aaaaaaaaaa", 0, "11-15", on_answer, t);
	client_watch(t->client, "bbbbbbbbbb");
}

static uint64_t tell(const uint8_t *bytes, size_t len, size_t piece,
		     unsigned breaks)
{
	static const struct client_callbacks callbacks = {
		on_ready, on_match, on_event, on_lost, on_notice, on_closing
	};
	const struct client_options options = { .program = "fuzz" };
	struct told t = { .sum = 1 };
	insist(!client_new(&t.client, &options, &callbacks, &t));
	for (unsigned n = 0; n <= breaks; n++) {
		int err = 0;
		size_t end = len * (n + 1) / (breaks + 1);
		client_connected(t.client);
		ask(&t);
		for (size_t at = len * n / (breaks + 1); at < end && !err;) {
			size_t take = end - at < piece ? end - at : piece;
			err = client_feed(t.client, bytes + at, take);
			at += take;
			drain(t.client);
		}
		add(&t, (uint64_t)err);
		client_disconnected(t.client);
	}
	client_forget(t.client);
	client_free(t.client);
	return t.sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	if (len < 2)
		return 0;
	size_t piece = 1u + bytes[0];
	unsigned breaks = bytes[1] % 4;
	uint64_t whole = tell(bytes + 2, len - 2, SIZE_MAX, breaks);
	insist(tell(bytes + 2, len - 2, piece, breaks) == whole);
	return 0;
}
