/* SPDX-License-Identifier: MIT
 * meeting_apply.c - the facts of meeting: seeks and challenges, the queue of
 * quick matches, invitations, what bots accept. */
#include "domain/domain_priv.h"

#include <stdlib.h>

#include <utlist.h>

/* -- seeks and challenges -- */

struct seek *find_seek(const struct domain *d, const struct id *id)
{
	struct seek *s;
	HASH_FIND(hh, d->seeks, id->text, ID_CHARS, s);
	return s;
}

/* When it lapses, or when one of the two has been away too long. */
void seek_set_due(struct domain *d, struct seek *s)
{
	uint64_t at_ms = s->until_ms > 0 ? s->until_ms : UINT64_MAX;
	const struct player *who[] = { s->by, s->to };
	for (int i = 0; i < 2; i++) {
		const struct player *p = who[i];
		if (!p || player_is_here(p))
			continue;
		uint64_t away = p->away_ms + (uint64_t)d->limits.lobby_away_ms;
		at_ms = away < at_ms ? away : at_ms;
	}
	if (at_ms == UINT64_MAX)
		due_clear(&d->due, &s->due);
	else
		due_set(&d->due, &s->due, at_ms);
}

static void seek_unlink(struct domain *d, struct seek *s)
{
	listed_take(d, &s->listed, LISTED_SEEK);
	due_clear(&d->due, &s->due);
	HASH_DELETE(hh, d->seeks, s);
	DL_DELETE(s->by->meets.seeks, s);
	s->by->meets.seek_count--;
	player_set_due(d, s->by);
	if (!s->to)
		return;
	DL_DELETE2(s->to->meets.challenges, s, to_prev, to_next);
	s->to->meets.challenge_count--;
	player_set_due(d, s->to);
}

void seek_free(struct domain *d, struct seek *s)
{
	seek_unlink(d, s);
	free(s);
}

void closed_free(struct domain *d)
{
	struct seek *s, *next;
	DL_FOREACH_SAFE(d->closed_seeks, s, next)
	free(s);
	d->closed_seeks = NULL;
	free(d->closed);
	d->closed = NULL;
}

static void fill_seek(struct seek *s, const struct fact_seek_opened_body *b)
{
	s->id = b->seek;
	s->side = (int)b->side;
	s->opponent = (enum against)b->opponent;
	s->rated = b->rated;
	s->rating_min = b->rating_min;
	s->rating_max = b->rating_max;
	s->until_ms = (uint64_t)b->until_ms;
	span_copy(b->position, s->position, sizeof(s->position));
	s->due.owner = s;
	s->due.kind = DUE_SEEK;
}

static int apply_seek_opened(struct domain *d, const struct fact *f)
{
	const struct fact_seek_opened_body *b = &f->seek_opened;
	const struct match_rules *rules = domain_rules_find(d, b->ruleset);
	struct player *by = find_player(d, &b->by);
	struct player *to = find_player(d, &b->to);
	struct clock_rules clock;
	if (!clock_read(b->clock_kind, b->unlimited, b->base_ms,
			b->increment_ms, b->delay_ms, &clock))
		return PLYD_ERECORD;
	if (!by || (!to && !id_is_none(&b->to)) || by == to ||
	    find_seek(d, &b->seek) || b->side < WHITE ||
	    b->side > SIDE_BY_LOT || b->opponent < AGAINST_ANYONE ||
	    b->opponent > AGAINST_BOT || b->until_ms < 0)
		return PLYD_ERECORD;
	if (!rules)
		return PLYD_ERULESET;
	struct seek *s = calloc(1, sizeof(*s));
	if (!s || due_reserve(d) || listing_reserve(d, b->ruleset)) {
		free(s);
		return PLYD_ENOMEM;
	}
	fill_seek(s, b);
	s->rules = *rules;
	rules_set_length(&s->rules, b->match_length);
	s->clock = clock;
	s->by = by;
	s->to = to;
	HASH_ADD(hh, d->seeks, id.text, ID_CHARS, s);
	if (!s->hh.tbl) {
		free(s);
		return PLYD_ENOMEM;
	}
	DL_APPEND(by->meets.seeks, s);
	by->meets.seek_count++;
	player_set_due(d, by);
	if (to) {
		DL_APPEND2(to->meets.challenges, s, to_prev, to_next);
		to->meets.challenge_count++;
		player_set_due(d, to);
	} else {
		listed_put(d, &s->listed, LISTED_SEEK, rules->rules.name, s);
	}
	seek_set_due(d, s);
	return remember_key(by, b->key, &b->seek);
}

/* So that who sends his command again is told of the match that it began. */
static int remember_match(struct seek *s, struct player *accepted)
{
	for (size_t i = 0; s->by->keys && i < KEYS_REMEMBERED; i++)
		if (id_eq(&s->by->keys[i].made, &s->id))
			s->by->keys[i].made = s->match;
	return remember_key(accepted, span_str(s->id.text), &s->match);
}

