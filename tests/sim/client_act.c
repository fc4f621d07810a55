/* SPDX-License-Identifier: MIT
 * client_act.c - what a client does of itself. */
#include "client.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/write.h"
#include "sim.h"

enum { PATIENCE_MS = 9000, LEAST_GAP_MS = 30 };

bool random_move(struct sim *sim, const struct ruleset *rules,
		 const struct position *pos, char text[MOVE_TEXT_MAX])
{
	static struct move_list list;
	if (game_moves(rules, pos, &list) || list.count == 0)
		return false;
	uint32_t i = sim_between(sim, 0, (uint32_t)list.count - 1);
	game_move_text(rules, pos, &list.move[i], text);
	return true;
}

static void connect_or_wait(struct sim *sim, struct client *c)
{
	if (sim->t_ms >= c->quiet_until_ms)
		c->link = net_connect(sim, c);
}

static void say_hello(struct sim *sim, struct client *c)
{
	if (client_logs_in(sim, c))
		return;
	/* a lost answer must lock nobody out: the old token is tried too */
	const char *token = c->token;
	if (c->temper == HOSTILE && sim_chance(sim, 800) &&
	    cast_has(&sim->cast, FAULT_HOSTILE)) {
		char wrong[TOKEN_HEX + 1];
		for (int i = 0; i < TOKEN_HEX; i++)
			wrong[i] = "0123456789abcdef"[sim_between(sim, 0, 15)];
		wrong[TOKEN_HEX] = '\0';
		ask_hello(sim, c, wrong);
		return;
	}
	if (c->temper == HOSTILE && c->old_token[0] && sim_chance(sim, 1000))
		token = c->old_token;
	ask_hello(sim, c, token);
}

/* -- lobbies -- */

static void create_lobby(struct sim *sim, struct client *c)
{
	static const char *const access[] = {
		"public", "public", "public", "public",
		"public", "code",   "code",   "invited",
	};
	struct asked a;
	bool against = sim_chance(sim, sim->ai_wanted);
	struct clock_asked clock = clock_choose(sim);
	struct buf *b = ask_begin(c, &a, METHOD_LOBBY_CREATE);
	snprintf(a.text, sizeof(a.text), "%zu-%u", c->index, ++c->keys);
	a.clock = clock;
	a.length = stakes_length(sim, clock.ruleset);
	bool rated = !against &&
		     sim_chance(sim, client_has_account(sim, c) ? 8000 : 500);
	if (!rated && !strcmp(clock.ruleset, "english") &&
	    sim_chance(sim, 2000))
		a.position = "B:WK29,K32:BK1,K4";
	put_map(b, 4u + rated + 2 * against + clock_entries(&clock) +
			   (a.length > 0) + (a.position != NULL));
	if (a.position) {
		put_cstr(b, "position");
		put_cstr(b, a.position);
	}
	if (a.length > 0) {
		put_cstr(b, "match_length");
		put_int(b, a.length);
	}
	put_cstr(b, "ruleset");
	put_cstr(b, clock.ruleset);
	put_cstr(b, "key");
	put_cstr(b, a.text);
	if (rated) {
		put_cstr(b, "rated");
		put_bool(b, true);
	}
	put_cstr(b, "access");
	put_cstr(b, access[sim_between(sim, 0, 7)]);
	put_cstr(b, "ready");
	put_bool(b, sim_chance(sim, 7500));
	if (against) {
		put_cstr(b, "opponent");
		put_cstr(b, "personality");
		put_cstr(b, "personality");
		put_cstr(b, sim_chance(sim, 5000) ? "calm" : "wild");
	}
	put_clock(sim, b, &clock);
	ask_send(sim, c, &a);
	free(c->created.bytes);
	c->created = a;
	c->created_key = c->keys;
	c->created.bytes = sim_copy(span_of(a.bytes, a.len));
}

