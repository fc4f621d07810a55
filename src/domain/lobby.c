/* SPDX-License-Identifier: MIT
 * lobby.c - meeting: open, join, leave, be ready. A match begins when both
 * seats are taken and ready. */
#include "domain/domain_priv.h"

#include <utlist.h>

#include "domain/rating.h"

int lobby_seat_of(const struct lobby *l, const struct id *player)
{
	for (int s = 0; s < 2; s++)
		if (l->seat[s].taken && !id_is_none(player) &&
		    id_eq(&l->seat[s].player, player))
			return s;
	return -1;
}

bool lobby_is_invited(const struct lobby *l, const struct id *player)
{
	for (size_t i = 0; i < l->invited_count; i++)
		if (id_eq(&l->invited[i], player))
			return true;
	return false;
}

static bool is_barred(const struct lobby *l, const struct id *player)
{
	for (size_t i = 0; i < l->barred_count; i++)
		if (id_eq(&l->barred[i], player))
			return true;
	return false;
}

bool lobby_admits(const struct lobby *l, const struct player *p)
{
	return !is_barred(l, &p->id) && lobby_seat_of(l, &p->id) < 0 &&
	       against_admits(l->opponent, p) &&
	       (!l->rated || player_has_ratings(p));
}

void answer_lobby(struct domain *d, const struct command *cmd,
		  const struct lobby *l)
{
	struct effect *fx = answer(d, cmd);
	fx->lobby = l;
	fx->player = find_player(d, &cmd->player);
}

void tell_lobby(struct domain *d, const struct lobby *l)
{
	effect_add(d, EFFECT_LOBBY)->lobby = l;
}

void tell_gone(struct domain *d, const struct id *player, const struct lobby *l,
	       const char *why)
{
	const struct player *p = find_player(d, player);
	if (!p)
		return;
	struct effect *fx = effect_add(d, EFFECT_LOBBY_CLOSED);
	fx->player = p;
	fx->lobby_id = l->id;
	fx->why = why;
}

static void tell_invited(struct domain *d, const struct lobby *l,
			 const char *why)
{
	for (size_t i = 0; i < l->invited_count; i++)
		tell_gone(d, &l->invited[i], l, why);
}

static void lobby_close(struct domain *d, const struct lobby *l,
			const char *why)
{
	for (int s = 0; s < 2; s++)
		tell_gone(d, &l->seat[s].player, l, why);
	tell_invited(d, l, why);
	happen(d, &(struct fact){ .type = FACT_LOBBY_CLOSED,
				  .lobby_closed = { .lobby = l->id } });
}

void on_lobby_list(struct domain *d, const struct command *cmd)
{
	struct effect *fx = answer(d, cmd);
	fx->answer.list = &cmd->list;
	fx->player = find_player(d, &cmd->player);
}

void on_lobby_get(struct domain *d, const struct command *cmd)
{
	const struct lobby *l = find_lobby(d, &cmd->lobby);
	if (!l || !(lobby_is_public(l) || lobby_is_invited(l, &cmd->player) ||
		    lobby_seat_of(l, &cmd->player) >= 0)) {
		refuse(d, cmd, PLYD_ENOLOBBY);
		return;
	}
	answer_lobby(d, cmd, l);
}

/* -- opening -- */

/* NULL: none of that name plays by these rules. */
const struct personality *personality_find(const struct domain *d,
					   struct span name,
					   const struct match_rules *rules)
{
	for (size_t i = 0; i < d->personality_count; i++)
		if (span_is(name, d->personality[i].name) &&
		    personality_plays(&d->personality[i],
				      (size_t)(rules - d->rules)))
			return &d->personality[i];
	return NULL;
}

/* Everything of a lobby.create that may be refused, but for the ruleset. */
static int create_check(struct domain *d, const struct command *cmd,
			const struct match_rules *rules,
			struct clock_rules *clock)
{
	const struct cmd_lobby_create *c = &cmd->create;
	const struct player *p = find_player(d, &cmd->player);
	if (!rules)
		return PLYD_ERULESET;
	if (c->opponent == AGAINST_PERSONALITY &&
	    !personality_find(d, c->personality, rules))
		return PLYD_EPERSONALITY;
	int err = clock_agreed(rules, &c->clock, clock);
	if (!err && c->opponent == AGAINST_PERSONALITY)
		err = ai_check_player(d, p);
	if (!err && c->opponent == AGAINST_PERSONALITY && c->ready)
		err = ai_check_queue(d);
	if (err)
		return err;
	if (!length_is_allowed(d, rules, c->match_length))
		return PLYD_ELENGTH;
	err = position_check(d, rules, c->position);
	if (err)
		return err;
	if (HASH_COUNT(d->lobbies) >= (size_t)d->limits.lobbies_max)
		return PLYD_EFULL;
	if (p->lobby_count >= (size_t)d->limits.lobbies_per_player)
		return PLYD_ETOOMANY;
	if (c->rated && player_cooling_ms(d, p) > 0)
		return PLYD_ECOOLING;
	if (c->rated && (c->opponent == AGAINST_PERSONALITY ||
			 c->position.len > 0 || !player_has_ratings(p)))
		return PLYD_EUNRATED;
	return PLYD_OK;
}

