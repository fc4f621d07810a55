/* SPDX-License-Identifier: MIT
 * state.c - the state as facts for a snapshot, waking after replay, and the
 * invariants that must always hold. */
#include "domain/late.h"
#include "domain/rating_priv.h"

#include <utlist.h>

typedef int emit_fn(void *payload, const struct fact *fact);

struct emitter {
	uint64_t now_ms;
	emit_fn *emit;
	void *payload;
	int err;
};

static void put(struct emitter *e, struct fact f)
{
	f.at_ms = e->now_ms;
	if (!e->err)
		e->err = e->emit(e->payload, &f);
}

static void put_other(void *emitter, const struct fact *f)
{
	put(emitter, *f);
}

/* Also keys whose lobby has gone: their commands must not be done again. */
static void put_keys(struct emitter *e, const struct player *p)
{
	for (size_t i = 0; p->keys && i < KEYS_REMEMBERED; i++) {
		const struct remembered_key *k =
			&p->keys[(p->key_next + i) % KEYS_REMEMBERED];
		if (k->key[0])
			put(e, (struct fact){ .type = FACT_KEY_REMEMBERED,
					      .key_remembered = {
						      p->id, span_str(k->key),
						      k->made } });
	}
}

static void put_sessions(struct emitter *e, const struct player *p)
{
	const struct session *s;
	DL_FOREACH (p->sessions, s) {
		if (s->number > 0)
			put(e,
			    (struct fact){ .type = FACT_SESSION_ADDED,
					   .session_added = { p->id, s->number,
							      s->token,
							      s->began_at } });
		if (s->offered)
			put(e, (struct fact){ .type = FACT_TOKEN_OFFERED,
					      .token_offered = {
						      p->id, s->offered->token,
						      s->number } });
	}
}

static void put_leaving(struct emitter *e, const struct player *p)
{
	if (p->leaves > 0)
		put(e, (struct fact){
			       .type = FACT_LEAVES_COUNTED,
			       .leaves_counted = { p->id, p->leaves,
						   (int64_t)p->leave_ms } });
	if (p->went_away)
		put(e,
		    (struct fact){
			    .type = FACT_WENT_AWAY,
			    .went_away = { p->id, (int64_t)p->went_away_ms } });
}

static void put_manners(struct emitter *e, const struct player *p)
{
	if (p->muted_until_unix_ms != 0)
		put(e, (struct fact){
			       .type = FACT_MUTED,
			       .muted = { p->id, p->muted_until_unix_ms } });
	for (size_t i = 0; i < p->blocks.count; i++)
		put(e, (struct fact){ .type = FACT_BLOCKED,
				      .blocked = { p->id, p->blocks.at[i] } });
	for (size_t i = 0; i < p->chat_off.count; i++)
		put(e,
		    (struct fact){ .type = FACT_CHAT_SWITCHED,
				   .chat_switched = { p->id, p->chat_off.at[i],
						      false } });
}

static void put_policy(struct emitter *e, const struct player *p)
{
	const struct bot_policy *b = &p->meets.policy;
	bool is_default = !b->answers && !b->rulesets && !b->speeds &&
			  !b->rated && !b->opponent && !b->at_once &&
			  !b->finishing;
	if (is_default)
		return;
	put(e, (struct fact){ .type = FACT_BOT_POLICY,
			      .bot_policy = {
				      .player = p->id,
				      .answers = b->answers,
				      .rulesets = span_str(bot_rulesets(b)),
				      .speeds = b->speeds,
				      .rated = b->rated,
				      .opponent = b->opponent,
				      .at_once = b->at_once,
				      .finishing = b->finishing,
			      } });
}

static void put_player(const struct domain *d, struct emitter *e,
		       const struct player *p)
{
	static const struct digest none;
	const struct session *first = player_session(p, 0);
	put(e, (struct fact){ .type = FACT_PLAYER_ADDED,
			      .player_added = {
				      p->id, span_str(account_first_name(d, p)),
				      p->kind, first ? first->token : none } });
	put_sessions(e, p);
	account_put(d, p, put_other, e);
	put_keys(e, p);
	put_leaving(e, p);
	put_manners(e, p);
	put_policy(e, p);
}

