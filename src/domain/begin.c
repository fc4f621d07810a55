/* SPDX-License-Identifier: MIT
 * begin.c - two who agreed get their match. */
#include "domain/domain_priv.h"
#include "domain/rating.h"

#include <stdlib.h>

#include <utlist.h>

/* Finished matches are kept beside the running ones for a while. */
enum { KEPT_PER_RUNNING = 3 };

int player_may_begin(const struct domain *d, const struct player *p)
{
	const struct bot_policy *policy = &p->meets.policy;
	if (d->draining)
		return PLYD_EDRAINING;
	if (policy->finishing)
		return PLYD_EFINISHING;
	if (d->running >= (size_t)d->limits.matches_max)
		return PLYD_EFULL;
	if (p->match_count >= (size_t)d->limits.matches_per_player ||
	    (policy->at_once > 0 && p->match_count >= policy->at_once))
		return PLYD_ETOOMANY;
	return PLYD_OK;
}

struct partner partner_of(const struct player *p)
{
	return (struct partner){ p->kind, p->id, span_str(p->name), NULL };
}

/* A finished match rather than a frozen one, which is in the journal still but
 * waits for the operator. */
static struct match *least_needed(const struct domain *d)
{
	struct match *m;
	DL_FOREACH2(d->over, m, over_next) if (m->state == MATCH_OVER) return m;
	return d->over;
}

/* Forgets matches before their time, if there are too many. */
static void make_room(struct domain *d)
{
	size_t kept_max =
		(size_t)d->limits.matches_max * (KEPT_PER_RUNNING + 1);
	while (d->over && HASH_COUNT(d->matches) >= kept_max)
		match_free(d, least_needed(d));
}

static struct span position_of(struct domain *d, const struct pairing *p)
{
	struct position start;
	if (p->position.len > 0)
		return p->position;
	game_start(&p->rules->rules, &start);
	return span_of(d->position,
		       game_write(&p->rules->rules, &start, d->position));
}

/* The version of a personality that is on offer now; "": of anybody else. */
static struct span version_of(struct domain *d, const struct pairing *p,
			      enum side side)
{
	const struct partner *who = &p->seat[side];
	d->version[side][0] = '\0';
	for (size_t i = 0; i < d->personality_count; i++)
		if (who->kind == KIND_PERSONALITY &&
		    span_is(who->name, d->personality[i].name))
			memcpy(d->version[side], d->personality[i].version,
			       sizeof(d->version[side]));
	return span_str(d->version[side]);
}

/* The facts outlive what the match came from. */
static void fill_rules(struct domain *d, const struct match_rules *r,
		       struct fact_begun_body *b)
{
	memcpy(d->ruleset, r->rules.name, sizeof(d->ruleset));
	memcpy(d->policy, r->draws.policy, sizeof(d->policy));
	memcpy(d->rules_version, r->version, sizeof(d->rules_version));
	memcpy(d->policy_version, r->draws.version, sizeof(d->policy_version));
	b->ruleset = span_str(d->ruleset);
	b->policy = span_str(d->policy);
	b->rules_version = span_str(d->rules_version);
	b->policy_version = span_str(d->policy_version);
}

static void fill_begun(struct domain *d, const struct pairing *p,
		       struct fact_begun_body *b)
{
	const struct match_rules *r = p->rules;
	bool lag = !clock_is_slow(&p->clock);
	size_t rules_len = ruleset_write(&r->rules, d->text);
	*b = (struct fact_begun_body){
		.rules = span_of(d->text, rules_len),
		.position = position_of(d, p),
		.no_progress = r->draws.no_progress,
		.no_progress_counts = r->draws.man_moves_count,
		.repetition = r->draws.repetition,
		.judged = r->draws.judged,
		.base_ms = p->clock.base_ms,
		.increment_ms = p->clock.increment_ms,
		.unlimited = p->clock.kind == CLOCK_UNLIMITED,
		.white = p->seat[WHITE].player,
		.white_name = p->seat[WHITE].name,
		.white_kind = p->seat[WHITE].kind,
		.black = p->seat[BLACK].player,
		.black_name = p->seat[BLACK].name,
		.black_kind = p->seat[BLACK].kind,
		.clock_kind = p->clock.kind,
		.delay_ms = p->clock.delay_ms,
		.lag_per_move_ms = lag ? d->limits.lag_per_move_ms : 0,
		.lag_total_ms = lag ? d->limits.lag_total_ms : 0,
		.closed = p->closed,
		.no_offers = r->draws.no_offers,
		.offers_from = r->draws.offers_from,
		.offers_max = r->draws.offers_max,
		.white_version = version_of(d, p, WHITE),
		.black_version = version_of(d, p, BLACK),
		.tournament = p->place.tournament,
		.round = p->place.round,
		.table = p->place.table,
		.game = p->place.game,
	};
	fill_rules(d, r, b);
}

