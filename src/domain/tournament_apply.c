/* SPDX-License-Identifier: MIT
 * tournament_apply.c - the facts of tournaments. Applying decides nothing; it
 * only refuses what cannot be applied at all. */
#include "domain/tournament_priv.h"

#include <stdlib.h>

#include <utlist.h>

/* -- who is bound by it -- */

static void bind(struct domain *d, const struct id *player, int by)
{
	struct player *p = find_player(d, player);
	if (!p)
		return;
	p->tournament_count += (size_t)by;
	player_set_due(d, p);
}

/* Everybody who is in one that is not finished is bound by it once for each of
 * his parts. */
static void release_all(struct domain *d, struct tournament *t)
{
	bind(d, &t->organiser, -1);
	for (size_t i = 0; i < t->director_count; i++)
		bind(d, &t->director[i], -1);
	for (size_t i = 0; i < t->contest.entry_count; i++)
		if (t->entry[i].gone == ENTRY_HERE)
			bind(d, &t->entry[i].player, -1);
}

/* -- making -- */

void tournament_free(struct domain *d, struct tournament *t)
{
	while (t->watchers)
		tournament_watcher_drop(t->watchers);
	due_clear(&d->due, &t->due);
	if (t->hh.tbl)
		HASH_DELETE(hh, d->tournaments, t);
	for (size_t r = 0; t->round && r < t->contest.round_count; r++) {
		free(t->round[r].table);
		free(t->table[r]);
	}
	free(t->round);
	free(t->table);
	free(t->in);
	free(t->entry);
	free(t->invited);
	free(t->correction);
	free(t);
}

void tournaments_free(struct domain *d)
{
	while (d->tournaments)
		tournament_free(d, d->tournaments);
}

bool breaks_read(struct span words, enum contest_break out[BREAKS_MAX],
		 size_t *count)
{
	*count = 0;
	while (words.len > 0) {
		const uint8_t *end = memchr(words.at, ' ', words.len);
		size_t len = end ? (size_t)(end - words.at) : words.len;
		int b = contest_break_read(span_of(words.at, len));
		if (b < 0 || *count == BREAKS_MAX)
			return false;
		out[(*count)++] = (enum contest_break)b;
		len += end != NULL;
		words = span_of(words.at + len, words.len - len);
	}
	return true;
}

void breaks_write(const struct tournament_terms *t, char out[BREAKS_TEXT_MAX])
{
	size_t len = 0;
	out[0] = '\0';
	for (size_t i = 0; i < t->break_count; i++) {
		const char *word = contest_break_name(t->breaks[i]);
		size_t n = strlen(word);
		if (i > 0)
			out[len++] = ' ';
		memcpy(out + len, word, n + 1);
		len += n;
	}
}

static bool in_range(int64_t n, int64_t most)
{
	return n >= 0 && n <= most;
}

static bool read_numbers(struct tournament_terms *t,
			 const struct fact_tournament_made_body *b)
{
	if (!in_range(b->match_length, MATCH_LENGTH_MOST) ||
	    !in_range(b->rounds, ROUNDS_MAX) ||
	    !in_range(b->entries_max, ENTRIES_MAX) ||
	    !in_range(b->late_rounds, ROUNDS_MAX) ||
	    !in_range(b->players, AGAINST_BOT) ||
	    !in_range(b->rating_min, INT32_MAX) ||
	    !in_range(b->rating_max, INT32_MAX))
		return false;
	t->match_length = (int)b->match_length;
	t->rounds = (int)b->rounds;
	t->entries_max = (int)b->entries_max;
	t->late_rounds = (int)b->late_rounds;
	t->players = (enum against)b->players;
	t->rating_min = (int)b->rating_min;
	t->rating_max = (int)b->rating_max;
	t->rated = b->rated;
	t->invited_only = b->invited_only;
	t->check_in_ms = b->check_in_ms;
	t->no_show_ms = b->no_show_ms;
	t->gap_ms = b->gap_ms;
	t->starts_unix_ms = b->starts_at;
	return true;
}

