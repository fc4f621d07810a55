/* SPDX-License-Identifier: MIT
 * request.c - requests become commands of the domain. One small function a
 * method; the table makes a missing one a compile error. */
#include "session/hub_priv.h"

#include "proto/write.h"

void refuse_at_once(struct hub *h, const struct conn *c,
		    const struct request *r, int err)
{
	hub_error(h, c->number, r->msgid, err, NULL, NULL, NULL);
	hub_send_now(h, c->number);
}

/* -- hello -- */

static void to_hello(struct hub *h, struct conn *c, const struct request *r,
		     struct command *cmd)
{
	static char name[NAME_BYTES_MAX + 1];
	const struct params_hello *p = &r->params.hello;
	struct cmd_hello *hello = &cmd->hello;
	if (p->has_name && name_clean(p->name, name))
		hello->name = span_str(name);
	hello->bot = p->bot;
	hello->resume = p->has_token;
	if (p->has_token) {
		struct span shown = span_of(p->token.at, p->token.len);
		hello->token = sha256(&shown, 1);
	}
	hello->has_address = c->has_ip;
	hello->address = c->ip;
	to_login(r, hello);
	hello->fresh = token_draw(h);
	cmd->type = CMD_HELLO;
}

static bool hello_allowed(struct hub *h, struct conn *c,
			  const struct request *r)
{
	char name[NAME_BYTES_MAX + 1];
	const struct params_hello *p = &r->params.hello;
	if (p->has_name && !name_clean(p->name, name)) {
		refuse_at_once(h, c, r, PLYD_ENAME);
		return false;
	}
	if (c->hello_failures < HELLO_ATTEMPTS_MAX)
		return true;
	conn_close_now(h, c, PLYD_ETOKEN, "Too many attempts to resume.");
	return false;
}

/* -- lobbies -- */

static void to_lobby_list(struct hub *h, struct conn *c,
			  const struct request *r, struct command *cmd)
{
	(void)h, (void)c;
	cmd->type = CMD_LOBBY_LIST;
	cmd->list = list_of_lobbies(&r->params.lobby_list);
}

_Static_assert((int)CLOCK_CHOICE_PER_MOVE == (int)CLOCK_PER_MOVE &&
		       (int)CLOCK_CHOICE_DELAY == (int)CLOCK_DELAY,
	       "the wire and the domain number clocks alike");

static void to_lobby_create(struct hub *h, struct conn *c,
			    const struct request *r, struct command *cmd)
{
	static const enum against against[] = {
		[OPPONENT_ANYONE] = AGAINST_ANYONE,
		[OPPONENT_PERSON] = AGAINST_PERSON,
		[OPPONENT_BOT] = AGAINST_BOT,
		[OPPONENT_PERSONALITY] = AGAINST_PERSONALITY,
	};
	const struct params_lobby_create *p = &r->params.lobby_create;
	(void)h, (void)c;
	cmd->type = CMD_LOBBY_CREATE;
	cmd->create = (struct cmd_lobby_create){
		.ruleset = p->ruleset,
		.side = wish_side(p->has_side, p->side),
		.opponent = against[p->opponent],
		.personality = p->personality,
		.clock = CLOCK_WISH(p),
		.is_private =
			p->has_access ? p->access == ACCESS_CODE : p->private,
		.invited_only = p->access == ACCESS_INVITED,
		.closed = p->has_spectators && !p->spectators,
		.ready = p->ready,
		.rated = p->rated,
		.spectator_delay_ms = p->spectator_delay_ms,
		.key = p->key,
		.match_length = (int)p->match_length,
		.position = p->position,
	};
	if (!p->has_opponent)
		cmd->create.opponent = p->has_personality ? AGAINST_PERSONALITY
							  : AGAINST_ANYONE;
}

