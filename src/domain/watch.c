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

static struct watcher *watcher_of(const struct player *p, const struct match *m)
{
	struct watcher *w;
	DL_FOREACH2(p->watching, w, own_next) if (w->match == m) return w;
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

static int watcher_add(struct player *p, struct match *m)
{
	struct watcher *w = calloc(1, sizeof(*w));
	if (!w)
		return PLYD_ENOMEM;
	w->player = p;
	w->match = m;
	DL_APPEND(m->watchers, w);
	DL_APPEND2(p->watching, w, own_prev, own_next);
	m->watcher_count++;
	p->watch_count++;
	return PLYD_OK;
}

void watcher_drop(struct watcher *w)
{
	w->match->watcher_count--;
	w->player->watch_count--;
	DL_DELETE(w->match->watchers, w);
	DL_DELETE2(w->player->watching, w, own_prev, own_next);
	free(w);
}

void on_match_watch(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	struct player *p = find_player(d, &cmd->player);
	if (!m) {
		refuse(d, cmd, PLYD_ENOMATCH);
		return;
	}
	/* a seat hears of its match anyway */
	if (match_seat_of(m, &p->id) < 0 && !watcher_of(p, m)) {
		int err = watch_check(d, p, m);
		if (!err)
			err = watcher_add(p, m);
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
	struct player *p = find_player(d, &cmd->player);
	struct watcher *w = m ? watcher_of(p, m) : NULL;
	if (w)
		watcher_drop(w);
	answer(d, cmd);
}