/* Those who have an account come with their ratings, also to a match that does
 * not count. */
static struct rating_value shown_rating(const struct domain *d,
					const struct pairing *from,
					enum side side, enum rating_pool pool,
					int64_t unix_ms)
{
	const struct player *p = find_player(d, &from->seat[side].player);
	if (!p || !player_has_ratings(p))
		return (struct rating_value){ 0 };
	return player_rating(d, &p->id, span_str(from->rules->rules.name),
			     speed_class(&from->clock), pool, unix_ms);
}

static void fill_ratings(const struct domain *d, const struct pairing *p,
			 int64_t unix_ms, struct fact_begun_body *b)
{
	enum rating_pool pool =
		rating_pool_of(d, p->seat[WHITE].kind, p->seat[BLACK].kind);
	struct rating_value white = shown_rating(d, p, WHITE, pool, unix_ms);
	struct rating_value black = shown_rating(d, p, BLACK, pool, unix_ms);
	b->rated = p->rated && white.rating_milli > 0 && black.rating_milli > 0;
	b->pool = pool;
	b->white_milli = white.rating_milli;
	b->white_deviation_milli = white.deviation_milli;
	b->black_milli = black.rating_milli;
	b->black_deviation_milli = black.deviation_milli;
}

struct match *match_begin(struct domain *d, const struct pairing *p,
			  int64_t unix_ms)
{
	if (id_is_none(&p->rematch_of))
		make_room(d); /* else the match before might have to go */
	struct fact begun = { .type = FACT_BEGUN };
	bool dice = ruleset_has_dice(&p->rules->rules);
	begun.match = id_new(&d->entropy);
	while (find_match(d, &begun.match))
		begun.match = id_new(&d->entropy);
	fill_begun(d, p, &begun.begun);
	fill_ratings(d, p, unix_ms, &begun.begun);
	begun.begun.takeback = p->rules->takeback && !dice &&
			       !begun.begun.rated &&
			       id_is_none(&p->place.tournament);
	begun.begun.spectator_delay_ms =
		p->spectator_delay_ms > d->limits.spectator_delay_ms
			? p->spectator_delay_ms
			: d->limits.spectator_delay_ms;
	begun.begun.rematch_of = p->rematch_of;
	begun.begun.began_at = unix_ms;
	if (dice) {
		entropy_fill(&d->entropy, d->seed, SEED_BYTES);
		struct span part = span_of(d->seed, SEED_BYTES);
		begun.begun.commitment = sha256(&part, 1);
	}
	happen(d, &begun);
	struct match *m = find_match(d, &begun.match);
	for (int s = 0; s < 2; s++)
		m->driver[s] = p->seat[s].driver;
	if (dice)
		happen(d,
		       &(struct fact){ .type = FACT_SEED_DRAWN,
				       .match = begun.match,
				       .seed_drawn = { span_of(d->seed,
							       SEED_BYTES) } });
	return m;
}

/* People play one match at a time and mean it: what else they asked for is
 * taken back. Bots go on. */
void match_start(struct domain *d, struct match *m)
{
	effect_add(d, EFFECT_STARTED)->match = m;
	followers_watch(d, m);
	for (int s = 0; s < 2; s++) {
		struct player *p = find_player(d, &m->seat[s].player);
		if (p && p->kind != KIND_BOT)
			meeting_withdraw(d, p, SEEK_PLAYING);
	}
	match_go_on(d, m);
}
