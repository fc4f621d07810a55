/* SPDX-License-Identifier: MIT
 * referee_meeting.c - seeks, challenges, the queue, and what owners of lobbies
 * do, as the protocol's page says: each thing happens because somebody asked
 * for it, to whom it concerns, and once. */
#include "referee_priv.h"

#include <stdlib.h>

/* -- what was asked for -- */

void meeting_asked(struct sim *sim, const struct link *l, const struct asked *a)
{
	struct referee *r = sim->referee;
	if ((a->method < METHOD_LOBBY_INVITE ||
	     a->method > METHOD_PLAYER_GET) &&
	    (a->method < METHOD_TOURNAMENT_CREATE ||
	     a->method > METHOD_TOURNAMENT_CORRECT) &&
	    a->method != METHOD_LOBBY_LEAVE)
		return;
	r->wish = sim_grow(r->wish, &r->wish_cap, r->wishes, sizeof(*r->wish));
	r->wish[r->wishes++] =
		(struct book_wish){ a->method, l->client->player,
				    id_is_none(&a->seek) ? a->lobby : a->seek,
				    a->whom };
}

/* by and whom may be none: anybody. */
static bool wished(const struct referee *r, enum method method,
		   const struct id *by, const struct id *what,
		   const struct id *whom)
{
	for (size_t i = 0; i < r->wishes; i++) {
		const struct book_wish *w = &r->wish[i];
		if (w->method == method && (!by || id_eq(&w->by, by)) &&
		    (!what || id_eq(&w->what, what)) &&
		    (!whom || id_eq(&w->whom, whom)))
			return true;
	}
	return false;
}

/* -- seeks and challenges -- */

struct book_seek *book_seek(const struct referee *r, const struct id *id)
{
	for (size_t i = r->seeks; i > 0; i--)
		if (id_eq(&r->seek[i - 1].id, id))
			return &r->seek[i - 1];
	return NULL;
}

static bool is_guest(const struct referee *r, const struct id *player)
{
	const struct book_player *p = book_player(r, player);
	return p && !p->login[0];
}

/* Nobody is asked twice by one, or by more than may wait for him. */
static void judge_crowd(struct sim *sim, const struct book_seek *s)
{
	const struct referee *r = sim->referee;
	int64_t waiting = 0;
	for (size_t i = 0; i < r->seeks; i++) {
		const struct book_seek *other = &r->seek[i];
		if (!other->open || !id_eq(&other->to, &s->to))
			continue;
		waiting++;
		if (id_eq(&other->by, &s->by))
			sim_fail(sim, "%s challenges one twice", s->by.text);
	}
	if (waiting >= sim->domain_limits.seeks_per_player)
		sim_fail(sim, "more challenges to one player than may be");
}

/* Only where there was no room, only a guest's, and none that is older. */
static bool is_displaced(const struct sim *sim, const struct book_seek *s)
{
	const struct referee *r = sim->referee;
	int64_t waiting = 1;
	for (size_t i = 0; i < r->seeks; i++) {
		const struct book_seek *other = &r->seek[i];
		if (!other->open || !id_eq(&other->to, &s->to))
			continue;
		waiting++;
		if (is_guest(r, &other->by) && other->until_ms < s->until_ms)
			return false;
	}
	return !id_is_none(&s->to) && is_guest(r, &s->by) &&
	       waiting == sim->domain_limits.seeks_per_player;
}