static void put_seat(struct emitter *e, const struct lobby *l, int side)
{
	const struct lobby_seat *seat = &l->seat[side];
	if (!seat->taken || seat->kind == KIND_PERSONALITY)
		return;
	put(e, (struct fact){ .type = FACT_LOBBY_SEATED,
			      .lobby_seated = { l->id, side, seat->player } });
	if (seat->ready)
		put(e, (struct fact){ .type = FACT_LOBBY_READIED,
				      .lobby_readied = { l->id, seat->player,
							 true } });
}

static void put_lobby(struct emitter *e, const struct lobby *l)
{
	/* a personality sits on the side that its lobby's opener left free */
	int side =
		l->seat[WHITE].taken && l->seat[WHITE].kind == KIND_PERSONALITY
			? BLACK
			: WHITE;
	put(e, (struct fact){
		       .type = FACT_LOBBY_OPENED,
		       .lobby_opened = {
			       .lobby = l->id,
			       .owner = l->owner,
			       .ruleset = span_str(l->rules.rules.name),
			       .base_ms = l->clock.base_ms,
			       .increment_ms = l->clock.increment_ms,
			       .unlimited = l->clock.kind == CLOCK_UNLIMITED,
			       .clock_kind = l->clock.kind,
			       .delay_ms = l->clock.delay_ms,
			       .side = side,
			       .opponent = l->opponent,
			       .personality = span_str(l->personality),
			       .code = span_str(l->code),
			       .rated = l->rated,
			       .match_length = lobby_match_length(l),
			       .spectator_delay_ms = l->spectator_delay_ms,
			       .invited_only = l->invited_only,
			       .closed = l->closed,
			       .position = span_str(l->position) } });
	for (int s = 0; s < 2; s++)
		put_seat(e, l, s);
	for (size_t i = 0; i < l->invited_count; i++)
		put(e,
		    (struct fact){ .type = FACT_LOBBY_INVITED,
				   .lobby_invited = { l->id, l->invited[i] } });
	for (size_t i = 0; i < l->barred_count; i++)
		put(e,
		    (struct fact){ .type = FACT_LOBBY_KICKED,
				   .lobby_kicked = { l->id, l->barred[i] } });
}

static void put_seek(struct emitter *e, const struct seek *s)
{
	put(e, (struct fact){
		       .type = FACT_SEEK_OPENED,
		       .seek_opened = {
			       .seek = s->id,
			       .by = s->by->id,
			       .to = s->to ? s->to->id : (struct id){ "" },
			       .ruleset = span_str(s->rules.rules.name),
			       .base_ms = s->clock.base_ms,
			       .increment_ms = s->clock.increment_ms,
			       .unlimited = s->clock.kind == CLOCK_UNLIMITED,
			       .clock_kind = s->clock.kind,
			       .delay_ms = s->clock.delay_ms,
			       .side = s->side,
			       .opponent = s->opponent,
			       .rated = s->rated,
			       .rating_min = s->rating_min,
			       .rating_max = s->rating_max,
			       .until_ms = (int64_t)s->until_ms,
			       .position = span_str(s->position),
			       .match_length = domain_match_length(&s->rules),
		       } });
}

static void put_queued(struct emitter *e, const struct queued *q)
{
	put(e, (struct fact){
		       .type = FACT_QUEUED,
		       .queued = {
			       .player = q->player->id,
			       .ruleset = span_str(q->rules.rules.name),
			       .base_ms = q->clock.base_ms,
			       .increment_ms = q->clock.increment_ms,
			       .unlimited = q->clock.kind == CLOCK_UNLIMITED,
			       .clock_kind = q->clock.kind,
			       .delay_ms = q->clock.delay_ms,
			       .any_clock = q->any_clock,
			       .rated = q->rated,
			       .bots = q->bots,
			       .since_ms = (int64_t)q->since_ms,
		       } });
}

static void put_report(struct emitter *e, const struct report *r)
{
	put(e,
	    (struct fact){
		    .type = FACT_REPORTED,
		    .reported = { .report = r->number,
				  .at_unix_ms = r->at_unix_ms,
				  .reporter = r->reporter,
				  .reporter_name = span_str(r->reporter_name),
				  .player = r->player,
				  .player_name = span_str(r->player_name),
				  .match = r->match,
				  .lobby = r->lobby,
				  .reason = r->reason,
				  .text = span_str(r->text),
				  .evidence = span_str(r->evidence) } });
}

