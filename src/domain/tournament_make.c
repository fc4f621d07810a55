/* SPDX-License-Identifier: MIT
 * tournament_make.c - making a tournament, its directors, and moving it on. */
#include "domain/rating.h"
#include "domain/tournament_priv.h"

#include <stdio.h>

#include <utlist.h>

enum {
	NO_SHOW_MS_MIN = 1000,
	WAIT_MS_MAX = 86400000, /* check-in, no-show, gap */
	STARTS_WITHIN_DAYS = 400,
	DAY_MS = 86400000,
};

/* -- terms -- */

void tournament_default_breaks(struct tournament_terms *t)
{
	static const enum contest_break robin[] = { BREAK_HALVES, BREAK_DIRECT,
						    BREAK_SONNEBORN_BERGER,
						    BREAK_WINS, BREAK_LOTS };
	static const enum contest_break swiss[] = {
		BREAK_HALVES,   BREAK_DIRECT,           BREAK_BUCHHOLZ_CUT,
		BREAK_BUCHHOLZ, BREAK_SONNEBORN_BERGER, BREAK_WINS,
		BREAK_LOTS
	};
	bool is_swiss = t->format == FORMAT_SWISS;
	t->break_count = is_swiss ? 7 : 5;
	memcpy(t->breaks, is_swiss ? swiss : robin,
	       t->break_count * sizeof(t->breaks[0]));
}

static bool is_wait(int64_t ms)
{
	return ms >= 0 && ms <= WAIT_MS_MAX;
}

static const char *numbers_wrong(const struct tournament_terms *t)
{
	int most = t->format == FORMAT_ROBIN || t->format == FORMAT_DOUBLE_ROBIN
			   ? ROBIN_MAX
			   : ENTRIES_MAX;
	if (t->entries_max < 2 || t->entries_max > most)
		return "2 to 512 entries, a round robin 2 to 64.";
	if (t->format == FORMAT_SWISS &&
	    (t->rounds < 1 || t->rounds > ROUNDS_MAX))
		return "A Swiss has 1 to 64 rounds.";
	if (t->late_rounds < 0 ||
	    t->late_rounds >= (t->format == FORMAT_SWISS ? t->rounds : 1))
		return "Only a Swiss can be entered late, and not in its last "
		       "round.";
	if (t->rating_min < 0 || t->rating_max < 0 ||
	    (t->rating_max > 0 && t->rating_min > t->rating_max))
		return "The least rating is above the greatest.";
	if (t->no_show_ms < NO_SHOW_MS_MIN || !is_wait(t->no_show_ms))
		return "A match waits for its players 1 second to 1 day.";
	if (!is_wait(t->check_in_ms) || !is_wait(t->gap_ms))
		return "Check-in and the time between rounds are 1 day at "
		       "most.";
	return NULL;
}

int terms_check(const struct domain *d, const struct tournament_terms *t,
		const char **why)
{
	const struct match_rules *r =
		domain_rules_find(d, span_str(t->ruleset));
	*why = NULL;
	if (!r)
		return PLYD_ERULESET;
	if (!clock_is_allowed(&r->clock_limits, &t->clock))
		return PLYD_ECLOCK;
	if (!length_is_allowed(d, r, t->match_length))
		return PLYD_ELENGTH;
	*why = numbers_wrong(t);
	if (!*why && t->scoring == SCORING_POINTS &&
	    r->rules.family != FAMILY_BACKGAMMON)
		*why = "Only backgammon is scored by points.";
	if (!*why && t->players > AGAINST_BOT)
		*why = "Personalities do not take part.";
	if (!*why && t->starts_unix_ms &&
	    (t->starts_unix_ms < d->unix_ms - DAY_MS ||
	     t->starts_unix_ms >
		     d->unix_ms + (int64_t)STARTS_WITHIN_DAYS * DAY_MS))
		*why = "It starts within 400 days.";
	return *why ? PLYD_ETERMS : PLYD_OK;
}

/* -- making -- */

static const struct tournament *oldest_finished(const struct domain *d)
{
	for (const struct tournament *t = d->tournaments; t; t = t->hh.next)
		if (t->state == TOURNAMENT_FINISHED)
			return t;
	return NULL;
}