static bool read_terms(struct tournament_terms *t,
		       const struct fact_tournament_made_body *b)
{
	int format = contest_format_read(b->format);
	int scoring = contest_scoring_read(b->scoring);
	if (format < 0 || scoring < 0 ||
	    !breaks_read(b->breaks, t->breaks, &t->break_count) ||
	    !clock_read(b->clock_kind, b->clock_kind == CLOCK_UNLIMITED,
			b->base_ms, b->increment_ms, b->delay_ms, &t->clock))
		return false;
	t->format = (enum contest_format)format;
	t->scoring = (enum contest_scoring)scoring;
	span_copy(b->name, t->name, sizeof(t->name));
	span_copy(b->schedule, t->schedule, sizeof(t->schedule));
	span_copy(b->ruleset, t->ruleset, sizeof(t->ruleset));
	return read_numbers(t, b);
}

static void set_contest(struct tournament *t,
			const struct fact_tournament_made_body *b)
{
	struct contest *c = &t->contest;
	c->format = t->terms.format;
	c->scoring = t->terms.scoring;
	c->break_count = t->terms.break_count;
	memcpy(c->breaks, t->terms.breaks, sizeof(c->breaks));
	c->walkover_points =
		(uint8_t)(t->terms.match_length > 0 ? t->terms.match_length
						    : 1);
	memcpy(c->seed, b->seed.at, CONTEST_SEED_BYTES);
	c->entry = t->in;
	t->commitment = b->commitment;
}

static int apply_made(struct domain *d, const struct fact *f)
{
	const struct fact_tournament_made_body *b = &f->tournament_made;
	struct player *by = find_player(d, &b->organiser);
	if (find_tournament(d, &b->tournament) || id_is_none(&b->tournament) ||
	    b->seed.len != CONTEST_SEED_BYTES)
		return PLYD_ERECORD;
	struct tournament *t = calloc(1, sizeof(*t));
	if (!t || due_reserve(d)) {
		free(t);
		return PLYD_ENOMEM;
	}
	if (!read_terms(&t->terms, b)) {
		free(t);
		return PLYD_ERECORD;
	}
	t->in = calloc(ENTRIES_MAX, sizeof(*t->in));
	t->entry = calloc(ENTRIES_MAX, sizeof(*t->entry));
	t->id = b->tournament;
	t->organiser = b->organiser;
	t->due.owner = t;
	t->due.kind = DUE_TOURNAMENT;
	if (t->in && t->entry)
		HASH_ADD(hh, d->tournaments, id.text, ID_CHARS, t);
	if (!t->hh.tbl) {
		tournament_free(d, t);
		return PLYD_ENOMEM;
	}
	set_contest(t, b);
	t->made_unix_ms = b->at;
	span_copy(domain_is_deleted(d, &b->organiser) ? span_str(DELETED_NAME)
						      : b->organiser_name,
		  t->organiser_name, sizeof(t->organiser_name));
	bind(d, &t->organiser, 1);
	return by ? remember_key(by, b->key, &t->id) : PLYD_OK;
}

static int apply_directed(struct domain *d, struct tournament *t,
			  const struct fact_tournament_directed_body *b)
{
	if (b->on) {
		if (t->director_count == DIRECTORS_MAX ||
		    tournament_directs(t, &b->player))
			return PLYD_ERECORD;
		t->director[t->director_count++] = b->player;
		bind(d, &b->player, 1);
		return PLYD_OK;
	}
	if (!tournament_directs(t, &b->player))
		return PLYD_ERECORD;
	if (id_eq(&t->organiser, &b->player))
		t->organiser = (struct id){ "" };
	for (size_t i = 0; i < t->director_count; i++)
		if (id_eq(&t->director[i], &b->player))
			t->director[i] = t->director[--t->director_count];
	bind(d, &b->player, -1);
	return PLYD_OK;
}

