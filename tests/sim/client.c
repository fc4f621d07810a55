/* SPDX-License-Identifier: MIT
 * client.c - what a client hears, and what it makes of it. */
#include "client.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/write.h"
#include "referee.h"
#include "sim.h"

struct client *client_new(struct sim *sim, size_t index)
{
	static const enum temper tempers[] = {
		HONEST, HONEST,  HONEST,    HOSTILE, LAZY,   HONEST,  HONEST,
		LAZY,   HOSTILE, SPECTATOR, HONEST,  HONEST, HOSTILE, SPECTATOR,
	};
	static const char *const names[] = { "honest", "lazy", "hostile",
					     "watcher" };
	struct client *c = sim_alloc(sizeof(*c));
	c->index = index;
	c->temper = tempers[index % (sizeof(tempers) / sizeof(tempers[0]))];
	c->bot = index % 3 == 0;
	snprintf(c->name, sizeof(c->name), "%s-%zu", names[c->temper], index);
	c->doc = doc_new();
	if (!c->doc)
		abort();
	buf_init(&c->in, ANSWER_BYTES_MAX);
	buf_init(&c->out, MESSAGE_BYTES_MAX);
	scan_init(&c->scan, &scan_answers);
	queue_put(&sim->queue,
		  &(struct happening){ .type = CLIENT_ACTS,
				       .at_ms = sim->t_ms +
						sim_between(sim, 1, 500),
				       .number = index });
	return c;
}

static void drop_again(struct client *c, size_t i)
{
	free(c->again[i].bytes);
	c->again[i] = c->again[--c->agains];
}

void client_free(struct client *c)
{
	if (!c)
		return;
	while (c->agains > 0)
		drop_again(c, 0);
	free(c->created.bytes);
	doc_free(c->doc);
	buf_release(&c->in);
	buf_release(&c->out);
	free(c);
}

const char *client_name(const struct client *c)
{
	return c->name;
}

/* -- asking -- */

struct buf *ask_begin(struct client *c, struct asked *a, enum method method)
{
	*a = (struct asked){ .msgid = ++c->msgids, .method = method };
	buf_clear(&c->out);
	rpc_begin_request(&c->out, a->msgid, method_info(method)->name);
	return &c->out;
}

void ask_send(struct sim *sim, struct client *c, struct asked *a)
{
	struct link *l = c->link;
	a->sent_ms = sim->t_ms;
	a->bytes = sim_copy(buf_span(&c->out));
	a->len = c->out.len;
	a->ends_at = l->sent_bytes + a->len;
	l->asked = sim_grow(l->asked, &l->asked_cap, l->asked_count,
			    sizeof(*l->asked));
	l->asked[l->asked_count++] = *a;
	story_tell(&sim->story, sim->t_ms, c->name, "%s %s %s%s%s",
		   a->method ? method_info(a->method)->name : "(something)",
		   a->match.text, a->lobby.text, a->text[0] ? " " : "",
		   a->method == METHOD_HELLO && a->flag ? "(token)"
		   : a->login[0]                        ? a->login
							: a->text);
	referee_asked(sim, l, a);
	net_to_server(sim, l, buf_span(&c->out));
}

void ask_again(struct sim *sim, struct client *c, const struct asked *old)
{
	struct asked a = *old;
	struct buf head;
	ask_begin(c, &a, old->method);
	/* the old request behind a new head: only the id differs */
	buf_init(&head, MESSAGE_BYTES_MAX);
	rpc_begin_request(&head, old->msgid, method_info(old->method)->name);
	buf_put(&c->out, old->bytes + head.len, old->len - head.len);
	buf_release(&head);
	a.match = old->match;
	a.lobby = old->lobby;
	a.seek = old->seek;
	a.whom = old->whom;
	a.ply = old->ply;
	a.takebacks_known = old->takebacks_known;
	a.flag = old->flag;
	a.clock = old->clock;
	a.length = old->length;
	a.position = old->position;
	a.offer = old->offer;
	a.level = old->level;
	a.game = old->game;
	memcpy(a.text, old->text, sizeof(a.text));
	ask_send(sim, c, &a);
}

void ask_match(struct sim *sim, struct client *c, enum method method,
	       const struct id *match)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, method);
	a.match = *match;
	put_map(b, 1);
	put_cstr(b, "match");
	put_cstr(b, match->text);
	ask_send(sim, c, &a);
}