static void seek_opened(struct sim *sim, const struct fact_seek_opened_body *b)
{
	struct referee *r = sim->referee;
	struct book_player *by = book_player(r, &b->by);
	struct book_player *to = book_player(r, &b->to);
	bool challenge = !id_is_none(&b->to);
	int64_t open = 0;
	for (size_t i = 0; i < r->seeks; i++) {
		open += r->seek[i].open && id_eq(&r->seek[i].by, &b->by);
		if (id_eq(&r->seek[i].by, &b->by) && b->key.len > 0 &&
		    span_is(b->key, r->seek[i].key))
			sim_fail(sim, "a key makes a second seek");
	}
	if (!by || by->gone || (challenge && (!to || to->gone)) ||
	    id_eq(&b->by, &b->to))
		sim_fail(sim, "a seek of nobody, or to nobody, or to himself");
	if (!wished(r, challenge ? METHOD_CHALLENGE_SEND : METHOD_SEEK_CREATE,
		    &b->by, NULL, challenge ? &b->to : NULL))
		sim_fail(sim, "nobody asked for seek %s", b->seek.text);
	if (open >= sim->domain_limits.seeks_per_player)
		sim_fail(sim, "more seeks of one player than may be");
	r->seek = sim_grow(r->seek, &r->seek_cap, r->seeks, sizeof(*r->seek));
	struct book_seek *s = &r->seek[r->seeks++];
	*s = (struct book_seek){ .id = b->seek,
				 .by = b->by,
				 .to = b->to,
				 .side = (int)b->side,
				 .clock = { (int)b->clock_kind, b->base_ms,
					    b->increment_ms, b->delay_ms },
				 .until_ms = (uint64_t)b->until_ms,
				 .rating_min = b->rating_min,
				 .rating_max = b->rating_max,
				 .open = true };
	span_copy(b->ruleset, s->ruleset, sizeof(s->ruleset));
	span_copy(b->key, s->key, sizeof(s->key));
	if (!challenge)
		return;
	s->open = false;
	judge_crowd(sim, s);
	s->open = true;
}

/* Who accepts has a rating that is wanted; one point is for the rounding. */
static bool is_wanted(struct sim *sim, const struct book_seek *s,
		      const struct id *player)
{
	if (s->rating_min == 0 && s->rating_max == 0)
		return true;
	int64_t points = rating_shown(sim, player, s->ruleset, &s->clock);
	return points + 1 >= s->rating_min &&
	       (s->rating_max == 0 || points - 1 <= s->rating_max);
}

/* Its match is what it was sought for, with those two. */
static void seek_accepted(struct sim *sim, const struct book_seek *s,
			  const struct fact_seek_closed_body *b)
{
	const struct referee *r = sim->referee;
	const struct book_match *m = book_match(r, &b->match);
	int maker = m ? seat_of(m, &s->by) : -1;
	bool challenge = !id_is_none(&s->to);
	if (maker < 0 || seat_of(m, &b->by) != 1 - maker ||
	    strcmp(m->rules.name, s->ruleset) != 0 ||
	    !clocks_equal(&m->clock, &s->clock)) {
		sim_fail(sim, "%s began another match than its own",
			 s->id.text);
		return;
	}
	if (id_eq(&b->by, &s->by))
		sim_fail(sim, "%s is accepted by its maker", s->id.text);
	if (!is_wanted(sim, s, &b->by))
		sim_fail(sim,
			 "%s is accepted by one whose rating is not "
			 "wanted",
			 s->id.text);
	if (challenge ? !id_eq(&b->by, &s->to)
		      : !wished(r, METHOD_SEEK_ACCEPT, &b->by, &s->id, NULL))
		sim_fail(sim, "%s is accepted by nobody", s->id.text);
	if (challenge &&
	    !wished(r, METHOD_CHALLENGE_ACCEPT, &b->by, &s->id, NULL) &&
	    !wished(r, METHOD_CHALLENGE_SEND, &b->by, NULL, &s->by) &&
	    !wished(r, METHOD_BOT_POLICY, &b->by, NULL, NULL))
		sim_fail(sim, "%s is accepted by nobody", s->id.text);
}

static bool is_long_away(const struct sim *sim, const struct id *id,
			 uint64_t at_ms)
{
	const struct book_player *p = book_player(sim->referee, id);
	uint64_t keep = (uint64_t)sim->domain_limits.lobby_away_ms;
	return p && (p->leaving || (!p->here && at_ms >= p->away_ms + keep));
}

