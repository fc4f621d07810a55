/* SPDX-License-Identifier: MIT
 * quick.c - a quick match: who waits for the same is paired with the nearest in
 * rating. How far away that may be grows as he waits, step by step. Whatever
 * makes a pair possible is an event of one of the two (he joins, he is back,
 * his range widens), so at each event only his partners are looked at. */
#include "domain/domain_priv.h"
#include "domain/rating.h"

#include <limits.h>
#include <stdlib.h>

#include <utlist.h>

enum { MINUTE_MS = 60000, SECOND_MS = 1000 };

const char *quick_why_name(enum quick_why why)
{
	static const char *const names[] = { "alone", "terms", "bots_only",
					     "range", "repeat" };
	return names[why];
}

static int64_t waited_ms(const struct domain *d, const struct queued *q)
{
	return (int64_t)(d->now_ms - q->since_ms);
}

uint64_t queued_widens_ms(const struct domain *d, const struct queued *q)
{
	uint64_t steps = (d->now_ms - q->since_ms) / QUICK_STEP_MS;
	return q->since_ms + (steps + 1) * QUICK_STEP_MS;
}

static int64_t range_of(const struct domain *d, const struct queued *q)
{
	int64_t range = QUICK_RANGE_FIRST +
			QUICK_RANGE_STEP * (waited_ms(d, q) / QUICK_STEP_MS);
	return range < QUICK_RANGE_MAX ? range : QUICK_RANGE_MAX;
}

/* -- who fits whom -- */

static bool clocks_fit(const struct queued *a, const struct queued *b)
{
	if (a->any_clock || b->any_clock)
		return speed_class(&a->clock) == speed_class(&b->clock);
	return clock_same(&a->clock, &b->clock);
}

static bool welcomes(const struct queued *q, const struct player *p)
{
	return p->kind != KIND_BOT || q->bots;
}

static bool is_ready(const struct domain *d, const struct queued *q)
{
	return player_is_here(q->player) &&
	       player_may_begin(d, q->player) == PLYD_OK;
}

/* How near b comes to being a's partner. */
enum nearness { NEAR_NOT, NEAR_RULESET, NEAR_TERMS, NEAR_KIND, NEAR_RANGE };

static enum nearness nearness(const struct domain *d, const struct queued *a,
			      const struct queued *b)
{
	int gap = abs(a->rating - b->rating);
	if (a == b || !is_ready(d, b) || players_apart(a->player, b->player))
		return NEAR_NOT;
	if (!clocks_fit(a, b) || a->rated != b->rated)
		return NEAR_RULESET;
	if (!welcomes(a, b->player) || !welcomes(b, a->player))
		return NEAR_TERMS;
	if (gap > range_of(d, a) || gap > range_of(d, b))
		return NEAR_KIND;
	return NEAR_RANGE;
}

static bool have_just_met(const struct queued *a, const struct queued *b)
{
	return id_eq(&a->player->meets.last_opponent, &b->player->id) ||
	       id_eq(&b->player->meets.last_opponent, &a->player->id);
}

static bool have_waited(const struct domain *d, const struct queued *a,
			const struct queued *b)
{
	return waited_ms(d, a) >= QUICK_REPEAT_MS &&
	       waited_ms(d, b) >= QUICK_REPEAT_MS;
}

/* b becomes the best one, if he is nearer or has waited longer. */
static void better(const struct queued *q, struct queued *b,
		   struct queued **best)
{
	int gap = abs(q->rating - b->rating);
	int best_gap = *best ? abs(q->rating - (*best)->rating) : INT_MAX;
	if (!*best || gap < best_gap ||
	    (gap == best_gap && b->since_ms < (*best)->since_ms))
		*best = b;
}

struct found {
	struct queued *partner; /* or NULL, and why */
	size_t waiting;
	enum quick_why why;
};

/* The nearest in rating, then who waits longest; the last opponent only if
 * nobody else might do, or if both have waited a while. */
