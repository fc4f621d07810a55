/* SPDX-License-Identifier: MIT */
#include "record/games.h"

#include <stdlib.h>
#include <string.h>

#include "domain/limits.h"
#include "record/codec.h"

struct record_games {
	struct game_sink sink;
	struct game_record game; /* that is played */
	struct position pos;     /* after its entries */
	bool open;
	struct games_draws draws;
	char name[2][NAME_BYTES_MAX + 1];
};

int record_games_new(const struct game_sink *sink, struct record_games **out)
{
	struct record_games *g = calloc(1, sizeof(*g));
	*out = g;
	if (!g)
		return PLYD_ENOMEM;
	g->sink = *sink;
	return PLYD_OK;
}

void record_games_free(struct record_games *g)
{
	free(g);
}

void record_games_draws(const struct record_games *g, struct games_draws *out)
{
	*out = g->draws;
}

/* -- games -- */

static int game_open(struct record_games *g, struct span position)
{
	struct game_record *game = &g->game;
	if (game_read(&game->ruleset, (const char *)position.at, position.len,
		      &g->pos, NULL))
		return PLYD_ERECORD;
	game->number++;
	game->start = g->pos;
	game->entry_count = 0;
	game->score[WHITE] = g->pos.stakes.score[WHITE];
	game->score[BLACK] = g->pos.stakes.score[BLACK];
	g->open = true;
	return PLYD_OK;
}

static void game_close(struct record_games *g, enum game_result result,
		       int64_t points)
{
	if (!g->open)
		return;
	g->open = false;
	g->game.end = g->pos;
	g->game.result = result;
	g->game.points = (uint16_t)points;
	g->sink.game(g->sink.payload, &g->game);
}

static int add(struct record_games *g, enum game_entry_kind kind,
	       enum side side, const struct move *move)
{
	if (!g->open)
		return PLYD_ERECORD;
	if (g->game.entry_count == GAME_ENTRIES_MAX)
		return PLYD_ETOOLARGE;
	struct game_entry *e = &g->game.entry[g->game.entry_count++];
	memset(e, 0, sizeof(*e));
	e->kind = (uint8_t)kind;
	e->side = (uint8_t)side;
	memcpy(e->dice, g->pos.dice, sizeof(e->dice));
	if (move)
		e->move = *move;
	return PLYD_OK;
}

/* -- facts -- */

static int on_begun(struct record_games *g, const struct fact_begun_body *b)
{
	static const char *const tags[2] = { "White", "Black" };
	const struct span names[2] = { b->white_name, b->black_name };
	if (g->game.number > 0 || ruleset_read((const char *)b->rules.at,
					       b->rules.len, &g->game.ruleset))
		return PLYD_ERECORD;
	for (size_t side = 0; side < 2; side++) {
		struct game_tag *tag = &g->game.tag[g->game.tag_count++];
		span_copy(names[side], g->name[side], sizeof(g->name[side]));
		*tag = (struct game_tag){ .name = tags[side],
					  .value = g->name[side] };
	}
	if (g->game.ruleset.family == FAMILY_BACKGAMMON)
		g->game.match_length = g->game.ruleset.backgammon.match_length;
	g->draws = (struct games_draws){
		.no_progress = (unsigned)b->no_progress,
		.repetition = (unsigned)b->repetition,
		.man_moves_count = b->no_progress_counts != 0,
	};
	return game_open(g, b->position);
}

static int on_throw(struct record_games *g, enum side side, int64_t first,
		    int64_t second)
{
	struct position before = g->pos;
	if (!g->open || first < 1 || first > 6 || second < 1 || second > 6)
		return PLYD_ERECORD;
	before.side = (uint8_t)side;
	game_throw(&before, (int)first, (int)second, &g->pos);
	return PLYD_OK;
}

static int on_opening(struct record_games *g,
		      const struct fact_opening_throw_body *b)
{
	if (b->white_die == b->black_die)
		return PLYD_OK;
	return on_throw(g, b->white_die > b->black_die ? WHITE : BLACK,
			b->white_die, b->black_die);
}