static void seek_closed(struct sim *sim, const struct fact *f)
{
	const struct referee *r = sim->referee;
	const struct fact_seek_closed_body *b = &f->seek_closed;
	struct book_seek *s = book_seek(r, &b->seek);
	bool holds = true;
	if (!s || !s->open) {
		sim_fail(sim, "%s is closed, but not open", b->seek.text);
		return;
	}
	s->open = false;
	switch ((enum seek_reason)b->reason) {
	case SEEK_ACCEPTED: seek_accepted(sim, s, b); break;
	case SEEK_CANCELLED:
		holds = wished(r,
			       id_is_none(&s->to) ? METHOD_SEEK_CANCEL
						  : METHOD_CHALLENGE_CANCEL,
			       &s->by, &s->id, NULL);
		break;
	case SEEK_DECLINED:
		holds = wished(r, METHOD_CHALLENGE_DECLINE, &s->to, &s->id,
			       NULL);
		break;
	case SEEK_LAPSED:
		holds = s->until_ms > 0 && f->at_ms >= s->until_ms;
		break;
	case SEEK_AWAY:
		holds = is_long_away(sim, &s->by, f->at_ms) ||
			is_long_away(sim, &s->to, f->at_ms);
		break;
	case SEEK_DISPLACED: holds = is_displaced(sim, s); break;
	case SEEK_FINISHING:
		holds = wished(r, METHOD_BOT_FINISH, NULL, NULL, NULL);
		break;
	default: break;
	}
	if (!holds)
		sim_fail(sim, "%s is closed as %s, which is not so", s->id.text,
			 seek_reason_name((enum seek_reason)b->reason));
}

/* -- the queue -- */

static struct book_queued *queued_of(const struct referee *r,
				     const struct id *player)
{
	for (size_t i = 0; i < r->queued_count; i++)
		if (id_eq(&r->queued[i].player, player))
			return &r->queued[i];
	return NULL;
}

static void queued(struct sim *sim, const struct fact_queued_body *b)
{
	struct referee *r = sim->referee;
	if (queued_of(r, &b->player))
		sim_fail(sim, "somebody is queued twice");
	if (!wished(r, METHOD_QUICK_JOIN, &b->player, NULL, NULL))
		sim_fail(sim, "somebody is queued who did not ask for it");
	r->queued = sim_grow(r->queued, &r->queued_cap, r->queued_count,
			     sizeof(*r->queued));
	struct book_queued *q = &r->queued[r->queued_count++];
	*q = (struct book_queued){ .player = b->player, .bots = b->bots };
	span_copy(b->ruleset, q->ruleset, sizeof(q->ruleset));
}

static bool welcomes(const struct referee *r, const struct book_queued *q,
		     const struct id *other)
{
	const struct book_player *p = book_player(r, other);
	return q->bots || (p && p->kind != KIND_BOT);
}

static void unqueued(struct sim *sim, const struct fact *f)
{
	struct referee *r = sim->referee;
	const struct id *who = &f->unqueued.player;
	const struct id *match = &f->unqueued.match;
	struct book_queued *q = queued_of(r, who);
	if (!q) {
		sim_fail(sim, "somebody leaves the queue who is not in it");
		return;
	}
	struct book_queued was = *q;
	*q = r->queued[--r->queued_count];
	const struct book_match *m = book_match(r, match);
	if (id_is_none(match))
		return;
	int seat = m ? seat_of(m, who) : -1;
	if (seat < 0 || strcmp(m->rules.name, was.ruleset) != 0 ||
	    id_is_none(&m->player[1 - seat])) {
		sim_fail(sim, "a quick match is not of those who waited");
		return;
	}
	if (id_eq(&m->player[WHITE], &m->player[BLACK]))
		sim_fail(sim, "somebody is paired with himself");
	if (!welcomes(r, &was, &m->player[1 - seat]))
		sim_fail(sim, "a bot is paired with one who wants none");
}

/* -- lobbies -- */

static bool *guest_of(struct book_lobby *l, const struct id *player,
		      bool barred)
{
	for (size_t i = 0; i < l->guests; i++)
		if (id_eq(&l->guest[i].player, player))
			return barred ? &l->guest[i].barred
				      : &l->guest[i].invited;
	if (l->guests == GUESTS_MAX)
		return NULL;
	l->guest[l->guests].player = *player;
	return barred ? &l->guest[l->guests++].barred
		      : &l->guest[l->guests++].invited;
}