static struct found find_partner(const struct domain *d, const struct queued *q)
{
	static const enum quick_why whys[] = {
		[NEAR_NOT] = QUICK_ALONE,       [NEAR_RULESET] = QUICK_TERMS,
		[NEAR_TERMS] = QUICK_BOTS_ONLY, [NEAR_KIND] = QUICK_RANGE,
		[NEAR_RANGE] = QUICK_REPEAT,
	};
	struct found found = { NULL, 0, QUICK_ALONE };
	struct queued *again = NULL, *patient = NULL;
	enum nearness nearest = NEAR_NOT;
	size_t others = 0;
	const struct listed *l;
	DL_FOREACH (q->listed.listing->first[LISTED_QUEUED], l) {
		struct queued *b = l->owner;
		enum nearness near = nearness(d, q, b);
		bool met = have_just_met(q, b);
		nearest = near > nearest ? near : nearest;
		found.waiting += near > NEAR_NOT;
		others += near >= NEAR_KIND && !met;
		if (near < NEAR_RANGE)
			continue;
		better(q, b, met ? &again : &found.partner);
		if (met && have_waited(d, q, b))
			better(q, b, &patient);
	}
	if (!found.partner)
		found.partner = others == 0 ? again : patient;
	found.why = whys[nearest];
	return found;
}

static struct quick_view view_of(const struct domain *d, const struct queued *q)
{
	struct found found = find_partner(d, q);
	return (struct quick_view){ .entry = q,
				    .waiting = found.waiting,
				    .waited_ms = waited_ms(d, q),
				    .range = range_of(d, q),
				    .why = found.why };
}

struct quick_view domain_quick(const struct domain *d, const struct player *p)
{
	if (!p->meets.queued)
		return (struct quick_view){ .entry = NULL };
	return view_of(d, p->meets.queued);
}

/* -- pairing -- */

void queued_leave(struct domain *d, struct player *p, const struct id *match)
{
	happen(d, &(struct fact){
			  .type = FACT_UNQUEUED,
			  .unqueued = { p->id,
					match ? *match : (struct id){ "" } } });
}

static struct match *play(struct domain *d, struct queued *a, struct queued *b,
			  int64_t unix_ms)
{
	struct player *who[2] = { a->player, b->player };
	uint8_t byte;
	entropy_fill(&d->entropy, &byte, 1);
	struct pairing pairing = {
		.rules = &a->rules,
		.clock = a->any_clock ? b->clock : a->clock,
		.rated = a->rated,
		.seat = { partner_of(who[byte & 1]),
			  partner_of(who[~byte & 1]) },
	};
	struct match *m = match_begin(d, &pairing, unix_ms);
	for (int i = 0; i < 2; i++)
		queued_leave(d, who[i], &m->id);
	match_start(d, m);
	return m;
}

/* His match, if there is somebody for it. */
static struct match *pair(struct domain *d, struct queued *q, int64_t unix_ms)
{
	if (!is_ready(d, q))
		return NULL;
	struct found found = find_partner(d, q);
	return found.partner ? play(d, q, found.partner, unix_ms) : NULL;
}

/* -- commands -- */

static struct clock_rules quick_clock(const struct match_rules *r,
				      enum speed_class speed)
{
	static const struct clock_rules clocks[SPEED_CLASS_COUNT] = {
		[SPEED_BULLET] = { CLOCK_FISCHER, MINUTE_MS, SECOND_MS, 0 },
		[SPEED_BLITZ] = { CLOCK_FISCHER, 3 * MINUTE_MS, 2 * SECOND_MS,
				  0 },
		[SPEED_RAPID] = { CLOCK_FISCHER, 10 * MINUTE_MS, 5 * SECOND_MS,
				  0 },
		[SPEED_CLASSICAL] = { CLOCK_FISCHER, 30 * MINUTE_MS,
				      20 * SECOND_MS, 0 },
		[SPEED_CORRESPONDENCE] = { CLOCK_UNLIMITED, 0, 0, 0 },
	};
	return speed_class(&r->clock) == speed ? r->clock : clocks[speed];
}

