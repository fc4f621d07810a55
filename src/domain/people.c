/* SPDX-License-Identifier: MIT
 * people.c - who is here, who is called what, and who may be forgotten: lists
 * that are kept as players come and go. */
#include "domain/domain_priv.h"

#include <utlist.h>

static int kind_index(const struct player *p)
{
	return p->kind == KIND_BOT;
}

struct player *player_named(struct domain *d, const struct command *cmd,
			    const struct cmd_whom *whom)
{
	bool by_id = !id_is_none(&whom->player);
	struct player *p = by_id                ? find_player(d, &whom->player)
			   : whom->name.len > 0 ? player_called(d, whom->name)
						: NULL;
	if (!p)
		refuse(d, cmd, PLYD_ENOPLAYER);
	return p;
}

/* -- coming and going -- */

static void set_here(struct domain *d, struct player *p, bool here)
{
	struct meets *m = &p->meets;
	if (m->listed == here)
		return;
	m->listed = here;
	if (here) {
		m->listed_as = kind_index(p);
		DL_APPEND2(d->here[m->listed_as], p, meets.here_prev,
			   meets.here_next);
		d->here_count[m->listed_as]++;
	} else {
		DL_DELETE2(d->here[m->listed_as], p, meets.here_prev,
			   meets.here_next);
		d->here_count[m->listed_as]--;
	}
}

void people_drop(struct domain *d, struct player *p)
{
	set_here(d, p, false);
	player_set_idle(d, p, false);
	while (p->meets.invited_count > 0) {
		struct id id = p->meets.invited[0];
		lobby_uninvite(d, find_lobby(d, &id), &p->id);
	}
}

void people_presence(struct domain *d, struct player *p)
{
	struct lobby_link *seat;
	struct seek *s;
	set_here(d, p, player_is_here(p));
	DL_FOREACH (p->lobbies, seat) {
		lobby_set_due(d, seat->lobby);
		tell_lobby(d, seat->lobby);
	}
	DL_FOREACH (p->meets.seeks, s)
		seek_set_due(d, s);
	DL_FOREACH2(p->meets.challenges, s, to_next)
	seek_set_due(d, s);
	if (!p->meets.queued)
		return;
	if (player_is_here(p)) /* somebody may wait for him */
		due_set(&d->due, &p->meets.queued->due, due_after(d, 0));
	else
		queued_set_due(d, p->meets.queued);
}

bool player_is_bound(const struct player *p)
{
	return p->match_count > 0 || p->lobby_count > 0 ||
	       p->meets.seek_count > 0 || p->meets.challenge_count > 0 ||
	       p->meets.queued || p->tournament_count > 0;
}

void player_set_idle(struct domain *d, struct player *p, bool idle)
{
	if (p->meets.idle)
		DL_DELETE2(d->idle, p, meets.idle_prev, meets.idle_next);
	p->meets.idle = idle;
	if (idle)
		DL_APPEND2(d->idle, p, meets.idle_prev, meets.idle_next);
}

/* -- looking -- */

const struct player *domain_here(const struct domain *d, bool bots)
{
	return d->here[bots];
}

size_t domain_here_count(const struct domain *d, bool bots)
{
	return d->here_count[bots];
}

void on_players_list(struct domain *d, const struct command *cmd)
{
	const struct cmd_players *c = &cmd->players;
	bool people = c->bots != 1, bots = c->bots != 0;
	const struct player *first = people ? d->here[0] : d->here[1];
	if (!id_is_none(&c->after)) {
		const struct player *p = find_player(d, &c->after);
		if (!p || !p->meets.listed ||
		    !(p->kind == KIND_BOT ? bots : people)) {
			refuse(d, cmd, PLYD_ENOPLAYER)->text =
				"He has gone meanwhile; begin the list again.";
			return;
		}
		first = p->meets.here_next;
		people = people && p->kind != KIND_BOT;
	}
	if (!first && people && bots) {
		first = d->here[1];
		people = false;
	}
	struct effect *fx = answer(d, cmd);
	fx->answer.first = first;
	fx->answer.people = c->bots != 1;
	fx->answer.bots = bots;
}

void on_player_get(struct domain *d, const struct command *cmd)
{
	struct player *p = player_named(d, cmd, &cmd->named);
	if (p)
		answer(d, cmd)->player = p;
}