/* A new one needs a place; false: all are under way. */
static bool make_room(struct domain *d)
{
	if (HASH_COUNT(d->tournaments) < (size_t)d->limits.tournaments_max)
		return true;
	const struct tournament *old = oldest_finished(d);
	if (!old)
		return false;
	happen(d, &(struct fact){ .type = FACT_TOURNAMENT_REMOVED,
				  .tournament_removed = { old->id } });
	return HASH_COUNT(d->tournaments) < (size_t)d->limits.tournaments_max;
}

static struct tournament *make(struct domain *d, const struct player *organiser,
			       struct span key)
{
	const struct tournament_terms *terms = &d->terms;
	static const struct id nobody;
	struct id id = id_new(&d->entropy);
	while (find_tournament(d, &id))
		id = id_new(&d->entropy);
	entropy_fill(&d->entropy, d->seed, CONTEST_SEED_BYTES);
	breaks_write(terms, d->breaks);
	span_copy(key, d->key, sizeof(d->key));
	struct fact_tournament_made_body made = {
		.tournament = id,
		.organiser = organiser ? organiser->id : nobody,
		.organiser_name = span_str(organiser ? organiser->name : ""),
		.name = span_str(terms->name),
		.schedule = span_str(terms->schedule),
		.at = d->unix_ms,
		.ruleset = span_str(terms->ruleset),
		.base_ms = terms->clock.base_ms,
		.increment_ms = terms->clock.increment_ms,
		.clock_kind = terms->clock.kind,
		.delay_ms = terms->clock.delay_ms,
		.match_length = terms->match_length,
		.format = span_str(contest_format_name(terms->format)),
		.scoring = span_str(contest_scoring_name(terms->scoring)),
		.breaks = span_str(d->breaks),
		.rounds = terms->rounds,
		.entries_max = terms->entries_max,
		.late_rounds = terms->late_rounds,
		.rated = terms->rated,
		.invited_only = terms->invited_only,
		.players = terms->players,
		.rating_min = terms->rating_min,
		.rating_max = terms->rating_max,
		.check_in_ms = terms->check_in_ms,
		.no_show_ms = terms->no_show_ms,
		.gap_ms = terms->gap_ms,
		.starts_at = terms->starts_unix_ms,
		.commitment = contest_commitment(d->seed),
		.seed = span_of(d->seed, CONTEST_SEED_BYTES),
		.key = span_str(d->key),
	};
	happen(d, &(struct fact){ .type = FACT_TOURNAMENT_MADE,
				  .tournament_made = made });
	return find_tournament(d, &id);
}

static size_t organised_by(const struct domain *d, const struct id *player)
{
	size_t n = 0;
	for (const struct tournament *t = d->tournaments; t; t = t->hh.next)
		n += t->state != TOURNAMENT_FINISHED &&
		     id_eq(&t->organiser, player);
	return n;
}

/* A repeated key finds what the first one made. */
static bool made_before(struct domain *d, const struct command *cmd)
{
	const struct player *p = find_player(d, &cmd->player);
	struct span key = cmd->tournament.key;
	const struct remembered_key *k = find_key(p, key);
	if (!k)
		return false;
	const struct tournament *t = find_tournament(d, &k->made);
	if (t)
		answer_tournament(d, cmd, t);
	else
		refuse(d, cmd, PLYD_ENOTOURNAMENT);
	return true;
}

/* The terms as they were asked for, with what was left to the server. */
static int fill_terms(struct domain *d, const struct command *cmd,
		      const char **why)
{
	struct tournament_terms *out = &d->terms; /* the fact lends it */
	const struct cmd_tournament *c = &cmd->tournament;
	*out = *c->terms;
	*why = NULL;
	const struct match_rules *r =
		domain_rules_find(d, span_str(out->ruleset));
	if (!r)
		return PLYD_ERULESET;
	if (c->name.len > 0)
		span_copy(c->name, out->name, sizeof(out->name));
	if (!clock_wanted(&r->clock, &c->clock, &out->clock))
		return PLYD_ECLOCK;
	if (out->break_count == 0)
		tournament_default_breaks(out);
	return terms_check(d, out, why);
}

