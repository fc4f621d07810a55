/* SPDX-License-Identifier: MIT
 * request.c - requests, from their making to their answers, over as many
 * connections as that takes. */
#include "client/client_priv.h"

#include <stdlib.h>

#include <utlist.h>

#include "proto/write.h"

/* Asking these twice does nothing that asking once does not. What takes a key
 * is another matter: client_request() looks for one. */
static const char *const repeatable[] = {
	/* what only looks */
	"ping",
	"server.info",
	"rules.list",
	"rules.moves",
	"rules.check",
	"lobby.list",
	"lobby.get",
	"seek.list",
	"quick.status",
	"bot.list",
	"players.list",
	"player.get",
	"match.list",
	"match.get",
	"record.get",
	"record.list",
	"rating.get",
	"rating.history",
	"rating.leaderboard",
	"account.get",
	"account.sessions",
	"chat.get",
	"block.list",
	"tournament.list",
	"tournament.get",
	"tournament.standings",
	"tournament.round",
	/* what says how things shall be */
	"lobby.ready",
	"match.watch",
	"match.unwatch",
	"player.watch",
	"player.unwatch",
	"tournament.watch",
	"tournament.unwatch",
	"chat.switch",
	"block.add",
	"block.remove",
	"report.send",
	/* what names the place where it belongs */
	"match.nonce",
	"match.move",
	"match.roll",
	"match.double",
	"match.take",
	"match.drop",
	"match.accept_resign",
	"match.decline_resign",
	"match.takeback_offer",
	"match.takeback_accept",
	"match.rematch",
};

static bool is_repeatable(const char *method)
{
	for (size_t i = 0; i < sizeof(repeatable) / sizeof(*repeatable); i++)
		if (!strcmp(method, repeatable[i]))
			return true;
	return false;
}

static struct pending *find(const struct client *c, uint32_t msgid)
{
	struct pending *p;
	DL_FOREACH (c->pending, p)
		if (p->msgid == msgid)
			return p;
	return NULL;
}

uint32_t client_next_msgid(struct client *c)
{
	do
		c->last_msgid++;
	while (find(c, c->last_msgid));
	return c->last_msgid;
}

static void pending_free(struct client *c, struct pending *p)
{
	DL_DELETE(c->pending, p);
	c->pending_count--;
	buf_release(&p->message);
	free(p);
}

void requests_free(struct client *c)
{
	while (c->pending)
		pending_free(c, c->pending);
}

/* -- making -- */

static int pending_new(struct client *c, client_answer_fn *fn, void *payload,
		       struct pending **out)
{
	struct pending *p;
	if (c->pending_count >= CLIENT_REQUESTS_MAX)
		return PLYD_ETOOMANY;
	p = calloc(1, sizeof(*p));
	if (!p)
		return PLYD_ENOMEM;
	p->msgid = client_next_msgid(c);
	p->fn = fn;
	p->payload = payload;
	buf_init(&p->message, MESSAGE_BYTES_MAX);
	DL_APPEND(c->pending, p);
	c->pending_count++;
	*out = p;
	return PLYD_OK;
}

/* The message is written: sends it, now or when there is a connection. */
static int pending_made(struct client *c, struct pending *p)
{
	int err = p->message.err;
	if (!err && c->state == CLIENT_READY)
		err = buf_put(&c->out, p->message.at, p->message.len);
	if (err) {
		pending_free(c, p);
		return err;
	}
	p->sent = c->state == CLIENT_READY;
	return PLYD_OK;
}

static void put_param(struct buf *b, const struct client_param *p)
{
	put_cstr(b, p->key);
	switch (p->type) {
	case CLIENT_STR: put_cstr(b, p->text); break;
	case CLIENT_INT: put_int(b, p->number); break;
	case CLIENT_BOOL: put_bool(b, p->flag); break;
	case CLIENT_NIL:
	case CLIENT_ARRAY:
	case CLIENT_MAP: put_nil(b); break;
	}
}

int client_request(struct client *c, const char *method,
		   const struct client_param *param, size_t params,
		   client_answer_fn *fn, void *payload)
{
	struct pending *p;
	if (params > CLIENT_PARAMS_MAX)
		return PLYD_ETOOMANY;
	int err = pending_new(c, fn, payload, &p);
	if (err)
		return err;
	p->repeat = is_repeatable(method);
	rpc_begin_request(&p->message, p->msgid, method);
	put_map(&p->message, (uint32_t)params);
	for (size_t i = 0; i < params; i++) {
		put_param(&p->message, &param[i]);
		/* a key makes a repetition safe, wherever there may be one; so
		 * does the game that a resignation names */
		if (!strcmp(param[i].key, "key") ||
		    (!strcmp(method, "match.resign") &&
		     !strcmp(param[i].key, "game")))
			p->repeat = true;
	}
	return pending_made(c, p);
}

int client_request_map(struct client *c, const char *method, const void *map,
		       size_t len, client_answer_fn *fn, void *payload)
{
	struct pending *p;
	int err = pending_new(c, fn, payload, &p);
	if (err)
		return err;
	p->repeat = is_repeatable(method);
	rpc_begin_request(&p->message, p->msgid, method);
	buf_put(&p->message, map, len);
	return pending_made(c, p);
}

int client_move(struct client *c, const char *match, uint32_t ply,
		const char *move, client_answer_fn *fn, void *payload)
{
	const struct client_param param[] = {
		CLIENT_TEXT("match", match),
		CLIENT_NUMBER("ply", ply),
		CLIENT_TEXT("move", move),
	};
	return client_request(c, "match.move", param, 3, fn, payload);
}

int client_ask_match(struct client *c, const char *method, const char *match,
		     client_answer_fn *fn, void *payload)
{
	const struct client_param param = CLIENT_TEXT("match", match);
	return client_request(c, method, &param, 1, fn, payload);
}

/* -- connections -- */

void requests_send(struct client *c)
{
	struct pending *p;
	DL_FOREACH (c->pending, p) {
		if (p->sent)
			continue;
		buf_put(&c->out, p->message.at, p->message.len);
		p->sent = true;
	}
}

static void answer(struct client *c, struct pending *p,
		   const struct client_error *error, const struct value *result)
{
	client_answer_fn *fn = p->fn;
	void *payload = p->payload;
	/* first, so that the callback finds room for a new request */
	pending_free(c, p);
	if (fn)
		fn(payload, error, shown(result));
}

void requests_lost(struct client *c, int err, bool all)
{
	const struct client_error error = own_error(err);
	size_t count = c->pending_count; /* without what callbacks ask anew */
	struct pending *next, *p = c->pending;
	for (; count > 0; count--, p = next) {
		next = p->next;
		bool unknown = p->sent && !p->repeat;
		p->sent = false;
		if (all || unknown)
			answer(c, p, &error, NULL);
	}
}

bool requests_answered(struct client *c, uint32_t msgid,
		       const struct client_error *error,
		       const struct value *result)
{
	struct pending *p = find(c, msgid);
	if (!p || !p->sent)
		return false;
	answer(c, p, error, result);
	return true;
}
