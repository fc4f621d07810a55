/* SPDX-License-Identifier: MIT
 * seek.c - open seeks: somebody says what he would play, and who accepts it
 * plays at once. A challenge is a seek for one player, see challenge.c. */
#include "domain/domain_priv.h"
#include "domain/rating.h"

#include <utlist.h>

const char *seek_reason_name(enum seek_reason reason)
{
	static const char *const names[SEEK_REASONS] = {
		"accepted", "cancelled", "declined",  "lapsed",
		"away",     "playing",   "finishing", "displaced",
	};
	return names[reason];
}

/* -- making -- */

int seek_check(struct domain *d, const struct command *cmd,
	       const struct player *to, struct terms *out)
{
	const struct cmd_seek *c = &cmd->seek;
	const struct player *p = find_player(d, &cmd->player);
	out->rules = domain_rules_find(d, c->ruleset);
	if (!out->rules)
		return PLYD_ERULESET;
	int err = clock_agreed(out->rules, &c->clock, &out->clock);
	if (!err && !length_is_allowed(d, out->rules, c->match_length))
		err = PLYD_ELENGTH;
	if (!err)
		err = position_check(d, out->rules, c->position);
	if (err)
		return err;
	if (c->rated && player_cooling_ms(d, p) > 0)
		return PLYD_ECOOLING;
	if (c->rated && (!player_has_ratings(p) || c->position.len > 0 ||
			 (to && !player_has_ratings(to))))
		return PLYD_EUNRATED;
	if (c->rating_max > 0 && c->rating_min > c->rating_max)
		return PLYD_ERANGE;
	if (p->meets.seek_count >= (size_t)d->limits.seeks_per_player)
		return PLYD_ETOOMANY;
	return player_may_begin(d, p);
}

struct seek *seek_open(struct domain *d, const struct command *cmd,
		       const struct player *to, const struct terms *t)
{
	const struct cmd_seek *c = &cmd->seek;
	struct id id = id_new(&d->entropy);
	while (find_seek(d, &id))
		id = id_new(&d->entropy);
	span_copy(c->key, d->key, sizeof(d->key));
	span_copy(c->position, d->position, sizeof(d->position));
	uint64_t until = to ? due_after(d, d->limits.challenge_keep_ms) : 0;
	happen(d, &(struct fact){
			  .type = FACT_SEEK_OPENED,
			  .seek_opened = {
				  .seek = id,
				  .by = cmd->player,
				  .to = to ? to->id : (struct id){ "" },
				  .ruleset = span_str(t->rules->rules.name),
				  .base_ms = t->clock.base_ms,
				  .increment_ms = t->clock.increment_ms,
				  .unlimited = t->clock.kind == CLOCK_UNLIMITED,
				  .clock_kind = t->clock.kind,
				  .delay_ms = t->clock.delay_ms,
				  .side = c->side < 0 ? SIDE_BY_LOT : c->side,
				  .opponent = c->opponent,
				  .rated = c->rated,
				  .rating_min = c->rating_min,
				  .rating_max = c->rating_max,
				  .until_ms = (int64_t)until,
				  .match_length = c->match_length,
				  .position = span_str(d->position),
				  .key = span_str(d->key),
			  } });
	return find_seek(d, &id);
}

bool seek_answered_before(struct domain *d, const struct command *cmd,
			  struct span key)
{
	const struct player *p = find_player(d, &cmd->player);
	const struct remembered_key *k = find_key(p, key);
	if (!k)
		return false;
	const struct seek *s = find_seek(d, &k->made);
	if (s) {
		answer(d, cmd)->seek = s;
		return true;
	}
	struct effect *fx =
		refuse(d, cmd,
		       cmd->type == CMD_CHALLENGE_SEND ? PLYD_ENOCHALLENGE
						       : PLYD_ENOSEEK);
	fx->text = "What this key made is closed; `match` is there if one "
		   "began.";
	if (find_match(d, &k->made))
		fx->answer.match = k->made;
	return true;
}

void on_seek_create(struct domain *d, const struct command *cmd)
{
	struct terms terms;
	if (seek_answered_before(d, cmd, cmd->seek.key))
		return;
	int err = seek_check(d, cmd, NULL, &terms);
	if (err)
		refuse(d, cmd, err);
	else
		answer(d, cmd)->seek = seek_open(d, cmd, NULL, &terms);
}

void on_seek_list(struct domain *d, const struct command *cmd)
{
	struct effect *fx = answer(d, cmd);
	fx->answer.list = &cmd->list;
	fx->player = find_player(d, &cmd->player);
}

/* -- accepting -- */

static bool rating_wanted(const struct domain *d, const struct seek *s,
			  const struct player *p)
{
	int rating = domain_points(d, p, &s->rules, &s->clock);
	return (s->rating_min == 0 || rating >= s->rating_min) &&
	       (s->rating_max == 0 || rating <= s->rating_max);
}