void on_tournament_create(struct domain *d, const struct command *cmd)
{
	const struct player *p = find_player(d, &cmd->player);
	const char *why;
	if (made_before(d, cmd))
		return;
	int err = fill_terms(d, cmd, &why);
	if (!err &&
	    organised_by(d, &p->id) >= (size_t)d->limits.tournaments_per_player)
		err = PLYD_ETOOMANY;
	if (!err && !make_room(d))
		err = PLYD_EFULL;
	if (err) {
		refuse(d, cmd, err)->text = why;
		return;
	}
	struct tournament *t = make(d, p, cmd->tournament.key);
	if (!cmd->tournament.draft)
		tournament_move(d, t, TOURNAMENT_OPEN, TOURNAMENT_END_NOT_YET);
	answer_tournament(d, cmd, t);
}

/* -- plans -- */

static bool is_planned(const struct domain *d, const struct tournament_terms *t)
{
	for (const struct tournament *x = d->tournaments; x; x = x->hh.next)
		if (!strcmp(x->terms.schedule, t->schedule) &&
		    x->terms.starts_unix_ms == t->starts_unix_ms)
			return true;
	return false;
}

static void direct(struct domain *d, struct tournament *t, const struct id *who,
		   bool on)
{
	happen(d, &(struct fact){ .type = FACT_TOURNAMENT_DIRECTED,
				  .tournament_directed = { t->id, *who, on } });
}

/* Those of the plan's directors who have an account. */
static void direct_all(struct domain *d, struct tournament *t,
		       struct span logins)
{
	while (logins.len > 0 && t->director_count < DIRECTORS_MAX) {
		const uint8_t *end = memchr(logins.at, ' ', logins.len);
		size_t len = end ? (size_t)(end - logins.at) : logins.len;
		const struct account *a =
			find_login(d, span_of(logins.at, len));
		if (a && !tournament_directs(t, &a->player->id))
			direct(d, t, &a->player->id, true);
		len += end != NULL;
		logins = span_of(logins.at + len, logins.len - len);
	}
}

/* The same time of the same plan makes one tournament, however often it is
 * said: by a timer, after a restart. */
void on_tournament_scheduled(struct domain *d, const struct command *cmd)
{
	const struct tournament_terms *wanted = cmd->tournament.terms;
	const char *why;
	if (is_planned(d, wanted) || fill_terms(d, cmd, &why) || !make_room(d))
		return;
	struct tournament *t = make(d, NULL, span_str(""));
	direct_all(d, t, cmd->tournament.directors);
	tournament_move(d, t, TOURNAMENT_OPEN, TOURNAMENT_END_NOT_YET);
}

/* -- moving on -- */

void tournament_move(struct domain *d, struct tournament *t,
		     enum tournament_state to, enum tournament_end end)
{
	size_t rounds = t->rounds;
	if (to == TOURNAMENT_RUNNING && t->contest.round_count == 0)
		rounds = contest_rounds(t->terms.format, tournament_players(t),
					(size_t)t->terms.rounds);
	happen(d, &(struct fact){
			  .type = FACT_TOURNAMENT_MOVED,
			  .tournament_moved = { .tournament = t->id,
						.state = to,
						.end = end,
						.at = d->unix_ms,
						.rounds = (int64_t)rounds } });
	tell_tournament(d, t, true);
	tournament_changed(d, t);
}

/* Who was asked to check in and did not is out with the fact that begins it;
 * so the rounds are counted without him. */
static size_t players_at_start(const struct tournament *t)
{
	size_t n = 0;
	for (size_t i = 0; i < t->contest.entry_count; i++)
		n += t->in[i].gone_from > t->in[i].first_round &&
		     (t->terms.check_in_ms == 0 || t->entry[i].checked_in);
	return n;
}

void tournament_begin(struct domain *d, struct tournament *t)
{
	size_t players = players_at_start(t);
	if (players < 2) {
		tournament_move(d, t, TOURNAMENT_FINISHED,
				TOURNAMENT_END_TOO_FEW);
		return;
	}
	size_t rounds = contest_rounds(t->terms.format, players,
				       (size_t)t->terms.rounds);
	happen(d, &(struct fact){
			  .type = FACT_TOURNAMENT_MOVED,
			  .tournament_moved = { .tournament = t->id,
						.state = TOURNAMENT_RUNNING,
						.at = d->unix_ms,
						.rounds = (int64_t)rounds } });
	tell_tournament(d, t, true);
	tournament_changed(d, t);
}

