/* SPDX-License-Identifier: MIT
 * The search chooses a best move. It and the move played are then judged alike,
 * for scores of different searches do not compare: in draughts both positions
 * are searched to the same depth, in backgammon both are averaged over the 21
 * throws of the opponent and his best answer to each. */
#include "ply/analysis.h"

#include <stdlib.h>
#include <string.h>

enum { ANALYSIS_TABLE_BYTES = 32 * 1024 * 1024, THROWS = 36 };

struct analyser {
	struct analysis_options options;
	struct engine *engine;
	const struct ruleset *rules;   /* of the game */
	struct engine_history history; /* up to pos */
	struct position pos;
	unsigned ply; /* of the half-move to come, from 1 */
	bool doubled; /* before it */
	struct analysis out;
};

int analyser_new(const struct analysis_options *options, struct analyser **out)
{
	struct analyser *a = calloc(1, sizeof(*a));
	*out = NULL;
	if (!a || engine_new(ANALYSIS_TABLE_BYTES, &a->engine)) {
		free(a);
		return PLYD_ENOMEM;
	}
	a->options = *options;
	*out = a;
	return PLYD_OK;
}

void analyser_free(struct analyser *a)
{
	if (!a)
		return;
	engine_free(a->engine);
	free(a);
}

int analysis_blunder(const struct analysis_options *options, enum family family)
{
	if (options->blunder > 0)
		return options->blunder;
	return family == FAMILY_DRAUGHTS ? ANALYSIS_BLUNDER_DRAUGHTS
					 : ANALYSIS_BLUNDER_BACKGAMMON;
}

/* -- how good a position is for the side that has just moved to it -- */

static int capped(int score)
{
	return score > ANALYSIS_WIN    ? ANALYSIS_WIN
	       : score < -ANALYSIS_WIN ? -ANALYSIS_WIN
				       : score;
}

/* Whether the draw policy ends the game here; pos is not in h. */
static bool is_drawn(const struct analyser *a, const struct engine_history *h,
		     const struct position *pos)
{
	uint64_t hash = game_hash(a->rules, pos);
	unsigned before = 0;
	for (size_t i = 0; i < h->count; i++)
		before += h->hash[i] == hash;
	return (h->repetition > 0 && before + 1 >= h->repetition) ||
	       (h->no_progress > 0 && h->quiet >= h->no_progress);
}

/* A position of draughts, and the way to it. */
struct reached {
	struct position pos;
	struct engine_history history;
	int depth; /* that it was searched */
	int score;
};

static void search(struct analyser *a, struct reached *r, int depth)
{
	static struct engine_result result;
	const struct engine_question q = {
		.ruleset = a->rules,
		.position = &r->pos,
		.history = &r->history,
		.budget = { .nodes = a->options.nodes, .depth = depth },
	};
	if (engine_search(a->engine, &q, &result) || result.count == 0) {
		r->score = -capped(engine_evaluate(a->rules, &r->pos, NULL));
		r->depth = 0;
		return;
	}
	r->score = -capped(result.line[0].score);
	r->depth = result.depth;
}

/* True: it is over there, and the score exact. */
static bool reach(struct analyser *a, const struct move *move,
		  struct reached *out)
{
	game_apply(a->rules, &a->pos, move, &out->pos);
	out->history = a->history;
	engine_history_add(&out->history, a->rules, &a->pos, &out->pos);
	out->depth = 0;
	out->score = game_outcome(a->rules, &out->pos).over ? ANALYSIS_WIN : 0;
	return out->score != 0 || is_drawn(a, &out->history, &out->pos);
}

static int draughts_loss(struct analyser *a, const struct move *best,
			 const struct move *played)
{
	static struct reached b, p;
	bool b_over = reach(a, best, &b);
	bool p_over = reach(a, played, &p);
	if (!b_over)
		search(a, &b, 0);
	if (!p_over)
		search(a, &p, 0);
	if (!b_over && !p_over && b.depth > p.depth && p.depth > 0)
		search(a, &b, p.depth);
	if (!b_over && !p_over && p.depth > b.depth && b.depth > 0)
		search(a, &p, b.depth);
	return b.score - p.score;
}

/* What the side that will throw makes of one throw. */
static int throw_score(struct analyser *a, const struct position *pos, int die1,
		       int die2)
{
	static struct engine_result result;
	struct position thrown, after;
	game_throw(pos, die1, die2, &thrown);
	const struct engine_question q = {
		.ruleset = a->rules,
		.position = &thrown,
		.budget = { .nodes = UINT64_MAX, .depth = 1 },
	};
	if (!engine_search(a->engine, &q, &result) && result.count > 0)
		return result.line[0].score;
	game_pass(&thrown, &after);
	return -engine_evaluate(a->rules, &after, NULL);
}

static int backgammon_score(struct analyser *a, const struct move *move)
{
	struct position after;
	int sum = 0;
	game_apply(a->rules, &a->pos, move, &after);
	if (game_outcome(a->rules, &after).over)
		return -engine_evaluate(a->rules, &after, NULL);
	for (int die1 = 1; die1 <= 6; die1++)
		for (int die2 = 1; die2 <= die1; die2++)
			sum += throw_score(a, &after, die1, die2) *
			       (die1 == die2 ? 1 : 2);
	return -sum / THROWS;
}