void meeting_seated(struct sim *sim, struct book_lobby *l,
		    const struct id *player)
{
	bool *invited = guest_of(l, player, false);
	bool *barred = guest_of(l, player, true);
	if (barred && *barred)
		sim_fail(sim, "somebody comes back who was thrown out");
	if (l->invited_only && invited && !*invited &&
	    !id_eq(player, &l->opener) &&
	    !wished(sim->referee, METHOD_BOT_POLICY, player, NULL, NULL))
		sim_fail(sim, "somebody joins who was not invited");
	if (invited)
		*invited = false;
}

static void lobby_waits(struct book_lobby *l, uint64_t at_ms)
{
	bool waits = l->open;
	for (int s = 0; s < SIDES; s++)
		waits = waits && l->taken[s] && !id_is_none(&l->player[s]);
	if (!waits || (l->ready[WHITE] && l->ready[BLACK]))
		l->waits_ms = 0;
	else if (l->waits_ms == 0)
		l->waits_ms = at_ms;
}

void lobbies_wait(struct sim *sim, uint64_t at_ms)
{
	struct referee *r = sim->referee;
	for (size_t i = 0; i < r->lobbies; i++)
		lobby_waits(&r->lobby[i], at_ms);
}

/* Who leaves wants it, has gone, or was not ready for as long as may be. */
void lobby_left_for(struct sim *sim, const struct book_lobby *l, int side,
		    uint64_t at_ms)
{
	const struct id *id = &l->player[side];
	const struct book_player *p = book_player(sim->referee, id);
	uint64_t wait = (uint64_t)sim->domain_limits.ready_wait_ms;
	if (is_long_away(sim, id, at_ms) || (p && p->leaving) ||
	    wished(sim->referee, METHOD_LOBBY_LEAVE, id, &l->id, NULL) ||
	    wished(sim->referee, METHOD_BOT_FINISH, id, NULL, NULL))
		return;
	if (l->ready[side] || l->waits_ms == 0 || at_ms < l->waits_ms + wait)
		sim_fail(sim, "%s must leave lobby %s, and need not",
			 p ? p->name : "somebody", l->id.text);
}

/* Nobody waits for long for one who is not ready. */
void lobbies_at_the_end(struct sim *sim)
{
	enum { SLACK_MS = 15000 };
	const struct referee *r = sim->referee;
	uint64_t wait = (uint64_t)sim->domain_limits.ready_wait_ms + SLACK_MS;
	for (size_t i = 0; i < r->lobbies; i++) {
		const struct book_lobby *l = &r->lobby[i];
		uint64_t since = l->waits_ms;
		if (since > 0 && since < r->generation_ms)
			since = r->generation_ms;
		if (since > 0 && since + wait < sim_domain_ms(sim))
			sim_fail(sim,
				 "one is not ready in lobby %s, and keeps "
				 "the other waiting",
				 l->id.text);
	}
}

/* The lobbies that he is invited to, and of them those of this owner. */
static size_t invitations(const struct referee *r, const struct id *player,
			  const struct id *owner, size_t *of_owner)
{
	size_t count = 0;
	*of_owner = 0;
	for (size_t i = 0; i < r->lobbies; i++) {
		const struct book_lobby *l = &r->lobby[i];
		for (size_t g = 0; l->open && g < l->guests; g++) {
			if (!l->guest[g].invited ||
			    !id_eq(&l->guest[g].player, player))
				continue;
			count++;
			*of_owner += id_eq(&l->owner, owner);
		}
	}
	return count;
}

static void invitation_void(struct sim *sim,
			    const struct fact_lobby_declined_body *b)
{
	const struct referee *r = sim->referee;
	const struct book_lobby *l = book_lobby(r, &b->lobby);
	size_t own;
	bool displaced =
		l && is_guest(r, &l->owner) &&
		invitations(r, &b->player, &l->owner, &own) == INVITED_MAX;
	if (!displaced &&
	    !wished(r, METHOD_LOBBY_DECLINE, &b->player, &b->lobby, NULL))
		sim_fail(sim, "an invitation is declined by nobody");
}