static enum side choose_side(struct domain *d, const struct command *cmd,
			     const struct match_rules *rules)
{
	if (cmd->create.side >= 0)
		return (enum side)cmd->create.side;
	if (cmd->create.opponent == AGAINST_PERSONALITY)
		return ruleset_person(&rules->rules);
	uint8_t byte;
	entropy_fill(&d->entropy, &byte, 1);
	return byte & 1 ? BLACK : WHITE;
}

static void new_code(struct domain *d, char code[CODE_CHARS + 1])
{
	struct lobby *taken;
	do {
		struct id id = id_new(&d->entropy);
		memcpy(code, id.text, CODE_CHARS);
		code[CODE_CHARS] = '\0';
		HASH_FIND(by_code, d->by_code, code, CODE_CHARS, taken);
	} while (taken);
}

/* A repeated key finds the lobby that the first command made. */
static bool answered_by_key(struct domain *d, const struct command *cmd)
{
	const struct player *p = find_player(d, &cmd->player);
	const struct remembered_key *k = find_key(p, cmd->create.key);
	if (!k)
		return false;
	const struct lobby *l = find_lobby(d, &k->made);
	if (l)
		answer_lobby(d, cmd, l);
	else
		refuse(d, cmd, PLYD_ENOLOBBY)->text =
			"This key made a lobby that has begun its match or "
			"was closed.";
	return true;
}

/* PLYD_OK, or why no match of this lobby can begin once this player sits there
 * too. */
static int may_begin(const struct domain *d, const struct lobby *l,
		     const struct player *joins)
{
	int err = player_may_begin(d, joins);
	for (int s = 0; s < 2 && !err; s++) {
		const struct player *p = find_player(d, &l->seat[s].player);
		err = p ? player_may_begin(d, p) : PLYD_OK;
	}
	return err;
}

void lobby_seat(struct domain *d, struct lobby *l, enum side side,
		const struct player *p, bool ready)
{
	ready = ready && may_begin(d, l, p) == PLYD_OK;
	happen(d, &(struct fact){ .type = FACT_LOBBY_SEATED,
				  .lobby_seated = { l->id, side, p->id } });
	if (ready)
		happen(d, &(struct fact){
				  .type = FACT_LOBBY_READIED,
				  .lobby_readied = { l->id, p->id, true } });
}

/* Seats a player, makes him ready if he says so, answers, and begins. */
static void take_seat(struct domain *d, const struct command *cmd,
		      struct lobby *l, enum side side, bool ready)
{
	lobby_seat(d, l, side, find_player(d, &cmd->player), ready);
	lobby_take_seat(d, cmd, l, side);
	answer_lobby(d, cmd, l);
	tell_lobby(d, l);
	lobby_begin_if_ready(d, l, cmd->unix_ms);
}

void lobby_begin_if_ready(struct domain *d, struct lobby *l, int64_t unix_ms)
{
	if (!l->seat[WHITE].ready || !l->seat[BLACK].ready ||
	    (lobby_waits_for_ai(l) && !lobby_may_begin_ai(d, l)))
		return;
	struct pairing pairing = { .rules = &l->rules,
				   .clock = l->clock,
				   .rated = l->rated,
				   .closed = l->closed,
				   .position = span_str(l->position),
				   .spectator_delay_ms =
					   l->spectator_delay_ms };
	for (int s = 0; s < 2; s++)
		pairing.seat[s] =
			(struct partner){ l->seat[s].kind, l->seat[s].player,
					  span_str(l->seat[s].name),
					  l->seat[s].driver };
	struct match *m = match_begin(d, &pairing, unix_ms);
	tell_invited(d, l, "begun");
	happen(d, &(struct fact){ .type = FACT_LOBBY_CLOSED,
				  .lobby_closed = { l->id, m->id } });
	match_start(d, m);
}