static void join_lobby(struct sim *sim, struct client *c)
{
	struct asked a;
	size_t codes = sim->codes < CODES_MAX ? sim->codes : CODES_MAX;
	bool by_code =
		codes > 0 && (id_is_none(&c->listed) || sim_chance(sim, 3000));
	struct buf *b = ask_begin(c, &a, METHOD_LOBBY_JOIN);
	put_map(b, 2);
	if (by_code) {
		const char *code =
			sim->code[sim_between(sim, 0, (uint32_t)codes - 1)];
		snprintf(a.text, sizeof(a.text), "%s", code);
		put_cstr(b, "code");
		put_cstr(b, code);
	} else {
		a.lobby = c->listed;
		put_cstr(b, "lobby");
		put_cstr(b, c->listed.text);
	}
	put_cstr(b, "ready");
	put_bool(b, sim_chance(sim, 7000));
	c->listed = (struct id){ "" };
	ask_send(sim, c, &a);
}

static void ask_lobby(struct sim *sim, struct client *c, enum method method)
{
	struct asked a;
	if (c->lobbies == 0)
		return;
	struct buf *b = ask_begin(c, &a, method);
	a.lobby = c->lobby[sim_between(sim, 0, (uint32_t)c->lobbies - 1)];
	put_map(b, 1);
	put_cstr(b, "lobby");
	put_cstr(b, a.lobby.text);
	ask_send(sim, c, &a);
}

static void ask_nothing(struct sim *sim, struct client *c, enum method method)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, method);
	put_map(b, 0);
	ask_send(sim, c, &a);
}

static size_t matches_played(const struct client *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->matches; i++)
		n += c->match[i].you >= 0 && !c->match[i].over;
	return n;
}

static void look_for_company(struct sim *sim, struct client *c)
{
	uint32_t dice = sim_between(sim, 0, 99);
	if (sim_chance(sim, 2500)) {
		client_competes(sim, c);
		return;
	}
	if (sim_chance(sim, 4000)) {
		client_meets(sim, c);
		return;
	}
	/* the server remembers a player's last keys only */
	bool fresh = c->created.bytes && c->keys < c->created_key + 6;
	if (fresh && sim_fault(sim, FAULT_REPEAT, 300))
		ask_again(sim, c, &c->created); /* a retry, long after */
	else if (c->lobbies > 0 && dice < 50)
		ask_lobby(sim, c, METHOD_LOBBY_READY);
	else if (c->lobbies > 0 && dice < 54)
		ask_lobby(sim, c, METHOD_LOBBY_LEAVE);
	else if (c->lobbies > 0 && dice < 60)
		ask_lobby(sim, c, METHOD_LOBBY_GET);
	else if (!id_is_none(&c->listed) || (sim->codes > 0 && dice < 70))
		join_lobby(sim, c);
	else if (dice < 85)
		ask_nothing(sim, c, METHOD_LOBBY_LIST);
	else
		create_lobby(sim, c);
}

static void look_around(struct sim *sim, struct client *c)
{
	if (client_follows(sim, c))
		return;
	if (id_is_none(&c->running) || sim_chance(sim, 3000))
		ask_nothing(sim, c, METHOD_MATCH_LIST);
	else if (client_match(c, &c->running) && sim_chance(sim, 2000))
		ask_match(sim, c, METHOD_MATCH_UNWATCH, &c->running);
	else if (sim_chance(sim, 1000))
		ask_match(sim, c, METHOD_RECORD_GET, &c->running);
	else if (sim_chance(sim, 1000))
		ask_nothing(sim, c, METHOD_RECORD_LIST);
	else
		ask_match(sim, c, METHOD_MATCH_WATCH, &c->running);
}