static void to_lobby_join(struct hub *h, struct conn *c,
			  const struct request *r, struct command *cmd)
{
	const struct params_lobby_join *p = &r->params.lobby_join;
	(void)h, (void)c;
	cmd->type = CMD_LOBBY_JOIN;
	cmd->join = (struct cmd_lobby_join){
		.lobby = p->lobby,
		.code = p->code,
		.side = wish_side(p->has_side, p->side),
		.ready = p->ready,
	};
}

static void to_lobby_get(struct hub *h, struct conn *c, const struct request *r,
			 struct command *cmd)
{
	(void)h, (void)c;
	cmd->type = CMD_LOBBY_GET;
	cmd->lobby = r->params.lobby_get.lobby;
}

static void to_lobby_leave(struct hub *h, struct conn *c,
			   const struct request *r, struct command *cmd)
{
	(void)h, (void)c;
	cmd->type = CMD_LOBBY_LEAVE;
	cmd->lobby = r->params.lobby_leave.lobby;
}

static void to_lobby_ready(struct hub *h, struct conn *c,
			   const struct request *r, struct command *cmd)
{
	const struct params_lobby_ready *p = &r->params.lobby_ready;
	(void)h, (void)c;
	cmd->type = CMD_LOBBY_READY;
	cmd->lobby = p->lobby;
	cmd->ready = !p->has_ready || p->ready;
}

/* -- matches -- */

/* Methods whose only parameter is the match. */
#define TO_MATCH(name, UPPER)                                                  \
	static void to_##name(struct hub *h, struct conn *c,                   \
			      const struct request *r, struct command *cmd)    \
	{                                                                      \
		(void)h, (void)c;                                              \
		cmd->type = CMD_##UPPER;                                       \
		cmd->match = r->params.name.match;                             \
	}
TO_MATCH(match_get, MATCH_GET)
TO_MATCH(match_watch, MATCH_WATCH)
TO_MATCH(match_unwatch, MATCH_UNWATCH)
TO_MATCH(match_offer_draw, MATCH_OFFER_DRAW)
TO_MATCH(match_abort, MATCH_ABORT)
TO_MATCH(match_rematch, MATCH_REMATCH)
TO_MATCH(match_resume, MATCH_RESUME)
TO_MATCH(match_leave, MATCH_LEAVE)
TO_MATCH(match_rematch_decline, MATCH_REMATCH_DECLINE)
#undef TO_MATCH

static void to_match_list(struct hub *h, struct conn *c,
			  const struct request *r, struct command *cmd)
{
	(void)h, (void)c;
	cmd->type = CMD_MATCH_LIST;
	cmd->list = list_of_matches(&r->params.match_list);
}

static void to_match_nonce(struct hub *h, struct conn *c,
			   const struct request *r, struct command *cmd)
{
	const struct params_match_nonce *p = &r->params.match_nonce;
	(void)h, (void)c;
	cmd->type = CMD_MATCH_NONCE;
	cmd->match = p->match;
	cmd->nonce = span_of(p->nonce.at, p->nonce.len);
}

/* Takebacks that a player knows of; see struct command. */
static uint32_t known(bool given, int64_t takebacks)
{
	return given ? (uint32_t)takebacks + 1 : 0;
}

static void to_match_move(struct hub *h, struct conn *c,
			  const struct request *r, struct command *cmd)
{
	const struct params_match_move *p = &r->params.match_move;
	(void)h, (void)c;
	cmd->type = CMD_MATCH_MOVE;
	cmd->match = p->match;
	cmd->move = (struct cmd_match_move){ (uint32_t)p->ply, p->move };
	cmd->takebacks_known = known(p->has_takebacks, p->takebacks);
}

/* Methods that bind a ply and the takebacks before. */
#define TO_TAKEBACK(name, UPPER)                                               \
	static void to_##name(struct hub *h, struct conn *c,                   \
			      const struct request *r, struct command *cmd)    \
	{                                                                      \
		const struct params_##name *p = &r->params.name;               \
		(void)h, (void)c;                                              \
		cmd->type = CMD_##UPPER;                                       \
		cmd->match = p->match;                                         \
		cmd->ply = (uint32_t)p->ply;                                   \
		cmd->takebacks_known = known(p->has_takebacks, p->takebacks);  \
	}
