/* SPDX-License-Identifier: MIT
 * referee_general.c - players and lobbies as the journal tells them. */
#include "referee_priv.h"

#include <stdio.h>
#include <stdlib.h>

static void player_added(struct sim *sim, const struct fact *f)
{
	struct referee *r = sim->referee;
	if (book_player(r, &f->player_added.player)) {
		sim_fail(sim, "a player is added twice");
		return;
	}
	r->player = sim_grow(r->player, &r->player_cap, r->players,
			     sizeof(*r->player));
	struct book_player *p = &r->player[r->players++];
	/* whose connection ended before the row was durable is away since
	 * then, and never said a word that could be judged */
	*p = (struct book_player){
		.id = f->player_added.player,
		.kind = (enum player_kind)f->player_added.kind,
		.away_ms = f->at_ms
	};
	span_copy(f->player_added.name, p->name, sizeof(p->name));
	book_session_add(p, 0, &f->player_added.token);
	judge_name(sim, &p->id, p->name, f->at_ms);
}

/* Whether as many players are known as may be. */
static bool is_full(const struct sim *sim)
{
	const struct referee *r = sim->referee;
	size_t known = 0;
	for (size_t i = 0; i < r->players; i++)
		known += !r->player[i].gone && !r->player[i].login[0] &&
			 !r->player[i].leaving;
	return known >= (size_t)sim->domain_limits.players_max;
}

/* Only who is away long enough and has no seat is forgotten; before his time
 * only to make room. */
static void player_removed(struct sim *sim, const struct fact *f)
{
	struct referee *r = sim->referee;
	struct book_player *p = book_player(r, &f->player_removed.player);
	if (!p || p->gone) {
		sim_fail(sim, "nobody is removed");
		return;
	}
	bool full = is_full(sim);
	uint64_t keep_ms = (uint64_t)sim->domain_limits.guest_keep_ms;
	size_t known = 0;
	for (size_t i = 0; i < r->players; i++)
		known += !r->player[i].gone;
	p->gone = true;
	p->gone_batch = r->batch;
	if (p->login[0])
		sim_fail(sim, "%s is forgotten with his account", p->name);
	talk_player_removed(sim, &p->id);
	if (p->here)
		sim_fail(sim, "%s is forgotten, but here", p->name);
	if (known < (size_t)sim->domain_limits.players_max &&
	    (!full && !p->leaving && f->at_ms < p->away_ms + keep_ms))
		memcpy(r->evicted, p->name, sizeof(r->evicted));
	for (size_t i = 0; i < r->lobbies; i++)
		for (int s = 0; s < SIDES; s++)
			if (r->lobby[i].open && r->lobby[i].taken[s] &&
			    id_eq(&r->lobby[i].player[s], &p->id))
				sim_fail(sim, "%s is forgotten in a lobby",
					 p->name);
	for (size_t i = 0; i < r->matches; i++)
		if (!r->match[i].over && !is_frozen(&r->match[i]) &&
		    seat_of(&r->match[i], &p->id) >= 0)
			sim_fail(sim, "%s is forgotten in a match", p->name);
}

/* What was asked for, or what the ruleset has. */
static int length_of_lobby(const struct sim *sim,
			   const struct fact_lobby_opened_body *b)
{
	for (int i = 0; i < RULESETS; i++) {
		const struct ruleset *r = &sim->rules[i].rules;
		if (!span_is(b->ruleset, r->name))
			continue;
		if (r->family != FAMILY_BACKGAMMON ||
		    r->backgammon.match_length == 0)
			return 0;
		return b->match_length > 0 ? (int)b->match_length
					   : r->backgammon.match_length;
	}
	return 0;
}