static int join_check(const struct domain *d, const struct command *cmd,
		      const struct match_rules *rules, struct clock_rules *out)
{
	const struct cmd_quick *c = &cmd->quick;
	const struct player *p = find_player(d, &cmd->player);
	if (!rules)
		return PLYD_ERULESET;
	int err = clock_agreed(rules, &c->clock, out);
	if (c->speed >= 0) {
		*out = quick_clock(rules, (enum speed_class)c->speed);
		err = clock_is_allowed(&rules->clock_limits, out) ? PLYD_OK
								  : PLYD_ECLOCK;
	}
	if (!err && c->rated && !player_has_ratings(p))
		err = PLYD_EUNRATED;
	if (!err && player_cooling_ms(d, p) > 0)
		err = PLYD_ECOOLING;
	return err ? err : player_may_begin(d, p);
}

/* Whether he waits for just this already. */
static bool waits_for(const struct queued *q, const struct command *cmd,
		      const struct match_rules *rules,
		      const struct clock_rules *clock)
{
	return q && !strcmp(q->rules.rules.name, rules->rules.name) &&
	       clock_same(&q->clock, clock) &&
	       q->any_clock == (cmd->quick.speed >= 0) &&
	       q->rated == cmd->quick.rated && q->bots == cmd->quick.bots;
}

static void enqueue(struct domain *d, const struct command *cmd,
		    const struct match_rules *rules,
		    const struct clock_rules *clock)
{
	happen(d, &(struct fact){
			  .type = FACT_QUEUED,
			  .queued = {
				  .player = cmd->player,
				  .ruleset = span_str(rules->rules.name),
				  .base_ms = clock->base_ms,
				  .increment_ms = clock->increment_ms,
				  .unlimited = clock->kind == CLOCK_UNLIMITED,
				  .clock_kind = clock->kind,
				  .delay_ms = clock->delay_ms,
				  .any_clock = cmd->quick.speed >= 0,
				  .rated = cmd->quick.rated,
				  .bots = cmd->quick.bots,
				  .since_ms = (int64_t)d->now_ms,
			  } });
}

void on_quick_join(struct domain *d, const struct command *cmd)
{
	struct player *p = find_player(d, &cmd->player);
	const struct match_rules *rules =
		domain_rules_find(d, cmd->quick.ruleset);
	struct clock_rules clock;
	int err = join_check(d, cmd, rules, &clock);
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	struct effect *fx = answer(d, cmd);
	if (!waits_for(p->meets.queued, cmd, rules, &clock)) {
		if (p->meets.queued)
			queued_leave(d, p, NULL);
		enqueue(d, cmd, rules, &clock);
		const struct match *m = pair(d, p->meets.queued, cmd->unix_ms);
		if (m)
			fx->answer.match = m->id;
	}
	fx->quick = domain_quick(d, p);
}

void on_quick_leave(struct domain *d, const struct command *cmd)
{
	struct player *p = find_player(d, &cmd->player);
	answer(d, cmd);
	if (p->meets.queued)
		queued_leave(d, p, NULL);
}

void on_quick_status(struct domain *d, const struct command *cmd)
{
	struct effect *fx = answer(d, cmd);
	fx->quick = domain_quick(d, find_player(d, &cmd->player));
}

void queued_due(struct domain *d, struct queued *q, int64_t unix_ms)
{
	struct player *p = q->player;
	uint64_t keep_ms = (uint64_t)d->limits.lobby_away_ms;
	if (!player_is_here(p) && p->away_ms + keep_ms <= d->now_ms) {
		queued_leave(d, p, NULL);
		return;
	}
	if (pair(d, q, unix_ms))
		return;
	queued_set_due(d, q);
	if (!player_is_here(p))
		return;
	struct effect *fx = effect_add(d, EFFECT_QUICK_WAITING);
	fx->player = p;
	fx->quick = view_of(d, q);
}
