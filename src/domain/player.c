/* SPDX-License-Identifier: MIT
 * player.c - saying hello, coming back, going away. */
#include "domain/late.h"

#include <stdio.h>

#include <utlist.h>

static void tell_presence(struct domain *d, struct match *m, enum side side)
{
	struct effect *fx = effect_add(d, EFFECT_PRESENCE);
	fx->match = m;
	fx->side = side;
	if (m->late)
		late_presence(d, m, side);
}

/* The player is at his seats again; a turn that waited for him is released. */
static void arrive(struct domain *d, struct player *p)
{
	struct match_link *link;
	player_set_due(d, p);
	if (p->went_away)
		happen(d, &(struct fact){ .type = FACT_CAME_BACK,
					  .came_back = { p->id } });
	people_presence(d, p);
	DL_FOREACH (p->matches, link) {
		struct match *m = link->match;
		m->here[link->side] = true;
		match_set_due(d, m);
		tell_presence(d, m, link->side);
		if (m->state == MATCH_PLAYING && m->wait_ms > 0 &&
		    !m->judging && match_turn(m) == link->side)
			match_release_now(d, m);
	}
}

void hello_answer(struct domain *d, const struct command *cmd,
		  struct session *s, bool resumed)
{
	bool elsewhere = s->player->here > (s->conn != 0);
	session_comes(s, cmd->conn);
	struct effect *fx = answer(d, cmd);
	fx->player = s->player;
	fx->session = s;
	fx->answer.resumed = resumed;
	if (!elsewhere)
		arrive(d, s->player);
}

static void resume(struct domain *d, const struct command *cmd)
{
	struct session *s = find_session(d, &cmd->hello.token);
	if (!s) {
		refuse(d, cmd, PLYD_ETOKEN);
		return;
	}
	const struct id *player = &s->player->id;
	if (refuse_if_banned(d, cmd, s->player))
		return;
	if (s->conn != 0) {
		struct effect *fx = effect_add(d, EFFECT_DETACH);
		fx->conn = s->conn;
		fx->err = PLYD_EREPLACED;
		tournament_watches_drop(s);
		while (s->watching)
			watcher_drop(s->watching);
		while (s->following)
			follow_drop(s->following);
	}
	if (s->offered && digest_eq(&s->offered->token, &cmd->hello.token))
		happen(d,
		       &(struct fact){ .type = FACT_TOKEN_USED,
				       .token_used = { *player, s->number } });
	happen(d, &(struct fact){ .type = FACT_TOKEN_OFFERED,
				  .token_offered = { *player, cmd->hello.fresh,
						     s->number } });
	hello_answer(d, cmd, s, true);
}

static void forget(struct domain *d, const struct id *player)
{
	happen(d, &(struct fact){ .type = FACT_PLAYER_REMOVED,
				  .player_removed = { *player } });
}

/* Forgets the guest who has been idle longest; false: there is none. So nobody
 * is locked out by guests who came once and left. */
static bool make_room(struct domain *d)
{
	if (!d->idle)
		return false;
	forget(d, &d->idle->id);
	return true;
}

struct id player_new_id(struct domain *d)
{
	struct id id = id_new(&d->entropy);
	while (find_player(d, &id) || domain_is_deleted(d, &id))
		id = id_new(&d->entropy);
	return id;
}

/* A name for who has none, and the id that it is made of. */
static struct id make_name(struct domain *d)
{
	struct id id, evict;
	do {
		id = player_new_id(d);
		snprintf(d->name, sizeof(d->name), "guest-%.4s", id.text);
	} while (name_check(d, d->name, &id, &evict) == PLYD_ENAMETAKEN ||
		 !id_is_none(&evict));
	return id;
}

static bool is_full(const struct domain *d)
{
	return HASH_COUNT(d->players) - domain_account_count(d) >=
	       (size_t)d->limits.players_max;
}

/* A new guest, or a bot without an account. */
static void guest(struct domain *d, const struct command *cmd)
{
	static const struct id newcomer;
	struct id id, evict = { "" };
	if (refuse_if_banned(d, cmd, NULL))
		return;
	span_copy(cmd->hello.name, d->name, sizeof(d->name));
	int err = d->name[0] ? name_check(d, d->name, &newcomer, &evict)
			     : PLYD_OK;
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	if (is_full(d) && id_is_none(&evict) && !make_room(d)) {
		refuse(d, cmd, PLYD_EFULL);
		return;
	}
	if (!id_is_none(&evict))
		forget(d, &evict);
	id = d->name[0] ? player_new_id(d) : make_name(d);
	happen(d, &(struct fact){ .type = FACT_PLAYER_ADDED,
				  .player_added = { id, span_str(d->name),
						    cmd->hello.bot ? KIND_BOT
								   : KIND_GUEST,
						    cmd->hello.fresh } });
	hello_answer(d, cmd, player_session(find_player(d, &id), 0), false);
}

void on_hello(struct domain *d, const struct command *cmd)
{
	if (cmd->hello.resume)
		resume(d, cmd);
	else if (cmd->hello.login.len > 0)
		login_begin(d, cmd);
	else if (cmd->hello.by_bot_token)
		bot_login(d, cmd);
	else
		guest(d, cmd);
}

void on_attach(struct domain *d, const struct command *cmd)
{
	const struct player *p = find_player(d, &cmd->player);
	struct session *s = p ? player_session(p, cmd->session) : NULL;
	if (!s)
		return;
	bool elsewhere = player_is_here(p);
	session_comes(s, cmd->conn);
	if (!elsewhere)
		arrive(d, s->player);
}

void player_departs(struct domain *d, struct player *p)
{
	struct match_link *link;
	DL_FOREACH (p->matches, link) {
		struct match *m = link->match;
		m->here[link->side] = false;
		m->away_ms[link->side] = d->now_ms;
		match_set_due(d, m);
		tell_presence(d, m, link->side);
	}
	people_presence(d, p);
	player_set_due(d, p);
}

void on_gone(struct domain *d, const struct command *cmd)
{
	struct session *s = session_of(d, cmd);
	if (!s || s->conn == 0)
		return;
	session_goes(d, s);
	if (!player_is_here(s->player))
		player_departs(d, s->player);
}

void player_due(struct domain *d, struct player *p)
{
	if (p->leaving)
		player_leaves(d, p);
	else if (player_went_away(p))
		player_goes(d, p);
	else if (player_is_bound(p) || player_is_here(p) || p->account)
		player_set_due(d, p); /* what he was due for has passed */
	else
		forget(d, &p->id);
}
