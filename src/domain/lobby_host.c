/* SPDX-License-Identifier: MIT
 * lobby_host.c - what the owner of a lobby does: invite, throw out, change the
 * terms. */
#include "domain/domain_priv.h"
#include "domain/rating.h"

static bool is_owner(const struct lobby *l, const struct command *cmd)
{
	return id_eq(&l->owner, &cmd->player);
}

/* The lobby of a command, if it is its owner's; else it is refused. */
static struct lobby *own_lobby(struct domain *d, const struct command *cmd,
			       int *side)
{
	struct lobby *l = lobby_of_seat(d, cmd, side);
	if (!l || is_owner(l, cmd))
		return l;
	refuse(d, cmd, PLYD_ENOTALLOWED);
	return NULL;
}

/* -- inviting -- */

/* As with challenges, see challenge.c: one invitation to each, and where there
 * is no room the oldest of a guest's makes some. */
static bool invites_already(const struct domain *d, const struct player *p,
			    const struct id *owner)
{
	for (size_t i = 0; i < p->meets.invited_count; i++) {
		const struct lobby *l = find_lobby(d, &p->meets.invited[i]);
		if (l && id_eq(&l->owner, owner))
			return true;
	}
	return false;
}

static struct lobby *oldest_of_guests(const struct domain *d,
				      const struct player *p)
{
	for (size_t i = 0; i < p->meets.invited_count; i++) {
		struct lobby *l = find_lobby(d, &p->meets.invited[i]);
		const struct player *owner =
			l ? find_player(d, &l->owner) : NULL;
		if (owner && !owner->account)
			return l;
	}
	return NULL;
}

static void displace(struct domain *d, struct lobby *l, const struct player *p)
{
	happen(d, &(struct fact){ .type = FACT_LOBBY_DECLINED,
				  .lobby_declined = { l->id, p->id } });
	tell_gone(d, &p->id, l, "displaced");
	tell_lobby(d, l);
}

static int invite_check(const struct domain *d, const struct lobby *l,
			const struct player *p, const struct command *cmd)
{
	if (id_eq(&p->id, &cmd->player))
		return PLYD_ESELF;
	if (players_apart(find_player(d, &cmd->player), p))
		return PLYD_ENOTALLOWED;
	if (!player_is_here(p))
		return PLYD_EABSENT;
	if (lobby_seat_of(l, &p->id) >= 0)
		return PLYD_EINLOBBY;
	for (size_t i = 0; i < l->barred_count; i++)
		if (id_eq(&l->barred[i], &p->id))
			return PLYD_EBARRED;
	if (!against_admits(l->opponent, p))
		return PLYD_ENOTALLOWED;
	if (l->rated && !player_has_ratings(p))
		return PLYD_EUNRATED;
	if (l->invited_count == INVITED_MAX ||
	    invites_already(d, p, &l->owner) ||
	    (p->meets.invited_count == INVITED_MAX && !oldest_of_guests(d, p)))
		return PLYD_ETOOMANY;
	return PLYD_OK;
}

/* A bot that lets the server answer takes the free seat at once, or declines.
 */
static void bot_invited(struct domain *d, const struct command *cmd,
			struct lobby *l, const struct player *bot)
{
	const struct player *from = find_player(d, &cmd->player);
	bool full = l->seat[WHITE].taken && l->seat[BLACK].taken;
	enum decline_word word;
	bool takes =
		bot_takes(bot, from, &l->rules, &l->clock, l->rated, &word);
	if (full || !takes) {
		struct effect *fx =
			refuse(d, cmd, full ? PLYD_ELOBBYFULL : PLYD_EDECLINED);
		fx->text = full ? NULL : decline_word_text(word);
		return;
	}
	if (bot->lobby_count >= (size_t)d->limits.lobbies_per_player) {
		refuse(d, cmd, PLYD_ETOOMANY);
		return;
	}
	lobby_seat(d, l, l->seat[WHITE].taken ? BLACK : WHITE, bot, true);
	answer_lobby(d, cmd, l);
	tell_lobby(d, l);
	lobby_begin_if_ready(d, l, cmd->unix_ms);
}

void on_lobby_invite(struct domain *d, const struct command *cmd)
{
	int side;
	struct lobby *l = own_lobby(d, cmd, &side);
	struct player *p = l ? player_named(d, cmd, &cmd->named) : NULL;
	if (!p)
		return;
	if (lobby_is_invited(l, &p->id)) {
		answer_lobby(d, cmd, l);
		return;
	}
	int err = invite_check(d, l, p, cmd);
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	if (p->meets.policy.answers) {
		bot_invited(d, cmd, l, p);
		return;
	}
	if (p->meets.invited_count == INVITED_MAX)
		displace(d, oldest_of_guests(d, p), p);
	happen(d, &(struct fact){ .type = FACT_LOBBY_INVITED,
				  .lobby_invited = { l->id, p->id } });
	answer_lobby(d, cmd, l);
	tell_lobby(d, l);
	struct effect *fx = effect_add(d, EFFECT_INVITED);
	fx->player = p;
	fx->lobby = l;
}