/* -- decisions -- */

static struct decision *note(struct analyser *a, enum decision_kind kind,
			     enum side side)
{
	struct decision *d = &a->out.decision[a->out.count++];
	*d = (struct decision){
		.kind = kind, .side = side, .ply = a->ply, .pos = a->pos
	};
	return d;
}

static void note_cube(struct analyser *a, enum decision_kind kind,
		      enum side side, bool did, bool should)
{
	struct decision *d = note(a, kind, side);
	d->did = did;
	d->should = should;
	a->out.side[side].cubes++;
	a->out.side[side].wrong += did != should;
}

static uint64_t result_of(const struct analyser *a, const struct move *move)
{
	struct position after;
	game_apply(a->rules, &a->pos, move, &after);
	return game_hash(a->rules, &after);
}

static bool is_choice(const struct analyser *a)
{
	static struct move_list list;
	if (game_moves(a->rules, &a->pos, &list) || list.count < 2)
		return false;
	uint64_t first = result_of(a, &list.move[0]);
	for (size_t i = 1; i < list.count; i++)
		if (result_of(a, &list.move[i]) != first)
			return true;
	return false;
}

static void judge_move(struct analyser *a, const struct move *played)
{
	static struct engine_result result;
	const struct engine_question q = {
		.ruleset = a->rules,
		.position = &a->pos,
		.history = &a->history,
		.budget = { .nodes = a->options.nodes },
	};
	if (!is_choice(a) || engine_search(a->engine, &q, &result) ||
	    result.count == 0)
		return;
	struct decision *d = note(a, DECISION_MOVE, (enum side)a->pos.side);
	struct side_tally *t = &a->out.side[d->side];
	d->played = *played;
	d->best = result.line[0].move;
	if (result_of(a, played) != result_of(a, &d->best))
		d->loss = a->rules->family == FAMILY_DRAUGHTS
				  ? draughts_loss(a, &d->best, played)
				  : backgammon_score(a, &d->best) -
					    backgammon_score(a, played);
	if (d->loss < 0)
		d->loss = 0; /* looked at closely it is no worse */
	t->moves++;
	t->loss += d->loss;
	t->blunders +=
		d->loss >= analysis_blunder(&a->options, a->rules->family);
}

/* Whether the side to move has let the cube be where it should have turned it.
 * The throw that decided who begins left no time for it. */
static void judge_no_double(struct analyser *a)
{
	bool thrown = a->ply == 1 && ruleset_first(a->rules) < 0;
	if (!a->doubled && !thrown &&
	    game_may_double(a->rules, &a->pos) == REASON_NONE &&
	    engine_doubles(a->rules, &a->pos, NULL))
		note_cube(a, DECISION_DOUBLE, (enum side)a->pos.side, false,
			  true);
}

static void turn(struct analyser *a, const struct game_entry *e)
{
	struct position before = a->pos;
	before.side = e->side;
	a->pos = before;
	if (e->dice[0] > 0) {
		judge_no_double(a);
		game_throw(&before, e->dice[0], e->dice[1], &a->pos);
	}
	before = a->pos;
	if (e->kind == ENTRY_MOVE) {
		judge_move(a, &e->move);
		game_apply(a->rules, &before, &e->move, &a->pos);
		engine_history_add(&a->history, a->rules, &before, &a->pos);
	} else {
		game_pass(&before, &a->pos);
	}
	a->doubled = false;
	a->ply++;
}

static void cube(struct analyser *a, const struct game_entry *e)
{
	struct position before = a->pos;
	enum side side = (enum side)e->side;
	if (e->kind == ENTRY_DOUBLE) {
		a->pos.side = e->side;
		a->doubled = true;
		note_cube(a, DECISION_DOUBLE, side, true,
			  engine_doubles(a->rules, &a->pos, NULL));
		return;
	}
	note_cube(a, DECISION_ANSWER, side, e->kind == ENTRY_TAKE,
		  engine_takes(a->rules, &a->pos, NULL));
	if (e->kind == ENTRY_TAKE)
		game_take(&before, &a->pos);
}

const struct analysis *analyser_game(struct analyser *a,
				     const struct game_record *game,
				     const struct games_draws *draws)
{
	memset(&a->out, 0, sizeof(a->out));
	a->rules = &game->ruleset;
	a->pos = game->start;
	a->ply = 1;
	a->doubled = false;
	engine_history_init(&a->history, draws->no_progress, draws->repetition,
			    draws->man_moves_count);
	for (size_t i = 0; i < game->entry_count; i++) {
		const struct game_entry *e = &game->entry[i];
		if (e->kind == ENTRY_MOVE || e->kind == ENTRY_PASS)
			turn(a, e);
		else if (e->kind != ENTRY_RESIGN)
			cube(a, e);
		if (a->options.progress)
			a->options.progress(a->options.payload, i + 1,
					    game->entry_count);
	}
	return &a->out;
}
