/* SPDX-License-Identifier: MIT
 * Whole games: a floor under the engine's strength. Everything is seeded, so
 * that a result never changes by itself. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "engine/engine.h"

enum {
	TABLE_BYTES = 1 << 20,
	PLIES_MAX = 1000,
	GAMES = 40,
	NO_PROGRESS = 80,
	REPETITION = 3
};

/* A game under way, with the standard draw limits for draughts. */
struct game {
	struct ruleset ruleset;
	struct position pos;
	struct engine_history history;
	struct rng dice;
};

static void game_begin(struct game *g, const char *name, uint64_t seed)
{
	assert_int_equal(ruleset_find(name, strlen(name), &g->ruleset),
			 PLYD_OK);
	game_start(&g->ruleset, &g->pos);
	engine_history_init(&g->history, NO_PROGRESS, REPETITION, false);
	rng_seed(&g->dice, seed);
}

static bool is_drawn(const struct game *g)
{
	unsigned seen = 1;
	if (ruleset_has_dice(&g->ruleset))
		return false;
	uint64_t hash = game_hash(&g->ruleset, &g->pos);
	for (size_t i = 0; i < g->history.count; i++)
		seen += g->history.hash[i] == hash;
	return seen >= REPETITION || g->history.quiet >= NO_PROGRESS;
}

static void play(struct game *g, const struct move *m)
{
	struct position after;
	game_apply(&g->ruleset, &g->pos, m, &after);
	if (!ruleset_has_dice(&g->ruleset))
		engine_history_add(&g->history, &g->ruleset, &g->pos, &after);
	g->pos = after;
}

/* A player: writes its move; false: there is none. */
typedef bool player_fn(struct game *g, void *payload, struct move *out);

struct engine_player {
	struct engine *engine;
	uint64_t nodes;
	const struct engine_weights *weights;
};

static bool engine_plays(struct game *g, void *payload, struct move *out)
{
	struct engine_player *p = payload;
	struct engine_question q = { .ruleset = &g->ruleset,
				     .position = &g->pos,
				     .history = &g->history,
				     .weights = p->weights,
				     .budget = { .nodes = p->nodes },
				     .seed = 1 };
	struct engine_result r;
	assert_int_equal(engine_search(p->engine, &q, &r), PLYD_OK);
	assert_true(r.nodes <= p->nodes);
	*out = r.line[0].move;
	return r.count > 0;
}

static bool random_plays(struct game *g, void *payload, struct move *out)
{
	struct rng *rng = payload;
	static struct move_list list;
	assert_int_equal(game_moves(&g->ruleset, &g->pos, &list), PLYD_OK);
	if (list.count > 0)
		*out = list.move[rng_below(rng, (uint32_t)list.count)];
	return list.count > 0;
}

/* One turn; backgammon throws its dice first and passes where it must. */
static void turn(struct game *g, player_fn *player, void *payload)
{
	struct position thrown;
	struct move m;
	if (ruleset_has_dice(&g->ruleset)) {
		int a = 1 + (int)rng_below(&g->dice, 6);
		int b = 1 + (int)rng_below(&g->dice, 6);
		game_throw(&g->pos, a, b, &thrown);
		g->pos = thrown;
	}
	if (player(g, payload, &m)) {
		play(g, &m);
	} else {
		assert_true(ruleset_has_dice(&g->ruleset));
		thrown = g->pos;
		game_pass(&thrown, &g->pos);
	}
}

/* Twice the points of `side`: 2 a win, 1 a draw, 0 a loss. */
static int play_out(struct game *g, player_fn *const player[2],
		    void *const payload[2], enum side side)
{
	for (int ply = 0; ply < PLIES_MAX; ply++) {
		struct outcome o = game_outcome(&g->ruleset, &g->pos);
		if (o.over)
			return o.winner == side ? 2 : 0;
		if (is_drawn(g))
			return 1;
		turn(g, player[g->pos.side], payload[g->pos.side]);
	}
	return 1;
}

struct floor_case {
	const char *name; /* of the ruleset */
	uint64_t nodes;
	int percent; /* of the points that the engine must make */
};

static const struct floor_case floor_cases[] = {
	{ "english", 300, 95 },
	{ "turkish", 300, 95 },
	{ "backgammon", 200, 90 },
};

static void the_engine_beats_random_play(void **state)
{
	const struct floor_case *f = *state;
	struct engine_player p = { .nodes = f->nodes };
	assert_int_equal(engine_new(TABLE_BYTES, &p.engine), PLYD_OK);
	int made = 0;
	for (int i = 0; i < GAMES; i++) {
		struct game g;
		struct rng rng;
		enum side mine = i % 2 ? BLACK : WHITE;
		game_begin(&g, f->name, (uint64_t)i);
		rng_seed(&rng, (uint64_t)i + 1000);
		player_fn *player[2] = { random_plays, random_plays };
		void *payload[2] = { &rng, &rng };
		player[mine] = engine_plays;
		payload[mine] = &p;
		made += play_out(&g, player, payload, mine);
	}
	engine_free(p.engine);
	printf("%s: %d of %d half points\n", f->name, made, 2 * GAMES);
	assert_true(made * 100 >= f->percent * 2 * GAMES);
}

struct won_case {
	const char *name;
	const char *ruleset;
	const char *fen; /* the side to move is ahead, and wins */
	uint64_t nodes;
};

static const struct won_case won_cases[] = {
	{ "english two kings and one in the open", "english", "W:WK14,K15:BK32",
	  20000 },
	{ "english three kings and two", "english", "W:WK14,K15,K18:BK4,K32",
	  20000 },
	{ "english five men and one", "english", "B:WK3:B13,14,15,17,18",
	  5000 },
	{ "turkish king and two men against two men", "turkish",
	  "W:WKd1,a3,b3:Bh7,g7", 5000 },
};

/* Ahead and with the draw limits near, the engine goes on to win against an
 * opponent who wanders about, and never lets a position come back too often. */
static void a_won_game_is_not_drawn(void **state)
{
	const struct won_case *w = *state;
	struct engine_player p = { .nodes = w->nodes };
	struct game g;
	struct rng rng;
	assert_int_equal(engine_new(TABLE_BYTES, &p.engine), PLYD_OK);
	for (uint64_t seed = 0; seed < 3; seed++) {
		game_begin(&g, w->ruleset, seed);
		assert_int_equal(game_read(&g.ruleset, w->fen, strlen(w->fen),
					   &g.pos, NULL),
				 PLYD_OK);
		rng_seed(&rng, seed);
		enum side mine = g.pos.side;
		player_fn *player[2] = { random_plays, random_plays };
		void *payload[2] = { &rng, &rng };
		player[mine] = engine_plays;
		payload[mine] = &p;
		assert_int_equal(play_out(&g, player, payload, mine), 2);
	}
	engine_free(p.engine);
}

int main(void)
{
	return RUN_TABLE("engine floor", floor_cases,
			 the_engine_beats_random_play) +
	       RUN_TABLE("engine wins", won_cases, a_won_game_is_not_drawn);
}
