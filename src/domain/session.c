/* SPDX-License-Identifier: MIT
 * session.c - sessions of players: their tokens, their connections, and which of
 * them drives a seat. */
#include "domain/domain_priv.h"

#include <stdlib.h>

#include <utlist.h>

struct session *player_session(const struct player *p, uint32_t number)
{
	struct session *s;
	DL_FOREACH (p->sessions, s)
		if (s->number == number)
			return s;
	return NULL;
}

struct session *find_session(const struct domain *d, const struct digest *token)
{
	struct session *s;
	HASH_FIND(by_token, d->by_token, token->byte, DIGEST_BYTES, s);
	if (s)
		return s;
	const struct offered_token *o;
	HASH_FIND(hh, d->offered, token->byte, DIGEST_BYTES, o);
	return o ? o->session : NULL;
}

struct session *session_of(const struct domain *d, const struct command *cmd)
{
	const struct player *p = find_player(d, &cmd->player);
	struct session *s = NULL;
	if (!p)
		return NULL;
	if (cmd->conn == 0)
		return player_session(p, cmd->session);
	DL_FOREACH (p->sessions, s)
		if (s->conn == cmd->conn)
			break;
	return s;
}

/* -- facts -- */

int session_add(struct domain *d, struct player *p, uint32_t number,
		const struct digest *token)
{
	struct session *s = calloc(1, sizeof(*s));
	if (!s)
		return PLYD_ENOMEM;
	s->player = p;
	s->number = number;
	s->token = *token;
	s->away_ms = d->now_ms;
	HASH_ADD(by_token, d->by_token, token.byte, DIGEST_BYTES, s);
	if (!s->by_token.tbl) {
		free(s);
		return PLYD_ENOMEM;
	}
	DL_APPEND(p->sessions, s);
	p->session_count++;
	if (number >= p->session_next)
		p->session_next = number + 1;
	return PLYD_OK;
}

static void drop_offered(struct domain *d, struct session *s)
{
	if (s->offered)
		HASH_DELETE(hh, d->offered, s->offered);
	free(s->offered);
	s->offered = NULL;
}

void session_free(struct domain *d, struct session *s)
{
	session_goes(d, s);
	drop_offered(d, s);
	if (s->by_token.tbl)
		HASH_DELETE(by_token, d->by_token, s);
	DL_DELETE(s->player->sessions, s);
	s->player->session_count--;
	free(s);
}

/* The session that a fact is about. */
static struct session *told(const struct domain *d, const struct id *player,
			    int64_t number)
{
	const struct player *p = find_player(d, player);
	return p && number >= 0 && number < UINT32_MAX
		       ? player_session(p, (uint32_t)number)
		       : NULL;
}

int apply_session_added(struct domain *d, const struct fact *f)
{
	const struct fact_session_added_body *b = &f->session_added;
	struct player *p = find_player(d, &b->player);
	if (!p || b->session < 0 || b->session >= UINT32_MAX ||
	    player_session(p, (uint32_t)b->session))
		return PLYD_ERECORD;
	int err = session_add(d, p, (uint32_t)b->session, &b->token);
	if (!err)
		player_session(p, (uint32_t)b->session)->began_at = b->began_at;
	return err;
}

int apply_session_ended(struct domain *d, const struct fact *f)
{
	struct session *s =
		told(d, &f->session_ended.player, f->session_ended.session);
	if (!s)
		return PLYD_ERECORD;
	session_free(d, s);
	return PLYD_OK;
}

int apply_token_offered(struct domain *d, const struct fact *f)
{
	struct session *s =
		told(d, &f->token_offered.player, f->token_offered.session);
	if (!s)
		return PLYD_ERECORD;
	drop_offered(d, s);
	struct offered_token *o = calloc(1, sizeof(*o));
	if (!o)
		return PLYD_ENOMEM;
	o->token = f->token_offered.token;
	o->session = s;
	HASH_ADD(hh, d->offered, token.byte, DIGEST_BYTES, o);
	if (!o->hh.tbl) {
		free(o);
		return PLYD_ENOMEM;
	}
	s->offered = o;
	return PLYD_OK;
}

