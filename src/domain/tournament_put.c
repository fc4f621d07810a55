/* SPDX-License-Identifier: MIT
 * tournament_put.c - tournaments as the fewest facts that make them again, and
 * what must always hold of them. */
#include "domain/tournament_priv.h"

typedef void put_fn(void *payload, const struct fact *f);

static void put_made(const struct tournament *t, put_fn *put, void *payload)
{
	const struct tournament_terms *x = &t->terms;
	char breaks[BREAKS_TEXT_MAX];
	breaks_write(x, breaks);
	struct fact_tournament_made_body made = {
		.tournament = t->id,
		.organiser = t->organiser,
		.organiser_name = span_str(t->organiser_name),
		.name = span_str(x->name),
		.schedule = span_str(x->schedule),
		.at = t->made_unix_ms,
		.ruleset = span_str(x->ruleset),
		.base_ms = x->clock.base_ms,
		.increment_ms = x->clock.increment_ms,
		.clock_kind = x->clock.kind,
		.delay_ms = x->clock.delay_ms,
		.match_length = x->match_length,
		.format = span_str(contest_format_name(x->format)),
		.scoring = span_str(contest_scoring_name(x->scoring)),
		.breaks = span_str(breaks),
		.rounds = x->rounds,
		.entries_max = x->entries_max,
		.late_rounds = x->late_rounds,
		.rated = x->rated,
		.invited_only = x->invited_only,
		.players = x->players,
		.rating_min = x->rating_min,
		.rating_max = x->rating_max,
		.check_in_ms = x->check_in_ms,
		.no_show_ms = x->no_show_ms,
		.gap_ms = x->gap_ms,
		.starts_at = x->starts_unix_ms,
		.commitment = t->commitment,
		.seed = span_of(t->contest.seed, CONTEST_SEED_BYTES),
	};
	put(payload, &(struct fact){ .type = FACT_TOURNAMENT_MADE,
				     .tournament_made = made });
}

static void put_people(const struct tournament *t, put_fn *put, void *payload)
{
	for (size_t i = 0; i < t->director_count; i++)
		put(payload,
		    &(struct fact){ .type = FACT_TOURNAMENT_DIRECTED,
				    .tournament_directed = {
					    t->id, t->director[i], true } });
	for (size_t i = 0; i < t->invited_count; i++)
		put(payload, &(struct fact){ .type = FACT_TOURNAMENT_INVITED,
					     .tournament_invited = {
						     t->id, t->invited[i] } });
	for (size_t i = 0; i < t->contest.entry_count; i++) {
		const struct tournament_entry *e = &t->entry[i];
		put(payload,
		    &(struct fact){ .type = FACT_TOURNAMENT_ENTERED,
				    .tournament_entered = {
					    t->id, (int64_t)i, e->player,
					    span_str(e->name), e->kind,
					    t->in[i].rating,
					    t->in[i].first_round } });
		if (e->checked_in)
			put(payload,
			    &(struct fact){ .type = FACT_TOURNAMENT_CHECKED_IN,
					    .tournament_checked_in = {
						    t->id, (int64_t)i } });
		if (e->gone != ENTRY_HERE)
			put(payload,
			    &(struct fact){
				    .type = FACT_TOURNAMENT_LEFT,
				    .tournament_left = { t->id, (int64_t)i,
							 t->in[i].gone_from,
							 e->gone } });
	}
}

static void put_moved(const struct tournament *t, enum tournament_state state,
		      int64_t at, put_fn *put, void *payload)
{
	put(payload,
	    &(struct fact){ .type = FACT_TOURNAMENT_MOVED,
			    .tournament_moved = {
				    .tournament = t->id,
				    .state = state,
				    .end = state == TOURNAMENT_FINISHED
						   ? t->end
						   : TOURNAMENT_END_NOT_YET,
				    .at = at,
				    .rounds = (int64_t)t->rounds } });
}

/* What was corrected is shown by its corrections, which come after. */
static const struct tournament_correction *
first_correction(const struct tournament *t, size_t round, size_t table)
{
	for (size_t i = 0; i < t->correction_count; i++)
		if (t->correction[i].round == round &&
		    t->correction[i].table == table)
			return &t->correction[i];
	return NULL;
}

/* The tables as they were paired: what was decided then is in them. */
static void put_paired(const struct tournament *t, size_t round, put_fn *put,
		       void *payload)
{
	uint8_t bytes[TABLES_MAX * TABLE_BYTES];
	const struct contest_round *r = &t->round[round];
	for (size_t i = 0; i < r->count; i++) {
		const struct contest_table *x = &r->table[i];
		uint8_t *at = bytes + i * TABLE_BYTES;
		at[0] = (uint8_t)(x->white >> 8);
		at[1] = (uint8_t)x->white;
		at[2] = (uint8_t)(x->black >> 8);
		at[3] = (uint8_t)x->black;
		at[4] = x->outcome == OUTCOME_BYE ? OUTCOME_BYE
						  : OUTCOME_PENDING;
	}
	put(payload,
	    &(struct fact){ .type = FACT_TOURNAMENT_PAIRED,
			    .tournament_paired = {
				    t->id, (int64_t)round,
				    span_of(bytes, r->count * TABLE_BYTES) } });
}

static void put_result(const struct tournament *t, size_t round, size_t table,
		       int outcome, const uint8_t points[2], put_fn *put,
		       void *payload)
{
	put(payload,
	    &(struct fact){ .type = FACT_TOURNAMENT_RESULT,
			    .tournament_result = { t->id, (int64_t)round,
						   (int64_t)table, outcome,
						   points[0], points[1] } });
}

