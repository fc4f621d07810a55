/* SPDX-License-Identifier: MIT
 * backgammon_records.h - what fuzz_mat.c and fuzz_sgf.c insist on. The first
 * byte picks how the rest, a text, is split, and a ruleset to ask for. Any
 * split tells the same; every game that is delivered has been played by the
 * rules, and is written as a match file that reads back alike. */
#ifndef PLYD_TESTS_FUZZ_BACKGAMMON_RECORDS_H
#define PLYD_TESTS_FUZZ_BACKGAMMON_RECORDS_H

#include "fuzz.h"

#include <string.h>

#include "rules/mat.h"

enum { WRITTEN_MAX = 1 << 20 };

/* What was told, in a number. */
struct told {
	uint64_t sum;
	uint64_t games;
	uint64_t faults;
	bool again; /* each game is also written and read back */
};

static void add(struct told *t, uint64_t value)
{
	t->sum = (t->sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	t->sum ^= t->sum >> 29;
}

/* A pass only where there is no move. */
static void turn_is_played(const struct game_record *g,
			   const struct game_entry *e, struct position *pos)
{
	struct position thrown;
	bool moves = e->kind == ENTRY_MOVE;
	insist(moves || e->kind == ENTRY_PASS);
	insist(e->side == pos->side);
	game_throw(pos, e->dice[0], e->dice[1], &thrown);
	insist(game_can_move(&g->ruleset, &thrown) == moves);
	game_apply(&g->ruleset, &thrown, &e->move, pos);
}

/* A double where it is allowed, and then its answer. */
static void cube_is_turned(const struct game_record *g, size_t i,
			   struct position *pos)
{
	const struct game_entry *e = &g->entry[i];
	struct position before = *pos;
	if (e->kind == ENTRY_DOUBLE) {
		insist(e->side == pos->side);
		insist(game_may_double(&g->ruleset, pos) == REASON_NONE);
		insist(i + 1 == g->entry_count || e[1].kind == ENTRY_TAKE ||
		       e[1].kind == ENTRY_DROP);
		return;
	}
	insist(i > 0 && e[-1].kind == ENTRY_DOUBLE && e->side != pos->side);
	insist(e->kind == ENTRY_TAKE || i + 1 == g->entry_count);
	if (e->kind == ENTRY_TAKE)
		game_take(&before, pos);
}

static bool is_dropped(const struct game_record *g)
{
	return g->entry_count > 0 &&
	       g->entry[g->entry_count - 1].kind == ENTRY_DROP;
}

/* Every entry in turn, and the points at the end. */
static void is_played(const struct game_record *g)
{
	struct position pos = g->start;
	for (size_t i = 0; i < g->entry_count; i++) {
		const struct game_entry *e = &g->entry[i];
		insist(!game_outcome(&g->ruleset, &pos).over);
		if (e->kind == ENTRY_MOVE || e->kind == ENTRY_PASS)
			turn_is_played(g, e, &pos);
		else
			cube_is_turned(g, i, &pos);
	}
	insist(!memcmp(&pos, &g->end, sizeof(pos)));
	insist((g->result == RESULT_NONE) == !g->points);
	struct outcome o = is_dropped(g) ? game_drop(&g->end)
					 : game_outcome(&g->ruleset, &g->end);
	insist(g->points % (1u << g->end.stakes.cube) == 0);
	insist(g->points >> g->end.stakes.cube <= 3);
	insist(!o.over || g->points == o.points);
}

static void write_game(struct buf *out, const struct game_record *g)
{
	struct mat_writer w;
	const char *const name[2] = { game_tag_find(g, "White"),
				      game_tag_find(g, "Black") };
	mat_write_match(out, g->match_length);
	mat_write_begin(&w, out, 1, name, g->score);
	for (size_t i = 0; i < g->entry_count; i++) {
		const struct game_entry *e = &g->entry[i];
		if (e->kind == ENTRY_MOVE || e->kind == ENTRY_PASS)
			mat_write_turn(&w, (enum side)e->side, e->dice,
				       &e->move);
		else
			mat_write_cube(&w, (enum side)e->side,
				       (enum game_entry_kind)e->kind);
	}
	insist(!mat_write_end(&w, g->result == RESULT_WHITE ? WHITE : BLACK,
			      g->points));
}

static void tell(struct told *t, enum game_format format,
		 const struct ruleset *asked, struct span text, size_t piece);

/* The number of a game, its names left out, and whether it is the Crawford
 * game: a match file tells that by the games before only. */
static uint64_t told_of_game(const struct game_record *g)
{
	struct told t = { 0 };
	struct position start = g->start, end = g->end;
	start.stakes.crawford = 0;
	end.stakes.crawford = 0;
	add(&t, game_hash(&g->ruleset, &start));
	add(&t, game_hash(&g->ruleset, &end));
	add(&t, g->entry_count);
	add(&t, g->result);
	add(&t, g->points);
	add(&t, g->match_length);
	add(&t, (uint64_t)g->score[WHITE] << 16 | g->score[BLACK]);
	return t.sum;
}

static bool begins_as_usual(const struct game_record *g)
{
	struct position usual;
	game_start(&g->ruleset, &usual);
	return g->start.stakes.cube == 0 &&
	       !memcmp(&usual.backgammon, &g->start.backgammon,
		       sizeof(usual.backgammon));
}

static void on_game(void *payload, const struct game_record *g)
{
	struct told *t = payload;
	struct told back = { 0 }, only = { 0 };
	struct buf out;
	insist(g->number == ++t->games + t->faults);
	is_played(g);
	add(t, told_of_game(g));
	if (!t->again || !begins_as_usual(g))
		return;
	buf_init(&out, WRITTEN_MAX);
	write_game(&out, g);
	tell(&back, FORMAT_MAT, &g->ruleset, buf_span(&out), out.len);
	add(&only, told_of_game(g));
	insist(back.games == 1 && back.faults == 0 && back.sum == only.sum);
	buf_release(&out);
}

static void on_fault(void *payload, const struct game_fault *f)
{
	struct told *t = payload;
	insist(f->game == t->games + ++t->faults);
	insist(f->err < 0 && f->text && f->place.line > 0);
	insist(strlen(f->word) <= GAME_WORD_MAX);
	add(t, f->place.offset);
	add(t, (uint64_t)f->place.line << 32 | f->place.column);
	add(t, (uint64_t)-f->err);
	add(t, f->refusal.reason);
}

static void tell(struct told *t, enum game_format format,
		 const struct ruleset *asked, struct span text, size_t piece)
{
	const struct game_sink sink = { on_game, on_fault, t };
	struct game_reader *r;
	insist(!game_reader_new(format, asked, &sink, &r));
	for (size_t at = 0; at < text.len; at += piece) {
		size_t left = text.len - at;
		game_reader_feed(r, span_of(text.at + at,
					    left < piece ? left : piece));
	}
	game_reader_end(r);
	game_reader_free(r);
}

static int records_hold(enum game_format format, const uint8_t *bytes,
			size_t len)
{
	static const char *const names[] = { "backgammon", "backgammon-match",
					     "english", NULL };
	struct told whole = { .again = true }, split = { 0 };
	struct ruleset rs;
	if (len < 2)
		return 0;
	const char *name = names[bytes[0] & 3];
	insist(!name || !ruleset_find(name, strlen(name), &rs));
	struct span text = span_of(bytes + 1, len - 1);
	tell(&whole, format, name ? &rs : NULL, text, text.len);
	tell(&split, format, name ? &rs : NULL, text, 1u + (bytes[0] >> 2));
	insist(whole.sum == split.sum && whole.games == split.games &&
	       whole.faults == split.faults);
	return 0;
}

#endif
