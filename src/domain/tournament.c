/* SPDX-License-Identifier: MIT
 * tournament.c - looking at tournaments and watching them; when one has
 * something to do. */
#include "domain/tournament_priv.h"

#include <stdlib.h>

#include <utlist.h>

/* The wall clock may be set: what starts by it is looked at so often. */
enum { WALL_LOOK_MS = 60000 };

#define W(UPPER, word, doc) word,
static const char *const state_words[] = { TOURNAMENT_STATES(W) };
static const char *const end_words[] = { TOURNAMENT_ENDS(W) };
static const char *const gone_words[] = { ENTRY_ENDS(W) };
#undef W

const char *tournament_state_name(enum tournament_state s)
{
	return state_words[s];
}

const char *tournament_end_name(enum tournament_end e)
{
	return end_words[e];
}

const char *entry_end_name(enum entry_end e)
{
	return gone_words[e];
}

struct tournament *find_tournament(const struct domain *d, const struct id *id)
{
	struct tournament *t;
	HASH_FIND(hh, d->tournaments, id->text, ID_CHARS, t);
	return t;
}

const struct tournament *domain_tournaments(const struct domain *d)
{
	return d->tournaments;
}

const struct tournament *domain_tournament(const struct domain *d,
					   const struct id *id)
{
	return find_tournament(d, id);
}

int tournament_entry_of(const struct tournament *t, const struct id *player)
{
	for (size_t i = 0; !id_is_none(player) && i < t->contest.entry_count;
	     i++)
		if (id_eq(&t->entry[i].player, player))
			return (int)i;
	return -1;
}

bool tournament_directs(const struct tournament *t, const struct id *player)
{
	if (id_is_none(player))
		return false;
	for (size_t i = 0; i < t->director_count; i++)
		if (id_eq(&t->director[i], player))
			return true;
	return id_eq(&t->organiser, player);
}

bool tournament_shows(const struct tournament *t, const struct id *player)
{
	return t->state != TOURNAMENT_DRAFT || tournament_directs(t, player);
}

size_t tournament_players(const struct tournament *t)
{
	size_t n = 0;
	for (size_t i = 0; i < t->contest.entry_count; i++)
		n += t->in[i].gone_from > t->in[i].first_round;
	return n;
}

size_t tournament_open_tables(const struct tournament *t, size_t round)
{
	const struct contest_round *r = &t->round[round];
	size_t open = 0;
	for (size_t i = 0; i < r->count; i++)
		open += r->table[i].outcome == OUTCOME_PENDING;
	return open;
}

/* -- commands that name one -- */

struct tournament *tournament_of(struct domain *d, const struct command *cmd)
{
	struct tournament *t = find_tournament(d, &cmd->tournament.tournament);
	if (t && tournament_shows(t, &cmd->player))
		return t;
	refuse(d, cmd, PLYD_ENOTOURNAMENT);
	return NULL;
}

struct tournament *tournament_to_direct(struct domain *d,
					const struct command *cmd,
					unsigned states)
{
	struct tournament *t = tournament_of(d, cmd);
	int err = !t                                     ? PLYD_OK
		  : !tournament_directs(t, &cmd->player) ? PLYD_ENOTDIRECTOR
		  : !(states >> t->state & 1)            ? PLYD_ESTAGE
							 : PLYD_OK;
	if (!err)
		return t;
	refuse(d, cmd, err)->tournament = t;
	return NULL;
}

void answer_tournament(struct domain *d, const struct command *cmd,
		       const struct tournament *t)
{
	struct effect *fx = answer(d, cmd);
	fx->player = find_player(d, &cmd->player);
	fx->tournament = t;
	fx->from = cmd->tournament.from;
}

void tell_tournament(struct domain *d, const struct tournament *t, bool all)
{
	struct effect *fx = effect_add(d, EFFECT_TOURNAMENT);
	fx->tournament = t;
	fx->all = all;
}

void on_tournament_list(struct domain *d, const struct command *cmd)
{
	const struct id *after = &cmd->tournament.tournament;
	const struct tournament *t = d->tournaments;
	if (!id_is_none(after)) {
		t = find_tournament(d, after);
		if (!t) {
			refuse(d, cmd, PLYD_ENOTOURNAMENT);
			return;
		}
		t = t->hh.next;
	}
	struct effect *fx = answer(d, cmd);
	fx->player = find_player(d, &cmd->player);
	fx->tournament = t;
}

void on_tournament_get(struct domain *d, const struct command *cmd)
{
	const struct tournament *t = tournament_of(d, cmd);
	if (t)
		answer_tournament(d, cmd, t);
}

void on_tournament_round(struct domain *d, const struct command *cmd)
{
	const struct tournament *t = tournament_of(d, cmd);
	if (!t)
		return;
	if (cmd->tournament.round >= t->contest.round_count) {
		refuse(d, cmd, PLYD_ENOTABLE);
		return;
	}
	answer_tournament(d, cmd, t);
	d->step.effect[d->step.effect_count - 1].round = cmd->tournament.round;
}

/* -- watching -- */

static struct tournament_watcher *watcher_of(const struct session *s,
					     const struct tournament *t)
{
	struct tournament_watcher *w;
	DL_FOREACH2(s->tournaments, w, own_next)
	if (w->tournament == t)
		return w;
	return NULL;
}