/* Asks about the rules, of a position that it plays or of the start. */
static void ask_rules(struct sim *sim, struct client *c)
{
	static const enum method plain[] = { METHOD_RULES_LIST,
					     METHOD_SERVER_INFO };
	struct asked a;
	char position[POSITION_TEXT_MAX];
	const struct match_rules *r =
		&sim->rules[sim_between(sim, 0, RULESETS - 1)];
	const struct seen_match *m = c->matches > 0 ? &c->match[0] : NULL;
	bool check = sim_chance(sim, 5000);
	if (sim_chance(sim, 2000)) {
		ask_nothing(sim, c, plain[sim_between(sim, 0, 1)]);
		return;
	}
	struct position pos;
	game_start(&r->rules, &pos);
	if (m && !strcmp(m->rules.name, r->rules.name))
		pos = m->pos;
	if (ruleset_has_dice(&r->rules) && pos.dice[0] == 0) {
		struct position bare = pos;
		int one = (int)sim_between(sim, 1, 6);
		int two = (int)sim_between(sim, 1, 6);
		game_throw(&bare, two, one, &pos);
	}
	game_write(&r->rules, &pos, position);
	struct buf *b =
		ask_begin(c, &a,
			  check ? METHOD_RULES_CHECK : METHOD_RULES_MOVES);
	snprintf(a.text, sizeof(a.text), "%s", check ? "13/9 6/4" : "");
	if (check && sim_chance(sim, 5000))
		random_move(sim, &r->rules, &pos, a.text);
	a.rules = &r->rules;
	a.pos = pos;
	put_map(b, 2u + check);
	put_cstr(b, "ruleset");
	put_cstr(b, r->rules.name);
	put_cstr(b, "position");
	put_cstr(b, position);
	if (check) {
		put_cstr(b, "move");
		put_cstr(b, a.text);
	}
	ask_send(sim, c, &a);
}

/* -- matches -- */

static void send_nonce(struct sim *sim, struct client *c, struct seen_match *m)
{
	struct asked a;
	m->nonce_sent = true;
	if (sim_chance(sim, 2500))
		return; /* leaves it to the others */
	struct buf *b = ask_begin(c, &a, METHOD_MATCH_NONCE);
	a.match = m->match;
	uint32_t bytes = sim_between(sim, 0, NONCE_BYTES_MAX);
	for (uint32_t i = 0; i < 2 * bytes; i++)
		a.text[i] = "0123456789abcdef"[sim_between(sim, 0, 15)];
	put_map(b, 2);
	put_cstr(b, "match");
	put_cstr(b, m->match.text);
	put_cstr(b, "nonce");
	put_cstr(b, a.text);
	ask_send(sim, c, &a);
}

static void answer_offer(struct sim *sim, struct client *c,
			 const struct seen_match *m)
{
	ask_ply(sim, c,
		sim_chance(sim, 3000) ? METHOD_MATCH_ACCEPT_DRAW
				      : METHOD_MATCH_DECLINE_DRAW,
		&m->match, m->ply);
}

static void claim(struct sim *sim, struct client *c, const struct id *match)
{
	struct asked a;
	struct buf *b = ask_begin(c, &a, METHOD_MATCH_CLAIM);
	a.match = *match;
	a.flag = sim_chance(sim, 5000);
	put_map(b, 2);
	put_cstr(b, "match");
	put_cstr(b, match->text);
	put_cstr(b, "result");
	put_cstr(b, a.flag ? "win" : "draw");
	ask_send(sim, c, &a);
}

/* Beside its moves, a player sometimes wants to speak of the match. */
static void speak(struct sim *sim, struct client *c, const struct seen_match *m)
{
	if (stakes_speak(sim, c, m))
		return;
	uint32_t dice = sim_between(sim, 0, 199);
	if (client_talks_of_life(sim, c, m))
		return;
	if (m->offer == 1 - m->you && dice < 120)
		answer_offer(sim, c, m);
	else if (dice < 20)
		ask_match(sim, c, METHOD_MATCH_OFFER_DRAW, &m->match);
	else if (dice < 60)
		claim(sim, c, &m->match);
	else if (dice < 90)
		ask_match(sim, c, METHOD_MATCH_GET, &m->match);
	else if (dice < 91)
		ask_match(sim, c, METHOD_MATCH_RESIGN, &m->match);
	else if (dice < (m->ply < 2 ? 110 : 92)) /* while it may be */
		ask_match(sim, c, METHOD_MATCH_ABORT, &m->match);
	else
		ask_nothing(sim, c, METHOD_PING);
}

static bool play(struct sim *sim, struct client *c, struct seen_match *m)
{
	char text[MOVE_TEXT_MAX];
	if (m->over || m->you < 0)
		return false;
	if (m->nonces && !m->nonce_sent) {
		send_nonce(sim, c, m);
		return true;
	}
	if (m->turn != m->you || m->wait)
		return false;
	if (stakes_play(sim, c, m))
		return true;
	if (!random_move(sim, &m->rules, &m->pos, text))
		return false;
	ask_move(sim, c, &m->match, m->ply, text);
	m->wait = true;
	if (sim_chance(sim, 300) &&
	    cast_has(&sim->cast, FAULT_REPEAT)) /* a nervous finger */
		ask_move(sim, c, &m->match, m->ply, text);
	return true;
}

