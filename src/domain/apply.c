/* SPDX-License-Identifier: MIT
 * apply.c - the facts of the general stream: players and lobbies. */
#include "domain/domain_priv.h"
#include "domain/rating_priv.h"

#include <stdlib.h>

#include <utlist.h>

struct player *find_player(const struct domain *d, const struct id *id)
{
	struct player *p;
	TABLE_FIND(d->players, id, p);
	return p;
}

struct lobby *find_lobby(const struct domain *d, const struct id *id)
{
	struct lobby *l;
	TABLE_FIND(d->lobbies, id, l);
	return l;
}

/* -- players -- */

int due_reserve(struct domain *d)
{
	return due_heap_reserve(&d->due, HASH_COUNT(d->players) +
						 HASH_COUNT(d->lobbies) +
						 2 * HASH_COUNT(d->matches) +
						 HASH_COUNT(d->seeks) +
						 HASH_COUNT(d->tournaments) +
						 d->all.count[LISTED_QUEUED] +
						 3);
}

uint64_t due_after(const struct domain *d, int64_t ms)
{
	uint64_t at_ms = d->now_ms + (uint64_t)ms;
	return at_ms > 0 ? at_ms : 1;
}

void player_set_due(struct domain *d, struct player *p)
{
	bool idle = !p->account && !p->leaving && !player_is_here(p) &&
		    !player_is_bound(p);
	player_set_idle(d, p, idle);
	if (p->leaving || player_went_away(p))
		due_set(&d->due, &p->due, due_after(d, 0));
	else if (!idle)
		due_clear(&d->due, &p->due);
	else
		due_set(&d->due, &p->due,
			due_after(d, d->limits.guest_keep_ms));
}

static int apply_player_added(struct domain *d, const struct fact *f)
{
	if (find_player(d, &f->player_added.player))
		return PLYD_ERECORD;
	struct player *p = calloc(1, sizeof(*p));
	if (!p || due_reserve(d)) {
		free(p);
		return PLYD_ENOMEM;
	}
	p->id = f->player_added.player;
	p->kind = f->player_added.kind == KIND_BOT      ? KIND_BOT
		  : f->player_added.kind == KIND_MEMBER ? KIND_MEMBER
							: KIND_GUEST;
	span_copy(f->player_added.name, p->name, sizeof(p->name));
	p->away_ms = d->now_ms;
	p->due.owner = p;
	p->due.kind = DUE_PLAYER;
	TABLE_ADD(d->players, id, p);
	if (!p->hh.tbl) {
		free(p);
		return PLYD_ENOMEM;
	}
	static const struct digest no_session;
	if (!digest_eq(&f->player_added.token, &no_session) &&
	    session_add(d, p, 0, &f->player_added.token)) {
		HASH_DELETE(hh, d->players, p);
		free(p);
		return PLYD_ENOMEM;
	}
	int err = name_claim(d, p->name, &p->id);
	if (err) {
		player_free(d, p);
		return err;
	}
	player_set_due(d, p);
	return PLYD_OK;
}

void player_free(struct domain *d, struct player *p)
{
	while (p->sessions)
		session_free(d, p->sessions);
	if (p->account)
		account_free(d, p->account);
	name_release(d, p->name, &p->id);
	while (p->followers)
		follow_drop(p->followers);
	people_drop(d, p);
	due_clear(&d->due, &p->due);
	HASH_DELETE(hh, d->players, p);
	id_set_release(&p->blocks);
	id_set_release(&p->chat_off);
	free(p->keys);
	free(p->meets.policy.rulesets);
	free(p->meets.invited);
	free(p);
}

static int apply_player_removed(struct domain *d, const struct fact *f)
{
	struct player *p = find_player(d, &f->player_removed.player);
	if (!p || player_is_bound(p))
		return PLYD_ERECORD;
	if (p->leaving)
		player_anonymise(d, &p->id);
	ratings_forget(d, &p->id);
	player_free(d, p);
	return PLYD_OK;
}

/* -- lobbies -- */

/* Full, two people, and one of them is not ready. */
static bool waits_for_ready(const struct domain *d, const struct lobby *l)
{
	for (int s = 0; s < 2; s++)
		if (!find_player(d, &l->seat[s].player))
			return false;
	return !l->seat[WHITE].ready || !l->seat[BLACK].ready;
}

