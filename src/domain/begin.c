/* SPDX-License-Identifier: MIT
 * begin.c - a lobby becomes a match. */
#include "domain/domain_priv.h"
#include "domain/rating.h"

#include <stdlib.h>

/* Finished matches are kept beside the running ones for a while. */
enum { KEPT_PER_RUNNING = 3 };

int match_may_begin(const struct domain *d, const struct lobby *l,
		    const struct player *joins)
{
	const struct player *who[] = { find_player(d, &l->seat[WHITE].player),
				       find_player(d, &l->seat[BLACK].player),
				       joins };
	if (d->draining)
		return PLYD_EDRAINING;
	if (d->running >= (size_t)d->limits.matches_max)
		return PLYD_EFULL;
	for (size_t i = 0; i < 3; i++)
		if (who[i] &&
		    who[i]->match_count >= (size_t)d->limits.matches_per_player)
			return PLYD_ETOOMANY;
	return PLYD_OK;
}

/* Forgets finished and frozen matches before their time, if there are too
 * many. */
static void make_room(struct domain *d)
{
	size_t kept_max =
		(size_t)d->limits.matches_max * (KEPT_PER_RUNNING + 1);
	struct match *next;
	for (struct match *m = d->matches;
	     m && HASH_COUNT(d->matches) >= kept_max; m = next) {
		next = m->hh.next;
		if (m->state == MATCH_OVER || m->state == MATCH_FROZEN)
			match_free(d, m);
	}
}

static void fill_begun(struct domain *d, const struct lobby *l,
		       struct fact_begun_body *b)
{
	const struct match_rules *r = &l->rules;
	bool lag = !clock_is_slow(&l->clock);
	struct position start;
	game_start(&r->rules, &start);
	size_t rules_len = ruleset_write(&r->rules, d->text);
	size_t pos_len = game_write(&r->rules, &start, d->position);
	*b = (struct fact_begun_body){
		.ruleset = span_str(r->rules.name),
		.rules = span_of(d->text, rules_len),
		.position = span_of(d->position, pos_len),
		.no_progress = r->draws.no_progress,
		.no_progress_counts = r->draws.man_moves_count,
		.repetition = r->draws.repetition,
		.policy = span_str(r->draws.policy),
		.judged = r->draws.judged,
		.base_ms = l->clock.base_ms,
		.increment_ms = l->clock.increment_ms,
		.unlimited = l->clock.kind == CLOCK_UNLIMITED,
		.white = l->seat[WHITE].player,
		.white_name = span_str(l->seat[WHITE].name),
		.white_kind = l->seat[WHITE].kind,
		.black = l->seat[BLACK].player,
		.black_name = span_str(l->seat[BLACK].name),
		.black_kind = l->seat[BLACK].kind,
		.clock_kind = l->clock.kind,
		.delay_ms = l->clock.delay_ms,
		.lag_per_move_ms = lag ? d->limits.lag_per_move_ms : 0,
		.lag_total_ms = lag ? d->limits.lag_total_ms : 0,
	};
}

/* Those who have an account come with their ratings, also to a match that does
 * not count. */
static struct rating_value shown_rating(const struct domain *d,
					const struct lobby *l, enum side side,
					enum rating_pool pool, int64_t unix_ms)
{
	const struct player *p = find_player(d, &l->seat[side].player);
	if (!p || !player_has_ratings(p))
		return (struct rating_value){ 0 };
	return player_rating(d, &p->id, span_str(l->rules.rules.name),
			     speed_class(&l->clock), pool, unix_ms);
}

static void fill_ratings(const struct domain *d, const struct lobby *l,
			 int64_t unix_ms, struct fact_begun_body *b)
{
	enum rating_pool pool =
		rating_pool_of(d, l->seat[WHITE].kind, l->seat[BLACK].kind);
	struct rating_value white = shown_rating(d, l, WHITE, pool, unix_ms);
	struct rating_value black = shown_rating(d, l, BLACK, pool, unix_ms);
	b->rated = l->rated && white.rating_milli > 0 && black.rating_milli > 0;
	b->pool = pool;
	b->white_milli = white.rating_milli;
	b->white_deviation_milli = white.deviation_milli;
	b->black_milli = black.rating_milli;
	b->black_deviation_milli = black.deviation_milli;
}

/* The first facts of a match. */
static struct match *begin(struct domain *d, const struct lobby *l,
			   const struct id *rematch_of, int64_t unix_ms)
{
	struct fact begun = { .type = FACT_BEGUN };
	bool dice = ruleset_has_dice(&l->rules.rules);
	begun.match = id_new(&d->entropy);
	while (find_match(d, &begun.match))
		begun.match = id_new(&d->entropy);
	fill_begun(d, l, &begun.begun);
	fill_ratings(d, l, unix_ms, &begun.begun);
	begun.begun.takeback = l->rules.takeback && !dice && !begun.begun.rated;
	begun.begun.spectator_delay_ms =
		l->spectator_delay_ms > d->limits.spectator_delay_ms
			? l->spectator_delay_ms
			: d->limits.spectator_delay_ms;
	begun.begun.rematch_of = *rematch_of;
	begun.begun.began_at = unix_ms;
	if (dice) {
		entropy_fill(&d->entropy, d->seed, SEED_BYTES);
		struct span part = span_of(d->seed, SEED_BYTES);
		begun.begun.commitment = sha256(&part, 1);
	}
	happen(d, &begun);
	struct match *m = find_match(d, &begun.match);
	for (int s = 0; s < 2; s++)
		m->driver[s] = l->seat[s].driver;
	if (dice)
		happen(d,
		       &(struct fact){ .type = FACT_SEED_DRAWN,
				       .match = begun.match,
				       .seed_drawn = { span_of(d->seed,
							       SEED_BYTES) } });
	return m;
}

void match_begin(struct domain *d, struct lobby *l, int64_t unix_ms)
{
	static const struct id none;
	make_room(d);
	struct match *m = begin(d, l, &none, unix_ms);
	happen(d, &(struct fact){ .type = FACT_LOBBY_CLOSED,
				  .lobby_closed = { l->id, m->id } });
	effect_add(d, EFFECT_STARTED)->match = m;
	followers_watch(d, m);
	match_go_on(d, m);
}

struct match *match_begin_again(struct domain *d, const struct lobby *l,
				const struct match *of, int64_t unix_ms)
{
	/* no room is made: `of` might have to go */
	struct match *m = begin(d, l, &of->id, unix_ms);
	effect_add(d, EFFECT_STARTED)->match = m;
	match_go_on(d, m);
	return m;
}
