/* SPDX-License-Identifier: MIT
 * view_tournament.c - tournaments as clients may see them. */
#include "session/view_priv.h"

#include <string.h>

static void put_entry_time(struct buf *b, const char *key, int64_t unix_ms)
{
	put_cstr(b, key);
	if (unix_ms == 0)
		put_nil(b);
	else
		put_int(b, unix_ms);
}

static void put_entry_word(struct buf *b, const char *key, const char *word)
{
	put_cstr(b, key);
	if (word[0] == '\0')
		put_nil(b);
	else
		put_cstr(b, word);
}

static const char *who_may(enum against a)
{
	return a == AGAINST_ANYONE ? "anyone"
	       : a == AGAINST_BOT  ? "bot"
				   : "person";
}

/* -- one -- */

static void put_organiser(struct buf *b, const struct domain *d,
			  const struct tournament *t)
{
	const struct player *p = domain_player(d, &t->organiser);
	put_cstr(b, "organiser");
	if (id_is_none(&t->organiser))
		put_nil(b);
	else
		put_person(b, &t->organiser, t->organiser_name,
			   p ? p->kind : KIND_GUEST);
	put_cstr(b, "directors");
	put_array(b, (uint32_t)t->director_count);
	for (size_t i = 0; i < t->director_count; i++)
		put_cstr(b, t->director[i].text);
}

static void put_terms(struct buf *b, const struct tournament_terms *x)
{
	put_entry_word(b, "schedule", x->schedule);
	put_entry_str(b, "ruleset", x->ruleset);
	put_cstr(b, "clock");
	view_time(b, &x->clock);
	put_entry_time(b, "match_length", x->match_length);
	put_entry_bool(b, "rated", x->rated);
	put_entry_str(b, "format", contest_format_name(x->format));
	put_entry_str(b, "scoring", contest_scoring_name(x->scoring));
	put_cstr(b, "breaks");
	put_array(b, (uint32_t)x->break_count);
	for (size_t i = 0; i < x->break_count; i++)
		put_cstr(b, contest_break_name(x->breaks[i]));
	put_entry_int(b, "entries_max", x->entries_max);
	put_entry_str(b, "who", who_may(x->players));
	put_entry_bool(b, "invited_only", x->invited_only);
	put_entry_int(b, "late_rounds", x->late_rounds);
	put_entry_int(b, "rating_min", x->rating_min);
	put_entry_int(b, "rating_max", x->rating_max);
	put_entry_int(b, "check_in_ms", x->check_in_ms);
	put_entry_int(b, "no_show_ms", x->no_show_ms);
	put_entry_int(b, "gap_ms", x->gap_ms);
	put_entry_time(b, "starts_at", x->starts_unix_ms);
}
enum { TERMS_ENTRIES = 18 };

static void put_you(struct buf *b, const struct tournament *t,
		    const struct id *viewer)
{
	int entry = tournament_entry_of(t, viewer);
	bool is_in = entry >= 0 && t->entry[entry].gone == ENTRY_HERE;
	put_entry_str(b, "you",
		      tournament_directs(t, viewer) ? "director"
		      : is_in                       ? "player"
		      : entry >= 0                  ? "gone"
						    : "watcher");
	put_cstr(b, "checked_in");
	if (is_in)
		put_bool(b, t->entry[entry].checked_in);
	else
		put_nil(b);
}

void view_tournament(struct buf *b, const struct domain *d,
		     const struct tournament *t, const struct id *viewer)
{
	size_t paired = t->contest.round_count;
	bool seed = t->state == TOURNAMENT_FINISHED;
	put_map(b, 16u + TERMS_ENTRIES + seed);
	put_entry_id(b, "tournament", &t->id);
	put_entry_str(b, "name", t->terms.name);
	put_entry_str(b, "state", tournament_state_name(t->state));
	put_entry_word(b, "end", tournament_end_name(t->end));
	put_organiser(b, d, t);
	put_terms(b, &t->terms);
	put_entry_time(b, "rounds", (int64_t)t->rounds);
	put_entry_int(b, "round", (int64_t)paired);
	put_entry_int(b, "open_tables",
		      paired ? (int64_t)tournament_open_tables(t, paired - 1)
			     : 0);
	put_entry_int(b, "players", (int64_t)tournament_players(t));
	put_entry_int(b, "entries", (int64_t)t->contest.entry_count);
	put_entry_time(b, "began_at", t->began_unix_ms);
	put_entry_time(b, "ended_at", t->ended_unix_ms);
	put_cstr(b, "commitment");
	put_hex(b, span_of(t->commitment.byte, DIGEST_BYTES));
	put_you(b, t, viewer);
	if (!seed)
		return;
	put_cstr(b, "seed");
	put_hex(b, span_of(t->contest.seed, CONTEST_SEED_BYTES));
}