/* When a seat must be left: UINT64_MAX, if nobody has to go. */
static uint64_t seat_due_ms(const struct domain *d, const struct player *p)
{
	if (!p)
		return UINT64_MAX;
	if (p->meets.policy.finishing)
		return d->now_ms;
	if (player_is_here(p))
		return UINT64_MAX;
	return p->away_ms + (uint64_t)d->limits.lobby_away_ms;
}

void lobby_set_due(struct domain *d, struct lobby *l)
{
	uint64_t at_ms = UINT64_MAX;
	if (!waits_for_ready(d, l))
		l->unready_ms = 0;
	else if (l->unready_ms == 0)
		l->unready_ms = due_after(d, 0);
	if (l->unready_ms > 0)
		at_ms = l->unready_ms + (uint64_t)d->limits.ready_wait_ms;
	for (int s = 0; s < 2; s++) {
		const struct player *p = find_player(d, &l->seat[s].player);
		uint64_t seat_ms = seat_due_ms(d, p);
		at_ms = seat_ms < at_ms ? seat_ms : at_ms;
	}
	if (lobby_waits_for_ai(l) && ai_look_ms(d) < at_ms)
		at_ms = ai_look_ms(d);
	if (at_ms == UINT64_MAX)
		due_clear(&d->due, &l->due);
	else
		due_set(&d->due, &l->due, at_ms);
}

void lobby_set_listed(struct domain *d, struct lobby *l)
{
	bool free = !l->seat[WHITE].taken || !l->seat[BLACK].taken;
	if (lobby_is_public(l) && free)
		listed_put(d, &l->listed, LISTED_LOBBY, l->rules.rules.name, l);
	else
		listed_take(d, &l->listed, LISTED_LOBBY);
}

int remember_key(struct player *p, struct span key, const struct id *made)
{
	if (key.len == 0)
		return PLYD_OK;
	if (!p->keys)
		p->keys = calloc(KEYS_REMEMBERED, sizeof(*p->keys));
	if (!p->keys)
		return PLYD_ENOMEM;
	struct remembered_key *slot = &p->keys[p->key_next];
	p->key_next = (p->key_next + 1) % KEYS_REMEMBERED;
	span_copy(key, slot->key, sizeof(slot->key));
	slot->made = *made;
	return PLYD_OK;
}

const struct remembered_key *find_key(const struct player *p, struct span key)
{
	for (size_t i = 0; key.len > 0 && p->keys && i < KEYS_REMEMBERED; i++)
		if (span_is(key, p->keys[i].key))
			return &p->keys[i];
	return NULL;
}

static int apply_key_remembered(struct domain *d, const struct fact *f)
{
	struct player *p = find_player(d, &f->key_remembered.player);
	if (!p)
		return PLYD_ERECORD;
	return remember_key(p, f->key_remembered.key, &f->key_remembered.made);
}

static void seat_personality(struct lobby *l, int side)
{
	struct lobby_seat *seat = &l->seat[side];
	*seat = (struct lobby_seat){ .taken = true,
				     .ready = true,
				     .kind = KIND_PERSONALITY };
	memcpy(seat->name, l->personality, sizeof(l->personality));
}

static int apply_lobby_opened(struct domain *d, const struct fact *f)
{
	const struct fact_lobby_opened_body *b = &f->lobby_opened;
	const struct match_rules *rules = domain_rules_find(d, b->ruleset);
	struct player *owner = find_player(d, &b->owner);
	struct clock_rules clock;
	if (!owner || find_lobby(d, &b->lobby) ||
	    !clock_read(b->clock_kind, b->unlimited, b->base_ms,
			b->increment_ms, b->delay_ms, &clock) ||
	    b->opponent < AGAINST_ANYONE || b->opponent > AGAINST_PERSONALITY)
		return PLYD_ERECORD;
	/* a ruleset may have been changed, too */
	if (!rules || position_check(d, rules, b->position))
		return PLYD_ERULESET;
	struct lobby *l = calloc(1, sizeof(*l));
	if (!l || due_reserve(d) || listing_reserve(d, b->ruleset)) {
		free(l);
		return PLYD_ENOMEM;
	}
	l->id = b->lobby;
	l->owner = b->owner;
	l->rules = *rules;
	l->clock = clock;
	/* a ruleset that is no match any more has no length to be chosen */
	rules_set_length(&l->rules, b->match_length);
	l->opponent = (enum against)b->opponent;
	l->rated = b->rated;
	l->spectator_delay_ms = b->spectator_delay_ms;
	span_copy(b->personality, l->personality, sizeof(l->personality));
	span_copy(b->code, l->code, sizeof(l->code));
	l->invited_only = b->invited_only;
	l->closed = b->closed;
	span_copy(b->position, l->position, sizeof(l->position));
	l->due.owner = l;
	l->due.kind = DUE_LOBBY;
	TABLE_ADD(d->lobbies, id, l);
	if (!l->hh.tbl) {
		free(l);
		return PLYD_ENOMEM;
	}
	/* without memory for this, only its code is of no use */
	if (l->code[0])
		HASH_ADD(by_code, d->by_code, code, CODE_CHARS, l);
	if (l->opponent == AGAINST_PERSONALITY)
		seat_personality(l, b->side == WHITE ? BLACK : WHITE);
	return remember_key(owner, b->key, &b->lobby);
}