void ask_move(struct sim *sim, struct client *c, const struct id *match,
	      uint32_t ply, const char *move)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_MATCH_MOVE);
	a.match = *match;
	a.ply = ply;
	snprintf(a.text, sizeof(a.text), "%s", move);
	const struct seen_match *m = client_match(c, match);
	bool knows = m && m->takebacks >= 0 && sim_chance(sim, 7000);
	put_map(b, 3u + knows);
	put_cstr(b, "match");
	put_cstr(b, match->text);
	put_cstr(b, "ply");
	put_uint(b, ply);
	put_cstr(b, "move");
	put_cstr(b, move);
	if (knows) {
		a.takebacks_known = (uint32_t)m->takebacks + 1;
		put_cstr(b, "takebacks");
		put_int(b, m->takebacks);
	}
	ask_send(sim, c, &a);
}

void ask_ply(struct sim *sim, struct client *c, enum method method,
	     const struct id *match, uint32_t ply)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, method);
	a.match = *match;
	a.ply = ply;
	put_map(b, 2);
	put_cstr(b, "match");
	put_cstr(b, match->text);
	put_cstr(b, "ply");
	put_uint(b, ply);
	ask_send(sim, c, &a);
}

void ask_hello(struct sim *sim, struct client *c, const char *token)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_HELLO);
	a.flag = token[0] != '\0';
	snprintf(a.text, sizeof(a.text), "%s", token);
	put_map(b, 3u + a.flag);
	put_cstr(b, "protocol");
	put_int(b, PROTOCOL_VERSION);
	put_cstr(b, "name");
	put_cstr(b, c->name);
	put_cstr(b, "bot");
	put_bool(b, c->bot);
	if (a.flag) {
		put_cstr(b, "token");
		put_cstr(b, token);
	}
	c->hello_sent = true;
	ask_send(sim, c, &a);
}

/* -- knowing -- */

static bool id_of(const struct value *map, const char *key, struct id *out)
{
	struct span text;
	*out = (struct id){ "" };
	return !value_str(value_find(map, key), &text) && id_read(text, out);
}

static int side_of(const struct value *v)
{
	struct span text;
	if (value_str(v, &text))
		return -1;
	return span_is(text, "white")   ? WHITE
	       : span_is(text, "black") ? BLACK
					: -1;
}

static int64_t int_of(const struct value *map, const char *key)
{
	int64_t n = -1;
	(void)value_int(value_find(map, key), INT64_MIN, INT64_MAX, &n);
	return n;
}

struct seen_match *client_match(struct client *c, const struct id *match)
{
	for (size_t i = 0; i < c->matches; i++)
		if (id_eq(&c->match[i].match, match))
			return &c->match[i];
	return NULL;
}

static struct seen_match *match_slot(struct client *c, const struct id *match)
{
	struct seen_match *m = client_match(c, match);
	if (m)
		return m;
	for (size_t i = 0; !m && i < c->matches; i++)
		if (c->match[i].over)
			m = &c->match[i];
	if (!m && c->matches == CLIENT_MATCHES_MAX)
		return NULL;
	if (!m)
		m = &c->match[c->matches++];
	*m = (struct seen_match){ .match = *match, .you = -1 };
	return m;
}

static void know_position(struct seen_match *m, const struct value *map)
{
	struct span text;
	if (value_str(value_find(map, "position"), &text))
		return;
	if (game_read(&m->rules, (const char *)text.at, text.len, &m->pos,
		      NULL))
		m->turn = -1;
	else
		m->turn = side_of(value_find(map, "turn"));
}

static void know_snapshot(struct sim *sim, struct client *c,
			  const struct value *map)
{
	struct id id;
	struct span text;
	if (!id_of(map, "match", &id))
		return;
	struct seen_match *m = match_slot(c, &id);
	if (!m || value_str(value_find(map, "rules"), &text) ||
	    ruleset_read((const char *)text.at, text.len, &m->rules))
		return;
	m->you = side_of(value_find(map, "you"));
	m->seq = (uint64_t)int_of(map, "seq");
	m->ply = (uint32_t)int_of(map, "ply");
	m->offer = side_of(value_find(map, "offer"));
	m->takeback = side_of(value_find(map, "takeback"));
	m->takebacks = (int)int_of(map, "takebacks");
	m->wait = false;
	(void)value_str(value_find(map, "state"), &text);
	m->nonces = span_is(text, "nonces");
	m->paused = span_is(text, "paused");
	m->pause = side_of(value_find(map, "pause"));
	m->over = span_is(text, "over") || span_is(text, "frozen");
	know_position(m, map);
	stakes_know(m, map);
	m->lag[0] = '\0';
	lag_is_known(sim, c, m, value_find(map, "clock"));
}