/* -- entries -- */

static int apply_invited(struct tournament *t,
			 const struct fact_tournament_invited_body *b)
{
	if (t->invited_count == TOURNAMENT_INVITED_MAX)
		return PLYD_ERECORD;
	struct id *more =
		realloc(t->invited, (t->invited_count + 1) * sizeof(*more));
	if (!more)
		return PLYD_ENOMEM;
	t->invited = more;
	t->invited[t->invited_count++] = b->player;
	return PLYD_OK;
}

static int apply_entered(struct domain *d, struct tournament *t,
			 const struct fact_tournament_entered_body *b)
{
	size_t count = t->contest.entry_count;
	if (b->entry < 0 || (size_t)b->entry > count ||
	    b->entry >= ENTRIES_MAX || b->kind < KIND_GUEST ||
	    b->kind > KIND_MEMBER || !in_range(b->rating, INT32_MAX) ||
	    !in_range(b->round, 2 * ROBIN_MAX))
		return PLYD_ERECORD;
	struct tournament_entry *e = &t->entry[b->entry];
	if ((size_t)b->entry < count &&
	    (e->gone == ENTRY_HERE || !id_eq(&e->player, &b->player)))
		return PLYD_ERECORD;
	/* who comes late is here */
	bool late = t->began_unix_ms != 0;
	*e = (struct tournament_entry){ .player = b->player,
					.kind = (enum player_kind)b->kind,
					.checked_in = late };
	span_copy(domain_is_deleted(d, &b->player) ? span_str(DELETED_NAME)
						   : b->name,
		  e->name, sizeof(e->name));
	t->in[b->entry] =
		(struct contest_entry){ .rating = (int32_t)b->rating,
					.first_round = (uint16_t)b->round,
					.gone_from = NEVER_GONE };
	if ((size_t)b->entry == count)
		t->contest.entry_count++;
	bind(d, &b->player, 1);
	return PLYD_OK;
}

static void leave(struct domain *d, struct tournament *t, size_t entry,
		  size_t round, enum entry_end why)
{
	t->entry[entry].gone = why;
	t->in[entry].gone_from = (uint16_t)round;
	bind(d, &t->entry[entry].player, -1);
}

static int apply_left(struct domain *d, struct tournament *t,
		      const struct fact_tournament_left_body *b)
{
	if (!in_range(b->entry, ENTRIES_MAX - 1) ||
	    (size_t)b->entry >= t->contest.entry_count ||
	    t->entry[b->entry].gone != ENTRY_HERE ||
	    !in_range(b->round, 2 * ROBIN_MAX) || b->why <= ENTRY_HERE ||
	    b->why >= ENTRY_END_COUNT)
		return PLYD_ERECORD;
	leave(d, t, (size_t)b->entry, (size_t)b->round, (enum entry_end)b->why);
	return PLYD_OK;
}

static int apply_checked_in(struct tournament *t,
			    const struct fact_tournament_checked_in_body *b)
{
	if (!in_range(b->entry, ENTRIES_MAX - 1) ||
	    (size_t)b->entry >= t->contest.entry_count)
		return PLYD_ERECORD;
	t->entry[b->entry].checked_in = true;
	return PLYD_OK;
}

/* -- its life -- */

/* state -> the states that it may enter; a snapshot tells only the present one,
 * so that a draft may become anything */
static const unsigned may_enter[] = {
	[TOURNAMENT_DRAFT] = ~0u,
	[TOURNAMENT_OPEN] = 1u << TOURNAMENT_CHECK_IN |
			    1u << TOURNAMENT_RUNNING |
			    1u << TOURNAMENT_FINISHED,
	[TOURNAMENT_CHECK_IN] =
		1u << TOURNAMENT_RUNNING | 1u << TOURNAMENT_FINISHED,
	[TOURNAMENT_RUNNING] =
		1u << TOURNAMENT_PAUSED | 1u << TOURNAMENT_FINISHED,
	[TOURNAMENT_PAUSED] =
		1u << TOURNAMENT_RUNNING | 1u << TOURNAMENT_FINISHED,
	[TOURNAMENT_FINISHED] = 0,
};

