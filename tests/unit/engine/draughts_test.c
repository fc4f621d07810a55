/* SPDX-License-Identifier: MIT
 * What the draughts player knows: weights that were learned, and endings that
 * were solved. The endings are held against their own replies and against plain
 * search over the rules. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "engine/draughts_data_priv.h"
#include "engine/draughts_priv.h"

static struct ruleset ruleset_named(const char *name)
{
	struct ruleset rs;
	assert_int_equal(ruleset_find(name, strlen(name), &rs), PLYD_OK);
	return rs;
}

/* A position some random moves from the start that is not over. */
static struct position wander(const struct ruleset *rs, struct rng *rng,
			      int plies)
{
	static struct move_list list;
	struct position pos, next;
	game_start(rs, &pos);
	for (int i = 0; i < plies; i++) {
		assert_int_equal(game_moves(rs, &pos, &list), PLYD_OK);
		if (list.count == 0)
			return wander(rs, rng, plies - 1);
		game_apply(rs, &pos,
			   &list.move[rng_below(rng, (uint32_t)list.count)],
			   &next);
		pos = next;
	}
	return pos;
}

/* ---- weights ----------------------------------------------------------- */

struct game_case {
	const char *name;
	const char *ruleset;
	struct span (*weights)(void);
	const struct learned *(*learned)(void);
	void (*features)(const struct view *view, struct features *out);
	int (*score)(const struct learned *l, const struct view *view);
	uint32_t patterns;
	uint32_t full;
};

static const struct game_case game_cases[] = {
	{ "english", "english", data_english_weights, learned_english,
	  features_english, score_english, PATTERNS_ENGLISH, FULL_ENGLISH },
	{ "turkish", "turkish-classic", data_turkish_weights, learned_turkish,
	  features_turkish, score_turkish, PATTERNS_TURKISH, FULL_TURKISH },
};

static void the_weights_are_those_that_were_made(const struct game_case *g)
{
	const struct learned *l = g->learned();
	assert_int_equal(l->head.magic, LEARNED_MAGIC);
	assert_int_equal(l->head.patterns, g->patterns);
	assert_int_equal(l->head.full, g->full);
	assert_int_equal(g->weights().len, sizeof(*l) + (size_t)g->patterns *
								PATTERN_STATES *
								STAGES);
	assert_true(l->head.games > 0 && l->head.positions > 0);
	assert_int_equal(learned_sum(l), l->head.sum);
}

static int sum_of(const struct learned *l, const struct features *f)
{
	int span = (int)l->head.full - STAGE_LATE;
	int early = l->material[f->material][0];
	int late = l->material[f->material][1];
	for (int i = 0; i < f->count; i++) {
		assert_true(f->at[i] < l->head.patterns * PATTERN_STATES);
		early += l->pattern[f->at[i]][0];
		late += l->pattern[f->at[i]][1];
	}
	return (early * f->stage + late * (span - f->stage)) / span;
}

/* The position with its colours changed: the board turned by half a turn, or
 * in Turkish draughts, which knows no left and right, upside down. */
static struct view turned(const struct view *v, bool half_turn)
{
	uint64_t set[3] = { v->own, v->foe, v->kings }, out[3] = { 0 };
	for (int i = 0; i < 3; i++)
		for (int at = 0; at < 64; at++)
			if (set[i] >> at & 1)
				out[i] |= UINT64_C(1)
					  << (half_turn ? 63 - at : at ^ 56);
	return (struct view){ out[0], out[1], out[2], side_other(v->side) };
}

static void what_is_learned_is_fair(void **state)
{
	const struct game_case *g = *state;
	struct ruleset rs = ruleset_named(g->ruleset);
	bool half = !strcmp(g->name, "english");
	struct rng rng;
	int worth = 0;
	the_weights_are_those_that_were_made(g);
	rng_seed(&rng, 29);
	for (int i = 0; i < 300; i++) {
		struct position other, pos = wander(&rs, &rng, i);
		struct view v = view_of(&pos), w = turned(&v, half);
		struct features f;
		g->features(&v, &f);
		view_to_position(&w, &other);
		int seen = engine_evaluate(&rs, &pos, NULL);
		assert_int_equal(g->score(g->learned(), &v),
				 sum_of(g->learned(), &f));
		assert_int_equal(seen, engine_evaluate(&rs, &other, NULL));
		if (!half) {
			w = turned(&v, true);
			view_to_position(&w, &other);
			assert_int_equal(seen,
					 engine_evaluate(&rs, &other, NULL));
		}
		worth += seen != 0;
	}
	assert_true(worth > 250);
}