void on_lobby_decline(struct domain *d, const struct command *cmd)
{
	struct lobby *l = find_lobby(d, &cmd->lobby);
	if (!l || !lobby_is_invited(l, &cmd->player)) {
		refuse(d, cmd, PLYD_ENOLOBBY);
		return;
	}
	happen(d, &(struct fact){ .type = FACT_LOBBY_DECLINED,
				  .lobby_declined = { l->id, cmd->player } });
	answer(d, cmd);
	struct effect *fx = effect_add(d, EFFECT_INVITE_DECLINED);
	fx->player = find_player(d, &l->owner);
	fx->other = find_player(d, &cmd->player);
	fx->lobby = l;
	tell_lobby(d, l);
}

/* -- throwing out -- */

/* Also one who is only invited, or was thrown out before. */
void on_lobby_kick(struct domain *d, const struct command *cmd)
{
	int side;
	struct lobby *l = own_lobby(d, cmd, &side);
	struct player *p = l ? player_named(d, cmd, &cmd->named) : NULL;
	if (!p)
		return;
	for (size_t i = 0; i < l->barred_count; i++) {
		if (!id_eq(&l->barred[i], &p->id))
			continue;
		answer_lobby(d, cmd, l);
		return;
	}
	int err = id_eq(&p->id, &cmd->player)     ? PLYD_ESELF
		  : l->barred_count == BARRED_MAX ? PLYD_ETOOMANY
						  : PLYD_OK;
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	bool concerned =
		lobby_seat_of(l, &p->id) >= 0 || lobby_is_invited(l, &p->id);
	happen(d, &(struct fact){ .type = FACT_LOBBY_KICKED,
				  .lobby_kicked = { l->id, p->id } });
	answer_lobby(d, cmd, l);
	tell_lobby(d, l);
	if (!concerned)
		return;
	struct effect *fx = effect_add(d, EFFECT_LOBBY_CLOSED);
	fx->player = p;
	fx->lobby_id = l->id;
	fx->why = "kicked";
}

/* -- changing the terms -- */

static bool plays(const struct domain *d, const struct lobby *l,
		  const struct match_rules *rules)
{
	if (l->opponent != AGAINST_PERSONALITY)
		return true;
	for (size_t i = 0; i < d->personality_count; i++)
		if (!strcmp(d->personality[i].name, l->personality))
			return personality_plays(&d->personality[i],
						 (size_t)(rules - d->rules));
	return false;
}

static int update_check(struct domain *d, const struct lobby *l,
			const struct match_rules *rules,
			const struct clock_rules *clock, bool rated)
{
	if (!rules)
		return PLYD_ERULESET;
	if (!plays(d, l, rules))
		return PLYD_EPERSONALITY;
	int err = position_check(d, rules, span_str(l->position));
	if (err)
		return err;
	if (rated && l->position[0])
		return PLYD_EUNRATED;
	for (int s = 0; rated && s < 2; s++) {
		const struct player *p = find_player(d, &l->seat[s].player);
		if (l->seat[s].taken && (!p || !player_has_ratings(p)))
			return PLYD_EUNRATED;
	}
	return clock_is_allowed(&rules->clock_limits, clock) ? PLYD_OK
							     : PLYD_ECLOCK;
}

/* The clock stays, unless another is asked for or the ruleset changes. False:
 * there is no such clock. */
static bool clock_after(const struct lobby *l, const struct command *cmd,
			const struct match_rules *rules,
			struct clock_rules *out)
{
	const struct cmd_lobby_update *u = &cmd->update;
	return clock_wanted(u->ruleset.len > 0 ? &rules->clock : &l->clock,
			    &u->clock, out);
}

void on_lobby_update(struct domain *d, const struct command *cmd)
{
	const struct cmd_lobby_update *u = &cmd->update;
	struct clock_rules clock = { 0 };
	int own;
	struct lobby *l = own_lobby(d, cmd, &own);
	if (!l)
		return;
	const struct match_rules *rules =
		domain_rules_find(d, u->ruleset.len > 0
					     ? u->ruleset
					     : span_str(l->rules.rules.name));
	int side = u->side >= 0 ? u->side : own;
	bool rated = u->rated >= 0 ? u->rated : l->rated;
	int length = u->match_length > 0  ? u->match_length
		     : u->ruleset.len > 0 ? 0
					  : (int)lobby_match_length(l);
	int err = rules && !clock_after(l, cmd, rules, &clock)
			  ? PLYD_ECLOCK
			  : update_check(d, l, rules, &clock, rated);
	if (!err && !length_is_allowed(d, rules, u->match_length))
		err = PLYD_ELENGTH;
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	bool same = !strcmp(rules->rules.name, l->rules.rules.name) &&
		    clock_same(&clock, &l->clock) && side == own &&
		    rated == l->rated &&
		    (length == 0 || length == (int)lobby_match_length(l));
	if (!same) {
		happen(d,
		       &(struct fact){
			       .type = FACT_LOBBY_UPDATED,
			       .lobby_updated = {
				       .lobby = l->id,
				       .ruleset = span_str(rules->rules.name),
				       .base_ms = clock.base_ms,
				       .increment_ms = clock.increment_ms,
				       .unlimited =
					       clock.kind == CLOCK_UNLIMITED,
				       .clock_kind = clock.kind,
				       .delay_ms = clock.delay_ms,
				       .side = side,
				       .rated = rated,
				       .match_length = length,
			       } });
		tell_lobby(d, l);
	}
	answer_lobby(d, cmd, l);
}