void on_lobby_create(struct domain *d, const struct command *cmd)
{
	const struct cmd_lobby_create *c = &cmd->create;
	struct clock_rules clock = { 0 };
	if (answered_by_key(d, cmd))
		return;
	const struct match_rules *rules = domain_rules_find(d, c->ruleset);
	int err = create_check(d, cmd, rules, &clock);
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	d->code[0] = '\0';
	if (c->is_private)
		new_code(d, d->code);
	enum side side = choose_side(d, cmd, rules);
	struct id id = id_new(&d->entropy);
	while (find_lobby(d, &id))
		id = id_new(&d->entropy);
	const char *personality =
		c->opponent == AGAINST_PERSONALITY
			? personality_find(d, c->personality, rules)->name
			: "";
	span_copy(c->key, d->key, sizeof(d->key));
	span_copy(c->position, d->position, sizeof(d->position));
	happen(d, &(struct fact){
			  .type = FACT_LOBBY_OPENED,
			  .lobby_opened = {
				  .lobby = id,
				  .owner = cmd->player,
				  .ruleset = span_str(rules->rules.name),
				  .base_ms = clock.base_ms,
				  .increment_ms = clock.increment_ms,
				  .unlimited = clock.kind == CLOCK_UNLIMITED,
				  .clock_kind = clock.kind,
				  .delay_ms = clock.delay_ms,
				  .side = side,
				  .opponent = c->opponent,
				  .personality = span_str(personality),
				  .code = span_str(d->code),
				  .key = span_str(d->key),
				  .rated = c->rated,
				  .match_length = c->match_length,
				  .spectator_delay_ms = c->spectator_delay_ms,
				  .invited_only = c->invited_only,
				  .closed = c->closed,
				  .position = span_str(d->position),
			  } });
	take_seat(d, cmd, find_lobby(d, &id), side, c->ready);
}

/* -- joining and leaving -- */

/* Whether anybody who sits there wants nothing to do with him, or he with them.
 */
static bool apart_from_seats(const struct domain *d, const struct lobby *l,
			     const struct player *joins)
{
	for (int s = 0; s < 2; s++) {
		const struct player *p = find_player(d, &l->seat[s].player);
		if (p && players_apart(p, joins))
			return true;
	}
	return false;
}

static int join_check(const struct domain *d, const struct command *cmd,
		      const struct lobby *l, enum side *side)
{
	const struct player *p = find_player(d, &cmd->player);
	int asked = cmd->join.side;
	if (lobby_seat_of(l, &p->id) >= 0)
		return PLYD_EINLOBBY;
	if (l->seat[WHITE].taken && l->seat[BLACK].taken)
		return PLYD_ELOBBYFULL;
	if (is_barred(l, &p->id))
		return PLYD_EBARRED;
	if (apart_from_seats(d, l, p))
		return PLYD_ENOTALLOWED;
	if (!against_admits(l->opponent, p))
		return PLYD_ENOTALLOWED;
	if (p->lobby_count >= (size_t)d->limits.lobbies_per_player)
		return PLYD_ETOOMANY;
	if (l->rated && player_cooling_ms(d, p) > 0)
		return PLYD_ECOOLING;
	if (l->rated && !player_has_ratings(p))
		return PLYD_EUNRATED;
	*side = l->seat[WHITE].taken ? BLACK : WHITE;
	if (asked >= 0 && l->seat[asked].taken)
		return PLYD_ELOBBYFULL;
	if (asked >= 0)
		*side = (enum side)asked;
	return PLYD_OK;
}

static struct lobby *lobby_to_join(struct domain *d, const struct command *cmd)
{
	struct lobby *l = NULL;
	struct span code = cmd->join.code;
	if (code.len == 0) {
		l = find_lobby(d, &cmd->join.lobby);
		return l && (lobby_is_public(l) ||
			     lobby_is_invited(l, &cmd->player) ||
			     lobby_seat_of(l, &cmd->player) >= 0)
			       ? l
			       : NULL;
	}
	if (code.len == CODE_CHARS)
		HASH_FIND(by_code, d->by_code, code.at, CODE_CHARS, l);
	return l;
}