static void know_event(struct sim *sim, struct client *c,
		       const struct value *map)
{
	struct id id;
	struct span event;
	struct seen_match *m;
	if (!id_of(map, "match", &id) || !(m = client_match(c, &id)) ||
	    value_str(value_find(map, "event"), &event))
		return;
	uint64_t seq = (uint64_t)int_of(map, "seq");
	if (seq <= m->seq)
		return;
	m->seq = seq;
	if (span_is(event, "moved") || span_is(event, "passed")) {
		m->ply = (uint32_t)int_of(map, "ply") + 1;
		m->turn = -1;
		m->wait = false;
		m->takeback = m->pause = -1;
		if (m->offer >= 0 &&
		    m->offer != side_of(value_find(map, "side")))
			m->offer = -1;
	} else if (span_is(event, "taken_back")) {
		m->ply = (uint32_t)int_of(map, "to_ply");
		m->offer = m->takeback = -1;
		m->takebacks++;
		m->wait = false;
	} else if (span_is(event, "paused") || span_is(event, "resumed")) {
		m->paused = span_is(event, "paused");
		m->pause = m->offer = m->takeback = -1;
		m->wait = false;
	} else if (span_is(event, "pause_offered")) {
		m->pause = side_of(value_find(map, "side"));
	} else if (span_is(event, "pause_declined")) {
		m->pause = -1;
	} else if (span_is(event, "takeback_offered")) {
		m->takeback = side_of(value_find(map, "side"));
	} else if (span_is(event, "takeback_declined")) {
		m->takeback = -1;
	} else if (span_is(event, "draw_offered")) {
		m->offer = side_of(value_find(map, "side"));
	} else if (span_is(event, "draw_declined")) {
		m->offer = -1;
	} else if (span_is(event, "ended")) {
		m->over = true;
	} else {
		m->nonces = span_is(event, "nonce") && m->nonces;
	}
	stakes_hear(m, map);
	know_position(m, map);
	if (value_find(map, "position"))
		stakes_know(m, map);
	lag_is_known(sim, c, m, map);
}

static void know_rematch(struct client *c, const struct value *map)
{
	struct id id;
	struct seen_match *m;
	bool wants = false;
	if (!id_of(map, "match", &id) || !(m = client_match(c, &id)) ||
	    m->you < 0)
		return;
	(void)value_bool(value_find(map, m->you == WHITE ? "black" : "white"),
			 &wants);
	m->rematch = wants;
}

static void know_lobby(struct sim *sim, struct client *c,
		       const struct value *map)
{
	struct id id;
	struct span code;
	if (!id_of(map, "lobby", &id))
		return;
	if (!value_str(value_find(map, "code"), &code))
		span_copy(code, sim->code[sim->codes++ % CODES_MAX],
			  CODE_CHARS + 1);
	for (size_t i = 0; i < c->lobbies; i++)
		if (id_eq(&c->lobby[i], &id))
			return;
	if (c->lobbies < CLIENT_LOBBIES_MAX)
		c->lobby[c->lobbies++] = id;
}

static void forget_lobby(struct client *c, const struct id *lobby)
{
	for (size_t i = 0; i < c->lobbies; i++)
		if (id_eq(&c->lobby[i], lobby))
			c->lobby[i--] = c->lobby[--c->lobbies];
}

/* -- answers -- */

/* Honest software sends again what was not answered. */
static void send_again(struct sim *sim, struct client *c)
{
	while (c->agains > 0) {
		ask_again(sim, c, &c->again[0]);
		drop_again(c, 0);
	}
}

/* It is somebody else now. */
static void know_nothing(struct client *c)
{
	c->matches = c->lobbies = 0;
	free(c->created.bytes);
	c->created = (struct asked){ .msgid = 0 };
	while (c->agains > 0)
		drop_again(c, 0);
}