static void link_seat(struct domain *d, struct lobby *l, int side)
{
	struct player *p = find_player(d, &l->seat[side].player);
	struct lobby_link *link = &l->link[side];
	*link = (struct lobby_link){ .lobby = l, .side = (enum side)side };
	if (!p)
		return;
	DL_APPEND(p->lobbies, link);
	p->lobby_count++;
	player_set_due(d, p);
}

static int apply_lobby_seated(struct domain *d, const struct fact *f)
{
	struct lobby *l = find_lobby(d, &f->lobby_seated.lobby);
	struct player *p = find_player(d, &f->lobby_seated.player);
	int side = f->lobby_seated.side == BLACK ? BLACK : WHITE;
	if (!l)
		return PLYD_ENOLOBBY;
	if (!p || l->seat[side].taken || lobby_seat_of(l, &p->id) >= 0)
		return PLYD_ERECORD;
	struct lobby_seat *seat = &l->seat[side];
	*seat = (struct lobby_seat){ .taken = true,
				     .kind = p->kind,
				     .player = p->id };
	memcpy(seat->name, p->name, sizeof(seat->name));
	link_seat(d, l, side);
	lobby_uninvite(d, l, &p->id);
	lobby_set_due(d, l);
	lobby_set_listed(d, l);
	return PLYD_OK;
}

static int apply_lobby_readied(struct domain *d, const struct fact *f)
{
	struct lobby *l = find_lobby(d, &f->lobby_readied.lobby);
	int side = l ? lobby_seat_of(l, &f->lobby_readied.player) : -1;
	if (side < 0)
		return l ? PLYD_ERECORD : PLYD_ENOLOBBY;
	l->seat[side].ready = f->lobby_readied.ready;
	if (!l->seat[side].ready)
		l->unready_ms = 0;
	lobby_set_due(d, l);
	return PLYD_OK;
}

/* Takes a seat out of its player's list; a personality is in none. */
static void unlink_seat(struct domain *d, struct lobby *l, int side)
{
	struct player *p = find_player(d, &l->seat[side].player);
	if (!p)
		return;
	struct lobby_link *link = &l->link[side];
	DL_DELETE(p->lobbies, link);
	l->seat[side].driver = NULL;
	p->lobby_count--;
	player_set_due(d, p);
}

void lobby_vacate(struct domain *d, struct lobby *l, int side)
{
	if (side < 0)
		return;
	unlink_seat(d, l, side);
	l->seat[side] = (struct lobby_seat){ 0 };
	lobby_set_due(d, l);
	lobby_set_listed(d, l);
}

void lobby_swap(struct domain *d, struct lobby *l)
{
	struct lobby_seat white = l->seat[WHITE];
	unlink_seat(d, l, WHITE);
	unlink_seat(d, l, BLACK);
	l->seat[WHITE] = l->seat[BLACK];
	l->seat[BLACK] = white;
	link_seat(d, l, WHITE);
	link_seat(d, l, BLACK);
}

static int apply_lobby_left(struct domain *d, const struct fact *f)
{
	struct lobby *l = find_lobby(d, &f->lobby_left.lobby);
	int side = l ? lobby_seat_of(l, &f->lobby_left.player) : -1;
	if (side < 0)
		return l ? PLYD_ERECORD : PLYD_ENOLOBBY;
	const struct lobby_seat *other = &l->seat[1 - side];
	if (id_eq(&l->owner, &f->lobby_left.player) && other->taken)
		l->owner = other->player;
	lobby_vacate(d, l, side);
	return PLYD_OK;
}