static bool play_somewhere(struct sim *sim, struct client *c)
{
	for (size_t i = 0; i < c->matches; i++)
		if (play(sim, c, &c->match[i]))
			return true;
	return false;
}

void client_acts_at_once(struct sim *sim, struct client *c)
{
	if (c->temper == HONEST && c->bot && c->ready &&
	    sim_chance(sim, 3000) &&
	    sim_step(sim, ACTOR_AT_ONCE + (unsigned)c->index))
		play_somewhere(sim, c);
}

/* Something waits for its answer too long. */
static bool is_impatient(const struct sim *sim, const struct client *c)
{
	if (c->link->slow_until_ms + PATIENCE_MS > sim->t_ms &&
	    c->link->slow_until_ms > 0)
		return false; /* it does not read */
	for (size_t i = 0; i < c->link->asked_count; i++) {
		const struct asked *a = &c->link->asked[i];
		if (!a->got && sim->t_ms > a->sent_ms + PATIENCE_MS)
			return true;
	}
	return false;
}

static void act_ready(struct sim *sim, struct client *c)
{
	client_echoes(sim, c);
	if (c->temper == HOSTILE && sim_chance(sim, 2500) &&
	    cast_has(&sim->cast, FAULT_HOSTILE)) {
		client_acts_hostile(sim, c);
		return;
	}
	if (sim_chance(sim, client_has_account(sim, c) ? 150 : 2500) &&
	    client_minds_account(sim, c))
		return;
	if (sim_chance(sim, 500)) {
		client_chats(sim, c);
		return;
	}
	if (c->temper != SPECTATOR && play_somewhere(sim, c))
		return;
	for (size_t i = 0; i < c->matches; i++)
		if (client_wants_more(sim, c, &c->match[i]))
			return;
	size_t n = c->matches > 0
			   ? sim_between(sim, 0, (uint32_t)c->matches - 1)
			   : 0;
	if (c->matches > 0 && c->match[n].you >= 0 && !c->match[n].over &&
	    sim_chance(sim, 1200))
		speak(sim, c, &c->match[n]);
	else if (sim_chance(sim, 200))
		ask_rules(sim, c);
	else if (c->temper == SPECTATOR || sim_chance(sim, 300))
		look_around(sim, c);
	else if (matches_played(c) < 2 && sim->t_ms < FAULTS_UNTIL_MS &&
		 sim_chance(sim, 4000))
		look_for_company(sim, c);
}

static uint64_t gap_ms(struct sim *sim, const struct client *c)
{
	if (c->temper == LAZY)
		return sim_between(sim, 300,
				   sim_chance(sim, 300) ? 30000 : 1500);
	return sim_between(sim, LEAST_GAP_MS, 500);
}

void client_acts(struct sim *sim, struct client *c)
{
	bool acts = sim_step(sim, (unsigned)c->index);
	queue_put(&sim->queue,
		  &(struct happening){ .type = CLIENT_ACTS,
				       .at_ms = sim->t_ms + gap_ms(sim, c),
				       .number = c->index });
	if (!acts)
		return;
	if (!c->link)
		connect_or_wait(sim, c);
	else if (is_impatient(sim, c))
		net_client_closes(sim, c->link, sim_chance(sim, 5000));
	else if (!c->hello_sent)
		say_hello(sim, c);
	else if (c->ready &&
		 sim_fault(sim, FAULT_CUT, c->temper == LAZY ? 200 : 25))
		net_client_closes(sim, c->link, sim_chance(sim, 5000));
	else if (c->ready && sim_fault(sim, FAULT_CUT, 40))
		net_cut(sim, c->link);
	else if (c->ready && sim_fault(sim, FAULT_READER,
				       c->temper == SPECTATOR ? 300 : 40))
		net_reads_slowly(sim, c->link, sim_between(sim, 1, 15000));
	else if (c->ready)
		act_ready(sim, c);
}
