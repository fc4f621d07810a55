/* SPDX-License-Identifier: MIT
 * leave.c - players who leave: on purpose, or by not coming. Who does it often
 * must cool down before he joins what is rated or quick. A match without a
 * running clock waits for its players, and how long they have been away is
 * durable. */
#include "domain/domain_priv.h"

#include <utlist.h>

/* -- what counts -- */

static int64_t leaves_left(const struct domain *d, const struct player *p)
{
	int64_t gone =
		(int64_t)(d->now_ms - p->leave_ms) / d->limits.leave_counts_ms;
	return gone < p->leaves ? p->leaves - gone : 0;
}

int64_t player_cooling_ms(const struct domain *d, const struct player *p)
{
	int64_t above = leaves_left(d, p) - d->limits.leaves_allowed;
	int64_t passed = (int64_t)(d->now_ms - p->leave_ms);
	int64_t cools = above > 0 ? above * d->limits.cool_down_ms : 0;
	return cools > passed ? cools - passed : 0;
}

int64_t domain_cooling_ms(const struct domain *d, const struct player *p)
{
	return player_cooling_ms(d, p);
}

void leave_count(struct domain *d, const struct match *m, enum side side)
{
	const struct player *p = find_player(d, &m->seat[side].player);
	bool alone = m->seat[side_other(side)].kind == KIND_PERSONALITY;
	if (!p || alone)
		return;
	happen(d,
	       &(struct fact){ .type = FACT_LEAVES_COUNTED,
			       .leaves_counted = { p->id, leaves_left(d, p) + 1,
						   (int64_t)d->now_ms } });
}

void on_match_leave(struct domain *d, const struct command *cmd)
{
	enum side side;
	struct match *m = match_of_seat(d, cmd, &side);
	if (!m)
		return;
	if (m->ply < ABORT_PLIES_MAX)
		leave_count(d, m, side);
	match_leave(d, m, side);
	answer_event(d, cmd, m);
}

int apply_leaves_counted(struct domain *d, const struct fact *f)
{
	const struct fact_leaves_counted_body *b = &f->leaves_counted;
	struct player *p = find_player(d, &b->player);
	if (!p || b->count < 0 || b->count > UINT32_MAX || b->last_ms < 0 ||
	    (uint64_t)b->last_ms > d->now_ms)
		return PLYD_ERECORD;
	p->leaves = (uint32_t)b->count;
	p->leave_ms = (uint64_t)b->last_ms;
	return PLYD_OK;
}

/* -- matches that wait -- */

static bool waits_for_long(const struct match *m)
{
	return m->state == MATCH_PAUSED ||
	       (m->state == MATCH_PLAYING &&
		m->rules->clock.kind == CLOCK_UNLIMITED);
}

bool match_is_adjourned(const struct match *m)
{
	bool any = false;
	for (int s = 0; s < 2; s++)
		any = any ||
		      (m->here[s] && m->seat[s].kind != KIND_PERSONALITY);
	return waits_for_long(m) && !any;
}

const char *match_state_shown(const struct match *m)
{
	return m->state == MATCH_PLAYING && match_is_adjourned(m)
		       ? "adjourned"
		       : match_state_name(m->state);
}

uint64_t adjourned_until_ms(const struct domain *d, const struct match *m)
{
	uint64_t since_ms = 0;
	if (!match_is_adjourned(m))
		return UINT64_MAX;
	for (int s = 0; s < 2; s++) {
		const struct player *p = find_player(d, &m->seat[s].player);
		uint64_t away =
			p && p->went_away ? p->went_away_ms : m->away_ms[s];
		if (p && away > since_ms)
			since_ms = away;
	}
	return since_ms + (uint64_t)d->limits.adjourned_keep_ms;
}

bool player_went_away(const struct player *p)
{
	const struct match_link *link;
	if (player_is_here(p) || p->went_away)
		return false;
	DL_FOREACH (p->matches, link)
		if (waits_for_long(link->match))
			return true;
	return false;
}

void player_goes(struct domain *d, const struct player *p)
{
	happen(d,
	       &(struct fact){ .type = FACT_WENT_AWAY,
			       .went_away = { p->id, (int64_t)p->away_ms } });
}

int apply_went_away(struct domain *d, const struct fact *f)
{
	struct player *p = find_player(d, &f->went_away.player);
	int64_t since = f->went_away.since_ms;
	if (!p || since < 0 || (uint64_t)since > d->now_ms)
		return PLYD_ERECORD;
	p->went_away = true;
	p->went_away_ms = (uint64_t)since;
	player_set_due(d, p);
	return PLYD_OK;
}

int apply_came_back(struct domain *d, const struct fact *f)
{
	struct player *p = find_player(d, &f->came_back.player);
	if (!p)
		return PLYD_ERECORD;
	p->went_away = false;
	return PLYD_OK;
}

/* -- who never came -- */

uint64_t first_move_until_ms(const struct domain *d, const struct match *m)
{
	if (m->ply >= ABORT_PLIES_MAX || m->takebacks > 0 ||
	    m->seat[match_turn(m)].kind == KIND_PERSONALITY)
		return UINT64_MAX;
	if (match_is_of_tournament(m)) /* also without a clock */
		return m->state == MATCH_PLAYING && m->released
			       ? m->released_ms +
					 (uint64_t)tournament_no_show_ms(d, m)
			       : UINT64_MAX;
	if (!match_clock_runs(m) || m->rules->clock.kind == CLOCK_PER_MOVE)
		return UINT64_MAX;
	return m->released_ms + (uint64_t)d->limits.first_move_ms;
}

uint64_t match_claim_at_ms(const struct match *m, enum side away,
			   int64_t claim_after_ms)
{
	if (m->here[away] || m->rules->clock.kind == CLOCK_PER_MOVE ||
	    (m->state != MATCH_PLAYING && m->state != MATCH_NONCES))
		return UINT64_MAX;
	return m->away_ms[away] + (uint64_t)claim_after_ms;
}
