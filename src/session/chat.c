/* SPDX-License-Identifier: MIT
 * chat.c - requests about talk become commands, and lines go to those who are
 * to hear them. */
#include "session/hub_priv.h"

#include <utlist.h>

#include "base/log.h"
#include "proto/write.h"
#include "session/text.h"
#include "session/view.h"

/* -- requests -- */

int chat_check(struct hub *h, const struct request *r)
{
	const struct params_report_send *report = &r->params.report_send;
	if (r->method == METHOD_REPORT_SEND)
		return report->has_text && !text_is_clean(report->text)
			       ? PLYD_ETEXT
			       : PLYD_OK;
	if (r->method != METHOD_CHAT_SEND)
		return PLYD_OK;
	if (!text_is_clean(r->params.chat_send.text))
		return PLYD_ETEXT;
	buf_clear(&h->masked);
	wordlist_mask(h->words, r->params.chat_send.text, &h->masked);
	return h->masked.err;
}

static void to_chat_send(const struct hub *h, const struct params_chat_send *p,
			 struct command *cmd)
{
	cmd->type = CMD_CHAT_SEND;
	cmd->lobby = p->lobby;
	cmd->match = p->match;
	cmd->chat.key = p->key;
	cmd->chat.text = buf_span(&h->masked);
}

static void log_unsaid(struct hub *h, const struct id *match)
{
	const struct match *m = domain_match(h->domain, match);
	bool white = m && m->seat[WHITE].kind == KIND_PERSONALITY;
	if (m)
		log_event(LOG_WARNING,
			  "what a personality would say cannot be said",
			  "script=%s match=%s",
			  m->seat[white ? WHITE : BLACK].name, match->text);
}

struct span chat_mask_thought(struct hub *h, const struct id *match,
			      struct span say)
{
	if (say.len == 0)
		return say;
	if (!text_is_clean(say) || utf8_count(say) > TEXT_CHARS_MAX) {
		log_unsaid(h, match);
		return span_str("");
	}
	buf_clear(&h->masked);
	wordlist_mask(h->words, say, &h->masked);
	return h->masked.err ? span_str("") : buf_span(&h->masked);
}

/* The words of a report are for the operator and are not masked. */
static void to_report_send(const struct params_report_send *p,
			   struct command *cmd)
{
	static const enum report_reason reasons[] = {
		[COMPLAINT_ABUSE] = REPORT_ABUSE,
		[COMPLAINT_SPAM] = REPORT_SPAM,
		[COMPLAINT_CHEATING] = REPORT_CHEATING,
		[COMPLAINT_STALLING] = REPORT_STALLING,
		[COMPLAINT_NAME] = REPORT_NAME,
		[COMPLAINT_OTHER] = REPORT_OTHER,
	};
	cmd->type = CMD_REPORT_SEND;
	cmd->lobby = p->lobby;
	cmd->match = p->match;
	cmd->report = (struct cmd_report){ .player = p->player,
					   .reason = reasons[p->reason],
					   .text = p->text };
}

static void to_chat_get(const struct params_chat_get *p, struct command *cmd)
{
	cmd->type = CMD_CHAT_GET;
	cmd->lobby = p->lobby;
	cmd->match = p->match;
}

static void to_chat_switch(const struct params_chat_switch *p,
			   struct command *cmd)
{
	cmd->type = CMD_CHAT_SWITCH;
	cmd->match = p->match;
	cmd->chat.on = p->on;
}

void to_chat(struct hub *h, struct conn *c, const struct request *r,
	     struct command *cmd)
{
	(void)c;
	switch (r->method) {
	case METHOD_CHAT_SEND:
		to_chat_send(h, &r->params.chat_send, cmd);
		break;
	case METHOD_REPORT_SEND:
		to_report_send(&r->params.report_send, cmd);
		break;
	case METHOD_CHAT_GET: to_chat_get(&r->params.chat_get, cmd); break;
	case METHOD_CHAT_SWITCH:
		to_chat_switch(&r->params.chat_switch, cmd);
		break;
	case METHOD_BLOCK_ADD:
		cmd->type = CMD_BLOCK_ADD;
		cmd->chat.player = r->params.block_add.player;
		break;
	case METHOD_BLOCK_REMOVE:
		cmd->type = CMD_BLOCK_REMOVE;
		cmd->chat.player = r->params.block_remove.player;
		break;
	default: cmd->type = CMD_BLOCK_LIST; break;
	}
}

void hub_set_wordlist(struct hub *h, const struct wordlist *words)
{
	h->words = words;
}

/* -- what is shown -- */

static const char *channel_name(enum chat_channel channel)
{
	static const char *const names[] = { "lobby", "players", "spectators" };
	return names[channel];
}

static void put_line(struct buf *b, const struct chat_line *line)
{
	bool player = !id_is_none(&line->from);
	put_map(b, 5u + player);
	put_cstr(b, "number");
	put_uint(b, line->number);
	if (player) {
		put_cstr(b, "player");
		put_cstr(b, line->from.text);
	}
	put_cstr(b, "name");
	put_cstr(b, line->name);
	put_cstr(b, "kind");
	put_cstr(b, kind_name((enum player_kind)line->kind));
	put_cstr(b, "text");
	put_cstr(b, line->text);
	put_cstr(b, "at_unix_ms");
	put_int(b, line->at_unix_ms);
}