static void lobby_opened(struct sim *sim, const struct fact *f)
{
	struct referee *r = sim->referee;
	const struct fact_lobby_opened_body *b = &f->lobby_opened;
	char key[KEY_BYTES_MAX + 1];
	span_copy(b->key, key, sizeof(key));
	for (size_t i = 0; key[0] && i < r->lobbies; i++)
		if (id_eq(&r->lobby[i].opener, &b->owner) &&
		    !strcmp(r->lobby[i].key, key))
			sim_fail(sim, "the key %s makes a second lobby", key);
	r->lobby = sim_grow(r->lobby, &r->lobby_cap, r->lobbies,
			    sizeof(*r->lobby));
	struct book_lobby *l = &r->lobby[r->lobbies++];
	*l = (struct book_lobby){ .id = b->lobby,
				  .owner = b->owner,
				  .opener = b->owner,
				  .clock = { (int)b->clock_kind, b->base_ms,
					     b->increment_ms, b->delay_ms },
				  .length = length_of_lobby(sim, b),
				  .invited_only = b->invited_only,
				  .open = true };
	memcpy(l->key, key, sizeof(key));
	span_copy(b->ruleset, l->ruleset, sizeof(l->ruleset));
	span_copy(b->position, l->position, sizeof(l->position));
	span_copy(b->code, l->code, sizeof(l->code));
	span_copy(b->personality, l->personality, sizeof(l->personality));
	if (b->opponent == AGAINST_PERSONALITY)
		l->taken[1 - b->side] = l->ready[1 - b->side] = true;
}

bool ever_sat(const struct book_lobby *l, const struct id *player)
{
	for (size_t i = 0; i < l->evers; i++)
		if (id_eq(&l->ever[i], player))
			return true;
	return false;
}

/* Lobbies, seats of one player and players are limited. */
static void judge_limits(struct sim *sim, const struct id *player)
{
	const struct referee *r = sim->referee;
	int64_t players = 0, open = 0, seats = 0;
	for (size_t i = 0; i < r->players; i++)
		players += !r->player[i].gone && !r->player[i].login[0] &&
			   !r->player[i].leaving;
	for (size_t i = 0; i < r->lobbies; i++) {
		open += r->lobby[i].open;
		for (int s = 0; player && s < SIDES; s++)
			seats += r->lobby[i].open && r->lobby[i].taken[s] &&
				 id_eq(&r->lobby[i].player[s], player);
	}
	if (players > sim->domain_limits.players_max ||
	    open > sim->domain_limits.lobbies_max ||
	    seats > sim->domain_limits.lobbies_per_player)
		sim_fail(sim, "more players, lobbies or seats than may be");
}

static void lobby_seated(struct sim *sim, const struct fact *f)
{
	struct book_lobby *l = book_lobby(sim->referee, &f->lobby_seated.lobby);
	int side = (int)f->lobby_seated.side;
	if (!l || !l->open || l->taken[side]) {
		sim_fail(sim, "a seat is taken that is not free");
		return;
	}
	if (l->taken[1 - side] &&
	    id_eq(&l->player[1 - side], &f->lobby_seated.player))
		sim_fail(sim, "one person has both seats of a lobby");
	meeting_seated(sim, l, &f->lobby_seated.player);
	l->taken[side] = true;
	l->ready[side] = false;
	l->player[side] = f->lobby_seated.player;
	if (!ever_sat(l, &l->player[side]) && l->evers < 2 * CLIENTS_MAX)
		l->ever[l->evers++] = l->player[side];
	judge_limits(sim, &l->player[side]);
}

static int lobby_side(const struct book_lobby *l, const struct id *player)
{
	for (int s = 0; l && l->open && s < SIDES; s++)
		if (l->taken[s] && id_eq(&l->player[s], player))
			return s;
	return -1;
}

static void lobby_left(struct sim *sim, const struct fact *f)
{
	struct book_lobby *l = book_lobby(sim->referee, &f->lobby_left.lobby);
	int side = lobby_side(l, &f->lobby_left.player);
	if (side < 0) {
		sim_fail(sim, "a seat is left by somebody else");
		return;
	}
	lobby_left_for(sim, l, side, f->at_ms);
	if (id_eq(&l->owner, &l->player[side]) && l->taken[1 - side])
		l->owner = l->player[1 - side];
	l->taken[side] = l->ready[side] = false;
	l->player[side] = (struct id){ "" };
}

