/* SPDX-License-Identifier: MIT
 * chat.c - talk in lobbies and matches: who may say something, who hears it,
 * and the switch that ends it. */
#include "domain/domain_priv.h"

#include <stdlib.h>

#include <utlist.h>

/* -- lines -- */

static void line_drop(struct chat *c, struct chat_line *line)
{
	DL_DELETE(c->lines, line);
	c->count--;
	free(line);
}

void chat_release(struct chat *c)
{
	while (c->lines)
		line_drop(c, c->lines);
}

/* Who says it, and when, is in `like`. */
static struct chat_line *line_add(struct chat *c, const struct chat_line *like,
				  struct span text)
{
	struct chat_line *line = calloc(1, sizeof(*line) + text.len + 1);
	if (!line)
		return NULL;
	*line = *like;
	line->number = ++c->last;
	span_copy(text, line->text, text.len + 1);
	DL_APPEND(c->lines, line);
	if (++c->count > CHAT_LINES_KEPT)
		line_drop(c, c->lines);
	return line;
}

static struct chat_line *line_of_player(struct chat *c, const struct player *p,
					const struct command *cmd)
{
	struct chat_line like = { .from = p->id,
				  .kind = p->kind,
				  .at_unix_ms = cmd->unix_ms };
	memcpy(like.name, p->name, sizeof(like.name));
	span_copy(cmd->chat.key, like.key, sizeof(like.key));
	return line_add(c, &like, cmd->chat.text);
}

static struct chat_line *line_of_key(const struct chat *c,
				     const struct command *cmd)
{
	struct chat_line *line;
	if (cmd->chat.key.len == 0)
		return NULL;
	DL_FOREACH (c->lines, line)
		if (id_eq(&line->from, &cmd->player) &&
		    span_is(cmd->chat.key, line->key))
			return line;
	return NULL;
}

/* -- rooms -- */

/* Where a command is about, as its sender stands there. */
struct room {
	struct lobby *lobby;
	struct match *match;
	enum chat_channel channel;
	struct chat *chat;
};

static bool watches(const struct domain *d, const struct command *cmd,
		    const struct match *m)
{
	const struct session *s = session_of(d, cmd);
	const struct watcher *w;
	if (!s)
		return false;
	DL_FOREACH2(s->watching, w, own_next)
	{
		if (w->match == m)
			return true;
	}
	return false;
}

static int enter_lobby(struct domain *d, const struct command *cmd,
		       struct room *r)
{
	r->lobby = find_lobby(d, &cmd->lobby);
	if (!r->lobby || lobby_seat_of(r->lobby, &cmd->player) < 0)
		return r->lobby && !r->lobby->code[0] ? PLYD_ENOTINLOBBY
						      : PLYD_ENOLOBBY;
	r->channel = CHAT_LOBBY;
	r->chat = &r->lobby->chat;
	return PLYD_OK;
}

/* A player of the match is among the players, whatever he watches; anybody
 * else must watch it. */
static int enter_match(struct domain *d, const struct command *cmd,
		       struct room *r)
{
	r->match = find_match(d, &cmd->match);
	if (!r->match)
		return PLYD_ENOMATCH;
	bool seated = match_seat_of(r->match, &cmd->player) >= 0;
	if (!seated && !watches(d, cmd, r->match))
		return PLYD_ENOTALLOWED;
	r->channel = seated ? CHAT_PLAYERS : CHAT_SPECTATORS;
	r->chat = &r->match->chat[seated ? 0 : 1];
	return PLYD_OK;
}

static int enter(struct domain *d, const struct command *cmd, struct room *r)
{
	*r = (struct room){ 0 };
	if (id_is_none(&cmd->lobby) == id_is_none(&cmd->match))
		return PLYD_EMISSING; /* one of them, and just one */
	return id_is_none(&cmd->match) ? enter_lobby(d, cmd, r)
				       : enter_match(d, cmd, r);
}

/* -- saying -- */

bool chat_is_on(const struct domain *d, const struct match *m)
{
	for (int s = 0; s < 2; s++) {
		const struct player *p = find_player(d, &m->seat[s].player);
		if (p && id_set_has(&p->chat_off, &m->id))
			return false;
	}
	return true;
}

/* So many lines at once, then one each chat_line_ms: the time at which all that
 * was said is paid for may lie only so far ahead. */
static bool rate_allows(const struct domain *d, uint64_t paid_ms,
			int64_t *retry_ms)
{
	uint64_t ahead_max = (uint64_t)d->limits.chat_line_ms *
			     (uint64_t)(d->limits.chat_burst - 1);
	if (paid_ms <= d->now_ms + ahead_max)
		return true;
	*retry_ms = (int64_t)(paid_ms - ahead_max - d->now_ms);
	return false;
}