static void put_table(const struct tournament *t, size_t round, size_t table,
		      put_fn *put, void *payload)
{
	static const uint8_t none[2];
	const struct tournament_table *x = &t->table[round][table];
	const struct contest_table *c = &t->round[round].table[table];
	const struct tournament_correction *fix =
		first_correction(t, round, table);
	for (size_t g = 0; g < x->games; g++) {
		put(payload, &(struct fact){ .type = FACT_TOURNAMENT_SET,
					     .tournament_set = {
						     t->id, (int64_t)round,
						     (int64_t)table, (int64_t)g,
						     x->match[g] } });
		if (g + 1u < x->games ||
		    (x->over == x->games && c->outcome == OUTCOME_PENDING))
			put_result(t, round, table, OUTCOME_PENDING, none, put,
				   payload);
	}
	if (fix && fix->was != OUTCOME_PENDING)
		put_result(t, round, table, fix->was, fix->was_points, put,
			   payload);
	else if (!fix && c->outcome != OUTCOME_PENDING &&
		 c->outcome != OUTCOME_BYE)
		put_result(t, round, table, c->outcome, c->points, put,
			   payload);
}

static void put_correction(const struct tournament *t,
			   const struct tournament_correction *c, put_fn *put,
			   void *payload)
{
	put(payload, &(struct fact){ .type = FACT_TOURNAMENT_CORRECTED,
				     .tournament_corrected = {
					     .tournament = t->id,
					     .round = c->round,
					     .table = c->table,
					     .outcome = c->outcome,
					     .white_points = c->points[0],
					     .black_points = c->points[1],
					     .by = c->by,
					     .by_name = span_str(c->by_name),
					     .words = span_str(c->words),
					     .at = c->at_unix_ms,
					     .paired = c->paired,
					     .was = c->was,
					     .white_was = c->was_points[0],
					     .black_was = c->was_points[1],
				     } });
}

static void put_one(const struct tournament *t, put_fn *put, void *payload)
{
	put_made(t, put, payload);
	put_people(t, put, payload);
	if (t->began_unix_ms)
		put_moved(t, TOURNAMENT_RUNNING, t->began_unix_ms, put,
			  payload);
	for (size_t r = 0; r < t->contest.round_count; r++) {
		put_paired(t, r, put, payload);
		for (size_t i = 0; i < t->round[r].count; i++)
			put_table(t, r, i, put, payload);
	}
	for (size_t i = 0; i < t->correction_count; i++)
		put_correction(t, &t->correction[i], put, payload);
	if (t->state != TOURNAMENT_DRAFT && t->state != TOURNAMENT_RUNNING)
		put_moved(t, t->state, t->ended_unix_ms, put, payload);
}

void tournaments_put(const struct domain *d, put_fn *put, void *payload)
{
	for (const struct tournament *t = d->tournaments; t; t = t->hh.next)
		put_one(t, put, payload);
}

/* -- invariants -- */

static const char *round_broken(const struct tournament *t, size_t round)
{
	bool seen[ENTRIES_MAX] = { false };
	const struct contest_round *r = &t->round[round];
	for (size_t i = 0; i < r->count; i++) {
		const struct tournament_table *x = &t->table[round][i];
		uint16_t who[] = { r->table[i].white, r->table[i].black };
		for (int s = 0; s < 2; s++) {
			if (who[s] == NO_ENTRY)
				continue;
			if (seen[who[s]])
				return "somebody sits at two tables of a round";
			seen[who[s]] = true;
		}
		if (x->over > x->games || x->games > x->over + 1)
			return "a table has two matches at once";
		if (r->table[i].outcome != OUTCOME_PENDING &&
		    x->over != x->games)
			return "a table is decided while its match is played";
		if (round + 1 < t->contest.round_count &&
		    r->table[i].outcome == OUTCOME_PENDING)
			return "a round was paired before the last was over";
	}
	return NULL;
}

static const char *broken(const struct domain *d, const struct tournament *t)
{
	struct digest commitment = contest_commitment(t->contest.seed);
	(void)d;
	if (!digest_eq(&commitment, &t->commitment))
		return "a seed is not the one that was committed to";
	if (t->contest.round_count > t->rounds)
		return "a tournament has more rounds than it should";
	if (t->contest.round_count > 0 && !t->began_unix_ms)
		return "a round of a tournament that has not begun";
	for (size_t r = 0; r < t->contest.round_count; r++) {
		const char *what = round_broken(t, r);
		if (what)
			return what;
	}
	return NULL;
}

static size_t bound_by(const struct tournament *t)
{
	size_t n = !id_is_none(&t->organiser);
	if (t->state == TOURNAMENT_FINISHED)
		return 0;
	for (size_t i = 0; i < t->contest.entry_count; i++)
		n += t->entry[i].gone == ENTRY_HERE;
	return n + t->director_count;
}

const char *tournaments_broken(const struct domain *d)
{
	size_t bound = 0, counted = 0, watchers = 0, watched = 0;
	for (const struct tournament *t = d->tournaments; t; t = t->hh.next) {
		const char *what = broken(d, t);
		if (what)
			return what;
		bound += bound_by(t);
		watchers += t->watcher_count;
	}
	for (const struct player *p = d->players; p; p = player_next(p)) {
		counted += p->tournament_count;
		for (const struct session *s = p->sessions; s; s = s->next)
			watched += s->tournament_watches;
	}
	if (bound != counted)
		return "players of tournaments are miscounted";
	if (watchers != watched)
		return "those who watch tournaments are miscounted";
	return NULL;
}
