/* SPDX-License-Identifier: MIT
 * client_hostile.c - what no client should send. */
#include "client.h"

#include <stdio.h>

#include "proto/write.h"
#include "sim.h"

/* Bytes that are no MessagePack-RPC, or only nearly. */
static void send_garbage(struct sim *sim, struct client *c)
{
	uint8_t bytes[64];
	size_t n = 1 + sim_between(sim, 0, sizeof(bytes) - 1);
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)rng_next(&sim->rng);
	c->link->garbage = true;
	story_tell(&sim->story, sim->t_ms, c->name, "%zu bytes of garbage", n);
	net_to_server(sim, c->link, span_of(bytes, n));
}

/* Half a message, and then nothing. */
static void send_half(struct sim *sim, struct client *c)
{
	struct buf b;
	buf_init(&b, 1024);
	rpc_begin_request(&b, ++c->msgids, "match.move");
	c->link->garbage = true;
	story_tell(&sim->story, sim->t_ms, c->name, "half a message");
	net_to_server(sim, c->link, buf_span(&b));
	buf_release(&b);
	net_client_closes(sim, c->link, sim_chance(sim, 5000));
}

/* A request that can be read but not accepted. */
static void send_wrong_request(struct sim *sim, struct client *c)
{
	struct asked a = { .msgid = ++c->msgids };
	struct buf *b = &c->out;
	buf_clear(b);
	switch (sim_between(sim, 0, 4)) {
	case 0:
		rpc_begin_request(b, a.msgid, "match.cheat");
		put_map(b, 0);
		break;
	case 1: /* a key that ping does not have */
		rpc_begin_request(b, a.msgid, "ping");
		put_map(b, 1);
		put_cstr(b, "hard");
		put_bool(b, true);
		break;
	case 2: /* one key twice */
		rpc_begin_request(b, a.msgid, "match.get");
		put_map(b, 2);
		for (int i = 0; i < 2; i++) {
			put_cstr(b, "match");
			put_cstr(b, "abcdefghij");
		}
		break;
	case 3: /* too deep */
		rpc_begin_request(b, a.msgid, "ping");
		for (int i = 0; i < 12; i++)
			put_array(b, 1);
		put_nil(b);
		break;
	default: /* a number for an id, and a ply below zero */
		rpc_begin_request(b, a.msgid, "match.move");
		put_map(b, 2);
		put_cstr(b, "match");
		put_int(b, 7);
		put_cstr(b, "ply");
		put_int(b, -1);
		break;
	}
	ask_send(sim, c, &a);
}

/* A match of anybody; its id may be known once it is durable. */
static const struct match *any_match(struct sim *sim)
{
	const struct domain *d = sim->hub ? hub_domain(sim->hub) : NULL;
	const struct match *m, *known[16];
	uint32_t n = 0;
	for (m = d ? domain_matches(d) : NULL; m && n < 16; m = match_next(m))
		if (disk_has(&sim->disk, &m->id))
			known[n++] = m;
	return n > 0 ? known[sim_between(sim, 0, n - 1)] : NULL;
}

/* Legal moves at the wrong time, by the wrong seat, of a wrong ply. */
static void send_wrong_move(struct sim *sim, struct client *c)
{
	static const char *const nonsense[] = { "x",      "1-2-3", "99-1",
						"24/18",  "off",   "d2-d3",
						"11-15 ", "bar/0", "a1xa1" };
	char text[MOVE_TEXT_MAX];
	const struct match *m = any_match(sim);
	if (!m)
		return;
	struct id id = m->id;
	uint32_t ply = m->ply;
	if (!random_move(sim, &m->rules->rules, &m->pos, text))
		snprintf(text, sizeof(text), "1-5");
	switch (sim_between(sim, 0, 4)) {
	case 0: break; /* the very move of whoever is to move */
	case 1: ply = ply > 0 ? ply - 1 : 7; break;
	case 2: ply++; break;
	default:
		snprintf(text, sizeof(text), "%s",
			 nonsense[sim_between(sim, 0, 8)]);
		break;
	}
	ask_move(sim, c, &id, ply, text);
}

/* The last request again, byte for byte. */
static void send_again_same(struct sim *sim, struct client *c)
{
	const struct link *l = c->link;
	if (l->asked_count == 0)
		return;
	struct asked a = l->asked[l->asked_count - 1];
	if (a.method == METHOD_HELLO || a.method == METHOD_LOBBY_CREATE)
		return;
	buf_clear(&c->out);
	buf_put(&c->out, a.bytes, a.len);
	a.answered = a.got = false;
	ask_send(sim, c, &a);
}

static void do_harm(struct sim *sim, struct client *c)
{
	static const enum method methods[] = {
		METHOD_MATCH_OFFER_DRAW, METHOD_MATCH_GET,
		METHOD_MATCH_WATCH,      METHOD_MATCH_ABORT,
		METHOD_MATCH_RESIGN,     METHOD_RECORD_GET,
	};
	const struct match *m = any_match(sim);
	if (!m)
		return;
	struct id id = m->id;
	enum method method = methods[sim_between(sim, 0, 5)];
	if (method == METHOD_MATCH_RESIGN && client_match(c, &id) &&
	    sim_chance(sim, 9000))
		return; /* it wants to go on being a nuisance */
	ask_match(sim, c, method, &id);
}

/* Answers to offers that may stand or not, at any ply. */
static void accept_anything(struct sim *sim, struct client *c)
{
	static const enum method methods[] = {
		METHOD_MATCH_ACCEPT_DRAW,
		METHOD_MATCH_TAKEBACK_ACCEPT,
		METHOD_MATCH_TAKEBACK_OFFER,
		METHOD_MATCH_PAUSE_ACCEPT,
	};
	const struct match *m = any_match(sim);
	if (!m)
		return;
	if (m->rules->rules.family == FAMILY_BACKGAMMON &&
	    sim_chance(sim, 5000)) {
		stakes_harm(sim, c, m);
		return;
	}
	struct id id = m->id;
	uint32_t ply = m->ply - (m->ply > 0 && sim_chance(sim, 5000));
	ask_ply(sim, c, methods[sim_between(sim, 0, 3)], &id, ply);
}

void client_acts_hostile(struct sim *sim, struct client *c)
{
	uint32_t dice = sim_between(sim, 0, 99);
	if (dice < 3)
		send_garbage(sim, c);
	else if (dice < 6)
		send_half(sim, c);
	else if (dice < 16)
		send_wrong_request(sim, c);
	else if (dice < 56)
		send_wrong_move(sim, c);
	else if (dice < 70)
		send_again_same(sim, c);
	else if (dice < 82)
		do_harm(sim, c);
	else if (dice < 96)
		accept_anything(sim, c);
	else
		ask_hello(sim, c, "");
}
