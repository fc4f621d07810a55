/* SPDX-License-Identifier: MIT
 * load_pair.c - two connections that play each other. Between them runs one
 * schedule: a move is due a think time after the one before it was due, however
 * long that took. */
#include "ply/load.h"

#include <math.h>
#include <string.h>

#include "base/hex.h"
#include "proto/write.h"

enum { MS_US = 1000, NONCE_BYTES = 8 };

static const struct client_value *shown(const struct value *v)
{
	return (const struct client_value *)v;
}

static bool text(const struct value *map, const char *key, char *out,
		 size_t size)
{
	return client_copy(shown(value_find(map, key)), out, size);
}

static void put_pair(struct buf *b, const char *key, const char *value)
{
	put_cstr(b, key);
	put_cstr(b, value);
}

/* -- the schedule -- */

/* Microseconds between two moves of a match: by chance, as those of people who
 * know nothing of each other, or steady. */
static uint64_t gap_us(struct load *l)
{
	double mean = (double)l->options.think_ms * MS_US;
	if (l->options.rate > 0)
		mean = 1e6 * (double)l->options.pairs / l->options.rate;
	if (l->options.steady)
		return (uint64_t)mean;
	double u = ((double)(rng_next(&l->rng) >> 11) + 1) * 0x1p-53;
	return (uint64_t)(-log(u) * mean);
}

static void try_later(struct load_pair *p, void (*fn)(void *),
		      const struct value *error)
{
	int64_t wait_ms = client_int(
		client_find(client_at(shown(error), 3), "retry_after_ms"));
	p->due.fn = fn;
	load_at(p->load, &p->due,
		load_now_us() +
			(uint64_t)(wait_ms > 0 ? wait_ms : LOAD_RETRY_MS) *
				MS_US);
}

/* -- meeting -- */

static void put_clock(struct load *l)
{
	const struct time_text *t = &l->options.clock;
	const int64_t ms[] = { t->base_ms, t->increment_ms, t->delay_ms };
	static const char *const key[] = { "base_ms", "increment_ms",
					   "delay_ms" };
	put_pair(&l->out, "clock", t->kind);
	for (size_t i = 0; i < 3; i++)
		if (ms[i] >= 0) {
			put_cstr(&l->out, key[i]);
			put_int(&l->out, ms[i]);
		}
}

static uint32_t clock_params(const struct load *l)
{
	const struct time_text *t = &l->options.clock;
	return t->kind ? 1u + (t->base_ms >= 0) + (t->increment_ms >= 0) +
				 (t->delay_ms >= 0)
		       : 0;
}

static void create(void *payload)
{
	struct load_pair *p = payload;
	struct load *l = p->load;
	load_begin(p->player[0], LOAD_ASK_CREATE, "lobby.create",
		   4 + clock_params(l));
	put_pair(&l->out, "ruleset", p->rules->name);
	put_pair(&l->out, "opponent", "bot");
	put_pair(&l->out, "access", "code");
	put_cstr(&l->out, "ready");
	put_bool(&l->out, true);
	if (l->options.clock.kind)
		put_clock(l);
	load_send(p->player[0]);
}

static void join(void *payload)
{
	struct load_pair *p = payload;
	load_begin(p->player[1], LOAD_ASK_JOIN, "lobby.join", 2);
	put_pair(&p->load->out, "code", p->code);
	put_cstr(&p->load->out, "ready");
	put_bool(&p->load->out, true);
	load_send(p->player[1]);
}

void pair_begin(struct load_pair *p)
{
	struct load *l = p->load;
	p->match[0] = '\0';
	if (l->phase == LOAD_ENDS || !p->player[0]->ready ||
	    !p->player[1]->ready ||
	    (l->options.games && l->games_begun >= l->options.games))
		return;
	l->games_begun++;
	create(p);
}

static void put_match(struct load_pair *p)
{
	put_pair(&p->load->out, "match", p->match);
}

void pair_watch(struct load_conn *c)
{
	if (!c->pair->match[0] || !c->ready)
		return;
	load_begin(c, LOAD_ASK_WATCH, "match.watch", 1);
	put_match(c->pair);
	load_send(c);
}

static void give_nonce(struct load_conn *c)
{
	struct load *l = c->load;
	uint64_t nonce = rng_next(&l->rng);
	char hex[2 * NONCE_BYTES + 1];
	hex_write((const uint8_t *)&nonce, NONCE_BYTES, hex);
	load_begin(c, LOAD_ASK_NONCE, "match.nonce", 2);
	put_match(c->pair);
	put_pair(&l->out, "nonce", hex);
	load_send(c);
}

/* -- moves -- */

void pair_resign(struct load_pair *p)
{
	if (!p->match[0] || p->told_end[0] || p->told_end[1])
		return;
	p->load->games_resigned++;
	load_begin(p->player[0], LOAD_ASK_RESIGN, "match.resign", 2);
	put_match(p);
	put_cstr(&p->load->out, "whole");
	put_bool(&p->load->out, true);
	load_send(p->player[0]);
}

