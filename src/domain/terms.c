/* SPDX-License-Identifier: MIT
 * terms.c - what two may agree to play: clocks, rated or not, and with whom. */
#include "domain/domain_priv.h"
#include "domain/rating.h"

int clock_agreed(const struct match_rules *r, const struct clock_wish *wish,
		 struct clock_rules *out)
{
	return clock_wanted(&r->clock, wish, out) &&
			       clock_is_allowed(&r->clock_limits, out)
		       ? PLYD_OK
		       : PLYD_ECLOCK;
}

bool clock_same(const struct clock_rules *a, const struct clock_rules *b)
{
	return a->kind == b->kind && a->base_ms == b->base_ms &&
	       a->increment_ms == b->increment_ms && a->delay_ms == b->delay_ms;
}

/* A length may be chosen where the ruleset is a match of games. */
bool length_is_allowed(const struct domain *d, const struct match_rules *r,
		       int length)
{
	bool is_match = r->rules.family == FAMILY_BACKGAMMON &&
			r->rules.backgammon.match_length > 0;
	return length == 0 ||
	       (is_match && length <= (int)d->limits.match_length_max);
}

unsigned domain_match_length(const struct match_rules *r)
{
	return r->rules.family == FAMILY_BACKGAMMON
		       ? r->rules.backgammon.match_length
		       : 0;
}

void rules_set_length(struct match_rules *r, int64_t length)
{
	if (domain_match_length(r) > 0 && length > 0 &&
	    length <= MATCH_LENGTH_MOST)
		r->rules.backgammon.match_length = (uint8_t)length;
}

bool against_admits(enum against opponent, const struct player *p)
{
	bool bot = p->kind == KIND_BOT;
	return opponent == AGAINST_ANYONE ||
	       opponent == (bot ? AGAINST_BOT : AGAINST_PERSON);
}

int domain_points(const struct domain *d, const struct player *p,
		  const struct match_rules *rules,
		  const struct clock_rules *clock)
{
	enum rating_pool pool = rating_pool_of(d, p->kind, p->kind);
	struct rating_value v =
		player_rating(d, &p->id, span_str(rules->rules.name),
			      speed_class(clock), pool, d->unix_ms);
	return rating_points(v.rating_milli);
}