static void put_line(struct buf *b, const struct tournament *t)
{
	put_map(b, 8);
	put_entry_id(b, "tournament", &t->id);
	put_entry_str(b, "name", t->terms.name);
	put_entry_str(b, "state", tournament_state_name(t->state));
	put_entry_str(b, "ruleset", t->terms.ruleset);
	put_entry_str(b, "format", contest_format_name(t->terms.format));
	put_entry_bool(b, "rated", t->terms.rated);
	put_entry_int(b, "players", (int64_t)tournament_players(t));
	put_entry_time(b, "starts_at", t->terms.starts_unix_ms);
}

void view_tournament_list(struct buf *b, const struct tournament *first,
			  const struct id *viewer)
{
	const struct tournament *t, *last = NULL;
	uint32_t shown = 0;
	for (t = first; t && shown < TOURNAMENTS_LISTED_MAX;
	     t = tournament_next(t)) {
		shown += tournament_shows(t, viewer);
		last = t;
	}
	put_map(b, 1u + (t != NULL));
	if (t)
		put_entry_id(b, "next", &last->id);
	put_cstr(b, "tournaments");
	put_array(b, shown);
	for (t = first; shown > 0; t = tournament_next(t)) {
		if (!tournament_shows(t, viewer))
			continue;
		put_line(b, t);
		shown--;
	}
}

/* -- the table -- */

static void put_breaks(struct buf *b, const struct tournament *t,
		       const struct ranking *s)
{
	bool lots = t->state == TOURNAMENT_FINISHED;
	put_map(b, 6u + lots);
	put_entry_int(b, "direct", s->value[BREAK_DIRECT]);
	put_entry_int(b, "sonneborn_berger4", s->value[BREAK_SONNEBORN_BERGER]);
	put_entry_int(b, "buchholz2", s->value[BREAK_BUCHHOLZ]);
	put_entry_int(b, "buchholz_cut1_2", s->value[BREAK_BUCHHOLZ_CUT]);
	put_entry_int(b, "wins", s->value[BREAK_WINS]);
	put_entry_int(b, "halves2", s->value[BREAK_HALVES]);
	if (lots)
		put_entry_int(b, "lots", s->value[BREAK_LOTS]);
}

static const struct contest_table *table_of(const struct contest_round *r,
					    uint16_t entry, size_t *number)
{
	for (size_t i = 0; i < r->count; i++) {
		*number = i;
		if (r->table[i].white == entry || r->table[i].black == entry)
			return &r->table[i];
	}
	return NULL;
}

static void put_game(struct buf *b, const struct tournament *t, size_t round,
		     uint16_t entry)
{
	size_t number;
	const struct contest_table *x =
		table_of(&t->round[round], entry, &number);
	if (!x) {
		put_map(b, 0);
		return;
	}
	int side = x->black == entry;
	bool bye = x->black == NO_ENTRY, open = x->outcome == OUTCOME_PENDING;
	put_map(b, 1u + 2 * !bye + !open);
	put_entry_int(b, "table", (int64_t)number + 1);
	if (!bye) {
		put_entry_int(b, "opponent",
			      (side == 0 ? x->black : x->white) + 1);
		put_entry_str(b, "side", side_name(side));
	}
	if (!open)
		put_entry_int(b, "score2",
			      contest_table_score(&t->contest, x, side));
}

static void put_row(struct buf *b, const struct tournament *t,
		    const struct ranking *s)
{
	const struct tournament_entry *e = &t->entry[s->entry];
	const struct contest_entry *in = &t->in[s->entry];
	bool gone = e->gone != ENTRY_HERE, rated = in->rating > 0;
	put_map(b, 12u + 2 * gone + rated);
	put_entry_int(b, "rank", s->rank);
	put_entry_int(b, "entry", s->entry + 1);
	put_entry_id(b, "player", &e->player);
	put_entry_str(b, "name", e->name);
	put_entry_bool(b, "bot", e->kind == KIND_BOT);
	if (rated)
		put_entry_int(b, "rating", in->rating);
	put_entry_int(b, "score2", s->score);
	put_entry_int(b, "won", s->won);
	put_entry_int(b, "drawn", s->drawn);
	put_entry_int(b, "lost", s->lost);
	put_cstr(b, "breaks");
	put_breaks(b, t, s);
	if (gone) {
		put_entry_str(b, "gone", entry_end_name(e->gone));
		put_entry_int(b, "gone_from", in->gone_from + 1);
	}
	put_entry_int(b, "first_round", in->first_round + 1);
	put_cstr(b, "games");
	put_array(b, (uint32_t)t->contest.round_count);
	for (size_t r = 0; r < t->contest.round_count; r++)
		put_game(b, t, r, s->entry);
}

