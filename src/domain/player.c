/* SPDX-License-Identifier: MIT
 * player.c - saying hello, coming back, going away. */
#include "domain/domain_priv.h"

#include <stdio.h>

#include <utlist.h>

/* The player whose token in use, or whose offered one, this is. */
static struct player *find_by_token(struct domain *d,
				    const struct digest *token)
{
	struct player *p;
	HASH_FIND(by_token, d->by_token, token->byte, DIGEST_BYTES, p);
	if (p)
		return p;
	HASH_FIND(by_offered, d->by_offered, token->byte, DIGEST_BYTES, p);
	return p;
}

static void tell_presence(struct domain *d, struct match *m, enum side side)
{
	struct effect *fx = effect_add(d, EFFECT_PRESENCE);
	fx->match = m;
	fx->side = side;
}

/* The player is at his seats again; a turn that waited for him is released. */
static void arrive(struct domain *d, struct player *p)
{
	struct match_link *link;
	struct lobby_link *seat;
	due_clear(&d->due, &p->due);
	DL_FOREACH (p->lobbies, seat)
		lobby_set_due(d, seat->lobby);
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

static void hello_answer(struct domain *d, const struct command *cmd,
			 struct player *p, bool resumed)
{
	p->conn = cmd->conn;
	arrive(d, p);
	struct effect *fx = answer(d, cmd);
	fx->player = p;
	fx->answer.resumed = resumed;
}

static void resume(struct domain *d, const struct command *cmd)
{
	struct player *p = find_by_token(d, &cmd->hello.token);
	if (!p) {
		refuse(d, cmd, PLYD_ETOKEN);
		return;
	}
	if (p->conn != 0) {
		struct effect *fx = effect_add(d, EFFECT_DETACH);
		fx->conn = p->conn;
		fx->err = PLYD_EREPLACED;
		while (p->watching)
			watcher_drop(p->watching);
	}
	if (p->token_offered && digest_eq(&p->offered, &cmd->hello.token))
		happen(d, &(struct fact){ .type = FACT_TOKEN_USED,
					  .token_used = { p->id } });
	happen(d,
	       &(struct fact){ .type = FACT_TOKEN_OFFERED,
			       .token_offered = { p->id, cmd->hello.fresh } });
	hello_answer(d, cmd, p, true);
}

/* Forgets the guest who has been away longest and sits nowhere; false: there is
 * none. So nobody is locked out by guests who came once and left. */
static bool make_room(struct domain *d)
{
	const struct player *longest = NULL;
	for (const struct player *p = d->players; p; p = player_next(p))
		if (p->conn == 0 && p->match_count == 0 &&
		    p->lobby_count == 0 &&
		    (!longest || p->away_ms < longest->away_ms))
			longest = p;
	if (!longest)
		return false;
	happen(d, &(struct fact){ .type = FACT_PLAYER_REMOVED,
				  .player_removed = { longest->id } });
	return true;
}

void on_hello(struct domain *d, const struct command *cmd)
{
	if (cmd->hello.resume) {
		resume(d, cmd);
		return;
	}
	if (HASH_COUNT(d->players) >= (size_t)d->limits.players_max &&
	    !make_room(d)) {
		refuse(d, cmd, PLYD_EFULL);
		return;
	}
	struct id id = id_new(&d->entropy);
	while (find_player(d, &id))
		id = id_new(&d->entropy);
	span_copy(cmd->hello.name, d->name, sizeof(d->name));
	if (!d->name[0])
		snprintf(d->name, sizeof(d->name), "guest-%.4s", id.text);
	happen(d, &(struct fact){ .type = FACT_PLAYER_ADDED,
				  .player_added = { id, span_str(d->name),
						    cmd->hello.bot ? KIND_BOT
								   : KIND_GUEST,
						    cmd->hello.fresh } });
	hello_answer(d, cmd, find_player(d, &id), false);
}

void on_attach(struct domain *d, const struct command *cmd)
{
	struct player *p = find_player(d, &cmd->player);
	if (!p)
		return;
	p->conn = cmd->conn;
	arrive(d, p);
}

void on_gone(struct domain *d, const struct command *cmd)
{
	struct player *p = find_player(d, &cmd->player);
	if (!p || p->conn != cmd->conn)
		return;
	p->conn = 0;
	p->away_ms = d->now_ms;
	while (p->watching)
		watcher_drop(p->watching);
	struct match_link *link;
	struct lobby_link *seat;
	DL_FOREACH (p->matches, link) {
		struct match *m = link->match;
		m->here[link->side] = false;
		m->away_ms[link->side] = d->now_ms;
		match_set_due(d, m);
		tell_presence(d, m, link->side);
	}
	DL_FOREACH (p->lobbies, seat)
		lobby_set_due(d, seat->lobby);
	player_set_due(d, p);
}

void player_due(struct domain *d, struct player *p)
{
	happen(d, &(struct fact){ .type = FACT_PLAYER_REMOVED,
				  .player_removed = { p->id } });
}
