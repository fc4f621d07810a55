/* SPDX-License-Identifier: MIT
 * tournament_enter.c - who takes part in a tournament. Everybody enters
 * himself: a bot by its own connection, which is its owner's consent, and only
 * where the organiser wants bots. */
#include "domain/rating.h"
#include "domain/tournament_priv.h"

enum {
	ENTERED_IN = 1u << TOURNAMENT_OPEN | 1u << TOURNAMENT_CHECK_IN |
		     1u << TOURNAMENT_RUNNING | 1u << TOURNAMENT_PAUSED,
	INVITES_IN = ENTERED_IN | 1u << TOURNAMENT_DRAFT,
};

static bool is_invited(const struct tournament *t, const struct id *player)
{
	for (size_t i = 0; i < t->invited_count; i++)
		if (id_eq(&t->invited[i], player))
			return true;
	return tournament_directs(t, player);
}

static bool has_begun(const struct tournament *t)
{
	return t->state == TOURNAMENT_RUNNING || t->state == TOURNAMENT_PAUSED;
}

/* His rating for its matches, in points; 0: he has none. */
static int rating_of(const struct domain *d, const struct tournament *t,
		     const struct player *p)
{
	const struct match_rules *r =
		domain_rules_find(d, span_str(t->terms.ruleset));
	if (!r || !player_has_ratings(p))
		return 0;
	return domain_points(d, p, r, &t->terms.clock);
}

static int rating_check(const struct domain *d, const struct tournament *t,
			const struct player *p)
{
	const struct tournament_terms *x = &t->terms;
	if (x->rating_min == 0 && x->rating_max == 0)
		return x->rated && !player_has_ratings(p) ? PLYD_EUNRATED
							  : PLYD_OK;
	if (!player_has_ratings(p))
		return PLYD_EUNRATED;
	int rating = rating_of(d, t, p);
	return rating < x->rating_min ||
			       (x->rating_max > 0 && rating > x->rating_max)
		       ? PLYD_ERATING
		       : PLYD_OK;
}

static int enter_check(const struct domain *d, const struct tournament *t,
		       const struct player *p, int entry)
{
	if (!(ENTERED_IN >> t->state & 1))
		return PLYD_ESTAGE;
	if (has_begun(t) && entry >= 0)
		return PLYD_EWITHDRAWN;
	if (has_begun(t) &&
	    t->contest.round_count > (size_t)t->terms.late_rounds)
		return PLYD_ESTAGE;
	if (has_begun(t) && t->terms.format != FORMAT_SWISS)
		return PLYD_ESTAGE;
	if (!against_admits(t->terms.players, p))
		return PLYD_ENOTALLOWED;
	if (t->terms.invited_only && !is_invited(t, &p->id))
		return PLYD_ENOTINVITED;
	if (tournament_players(t) >= (size_t)t->terms.entries_max ||
	    (entry < 0 && t->contest.entry_count >= ENTRIES_MAX))
		return PLYD_EFULL;
	return rating_check(d, t, p);
}

void on_tournament_enter(struct domain *d, const struct command *cmd)
{
	struct tournament *t = tournament_of(d, cmd);
	const struct player *p = find_player(d, &cmd->player);
	if (!t)
		return;
	int entry = tournament_entry_of(t, &p->id);
	if (entry >= 0 && t->entry[entry].gone == ENTRY_HERE) {
		answer_tournament(d, cmd, t); /* he is in it */
		return;
	}
	int err = enter_check(d, t, p, entry);
	if (err) {
		refuse(d, cmd, err)->tournament = t;
		return;
	}
	size_t round = has_begun(t) ? t->contest.round_count : 0;
	memcpy(d->name, p->name, sizeof(d->name));
	happen(d, &(struct fact){
			  .type = FACT_TOURNAMENT_ENTERED,
			  .tournament_entered = {
				  .tournament = t->id,
				  .entry = entry >= 0 ? entry
						      : (int64_t)t->contest
								.entry_count,
				  .player = p->id,
				  .name = span_str(d->name),
				  .kind = p->kind,
				  .rating = rating_of(d, t, p),
				  .round = (int64_t)round } });
	tell_tournament(d, t, false);
	tournament_changed(d, t);
	answer_tournament(d, cmd, t);
}

void entry_leave(struct domain *d, struct tournament *t, size_t entry,
		 enum entry_end why)
{
	happen(d, &(struct fact){
			  .type = FACT_TOURNAMENT_LEFT,
			  .tournament_left = { t->id, (int64_t)entry,
					       (int64_t)t->contest.round_count,
					       why } });
	tell_tournament(d, t, false);
	tournament_changed(d, t);
}

static void leave(struct domain *d, const struct command *cmd,
		  struct tournament *t, const struct id *who,
		  enum entry_end why)
{
	int entry = tournament_entry_of(t, who);
	if (entry < 0 || t->state == TOURNAMENT_FINISHED) {
		refuse(d, cmd, entry < 0 ? PLYD_ENOTENTERED : PLYD_ESTAGE);
		return;
	}
	if (t->entry[entry].gone == ENTRY_HERE)
		entry_leave(d, t, (size_t)entry, why);
	answer_tournament(d, cmd, t);
}

void on_tournament_withdraw(struct domain *d, const struct command *cmd)
{
	struct tournament *t = tournament_of(d, cmd);
	if (t)
		leave(d, cmd, t, &cmd->player, ENTRY_WITHDRAWN);
}

void on_tournament_remove(struct domain *d, const struct command *cmd)
{
	struct tournament *t = tournament_to_direct(d, cmd, ENTERED_IN);
	if (!t)
		return;
	const struct player *p = player_named(d, cmd, &cmd->tournament.whom);
	if (p)
		leave(d, cmd, t, &p->id, ENTRY_REMOVED);
}

void on_tournament_check_in(struct domain *d, const struct command *cmd)
{
	struct tournament *t = tournament_of(d, cmd);
	int entry = t ? tournament_entry_of(t, &cmd->player) : -1;
	if (!t)
		return;
	bool is_in = entry >= 0 && t->entry[entry].gone == ENTRY_HERE;
	int err =
		!is_in ? PLYD_ENOTENTERED
		: t->state != TOURNAMENT_CHECK_IN && !t->entry[entry].checked_in
			? PLYD_ESTAGE
			: PLYD_OK;
	if (err) {
		refuse(d, cmd, err)->tournament = t;
		return;
	}
	if (!t->entry[entry].checked_in) {
		happen(d, &(struct fact){
				  .type = FACT_TOURNAMENT_CHECKED_IN,
				  .tournament_checked_in = { t->id, entry } });
		tell_tournament(d, t, false);
	}
	answer_tournament(d, cmd, t);
}

void on_tournament_invite(struct domain *d, const struct command *cmd)
{
	struct tournament *t = tournament_to_direct(d, cmd, INVITES_IN);
	if (!t)
		return;
	const struct player *p = player_named(d, cmd, &cmd->tournament.whom);
	if (!p)
		return;
	if (t->invited_count == TOURNAMENT_INVITED_MAX) {
		refuse(d, cmd, PLYD_ETOOMANY);
		return;
	}
	if (!is_invited(t, &p->id))
		happen(d, &(struct fact){
				  .type = FACT_TOURNAMENT_INVITED,
				  .tournament_invited = { t->id, p->id } });
	answer_tournament(d, cmd, t);
}
