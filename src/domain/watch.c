/* SPDX-License-Identifier: MIT
 * watch.c - looking at matches: lists, snapshots, spectators. A snapshot and
 * the subscription after it are one step, so nothing is missed and nothing is
 * seen twice. */
#include "domain/late.h"

#include <stdlib.h>

#include <utlist.h>

void on_match_list(struct domain *d, const struct command *cmd)
{
	struct effect *fx = answer(d, cmd);
	fx->answer.list = &cmd->list;
	fx->player = find_player(d, &cmd->player);
}

static void answer_match(struct domain *d, const struct command *cmd,
			 const struct match *m)
{
	struct effect *fx = answer(d, cmd);
	fx->match = match_seen(m, &cmd->player);
	fx->player = find_player(d, &cmd->player);
}

void on_match_get(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	if (!m || match_is_closed_to(m, &cmd->player)) {
		refuse(d, cmd, m ? PLYD_ENOTALLOWED : PLYD_ENOMATCH);
		return;
	}
	lag_probe_again(d, m, match_seat_of(m, &cmd->player));
	answer_match(d, cmd, m);
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
	late_watchers(m);
	return PLYD_OK;
}

void watcher_drop(struct watcher *w)
{
	w->match->watcher_count--;
	late_watchers(w->match);
	w->session->player->watch_count--;
	DL_DELETE(w->match->watchers, w);
	DL_DELETE2(w->session->watching, w, own_prev, own_next);
	free(w);
}

void on_match_watch(struct domain *d, const struct command *cmd)
{
	struct match *m = find_match(d, &cmd->match);
	struct session *s = session_of(d, cmd);
	if (!m || match_is_closed_to(m, &cmd->player)) {
		refuse(d, cmd, m ? PLYD_ENOTALLOWED : PLYD_ENOMATCH);
		return;
	}
	int seat = match_seat_of(m, &s->player->id);
	/* a seat hears of its match anyway */
	if (seat >= 0) {
		match_take_seat(d, cmd, m, (enum side)seat);
		lag_probe_again(d, m, seat);
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

/* -- following players -- */

static struct follow *follow_of(const struct session *s, const struct player *p)
{
	struct follow *f;
	DL_FOREACH2(s->following, f, own_next) if (f->player == p) return f;
	return NULL;
}

static int follow_check(const struct domain *d, const struct session *s,
			const struct player *p)
{
	if (s->player == p)
		return PLYD_ENOTALLOWED;
	if (p->follower_count >= FOLLOWERS_MAX)
		return PLYD_EFULL;
	if (s->player->follow_count >= (size_t)d->limits.follows_per_player)
		return PLYD_ETOOMANY;
	return PLYD_OK;
}

static int follow_add(struct session *s, struct player *p)
{
	struct follow *f = calloc(1, sizeof(*f));
	if (!f)
		return PLYD_ENOMEM;
	f->session = s;
	f->player = p;
	DL_APPEND(p->followers, f);
	DL_APPEND2(s->following, f, own_prev, own_next);
	p->follower_count++;
	s->player->follow_count++;
	return PLYD_OK;
}

void follow_drop(struct follow *f)
{
	f->player->follower_count--;
	f->session->player->follow_count--;
	DL_DELETE(f->player->followers, f);
	DL_DELETE2(f->session->following, f, own_prev, own_next);
	free(f);
}

/* A follower watches a match as far as he may; true: only now. */
static bool follow_into(const struct domain *d, struct session *s,
			struct match *m)
{
	return !m->closed && match_seat_of(m, &s->player->id) < 0 &&
	       !watcher_of(s, m) && watch_check(d, s->player, m) == PLYD_OK &&
	       watcher_add(s, m) == PLYD_OK;
}

void followers_watch(struct domain *d, struct match *m)
{
	for (int s = 0; s < 2; s++) {
		const struct player *p = find_player(d, &m->seat[s].player);
		const struct follow *f;
		for (f = p ? p->followers : NULL; f; f = f->next)
			follow_into(d, f->session, m);
	}
	if (m->watchers)
		effect_add(d, EFFECT_SNAPSHOT)->match =
			m->late ? m->late->shown : m;
}

void on_player_watch(struct domain *d, const struct command *cmd)
{
	struct session *s = session_of(d, cmd);
	struct player *p = find_player(d, &cmd->whom);
	const struct match_link *link;
	int err = !p                ? PLYD_ENOPLAYER
		  : follow_of(s, p) ? PLYD_OK
				    : follow_check(d, s, p);
	if (!err && !follow_of(s, p))
		err = follow_add(s, p);
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	answer(d, cmd)->answer.about = p;
	if (cmd->conn == 0)
		return; /* after a rebuild: what he watches he watches */
	DL_FOREACH (p->matches, link) {
		struct match *m = link->match;
		if (!follow_into(d, s, m))
			continue;
		struct effect *fx = effect_add(d, EFFECT_SNAPSHOT);
		fx->match = match_seen(m, &cmd->player);
		fx->conn = cmd->conn;
	}
}

void on_player_unwatch(struct domain *d, const struct command *cmd)
{
	const struct player *p = find_player(d, &cmd->whom);
	struct follow *f = p ? follow_of(session_of(d, cmd), p) : NULL;
	if (f)
		follow_drop(f);
	answer(d, cmd);
}