static int rounds_reserve(struct tournament *t, size_t rounds)
{
	if (t->round || rounds == 0)
		return PLYD_OK;
	t->round = calloc(rounds, sizeof(*t->round));
	t->table = calloc(rounds, sizeof(struct tournament_table *));
	if (!t->round || !t->table) {
		free(t->round);
		free(t->table);
		t->round = NULL;
		t->table = NULL;
		return PLYD_ENOMEM;
	}
	t->rounds = rounds;
	t->contest.round = t->round;
	return PLYD_OK;
}

/* Who was to check in and did not is out. */
static void drop_unseen(struct domain *d, struct tournament *t)
{
	for (size_t i = 0;
	     t->terms.check_in_ms > 0 && i < t->contest.entry_count; i++)
		if (t->entry[i].gone == ENTRY_HERE && !t->entry[i].checked_in)
			leave(d, t, i, 0, ENTRY_NO_SHOW);
}

static int apply_moved(struct domain *d, struct tournament *t,
		       const struct fact_tournament_moved_body *b)
{
	if (b->state < 0 || b->state >= TOURNAMENT_STATE_COUNT || b->end < 0 ||
	    b->end >= TOURNAMENT_END_COUNT ||
	    !(may_enter[t->state] >> b->state & 1) ||
	    !in_range(b->rounds, 2 * ROBIN_MAX))
		return PLYD_ERECORD;
	if (rounds_reserve(t, (size_t)b->rounds))
		return PLYD_ENOMEM;
	bool begins = b->state == TOURNAMENT_RUNNING && !t->began_unix_ms;
	t->state = (enum tournament_state)b->state;
	t->end = (enum tournament_end)b->end;
	if (begins) {
		t->began_unix_ms = b->at;
		drop_unseen(d, t);
	}
	if (t->state == TOURNAMENT_FINISHED) {
		t->ended_unix_ms = b->at;
		release_all(d, t);
	}
	return PLYD_OK;
}

/* -- rounds -- */

static uint16_t get_u16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static bool read_table(const struct tournament *t, const uint8_t *at,
		       struct contest_table *out)
{
	size_t n = t->contest.entry_count;
	*out = (struct contest_table){ .white = get_u16(at),
				       .black = get_u16(at + 2),
				       .outcome = at[4] };
	bool bye = out->black == NO_ENTRY;
	return out->white < n && (bye || out->black < n) &&
	       out->white != out->black && out->outcome < OUTCOME_COUNT &&
	       bye == (out->outcome == OUTCOME_BYE);
}

/* Who left before anybody was paired makes a round robin, or a knock-out, the
 * shorter: it is theirs who sit down. */
static void count_rounds(struct tournament *t)
{
	size_t rounds =
		contest_rounds(t->terms.format, contest_active(&t->contest, 0),
			       (size_t)t->terms.rounds);
	if (rounds < t->rounds)
		t->rounds = rounds;
}

static int apply_paired(struct domain *d, struct tournament *t,
			const struct fact_tournament_paired_body *b)
{
	size_t count = b->tables.len / TABLE_BYTES;
	if (!t->round || (size_t)b->round != t->contest.round_count ||
	    t->contest.round_count >= t->rounds || count == 0 ||
	    count > TABLES_MAX || b->tables.len % TABLE_BYTES != 0)
		return PLYD_ERECORD;
	struct contest_table *tables = calloc(count, sizeof(*tables));
	struct tournament_table *more = calloc(count, sizeof(*more));
	bool good = tables && more;
	for (size_t i = 0; good && i < count; i++)
		good = read_table(t, b->tables.at + i * TABLE_BYTES,
				  &tables[i]);
	if (!good) {
		int err = tables && more ? PLYD_ERECORD : PLYD_ENOMEM;
		free(tables);
		free(more);
		return err;
	}
	t->round[b->round] = (struct contest_round){ (uint16_t)count, tables };
	t->table[b->round] = more;
	if (t->contest.round_count++ == 0)
		count_rounds(t);
	t->paired_ms = d->now_ms;
	t->done_ms = d->now_ms; /* of a round that is all forfeits */
	return PLYD_OK;
}

