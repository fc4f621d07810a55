/* SPDX-License-Identifier: MIT
 * referee_watch.c - spectators: whom they follow, what comes to them late, and
 * what they may miss because they read slowly. */
#include "referee_priv.h"

enum { LATE_SLACK_MS = 2000, CATCH_UP_MS = 500, UNWATCHED_MS = 5000 };

/* -- late -- */

bool sees_late(const struct book_match *m, const struct link *l)
{
	return m->spectator_delay_ms > 0 && seat_of(m, &l->player) < 0;
}

void judge_late(struct sim *sim, const struct link *l,
		const struct book_match *m, uint64_t seq)
{
	uint64_t at_ms = m->fact[seq - 1].at_ms;
	if (!sees_late(m, l) || seq == 1) /* the beginning is no secret */
		return;
	if (at_ms + (uint64_t)m->spectator_delay_ms > sim_domain_ms(sim))
		sim_fail(sim, "%s is shown %s at seq %llu %lld ms too soon",
			 client_name(l->client), m->id.text,
			 (unsigned long long)seq,
			 (long long)(at_ms + (uint64_t)m->spectator_delay_ms -
				     sim_domain_ms(sim)));
}

/* The facts that he must have heard of by now: all that have been durable, and
 * late enough, for a while. */
static size_t due_facts(const struct sim *sim, const struct book_match *m)
{
	const struct referee *r = sim->referee;
	uint64_t now = sim_domain_ms(sim);
	size_t n = m->facts;
	uint64_t wait = (uint64_t)m->spectator_delay_ms + LATE_SLACK_MS;
	if (now < r->writable_ms + LATE_SLACK_MS ||
	    sim->t_ms < sim->stalled_until_ms + LATE_SLACK_MS)
		return 0;
	while (n > 0 && (m->fact[n - 1].at_ms + wait > now ||
			 m->fact[n - 1].durable_ms + wait > now))
		n--;
	return n;
}

/* -- slow -- */

bool catches_up(const struct sim *sim, const struct link *l,
		const struct book_match *m)
{
	return seat_of(m, &l->player) < 0 &&
	       (l->slow || l->slow_until_ms + CATCH_UP_MS > sim->t_ms);
}

/* Whether this spectator has heard all that he must by now. */
void judge_heard(struct sim *sim, const struct link *l, struct heard *h,
		 const struct book_match *m)
{
	bool spectator = seat_of(m, &l->player) < 0;
	size_t must = sees_late(m, l) ? due_facts(sim, m) : m->facts;
	if (!h->subscribed || h->seq >= must)
		return;
	if (catches_up(sim, l, m)) {
		h->skipped = true;
		return;
	}
	/* the snapshot, or what is late, waits for a commit */
	if (((spectator && l->slow_until_ms > 0) || sees_late(m, l)) &&
	    hub_counts(sim->hub).waiting > 0)
		return;
	/* nobody can be shown what is no more */
	if (spectator && m->over &&
	    !domain_match(hub_domain(sim->hub), &m->id)) {
		h->subscribed = false;
		return;
	}
	sim_fail(sim, "%s has heard %llu of the %zu events of %s",
		 client_name(l->client), (unsigned long long)h->seq, must,
		 m->id.text);
}

/* -- following -- */

static bool follows(const struct link *l, const struct book_match *m)
{
	for (size_t i = 0; i < l->followed_count; i++)
		if (seat_of(m, &l->followed[i]) >= 0)
			return true;
	return false;
}

void judge_followed(struct sim *sim, struct link *l, const struct asked *a,
		    const struct value *map)
{
	const struct value *list = value_find(map, "matches");
	struct id id;
	for (size_t i = 0; i < value_count(list); i++) {
		struct span text = { 0 };
		(void)value_str(value_at(list, i), &text);
		(void)id_read(text, &id);
		const struct book_match *m = book_match(sim->referee, &id);
		if (!m || seat_of(m, &a->whom) < 0)
			sim_fail(sim,
				 "%s is told of a match that %s does not "
				 "play",
				 client_name(l->client), a->whom.text);
	}
	for (size_t i = 0; i < l->followed_count; i++)
		if (id_eq(&l->followed[i], &a->whom))
			return;
	if (l->followed_count == FOLLOWED_MAX) {
		sim_fail(sim, "%s follows more than he may",
			 client_name(l->client));
		return;
	}
	l->followed[l->followed_count] = a->whom;
	l->followed_batch[l->followed_count++] = sim->referee->batch;
}

void judge_unfollowed(struct link *l, const struct asked *a)
{
	for (size_t i = 0; i < l->followed_count; i++) {
		if (!id_eq(&l->followed[i], &a->whom))
			continue;
		l->followed_count--;
		l->followed[i] = l->followed[l->followed_count];
		l->followed_batch[i] = l->followed_batch[l->followed_count];
		return;
	}
}

/* Whether a match.snapshot has a reason to come. */
bool may_be_shown(const struct sim *sim, const struct link *l,
		  const struct book_match *m, const struct heard *h)
{
	if (h && h->subscribed)
		return h->skipped || l->slow_until_ms > 0 ||
		       (sees_late(m, l) &&
			h->generation != sim->referee->generation);
	if (follows(l, m))
		return true;
	/* followed when it was asked, and the answer is behind this */
	for (size_t i = 0; i < l->asked_count; i++)
		if (l->asked[i].method == METHOD_PLAYER_UNWATCH &&
		    seat_of(m, &l->asked[i].whom) >= 0)
			return true;
	return false;
}

/* Matches that are watched on a link; what was given up since one began counted
 * then, and what was cut off a moment ago did. */
static size_t watched_on(const struct sim *sim, const struct link *l)
{
	size_t n = 0;
	for (size_t i = 0; i < l->heard_count; i++)
		n += l->heard[i].subscribed &&
		     seat_of(book_match(sim->referee, &l->heard[i].match),
			     &l->player) < 0;
	for (size_t i = 0; i < l->asked_count; i++)
		n += l->asked[i].method == METHOD_MATCH_UNWATCH &&
		     l->asked[i].sent_ms + UNWATCHED_MS > sim->t_ms;
	return n;
}

/* Who follows a player, and may watch one more, was shown what that one has
 * just begun. */
void judge_followers(struct sim *sim, struct link *l)
{
	const struct referee *r = sim->referee;
	size_t watched = 0;
	if (l->slow ||
	    (l->slow_until_ms > 0 && l->slow_until_ms + 1000 > sim->t_ms))
		return;
	for (const struct link *other = sim->links; other; other = other->next)
		if (id_eq(&other->player, &l->player))
			watched += watched_on(sim, other);
	if (watched >= (size_t)sim->domain_limits.watches_per_player)
		return;
	for (size_t i = 0; i < r->matches; i++) {
		const struct book_match *m = &r->match[i];
		struct heard *h = heard_of(l, &m->id, false);
		for (size_t k = 0; k < l->followed_count; k++)
			if (!m->over && !is_frozen(m) &&
			    (!h || !h->subscribed) &&
			    seat_of(m, &l->player) < 0 &&
			    seat_of(m, &l->followed[k]) >= 0 &&
			    m->fact[0].batch > l->followed_batch[k] &&
			    m->fact[0].batch + 1 == r->batch)
				sim_fail(sim,
					 "%s follows %s and was not shown %s",
					 client_name(l->client),
					 l->followed[k].text, m->id.text);
	}
}