static void on_welcome(struct sim *sim, struct client *c,
		       const struct value *map)
{
	struct span token;
	struct id id;
	c->ready = true;
	struct id before = c->player;
	id_of(value_find(map, "player"), "id", &c->player);
	if (!id_eq(&before, &c->player))
		know_nothing(c);
	c->session = (uint32_t)int_of(map, "session");
	memcpy(c->old_token, c->token, sizeof(c->token));
	if (!value_str(value_find(map, "token"), &token))
		span_copy(token, c->token, sizeof(c->token));
	c->lobbies = 0;
	const struct value *list = value_find(map, "lobbies");
	for (size_t i = 0; i < value_count(list) && i < CLIENT_LOBBIES_MAX; i++)
		if (!value_str(value_at(list, i), &token) &&
		    id_read(token, &id))
			c->lobby[c->lobbies++] = id;
	list = value_find(map, "matches");
	for (size_t i = 0; i < c->matches; i++)
		if (c->match[i].you < 0 && !c->match[i].over)
			ask_match(sim, c, METHOD_MATCH_WATCH,
				  &c->match[i].match);
	for (size_t i = 0; i < value_count(list); i++)
		if (!value_str(value_at(list, i), &token) &&
		    id_read(token, &id))
			ask_match(sim, c, METHOD_MATCH_WATCH, &id);
	send_again(sim, c);
}

static void pick(struct sim *sim, const struct value *map, const char *list,
		 const char *key, struct id *out)
{
	const struct value *items = value_find(map, list);
	size_t n = value_count(items);
	*out = (struct id){ "" };
	if (n > 0)
		id_of(value_at(items, sim_between(sim, 0, (uint32_t)n - 1)),
		      key, out);
}

static void on_result(struct sim *sim, struct client *c, const struct asked *a,
		      const struct value *map)
{
	switch (a->method) {
	case METHOD_HELLO: on_welcome(sim, c, map); break;
	case METHOD_LOBBY_CREATE:
	case METHOD_LOBBY_JOIN:
	case METHOD_LOBBY_GET:
	case METHOD_LOBBY_INVITE:
	case METHOD_LOBBY_READY: know_lobby(sim, c, map); break;
	case METHOD_SEEK_CREATE:
	case METHOD_CHALLENGE_SEND:
		id_of(map, "seek", &c->sought); /* to be taken back, perhaps */
		break;
	case METHOD_SEEK_LIST:
		pick(sim, map, "seeks", "seek", &c->sought);
		break;
	case METHOD_LOBBY_LEAVE: forget_lobby(c, &a->lobby); break;
	case METHOD_LOBBY_LIST:
		pick(sim, map, "lobbies", "lobby", &c->listed);
		break;
	case METHOD_MATCH_LIST:
		pick(sim, map, "matches", "match", &c->running);
		break;
	case METHOD_MATCH_WATCH:
	case METHOD_MATCH_GET:
		know_snapshot(sim, c, map);
		client_echoes(sim, c);
		break;
	default: client_account_answered(sim, c, a, map); break;
	}
}

static void on_error(struct sim *sim, struct client *c, const struct asked *a,
		     const struct value *error)
{
	int64_t code = 0;
	(void)value_int(value_at(error, 0), INT64_MIN, 0, &code);
	struct seen_match *m = client_match(c, &a->match);
	client_account_refused(sim, c, a, code);
	if (a->method == METHOD_HELLO && !c->ready) {
		c->hello_sent = false;
		if (code == PLYD_ENAMETAKEN) /* by himself, perhaps */
			snprintf(c->name, sizeof(c->name), "c%zu-%u", c->index,
				 ++c->keys);
		if (code == PLYD_ETOKEN && !strcmp(a->text, c->token))
			c->token[0] = '\0'; /* forgotten: begin anew */
	} else if (code == PLYD_ENOMATCH && m) {
		m->over = true;
	} else if (code == PLYD_ENOLOBBY || code == PLYD_ENOTINLOBBY) {
		forget_lobby(c, &a->lobby);
	} else if (m && !m->over && c->temper != HOSTILE &&
		   (a->method == METHOD_MATCH_MOVE ||
		    a->method == METHOD_MATCH_ROLL ||
		    a->method == METHOD_MATCH_DOUBLE ||
		    a->method == METHOD_MATCH_TAKE ||
		    a->method == METHOD_MATCH_DROP)) {
		ask_match(sim, c, METHOD_MATCH_GET, &a->match);
	}
}

static struct asked *asked_by(struct link *l, const struct value *msgid)
{
	int64_t id;
	if (value_int(msgid, 0, UINT32_MAX, &id))
		return NULL;
	for (size_t i = 0; i < l->asked_count; i++)
		if (!l->asked[i].got && l->asked[i].answered &&
		    l->asked[i].msgid == id)
			return &l->asked[i];
	return NULL;
}

