/* SPDX-License-Identifier: MIT
 * effect_meeting.c - answers and notifications of meeting. */
#include "session/hub_priv.h"

#include <utlist.h>

#include "proto/write.h"
#include "session/view.h"

void put_welcome_meeting(struct buf *b, const struct domain *d,
			 const struct player *p)
{
	const struct seek *s;
	struct quick_view quick = domain_quick(d, p);
	put_cstr(b, "invitations");
	put_array(b, (uint32_t)p->meets.invited_count);
	for (size_t i = 0; i < p->meets.invited_count; i++)
		put_cstr(b, p->meets.invited[i].text);
	put_cstr(b, "seeks");
	put_array(b,
		  (uint32_t)(p->meets.seek_count + p->meets.challenge_count));
	DL_FOREACH (p->meets.seeks, s)
		view_seek(b, d, s);
	DL_FOREACH2(p->meets.challenges, s, to_next)
	view_seek(b, d, s);
	put_cstr(b, "quick");
	view_quick(b, &quick, NULL);
	if (p->kind != KIND_BOT)
		return;
	put_cstr(b, "bot");
	view_bot_policy(b, p);
}

static void put_match(struct buf *b, const struct id *match)
{
	put_map(b, 1);
	put_cstr(b, "match");
	put_cstr(b, match->text);
}

bool put_meeting_answer(struct hub *h, const struct effect *fx)
{
	struct buf *b = &h->out;
	static const struct id nobody;
	const struct id *viewer = fx->player ? &fx->player->id : &nobody;
	switch (fx->command) {
	case CMD_LOBBY_LIST:
		view_lobby_list(b, h->domain, fx->answer.list, fx->player);
		return true;
	case CMD_SEEK_LIST:
		view_seek_list(b, h->domain, fx->answer.list, fx->player);
		return true;
	case CMD_MATCH_LIST:
		view_match_list(b, h->domain, fx->answer.list);
		return true;
	case CMD_LOBBY_CREATE:
	case CMD_LOBBY_JOIN:
	case CMD_LOBBY_GET:
	case CMD_LOBBY_READY:
	case CMD_LOBBY_INVITE:
	case CMD_LOBBY_KICK:
	case CMD_LOBBY_UPDATE:
		view_lobby(b, h->domain, fx->lobby, viewer);
		return true;
	case CMD_LOBBY_DECLINE:
	case CMD_SEEK_CANCEL:
	case CMD_QUICK_LEAVE:
	case CMD_CHALLENGE_DECLINE:
	case CMD_CHALLENGE_CANCEL: put_map(b, 0); return true;
	case CMD_SEEK_CREATE:
	case CMD_CHALLENGE_SEND: view_seek(b, h->domain, fx->seek); return true;
	case CMD_SEEK_ACCEPT:
	case CMD_CHALLENGE_ACCEPT: put_match(b, &fx->answer.match); return true;
	case CMD_QUICK_JOIN:
	case CMD_QUICK_STATUS:
		view_quick(b, &fx->quick, &fx->answer.match);
		return true;
	case CMD_BOT_POLICY:
	case CMD_BOT_FINISH: view_bot_policy(b, fx->player); return true;
	case CMD_BOT_LIST:
	case CMD_PLAYERS_LIST:
		view_players(b, h->domain, &fx->answer);
		return true;
	case CMD_PLAYER_GET: view_player_info(b, fx->player); return true;
	default: return false;
	}
}

static void put_declined(struct buf *b, const struct effect *fx)
{
	put_map(b, 2);
	put_cstr(b, "lobby");
	put_cstr(b, fx->lobby->id.text);
	put_cstr(b, "player");
	view_player(b, fx->other);
}

static void put_lobby_closed(struct buf *b, const struct effect *fx)
{
	put_map(b, 2);
	put_cstr(b, "lobby");
	put_cstr(b, fx->lobby_id.text);
	put_cstr(b, "reason");
	put_cstr(b, fx->why);
}

void meeting_effect(struct hub *h, const struct effect *fx)
{
	static const enum notification names[] = {
		[EFFECT_LOBBY_CLOSED] = NOTIFY_LOBBY_CLOSED,
		[EFFECT_INVITED] = NOTIFY_LOBBY_INVITED,
		[EFFECT_INVITE_DECLINED] = NOTIFY_LOBBY_DECLINED,
		[EFFECT_CHALLENGED] = NOTIFY_CHALLENGE_RECEIVED,
		[EFFECT_SEEK_CLOSED] = NOTIFY_SEEK_CLOSED,
		[EFFECT_QUICK_WAITING] = NOTIFY_QUICK_WAITING,
		[EFFECT_BOT_FINISHED] = NOTIFY_BOT_FINISHED,
	};
	struct buf *b = &h->out;
	if (!fx->player || !player_is_here(fx->player))
		return;
	buf_clear(b);
	rpc_begin_notification(b, notification_info(names[fx->type])->name);
	switch (fx->type) {
	case EFFECT_LOBBY_CLOSED: put_lobby_closed(b, fx); break;
	case EFFECT_INVITED:
		view_lobby(b, h->domain, fx->lobby, &fx->player->id);
		break;
	case EFFECT_INVITE_DECLINED: put_declined(b, fx); break;
	case EFFECT_CHALLENGED: view_seek(b, h->domain, fx->seek); break;
	case EFFECT_SEEK_CLOSED: view_seek_closed(b, fx->seek); break;
	case EFFECT_QUICK_WAITING: view_quick(b, &fx->quick, NULL); break;
	default: put_map(b, 0); break;
	}
	player_tell(h, fx->player);
}