static void rate_charge(const struct domain *d, uint64_t *paid_ms)
{
	if (*paid_ms < d->now_ms)
		*paid_ms = d->now_ms;
	*paid_ms += (uint64_t)d->limits.chat_line_ms;
}

static void answer_line(struct domain *d, const struct command *cmd,
			const struct chat_line *line, bool duplicate)
{
	struct effect *fx = answer(d, cmd);
	fx->line = line;
	fx->answer.duplicate = duplicate;
}

void on_chat_send(struct domain *d, const struct command *cmd)
{
	struct player *p = find_player(d, &cmd->player);
	struct room r;
	int64_t retry_ms = 0;
	int err = enter(d, cmd, &r);
	const struct chat_line *line = err ? NULL : line_of_key(r.chat, cmd);
	if (line) {
		answer_line(d, cmd, line, true);
		return;
	}
	if (!err && player_is_muted(p, cmd->unix_ms)) {
		refuse(d, cmd, PLYD_EMUTED)->until_unix_ms =
			p->muted_until_unix_ms;
		return;
	}
	if (!err && r.channel == CHAT_PLAYERS && !chat_is_on(d, r.match))
		err = PLYD_ECHATOFF;
	if (!err && !rate_allows(d, p->chat_paid_ms, &retry_ms))
		err = PLYD_ERATE;
	if (!err && !(line = line_of_player(r.chat, p, cmd)))
		err = PLYD_ENOMEM;
	if (err) {
		refuse(d, cmd, err)->retry_ms = retry_ms;
		return;
	}
	rate_charge(d, &p->chat_paid_ms);
	answer_line(d, cmd, line, false);
	struct effect *fx = effect_add(d, EFFECT_CHAT);
	fx->lobby = r.lobby;
	fx->match = r.match;
	fx->channel = r.channel;
	fx->line = line;
	fx->player = p;
}

static void say_in(struct domain *d, struct match *m, enum chat_channel channel,
		   const struct chat_line *like, struct span text)
{
	struct chat *c = &m->chat[channel == CHAT_PLAYERS ? 0 : 1];
	const struct chat_line *line = line_add(c, like, text);
	if (!line)
		return; /* then it is not said */
	struct effect *fx = effect_add(d, EFFECT_CHAT);
	fx->match = m;
	fx->channel = channel;
	fx->line = line;
}

void chat_thought(struct domain *d, const struct command *cmd, struct match *m,
		  enum side side)
{
	struct span text = cmd->thought.say;
	struct chat_line like = { .kind = KIND_PERSONALITY,
				  .at_unix_ms = cmd->unix_ms };
	int64_t retry_ms;
	if (cmd->thought.failed || text.len == 0 ||
	    !rate_allows(d, m->chat_paid_ms[side], &retry_ms))
		return;
	memcpy(like.name, m->seat[side].name, sizeof(like.name));
	rate_charge(d, &m->chat_paid_ms[side]);
	if (chat_is_on(d, m))
		say_in(d, m, CHAT_PLAYERS, &like, text);
	/* words may tell of a move that spectators see later */
	if (m->spectator_delay_ms == 0)
		say_in(d, m, CHAT_SPECTATORS, &like, text);
}

/* -- looking, and switching -- */

void on_chat_get(struct domain *d, const struct command *cmd)
{
	struct room r;
	int err = enter(d, cmd, &r);
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	struct effect *fx = answer(d, cmd);
	fx->lobby = r.lobby;
	fx->match = r.match;
	fx->channel = r.channel;
	fx->chat = r.chat;
	fx->player = find_player(d, &cmd->player);
}

int apply_chat_switched(struct domain *d, const struct fact *f)
{
	const struct fact_chat_switched_body *b = &f->chat_switched;
	struct player *p = find_player(d, &b->player);
	if (!p || id_set_has(&p->chat_off, &b->match) != b->on)
		return PLYD_ERECORD;
	if (!b->on)
		return id_set_add(&p->chat_off, &b->match, CHAT_OFF_REMEMBERED);
	id_set_drop(&p->chat_off, &b->match);
	return PLYD_OK;
}

void on_chat_switch(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	const struct player *p = find_player(d, &cmd->player);
	if (!m || match_seat_of(m, &p->id) < 0) {
		refuse(d, cmd, m ? PLYD_ESEAT : PLYD_ENOMATCH);
		return;
	}
	bool changes = id_set_has(&p->chat_off, &m->id) == cmd->chat.on;
	bool was_on = chat_is_on(d, m);
	if (changes)
		happen(d, &(struct fact){ .type = FACT_CHAT_SWITCHED,
					  .chat_switched = { p->id, m->id,
							     cmd->chat.on } });
	answer(d, cmd);
	if (chat_is_on(d, m) == was_on)
		return;
	struct effect *fx = effect_add(d, EFFECT_CHAT_SWITCHED);
	fx->match = m;
	fx->on = !was_on;
}
