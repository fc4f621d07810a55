/* SPDX-License-Identifier: MIT
 * The personalities that ship play whole games of every ruleset against a
 * random player: legally, to the same letter for the same seed (the hashes that
 * are printed are equal for every compiler), and each in its own way. What scripts are shown is compared with the position's text. */
#include "asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "unit.h"

enum { PLIES_MAX = 600, HISTORY_PLIES = WORKER_HISTORY_MAX };

static const char *const names[] = { "gentle", "bold", "steady" };
enum { NAMES = 3 };

static struct asked worker;

static int load_all(void **state)
{
	(void)state;
	asked_init_here(&worker);
	ask_load_shipped(&worker, WORKER_LIBRARY, "words", "lib/words.lua");
	for (size_t i = 0; i < NAMES; i++) {
		char path[64];
		struct worker_reply r;
		struct worker_personality p;
		snprintf(path, sizeof(path), "personalities/%s.lua", names[i]);
		struct span source = read_script(path);
		assert_true(ask_load(&worker, WORKER_PERSONALITY, names[i],
				     source, 0, &r));
		assert_int_equal(r.err, PLYD_OK);
		assert_int_equal(worker_personality_read(r.result, &p), 0);
		assert_true(span_is(p.name, names[i]));
		assert_int_equal(p.rulesets.count, 0);
		free((void *)source.at);
	}
	return 0;
}

static int unload_all(void **state)
{
	(void)state;
	asked_release_here(&worker);
	return 0;
}

/* A player: a personality, or NULL for one that moves at random. */
struct game {
	struct ruleset rs;
	struct position pos;
	const char *player[2];
	uint64_t seed;
	struct rng rng; /* dice and random moves */
	struct worker_words history;
	int quiet;
	int ply;
	uint64_t hash; /* of all moves */
	int hits;      /* captures or hits of the personality that has none */
	int offers;
};

static void note(struct game *g, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		g->hash = (g->hash ^ (uint8_t)text[i]) * 1099511628211u;
}

static void ask_move(struct game *g, const char *name, struct move *out)
{
	struct asking_texts texts;
	struct worker_reply r;
	struct worker_choice c;
	struct refusal why;
	struct worker_choose m = choose_at(name, &g->rs, &g->pos, &texts);
	m.history = g->history;
	m.quiet = g->quiet;
	m.ply = g->ply;
	m.seed = g->seed;
	assert_true(ask_choose(&worker, &m, 0, &r));
	if (r.err)
		print_error("%s in %s: %.*s\n", name, texts.position,
			    (int)r.error.text.len,
			    (const char *)r.error.text.at);
	assert_int_equal(r.err, PLYD_OK);
	assert_int_equal(worker_choice_read(r.result, &c), PLYD_OK);
	assert_false(c.resign || c.accept_draw);
	g->offers += c.offer_draw;
	note(g, (const char *)c.move.at, c.move.len);
	assert_int_equal(game_check(&g->rs, &g->pos, (const char *)c.move.at,
				    c.move.len, out, &why),
			 PLYD_OK);
	g->hits += __builtin_popcountll(out->taken);
}

static void remember(struct game *g, const struct position *before)
{
	struct progress p = game_progress(&g->rs, before, &g->pos);
	if (p.captured || p.promoted) {
		g->quiet = 0;
		g->history.count = 0;
		return;
	}
	g->quiet++;
	if (g->history.count < HISTORY_PLIES)
		g->history.at[g->history.count++] = game_hash(&g->rs, before);
}