static int watch(struct session *s, struct tournament *t)
{
	if (watcher_of(s, t))
		return PLYD_OK;
	if (s->tournament_watches >= TOURNAMENTS_WATCHED_MAX)
		return PLYD_ETOOMANY;
	if (t->watcher_count >= TOURNAMENT_WATCHERS_MAX)
		return PLYD_EFULL;
	struct tournament_watcher *w = calloc(1, sizeof(*w));
	if (!w)
		return PLYD_ENOMEM;
	w->session = s;
	w->tournament = t;
	DL_APPEND(t->watchers, w);
	DL_APPEND2(s->tournaments, w, own_prev, own_next);
	t->watcher_count++;
	s->tournament_watches++;
	return PLYD_OK;
}

void tournament_watcher_drop(struct tournament_watcher *w)
{
	w->tournament->watcher_count--;
	w->session->tournament_watches--;
	DL_DELETE(w->tournament->watchers, w);
	DL_DELETE2(w->session->tournaments, w, own_prev, own_next);
	free(w);
}

void tournament_watches_drop(struct session *s)
{
	while (s->tournaments)
		tournament_watcher_drop(s->tournaments);
}

void on_tournament_watch(struct domain *d, const struct command *cmd)
{
	struct tournament *t = tournament_of(d, cmd);
	int err = t ? watch(session_of(d, cmd), t) : PLYD_OK;
	if (err)
		refuse(d, cmd, err);
	else if (t)
		answer_tournament(d, cmd, t);
}

void on_tournament_unwatch(struct domain *d, const struct command *cmd)
{
	struct tournament *t = find_tournament(d, &cmd->tournament.tournament);
	struct tournament_watcher *w =
		t ? watcher_of(session_of(d, cmd), t) : NULL;
	if (w)
		tournament_watcher_drop(w);
	answer(d, cmd);
}

/* -- time -- */

void tournament_changed(struct domain *d, struct tournament *t)
{
	t->dirty = true;
	tournament_set_due(d, t);
}

static uint64_t wall_ms(const struct domain *d, int64_t unix_ms)
{
	int64_t wait = unix_ms - d->unix_ms;
	if (wait < 0 || d->unix_ms == 0)
		wait = 0;
	return due_after(d, wait < WALL_LOOK_MS ? wait : WALL_LOOK_MS);
}

/* When it moves on by itself. */
static uint64_t moves_at_ms(const struct domain *d, const struct tournament *t)
{
	int64_t starts = t->terms.starts_unix_ms;
	switch (t->state) {
	case TOURNAMENT_OPEN:
		return starts ? wall_ms(d, starts - t->terms.check_in_ms)
			      : UINT64_MAX;
	case TOURNAMENT_CHECK_IN:
		return t->check_in_until_ms ? t->check_in_until_ms
					    : wall_ms(d, starts);
	case TOURNAMENT_RUNNING: return tournament_goes_on_ms(d, t);
	default: return UINT64_MAX;
	}
}

static uint64_t shows_at_ms(const struct tournament *t)
{
	if (!t->dirty)
		return UINT64_MAX;
	return t->shown_ms + STANDINGS_EVERY_MS;
}

void tournament_set_due(struct domain *d, struct tournament *t)
{
	uint64_t moves = moves_at_ms(d, t), shows = shows_at_ms(t);
	uint64_t at_ms = moves < shows ? moves : shows;
	if (at_ms == UINT64_MAX)
		due_clear(&d->due, &t->due);
	else
		due_set(&d->due, &t->due, at_ms > 0 ? at_ms : 1);
}

static void show(struct domain *d, struct tournament *t)
{
	t->dirty = false;
	t->shown_ms = d->now_ms;
	if (t->watchers)
		effect_add(d, EFFECT_TOURNAMENT_STANDINGS)->tournament = t;
}

/* By the wall clock, or by the time that a director's start gave. */
static bool time_has_come(const struct domain *d, const struct tournament *t)
{
	int64_t starts = t->terms.starts_unix_ms;
	if (t->state == TOURNAMENT_OPEN)
		return starts && d->unix_ms >= starts - t->terms.check_in_ms;
	if (t->state != TOURNAMENT_CHECK_IN)
		return false;
	return t->check_in_until_ms ? t->check_in_until_ms <= d->now_ms
				    : d->unix_ms >= starts;
}

void tournament_due(struct domain *d, struct tournament *t)
{
	if (shows_at_ms(t) <= d->now_ms)
		show(d, t);
	else if (t->state == TOURNAMENT_RUNNING)
		tournament_go_on(d, t);
	else if (time_has_come(d, t) && t->state == TOURNAMENT_OPEN &&
		 t->terms.check_in_ms > 0)
		tournament_move(d, t, TOURNAMENT_CHECK_IN,
				TOURNAMENT_END_NOT_YET);
	else if (time_has_come(d, t))
		tournament_begin(d, t);
	tournament_set_due(d, t);
}

void tournaments_wake(struct domain *d)
{
	for (struct tournament *t = d->tournaments; t; t = t->hh.next) {
		if (t->contest.round_count > 0)
			t->paired_ms = d->now_ms;
		if (t->state == TOURNAMENT_CHECK_IN &&
		    t->terms.starts_unix_ms == 0)
			t->check_in_until_ms =
				due_after(d, t->terms.check_in_ms);
		tournament_set_due(d, t);
	}
}

int64_t tournament_no_show_ms(const struct domain *d, const struct match *m)
{
	const struct tournament *t = find_tournament(d, &m->place.tournament);
	return t ? t->terms.no_show_ms : d->limits.first_move_ms;
}
