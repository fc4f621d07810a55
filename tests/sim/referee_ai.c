/* SPDX-License-Identifier: MIT
 * referee_ai.c - matches against personalities: so many run at a time, the
 * oldest lobby that may begin begins first, nobody has more than his share, and
 * nobody waits while there is room. */
#include "referee_priv.h"

enum { AI_SLACK_MS = 10000, RECENT_BATCHES = 3 };

static bool is_ai(const struct book_match *m)
{
	return id_is_none(&m->player[WHITE]) || id_is_none(&m->player[BLACK]);
}

static bool runs(const struct book_match *m)
{
	return !m->over && !is_frozen(m);
}

static bool waits(const struct book_lobby *l)
{
	return l->open && l->personality[0] && l->ready[WHITE] &&
	       l->ready[BLACK];
}

static size_t all_running(const struct referee *r)
{
	size_t n = 0;
	for (size_t i = 0; i < r->matches; i++)
		n += runs(&r->match[i]);
	return n;
}

/* Of one player; NULL: of all. */
static int64_t ai_matches(const struct referee *r, const struct id *player)
{
	int64_t n = 0;
	for (size_t i = 0; i < r->matches; i++)
		n += runs(&r->match[i]) && is_ai(&r->match[i]) &&
		     (!player || seat_of(&r->match[i], player) >= 0);
	return n;
}

static int64_t ai_lobbies(const struct referee *r, const struct id *player)
{
	int64_t n = 0;
	for (size_t i = 0; i < r->lobbies; i++)
		n += r->lobby[i].open && r->lobby[i].personality[0] &&
		     id_eq(&r->lobby[i].owner, player);
	return n;
}

/* Whether one more match may begin for him, as far as is known here: bots have
 * limits of their own. */
static bool has_time(const struct sim *sim, const struct id *player)
{
	const struct referee *r = sim->referee;
	const struct book_player *p = book_player(r, player);
	int64_t own = 0, all = 0;
	for (size_t i = 0; i < r->matches; i++) {
		own += runs(&r->match[i]) && seat_of(&r->match[i], player) >= 0;
		all += runs(&r->match[i]);
	}
	return p && p->kind != KIND_BOT && !p->leaving &&
	       own < sim->domain_limits.matches_per_player &&
	       all < sim->domain_limits.matches_max;
}

void ai_begins(struct sim *sim, const struct book_lobby *l)
{
	const struct referee *r = sim->referee;
	for (const struct book_lobby *o = r->lobby; o < l; o++)
		if (l->personality[0] && waits(o) && has_time(sim, &o->owner))
			sim_fail(sim, "lobby %s begins before %s, which waits",
				 l->id.text, o->id.text);
}

/* Since when he could have begun. */
static uint64_t free_since(const struct sim *sim, const struct id *player)
{
	const struct referee *r = sim->referee;
	uint64_t since = r->generation_ms;
	bool were_full =
		all_running(r) + 1 >= (size_t)sim->domain_limits.matches_max;
	if (since < r->writable_ms)
		since = r->writable_ms;
	if (since < r->ai_drained_ms)
		since = r->ai_drained_ms;
	for (size_t i = 0; i < r->matches; i++) {
		const struct book_match *m = &r->match[i];
		bool held_up = were_full || is_ai(m) || seat_of(m, player) >= 0;
		if (!runs(m) && held_up &&
		    m->fact[m->facts - 1].durable_ms > since)
			since = m->fact[m->facts - 1].durable_ms;
	}
	return since;
}

static void nobody_waits(struct sim *sim)
{
	struct referee *r = sim->referee;
	uint64_t now = sim_domain_ms(sim);
	/* that it drains is no fact, and an answer about it may be lost */
	if (domain_is_draining(hub_domain(sim->hub)))
		r->ai_drained_ms = now;
	bool room = ai_matches(r, NULL) < sim->domain_limits.ai_matches_max;
	for (size_t i = 0; i < r->lobbies && room; i++) {
		const struct book_lobby *l = &r->lobby[i];
		if (waits(l) && has_time(sim, &l->owner) &&
		    l->ready_ms + AI_SLACK_MS < now &&
		    free_since(sim, &l->owner) + AI_SLACK_MS < now)
			sim_fail(sim, "lobby %s waits though there is room",
				 l->id.text);
	}
}

void ai_at_the_end(struct sim *sim)
{
	if (sim->hub)
		nobody_waits(sim);
}

void ai_settled(struct sim *sim)
{
	struct referee *r = sim->referee;
	int64_t running = ai_matches(r, NULL);
	if (running > sim->domain_limits.ai_matches_max)
		sim_fail(sim, "%lld matches with personalities run at a time",
			 (long long)running);
	for (size_t i = 0; i < r->players; i++) {
		const struct id *id = &r->player[i].id;
		if (ai_matches(r, id) + ai_lobbies(r, id) >
		    sim->domain_limits.ai_matches_per_player)
			sim_fail(sim, "%s has too many personalities",
				 r->player[i].name);
	}
	if (running >= sim->domain_limits.ai_matches_max)
		r->ai_full_batch = r->batch;
	for (size_t i = 0; i < r->lobbies; i++) {
		struct book_lobby *l = &r->lobby[i];
		if (!waits(l))
			l->ready_ms = 0;
		else if (l->ready_ms == 0)
			l->ready_ms = sim_domain_ms(sim);
		if (waits(l))
			r->ai_waits_batch = r->batch;
	}
	if (sim->hub && hub_is_writable(sim->hub))
		nobody_waits(sim);
}

/* What was so a moment ago was so when he was refused. */
static bool is_recent(const struct referee *r, uint64_t batch)
{
	return batch > 0 && batch + RECENT_BATCHES > r->batch;
}

static int64_t own_lately(const struct referee *r, const struct id *player)
{
	int64_t n = 0;
	for (size_t i = 0; i < r->matches; i++) {
		const struct book_match *m = &r->match[i];
		n += is_ai(m) && seat_of(m, player) >= 0 &&
		     (runs(m) || is_recent(r, m->fact[m->facts - 1].batch));
	}
	for (size_t i = 0; i < r->lobbies; i++) {
		const struct book_lobby *l = &r->lobby[i];
		n += l->personality[0] && id_eq(&l->owner, player) &&
		     (l->open || is_recent(r, l->closed_batch));
	}
	return n;
}

void judge_ai_refused(struct sim *sim, const struct link *l, int64_t code,
		      enum method method)
{
	const struct referee *r = sim->referee;
	bool waited = method == METHOD_MATCH_REMATCH &&
		      is_recent(r, r->ai_waits_batch);
	if (code == PLYD_EAIFULL && !waited && !is_recent(r, r->ai_full_batch))
		sim_fail(sim, "%s is told that personalities are busy",
			 client_name(l->client));
	if (code == PLYD_EAIYOURS &&
	    own_lately(r, &l->player) <
		    sim->domain_limits.ai_matches_per_player)
		sim_fail(sim, "%s is told that he has enough personalities",
			 client_name(l->client));
}