int apply_token_used(struct domain *d, const struct fact *f)
{
	struct session *s =
		told(d, &f->token_used.player, f->token_used.session);
	if (!s || !s->offered)
		return PLYD_ERECORD;
	HASH_DELETE(by_token, d->by_token, s);
	s->token = s->offered->token;
	drop_offered(d, s);
	HASH_ADD(by_token, d->by_token, token.byte, DIGEST_BYTES, s);
	return s->by_token.tbl ? PLYD_OK : PLYD_ENOMEM;
}

int apply_token_replaced(struct domain *d, const struct fact *f)
{
	struct session *s =
		told(d, &f->token_replaced.player, f->token_replaced.session);
	if (!s)
		return PLYD_ERECORD;
	HASH_DELETE(by_token, d->by_token, s);
	drop_offered(d, s);
	s->token = f->token_replaced.token;
	HASH_ADD(by_token, d->by_token, token.byte, DIGEST_BYTES, s);
	return s->by_token.tbl ? PLYD_OK : PLYD_ENOMEM;
}

/* -- ending -- */

void session_end(struct domain *d, struct session *s, int why)
{
	struct player *p = s->player;
	uint64_t conn = s->conn;
	if (conn != 0) {
		struct effect *fx = effect_add(d, EFFECT_DETACH);
		fx->conn = conn;
		fx->err = why;
	}
	happen(d, &(struct fact){ .type = FACT_SESSION_ENDED,
				  .session_ended = { p->id, s->number } });
	if (conn != 0 && !player_is_here(p))
		player_departs(d, p);
}

void sessions_end(struct domain *d, struct player *p,
		  const struct session *keep, int why)
{
	struct session *s, *next;
	DL_FOREACH_SAFE(p->sessions, s, next)
	if (s != keep)
		session_end(d, s, why);
}

int session_make_room(struct domain *d, struct player *p)
{
	struct session *s, *longest = NULL;
	if (p->session_count < SESSIONS_PER_PLAYER_MAX)
		return PLYD_OK;
	DL_FOREACH (p->sessions, s)
		if (s->conn == 0 && (!longest || s->away_ms < longest->away_ms))
			longest = s;
	if (!longest)
		return PLYD_ETOOMANY;
	session_end(d, longest, PLYD_EENDED);
	return PLYD_OK;
}

/* -- coming and going -- */

void session_comes(struct session *s, uint64_t conn)
{
	s->player->here += s->conn == 0;
	s->conn = conn;
}

void session_goes(struct domain *d, struct session *s)
{
	struct player *p = s->player;
	struct match_link *match;
	struct lobby_link *lobby;
	tournament_watches_drop(s);
	while (s->watching)
		watcher_drop(s->watching);
	while (s->following)
		follow_drop(s->following);
	DL_FOREACH (p->matches, match)
		if (match->match->driver[match->side] == s)
			match->match->driver[match->side] = NULL;
	DL_FOREACH (p->lobbies, lobby)
		if (lobby->lobby->seat[lobby->side].driver == s)
			lobby->lobby->seat[lobby->side].driver = NULL;
	if (s->conn == 0)
		return;
	s->conn = 0;
	s->away_ms = d->now_ms;
	if (--p->here == 0)
		p->away_ms = d->now_ms;
}

/* -- seats -- */

static struct effect *take(struct domain *d, const struct command *cmd,
			   struct session **driver)
{
	struct session *had = *driver;
	if (had && had->conn != 0 && had->conn == cmd->conn)
		return NULL; /* as nearly always: it goes on */
	struct session *s = session_of(d, cmd);
	*driver = s;
	if (!had || had == s || had->conn == 0)
		return NULL;
	struct effect *fx = effect_add(d, EFFECT_SEAT_TAKEN);
	fx->conn = had->conn;
	fx->session = s;
	return fx;
}

void match_take_seat(struct domain *d, const struct command *cmd,
		     struct match *m, enum side side)
{
	/* a match that is over has no players any more */
	struct effect *fx =
		m->link[side].match ? take(d, cmd, &m->driver[side]) : NULL;
	if (!fx)
		return;
	fx->match = m;
	fx->side = side;
}

void lobby_take_seat(struct domain *d, const struct command *cmd,
		     struct lobby *l, int side)
{
	struct effect *fx = take(d, cmd, &l->seat[side].driver);
	if (!fx)
		return;
	fx->lobby = l;
	fx->side = (enum side)side;
}