static bool is_table(const struct tournament *t, int64_t round, int64_t table)
{
	return round >= 0 && (size_t)round < t->contest.round_count &&
	       table >= 0 && table < t->round[round].count;
}

static int apply_set(struct tournament *t,
		     const struct fact_tournament_set_body *b)
{
	if (!is_table(t, b->round, b->table))
		return PLYD_ERECORD;
	struct tournament_table *x = &t->table[b->round][b->table];
	if (x->games >= KO_GAMES_MAX || b->game != x->games ||
	    x->games != x->over)
		return PLYD_ERECORD;
	x->match[x->games++] = b->played;
	return PLYD_OK;
}

static bool are_points(int64_t white, int64_t black)
{
	return in_range(white, UINT8_MAX) && in_range(black, UINT8_MAX);
}

static void put_result(struct tournament *t, size_t round, size_t table,
		       int64_t outcome, int64_t white, int64_t black)
{
	struct contest_table *x = &t->round[round].table[table];
	x->outcome = (uint8_t)outcome;
	x->points[0] = (uint8_t)white;
	x->points[1] = (uint8_t)black;
}

static int apply_result(struct domain *d, struct tournament *t,
			const struct fact_tournament_result_body *b)
{
	if (!is_table(t, b->round, b->table) ||
	    !in_range(b->outcome, OUTCOME_COUNT - 1) ||
	    !are_points(b->white_points, b->black_points))
		return PLYD_ERECORD;
	struct tournament_table *x = &t->table[b->round][b->table];
	if (t->round[b->round].table[b->table].outcome != OUTCOME_PENDING)
		return PLYD_ERECORD;
	x->over = x->games;
	if (b->outcome != OUTCOME_PENDING)
		put_result(t, (size_t)b->round, (size_t)b->table, b->outcome,
			   b->white_points, b->black_points);
	t->done_ms = d->now_ms;
	return PLYD_OK;
}

static int apply_corrected(struct domain *d, struct tournament *t,
			   const struct fact_tournament_corrected_body *b)
{
	if (!is_table(t, b->round, b->table) || b->outcome < OUTCOME_WHITE ||
	    b->outcome >= OUTCOME_COUNT ||
	    !in_range(b->was, OUTCOME_COUNT - 1) ||
	    !are_points(b->white_points, b->black_points) ||
	    !are_points(b->white_was, b->black_was) ||
	    !in_range(b->paired, 2 * ROBIN_MAX) ||
	    t->correction_count == CORRECTIONS_MAX)
		return PLYD_ERECORD;
	struct tournament_correction *more =
		realloc(t->correction,
			(t->correction_count + 1) * sizeof(*more));
	if (!more)
		return PLYD_ENOMEM;
	t->correction = more;
	struct tournament_correction *c = &more[t->correction_count++];
	*c = (struct tournament_correction){
		.round = (uint16_t)b->round,
		.table = (uint16_t)b->table,
		.paired = (uint16_t)b->paired,
		.was = (uint8_t)b->was,
		.outcome = (uint8_t)b->outcome,
		.was_points = { (uint8_t)b->white_was, (uint8_t)b->black_was },
		.points = { (uint8_t)b->white_points,
			    (uint8_t)b->black_points },
		.at_unix_ms = b->at,
		.by = b->by,
	};
	span_copy(domain_is_deleted(d, &b->by) ? span_str(DELETED_NAME)
					       : b->by_name,
		  c->by_name, sizeof(c->by_name));
	span_copy(b->words, c->words, sizeof(c->words));
	put_result(t, (size_t)b->round, (size_t)b->table, b->outcome,
		   b->white_points, b->black_points);
	struct tournament_table *x = &t->table[b->round][b->table];
	x->over = x->games;
	x->corrected = true;
	t->done_ms = d->now_ms;
	return PLYD_OK;
}