static int apply_seek_closed(struct domain *d, const struct fact *f)
{
	const struct fact_seek_closed_body *b = &f->seek_closed;
	struct seek *s = find_seek(d, &b->seek);
	struct player *by = find_player(d, &b->by);
	if (b->reason < 0 || b->reason >= SEEK_REASONS || b->word < 0 ||
	    b->word >= DECLINE_WORD_COUNT)
		return PLYD_ERECORD;
	if (!s)
		return PLYD_ENOLOBBY;
	s->reason = (enum seek_reason)b->reason;
	s->word = (enum decline_word)b->word;
	s->match = b->match;
	int err =
		by && !id_is_none(&b->match) ? remember_match(s, by) : PLYD_OK;
	seek_unlink(d, s);
	if (d->deciding)
		DL_APPEND(d->closed_seeks, s); /* effects show it */
	else
		free(s);
	return err;
}

/* -- the queue -- */

/* When his range widens, or when he has been away too long. */
void queued_set_due(struct domain *d, struct queued *q)
{
	const struct player *p = q->player;
	uint64_t at_ms = queued_widens_ms(d, q);
	if (!player_is_here(p)) {
		uint64_t away = p->away_ms + (uint64_t)d->limits.lobby_away_ms;
		at_ms = away < at_ms ? away : at_ms;
	}
	due_set(&d->due, &q->due, at_ms);
}

void queued_free(struct domain *d, struct queued *q)
{
	listed_take(d, &q->listed, LISTED_QUEUED);
	due_clear(&d->due, &q->due);
	q->player->meets.queued = NULL;
	player_set_due(d, q->player);
	free(q);
}

static int apply_queued(struct domain *d, const struct fact *f)
{
	const struct fact_queued_body *b = &f->queued;
	const struct match_rules *rules = domain_rules_find(d, b->ruleset);
	struct player *p = find_player(d, &b->player);
	struct clock_rules clock;
	if (!clock_read(b->clock_kind, b->unlimited, b->base_ms,
			b->increment_ms, b->delay_ms, &clock) ||
	    !p || p->meets.queued || b->since_ms < 0)
		return PLYD_ERECORD;
	if (!rules)
		return PLYD_ERULESET;
	struct queued *q = calloc(1, sizeof(*q));
	if (!q || due_reserve(d) || listing_reserve(d, b->ruleset)) {
		free(q);
		return PLYD_ENOMEM;
	}
	q->player = p;
	q->rules = *rules;
	q->clock = clock;
	q->any_clock = b->any_clock;
	q->rated = b->rated;
	q->bots = b->bots;
	q->since_ms = (uint64_t)b->since_ms;
	q->rating = domain_points(d, p, rules, &q->clock);
	q->due.owner = q;
	q->due.kind = DUE_QUEUED;
	p->meets.queued = q;
	listed_put(d, &q->listed, LISTED_QUEUED, rules->rules.name, q);
	player_set_due(d, p);
	queued_set_due(d, q);
	return PLYD_OK;
}

static int apply_unqueued(struct domain *d, const struct fact *f)
{
	struct player *p = find_player(d, &f->unqueued.player);
	if (!p)
		return PLYD_ERECORD;
	if (!p->meets.queued)
		return PLYD_ENOLOBBY;
	queued_free(d, p->meets.queued);
	return PLYD_OK;
}

/* -- lobbies -- */

static bool id_list_drop(struct id *list, size_t *count, const struct id *id)
{
	for (size_t i = 0; i < *count; i++) {
		if (!id_eq(&list[i], id))
			continue;
		for (size_t j = i + 1; j < *count; j++)
			list[j - 1] = list[j];
		(*count)--;
		return true;
	}
	return false;
}

void lobby_uninvite(struct domain *d, struct lobby *l, const struct id *player)
{
	struct player *p = find_player(d, player);
	id_list_drop(l->invited, &l->invited_count, player);
	if (p)
		id_list_drop(p->meets.invited, &p->meets.invited_count, &l->id);
}

static int apply_lobby_invited(struct domain *d, const struct fact *f)
{
	struct lobby *l = find_lobby(d, &f->lobby_invited.lobby);
	struct player *p = find_player(d, &f->lobby_invited.player);
	if (!l)
		return PLYD_ENOLOBBY;
	if (!p || lobby_is_invited(l, &p->id) ||
	    l->invited_count == INVITED_MAX ||
	    p->meets.invited_count == INVITED_MAX)
		return PLYD_ERECORD;
	if (!p->meets.invited)
		p->meets.invited = calloc(INVITED_MAX, sizeof(struct id));
	if (!p->meets.invited)
		return PLYD_ENOMEM;
	l->invited[l->invited_count++] = p->id;
	p->meets.invited[p->meets.invited_count++] = l->id;
	return PLYD_OK;
}