/* `total` rows, from `from` on, at most `most`: how many, and what is next. */
static uint32_t page(size_t total, size_t from, size_t most, bool *more)
{
	size_t left = from < total ? total - from : 0;
	*more = left > most;
	return (uint32_t)(*more ? most : left);
}

/* A row of many rounds is long. */
static size_t rows_of_page(const struct tournament *t)
{
	return t->contest.round_count > 16 ? STANDINGS_SHOWN_MAX / 8
					   : STANDINGS_SHOWN_MAX;
}

void view_standings(struct buf *b, const struct tournament *t, size_t from)
{
	static struct ranking table[ENTRIES_MAX];
	bool more;
	uint32_t shown =
		page(t->contest.entry_count, from, rows_of_page(t), &more);
	standings(&t->contest, table);
	put_map(b, 4u + more);
	put_entry_id(b, "tournament", &t->id);
	put_entry_int(b, "rounds", (int64_t)t->contest.round_count);
	put_entry_int(b, "total", (int64_t)t->contest.entry_count);
	if (more)
		put_entry_int(b, "next", (int64_t)from + shown);
	put_cstr(b, "rows");
	put_array(b, shown);
	for (uint32_t i = 0; i < shown; i++)
		put_row(b, t, &table[from + i]);
}

/* -- rounds -- */

static void put_correction(struct buf *b, const struct tournament_correction *c)
{
	put_map(b, 8);
	put_entry_str(b, "by", c->by_name);
	put_entry_str(b, "words", c->words);
	put_entry_int(b, "at", c->at_unix_ms);
	put_entry_int(b, "paired", c->paired);
	put_entry_str(b, "was", table_outcome_name((enum table_outcome)c->was));
	put_entry_int(b, "white_was", c->was_points[0]);
	put_entry_int(b, "black_was", c->was_points[1]);
	put_entry_str(b, "outcome",
		      table_outcome_name((enum table_outcome)c->outcome));
}

static void put_corrections(struct buf *b, const struct tournament *t,
			    size_t round, size_t table)
{
	uint32_t count = 0;
	for (size_t i = 0; i < t->correction_count; i++)
		count += t->correction[i].round == round &&
			 t->correction[i].table == table;
	put_cstr(b, "corrections");
	put_array(b, count);
	for (size_t i = 0; i < t->correction_count; i++)
		if (t->correction[i].round == round &&
		    t->correction[i].table == table)
			put_correction(b, &t->correction[i]);
}

static void put_table(struct buf *b, const struct tournament *t, size_t round,
		      size_t table)
{
	const struct contest_table *c = &t->round[round].table[table];
	const struct tournament_table *x = &t->table[round][table];
	bool bye = c->black == NO_ENTRY;
	put_map(b, bye ? 8 : 10);
	put_entry_int(b, "table", (int64_t)table + 1);
	put_entry_int(b, "white", c->white + 1);
	put_entry_str(b, "white_name", t->entry[c->white].name);
	if (!bye) {
		put_entry_int(b, "black", c->black + 1);
		put_entry_str(b, "black_name", t->entry[c->black].name);
	}
	put_entry_str(b, "outcome",
		      table_outcome_name((enum table_outcome)c->outcome));
	put_entry_int(b, "white_points", c->points[0]);
	put_entry_int(b, "black_points", c->points[1]);
	put_cstr(b, "matches");
	put_array(b, x->games);
	for (size_t i = 0; i < x->games; i++)
		put_cstr(b, x->match[i].text);
	put_corrections(b, t, round, table);
}

void view_tournament_round(struct buf *b, const struct tournament *t,
			   size_t round, size_t from)
{
	bool more;
	size_t total = t->round[round].count;
	uint32_t shown = page(total, from, TABLES_SHOWN_MAX, &more);
	put_map(b, 4u + more);
	put_entry_id(b, "tournament", &t->id);
	put_entry_int(b, "round", (int64_t)round + 1);
	put_entry_int(b, "total", (int64_t)total);
	if (more)
		put_entry_int(b, "next", (int64_t)from + shown);
	put_cstr(b, "tables");
	put_array(b, shown);
	for (uint32_t i = 0; i < shown; i++)
		put_table(b, t, round, from + i);
}

void view_tournament_table(struct buf *b, const struct tournament *t,
			   size_t round, size_t table)
{
	put_map(b, 3);
	put_entry_id(b, "tournament", &t->id);
	put_entry_int(b, "round", (int64_t)round + 1);
	put_cstr(b, "table");
	put_table(b, t, round, table);
}

void view_place(struct buf *b, const struct match_place *p)
{
	put_map(b, 4);
	put_entry_id(b, "tournament", &p->tournament);
	put_entry_int(b, "round", p->round);
	put_entry_int(b, "table", p->table);
	put_entry_int(b, "game", p->game);
}