/* ---- endings ----------------------------------------------------------- */

struct ending_case {
	const char *name;
	uint32_t step; /* every so manyth place */
};

static const struct ending_case ending_cases[] = {
	{ "english", 997 },
	{ "turkish", 499 },
	{ "turkish-classic", 503 },
};

static const struct endings *endings_named(const char *name, struct variant *v)
{
	struct ruleset rs = ruleset_named(name);
	variant_of(&rs, v);
	const struct endings *e = endings_of(v);
	assert_non_null(e);
	return e;
}

/* What the moves make of a position, by what the endings say of their results:
 * as endings_score(). False: some result is not known. */
static bool score_by_moves(const struct endings *e, const struct variant *v,
			   const struct view *view, int *score)
{
	static struct view_move move[MOVE_LIST_MAX];
	uint64_t budget = UINT64_MAX;
	int count = view_list(v, view, view_capturers(v, view), &budget, move);
	*score = -ENGINE_WIN;
	for (int i = 0; i < count; i++) {
		struct view next;
		int reply = -ENGINE_WIN;
		view_play(view, &move[i], &next);
		if (next.own && !endings_score(e, v, &next, &reply))
			return false;
		int mine = reply > 0   ? -(reply - 1)
			   : reply < 0 ? -reply - 1
				       : 0;
		if (mine > *score)
			*score = mine;
	}
	return true;
}

static void every_ending_follows_from_its_replies(void **state)
{
	const struct ending_case *c = *state;
	struct variant v;
	const struct endings *e = endings_named(c->name, &v);
	unsigned looked = 0, won = 0, lost = 0;
	for (int i = 0; i < e->slices.count; i++) {
		const struct slice *s = &e->slices.slice[i];
		for (uint32_t at = 0; at < s->size; at += c->step) {
			struct view view;
			uint32_t place;
			int known, found;
			if (!slices_place(&e->slices, i, at, &view))
				continue;
			assert_true(slices_find(&e->slices, &view, &place));
			assert_int_equal(place, s->first + at);
			if (!endings_score(e, &v, &view, &known) ||
			    !score_by_moves(e, &v, &view, &found))
				continue;
			assert_int_equal(known, found);
			looked++;
			won += known > 0;
			lost += known < 0;
		}
	}
	assert_true(looked > 1000 && won > 300 && lost > 300);
}

static void a_won_ending_is_won_in_time(const char *name, const char *fen,
					int wanted)
{
	struct ruleset rs = ruleset_named(name);
	struct position next, pos;
	struct engine *engine;
	struct engine_result r;
	int left = 0, plies = 0;
	assert_int_equal(game_read(&rs, fen, strlen(fen), &pos, NULL), PLYD_OK);
	assert_int_equal(engine_new(1 << 16, &engine), PLYD_OK);
	while (!game_outcome(&rs, &pos).over) {
		struct engine_question q = { .ruleset = &rs,
					     .position = &pos,
					     .budget = { .nodes = 300 } };
		assert_int_equal(engine_search(engine, &q, &r), PLYD_OK);
		if (plies == 0)
			left = ENGINE_WIN - r.line[0].score;
		assert_true(plies++ < wanted);
		game_apply(&rs, &pos, &r.line[0].move, &next);
		pos = next;
	}
	assert_int_equal(left, wanted);
	assert_int_equal(plies, wanted);
	engine_free(engine);
}

/* Both sides know the ending, so that it takes just as long as it said. */
static void won_endings_are_won(void **state)
{
	(void)state;
	a_won_ending_is_won_in_time("english", "W:WK1,K5:BK28", 31);
	a_won_ending_is_won_in_time("english", "W:WK6,K7,K8:BK29", 11);
	a_won_ending_is_won_in_time("turkish", "W:Wa2,c3:Bh7", 33);
	a_won_ending_is_won_in_time("turkish-classic", "W:WKa1,c3:Bh7", 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(won_endings_are_won),
	};
	int failed = RUN_TABLE("what is learned", game_cases,
			       what_is_learned_is_fair);
	failed += RUN_TABLE("endings", ending_cases,
			    every_ending_follows_from_its_replies);
	return failed +
	       cmocka_run_group_tests_name("won endings", tests, NULL, NULL);
}