TO_TAKEBACK(match_takeback_offer, MATCH_TAKEBACK_OFFER)
TO_TAKEBACK(match_takeback_accept, MATCH_TAKEBACK_ACCEPT)
TO_TAKEBACK(match_takeback_decline, MATCH_TAKEBACK_DECLINE)
#undef TO_TAKEBACK

#define TO_PAUSE(name, UPPER)                                                  \
	static void to_##name(struct hub *h, struct conn *c,                   \
			      const struct request *r, struct command *cmd)    \
	{                                                                      \
		(void)h, (void)c;                                              \
		cmd->type = CMD_##UPPER;                                       \
		cmd->match = r->params.name.match;                             \
		cmd->ply = (uint32_t)r->params.name.ply;                       \
	}
TO_PAUSE(match_pause_offer, MATCH_PAUSE_OFFER)
TO_PAUSE(match_pause_accept, MATCH_PAUSE_ACCEPT)
TO_PAUSE(match_pause_decline, MATCH_PAUSE_DECLINE)
#undef TO_PAUSE

static void to_match_accept_draw(struct hub *h, struct conn *c,
				 const struct request *r, struct command *cmd)
{
	const struct params_match_accept_draw *p = &r->params.match_accept_draw;
	(void)h, (void)c;
	cmd->type = CMD_MATCH_ACCEPT_DRAW;
	cmd->match = p->match;
	cmd->ply = (uint32_t)p->ply;
}

static void to_match_decline_draw(struct hub *h, struct conn *c,
				  const struct request *r, struct command *cmd)
{
	const struct params_match_decline_draw *p =
		&r->params.match_decline_draw;
	(void)h, (void)c;
	cmd->type = CMD_MATCH_DECLINE_DRAW;
	cmd->match = p->match;
	cmd->ply = (uint32_t)p->ply;
}

static void to_match_resign(struct hub *h, struct conn *c,
			    const struct request *r, struct command *cmd)
{
	const struct params_match_resign *p = &r->params.match_resign;
	(void)h, (void)c;
	cmd->type = CMD_MATCH_RESIGN;
	cmd->match = p->match;
	cmd->resign = (struct cmd_match_resign){ .level = (int)p->level,
						 .whole = p->whole,
						 .game = (uint32_t)p->game };
}

/* Of a match and a ply; of a match and an offer. */
#define TO_ACT(name, UPPER, member, type_of)                                   \
	static void to_##name(struct hub *h, struct conn *c,                   \
			      const struct request *r, struct command *cmd)    \
	{                                                                      \
		(void)h, (void)c;                                              \
		cmd->type = CMD_##UPPER;                                       \
		cmd->match = r->params.name.match;                             \
		cmd->member = (type_of)r->params.name.member;                  \
	}
TO_ACT(match_roll, MATCH_ROLL, ply, uint32_t)
TO_ACT(match_double, MATCH_DOUBLE, ply, uint32_t)
TO_ACT(match_take, MATCH_TAKE, ply, uint32_t)
TO_ACT(match_drop, MATCH_DROP, ply, uint32_t)
TO_ACT(match_accept_resign, MATCH_ACCEPT_RESIGN, offer, uint64_t)
TO_ACT(match_decline_resign, MATCH_DECLINE_RESIGN, offer, uint64_t)
#undef TO_ACT

static void to_match_seen(struct hub *h, struct conn *c,
			  const struct request *r, struct command *cmd)
{
	const struct params_match_seen *p = &r->params.match_seen;
	(void)h, (void)c;
	cmd->type = CMD_MATCH_SEEN;
	cmd->match = p->match;
	for (size_t i = 0; i < LAG_BYTES; i++)
		cmd->lag = cmd->lag << 8 | p->lag.at[i];
}