static void owner_acts(struct sim *sim, const struct fact *f)
{
	const struct referee *r = sim->referee;
	const struct id *lobby = &f->lobby_invited.lobby;
	const struct id *whom =
		f->type == FACT_LOBBY_UPDATED ? NULL : &f->lobby_invited.player;
	enum method method = f->type == FACT_LOBBY_INVITED ? METHOD_LOBBY_INVITE
			     : f->type == FACT_LOBBY_KICKED
				     ? METHOD_LOBBY_KICK
				     : METHOD_LOBBY_UPDATE;
	struct book_lobby *l = book_lobby(r, lobby);
	if (!l || !l->open || !wished(r, method, &l->owner, lobby, whom))
		sim_fail(sim, "nobody who may asked lobby %s for that",
			 lobby->text);
	size_t own = 0;
	if (l && f->type == FACT_LOBBY_INVITED &&
	    (invitations(r, whom, &l->owner, &own) >= INVITED_MAX || own > 0))
		sim_fail(sim, "%s is invited too often", whom->text);
}

static void lobby_updated(struct sim *sim,
			  const struct fact_lobby_updated_body *b)
{
	struct book_lobby *l = book_lobby(sim->referee, &b->lobby);
	int own = l->taken[WHITE] && id_eq(&l->player[WHITE], &l->owner)
			  ? WHITE
			  : BLACK;
	l->clock = (struct book_clock){ (int)b->clock_kind, b->base_ms,
					b->increment_ms, b->delay_ms };
	span_copy(b->ruleset, l->ruleset, sizeof(l->ruleset));
	for (int s = 0; s < SIDES; s++)
		l->ready[s] = l->taken[s] && id_is_none(&l->player[s]);
	if (own == b->side)
		return;
	struct id player = l->player[WHITE];
	bool taken = l->taken[WHITE], ready = l->ready[WHITE];
	l->player[WHITE] = l->player[BLACK];
	l->taken[WHITE] = l->taken[BLACK];
	l->ready[WHITE] = l->ready[BLACK];
	l->player[BLACK] = player;
	l->taken[BLACK] = taken;
	l->ready[BLACK] = ready;
}

static void lobby_kicked(struct sim *sim,
			 const struct fact_lobby_kicked_body *b)
{
	struct book_lobby *l = book_lobby(sim->referee, &b->lobby);
	bool *barred = guest_of(l, &b->player, true);
	bool *invited = guest_of(l, &b->player, false);
	if (barred)
		*barred = true;
	if (invited)
		*invited = false;
	for (int s = 0; s < SIDES; s++)
		if (l->taken[s] && id_eq(&l->player[s], &b->player)) {
			l->taken[s] = l->ready[s] = false;
			l->player[s] = (struct id){ "" };
		}
}

bool meeting_fact(struct sim *sim, const struct fact *f)
{
	struct book_lobby *l =
		book_lobby(sim->referee, &f->lobby_invited.lobby);
	bool *guest = NULL;
	switch (f->type) {
	case FACT_SEEK_OPENED: seek_opened(sim, &f->seek_opened); return true;
	case FACT_SEEK_CLOSED: seek_closed(sim, f); return true;
	case FACT_QUEUED: queued(sim, &f->queued); return true;
	case FACT_UNQUEUED: unqueued(sim, f); return true;
	case FACT_BOT_POLICY:
	case FACT_KEY_REMEMBERED: return true;
	case FACT_LOBBY_INVITED:
	case FACT_LOBBY_KICKED:
	case FACT_LOBBY_UPDATED: owner_acts(sim, f); break;
	case FACT_LOBBY_DECLINED:
		invitation_void(sim, &f->lobby_declined);
		break;
	default: return false;
	}
	if (sim->failed)
		return true;
	if (f->type == FACT_LOBBY_UPDATED)
		lobby_updated(sim, &f->lobby_updated);
	else if (f->type == FACT_LOBBY_KICKED)
		lobby_kicked(sim, &f->lobby_kicked);
	else if ((guest = guest_of(l, &f->lobby_invited.player, false)))
		*guest = f->type == FACT_LOBBY_INVITED;
	return true;
}

/* -- after a start -- */

