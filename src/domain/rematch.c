/* SPDX-License-Identifier: MIT
 * rematch.c - another match of the same two, with sides swapped. Both must want
 * it, or the opponent is a personality. Wishes live as long as the finished match
 * can be looked at, and no longer than their time; a restart forgets them. One
 * finished match becomes one new match, however often it is asked for. */
#include "domain/domain_priv.h"

bool match_wants_rematch(const struct match *m, enum side side, uint64_t now_ms)
{
	return m->rematch.until_ms[side] > now_ms;
}

static bool has_next(const struct match *m)
{
	return !id_is_none(&m->rematch.next);
}

/* The finished match of a command, and its seat; or refuses. */
static struct match *match_to_repeat(struct domain *d,
				     const struct command *cmd, enum side *side)
{
	struct match *m = find_match(d, &cmd->match);
	int seat = m ? match_seat_of(m, &cmd->player) : -1;
	int err = !m                         ? PLYD_ENOMATCH
		  : seat < 0                 ? PLYD_ESEAT
		  : m->state == MATCH_FROZEN ? PLYD_EFROZEN
		  : m->state != MATCH_OVER   ? PLYD_ENOTOVER
					     : PLYD_OK;
	if (err) {
		refuse(d, cmd, err)->match = m;
		return NULL;
	}
	*side = (enum side)seat;
	return m;
}

static void answer_rematch(struct domain *d, const struct command *cmd,
			   const struct match *m, bool changed)
{
	answer(d, cmd)->match = m;
	if (changed)
		effect_add(d, EFFECT_REMATCH)->match = m;
}

/* The same seats the other way round. */
static struct pairing pairing_again(struct domain *d, const struct match *m)
{
	const struct ruleset *rules = &m->rules->rules;
	struct pairing again = { .rules = m->rules,
				 .clock = m->rules->clock,
				 .rated = m->rated,
				 .closed = m->closed,
				 .spectator_delay_ms = m->spectator_delay_ms,
				 .rematch_of = m->id,
				 .position = span_str("") };
	if (!ruleset_has_dice(rules)) /* there a throw decides who begins */
		again.position =
			span_of(d->position,
				game_write(rules, &m->start, d->position));
	for (int s = 0; s < 2; s++) {
		const struct seat *was = &m->seat[1 - s];
		const struct player *p = find_player(d, &was->player);
		again.seat[s] =
			p ? partner_of(p)
			  : (struct partner){ was->kind, was->player,
					      span_str(was->name), NULL };
	}
	return again;
}

static int may_begin(const struct domain *d, const struct pairing *again)
{
	for (int s = 0; s < 2; s++) {
		const struct player *p = find_player(d, &again->seat[s].player);
		int err = p ? player_may_begin(d, p) : PLYD_OK;
		if (err)
			return err;
	}
	return PLYD_OK;
}

/* A rematch waits in no queue, so it passes nobody who does. */
static int ai_agrees(const struct domain *d, const struct match *m,
		     enum side side, const struct match_rules *rules)
{
	const struct player *p = find_player(d, &m->seat[side].player);
	const struct seat *other = &m->seat[side_other(side)];
	if (!personality_find(d, span_str(other->name), rules))
		return PLYD_EPERSONALITY;
	return ai_may_begin_rematch(d) ? ai_check_player(d, p) : PLYD_EAIFULL;
}

/* Whether the other side plays again: it wants to and is here, or always does. */
static int other_agrees(const struct domain *d, const struct match *m,
			enum side side, bool *agrees)
{
	enum side other = side_other(side);
	const struct seat *seat = &m->seat[other];
	const struct match_rules *rules =
		domain_rules_find(d, span_str(m->rules->rules.name));
	*agrees = true;
	if (!rules)
		return PLYD_ERULESET;
	if (seat->kind == KIND_PERSONALITY)
		return ai_agrees(d, m, side, rules);
	const struct player *p = find_player(d, &seat->player);
	if (!p || !player_is_here(p))
		return PLYD_EAWAY;
	*agrees = match_wants_rematch(m, other, d->now_ms);
	return PLYD_OK;
}

/* Begins it if the other agrees; else only notes the wish. */
static int agree(struct domain *d, const struct command *cmd, struct match *m,
		 enum side side, bool *changed)
{
	bool agrees;
	int err = other_agrees(d, m, side, &agrees);
	struct pairing again = pairing_again(d, m);
	if (!err)
		err = may_begin(d, &again);
	if (!err && m->rated &&
	    player_cooling_ms(d, find_player(d, &cmd->player)) > 0)
		err = PLYD_ECOOLING;
	if (err)
		return err;
	*changed = agrees || !match_wants_rematch(m, side, d->now_ms);
	m->rematch.until_ms[side] = due_after(d, d->limits.rematch_wait_ms);
	if (!agrees)
		return PLYD_OK;
	again.seat[side_other(side)].driver = session_of(d, cmd);
	struct match *next = match_begin(d, &again, cmd->unix_ms);
	m->rematch.next = next->id;
	match_start(d, next);
	return PLYD_OK;
}

void on_match_rematch(struct domain *d, const struct command *cmd)
{
	enum side side;
	bool changed = false;
	struct match *m = match_to_repeat(d, cmd, &side);
	if (!m)
		return;
	int err = has_next(m) ? PLYD_OK : agree(d, cmd, m, side, &changed);
	if (err)
		refuse(d, cmd, err);
	else
		answer_rematch(d, cmd, m, changed);
}

void on_match_rematch_decline(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_to_repeat(d, cmd, &side);
	if (!m)
		return;
	bool changed =
		!has_next(m) && (match_wants_rematch(m, WHITE, d->now_ms) ||
				 match_wants_rematch(m, BLACK, d->now_ms));
	if (changed)
		m->rematch.until_ms[WHITE] = m->rematch.until_ms[BLACK] = 0;
	answer_rematch(d, cmd, m, changed);
}
