/* SPDX-License-Identifier: MIT
 * request_meeting.c - requests of meeting become commands: lobbies' owners,
 * seeks, challenges, quick matches, bots, who is here. */
#include "session/hub_priv.h"

/* The words of the table stand in the order of the domain. */
_Static_assert((int)CHOICE_CORRESPONDENCE == (int)SPEED_CORRESPONDENCE,
	       "speed classes");
_Static_assert((int)SAY_OPPONENT == (int)DECLINE_OPPONENT, "decline words");
_Static_assert((int)PARTNER_BOT == (int)AGAINST_BOT, "kinds of opponents");
_Static_assert((int)WANT_BOTS == 1, "cmd_players.bots");

#define WHOM_OF(p)                                                             \
	{                                                                      \
		.player = (p)->player, .name = (p)->name                       \
	}
#define CHOICE_OF(p, field) ((p)->has_##field ? (int)(p)->field : -1)
#define LIST_OF(p)                                                             \
	.ruleset = (p)->ruleset, .speed = CHOICE_OF(p, speed),                 \
	.rated = CHOICE_OF(p, rated), .after = (p)->after

int wish_side(bool given, enum wish wish)
{
	return !given || wish == WISH_ANY ? -1
	       : wish == WISH_WHITE       ? WHITE
					  : BLACK;
}

struct cmd_list list_of_lobbies(const struct params_lobby_list *p)
{
	return (struct cmd_list){ LIST_OF(p), .joinable = p->joinable };
}

struct cmd_list list_of_matches(const struct params_match_list *p)
{
	return (struct cmd_list){ LIST_OF(p) };
}

/* -- speed classes of bot.policy -- */

static bool read_speeds(struct span words, unsigned *out)
{
	*out = 0;
	while (words.len > 0) {
		const uint8_t *end = memchr(words.at, ' ', words.len);
		size_t len = end ? (size_t)(end - words.at) : words.len;
		int i = 0;
		while (i < SPEED_CLASS_COUNT &&
		       !span_is(span_of(words.at, len),
				speed_class_name((enum speed_class)i)))
			i++;
		if (i == SPEED_CLASS_COUNT)
			return false;
		*out |= 1u << i;
		len += end != NULL;
		words = span_of(words.at + len, words.len - len);
	}
	return true;
}

int meeting_request_check(const struct request *r)
{
	unsigned speeds;
	if (r->method != METHOD_BOT_POLICY ||
	    read_speeds(r->params.bot_policy.speeds, &speeds))
		return PLYD_OK;
	return PLYD_EVALUE;
}

/* -- lobbies -- */

static void to_update(const struct params_lobby_update *p, struct command *cmd)
{
	cmd->type = CMD_LOBBY_UPDATE;
	cmd->lobby = p->lobby;
	cmd->update = (struct cmd_lobby_update){
		.ruleset = p->ruleset,
		.clock = CLOCK_WISH(p),
		.side = wish_side(p->has_side, p->side),
		.rated = CHOICE_OF(p, rated),
		.match_length = (int)p->match_length,
	};
}

static void to_lobby(const struct request *r, struct command *cmd)
{
	const struct params_lobby_invite *invite = &r->params.lobby_invite;
	const struct params_lobby_kick *kick = &r->params.lobby_kick;
	switch (r->method) {
	case METHOD_LOBBY_INVITE:
		cmd->type = CMD_LOBBY_INVITE;
		cmd->lobby = invite->lobby;
		cmd->named = (struct cmd_whom)WHOM_OF(invite);
		break;
	case METHOD_LOBBY_KICK:
		cmd->type = CMD_LOBBY_KICK;
		cmd->lobby = kick->lobby;
		cmd->named = (struct cmd_whom)WHOM_OF(kick);
		break;
	case METHOD_LOBBY_DECLINE:
		cmd->type = CMD_LOBBY_DECLINE;
		cmd->lobby = r->params.lobby_decline.lobby;
		break;
	default: to_update(&r->params.lobby_update, cmd); break;
	}
}

/* -- seeks and challenges -- */

static void to_seek_create(const struct params_seek_create *p,
			   struct command *cmd)
{
	cmd->type = CMD_SEEK_CREATE;
	cmd->seek = (struct cmd_seek){
		.ruleset = p->ruleset,
		.clock = CLOCK_WISH(p),
		.side = wish_side(p->has_side, p->side),
		.opponent = (enum against)p->opponent,
		.rated = p->rated,
		.match_length = (int)p->match_length,
		.rating_min = p->rating_min,
		.rating_max = p->rating_max,
		.key = p->key,
	};
}

static void to_challenge_send(const struct params_challenge_send *p,
			      struct command *cmd)
{
	cmd->type = CMD_CHALLENGE_SEND;
	cmd->seek = (struct cmd_seek){
		.to = WHOM_OF(p),
		.ruleset = p->ruleset,
		.clock = CLOCK_WISH(p),
		.side = wish_side(p->has_side, p->side),
		.rated = p->rated,
		.match_length = (int)p->match_length,
		.position = p->position,
		.key = p->key,
	};
}