void meeting_compare(struct sim *sim)
{
	const struct referee *r = sim->referee;
	const struct domain *d = hub_domain(sim->hub);
	size_t open = 0;
	for (size_t i = 0; i < r->seeks && !sim->failed; i++) {
		const struct book_seek *s = &r->seek[i];
		const struct seek *there = domain_seek(d, &s->id);
		open += s->open;
		if (s->open &&
		    (!there || !id_eq(&there->by->id, &s->by) ||
		     there->side != s->side || there->until_ms != s->until_ms))
			sim_fail(sim, "seek %s is another after a start",
				 s->id.text);
	}
	if (open != domain_seek_count(d))
		sim_fail(sim, "%zu seeks came back of %zu",
			 domain_seek_count(d), open);
	for (size_t i = 0; i < r->queued_count && !sim->failed; i++) {
		const struct player *p = domain_player(d, &r->queued[i].player);
		if (!p || !p->meets.queued)
			sim_fail(sim, "the queue has forgotten somebody");
	}
	if (domain_listing(d, span_str(""))->count[LISTED_QUEUED] !=
	    r->queued_count)
		sim_fail(sim, "others are queued after a start");
}

/* -- what is said -- */

void judge_seek(struct sim *sim, const struct link *l, const struct value *map,
		bool listed)
{
	struct id id, to;
	id_in(map, "seek", &id);
	const struct book_seek *s = book_seek(sim->referee, &id);
	bool challenge = id_in(value_find(map, "to"), "id", &to);
	if (!s || !span_is(str_in(map, "ruleset"), s->ruleset))
		sim_fail(sim, "%s is shown seek %s, which is not durable",
			 client_name(l->client), id.text);
	else if (challenge && (listed || (!id_eq(&l->player, &s->to) &&
					  !id_eq(&l->player, &s->by))))
		sim_fail(sim, "%s is shown a challenge of others",
			 client_name(l->client));
}

static void judge_begun(struct sim *sim, const struct link *l,
			const struct value *map)
{
	struct id id;
	if (!id_in(map, "match", &id))
		return;
	const struct book_match *m = book_match(sim->referee, &id);
	if (!m || seat_of(m, &l->player) < 0)
		sim_fail(sim, "%s is told of a match that is not his",
			 client_name(l->client));
}

bool judge_meeting(struct sim *sim, const struct link *l, const struct asked *a,
		   const struct value *map)
{
	const struct value *list;
	const struct book_seek *s;
	switch (a->method) {
	case METHOD_LOBBY_INVITE:
	case METHOD_LOBBY_KICK:
	case METHOD_LOBBY_UPDATE: judge_lobby(sim, l, map); return true;
	case METHOD_SEEK_CREATE:
	case METHOD_CHALLENGE_SEND: judge_seek(sim, l, map, false); return true;
	case METHOD_SEEK_ACCEPT:
	case METHOD_CHALLENGE_ACCEPT:
	case METHOD_QUICK_JOIN: judge_begun(sim, l, map); return true;
	case METHOD_SEEK_CANCEL:
	case METHOD_CHALLENGE_CANCEL:
	case METHOD_CHALLENGE_DECLINE:
		s = book_seek(sim->referee, &a->seek);
		if (s && s->open)
			sim_fail(sim, "%s is said to be closed, but is open",
				 s->id.text);
		return true;
	case METHOD_SEEK_LIST:
		list = value_find(map, "seeks");
		for (size_t i = 0; i < value_count(list); i++)
			judge_seek(sim, l, value_at(list, i), true);
		return true;
	default: return false;
	}
}

/* What is open still when this is said was open when it was refused. */
void judge_meeting_refused(struct sim *sim, const struct link *l,
			   const struct asked *a, int64_t code)
{
	const struct book_seek *s = book_seek(sim->referee, &a->seek);
	bool challenge = a->method == METHOD_CHALLENGE_ACCEPT ||
			 a->method == METHOD_CHALLENGE_DECLINE;
	if (!s || !s->open ||
	    (code != PLYD_ENOSEEK && code != PLYD_ENOCHALLENGE))
		return;
	if ((a->method == METHOD_SEEK_ACCEPT && id_is_none(&s->to)) ||
	    (challenge && id_eq(&s->to, &l->player)))
		sim_fail(sim, "%s is denied %s, which is open",
			 client_name(l->client), s->id.text);
}