static void to_match_claim(struct hub *h, struct conn *c,
			   const struct request *r, struct command *cmd)
{
	const struct params_match_claim *p = &r->params.match_claim;
	(void)h, (void)c;
	cmd->type = CMD_MATCH_CLAIM;
	cmd->match = p->match;
	cmd->claim_win = p->result == CLAIM_WIN;
}

/* -- following -- */

static void to_player_watch(struct hub *h, struct conn *c,
			    const struct request *r, struct command *cmd)
{
	(void)h, (void)c;
	cmd->type = CMD_PLAYER_WATCH;
	cmd->whom = r->params.player_watch.player;
}

static void to_player_unwatch(struct hub *h, struct conn *c,
			      const struct request *r, struct command *cmd)
{
	(void)h, (void)c;
	cmd->type = CMD_PLAYER_UNWATCH;
	cmd->whom = r->params.player_unwatch.player;
}

/* -- ratings -- */

static enum rating_pool pool_of(bool given, enum pool pool)
{
	return given && pool == CHOICE_BOTS ? POOL_BOTS : POOL_PEOPLE;
}

static void to_rating_get(struct hub *h, struct conn *c,
			  const struct request *r, struct command *cmd)
{
	(void)h, (void)c;
	cmd->type = CMD_RATING_GET;
	cmd->rating.player = r->params.rating_get.player;
}

static void to_rating_history(struct hub *h, struct conn *c,
			      const struct request *r, struct command *cmd)
{
	const struct params_rating_history *p = &r->params.rating_history;
	(void)h, (void)c;
	cmd->type = CMD_RATING_HISTORY;
	cmd->rating = (struct cmd_rating){
		.player = p->player,
		.ruleset = p->ruleset,
		.speed = (enum speed_class)p->speed,
		.pool = pool_of(p->has_pool, p->pool),
	};
}

static void to_rating_leaderboard(struct hub *h, struct conn *c,
				  const struct request *r, struct command *cmd)
{
	const struct params_rating_leaderboard *p =
		&r->params.rating_leaderboard;
	(void)h, (void)c;
	cmd->type = CMD_RATING_LEADERS;
	cmd->rating = (struct cmd_rating){
		.ruleset = p->ruleset,
		.speed = (enum speed_class)p->speed,
		.pool = pool_of(p->has_pool, p->pool),
		.count = p->has_count ? (size_t)p->count : BOARD_SHOWN_DEFAULT,
	};
}

_Static_assert((int)CHOICE_CORRESPONDENCE == (int)SPEED_CORRESPONDENCE &&
		       (int)CHOICE_BULLET == (int)SPEED_BULLET &&
		       (int)LEADERS_MAX == (int)BOARD_SHOWN_MAX,
	       "the protocol and the domain name the same");

/* -- the table -- */

typedef void to_command_fn(struct hub *, struct conn *, const struct request *,
			   struct command *);

/* What is done for accounts is in account.c, about talk in chat.c, for meeting
 * in request_meeting.c, of tournaments in request_tournament.c; the operator's methods, and what is
 * answered without the domain, are no commands. */
#define M(id, UPPER, name, wire, state, order, RESULT, doc)                    \
	static to_command_fn *const to_##name = to_account;
ACCOUNT_METHODS(M)
#undef M
#define M(id, UPPER, name, wire, state, order, RESULT, doc)                    \
	static to_command_fn *const to_##name = to_chat;
CHAT_METHODS(M)
#undef M
#define M(id, UPPER, name, wire, state, order, RESULT, doc)                    \
	static to_command_fn *const to_##name = to_meeting;
MEETING_METHODS(M)
#undef M
#define M(id, UPPER, name, wire, state, order, RESULT, doc)                    \
	static to_command_fn *const to_##name = to_tournament;
