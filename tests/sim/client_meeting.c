/* SPDX-License-Identifier: MIT
 * client_meeting.c - how clients meet: seeks, challenges, quick matches,
 * invitations, owners who throw out and change their minds, bots that let the
 * server answer, and some who ask for what they may not. */
#include "client.h"

#include <stdio.h>

#include "proto/write.h"
#include "sim.h"

static const char *any_ruleset(struct sim *sim)
{
	return sim->rules[sim_between(sim, 0, RULESETS - 1)].rules.name;
}

/* Somebody, perhaps himself. */
static struct id anybody(struct sim *sim)
{
	const struct client *c =
		sim->client[sim_between(sim, 0, (uint32_t)sim->clients - 1)];
	return c->player;
}

static void put_id(struct buf *b, const char *key, const struct id *id)
{
	put_cstr(b, key);
	put_cstr(b, id->text);
}

static void ask_plain(struct sim *sim, struct client *c, enum method method)
{
	struct asked a;
	put_map(ask_begin(c, &a, method), 0);
	ask_send(sim, c, &a);
}

static void ask_seek(struct sim *sim, struct client *c, enum method method,
		     const struct id *seek)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, method);
	a.seek = *seek;
	put_map(b, 1);
	put_id(b, "seek", seek);
	ask_send(sim, c, &a);
}

static void make_seek(struct sim *sim, struct client *c, const struct id *to)
{
	static const char *const sides[] = { "white", "black", "any" };
	struct asked a;
	bool clock = sim_chance(sim, 2000);
	bool rated = !to && client_has_account(sim, c) && sim_chance(sim, 7000);
	struct buf *b =
		ask_begin(c, &a,
			  to ? METHOD_CHALLENGE_SEND : METHOD_SEEK_CREATE);
	if (to)
		a.whom = *to;
	snprintf(a.text, sizeof(a.text), "s%zu-%u", c->index, ++c->keys);
	int range = !to && sim_chance(sim, 4000);
	put_map(b, 3u + (to != NULL) + rated + clock + 2 * (unsigned)range);
	if (range) {
		put_cstr(b, "rating_min");
		put_int(b, sim_between(sim, 1300, 1600));
		put_cstr(b, "rating_max");
		put_int(b, sim_between(sim, 1600, 1800));
	}
	put_cstr(b, "ruleset");
	/* challenges that cross mean the same more often */
	put_cstr(b, to ? sim->rules[0].rules.name : any_ruleset(sim));
	put_cstr(b, "side");
	put_cstr(b, sides[sim_between(sim, 0, 2)]);
	put_cstr(b, "key");
	put_cstr(b, a.text);
	if (to)
		put_id(b, "player", to);
	if (rated) {
		put_cstr(b, "rated");
		put_bool(b, true);
	}
	if (clock) {
		put_cstr(b, "unlimited");
		put_bool(b, true);
	}
	ask_send(sim, c, &a);
	if (sim_chance(sim, 1000))
		ask_again(sim, c, &a);
}

static void join_queue(struct sim *sim, struct client *c)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_QUICK_JOIN);
	put_map(b, 2);
	put_cstr(b, "ruleset");
	put_cstr(b, sim->rules[sim_between(sim, 0, 1)].rules.name);
	put_cstr(b, "bots");
	put_bool(b, sim_chance(sim, 5000));
	ask_send(sim, c, &a);
}

static void about_lobby(struct sim *sim, struct client *c, enum method method,
			const struct id *lobby)
{
	struct asked a;
	struct id whom = anybody(sim);
	bool update = method == METHOD_LOBBY_UPDATE;
	if (!update && id_is_none(&whom))
		return;
	struct buf *b = ask_begin(c, &a, method);
	a.lobby = *lobby;
	put_map(b, 2);
	put_id(b, "lobby", lobby);
	if (update) {
		put_cstr(b, "side");
		put_cstr(b, sim_chance(sim, 5000) ? "white" : "black");
	} else {
		a.whom = whom;
		put_id(b, "player", &whom);
	}
	ask_send(sim, c, &a);
}

