/* SPDX-License-Identifier: MIT
 * ai.c - how many matches personalities play at a time. What is beyond waits as
 * its lobby: both seats are ready, and the oldest begins as soon as it may. That
 * a lobby waits follows from its state alone, so it is no fact. */
#include <utlist.h>

#include "domain/domain_priv.h"

enum { LOOK_MS = 500 }; /* how often a lobby that waits looks whether it may */

bool match_has_personality(const struct match *m)
{
	return m->seat[WHITE].kind == KIND_PERSONALITY ||
	       m->seat[BLACK].kind == KIND_PERSONALITY;
}

bool lobby_waits_for_ai(const struct lobby *l)
{
	return l->opponent == AGAINST_PERSONALITY && l->seat[WHITE].ready &&
	       l->seat[BLACK].ready && id_is_none(&l->match);
}

uint64_t ai_look_ms(const struct domain *d)
{
	return due_after(d, LOOK_MS);
}

size_t lobby_ai_place(const struct domain *d, const struct lobby *l)
{
	size_t place = 1;
	if (!lobby_waits_for_ai(l))
		return 0;
	for (const struct lobby *o = d->lobbies; o && o != l; o = lobby_next(o))
		place += lobby_waits_for_ai(o);
	return place;
}

static size_t waiting(const struct domain *d)
{
	size_t count = 0;
	for (const struct lobby *l = d->lobbies; l; l = lobby_next(l))
		count += lobby_waits_for_ai(l);
	return count;
}

static bool ai_is_full(const struct domain *d)
{
	return d->ai_running >= (size_t)d->limits.ai_matches_max;
}

/* The one ahead of all others that wait and may begin: whose owner has no time
 * just now keeps his place, and keeps nobody waiting. */
static const struct lobby *next_to_begin(const struct domain *d)
{
	const struct lobby *l;
	for (l = d->lobbies; l; l = lobby_next(l)) {
		const struct player *p = find_player(d, &l->owner);
		if (lobby_waits_for_ai(l) && p &&
		    player_may_begin(d, p) == PLYD_OK)
			break;
	}
	return l;
}

bool lobby_may_begin_ai(const struct domain *d, const struct lobby *l)
{
	return !ai_is_full(d) && next_to_begin(d) == l;
}

bool ai_may_begin_rematch(const struct domain *d)
{
	return !ai_is_full(d) && !next_to_begin(d);
}

int ai_check_queue(const struct domain *d)
{
	bool queue_full = waiting(d) >= (size_t)d->limits.ai_waiting_max;
	return ai_is_full(d) && queue_full ? PLYD_EAIFULL : PLYD_OK;
}

int ai_check_player(const struct domain *d, const struct player *p)
{
	size_t own = 0;
	const struct match_link *m;
	const struct lobby_link *l;
	DL_FOREACH (p->matches, m)
		own += match_has_personality(m->match);
	DL_FOREACH (p->lobbies, l)
		own += l->lobby->opponent == AGAINST_PERSONALITY;
	return own >= (size_t)d->limits.ai_matches_per_player ? PLYD_EAIYOURS
							      : PLYD_OK;
}