static void step(struct game *g)
{
	struct move_list list;
	struct move move;
	if (ruleset_has_dice(&g->rs))
		game_throw(&g->pos, (int)rng_below(&g->rng, 6) + 1,
			   (int)rng_below(&g->rng, 6) + 1, &g->pos);
	struct position before = g->pos;
	g->ply++;
	if (!game_can_move(&g->rs, &before)) {
		game_pass(&before, &g->pos);
		return;
	}
	const char *name = g->player[before.side];
	if (name) {
		ask_move(g, name, &move);
	} else {
		assert_int_equal(game_moves(&g->rs, &before, &list), 0);
		move = list.move[rng_below(&g->rng, (uint32_t)list.count)];
	}
	game_apply(&g->rs, &before, &move, &g->pos);
	remember(g, &before);
}

/* Returns the winner's player, or NULL for a draw. */
static const char *play(struct game *g, const char *ruleset, const char *white,
			const char *black, uint64_t seed)
{
	memset(g, 0, sizeof(*g));
	ruleset_find(ruleset, strlen(ruleset), &g->rs);
	game_start(&g->rs, &g->pos);
	g->player[WHITE] = white;
	g->player[BLACK] = black;
	g->seed = seed;
	g->hash = 14695981039346656037u;
	rng_seed(&g->rng, seed);
	while (g->ply < PLIES_MAX && g->quiet < 80 &&
	       !game_outcome(&g->rs, &g->pos).over)
		step(g);
	struct outcome end = game_outcome(&g->rs, &g->pos);
	return end.over ? (g->player[end.winner] ? g->player[end.winner]
						 : "random")
			: NULL;
}

/* ---- whole games ------------------------------------------------------- */

static struct whole {
	const char *name;
} wholes[] = {
	{ "english" },    { "turkish" },          { "turkish-classic" },
	{ "backgammon" }, { "short-backgammon" }, { "caucasian" },
};

static void plays_the_same_twice(void **state)
{
	const struct whole *w = *state;
	uint64_t hash[NAMES];
	for (size_t i = 0; i < NAMES; i++) {
		struct game first;
		struct game second;
		play(&first, w->name, names[i], NULL, 7);
		play(&second, w->name, names[i], NULL, 7);
		assert_true(first.hash == second.hash);
		assert_int_equal(first.ply, second.ply);
		hash[i] = first.hash;
		printf("%s: %s: %d plies, %016llx\n", w->name, names[i],
		       first.ply, (unsigned long long)first.hash);
	}
	assert_true(hash[0] != hash[1] && hash[1] != hash[2] &&
		    hash[0] != hash[2]);
}

/* ---- strength and style ------------------------------------------------ */

static struct pairing {
	const char *name;
	const char *ruleset;
	const char *strong;
	const char *weak; /* NULL: random */
	int games;
	int least; /* wins, a draw counting a half, of twice as many */
} pairings[] = {
	{ "gentle beats random at draughts", "english", "gentle", NULL, 10,
	  14 },
	{ "gentle beats random at backgammon", "backgammon", "gentle", NULL, 10,
	  14 },
	{ "bold beats random at draughts", "turkish", "bold", NULL, 8, 12 },
	{ "bold beats random at backgammon", "backgammon", "bold", NULL, 10,
	  14 },
	{ "steady beats gentle at draughts", "english", "steady", "gentle", 8,
	  12 },
	{ "steady beats gentle at Turkish", "turkish", "steady", "gentle", 6,
	  9 },
};

static void strong_beats_weak(void **state)
{
	const struct pairing *p = *state;
	int halves = 0;
	const char *weak = p->weak ? p->weak : "random";
	for (int i = 0; i < p->games; i++) {
		struct game g;
		const char *winner = i % 2 ? play(&g, p->ruleset, p->strong,
						  p->weak, (uint64_t)i)
					   : play(&g, p->ruleset, p->weak,
						  p->strong, (uint64_t)i);
		halves += winner ? 2 * (strcmp(winner, weak) != 0) : 1;
	}
	printf("%s: %d half points of %d\n", p->name, halves, 2 * p->games);
	assert_true(halves >= p->least);
}