void on_lobby_join(struct domain *d, const struct command *cmd)
{
	struct lobby *l = lobby_to_join(d, cmd);
	enum side side;
	if (!l) {
		refuse(d, cmd, PLYD_ENOLOBBY);
		return;
	}
	int err = join_check(d, cmd, l, &side);
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	take_seat(d, cmd, l, side, cmd->join.ready);
}

/* A lobby without a player in it is closed. */
void lobby_leave(struct domain *d, struct lobby *l, int side, const char *why)
{
	struct id who = l->seat[side].player;
	if (id_is_none(&l->seat[1 - side].player)) {
		lobby_close(d, l, why);
		return;
	}
	happen(d, &(struct fact){ .type = FACT_LOBBY_LEFT,
				  .lobby_left = { l->id, who } });
	if (strcmp(why, "left") != 0)
		tell_gone(d, &who, l, why);
	tell_lobby(d, l);
}

struct lobby *lobby_of_seat(struct domain *d, const struct command *cmd,
			    int *side)
{
	struct lobby *l = find_lobby(d, &cmd->lobby);
	if (!l) {
		refuse(d, cmd, PLYD_ENOLOBBY);
		return NULL;
	}
	*side = lobby_seat_of(l, &cmd->player);
	if (*side >= 0) {
		lobby_take_seat(d, cmd, l, *side);
		return l;
	}
	refuse(d, cmd, lobby_is_public(l) ? PLYD_ENOTINLOBBY : PLYD_ENOLOBBY);
	return NULL;
}

void on_lobby_leave(struct domain *d, const struct command *cmd)
{
	int side;
	struct lobby *l = lobby_of_seat(d, cmd, &side);
	if (!l)
		return;
	answer(d, cmd);
	lobby_leave(d, l, side, "left");
}

void on_lobby_ready(struct domain *d, const struct command *cmd)
{
	int side;
	struct lobby *l = lobby_of_seat(d, cmd, &side);
	if (!l)
		return;
	int err = cmd->ready ? may_begin(d, l, find_player(d, &cmd->player))
			     : PLYD_OK;
	if (!err && cmd->ready && l->opponent == AGAINST_PERSONALITY &&
	    !lobby_waits_for_ai(l))
		err = ai_check_queue(d);
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	if (l->seat[side].ready != cmd->ready) {
		happen(d, &(struct fact){ .type = FACT_LOBBY_READIED,
					  .lobby_readied = { l->id, cmd->player,
							     cmd->ready } });
		tell_lobby(d, l);
	}
	answer_lobby(d, cmd, l);
	lobby_begin_if_ready(d, l, cmd->unix_ms);
}

/* Who is away too long, or takes no new matches. */
static const char *must_leave(const struct domain *d, const struct player *p)
{
	uint64_t keep_ms = (uint64_t)d->limits.lobby_away_ms;
	if (p->meets.policy.finishing)
		return "finishing";
	return !player_is_here(p) && p->away_ms + keep_ms <= d->now_ms ? "away"
								       : NULL;
}

/* Nobody waits for ever for one who is not ready. */
static void free_unready(struct domain *d, struct lobby *l)
{
	bool unready[2] = { !l->seat[WHITE].ready, !l->seat[BLACK].ready };
	for (int s = 0; s < 2; s++)
		if (unready[s])
			lobby_leave(d, l, s, "not_ready");
}

/* Begins its match if it may by now; else tells its place, if that is new. */
static bool look_for_ai(struct domain *d, struct lobby *l, int64_t unix_ms)
{
	size_t place = lobby_ai_place(d, l);
	const struct player *p = find_player(d, &l->owner);
	if (lobby_may_begin_ai(d, l) && p && may_begin(d, l, p) == PLYD_OK) {
		tell_lobby(d, l);
		lobby_begin_if_ready(d, l, unix_ms);
		return true;
	}
	if (place != l->ai_place_told)
		tell_lobby(d, l);
	l->ai_place_told = place;
	return false;
}

void lobby_due(struct domain *d, struct lobby *l, int64_t unix_ms)
{
	if (lobby_waits_for_ai(l) && look_for_ai(d, l, unix_ms))
		return;
	for (int s = 0; s < 2; s++) {
		const struct player *p = find_player(d, &l->seat[s].player);
		const char *why = p ? must_leave(d, p) : NULL;
		if (!why)
			continue;
		lobby_leave(d, l, s, why);
		return;
	}
	if (l->unready_ms > 0 &&
	    l->unready_ms + (uint64_t)d->limits.ready_wait_ms <= d->now_ms)
		free_unready(d, l);
	else
		lobby_set_due(d, l);
}