/* The text of the next move, or NULL: the game is to be given up. */
static const char *next_move(struct load_pair *p, char made[MOVE_TEXT_MAX])
{
	const struct ruleset *rs = &p->rules->rules;
	struct move move;
	if (!ruleset_has_dice(rs))
		return p->ply < p->game->plies
			       ? p->game->text + p->game->at[p->ply]
			       : NULL;
	return load_random_move(rs, &p->pos, &p->load->rng, &move, made) ? made
									 : NULL;
}

static void send_move(void *payload)
{
	struct load_pair *p = payload;
	struct load *l = p->load;
	char made[MOVE_TEXT_MAX];
	if (p->turn != LOAD_THINKS || l->phase == LOAD_ENDS)
		return;
	const char *move = next_move(p, made);
	p->turn = LOAD_ASKED;
	if (!move) {
		pair_resign(p);
		return;
	}
	uint64_t now_us = load_now_us(), due_us = p->next_us;
	size_t slot = p->ply % LOAD_SENT_KEPT;
	if (p->sent[slot].due_us && p->sent[slot].ply == p->ply)
		due_us = p->sent[slot].due_us; /* a second attempt */
	else
		p->next_us = due_us + gap_us(l);
	p->sent[slot].ply = p->ply;
	p->sent[slot].due_us = due_us;
	p->sent[slot].at_us = now_us;
	if (load_counts(l))
		histogram_add(&l->late, now_us > due_us ? now_us - due_us : 0);
	load_begin(p->player[p->mover], LOAD_ASK_MOVE, "match.move", 3);
	put_match(p);
	put_cstr(&l->out, "ply");
	put_uint(&l->out, p->ply);
	put_pair(&l->out, "move", move);
	load_send(p->player[p->mover]);
}

/* The cube is never turned, and always taken. */
static void turn_cube(struct load_pair *p, bool roll)
{
	load_begin(p->player[p->mover], LOAD_ASK_CUBE,
		   roll ? "match.roll" : "match.take", 2);
	put_match(p);
	put_cstr(&p->load->out, "ply");
	put_uint(&p->load->out, p->ply);
	load_send(p->player[p->mover]);
}

static bool is_side(const struct value *map, const char *key, bool *white)
{
	struct span side;
	if (value_str(value_find(map, key), &side))
		return false;
	*white = span_is(side, "white");
	return true;
}

/* A match or an event says whose turn it is: if that is c's, he thinks. */
static void look_at_turn(struct load_conn *c, const struct value *map)
{
	char position[CLIENT_POSITION_MAX];
	struct span awaits;
	struct load_pair *p = c->pair;
	struct load *l = p->load;
	bool white;
	if (!is_side(map, "turn", &white) ||
	    value_str(value_find(map, "awaits"), &awaits))
		return;
	p->mover = white ? p->white : !p->white;
	if (p->player[p->mover] != c || p->turn != LOAD_NO_TURN)
		return;
	if (!span_is(awaits, "move")) {
		turn_cube(p, span_is(awaits, "roll"));
		return;
	}
	if (ruleset_has_dice(&p->rules->rules) &&
	    (!text(map, "position", position, sizeof(position)) ||
	     game_read(&p->rules->rules, position, strlen(position), &p->pos,
		       NULL))) {
		load_count_error(l, "unreadable_position");
		return;
	}
	p->turn = LOAD_THINKS;
	p->due.fn = send_move;
	uint64_t now_us = load_now_us();
	if (!load_is_scheduled(l))
		p->next_us = now_us;
	if (p->next_us <= now_us)
		send_move(p);
	else
		load_at(l, &p->due, p->next_us);
}

/* -- what comes -- */

static void begin_match(struct load_pair *p, const struct value *match)
{
	char rules[CLIENT_RULES_MAX];
	struct load *l = p->load;
	text(match, "match", p->match, sizeof(p->match));
	memset(p->sent, 0, sizeof(p->sent));
	p->told_end[0] = p->told_end[1] = false;
	p->turn = LOAD_NO_TURN;
	p->ply = 0;
	p->game = &p->rules->games[rng_below(&l->rng, LOAD_GAMES)];
	p->next_us = load_now_us() + gap_us(l);
	text(match, "rules", rules, sizeof(rules));
	if (!p->rules->ready &&
	    load_ruleset_prepare(p->rules, rules, &l->rng)) {
		load_fail(l, "this version does not know the rules");
		return;
	}
	for (size_t i = (size_t)(p - l->pairs); i < l->options.spectators;
	     i += l->options.pairs)
		pair_watch(&l->conns[2 * l->options.pairs + i]);
}

