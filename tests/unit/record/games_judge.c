/* SPDX-License-Identifier: MIT */
#include "games_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/games.h"

enum { GAMES_MAX = 64 };

struct games {
	size_t count;
	size_t faults;
	struct game_record *game[GAMES_MAX]; /* but its texts, which are lent */
	char white[GAMES_MAX][GAME_WORD_MAX];
};

static void on_game(void *payload, const struct game_record *game)
{
	struct games *g = payload;
	if (g->count == GAMES_MAX)
		abort();
	struct game_record *copy = malloc(sizeof(*copy));
	if (!copy)
		abort();
	*copy = *game;
	snprintf(g->white[g->count], sizeof(g->white[0]), "%s",
		 game_tag_find(game, "White"));
	g->game[g->count++] = copy;
}

static void on_fault(void *payload, const struct game_fault *fault)
{
	struct games *g = payload;
	(void)fault;
	g->faults++;
}

static void release(struct games *g)
{
	for (size_t i = 0; i < g->count; i++)
		free(g->game[i]);
}

static int take(const struct buf *fact, size_t facts, struct games *out,
		struct games_draws *draws)
{
	const struct game_sink sink = { on_game, on_fault, out };
	struct record_games *g;
	struct doc *doc = doc_new();
	int err = record_games_new(&sink, &g);
	for (size_t i = 0; i < facts && !err; i++)
		err = record_games_fact(g, doc, buf_span(&fact[i]));
	if (!err) {
		record_games_end(g);
		record_games_draws(g, draws);
	}
	record_games_free(g);
	doc_free(doc);
	return err;
}

void games_read(const struct buf *fact, size_t facts, struct games_seen *out)
{
	struct games games = { 0 };
	struct games_draws draws = { 0 };
	*out = (struct games_seen){ 0 };
	out->err = take(fact, facts, &games, &draws);
	out->no_progress = draws.no_progress;
	out->repetition = draws.repetition;
	out->games = games.count;
	if (games.count > 0) {
		const struct game_record *last = games.game[games.count - 1];
		out->entries = last->entry_count;
		out->result = (int)last->result;
		game_write(&last->ruleset, &last->end, out->end);
	}
	release(&games);
}

/* A match file does not say that somebody resigned, and points of a game in
 * which nobody won. */
static const char *game_differs(const struct game_record *a,
				const struct game_record *b)
{
	if (a->entry_count != b->entry_count)
		return "the number of entries";
	for (size_t i = 0; i < a->entry_count; i++) {
		const struct game_entry *x = &a->entry[i], *y = &b->entry[i];
		if (x->kind != y->kind || x->side != y->side)
			return "who does what";
		if (memcmp(x->dice, y->dice, sizeof(x->dice)) != 0)
			return "the dice";
		if (x->kind == ENTRY_MOVE &&
		    (x->move.legs != y->move.legs ||
		     x->move.taken != y->move.taken ||
		     memcmp(x->move.at, y->move.at, 2u * x->move.legs) != 0))
			return "a move";
	}
	if (a->result != b->result || a->points != b->points)
		return "the result";
	if (memcmp(a->score, b->score, sizeof(a->score)) != 0)
		return "the score";
	if (memcmp(&a->end.backgammon, &b->end.backgammon,
		   sizeof(a->end.backgammon)) != 0)
		return "the board at the end";
	return NULL;
}

const char *games_differ(const struct buf *fact, size_t facts,
			 const struct buf *mat)
{
	struct games own = { 0 }, read = { 0 };
	struct games_draws draws;
	struct game_reader *r;
	const struct game_sink sink = { on_game, on_fault, &read };
	const char *wrong = NULL;
	if (take(fact, facts, &own, &draws) ||
	    game_reader_new(FORMAT_MAT, NULL, &sink, &r))
		abort();
	game_reader_feed(r, buf_span(mat));
	game_reader_end(r);
	game_reader_free(r);
	if (read.faults > 0)
		wrong = "the match file is refused";
	else if (own.count != read.count)
		wrong = "the number of games";
	for (size_t i = 0; !wrong && i < own.count; i++)
		wrong = strcmp(own.white[i], read.white[i]) != 0
				? "White's name"
				: game_differs(own.game[i], read.game[i]);
	release(&own);
	release(&read);
	return wrong;
}
