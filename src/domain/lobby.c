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

static void answer_lobby(struct domain *d, const struct command *cmd,
			 const struct lobby *l)
{
	struct effect *fx = answer(d, cmd);
	fx->lobby = l;
	fx->player = find_player(d, &cmd->player);
}

static void tell_lobby(struct domain *d, const struct lobby *l)
{
	effect_add(d, EFFECT_LOBBY)->lobby = l;
}

static void lobby_close(struct domain *d, const struct lobby *l)
{
	for (int s = 0; s < 2; s++) {
		const struct player *p = find_player(d, &l->seat[s].player);
		if (!p)
			continue;
		struct effect *fx = effect_add(d, EFFECT_LOBBY_CLOSED);
		fx->player = p;
		fx->lobby_id = l->id;
	}
	happen(d, &(struct fact){ .type = FACT_LOBBY_CLOSED,
				  .lobby_closed = { .lobby = l->id } });
}

void on_lobby_list(struct domain *d, const struct command *cmd)
{
	answer(d, cmd)->answer.filter = cmd->ruleset;
}

void on_lobby_get(struct domain *d, const struct command *cmd)
{
	const struct lobby *l = find_lobby(d, &cmd->lobby);
	if (!l || (l->code[0] && lobby_seat_of(l, &cmd->player) < 0)) {
		refuse(d, cmd, PLYD_ENOLOBBY);
		return;
	}
	answer_lobby(d, cmd, l);
}

/* -- opening -- */

/* A length may be chosen where the ruleset is a match of games. */
static bool length_is_allowed(const struct domain *d,
			      const struct match_rules *r, int length)
{
	bool is_match = r->rules.family == FAMILY_BACKGAMMON &&
			r->rules.backgammon.match_length > 0;
	return length == 0 ||
	       (is_match && length <= (int)d->limits.match_length_max);
}

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
	if (!clock_wanted(&rules->clock, &c->clock, clock) ||
	    !clock_is_allowed(&rules->clock_limits, clock))
		return PLYD_ECLOCK;
	if (!length_is_allowed(d, rules, c->match_length))
		return PLYD_ELENGTH;
	if (HASH_COUNT(d->lobbies) >= (size_t)d->limits.lobbies_max)
		return PLYD_EFULL;
	if (p->lobby_count >= (size_t)d->limits.lobbies_per_player)
		return PLYD_ETOOMANY;
	if (c->rated &&
	    (c->opponent == AGAINST_PERSONALITY || !player_has_ratings(p)))
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
	for (size_t i = 0; cmd->create.key.len > 0 && i < KEYS_REMEMBERED;
	     i++) {
		const struct remembered_key *k = &p->keys[i];
		if (!span_is(cmd->create.key, k->key))
			continue;
		const struct lobby *l = find_lobby(d, &k->lobby);
		if (l)
			answer_lobby(d, cmd, l);
		else
			refuse(d, cmd, PLYD_ENOLOBBY)->text =
				"This key made a lobby that has begun its "
				"match or was closed.";
		return true;
	}
	return false;
}

static int may_begin(const struct domain *d, const struct lobby *l,
		     const struct command *cmd)
{
	return match_may_begin(d, l, find_player(d, &cmd->player));
}

/* Seats a player, makes him ready if he says so, answers, and begins. */
static void take_seat(struct domain *d, const struct command *cmd,
		      struct lobby *l, enum side side, bool ready)
{
	happen(d,
	       &(struct fact){ .type = FACT_LOBBY_SEATED,
			       .lobby_seated = { l->id, side, cmd->player } });
	if (ready)
		happen(d, &(struct fact){ .type = FACT_LOBBY_READIED,
					  .lobby_readied = { l->id, cmd->player,
							     true } });
	lobby_take_seat(d, cmd, l, side);
	answer_lobby(d, cmd, l);
	tell_lobby(d, l);
}

static void begin_if_ready(struct domain *d, const struct command *cmd,
			   struct lobby *l)
{
	if (l->seat[WHITE].ready && l->seat[BLACK].ready)
		match_begin(d, l, cmd->unix_ms);
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
	happen(d, &(struct fact){
			  .type = FACT_LOBBY_OPENED,
			  .lobby_opened = {
				  .lobby = id,
				  .owner = cmd->player,
				  .ruleset = span_str(rules->rules.name),
				  .base_ms = clock.base_ms,
				  .increment_ms = clock.increment_ms,
				  .unlimited = clock.kind == CLOCK_UNLIMITED,
				  .side = side,
				  .opponent = c->opponent,
				  .personality = span_str(personality),
				  .code = span_str(d->code),
				  .key = span_str(d->key),
				  .rated = c->rated,
				  .spectator_delay_ms = c->spectator_delay_ms,
				  .clock_kind = clock.kind,
				  .delay_ms = clock.delay_ms,
				  .match_length = c->match_length,
			  } });
	struct lobby *l = find_lobby(d, &id);
	bool ready = c->ready && may_begin(d, l, cmd) == PLYD_OK;
	take_seat(d, cmd, l, side, ready);
	begin_if_ready(d, cmd, l);
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
	if (apart_from_seats(d, l, p))
		return PLYD_ENOTALLOWED;
	if ((l->opponent == AGAINST_BOT && p->kind != KIND_BOT) ||
	    (l->opponent == AGAINST_PERSON && p->kind == KIND_BOT))
		return PLYD_ENOTALLOWED;
	if (p->lobby_count >= (size_t)d->limits.lobbies_per_player)
		return PLYD_ETOOMANY;
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
		return l && !l->code[0] ? l : NULL;
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
	bool ready = cmd->join.ready && may_begin(d, l, cmd) == PLYD_OK;
	take_seat(d, cmd, l, side, ready);
	begin_if_ready(d, cmd, l);
}

/* A lobby without a player in it is closed. */
void lobby_leave(struct domain *d, struct lobby *l, int side)
{
	struct id who = l->seat[side].player;
	if (id_is_none(&l->seat[1 - side].player)) {
		lobby_close(d, l);
		return;
	}
	happen(d, &(struct fact){ .type = FACT_LOBBY_LEFT,
				  .lobby_left = { l->id, who } });
	tell_lobby(d, l);
}

static struct lobby *lobby_of_seat(struct domain *d, const struct command *cmd,
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
	refuse(d, cmd, l->code[0] ? PLYD_ENOLOBBY : PLYD_ENOTINLOBBY);
	return NULL;
}

void on_lobby_leave(struct domain *d, const struct command *cmd)
{
	int side;
	struct lobby *l = lobby_of_seat(d, cmd, &side);
	if (!l)
		return;
	answer(d, cmd);
	lobby_leave(d, l, side);
}

void on_lobby_ready(struct domain *d, const struct command *cmd)
{
	int side;
	struct lobby *l = lobby_of_seat(d, cmd, &side);
	if (!l)
		return;
	int err = cmd->ready ? may_begin(d, l, cmd) : PLYD_OK;
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
	begin_if_ready(d, cmd, l);
}

void lobby_due(struct domain *d, struct lobby *l)
{
	uint64_t keep_ms = (uint64_t)d->limits.lobby_away_ms;
	for (int s = 0; s < 2; s++) {
		const struct player *p = find_player(d, &l->seat[s].player);
		if (p && !player_is_here(p) &&
		    p->away_ms + keep_ms <= d->now_ms) {
			lobby_leave(d, l, s);
			return;
		}
	}
	lobby_set_due(d, l);
}