void lobby_unlink(struct domain *d, struct lobby *l)
{
	for (int s = 0; s < 2; s++)
		if (l->seat[s].taken)
			unlink_seat(d, l, s);
	while (l->invited_count > 0) {
		struct id who = l->invited[0];
		lobby_uninvite(d, l, &who);
	}
	listed_take(d, &l->listed, LISTED_LOBBY);
	due_clear(&d->due, &l->due);
	if (l->by_code.tbl)
		HASH_DELETE(by_code, d->by_code, l);
	HASH_DELETE(hh, d->lobbies, l);
	chat_release(&l->chat);
}

static int apply_lobby_closed(struct domain *d, const struct fact *f)
{
	struct lobby *l = find_lobby(d, &f->lobby_closed.lobby);
	if (!l)
		return PLYD_ENOLOBBY;
	lobby_unlink(d, l);
	l->match = f->lobby_closed.match;
	/* effects of this step show it */
	free(d->closed);
	d->closed = l;
	return PLYD_OK;
}

int apply_general(struct domain *d, const struct fact *f)
{
	switch (f->type) {
	case FACT_PLAYER_ADDED: return apply_player_added(d, f);
	case FACT_TOKEN_OFFERED: return apply_token_offered(d, f);
	case FACT_TOKEN_USED: return apply_token_used(d, f);
	case FACT_SESSION_ADDED: return apply_session_added(d, f);
	case FACT_SESSION_ENDED: return apply_session_ended(d, f);
	case FACT_TOKEN_REPLACED: return apply_token_replaced(d, f);
	case FACT_ACCOUNT_OPENED:
	case FACT_PASSWORD_SET:
	case FACT_PLAYER_RENAMED:
	case FACT_BOT_TOKEN_SET:
	case FACT_PASSWORD_RESET:
	case FACT_ACCOUNT_CLOSED: return apply_account(d, f);
	case FACT_PLAYER_REMOVED: return apply_player_removed(d, f);
	case FACT_KEY_REMEMBERED: return apply_key_remembered(d, f);
	case FACT_LEAVES_COUNTED: return apply_leaves_counted(d, f);
	case FACT_WENT_AWAY: return apply_went_away(d, f);
	case FACT_CAME_BACK: return apply_came_back(d, f);
	case FACT_LOBBY_OPENED: return apply_lobby_opened(d, f);
	case FACT_LOBBY_SEATED: return apply_lobby_seated(d, f);
	case FACT_LOBBY_READIED: return apply_lobby_readied(d, f);
	case FACT_LOBBY_LEFT: return apply_lobby_left(d, f);
	case FACT_LOBBY_CLOSED: return apply_lobby_closed(d, f);
	case FACT_PLAYER_RATED: return apply_player_rated(d, f);
	case FACT_BANNED: return apply_banned(d, f);
	case FACT_UNBANNED: return apply_unbanned(d, f);
	case FACT_OPERATOR_TOKEN_SET: return apply_operator_token_set(d, f);
	case FACT_MUTED: return apply_muted(d, f);
	case FACT_BLOCKED: return apply_blocked(d, f);
	case FACT_UNBLOCKED: return apply_unblocked(d, f);
	case FACT_REPORTED: return apply_reported(d, f);
	case FACT_REPORT_CLOSED: return apply_report_closed(d, f);
	case FACT_REPORTS_COUNTED: return apply_reports_counted(d, f);
	case FACT_CHAT_SWITCHED: return apply_chat_switched(d, f);
	case FACT_AUDITED: return apply_audited(d, f);
	case FACT_SCRIPT_KEPT: return apply_script_kept(d, f);
	case FACT_TIME_PASSED: return PLYD_OK;
	case FACT_TOURNAMENT_MADE:
	case FACT_TOURNAMENT_MOVED:
	case FACT_TOURNAMENT_DIRECTED:
	case FACT_TOURNAMENT_INVITED:
	case FACT_TOURNAMENT_ENTERED:
	case FACT_TOURNAMENT_LEFT:
	case FACT_TOURNAMENT_CHECKED_IN:
	case FACT_TOURNAMENT_PAIRED:
	case FACT_TOURNAMENT_SET:
	case FACT_TOURNAMENT_RESULT:
	case FACT_TOURNAMENT_CORRECTED:
	case FACT_TOURNAMENT_REMOVED: return apply_tournament(d, f);
	default: return apply_meeting(d, f);
	}
}