void pair_started(struct load_conn *c, const struct value *match)
{
	char id[CLIENT_ID_MAX];
	struct load_pair *p = c->pair;
	bool white;
	if (c->role != LOAD_PLAYS || !text(match, "match", id, sizeof(id)) ||
	    !is_side(match, "you", &white))
		return;
	if (strcmp(p->match, id) != 0)
		begin_match(p, match);
	int player = c == p->player[1];
	p->white = white ? player : !player;
	struct span state;
	if (!value_str(value_find(match, "state"), &state) &&
	    span_is(state, "nonces"))
		give_nonce(c);
	look_at_turn(c, match);
}

static void measure(struct histogram *h, const struct load_pair *p,
		    uint32_t ply, uint64_t now_us)
{
	size_t slot = ply % LOAD_SENT_KEPT;
	if (load_counts(p->load) && p->sent[slot].due_us &&
	    p->sent[slot].ply == ply)
		histogram_add(h, now_us - p->sent[slot].due_us);
}

static void end_match(struct load_conn *c)
{
	struct load_pair *p = c->pair;
	struct load *l = p->load;
	if (c->role != LOAD_PLAYS)
		return;
	p->told_end[c == p->player[1]] = true;
	if (!p->told_end[0] || !p->told_end[1])
		return;
	l->games_over++;
	p->turn = LOAD_NO_TURN;
	load_cancel(l, &p->due);
	pair_begin(p);
	load_game_over(l);
}

void pair_event(struct load_conn *c, const struct value *event)
{
	struct load_pair *p = c->pair;
	struct load *l = c->load;
	struct span match, name;
	uint64_t ply;
	bool white;
	if (!p || value_str(value_find(event, "match"), &match) ||
	    !span_is(match, p->match) ||
	    value_str(value_find(event, "event"), &name) ||
	    value_uint(value_find(event, "ply"), UINT32_MAX, &ply))
		return;
	bool moved = span_is(name, "moved");
	if (moved && is_side(event, "side", &white) &&
	    p->player[white ? p->white : !p->white] != c)
		measure(c->role == LOAD_PLAYS ? &l->opponent : &l->spectator, p,
			(uint32_t)ply, load_now_us());
	if (span_is(name, "ended"))
		end_match(c);
	if (c->role != LOAD_PLAYS)
		return;
	bool half_move = moved || span_is(name, "passed") ||
			 span_is(name, "doubled") || span_is(name, "taken") ||
			 span_is(name, "dropped");
	if (ply + half_move > p->ply) {
		p->ply = (uint32_t)ply + half_move;
		p->turn = LOAD_NO_TURN;
	}
	look_at_turn(c, event);
}

static void moved(struct load_pair *p, const struct value *result)
{
	struct load *l = p->load;
	uint64_t ply, now_us = load_now_us();
	if (value_uint(value_find(result, "ply"), UINT32_MAX, &ply))
		return;
	measure(&l->move_due, p, (uint32_t)ply, now_us);
	size_t slot = ply % LOAD_SENT_KEPT;
	if (load_counts(l) && p->sent[slot].ply == ply)
		histogram_add(&l->move_sent, now_us - p->sent[slot].at_us);
	l->moves += load_counts(l);
}

static void move_again(void *payload)
{
	struct load_pair *p = payload;
	p->turn = LOAD_THINKS;
	send_move(p);
}

/* A refused request: later again, if that can help; else the match is given up,
 * if there is one. */
static void refused(struct load_pair *p, enum load_ask ask,
		    const struct value *error)
{
	bool passes =
		client_type(client_find(client_at(shown(error), 3),
					"retry_after_ms")) == CLIENT_INT ||
		client_int(client_at(shown(error), 0)) == PLYD_ENOTSTORED;
	if (ask == LOAD_ASK_CREATE)
		try_later(p, create, error);
	else if (ask == LOAD_ASK_JOIN)
		try_later(p, passes ? join : create, error);
	else if (ask == LOAD_ASK_MOVE && passes && p->turn == LOAD_ASKED)
		try_later(p, move_again, error);
	else if (ask == LOAD_ASK_MOVE && !p->told_end[0] && !p->told_end[1])
		pair_resign(p);
}

void pair_answer(struct load_conn *c, enum load_ask ask,
		 const struct value *error, const struct value *result)
{
	struct load_pair *p = c->pair;
	if (error) {
		refused(p, ask, error);
	} else if (ask == LOAD_ASK_CREATE) {
		text(result, "code", p->code, sizeof(p->code));
		join(p);
	} else if (ask == LOAD_ASK_MOVE) {
		moved(p, result);
	}
}

void pair_overdue(struct load_pair *p, uint64_t now_us)
{
	struct load *l = p->load;
	size_t slot = p->ply % LOAD_SENT_KEPT;
	bool is_asked = p->turn == LOAD_ASKED && p->sent[slot].ply == p->ply;
	uint64_t due_us = is_asked ? p->sent[slot].due_us : p->next_us;
	if (!load_is_scheduled(l) || !p->match[0] || p->told_end[0] ||
	    due_us >= now_us)
		return;
	l->overdue++;
	histogram_add(&l->move_due, now_us - due_us);
}
