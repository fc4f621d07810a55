/* SPDX-License-Identifier: MIT
 * client_chat.c - clients talk, block, report, and end the talk. Every line has
 * a text of its own, which is its key too. */
#include "client.h"

#include <stdio.h>

#include "proto/write.h"
#include "sim.h"

static void ask_player(struct sim *sim, struct client *c, enum method method)
{
	struct asked a;
	const struct client *other =
		sim->client[sim_between(sim, 0, (uint32_t)sim->clients - 1)];
	if (id_is_none(&other->player))
		return;
	struct buf *b = ask_begin(c, &a, method);
	bool report = method == METHOD_REPORT_SEND;
	snprintf(a.text, sizeof(a.text), "%s", other->player.text);
	bool about = report && c->matches > 0;
	put_map(b, 1u + report + about);
	put_cstr(b, "player");
	put_cstr(b, other->player.text);
	if (report) {
		put_cstr(b, "reason");
		put_cstr(b, sim_chance(sim, 5000) ? "abuse" : "other");
	}
	if (about) {
		put_cstr(b, "match");
		put_cstr(b, c->match[0].match.text);
	}
	ask_send(sim, c, &a);
}

/* A match that it knows, or a lobby; false: neither. */
static bool pick_room(struct sim *sim, const struct client *c, struct asked *a)
{
	size_t n = c->matches + c->lobbies;
	if (n == 0)
		return false;
	size_t i = sim_between(sim, 0, (uint32_t)n - 1);
	if (i < c->matches)
		a->match = c->match[i].match;
	else
		a->lobby = c->lobby[i - c->matches];
	return true;
}

static void put_room(struct buf *b, const struct asked *a)
{
	bool match = !id_is_none(&a->match);
	put_cstr(b, match ? "match" : "lobby");
	put_cstr(b, match ? a->match.text : a->lobby.text);
}

static void say(struct sim *sim, struct client *c)
{
	struct asked a, room = { .msgid = 0 };
	if (!pick_room(sim, c, &room))
		return;
	struct buf *b = ask_begin(c, &a, METHOD_CHAT_SEND);
	a.match = room.match;
	a.lobby = room.lobby;
	snprintf(a.text, sizeof(a.text), "line-%zu-%u", c->index, ++c->keys);
	put_map(b, 3);
	put_room(b, &a);
	put_cstr(b, "text");
	put_cstr(b, a.text);
	put_cstr(b, "key");
	put_cstr(b, a.text);
	ask_send(sim, c, &a);
	if (sim_chance(sim, 1500)) /* a double click */
		ask_again(sim, c, &a);
}

static void read_back(struct sim *sim, struct client *c)
{
	struct asked a, room = { .msgid = 0 };
	if (!pick_room(sim, c, &room))
		return;
	struct buf *b = ask_begin(c, &a, METHOD_CHAT_GET);
	a.match = room.match;
	a.lobby = room.lobby;
	put_map(b, 1);
	put_room(b, &a);
	ask_send(sim, c, &a);
}

static void turn(struct sim *sim, struct client *c)
{
	struct asked a;
	if (c->matches == 0)
		return;
	struct buf *b = ask_begin(c, &a, METHOD_CHAT_SWITCH);
	a.match = c->match[sim_between(sim, 0, (uint32_t)c->matches - 1)].match;
	a.flag = sim_chance(sim, 7000);
	put_map(b, 2);
	put_cstr(b, "match");
	put_cstr(b, a.match.text);
	put_cstr(b, "on");
	put_bool(b, a.flag);
	ask_send(sim, c, &a);
}

void client_chats(struct sim *sim, struct client *c)
{
	uint32_t dice = sim_between(sim, 0, 99);
	if (dice < 55)
		say(sim, c);
	else if (dice < 75)
		read_back(sim, c);
	else if (dice < 81)
		ask_player(sim, c, METHOD_BLOCK_ADD);
	else if (dice < 89)
		ask_player(sim, c, METHOD_BLOCK_REMOVE);
	else if (dice < 94)
		turn(sim, c);
	else
		ask_player(sim, c, METHOD_REPORT_SEND);
}