static void start(struct domain *d, struct tournament *t)
{
	if (t->state == TOURNAMENT_OPEN && t->terms.check_in_ms > 0) {
		t->check_in_until_ms = due_after(d, t->terms.check_in_ms);
		tournament_move(d, t, TOURNAMENT_CHECK_IN,
				TOURNAMENT_END_NOT_YET);
	} else if (t->state == TOURNAMENT_OPEN ||
		   t->state == TOURNAMENT_CHECK_IN) {
		tournament_begin(d, t);
	}
}

enum {
	BEFORE = 1u << TOURNAMENT_DRAFT | 1u << TOURNAMENT_OPEN |
		 1u << TOURNAMENT_CHECK_IN,
	UNDER_WAY = 1u << TOURNAMENT_RUNNING | 1u << TOURNAMENT_PAUSED,
	FINISHED = 1u << TOURNAMENT_FINISHED,
};

/* Each is allowed again where it has been done: a retry changes nothing. */
static unsigned moves_from(enum command_type type)
{
	switch (type) {
	case CMD_TOURNAMENT_OPEN:
		return 1u << TOURNAMENT_DRAFT | 1u << TOURNAMENT_OPEN;
	case CMD_TOURNAMENT_START:
		return 1u << TOURNAMENT_OPEN | 1u << TOURNAMENT_CHECK_IN |
		       1u << TOURNAMENT_RUNNING;
	case CMD_TOURNAMENT_FINISH: return BEFORE | UNDER_WAY | FINISHED;
	default: return UNDER_WAY;
	}
}

void on_tournament_move(struct domain *d, const struct command *cmd)
{
	struct tournament *t =
		tournament_to_direct(d, cmd, moves_from(cmd->type));
	if (!t)
		return;
	if (cmd->type == CMD_TOURNAMENT_OPEN && t->state == TOURNAMENT_DRAFT)
		tournament_move(d, t, TOURNAMENT_OPEN, TOURNAMENT_END_NOT_YET);
	else if (cmd->type == CMD_TOURNAMENT_START)
		start(d, t);
	else if (cmd->type == CMD_TOURNAMENT_PAUSE &&
		 t->state == TOURNAMENT_RUNNING)
		tournament_move(d, t, TOURNAMENT_PAUSED,
				TOURNAMENT_END_NOT_YET);
	else if (cmd->type == CMD_TOURNAMENT_RESUME &&
		 t->state == TOURNAMENT_PAUSED)
		tournament_move(d, t, TOURNAMENT_RUNNING,
				TOURNAMENT_END_NOT_YET);
	else if (cmd->type == CMD_TOURNAMENT_FINISH &&
		 t->state != TOURNAMENT_FINISHED)
		tournament_move(d, t, TOURNAMENT_FINISHED,
				TOURNAMENT_END_STOPPED);
	answer_tournament(d, cmd, t);
}

/* -- directors -- */

void on_tournament_direct(struct domain *d, const struct command *cmd)
{
	struct tournament *t = tournament_to_direct(d, cmd, BEFORE | UNDER_WAY);
	if (!t)
		return;
	const struct player *p = player_named(d, cmd, &cmd->tournament.whom);
	if (!p)
		return;
	bool is = tournament_directs(t, &p->id), on = cmd->tournament.on;
	int err = !id_eq(&t->organiser, &cmd->player)   ? PLYD_ENOTALLOWED
		  : id_eq(&t->organiser, &p->id) && !on ? PLYD_ESELF
		  : on && !is && t->director_count == DIRECTORS_MAX
			  ? PLYD_ETOOMANY
			  : PLYD_OK;
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	if (is != on)
		direct(d, t, &p->id, on);
	tell_tournament(d, t, false);
	answer_tournament(d, cmd, t);
}

/* Whoever is deleted is in nothing any more, one thing a step. */
bool tournament_quit(struct domain *d, const struct player *p)
{
	for (struct tournament *t = d->tournaments;
	     t && p->tournament_count > 0; t = t->hh.next) {
		int entry = tournament_entry_of(t, &p->id);
		if (t->state == TOURNAMENT_FINISHED)
			continue;
		if (entry >= 0 && t->entry[entry].gone == ENTRY_HERE)
			entry_leave(d, t, (size_t)entry, ENTRY_WITHDRAWN);
		else if (tournament_directs(t, &p->id))
			direct(d, t, &p->id, false);
		else
			continue;
		return true;
	}
	return false;
}