static void put_chat_said(struct buf *b, const struct effect *fx)
{
	put_map(b, 2);
	put_cstr(b, "line");
	put_line(b, fx->line);
	put_cstr(b, "duplicate");
	put_bool(b, fx->answer.duplicate);
}

static void put_chat(struct hub *h, const struct effect *fx)
{
	struct buf *b = &h->out;
	const struct chat_line *line;
	uint32_t shown = 0;
	DL_FOREACH (fx->chat->lines, line)
		shown += !domain_is_hidden(h->domain, fx->player, &line->from);
	put_map(b, 3);
	put_cstr(b, "channel");
	put_cstr(b, channel_name(fx->channel));
	put_cstr(b, "on");
	put_bool(b, fx->channel != CHAT_PLAYERS ||
			    chat_is_on(h->domain, fx->match));
	put_cstr(b, "lines");
	put_array(b, shown);
	DL_FOREACH (fx->chat->lines, line)
		if (!domain_is_hidden(h->domain, fx->player, &line->from))
			put_line(b, line);
}

static void put_blocks(struct hub *h, const struct player *p)
{
	struct buf *b = &h->out;
	put_map(b, 1);
	put_cstr(b, "players");
	uint32_t shown = 0;
	for (size_t i = 0; i < p->blocks.count; i++)
		shown += !domain_is_deleted(h->domain, &p->blocks.at[i]);
	put_array(b, shown);
	for (size_t i = 0; i < p->blocks.count; i++) {
		const struct id *id = &p->blocks.at[i];
		if (domain_is_deleted(h->domain, id))
			continue;
		const struct player *other = domain_player(h->domain, id);
		put_map(b, 1u + (other != NULL));
		put_cstr(b, "player");
		put_cstr(b, id->text);
		if (!other)
			continue;
		put_cstr(b, "name");
		put_cstr(b, other->name);
	}
}

void put_chat_answer(struct hub *h, const struct effect *fx)
{
	switch (fx->command) {
	case CMD_CHAT_SEND: put_chat_said(&h->out, fx); break;
	case CMD_CHAT_GET: put_chat(h, fx); break;
	case CMD_BLOCK_LIST: put_blocks(h, fx->player); break;
	default: put_map(&h->out, 0); break;
	}
}

/* -- who hears it -- */

/* The one place where a line meets its hearers: whoever is apart from its
 * speaker, who is NULL for a personality, does not hear it. */
static void tell_line(struct hub *h, const struct player *hearer,
		      const struct player *speaker, uint64_t conn,
		      struct message *m)
{
	if (conn != 0 && !(speaker && players_apart(hearer, speaker)))
		hub_queue_message(h, ENTRY_NOTICE, conn, 0, message_hold(m));
}

static void tell_seat(struct hub *h, const struct id *id,
		      const struct player *speaker, struct message *m)
{
	const struct player *p = domain_player(h->domain, id);
	const struct session *s;
	if (!p)
		return;
	DL_FOREACH (p->sessions, s)
		tell_line(h, p, speaker, s->conn, m);
}

static void tell_spectators(struct hub *h, const struct match *match,
			    const struct player *speaker, struct message *m)
{
	const struct watcher *w;
	DL_FOREACH (match->watchers, w)
		tell_line(h, w->session->player, speaker, w->session->conn, m);
}

void on_chat(struct hub *h, const struct effect *fx)
{
	struct buf *b = &h->out;
	buf_clear(b);
	rpc_begin_notification(b, "chat.line");
	put_map(b, 3);
	put_cstr(b, "channel");
	put_cstr(b, channel_name(fx->channel));
	put_cstr(b, fx->lobby ? "lobby" : "match");
	put_cstr(b, fx->lobby ? fx->lobby->id.text : fx->match->id.text);
	put_cstr(b, "line");
	put_line(b, fx->line);
	struct message *m = hub_message(h);
	for (int s = 0; s < 2 && fx->channel != CHAT_SPECTATORS; s++)
		tell_seat(h,
			  fx->lobby ? &fx->lobby->seat[s].player
				    : &fx->match->seat[s].player,
			  fx->player, m);
	if (fx->channel == CHAT_SPECTATORS)
		tell_spectators(h, fx->match, fx->player, m);
	message_drop(m);
}

void on_chat_switched(struct hub *h, const struct effect *fx)
{
	buf_clear(&h->out);
	rpc_begin_notification(&h->out, "chat.switched");
	put_map(&h->out, 2);
	put_cstr(&h->out, "match");
	put_cstr(&h->out, fx->match->id.text);
	put_cstr(&h->out, "on");
	put_bool(&h->out, fx->on);
	for (int s = 0; s < 2; s++) {
		const struct player *p =
			domain_player(h->domain, &fx->match->seat[s].player);
		if (p)
			player_tell(h, p);
	}
}

void on_reported(const struct effect *fx)
{
	log_event(LOG_INFO, "a player was reported", "player=%s",
		  fx->player->id.text);
}