/* Whether it began where its lobby says. */
static bool began_there(const struct book_match *m, const char *text)
{
	struct position start;
	struct text_error where;
	if (!text[0])
		game_start(&m->rules, &start);
	else if (game_read(&m->rules, text, strlen(text), &start, &where))
		return false;
	return ruleset_has_dice(&m->rules) ||
	       !memcmp(&start, &m->start, sizeof(start));
}

static void match_is_of(struct sim *sim, const struct id *match,
			const struct book_lobby *l)
{
	const struct book_match *m = book_match(sim->referee, match);
	const struct book_clock *clock = &l->clock;
	int length = l->length;
	if (m && (!began_there(m, l->position) || (l->position[0] && m->rated)))
		sim_fail(sim, "%s begins elsewhere than its lobby says",
			 match->text);
	if (m && m->rules.family == FAMILY_BACKGAMMON &&
	    m->rules.backgammon.match_length != length)
		sim_fail(sim, "%s has another length than its lobby",
			 match->text);
	if (!m || !clocks_equal(&m->clock, clock))
		sim_fail(sim, "%s has another clock than its lobby",
			 match->text);
}

/* Who was forgotten before his time gave his name to a newcomer. */
static void judge_eviction(struct sim *sim, const struct fact *f)
{
	struct referee *r = sim->referee;
	struct span name = f->type == FACT_PLAYER_ADDED ? f->player_added.name
			   : f->type == FACT_PLAYER_RENAMED
				   ? f->player_renamed.name
				   : span_str("");
	if (r->evicted[0] &&
	    (name.len != strlen(r->evicted) ||
	     strncasecmp((const char *)name.at, r->evicted, name.len) != 0))
		sim_fail(sim, "%s is forgotten too soon", r->evicted);
	r->evicted[0] = '\0';
}

/* Not too often, and only while a match runs. */
static void time_passed(struct sim *sim, const struct fact *f)
{
	const struct referee *r = sim->referee;
	int64_t running = 0;
	for (size_t i = 0; i < r->matches; i++)
		running += !r->match[i].over && !is_frozen(&r->match[i]);
	/* a start does not know of rows that lie in records, so it may record
	 * the time once too early */
	bool early =
		r->recorded_ms >= r->generation_ms &&
		f->at_ms < r->recorded_ms +
				   (uint64_t)sim->domain_limits.time_fact_ms;
	if (running == 0 || f->time_passed.matches != running || early)
		sim_fail(sim, "the time is recorded for nothing");
}

static void lobby_or_player_fact(struct sim *sim, const struct fact *f)
{
	struct book_lobby *l;
	int side;
	switch (f->type) {
	case FACT_PLAYER_RATED: player_rated_fact(sim, f); break;
	case FACT_PLAYER_ADDED:
		player_added(sim, f);
		judge_limits(sim, NULL);
		break;
	case FACT_PLAYER_REMOVED: player_removed(sim, f); break;
	case FACT_LEAVES_COUNTED: leaves_counted(sim, f); break;
	case FACT_WENT_AWAY: went_away(sim, f); break;
	case FACT_CAME_BACK: came_back(sim, f); break;
	case FACT_LOBBY_OPENED: lobby_opened(sim, f); break;
	case FACT_LOBBY_SEATED: lobby_seated(sim, f); break;
	case FACT_LOBBY_LEFT: lobby_left(sim, f); break;
	case FACT_TIME_PASSED: time_passed(sim, f); break;
	case FACT_SCRIPT_KEPT: script_kept_fact(sim, f); break;
	case FACT_LOBBY_READIED:
		l = book_lobby(sim->referee, &f->lobby_readied.lobby);
		side = lobby_side(l, &f->lobby_readied.player);
		if (side < 0)
			sim_fail(sim, "somebody without a seat is ready");
		else
			l->ready[side] = f->lobby_readied.ready;
		break;
	case FACT_LOBBY_CLOSED:
		l = book_lobby(sim->referee, &f->lobby_closed.lobby);
		if (!l || !l->open)
			sim_fail(sim, "a lobby is closed that is not open");
		else if (!id_is_none(&f->lobby_closed.match) &&
			 !(l->ready[WHITE] && l->ready[BLACK]))
			sim_fail(sim, "a match begins before both are ready");
		else
			l->open = false;
		if (!l)
			break;
		l->closed_batch = sim->referee->batch;
		if (id_is_none(&f->lobby_closed.match))
			break;
		match_is_of(sim, &f->lobby_closed.match, l);
		ai_begins(sim, l);
		break;
	default:
		if (!talk_fact(sim, f))
			sim_fail(sim, "a fact of another stream");
		break;
	}
}