/* What each has sent is told last: those that are closed count too. */
static void put_reports(struct emitter *e, const struct domain *d)
{
	const struct report *r;
	const struct player *p;
	for (r = d->reports; r; r = r->next)
		put_report(e, r);
	for (p = d->players; p; p = player_next(p))
		if (p->reports_sent > 0)
			put(e, (struct fact){ .type = FACT_REPORTS_COUNTED,
					      .reports_counted = {
						      p->id, p->report_day,
						      p->reports_sent } });
}

static void put_bans(struct emitter *e, const struct domain *d)
{
	const struct ban *b;
	for (b = d->bans; b; b = b->next)
		put(e, (struct fact){
			       .type = FACT_BANNED,
			       .banned = { .ban = b->number,
					   .kind = b->kind,
					   .player = b->player,
					   .target = span_str(b->target),
					   .at_unix_ms = b->at_unix_ms,
					   .until_unix_ms = b->until_unix_ms,
					   .text = span_str(b->text) } });
}

static void put_tokens(struct emitter *e, const struct domain *d)
{
	const struct operator_token *t;
	for (t = d->tokens; t; t = t->next)
		put(e,
		    (struct fact){ .type = FACT_OPERATOR_TOKEN_SET,
				   .operator_token_set = {
					   span_str(t->name), t->token,
					   t->at_unix_ms, t->until_unix_ms } });
}

/* The oldest first, as they happened. */
static void put_audit(struct emitter *e, const struct domain *d)
{
	const struct audit_act *a = d->audit ? d->audit->prev : NULL;
	for (size_t i = 0; i < d->audit_count; i++, a = a->prev)
		put(e, (struct fact){ .type = FACT_AUDITED,
				      .audited = { a->number, a->at_unix_ms,
						   span_str(a->act),
						   span_str(a->target),
						   span_str(a->text),
						   span_str(a->by) } });
}

static void put_kept(struct emitter *e, const struct kept *k)
{
	for (int by = 0; by < KEPT_BY; by++)
		if (k->by[by].len > 0)
			put(e,
			    (struct fact){ .type = FACT_SCRIPT_KEPT,
					   .script_kept = {
						   k->match, by,
						   span_of(k->by[by].byte,
							   k->by[by].len) } });
}

int domain_state_facts(const struct domain *d, emit_fn *emit, void *payload)
{
	struct emitter e = { d->now_ms, emit, payload, PLYD_OK };
	for (const struct player *p = d->players; p; p = player_next(p))
		put_player(d, &e, p);
	for (const struct lobby *l = d->lobbies; l; l = lobby_next(l))
		put_lobby(&e, l);
	ratings_put(d, put_other, &e);
	put_reports(&e, d);
	put_bans(&e, d);
	put_tokens(&e, d);
	put_audit(&e, d);
	deleted_put(d, put_other, &e);
	for (const struct seek *x = d->seeks; x; x = x->hh.next)
		put_seek(&e, x);
	for (const struct listed *q = d->all.first[LISTED_QUEUED]; q;
	     q = q->all_next)
		put_queued(&e, q->owner);
	for (const struct kept *k = d->kept; k; k = k->hh.next)
		put_kept(&e, k);
	tournaments_put(d, put_other, &e);
	return e.err;
}

/* How long a turn that a crash cut off waits for its player. Days per move just
 * run on: the server was not away for its own time. */
static int64_t resume_wait_ms(const struct domain *d, const struct match *m)
{
	bool waits = m->seat[match_turn(m)].kind != KIND_PERSONALITY &&
		     m->rules->clock.kind != CLOCK_PER_MOVE;
	return waits ? d->limits.restart_grace_ms : 0;
}

static void wake_match(struct domain *d, struct match *m)
{
	for (int s = 0; s < 2; s++)
		m->away_ms[s] = d->now_ms;
	if (m->state == MATCH_OVER)
		match_keep(d, m);
	else if (m->state == MATCH_NONCES)
		m->wait_ms = due_after(d, d->limits.nonce_wait_ms);
	else if (m->state == MATCH_PLAYING && !m->released &&
		 !match_awaits_server(m))
		m->wait_ms = due_after(d, resume_wait_ms(d, m));
	match_set_due(d, m);
}