static int accept_check(const struct domain *d, const struct seek *s,
			const struct player *p)
{
	if (s->by == p)
		return PLYD_ESELF;
	if (!against_admits(s->opponent, p) || players_apart(s->by, p))
		return PLYD_ENOTALLOWED;
	if (s->rated && player_cooling_ms(d, p) > 0)
		return PLYD_ECOOLING;
	if (s->rated && !player_has_ratings(p))
		return PLYD_EUNRATED;
	if (!rating_wanted(d, s, p))
		return PLYD_ERATING;
	return PLYD_OK;
}

bool seek_admits(const struct domain *d, const struct seek *s,
		 const struct player *p)
{
	return accept_check(d, s, p) == PLYD_OK;
}

static void tell_closed(struct domain *d, const struct seek *s,
			const struct player *p)
{
	if (!p)
		return;
	struct effect *fx = effect_add(d, EFFECT_SEEK_CLOSED);
	fx->player = p;
	fx->seek = s;
}

static enum side maker_side(struct domain *d, int side)
{
	uint8_t byte;
	if (side != SIDE_BY_LOT)
		return (enum side)side;
	entropy_fill(&d->entropy, &byte, 1);
	return byte & 1 ? BLACK : WHITE;
}

struct match *seek_play(struct domain *d, struct seek *s,
			const struct player *accepts, int side, int64_t unix_ms)
{
	enum side makers = maker_side(d, side);
	struct pairing pairing = { .rules = &s->rules,
				   .clock = s->clock,
				   .rated = s->rated,
				   .position = span_str(s->position) };
	pairing.seat[makers] = partner_of(s->by);
	pairing.seat[side_other(makers)] = partner_of(accepts);
	struct match *m = match_begin(d, &pairing, unix_ms);
	happen(d, &(struct fact){ .type = FACT_SEEK_CLOSED,
				  .seek_closed = { .seek = s->id,
						   .reason = SEEK_ACCEPTED,
						   .by = accepts->id,
						   .match = m->id } });
	tell_closed(d, s, s->by);
	tell_closed(d, s, s->to);
	match_start(d, m);
	return m;
}

void seek_accept(struct domain *d, const struct command *cmd, struct seek *s)
{
	const struct player *p = find_player(d, &cmd->player);
	int err = accept_check(d, s, p);
	if (!err && !player_is_here(s->by))
		err = PLYD_EABSENT;
	if (!err)
		err = player_may_begin(d, p);
	if (!err)
		err = player_may_begin(d, s->by);
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	struct effect *fx = answer(d, cmd);
	fx->answer.match = seek_play(d, s, p, s->side, cmd->unix_ms)->id;
}

bool seek_accepted_before(struct domain *d, const struct command *cmd)
{
	const struct player *p = find_player(d, &cmd->player);
	const struct remembered_key *k =
		find_key(p, span_str(cmd->seek_answer.seek.text));
	if (!k)
		return false;
	answer(d, cmd)->answer.match = k->made;
	return true;
}

void on_seek_accept(struct domain *d, const struct command *cmd)
{
	struct seek *s = find_seek(d, &cmd->seek_answer.seek);
	if (s && !s->to)
		seek_accept(d, cmd, s);
	else if (!seek_accepted_before(d, cmd))
		refuse(d, cmd, PLYD_ENOSEEK);
}

/* -- closing -- */

static void close_as(struct domain *d, struct seek *s, enum seek_reason reason,
		     enum decline_word word)
{
	happen(d, &(struct fact){ .type = FACT_SEEK_CLOSED,
				  .seek_closed = { .seek = s->id,
						   .reason = reason,
						   .word = word } });
	tell_closed(d, s, s->by);
	tell_closed(d, s, s->to);
}

void seek_close(struct domain *d, struct seek *s, enum seek_reason reason)
{
	close_as(d, s, reason, DECLINE_NO);
}

void seek_decline(struct domain *d, struct seek *s, enum decline_word word)
{
	close_as(d, s, SEEK_DECLINED, word);
}

void on_seek_cancel(struct domain *d, const struct command *cmd)
{
	struct seek *s = find_seek(d, &cmd->seek_answer.seek);
	if (!s || s->to || !id_eq(&s->by->id, &cmd->player)) {
		refuse(d, cmd, PLYD_ENOSEEK);
		return;
	}
	answer(d, cmd);
	seek_close(d, s, SEEK_CANCELLED);
}

void seek_due(struct domain *d, struct seek *s)
{
	const struct player *who[] = { s->by, s->to };
	uint64_t keep_ms = (uint64_t)d->limits.lobby_away_ms;
	if (s->until_ms > 0 && s->until_ms <= d->now_ms) {
		seek_close(d, s, SEEK_LAPSED);
		return;
	}
	for (int i = 0; i < 2; i++) {
		const struct player *p = who[i];
		if (p && !player_is_here(p) &&
		    p->away_ms + keep_ms <= d->now_ms) {
			seek_close(d, s, SEEK_AWAY);
			return;
		}
	}
	seek_set_due(d, s);
}

void meeting_withdraw(struct domain *d, struct player *p,
		      enum seek_reason reason)
{
	while (p->meets.seeks)
		seek_close(d, p->meets.seeks, reason);
	if (p->meets.queued)
		queued_leave(d, p, NULL);
}
