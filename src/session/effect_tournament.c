/* SPDX-License-Identifier: MIT
 * effect_tournament.c - answers and notifications of tournaments, and who hears
 * of them. */
#include "session/hub_priv.h"

#include <utlist.h>

#include "proto/write.h"
#include "session/view.h"

bool put_tournament_answer(struct hub *h, const struct effect *fx)
{
	static const struct id nobody;
	const struct id *viewer = fx->player ? &fx->player->id : &nobody;
	struct buf *b = &h->out;
	switch (fx->command) {
	case CMD_TOURNAMENT_LIST:
		view_tournament_list(b, fx->tournament, viewer);
		return true;
	case CMD_TOURNAMENT_STANDINGS:
		view_standings(b, fx->tournament, fx->from);
		return true;
	case CMD_TOURNAMENT_ROUND:
		view_tournament_round(b, fx->tournament, fx->round, fx->from);
		return true;
	case CMD_TOURNAMENT_UNWATCH: put_map(b, 0); return true;
	case CMD_TOURNAMENT_GET:
	case CMD_TOURNAMENT_WATCH:
	case CMD_TOURNAMENT_CREATE:
	case CMD_TOURNAMENT_OPEN:
	case CMD_TOURNAMENT_START:
	case CMD_TOURNAMENT_PAUSE:
	case CMD_TOURNAMENT_RESUME:
	case CMD_TOURNAMENT_FINISH:
	case CMD_TOURNAMENT_DIRECT:
	case CMD_TOURNAMENT_ENTER:
	case CMD_TOURNAMENT_WITHDRAW:
	case CMD_TOURNAMENT_CHECK_IN:
	case CMD_TOURNAMENT_INVITE:
	case CMD_TOURNAMENT_REMOVE:
	case CMD_TOURNAMENT_CORRECT:
		view_tournament(b, h->domain, fx->tournament, viewer);
		return true;
	default: return false;
	}
}

/* What is the same for everybody goes to all who watch. */
static void tell_watchers(struct hub *h, const struct tournament *t)
{
	const struct tournament_watcher *w;
	struct message *m = hub_message(h);
	DL_FOREACH (t->watchers, w)
		if (w->session->conn != 0)
			hub_queue_message(h, ENTRY_NOTICE, w->session->conn, 0,
					  message_hold(m));
	message_drop(m);
}

static void write_changed(struct hub *h, const struct tournament *t,
			  const struct id *viewer)
{
	buf_clear(&h->out);
	rpc_begin_notification(&h->out, "tournament.changed");
	view_tournament(&h->out, h->domain, t, viewer);
}

static bool hears_anyway(const struct tournament *t, const struct id *player,
			 bool all)
{
	int entry = tournament_entry_of(t, player);
	return tournament_directs(t, player) ||
	       (all && entry >= 0 && t->entry[entry].gone == ENTRY_HERE);
}

static void tell_one(struct hub *h, const struct tournament *t,
		     const struct id *player)
{
	const struct player *p = domain_player(h->domain, player);
	if (!p || !player_is_here(p))
		return;
	write_changed(h, t, player);
	player_tell(h, p);
}

/* Directors, all who take part, and those who watch and are neither. */
static void tell_changed(struct hub *h, const struct effect *fx)
{
	const struct tournament *t = fx->tournament;
	const struct tournament_watcher *w;
	tell_one(h, t, &t->organiser);
	for (size_t i = 0; i < t->director_count; i++)
		tell_one(h, t, &t->director[i]);
	for (size_t i = 0; fx->all && i < t->contest.entry_count; i++)
		if (t->entry[i].gone == ENTRY_HERE &&
		    !tournament_directs(t, &t->entry[i].player))
			tell_one(h, t, &t->entry[i].player);
	if (t->state == TOURNAMENT_DRAFT)
		return;
	DL_FOREACH (t->watchers, w) {
		const struct id *who = &w->session->player->id;
		if (w->session->conn == 0 || hears_anyway(t, who, fx->all))
			continue;
		write_changed(h, t, who);
		hub_queue(h, ENTRY_NOTICE, w->session->conn, 0);
	}
}

void tournament_effect(struct hub *h, const struct effect *fx)
{
	struct buf *b = &h->out;
	if (fx->type == EFFECT_TOURNAMENT) {
		tell_changed(h, fx);
		return;
	}
	if (!fx->tournament->watchers)
		return;
	buf_clear(b);
	if (fx->type == EFFECT_TOURNAMENT_ROUND) {
		rpc_begin_notification(b, "tournament.paired");
		view_tournament_round(b, fx->tournament, fx->round, 0);
	} else if (fx->type == EFFECT_TOURNAMENT_TABLE) {
		rpc_begin_notification(b, "tournament.table");
		view_tournament_table(b, fx->tournament, fx->round, fx->table);
	} else {
		rpc_begin_notification(b, "tournament.ranked");
		view_standings(b, fx->tournament, 0);
	}
	tell_watchers(h, fx->tournament);
}