void general_fact(struct sim *sim, const struct fact *f)
{
	judge_eviction(sim, f);
	if (!account_fact(sim, f) && !meeting_fact(sim, f) && !cup_fact(sim, f))
		lobby_or_player_fact(sim, f);
	lobbies_wait(sim, f->at_ms);
}

/* -- the domain after a start -- */

static void compare_player(struct sim *sim, const struct book_player *p)
{
	const struct player *d = domain_player(hub_domain(sim->hub), &p->id);
	if (p->gone)
		return;
	if (!d)
		sim_fail(sim, "%s is forgotten after a start", p->name);
	else if (d->leaves != p->leaves || d->went_away != p->went_away ||
		 (p->went_away && d->went_away_ms != p->went_away_ms))
		sim_fail(sim, "%s has other leaves after a start", p->name);
	else if ((strcmp(d->name, p->name) && !p->leaving) ||
		 d->kind != p->kind)
		sim_fail(sim, "%s is somebody else after a start", p->name);
	else
		account_compare(sim, p, d);
}

static void compare_lobby(struct sim *sim, const struct book_lobby *l)
{
	const struct lobby *d = domain_lobby(hub_domain(sim->hub), &l->id);
	if (!l->open)
		return;
	if (!d) {
		sim_fail(sim, "lobby %s is forgotten after a start",
			 l->id.text);
		return;
	}
	bool same = id_eq(&d->owner, &l->owner) && !strcmp(d->code, l->code) &&
		    !strcmp(d->rules.rules.name, l->ruleset) &&
		    !strcmp(d->personality, l->personality);
	for (int s = 0; s < SIDES; s++)
		same = same && d->seat[s].taken == l->taken[s] &&
		       d->seat[s].ready == l->ready[s] &&
		       id_eq(&d->seat[s].player, &l->player[s]);
	if (!same)
		sim_fail(sim, "lobby %s is another after a start", l->id.text);
}

void general_compare(struct sim *sim)
{
	const struct referee *r = sim->referee;
	size_t players = 0, lobbies = 0;
	for (size_t i = 0; i < r->players && !sim->failed; i++) {
		compare_player(sim, &r->player[i]);
		players += !r->player[i].gone;
	}
	for (size_t i = 0; i < r->lobbies && !sim->failed; i++) {
		compare_lobby(sim, &r->lobby[i]);
		lobbies += r->lobby[i].open;
	}
	talk_compare(sim);
	if (players != domain_player_count(hub_domain(sim->hub)))
		sim_fail(sim, "%zu players came back of %zu",
			 domain_player_count(hub_domain(sim->hub)), players);
	if (lobbies != domain_lobby_count(hub_domain(sim->hub)))
		sim_fail(sim, "%zu lobbies came back of %zu",
			 domain_lobby_count(hub_domain(sim->hub)), lobbies);
	if (!sim->failed)
		meeting_compare(sim);
	cups_compare(sim);
}
