/* SPDX-License-Identifier: MIT
 * state.c - the state as facts for a snapshot, waking after replay, and the
 * invariants that must always hold. */
#include "domain/domain_priv.h"

#include <utlist.h>

typedef int emit_fn(void *payload, const struct fact *fact);

static int player_facts(const struct player *p, emit_fn *emit, void *payload)
{
	struct fact added = { .type = FACT_PLAYER_ADDED,
			      .player_added = { p->id, span_str(p->name),
						p->kind, p->token } };
	int err = emit(payload, &added);
	if (err || !p->token_offered)
		return err;
	struct fact offered = { .type = FACT_TOKEN_OFFERED,
				.token_offered = { p->id, p->offered } };
	return emit(payload, &offered);
}

/* The key by which the owner made this lobby, if it is still remembered. */
static const char *key_of(const struct domain *d, const struct lobby *l)
{
	const struct player *p = find_player(d, &l->owner);
	for (size_t i = 0; p && i < KEYS_REMEMBERED; i++)
		if (p->keys[i].key[0] && id_eq(&p->keys[i].lobby, &l->id))
			return p->keys[i].key;
	return "";
}

static int seat_facts(const struct lobby *l, int side, emit_fn *emit,
		      void *payload)
{
	const struct lobby_seat *seat = &l->seat[side];
	if (!seat->taken || seat->kind == KIND_PERSONALITY)
		return PLYD_OK;
	struct fact seated = { .type = FACT_LOBBY_SEATED,
			       .lobby_seated = { l->id, side, seat->player } };
	int err = emit(payload, &seated);
	if (err || !seat->ready)
		return err;
	struct fact ready = { .type = FACT_LOBBY_READIED,
			      .lobby_readied = { l->id, seat->player, true } };
	return emit(payload, &ready);
}

static int lobby_facts(const struct domain *d, const struct lobby *l,
		       emit_fn *emit, void *payload)
{
	/* a personality sits on the side that its lobby's opener left free */
	int side =
		l->seat[WHITE].taken && l->seat[WHITE].kind == KIND_PERSONALITY
			? BLACK
			: WHITE;
	struct fact opened = { .type = FACT_LOBBY_OPENED,
			       .lobby_opened = {
				       .lobby = l->id,
				       .owner = l->owner,
				       .ruleset = span_str(l->rules.rules.name),
				       .base_ms = l->clock.base_ms,
				       .increment_ms = l->clock.increment_ms,
				       .unlimited = l->clock.unlimited,
				       .side = side,
				       .opponent = l->opponent,
				       .personality = span_str(l->personality),
				       .code = span_str(l->code),
				       .key = span_str(key_of(d, l)) } };
	int err = emit(payload, &opened);
	for (int s = 0; !err && s < 2; s++)
		err = seat_facts(l, s, emit, payload);
	return err;
}

int domain_state_facts(const struct domain *d, emit_fn *emit, void *payload)
{
	int err = PLYD_OK;
	for (const struct player *p = d->players; !err && p; p = player_next(p))
		err = player_facts(p, emit, payload);
	for (const struct lobby *l = d->lobbies; !err && l; l = lobby_next(l))
		err = lobby_facts(d, l, emit, payload);
	return err;
}

static void wake_match(struct domain *d, struct match *m)
{
	for (int s = 0; s < 2; s++)
		m->away_ms[s] = d->now_ms;
	if (m->state == MATCH_NONCES)
		m->wait_ms = d->now_ms + (uint64_t)d->limits.nonce_wait_ms;
	else if (m->state == MATCH_PLAYING && !m->released &&
		 !match_awaits_server(m))
		m->wait_ms = d->now_ms +
			     (m->seat[m->pos.side].kind == KIND_PERSONALITY
				      ? 1
				      : (uint64_t)d->limits.restart_grace_ms);
	match_set_due(d, m);
}

void domain_wake(struct domain *d, uint64_t now_ms,
		 void (*each)(void *payload, const struct match *m),
		 void *payload)
{
	if (now_ms > d->now_ms)
		d->now_ms = now_ms;
	for (struct player *p = d->players; p; p = p->hh.next)
		player_set_due(d, p);
	for (struct lobby *l = d->lobbies; l; l = l->hh.next)
		lobby_set_due(d, l);
	for (struct match *m = d->matches; m; m = m->hh.next) {
		wake_match(d, m);
		if (match_awaits_server(m))
			each(payload, m);
	}
}

const char *match_invariant_broken(const struct match *m)
{
	if (m->state == MATCH_FROZEN)
		return NULL;
	if (m->ply > PLIES_MAX)
		return "longer than the longest match";
	if (m->left_ms[WHITE] < 0 || m->left_ms[BLACK] < 0)
		return "a clock below zero";
	if (m->offers.standing && m->state != MATCH_PLAYING)
		return "an offer stands outside play";
	if (m->released && m->state != MATCH_PLAYING)
		return "a clock runs outside play";
	if (m->hash_count < 1)
		return "no position for repetition";
	if (m->state == MATCH_PLAYING &&
	    game_outcome(&m->rules.rules, &m->pos).over)
		return "goes on though the game is over";
	return NULL;
}

const char *domain_invariant_broken(const struct domain *d)
{
	size_t running = 0, seats = 0, linked = 0;
	for (const struct match *m = d->matches; m; m = match_next(m)) {
		const char *broken = match_invariant_broken(m);
		if (broken)
			return broken;
		if (m->state == MATCH_OVER || m->state == MATCH_FROZEN)
			continue;
		running++;
		for (int s = 0; s < 2; s++)
			seats += m->link[s].match != NULL;
	}
	for (const struct player *p = d->players; p; p = player_next(p))
		linked += p->match_count;
	if (running != d->running)
		return "running matches are miscounted";
	return seats == linked ? NULL : "seats of matches are miscounted";
}