static void on_response(struct sim *sim, struct client *c,
			const struct value *root)
{
	struct asked *found = asked_by(c->link, value_at(root, 1));
	const struct value *error = value_at(root, 2);
	if (!found)
		return;
	found->got = true;
	struct asked a = *found; /* the table may move */
	if (value_type(error) == VALUE_NIL)
		on_result(sim, c, &a, value_at(root, 3));
	else
		on_error(sim, c, &a, error);
}

static void on_notification(struct sim *sim, struct client *c,
			    const struct value *root)
{
	struct span name;
	struct id lobby;
	const struct value *map = value_at(value_at(root, 2), 0);
	(void)value_str(value_at(root, 1), &name);
	if (span_is(name, "match.started")) {
		know_snapshot(sim, c, map);
		client_echoes(sim, c);
	} else if (span_is(name, "match.event")) {
		know_event(sim, c, map);
		client_echoes(sim, c);
		client_acts_at_once(sim, c);
	} else if (span_is(name, "match.rematch"))
		know_rematch(c, map);
	else if (span_is(name, "challenge.received") &&
		 id_of(map, "seek", &lobby))
		client_met(c, "challenge", &lobby);
	else if (span_is(name, "lobby.invited") && id_of(map, "lobby", &lobby))
		client_met(c, "lobby", &lobby);
	else if (span_is(name, "lobby.changed"))
		know_lobby(sim, c, map);
	else if (span_is(name, "lobby.closed") && id_of(map, "lobby", &lobby))
		forget_lobby(c, &lobby);
}

void client_hears(struct sim *sim, struct client *c, struct span bytes)
{
	while (bytes.len > 0 && c->link) {
		const struct value *root;
		size_t taken;
		int found = scan_feed(&c->scan, bytes, &taken);
		buf_put(&c->in, bytes.at, taken);
		bytes = span_of(bytes.at + taken, bytes.len - taken);
		if (found != SCAN_MESSAGE)
			continue;
		int64_t type = -1;
		if (doc_parse(c->doc, buf_span(&c->in), &doc_answer, &root))
			sim_fail(sim, "%s cannot read what it got", c->name);
		else
			(void)value_int(value_at(root, 0), 0, 2, &type);
		if (type == 1)
			on_response(sim, c, root);
		else if (type == 2)
			on_notification(sim, c, root);
		buf_clear(&c->in);
	}
}

/* -- cut off -- */

static bool worth_sending_again(const struct asked *a)
{
	switch (a->method) {
	case METHOD_LOBBY_CREATE: return a->text[0] != '\0';
	case METHOD_LOBBY_READY:
	case METHOD_CHAT_SEND:
	case METHOD_BLOCK_ADD:
	case METHOD_REPORT_SEND:
	case METHOD_MATCH_MOVE:
	case METHOD_MATCH_NONCE:
	case METHOD_MATCH_TAKEBACK_OFFER:
	case METHOD_MATCH_TAKEBACK_ACCEPT:
	case METHOD_MATCH_ROLL:
	case METHOD_MATCH_DOUBLE:
	case METHOD_MATCH_TAKE:
	case METHOD_MATCH_DROP:
	case METHOD_MATCH_ACCEPT_RESIGN:
	case METHOD_MATCH_DECLINE_RESIGN:
	case METHOD_MATCH_REMATCH:
	case METHOD_SEEK_CREATE:
	case METHOD_SEEK_ACCEPT:
	case METHOD_CHALLENGE_SEND:
	case METHOD_CHALLENGE_ACCEPT:
	case METHOD_QUICK_JOIN:
	case METHOD_MATCH_ACCEPT_DRAW: return true;
	case METHOD_MATCH_RESIGN: return a->game > 0;
	default: return false;
	}
}

void client_is_cut_off(struct sim *sim, struct client *c)
{
	struct link *l = c->link;
	c->link = NULL;
	c->ready = c->hello_sent = false;
	buf_clear(&c->in);
	scan_init(&c->scan, &scan_answers);
	for (size_t i = 0; i < c->matches; i++)
		c->match[i].wait = false;
	for (size_t i = 0; l && i < l->asked_count; i++) {
		struct asked *a = &l->asked[i];
		if (a->got || !worth_sending_again(a) || c->agains == AGAIN_MAX)
			continue;
		c->again[c->agains] = *a;
		c->again[c->agains++].bytes =
			sim_copy(span_of(a->bytes, a->len));
	}
	c->quiet_until_ms = sim->t_ms + sim_between(sim, 1, 1500);
}
