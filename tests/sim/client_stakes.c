/* SPDX-License-Identifier: MIT
 * client_stakes.c - clients throw, double, take, drop and resign, mostly in
 * good sense, and the hostile ones in none. */
#include "client.h"
#include "proto/write.h"
#include "sim.h"

static int64_t int_of(const struct value *map, const char *key)
{
	int64_t n = 0;
	(void)value_int(value_find(map, key), INT64_MIN, INT64_MAX, &n);
	return n;
}

static int side_of(const struct value *map, const char *key)
{
	struct span text;
	if (value_str(value_find(map, key), &text))
		return -1;
	return span_is(text, "white")   ? WHITE
	       : span_is(text, "black") ? BLACK
					: -1;
}

void stakes_know(struct seen_match *m, const struct value *map)
{
	const struct value *stakes = value_find(map, "stakes");
	const struct value *resign = value_find(stakes, "resign");
	struct span text;
	m->awaits = AWAITS_MOVE;
	if (value_str(value_find(map, "awaits"), &text))
		m->awaits = AWAITS_NOTHING;
	else if (span_is(text, "roll"))
		m->awaits = AWAITS_ROLL;
	else if (span_is(text, "answer"))
		m->awaits = AWAITS_ANSWER;
	m->length = (int)int_of(stakes, "length");
	m->game = (uint32_t)int_of(stakes, "game");
	m->resign_by = side_of(resign, "side");
	m->resign_offer = (uint64_t)int_of(resign, "offer");
}

void stakes_hear(struct seen_match *m, const struct value *map)
{
	struct span event;
	if (value_str(value_find(map, "event"), &event))
		return;
	if (span_is(event, "doubled") || span_is(event, "taken") ||
	    span_is(event, "dropped")) {
		m->ply = (uint32_t)int_of(map, "ply") + 1;
		m->turn = -1;
		m->wait = false;
	} else if (span_is(event, "rolled")) {
		m->wait = false;
	} else if (span_is(event, "resign_offered")) {
		m->resign_by = side_of(map, "side");
		m->resign_offer = (uint64_t)int_of(map, "seq");
	} else if (span_is(event, "resign_declined")) {
		m->resign_by = -1;
	} else if (span_is(event, "game_begun")) {
		m->ply = (uint32_t)int_of(map, "ply");
		m->resign_by = -1;
	}
}

/* -- asking -- */

static void ask_cube(struct sim *sim, struct client *c, enum method method,
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

static void ask_answer(struct sim *sim, struct client *c, enum method method,
		       const struct id *match, uint64_t offer)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, method);
	a.match = *match;
	a.offer = offer;
	put_map(b, 2);
	put_cstr(b, "match");
	put_cstr(b, match->text);
	put_cstr(b, "offer");
	put_uint(b, offer > 0 ? offer : 1);
	ask_send(sim, c, &a);
}

static void ask_resign(struct sim *sim, struct client *c,
		       const struct id *match, uint32_t game, bool whole)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_MATCH_RESIGN);
	a.match = *match;
	a.level = (int)(sim_chance(sim, 7000) ? sim_between(sim, 1, 2)
					      : sim_between(sim, 0, 3));
	a.flag = whole;
	a.game = game;
	put_map(b, 1u + (a.level > 0) + (game > 0) + whole);
	put_cstr(b, "match");
	put_cstr(b, match->text);
	if (a.level > 0) {
		put_cstr(b, "level");
		put_int(b, a.level);
	}
	if (game > 0) {
		put_cstr(b, "game");
		put_uint(b, game);
	}
	if (whole) {
		put_cstr(b, "whole");
		put_bool(b, true);
	}
	ask_send(sim, c, &a);
}

/* -- playing -- */

bool stakes_play(struct sim *sim, struct client *c, struct seen_match *m)
{
	enum method method;
	if (m->awaits == AWAITS_ROLL)
		method = sim_chance(sim, 1500) ? METHOD_MATCH_DOUBLE
					       : METHOD_MATCH_ROLL;
	else if (m->awaits == AWAITS_ANSWER)
		method = sim_chance(sim, 3000) ? METHOD_MATCH_DROP
					       : METHOD_MATCH_TAKE;
	else
		return false;
	if (m->ply > 0 && sim_chance(sim, 300)) {
		/* of a screen that is not up to date */
		ask_cube(sim, c, method, &m->match, m->ply - 1);
		return true;
	}
	ask_cube(sim, c, method, &m->match, m->ply);
	m->wait = true;
	if (sim_chance(sim, 800)) /* a nervous finger */
		ask_cube(sim, c, method, &m->match, m->ply);
	return true;
}

bool stakes_speak(struct sim *sim, struct client *c, const struct seen_match *m)
{
	if (m->rules.family != FAMILY_BACKGAMMON)
		return false;
	if (m->resign_by == 1 - m->you && sim_chance(sim, 7000)) {
		uint64_t late =
			sim_chance(sim, 2000) ? sim_between(sim, 1, 3) : 0;
		ask_answer(sim, c,
			   sim_chance(sim, 3000) ? METHOD_MATCH_ACCEPT_RESIGN
						 : METHOD_MATCH_DECLINE_RESIGN,
			   &m->match, m->resign_offer - late);
		return true;
	}
	if (m->length == 0 || !sim_chance(sim, 4000))
		return false;
	bool whole = sim_chance(sim, 300);
	ask_resign(sim, c, &m->match, sim_chance(sim, 9000) ? m->game : 0,
		   whole);
	return true;
}

/* Anything, at any ply, of any offer. */
void stakes_harm(struct sim *sim, struct client *c, const struct match *m)
{
	static const enum method methods[] = {
		METHOD_MATCH_ROLL,          METHOD_MATCH_DOUBLE,
		METHOD_MATCH_TAKE,          METHOD_MATCH_DROP,
		METHOD_MATCH_ACCEPT_RESIGN, METHOD_MATCH_DECLINE_RESIGN,
	};
	uint32_t which = sim_between(sim, 0, 5), ply = m->ply;
	struct id id = m->id;
	if (which < 4 && ply > 0 && sim_chance(sim, 5000))
		ply -= sim_between(sim, 1, ply > 3 ? 3 : ply);
	if (which < 4)
		ask_cube(sim, c, methods[which], &id, ply);
	else
		ask_answer(sim, c, methods[which], &id,
			   m->resign.seq + sim_between(sim, 0, 1));
}

int stakes_length(struct sim *sim, const char *ruleset)
{
	const struct ruleset *rules = NULL;
	for (int i = 0; i < RULESETS; i++)
		if (!strcmp(sim->rules[i].rules.name, ruleset))
			rules = &sim->rules[i].rules;
	bool games = rules && rules->family == FAMILY_BACKGAMMON &&
		     rules->backgammon.match_length > 0;
	if (sim_chance(sim, games ? 5000 : 9700))
		return 0;
	return (int)sim_between(sim, 1, sim_chance(sim, 9000) ? 5 : 30);
}