void domain_wake(struct domain *d, uint64_t now_ms,
		 void (*each)(void *payload, const struct match *m),
		 void *payload)
{
	if (now_ms > d->now_ms)
		d->now_ms = now_ms;
	for (struct player *p = d->players; p; p = p->hh.next) {
		p->away_ms = d->now_ms;
		player_set_due(d, p);
	}
	for (struct lobby *l = d->lobbies; l; l = l->hh.next) {
		l->unready_ms = 0;
		lobby_set_due(d, l);
	}
	for (struct seek *s = d->seeks; s; s = s->hh.next)
		seek_set_due(d, s);
	for (struct listed *q = d->all.first[LISTED_QUEUED]; q; q = q->all_next)
		queued_set_due(d, q->owner);
	time_keep(d);
	kept_prune(d);
	tournaments_wake(d);
	for (struct match *m = d->matches; m; m = m->hh.next) {
		late_catch_up(d, m);
		wake_match(d, m);
		if (match_awaits_server(m))
			each(payload, m);
	}
}

const char *match_invariant_broken(const struct match *m)
{
	if (m->state == MATCH_FROZEN)
		return NULL;
	if (m->ply > PLIES_MAX)
		return "longer than the longest match";
	if (m->left_ms[WHITE] < 0 || m->left_ms[BLACK] < 0)
		return "a clock below zero";
	if (m->offers.standing && m->state != MATCH_PLAYING)
		return "an offer stands outside play";
	if (m->released && m->state != MATCH_PLAYING)
		return "a clock runs outside play";
	if (m->doubled && match_awaits(m) != AWAITS_ANSWER)
		return "a double that nobody is to answer";
	if (m->resign.standing && m->state != MATCH_PLAYING)
		return "a resignation is offered outside play";
	if (match_length(m) > 0 && m->state == MATCH_PLAYING &&
	    (m->pos.stakes.score[WHITE] >= match_length(m) ||
	     m->pos.stakes.score[BLACK] >= match_length(m)))
		return "goes on though the match is won";
	if (m->hash_count < 1)
		return "no position for repetition";
	if (m->state == MATCH_PLAYING &&
	    game_outcome(&m->rules->rules, &m->pos).over)
		return "goes on though the game is over";
	return NULL;
}

static const char *lobbies_broken(const struct domain *d)
{
	size_t seats = 0, linked = 0;
	for (const struct lobby *l = d->lobbies; l; l = lobby_next(l)) {
		size_t people = 0;
		for (int s = 0; s < 2; s++)
			people += find_player(d, &l->seat[s].player) != NULL;
		/* between a fact and the next one only */
		if (people == 0)
			return "a lobby without a player";
		if (l->seat[WHITE].ready && l->seat[BLACK].ready &&
		    !lobby_waits_for_ai(l))
			return "a lobby that should have begun";
		seats += people;
	}
	for (const struct player *p = d->players; p; p = player_next(p))
		linked += p->lobby_count;
	return seats == linked ? NULL : "seats of lobbies are miscounted";
}

static bool sessions_hold(const struct player *p)
{
	const struct session *s;
	size_t count = 0, here = 0;
	DL_FOREACH (p->sessions, s) {
		count++;
		here += s->conn != 0;
		if (s->conn == 0 && s->watching)
			return false;
	}
	return count == p->session_count && here == p->here;
}

const char *domain_invariant_broken(const struct domain *d)
{
	size_t running = 0, ai = 0, seats = 0, linked = 0, watchers = 0,
	       watched = 0;
	for (const struct match *m = d->matches; m; m = match_next(m)) {
		const char *broken = match_invariant_broken(m);
		if (broken)
			return broken;
		watchers += m->watcher_count;
		if (m->state == MATCH_OVER || m->state == MATCH_FROZEN)
			continue;
		running++;
		ai += match_has_personality(m);
		for (int s = 0; s < 2; s++)
			seats += m->link[s].match != NULL;
	}
	for (const struct player *p = d->players; p; p = player_next(p)) {
		linked += p->match_count;
		watched += p->watch_count;
		if (!sessions_hold(p))
			return "sessions are miscounted, or one watches that "
			       "is away";
	}
	if (kept_broken(d))
		return kept_broken(d);
	if (running != d->running || ai != d->ai_running)
		return "running matches are miscounted";
	if (watchers != watched)
		return "spectators are miscounted";
	if (seats != linked)
		return "seats of matches are miscounted";
	if (d->audit_count > AUDIT_KEPT)
		return "the audit trail is too long";
	if (d->report_count > REPORTS_OPEN_MAX)
		return "there are too many reports";
	if (d->ban_count > BANS_MAX)
		return "there are too many bans";
	if (d->token_count > OPERATOR_TOKENS_MAX)
		return "there are too many tokens of operators";
	const char *broken = tournaments_broken(d);
	return broken ? broken : lobbies_broken(d);
}