static int on_moved(struct record_games *g, const struct fact_moved_body *b)
{
	struct position before = g->pos;
	struct refusal why;
	struct move move;
	if (!g->open ||
	    game_check(&g->game.ruleset, &before, (const char *)b->move.at,
		       b->move.len, &move, &why))
		return PLYD_ERECORD;
	int err = add(g, ENTRY_MOVE, (enum side)before.side, &move);
	if (!err)
		game_apply(&g->game.ruleset, &before, &move, &g->pos);
	return err;
}

static int on_passed(struct record_games *g)
{
	struct position before = g->pos;
	if (before.dice[0] == 0)
		return PLYD_ERECORD;
	int err = add(g, ENTRY_PASS, (enum side)before.side, NULL);
	if (!err)
		game_pass(&before, &g->pos);
	return err;
}

static int on_cube(struct record_games *g, enum game_entry_kind kind)
{
	struct position before = g->pos;
	enum side mover = (enum side)before.side;
	if (before.dice[0] != 0 || before.stakes.cube >= CUBE_MAX)
		return PLYD_ERECORD;
	int err = add(g, kind, kind == ENTRY_DOUBLE ? mover : side_other(mover),
		      NULL);
	if (!err && kind == ENTRY_TAKE)
		game_take(&before, &g->pos);
	return err;
}

/* Draughts only, where an entry is a half-move. */
static int on_taken_back(struct record_games *g,
			 const struct fact_taken_back_body *b)
{
	struct game_record *game = &g->game;
	if (!g->open || game->ruleset.family != FAMILY_DRAUGHTS ||
	    b->to_ply < 0 || (uint64_t)b->to_ply > game->entry_count)
		return PLYD_ERECORD;
	game->entry_count = (size_t)b->to_ply;
	g->pos = game->start;
	for (size_t i = 0; i < game->entry_count; i++) {
		struct position before = g->pos;
		game_apply(&game->ruleset, &before, &game->entry[i].move,
			   &g->pos);
	}
	return PLYD_OK;
}

static void on_ended(struct record_games *g, const struct fact_ended_body *b)
{
	enum { WHITE_WON, BLACK_WON, DRAWN }; /* as the fact has it */
	game_close(g,
		   b->result == WHITE_WON   ? RESULT_WHITE
		   : b->result == BLACK_WON ? RESULT_BLACK
		   : b->result == DRAWN     ? RESULT_DRAW
					    : RESULT_NONE,
		   b->points);
}

static int take(struct record_games *g, const struct fact *f)
{
	if ((g->game.number == 0) != (f->type == FACT_BEGUN))
		return PLYD_ERECORD;
	switch (f->type) {
	case FACT_BEGUN: return on_begun(g, &f->begun);
	case FACT_OPENING_THROW: return on_opening(g, &f->opening_throw);
	case FACT_ROLLED:
		return on_throw(g, (enum side)g->pos.side, f->rolled.die1,
				f->rolled.die2);
	case FACT_MOVED: return on_moved(g, &f->moved);
	case FACT_PASSED: return on_passed(g);
	case FACT_DOUBLED: return on_cube(g, ENTRY_DOUBLE);
	case FACT_TAKEN: return on_cube(g, ENTRY_TAKE);
	case FACT_DROPPED: return on_cube(g, ENTRY_DROP);
	case FACT_TAKEN_BACK: return on_taken_back(g, &f->taken_back);
	case FACT_GAME_ENDED:
		game_close(g,
			   f->game_ended.winner == WHITE ? RESULT_WHITE
							 : RESULT_BLACK,
			   f->game_ended.points);
		return PLYD_OK;
	case FACT_GAME_BEGUN: return game_open(g, f->game_begun.position);
	case FACT_ENDED: on_ended(g, &f->ended); return PLYD_OK;
	default: return PLYD_OK; /* nonces, offers, pauses: no game's */
	}
}

int record_games_fact(struct record_games *g, struct doc *doc,
		      struct span bytes)
{
	static const struct id any = { "" };
	struct fact f;
	int err = fact_decode(doc, bytes, &any, 0, &f);
	return err ? err : take(g, &f);
}

void record_games_end(struct record_games *g)
{
	game_close(g, RESULT_NONE, 0);
}