static int apply_lobby_declined(struct domain *d, const struct fact *f)
{
	struct lobby *l = find_lobby(d, &f->lobby_declined.lobby);
	if (!l)
		return PLYD_ENOLOBBY;
	if (!lobby_is_invited(l, &f->lobby_declined.player))
		return PLYD_ERECORD;
	lobby_uninvite(d, l, &f->lobby_declined.player);
	return PLYD_OK;
}

static int apply_lobby_kicked(struct domain *d, const struct fact *f)
{
	const struct id *who = &f->lobby_kicked.player;
	struct lobby *l = find_lobby(d, &f->lobby_kicked.lobby);
	if (!l)
		return PLYD_ENOLOBBY;
	if (l->barred_count == BARRED_MAX)
		return PLYD_ERECORD;
	l->barred[l->barred_count++] = *who;
	lobby_uninvite(d, l, who);
	lobby_vacate(d, l, lobby_seat_of(l, who));
	return PLYD_OK;
}

static int apply_lobby_updated(struct domain *d, const struct fact *f)
{
	const struct fact_lobby_updated_body *b = &f->lobby_updated;
	const struct match_rules *rules = domain_rules_find(d, b->ruleset);
	struct lobby *l = find_lobby(d, &b->lobby);
	int own = l ? lobby_seat_of(l, &l->owner) : -1;
	if (!l)
		return PLYD_ENOLOBBY;
	struct clock_rules clock;
	if (!clock_read(b->clock_kind, b->unlimited, b->base_ms,
			b->increment_ms, b->delay_ms, &clock) ||
	    own < 0 || (b->side != WHITE && b->side != BLACK))
		return PLYD_ERECORD;
	if (!rules) {
		/* its terms are not known here: it is left out from now on */
		lobby_unlink(d, l);
		free(l);
		return PLYD_ERULESET;
	}
	if (listing_reserve(d, b->ruleset))
		return PLYD_ENOMEM;
	listed_take(d, &l->listed, LISTED_LOBBY);
	l->rules = *rules;
	rules_set_length(&l->rules, b->match_length);
	l->clock = clock;
	l->rated = b->rated;
	for (int s = 0; s < 2; s++)
		l->seat[s].ready = l->seat[s].kind == KIND_PERSONALITY;
	if (own != b->side)
		lobby_swap(d, l);
	l->unready_ms = 0;
	lobby_set_listed(d, l);
	lobby_set_due(d, l);
	return PLYD_OK;
}

/* -- bots -- */

static int apply_bot_policy(struct domain *d, const struct fact *f)
{
	const struct fact_bot_policy_body *b = &f->bot_policy;
	struct player *p = find_player(d, &b->player);
	struct lobby_link *seat;
	if (!p || b->rated < 0 || b->rated > 2 || b->at_once < 0 ||
	    b->at_once > MATCHES_PER_PLAYER_MAX || b->opponent < 0 ||
	    b->opponent > AGAINST_BOT)
		return PLYD_ERECORD;
	struct bot_policy *policy = &p->meets.policy;
	char *rulesets = NULL;
	if (b->rulesets.len > 0) {
		rulesets = malloc(b->rulesets.len + 1);
		if (!rulesets)
			return PLYD_ENOMEM;
		span_copy(b->rulesets, rulesets, b->rulesets.len + 1);
	}
	free(policy->rulesets);
	*policy = (struct bot_policy){
		.rulesets = rulesets,
		.answers = b->answers,
		.speeds = (unsigned)b->speeds,
		.rated = (int)b->rated,
		.opponent = (enum against)b->opponent,
		.at_once = (uint32_t)b->at_once,
		.finishing = b->finishing,
	};
	DL_FOREACH (p->lobbies, seat)
		lobby_set_due(d, seat->lobby);
	return PLYD_OK;
}

int apply_meeting(struct domain *d, const struct fact *f)
{
	switch (f->type) {
	case FACT_SEEK_OPENED: return apply_seek_opened(d, f);
	case FACT_SEEK_CLOSED: return apply_seek_closed(d, f);
	case FACT_QUEUED: return apply_queued(d, f);
	case FACT_UNQUEUED: return apply_unqueued(d, f);
	case FACT_LOBBY_INVITED: return apply_lobby_invited(d, f);
	case FACT_LOBBY_DECLINED: return apply_lobby_declined(d, f);
	case FACT_LOBBY_KICKED: return apply_lobby_kicked(d, f);
	case FACT_LOBBY_UPDATED: return apply_lobby_updated(d, f);
	case FACT_BOT_POLICY: return apply_bot_policy(d, f);
	default: return PLYD_ERECORD;
	}
}