/* How often two of them would play the same move in the same positions. */
static void styles_differ(void **state)
{
	(void)state;
	enum { POSITIONS = 60 };
	int same[NAMES][NAMES] = { { 0 } };
	for (size_t k = 0; k < COUNT(wholes); k++) {
		for (int n = 0; n < POSITIONS / (int)COUNT(wholes); n++) {
			struct game g;
			struct move move[NAMES];
			play(&g, wholes[k].name, NULL, NULL, (uint64_t)n);
			int middle = g.ply / 3;
			memset(&g.history, 0, sizeof(g.history));
			struct game h = g;
			game_start(&h.rs, &h.pos);
			rng_seed(&h.rng, (uint64_t)n);
			for (h.ply = 0; h.ply < middle;)
				step(&h);
			game_throw(&h.pos, 3, 1, &h.pos);
			if (!ruleset_has_dice(&h.rs))
				h.pos.dice[0] = h.pos.dice[1] = 0;
			if (!game_can_move(&h.rs, &h.pos))
				continue;
			for (size_t i = 0; i < NAMES; i++)
				ask_move(&h, names[i], &move[i]);
			for (size_t i = 0; i < NAMES; i++)
				for (size_t j = 0; j < NAMES; j++)
					same[i][j] +=
						!memcmp(&move[i], &move[j],
							sizeof(move[0]));
		}
	}
	int all = same[0][0];
	printf("same move of %d: gentle and bold %d, bold and steady %d, "
	       "gentle and steady %d\n",
	       all, same[0][1], same[1][2], same[0][2]);
	assert_true(all >= POSITIONS / 2);
	for (size_t i = 0; i < NAMES; i++)
		assert_true(same[i][(i + 1) % NAMES] * 10 < all * 8);
}

/* bold hits more than the others. */
static void bold_hits_more(void **state)
{
	(void)state;
	int hits[NAMES] = { 0 };
	int plies[NAMES] = { 0 };
	for (size_t i = 0; i < NAMES; i++) {
		for (uint64_t seed = 0; seed < 12; seed++) {
			struct game g;
			play(&g, "backgammon", names[i], NULL, seed);
			hits[i] += g.hits;
			plies[i] += g.ply;
		}
	}
	printf("hits a thousand plies: gentle %d, bold %d, steady %d\n",
	       hits[0] * 1000 / plies[0], hits[1] * 1000 / plies[1],
	       hits[2] * 1000 / plies[2]);
	assert_true(hits[1] * plies[2] > hits[2] * plies[1]);
	assert_true(hits[1] * plies[0] > hits[0] * plies[1]);
}

/* ---- what is shown ----------------------------------------------------- */

/* Writes the position again from turn.board and compares. */
static const char mirror[] =
	"local function square(s)\n"
	"  return tonumber(s) or s:byte(1) + 100 * tonumber(s:sub(2))\n"
	"end\n"
	"local function half(board, side)\n"
	"  local list = {}\n"
	"  for s, p in pairs(board) do\n"
	"    if p.side == side then list[#list + 1] = s end\n"
	"  end\n"
	"  table.sort(list, function(a, b) return square(a) < square(b) end)\n"
	"  for i, s in ipairs(list) do\n"
	"    list[i] = (board[s].king and 'K' or '') .. s\n"
	"  end\n"
	"  return table.concat(list, ',')\n"
	"end\n"
	"local function count(points)\n"
	"  local n = 0\n"
	"  for i = 0, 25 do n = n + points[i] end\n"
	"  return n\n"
	"end\n"
	"local function check(t)\n"
	"  if t.family == 'draughts' then\n"
	"    local text = t.side:sub(1, 1):upper() .. ':W'\n"
	"      .. half(t.board, 'white') .. ':B' .. half(t.board, 'black')\n"
	"    assert(text == t.position, text .. ' ' .. t.position)\n"
	"  else\n"
	"    assert(count(t.board.mine) == 15 and count(t.board.theirs) == "
	"15)\n"
	"    local bar = t.side == 'white' and t.position:sub(31, 31)\n"
	"      or t.position:sub(6, 6)\n"
	"    assert((bar == '-') == (t.board.mine[25] == 0))\n"
	"    assert(t.dice[1] >= t.dice[2])\n"
	"  end\n"
	"  local m = t.moves[random(#t.moves)]\n"
	"  assert(type(evaluate(m.move)) == 'number')\n"
	"  return m.move\n"
	"end\n"
	"return { name = 'mirror', choose = check }\n";