static void to_seek(const struct request *r, struct command *cmd)
{
	switch (r->method) {
	case METHOD_SEEK_CREATE:
		to_seek_create(&r->params.seek_create, cmd);
		return;
	case METHOD_CHALLENGE_SEND:
		to_challenge_send(&r->params.challenge_send, cmd);
		return;
	case METHOD_SEEK_ACCEPT:
		cmd->type = CMD_SEEK_ACCEPT;
		cmd->seek_answer.seek = r->params.seek_accept.seek;
		return;
	case METHOD_SEEK_CANCEL:
		cmd->type = CMD_SEEK_CANCEL;
		cmd->seek_answer.seek = r->params.seek_cancel.seek;
		return;
	case METHOD_CHALLENGE_ACCEPT:
		cmd->type = CMD_CHALLENGE_ACCEPT;
		cmd->seek_answer.seek = r->params.challenge_accept.seek;
		return;
	case METHOD_CHALLENGE_CANCEL:
		cmd->type = CMD_CHALLENGE_CANCEL;
		cmd->seek_answer.seek = r->params.challenge_cancel.seek;
		return;
	default:
		cmd->type = CMD_CHALLENGE_DECLINE;
		cmd->seek_answer.seek = r->params.challenge_decline.seek;
		cmd->seek_answer.word =
			(enum decline_word)r->params.challenge_decline.word;
		return;
	}
}

static void to_quick_join(const struct params_quick_join *p,
			  struct command *cmd)
{
	cmd->type = CMD_QUICK_JOIN;
	cmd->quick = (struct cmd_quick){
		.ruleset = p->ruleset,
		.clock = CLOCK_WISH(p),
		.speed = CHOICE_OF(p, speed),
		.rated = p->rated,
		.bots = p->bots,
	};
}

/* -- bots and people -- */

static void to_bot_policy(const struct params_bot_policy *p,
			  struct command *cmd)
{
	unsigned speeds = 0;
	read_speeds(p->speeds, &speeds);
	cmd->type = CMD_BOT_POLICY;
	cmd->policy = (struct cmd_bot_policy){
		.answers = !p->has_answers || p->answers,
		.rulesets = p->has_rulesets ? p->rulesets : span_str(""),
		.speeds = speeds,
		.rated = !p->has_rated ? 0
			 : p->rated    ? 1
				       : 2,
		.opponent = (enum against)p->opponent,
		.at_once = (uint32_t)p->at_once,
	};
}

static void to_seek_list(const struct params_seek_list *p, struct command *cmd)
{
	cmd->type = CMD_SEEK_LIST;
	cmd->list = (struct cmd_list){ LIST_OF(p), .joinable = p->joinable };
}

static void to_players(const struct request *r, struct command *cmd)
{
	const struct params_players_list *list = &r->params.players_list;
	const struct params_player_get *get = &r->params.player_get;
	switch (r->method) {
	case METHOD_BOT_LIST:
		cmd->type = CMD_BOT_LIST;
		cmd->players =
			(struct cmd_players){ 1, r->params.bot_list.after };
		break;
	case METHOD_PLAYERS_LIST:
		cmd->type = CMD_PLAYERS_LIST;
		cmd->players = (struct cmd_players){ CHOICE_OF(list, kind),
						     list->after };
		break;
	default:
		cmd->type = CMD_PLAYER_GET;
		cmd->named = (struct cmd_whom)WHOM_OF(get);
		break;
	}
}

void to_meeting(struct hub *h, struct conn *c, const struct request *r,
		struct command *cmd)
{
	(void)h, (void)c;
	switch (r->method) {
	case METHOD_LOBBY_INVITE:
	case METHOD_LOBBY_DECLINE:
	case METHOD_LOBBY_KICK:
	case METHOD_LOBBY_UPDATE: to_lobby(r, cmd); break;
	case METHOD_SEEK_LIST: to_seek_list(&r->params.seek_list, cmd); break;
	case METHOD_QUICK_JOIN:
		to_quick_join(&r->params.quick_join, cmd);
		break;
	case METHOD_QUICK_LEAVE: cmd->type = CMD_QUICK_LEAVE; break;
	case METHOD_QUICK_STATUS: cmd->type = CMD_QUICK_STATUS; break;
	case METHOD_BOT_POLICY:
		to_bot_policy(&r->params.bot_policy, cmd);
		break;
	case METHOD_BOT_FINISH: cmd->type = CMD_BOT_FINISH; break;
	case METHOD_BOT_LIST:
	case METHOD_PLAYERS_LIST:
	case METHOD_PLAYER_GET: to_players(r, cmd); break;
	default: to_seek(r, cmd); break;
	}
}
