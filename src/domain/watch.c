/* SPDX-License-Identifier: MIT
 * watch.c - looking at matches: lists, snapshots, spectators. A snapshot and
 * the subscription after it are one step, so nothing is missed and nothing is
 * seen twice. */
#include "domain/domain_priv.h"

#include <stdlib.h>

#include <utlist.h>

void on_match_list(struct domain *d, const struct command *cmd)
{
	answer(d, cmd)->answer.filter = cmd->ruleset;
}

static void answer_match(struct domain *d, const struct command *cmd,
			 const struct match *m)
{
	struct effect *fx = answer(d, cmd);
	fx->match = m;
	fx->player = find_player(d, &cmd->player);
}

void on_match_get(struct domain *d, const struct command *cmd)
{
	const struct match *m = find_match(d, &cmd->match);
	if (m)
		answer_match(d, cmd, m);
	else
		refuse(d, cmd, PLYD_ENOMATCH);
}

static struct watcher *watcher_of(const struct session *s,
				  const struct match *m)
{
	struct watcher *w;
	DL_FOREACH2(s->watching, w, own_next) if (w->match == m) return w;
	return NULL;
}

static int watch_check(const struct domain *d, const struct player *p,
		       const struct match *m)
{
	if (m->watcher_count >= WATCHERS_MAX)
		return PLYD_EFULL;
	if (p->watch_count >= (size_t)d->limits.watches_per_player)
		return PLYD_ETOOMANY;
	return PLYD_OK;
}

static int watcher_add(struct session *s, struct match *m)
{
	struct watcher *w = calloc(1, sizeof(*w));
	if (!w)
		return PLYD_ENOMEM;
	w->session = s;
	w->match = m;
	DL_APPEND(m->watchers, w);
	DL_APPEND2(s->watching, w, own_prev, own_next);
	m->watcher_count++;
	s->player->watch_count++;
	return PLYD_OK;
}

void watcher_drop(struct watcher *w)
{
	w->match->watcher_count--;
	w->session->player->watch_count--;
	DL_DELETE(w->match->watchers, w);
	DL_DELETE2(w->session->watching, w, own_prev, own_next);
	free(w);
}

void on_match_watch(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	struct session *s = session_of(d, cmd);
	if (!m) {
		refuse(d, cmd, PLYD_ENOMATCH);
		return;
	}
	int seat = match_seat_of(m, &s->player->id);
	/* a seat hears of its match anyway */
	if (seat >= 0) {
		match_take_seat(d, cmd, m, (enum side)seat);
	} else if (!watcher_of(s, m)) {
		int err = watch_check(d, s->player, m);
		if (!err)
			err = watcher_add(s, m);
		if (err) {
			refuse(d, cmd, err);
			return;
		}
	}
	answer_match(d, cmd, m);
}

void on_match_unwatch(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	struct watcher *w = m ? watcher_of(session_of(d, cmd), m) : NULL;
	if (w)
		watcher_drop(w);
	answer(d, cmd);
}
