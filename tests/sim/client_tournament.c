/* SPDX-License-Identifier: MIT
 * client_tournament.c - clients make tournaments, take part, leave them, direct
 * them, and some try what they may not. Their matches they play as any other. */
#include "client.h"

#include <stdio.h>

#include "domain/tournament.h"
#include "proto/write.h"
#include "sim.h"

enum { CUPS_AT_ONCE = 2 };

static void put_id(struct buf *b, const char *key, const struct id *id)
{
	put_cstr(b, key);
	put_cstr(b, id->text);
}

static void put_text(struct buf *b, const char *key, const char *text)
{
	put_cstr(b, key);
	put_cstr(b, text);
}

static void put_number(struct buf *b, const char *key, int64_t n)
{
	put_cstr(b, key);
	put_int(b, n);
}

static void create(struct sim *sim, struct client *c)
{
	static const char *const formats[] = { "swiss", "round_robin",
					       "double_round_robin",
					       "knockout" };
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_TOURNAMENT_CREATE);
	bool swiss = sim_chance(sim, 5000);
	snprintf(a.text, sizeof(a.text), "t%zu-%u", c->index, ++c->keys);
	put_map(b, 9u + 2 * swiss);
	put_text(b, "name", "Cup");
	put_text(b, "ruleset", sim->rules[sim_between(sim, 0, 1)].rules.name);
	put_text(b, "format", formats[swiss ? 0 : sim_between(sim, 1, 3)]);
	if (swiss) {
		put_number(b, "rounds", sim_between(sim, 2, 4));
		put_number(b, "late_rounds", sim_between(sim, 0, 1));
	}
	put_text(b, "scoring", "half");
	put_text(b, "players", "anyone");
	put_number(b, "no_show_ms", sim_between(sim, 2000, 15000));
	put_number(b, "gap_ms", sim_between(sim, 0, 1) * 500);
	put_number(b, "check_in_ms", sim_chance(sim, 2000) ? 3000 : 0);
	put_text(b, "key", a.text);
	ask_send(sim, c, &a);
	if (sim_chance(sim, 2000))
		ask_again(sim, c, &a);
}

static void ask_cup(struct sim *sim, struct client *c, enum method method,
		    const struct id *id)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, method);
	a.seek = *id;
	put_map(b, 1);
	put_id(b, "tournament", id);
	ask_send(sim, c, &a);
	if (sim_chance(sim, 1000))
		ask_again(sim, c, &a);
}

static void correct(struct sim *sim, struct client *c,
		    const struct tournament *t)
{
	static const char *const outcomes[] = { "white", "black", "draw",
						"neither", "white_forfeit" };
	struct asked a;
	if (t->contest.round_count == 0)
		return;
	struct buf *b = ask_begin(c, &a, METHOD_TOURNAMENT_CORRECT);
	a.seek = t->id;
	put_map(b, 5);
	put_id(b, "tournament", &t->id);
	put_number(b, "round",
		   sim_between(sim, 1, (uint32_t)t->contest.round_count));
	put_number(b, "table", sim_between(sim, 1, 3));
	put_text(b, "outcome", outcomes[sim_between(sim, 0, 4)]);
	put_text(b, "words", "As it was.");
	ask_send(sim, c, &a);
}

static void direct(struct sim *sim, struct client *c,
		   const struct tournament *t)
{
	static const enum method moves[] = { METHOD_TOURNAMENT_PAUSE,
					     METHOD_TOURNAMENT_RESUME,
					     METHOD_TOURNAMENT_RESUME,
					     METHOD_TOURNAMENT_START,
					     METHOD_TOURNAMENT_START };
	if (sim_chance(sim, 300))
		ask_cup(sim, c, METHOD_TOURNAMENT_FINISH, &t->id);
	else if (sim_chance(sim, 2000))
		correct(sim, c, t);
	else
		ask_cup(sim, c, moves[sim_between(sim, 0, 4)], &t->id);
}

static void take_part(struct sim *sim, struct client *c,
		      const struct tournament *t)
{
	uint32_t dice = sim_between(sim, 0, 99);
	if (t->state == TOURNAMENT_CHECK_IN && dice < 70)
		ask_cup(sim, c, METHOD_TOURNAMENT_CHECK_IN, &t->id);
	else if (t->state == TOURNAMENT_OPEN && dice < 60)
		ask_cup(sim, c, METHOD_TOURNAMENT_REGISTER, &t->id);
	else if (dice < 65)
		ask_cup(sim, c, METHOD_TOURNAMENT_REGISTER, &t->id);
	else if (dice < 68)
		ask_cup(sim, c, METHOD_TOURNAMENT_WITHDRAW, &t->id);
	else if (dice < 80)
		ask_cup(sim, c, METHOD_TOURNAMENT_STANDINGS, &t->id);
	else if (dice < 88)
		ask_cup(sim, c, METHOD_TOURNAMENT_WATCH, &t->id);
	else if (dice < 90)
		ask_cup(sim, c, METHOD_TOURNAMENT_UNWATCH, &t->id);
	else
		ask_cup(sim, c, METHOD_TOURNAMENT_GET, &t->id);
}

void client_competes(struct sim *sim, struct client *c)
{
	if (!sim->hub)
		return; /* nobody is there to tell which there are */
	const struct domain *d = hub_domain(sim->hub);
	const struct tournament *t, *chosen = NULL;
	size_t open = 0, seen = 0;
	for (t = domain_tournaments(d); t; t = tournament_next(t)) {
		open += t->state != TOURNAMENT_FINISHED;
		if (sim_between(sim, 0, (uint32_t)seen++) == 0)
			chosen = t;
	}
	if (open < CUPS_AT_ONCE && (!chosen || sim_chance(sim, 3000)))
		create(sim, c);
	else if (chosen && (tournament_directs(chosen, &c->player)
				    ? sim_chance(sim, 5000)
				    : sim_chance(sim, 200)))
		direct(sim, c, chosen);
	else if (chosen)
		take_part(sim, c, chosen);
}