TOURNAMENT_METHODS(M)
#undef M
#define M(id, UPPER, name, wire, state, order, RESULT, doc)                    \
	static to_command_fn *const to_##name = NULL;
ADMIN_METHODS(M)
#undef M
static to_command_fn *const to_ping = NULL;
static to_command_fn *const to_server_info = NULL;
static to_command_fn *const to_rules_list = NULL;
static to_command_fn *const to_rules_moves = NULL;
static to_command_fn *const to_rules_check = NULL;
static to_command_fn *const to_record_get = NULL;
static to_command_fn *const to_record_list = NULL;

static to_command_fn *to_command(enum method method)
{
	switch (method) {
#define M(id, UPPER, name, wire, state, order, RESULT, doc)                    \
	case METHOD_##UPPER: return to_##name;
		METHODS(M)
#undef M
	}
	return NULL;
}

static int request_check(const struct hub *h, const struct conn *c,
			 const struct request *r)
{
	const struct method_info *info = method_info(r->method);
	bool operator= c->state == CONN_OPERATOR;
	if (info->state == METHOD_OPERATOR && !operator)
		return PLYD_EOPERATOR;
	if (info->state == METHOD_NEW &&
	    (c->state != CONN_NEW || c->hello_waits))
		return PLYD_EHELLOAGAIN;
	if (info->state == METHOD_READY && c->state != CONN_READY &&
	    !(operator&& info->order == METHOD_VOLATILE))
		return PLYD_EHELLO;
	if (info->order == METHOD_VOLATILE)
		return PLYD_OK;
	if (!h->writable)
		return PLYD_ENOTSTORED;
	int err = meeting_request_check(r);
	if (!err)
		err = tournament_request_check(r);
	if (err)
		return err;
	if (h->outbox.bytes > (size_t)h->limits.outbox_bytes)
		return PLYD_EFULL;
	return PLYD_OK;
}

/* A record would show the end of a match to those who may see it late. */
static bool record_is_hidden(const struct hub *h, const struct conn *c,
			     const struct request *r)
{
	const struct match *m =
		domain_match(h->domain, &r->params.record_get.match);
	return m && match_is_hidden(m) && match_seat_of(m, &c->player) < 0;
}

void request_run(struct hub *h, struct conn *c, const struct request *r)
{
	h->asker = c->number;
	int err = request_check(h, c, r);
	if (err) {
		refuse_at_once(h, c, r, err);
		return;
	}
	if (c->state == CONN_OPERATOR && !operator_may(h, c, r))
		return;
	if (method_info(r->method)->order == METHOD_VOLATILE) {
		answer_now(h, c, r);
		return;
	}
	if (method_info(r->method)->state == METHOD_OPERATOR) {
		operator_run(h, c, r);
		return;
	}
	if (r->method == METHOD_ADMIN_LOGIN) {
		operator_login(h, c, r);
		return;
	}
	if (r->method == METHOD_RECORD_GET && record_is_hidden(h, c, r)) {
		refuse_at_once(h, c, r, PLYD_ENORECORD);
		return;
	}
	if (r->method == METHOD_RECORD_GET) {
		h->records_asked++;
		h->ops.record(h->ops.payload, c->number, r->msgid,
			      &r->params.record_get.match);
		return;
	}
	if (r->method == METHOD_RECORD_LIST) {
		record_list_ask(h, c, r);
		return;
	}
	if (r->method == METHOD_HELLO && !hello_allowed(h, c, r))
		return;
	if (!account_allowed(h, c, r))
		return;
	err = chat_check(h, r);
	if (err) {
		refuse_at_once(h, c, r, err);
		return;
	}
	struct command cmd = { .conn = c->number,
			       .msgid = r->msgid,
			       .player = c->player };
	to_command(r->method)(h, c, r, &cmd);
	hub_step(h, &cmd);
}
