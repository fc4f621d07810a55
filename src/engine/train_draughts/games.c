/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "engine/draughts_endings_priv.h"
#include "engine/engine_priv.h"
#include "engine/train_draughts/learn.h"

enum {
	TABLE_BYTES = 1 << 18,
	NODES_MAX = 40000,
	PLIES_MAX = 300,
	NO_PROGRESS = 40,
	REPETITION = 2,
	GIVEN_UP = 450, /* centi-men, for so many half-moves in a row */
	GIVEN_UP_PLIES = 6
};

struct player {
	struct draughts_search *search;
	struct table table;
	struct engine_weights weights;
	const struct lesson *lesson;
	struct variant variant;
	struct move_list list;
	struct rng rng;
};

static bool player_init(struct player *p, const struct lesson *lesson)
{
	p->lesson = lesson;
	p->search = calloc(1, draughts_search_bytes());
	engine_weights_init(&p->weights);
	if (!lesson->player)
		p->weights.learned = 0;
	variant_of(lesson->ruleset, &p->variant);
	return p->search && table_init(&p->table, TABLE_BYTES) == PLYD_OK;
}

static void player_release(struct player *p)
{
	free(p->search);
	table_release(&p->table);
}

/* One of the moves that are listed. */
static void random_move(struct player *p, struct position *pos)
{
	const struct move_list *list = &p->list;
	struct position next;
	game_apply(p->lesson->ruleset, pos,
		   &list->move[rng_below(&p->rng, (uint32_t)list->count)],
		   &next);
	*pos = next;
}

/* A position some random half-moves from the start that is not over. */
static void open_game(struct player *p, struct position *pos)
{
	struct move_list *list = &p->list;
	const struct ruleset *rs = p->lesson->ruleset;
	int plies =
		2 + (int)rng_below(&p->rng, (uint32_t)p->lesson->openings - 1);
	game_start(rs, pos);
	for (int i = 0; i < plies; i++) {
		game_moves(rs, pos, list);
		if (list->count == 0) {
			game_start(rs, pos);
			i = 0;
			continue;
		}
		random_move(p, pos);
	}
}

static struct engine_result think(struct player *p,
				  const struct engine_history *h,
				  const struct position *pos)
{
	struct engine_result r = { .count = 0 };
	struct task task = {
		.ruleset = p->lesson->ruleset,
		.position = pos,
		.history = h,
		.weights = &p->weights,
		.learned = p->lesson->player,
		.meter = { .limit = NODES_MAX },
		.table = &p->table,
		.depth = p->lesson->depth,
		.multipv = 1,
		.seed = rng_next(&p->rng),
	};
	table_next_search(&p->table, NODES_MAX);
	draughts_search_run(p->search, &task, &r);
	return r;
}

/* Whether neither side could capture if it were to move. */
static bool is_still(const struct player *p, const struct view *view)
{
	struct view other = { view->foe, view->own, view->kings,
			      side_other(view->side) };
	return !view_capturers(&p->variant, view) &&
	       !view_capturers(&p->variant, &other);
}

static bool add_sample(struct samples *s, const struct view *view)
{
	if (s->count == s->room) {
		size_t room = s->room ? 2 * s->room : 1 << 16;
		struct sample *at = realloc(s->at, room * sizeof(*at));
		if (!at)
			return false;
		s->at = at;
		s->room = room;
	}
	s->at[s->count++] = (struct sample){ *view, 1 };
	return true;
}

/* Whether the game is over, and for White: -1, 0, 1. */
struct ending {
	bool over;
	int for_white;
	int given_up; /* half-moves in a row that one side was lost */
};

static bool is_few(const struct position *pos)
{
	const uint64_t *pieces = pos->draughts.pieces;
	return squares_count(pieces[WHITE] | pieces[BLACK]) <=
	       ENDING_PIECES_MAX;
}

static void judge_ending(const struct engine_history *h, int plies, int score,
			 const struct position *pos, struct ending *e)
{
	int size = score < 0 ? -score : score;
	bool white_is_better = (score > 0) == (pos->side == WHITE);
	e->given_up = size >= GIVEN_UP ? e->given_up + 1 : 0;
	e->over = true;
	if (size >= WIN_FOUND || e->given_up >= GIVEN_UP_PLIES)
		e->for_white = white_is_better ? 1 : -1;
	else if (plies >= PLIES_MAX || h->quiet >= NO_PROGRESS ||
		 (score == 0 && is_few(pos)))
		e->for_white = 0;
	else
		e->over = false;
}

static bool play_game(struct player *p, struct samples *out)
{
	const struct ruleset *rs = p->lesson->ruleset;
	struct engine_history h;
	struct position pos, next;
	struct ending e = { false, 0, 0 };
	size_t first = out->count;

	engine_history_init(&h, NO_PROGRESS, REPETITION, true);
	open_game(p, &pos);
	for (int plies = 0; !e.over; plies++) {
		struct view view = view_of(&pos);
		struct engine_result r = think(p, &h, &pos);
		if (r.count == 0) {
			e.for_white = pos.side == WHITE ? -1 : 1;
			break;
		}
		if (is_still(p, &view) && !add_sample(out, &view))
			return false;
		judge_ending(&h, plies, r.line[0].score, &pos, &e);
		game_apply(rs, &pos, &r.line[0].move, &next);
		engine_history_add(&h, rs, &pos, &next);
		pos = next;
	}
	for (size_t i = first; i < out->count; i++) {
		bool white = out->at[i].view.side == WHITE;
		int result = white ? e.for_white : -e.for_white;
		out->at[i].result = (uint8_t)(1 + result);
	}
	return true;
}

/* ---- side by side ------------------------------------------------------ */

/* Always so many, so that the samples come in the same order everywhere. */
enum { THREADS = 4 };

struct shift {
	const struct lesson *lesson;
	uint32_t first; /* game; then every THREADS-th */
	struct samples samples;
	bool ok;
};

static void *work(void *payload)
{
	struct shift *s = payload;
	struct player p;
	s->ok = player_init(&p, s->lesson);
	for (uint32_t i = s->first; i < s->lesson->games && s->ok;
	     i += THREADS) {
		rng_seed(&p.rng, mix64(s->lesson->seed) + i);
		s->ok = play_game(&p, &s->samples);
	}
	player_release(&p);
	return NULL;
}

static bool merge(struct samples *all, const struct samples *some)
{
	if (some->count == 0)
		return true;
	size_t room = all->count + some->count;
	struct sample *at = realloc(all->at, room * sizeof(*at));
	if (!at)
		return false;
	memcpy(at + all->count, some->at, some->count * sizeof(*at));
	*all = (struct samples){ at, room, room };
	return true;
}

bool play_games(const struct lesson *lesson, struct samples *out)
{
	struct shift shift[THREADS];
	pthread_t thread[THREADS];
	bool ok = true;
	for (uint32_t i = 0; i < THREADS; i++) {
		shift[i] = (struct shift){ .lesson = lesson, .first = i };
		if (pthread_create(&thread[i], NULL, work, &shift[i]))
			abort();
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		ok = ok && shift[i].ok && merge(out, &shift[i].samples);
		free(shift[i].samples.at);
	}
	fprintf(stderr, "%u games, %zu positions\n", lesson->games, out->count);
	return ok;
}