static void what_is_shown_is_the_position(void **state)
{
	(void)state;
	struct worker_reply r;
	assert_true(ask_load(&worker, WORKER_PERSONALITY, "mirror",
			     span_str(mirror), 0, &r));
	assert_int_equal(r.err, PLYD_OK);
	for (size_t i = 0; i < COUNT(wholes); i++)
		for (uint64_t seed = 0; seed < 5; seed++) {
			struct game g;
			play(&g, wholes[i].name, "mirror", "mirror", seed);
			assert_true(g.ply > 10);
		}
}

/* Cube and resignations are decided by the engine, whatever the script is. */
static void stakes_are_decided(void **state)
{
	(void)state;
	static const struct {
		const char *position;
		enum worker_decision decision;
		int side;
		bool yes;
	} rows[] = {
		/* the start: it throws, takes, and accepts a point for it */
		{ "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10", DECIDE_ROLL,
		  WHITE, false },
		{ "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10",
		  DECIDE_ANSWER, BLACK, true },
		{ "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10",
		  DECIDE_RESIGNATION, BLACK, true },
		/* a race that is won */
		{ "-BBBB---------------ccccc-:0:0:1:00:0:0:0:7:10", DECIDE_ROLL,
		  WHITE, true },
		{ "-BBBB---------------ccccc-:0:0:1:00:0:0:0:7:10",
		  DECIDE_ANSWER, BLACK, false },
	};
	struct ruleset rs;
	struct position pos;
	assert_int_equal(ruleset_find("backgammon-match", 16, &rs), 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct asking_texts texts;
		struct worker_reply r;
		struct worker_choice c;
		assert_int_equal(game_read(&rs, rows[i].position,
					   strlen(rows[i].position), &pos,
					   NULL),
				 0);
		struct worker_choose m = choose_at("gentle", &rs, &pos, &texts);
		m.decision = rows[i].decision;
		m.side = rows[i].side;
		m.level = rows[i].decision == DECIDE_RESIGNATION;
		assert_true(ask_choose(&worker, &m, 0, &r));
		assert_int_equal(r.err, PLYD_OK);
		assert_int_equal(worker_choice_read(r.result, &c), PLYD_OK);
		assert_int_equal(c.move.len, 0);
		if (c.yes != rows[i].yes)
			fail_msg("row %zu", i);
	}
}

/* It is asked of draughts, or of a game that is over: that is no question. */
static void stakes_of_draughts_are_refused(void **state)
{
	(void)state;
	struct asking_texts texts;
	struct worker_reply r;
	struct ruleset rs;
	struct position pos;
	assert_int_equal(ruleset_find("english", 7, &rs), 0);
	game_start(&rs, &pos);
	struct worker_choose m = choose_at("gentle", &rs, &pos, &texts);
	m.decision = DECIDE_ROLL;
	assert_true(ask_choose(&worker, &m, 0, &r));
	assert_int_equal(r.err, PLYD_EPOSITION);
}

int main(void)
{
	load_all(NULL);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_shown_is_the_position),
		cmocka_unit_test(styles_differ),
		cmocka_unit_test(bold_hits_more),
		cmocka_unit_test(stakes_are_decided),
		cmocka_unit_test(stakes_of_draughts_are_refused),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL) +
		     RUN_TABLE("games", wholes, plays_the_same_twice) +
		     RUN_TABLE("strength", pairings, strong_beats_weak);
	unload_all(NULL);
	return failed;
}