static void answer_lobby(struct sim *sim, struct client *c, enum method method)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, method);
	a.lobby = c->invited;
	put_map(b, 1);
	put_id(b, "lobby", &c->invited);
	ask_send(sim, c, &a);
}

/* Joins where it was not asked in; it has heard of it somewhere. */
static bool intrude(struct sim *sim, struct client *c)
{
	struct asked a;
	const struct client *host =
		sim->client[sim_between(sim, 0, (uint32_t)sim->clients - 1)];
	if (host == c || host->lobbies == 0)
		return false;
	struct buf *b = ask_begin(c, &a, METHOD_LOBBY_JOIN);
	a.lobby = host->lobby[host->lobbies - 1];
	put_map(b, 1);
	put_id(b, "lobby", &a.lobby);
	ask_send(sim, c, &a);
	return true;
}

static void set_policy(struct sim *sim, struct client *c)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_BOT_POLICY);
	put_map(b, 2);
	put_cstr(b, "answers");
	put_bool(b, sim_chance(sim, 7000));
	put_cstr(b, "at_once");
	put_int(b, sim_between(sim, 1, 3));
	ask_send(sim, c, &a);
}

/* What is not looked at is not asked about. */
static void look(struct sim *sim, struct client *c, uint32_t dice)
{
	static const enum method plain[] = {
		METHOD_SEEK_LIST,
		METHOD_QUICK_STATUS,
		METHOD_PLAYERS_LIST,
		METHOD_BOT_LIST,
	};
	ask_plain(sim, c, plain[dice % 4]);
}

static void meet_by_seek(struct sim *sim, struct client *c, uint32_t dice)
{
	struct id whom = anybody(sim);
	if (!id_is_none(&c->challenged) && dice < 40)
		ask_seek(sim, c,
			 dice < 28 ? METHOD_CHALLENGE_ACCEPT
				   : METHOD_CHALLENGE_DECLINE,
			 &c->challenged);
	else if (!id_is_none(&c->sought) && dice < 60)
		ask_seek(sim, c,
			 dice < 52   ? METHOD_SEEK_ACCEPT
			 : dice < 55 ? METHOD_SEEK_CANCEL
			 : dice < 57 ? METHOD_CHALLENGE_CANCEL
				     : METHOD_CHALLENGE_ACCEPT,
			 &c->sought);
	else if (dice < 75 || id_is_none(&whom))
		make_seek(sim, c, NULL);
	else
		make_seek(sim, c, &whom);
}

void client_meets(struct sim *sim, struct client *c)
{
	uint32_t what = sim_between(sim, 0, 99);
	uint32_t dice = sim_between(sim, 0, 99);
	const struct id *lobby =
		c->lobbies > 0 ? &c->lobby[dice % c->lobbies] : &c->listed;
	if (c->temper == HOSTILE && sim_chance(sim, 2000) && intrude(sim, c))
		return;
	if (what < 45)
		meet_by_seek(sim, c, dice);
	else if (what < 60)
		join_queue(sim, c);
	else if (what < 63)
		ask_plain(sim, c, METHOD_QUICK_LEAVE);
	else if (!id_is_none(&c->invited) && what < 70)
		answer_lobby(sim, c,
			     dice < 70 ? METHOD_LOBBY_JOIN
				       : METHOD_LOBBY_DECLINE);
	else if (!id_is_none(lobby) && what < 85)
		about_lobby(sim, c,
			    dice < 60   ? METHOD_LOBBY_INVITE
			    : dice < 80 ? METHOD_LOBBY_KICK
					: METHOD_LOBBY_UPDATE,
			    lobby);
	else if (what < 90 && (c->bot || dice < 10))
		set_policy(sim, c);
	else if (what == 90 && c->bot)
		ask_plain(sim, c, METHOD_BOT_FINISH);
	else
		look(sim, c, dice);
}

void client_met(struct client *c, const char *key, const struct id *id)
{
	struct id *slot = !strcmp(key, "challenge") ? &c->challenged
			  : !strcmp(key, "seek")    ? &c->sought
						    : &c->invited;
	*slot = *id;
}