/* -- all -- */

static int apply_to(struct domain *d, struct tournament *t,
		    const struct fact *f)
{
	switch (f->type) {
	case FACT_TOURNAMENT_MOVED:
		return apply_moved(d, t, &f->tournament_moved);
	case FACT_TOURNAMENT_DIRECTED:
		return apply_directed(d, t, &f->tournament_directed);
	case FACT_TOURNAMENT_INVITED:
		return apply_invited(t, &f->tournament_invited);
	case FACT_TOURNAMENT_ENTERED:
		return apply_entered(d, t, &f->tournament_entered);
	case FACT_TOURNAMENT_LEFT: return apply_left(d, t, &f->tournament_left);
	case FACT_TOURNAMENT_CHECKED_IN:
		return apply_checked_in(t, &f->tournament_checked_in);
	case FACT_TOURNAMENT_PAIRED:
		return apply_paired(d, t, &f->tournament_paired);
	case FACT_TOURNAMENT_SET: return apply_set(t, &f->tournament_set);
	case FACT_TOURNAMENT_RESULT:
		return apply_result(d, t, &f->tournament_result);
	case FACT_TOURNAMENT_CORRECTED:
		return apply_corrected(d, t, &f->tournament_corrected);
	default: return PLYD_ERECORD;
	}
}

/* The id of the tournament is every fact's first field. */
int apply_tournament(struct domain *d, const struct fact *f)
{
	if (f->type == FACT_TOURNAMENT_MADE)
		return apply_made(d, f);
	struct tournament *t =
		find_tournament(d, &f->tournament_removed.tournament);
	if (!t)
		return PLYD_ERECORD;
	if (f->type == FACT_TOURNAMENT_REMOVED) {
		if (t->state != TOURNAMENT_FINISHED)
			return PLYD_ERECORD;
		tournament_free(d, t);
		return PLYD_OK;
	}
	int err = apply_to(d, t, f);
	tournament_set_due(d, t);
	return err;
}

/* Neither his name nor, where he has nothing left to do, his id. */
static void anonymise(struct tournament *t, const struct id *player)
{
	static const struct id nobody;
	bool over = t->state == TOURNAMENT_FINISHED;
	int entry = tournament_entry_of(t, player);
	if (entry >= 0) {
		struct tournament_entry *e = &t->entry[entry];
		span_copy(span_str(DELETED_NAME), e->name, sizeof(e->name));
		if (over || e->gone != ENTRY_HERE)
			e->player = nobody;
	}
	if (id_eq(&t->organiser, player)) {
		span_copy(span_str(DELETED_NAME), t->organiser_name,
			  sizeof(t->organiser_name));
		if (over)
			t->organiser = nobody;
	}
	for (size_t i = t->director_count; over && i-- > 0;)
		if (id_eq(&t->director[i], player))
			t->director[i] = t->director[--t->director_count];
	for (size_t i = 0; i < t->correction_count; i++) {
		struct tournament_correction *c = &t->correction[i];
		if (!id_eq(&c->by, player))
			continue;
		span_copy(span_str(DELETED_NAME), c->by_name,
			  sizeof(c->by_name));
		c->by = nobody;
	}
	for (size_t i = t->invited_count; i-- > 0;)
		if (id_eq(&t->invited[i], player))
			t->invited[i] = t->invited[--t->invited_count];
}

void tournaments_anonymise(struct domain *d, const struct id *player)
{
	for (struct tournament *t = d->tournaments; t; t = t->hh.next)
		anonymise(t, player);
}
