/* SPDX-License-Identifier: MIT
 * Backgammon's properties over seeded random play, beside the naive opinion of
 * backgammon_naive.h. A failure names the seed, the ply and the position. */
#include "unit.h"

#include <stdlib.h>

#include "base/rng.h"
#include "backgammon_boards.h"
#include "backgammon_naive.h"
#include "rules/options_priv.h"

enum { GAMES = 30, TURNS_PER_GAME = 400, RESULTS_MAX = 4096 };
enum { MIXTURES = PLYD_SANITIZED ? 5 : 20 };

static struct move_list list;
static struct naive_turns naive;

/* What is being played, for messages. */
static struct {
	unsigned seed;
	int ply;
	int checkers; /* of a side */
	struct stakes stakes;
	char text[POSITION_TEXT_MAX];
} now = { .checkers = 15 };

#define HOLDS(condition, ...)                                                  \
	do {                                                                   \
		if (!(condition)) {                                            \
			printf("seed %u ply %d %s: ", now.seed, now.ply,       \
			       now.text);                                      \
			printf(__VA_ARGS__);                                   \
			printf("\n");                                          \
			fail();                                                \
		}                                                              \
	} while (0)

/* ---- from one opinion to the other ------------------------------------- */

static void naive_of(const struct position *pos, struct naive_board *out)
{
	const uint8_t *own = pos->backgammon.point[pos->side];
	const uint8_t *other = pos->backgammon.point[!pos->side];
	memset(out, 0, sizeof(*out));
	for (int p = 1; p <= 25; p++)
		out->own[p] = own[p];
	for (int p = 0; p <= 24; p++)
		out->opp[p] = other[25 - p];
	out->off[0] = own[0];
	out->off[1] = other[0];
}

static void position_of(const struct naive_board *b, enum side mover,
			struct position *out)
{
	uint8_t *own = out->backgammon.point[mover];
	uint8_t *other = out->backgammon.point[!mover];
	memset(out, 0, sizeof(*out));
	out->stakes = now.stakes;
	out->side = (uint8_t)side_other(mover);
	for (int p = 1; p <= 25; p++)
		own[p] = (uint8_t)b->own[p];
	for (int p = 0; p <= 24; p++)
		other[25 - p] = (uint8_t)b->opp[p];
	own[0] = (uint8_t)b->off[0];
	other[0] = (uint8_t)b->off[1];
}

static struct naive_rules naive_rules_of(const struct ruleset *rs)
{
	const struct backgammon_options *o = &rs->backgammon;
	return (struct naive_rules){
		.no_hiding = o->hit_and_hide == OPTION_FALSE,
		.bear_off_if_forced =
			o->hit_and_bear_off == HIT_AND_BEAR_OFF_IF_FORCED,
	};
}

static size_t naive_text(const struct naive_turn *t, int hops, char *out)
{
	size_t at = 0;
	out[0] = '\0';
	for (int i = 0; i < hops; i++) {
		char from[8], to[8];
		snprintf(from, sizeof(from), "%d", t->hop[i].from);
		snprintf(to, sizeof(to), "%d", t->hop[i].to);
		at += (size_t)snprintf(out + at, MOVE_TEXT_MAX - at,
				       "%s%s/%s%s", i > 0 ? " " : "",
				       t->hop[i].from == 25 ? "bar" : from,
				       t->hop[i].to == 0 ? "off" : to,
				       t->hop[i].hits ? "*" : "");
	}
	return at;
}

/* ---- what must hold ---------------------------------------------------- */

static int by_bytes(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct position));
}

static size_t distinct(struct position *at, size_t count)
{
	size_t kept = 0;
	qsort(at, count, sizeof(*at), by_bytes);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || by_bytes(&at[kept - 1], &at[i]) != 0)
			at[kept++] = at[i];
	}
	return kept;
}

static void results_are_the_naive_ones(const struct ruleset *rs,
				       const struct position *pos)
{
	static struct position want[NAIVE_TURNS_MAX], got[MOVE_LIST_MAX];
	struct naive_board board;
	struct naive_rules rules = naive_rules_of(rs);
	naive_of(pos, &board);
	naive_turns(&rules, &board, pos->dice[0], pos->dice[1], &naive);
	for (size_t i = 0; i < naive.count; i++)
		position_of(&naive.turn[i].end, (enum side)pos->side, &want[i]);
	size_t results = distinct(want, naive.count);
	assert_int_equal(game_moves(rs, pos, &list), PLYD_OK);
	HOLDS(list.total == results, "%zu moves, naive %zu", list.total,
	      results);
	HOLDS(game_can_move(rs, pos) == (results > 0), "game_can_move()");
	if (list.count < list.total)
		return;
	for (size_t i = 0; i < list.count; i++)
		game_apply(rs, pos, &list.move[i], &got[i]);
	HOLDS(distinct(got, list.count) == results, "a result is listed twice");
	HOLDS(!memcmp(got, want, results * sizeof(*got)), "results differ");
}

static void checkers_are_kept(const struct position *pos)
{
	for (int side = WHITE; side <= BLACK; side++) {
		int sum = 0;
		for (int p = 0; p <= 25; p++)
			sum += pos->backgammon.point[side][p];
		HOLDS(sum == now.checkers, "%d checkers", sum);
	}
	for (int p = 1; p <= 24; p++)
		HOLDS(!pos->backgammon.point[WHITE][p] ||
			      !pos->backgammon.point[BLACK][25 - p],
		      "both on point %d", p);
}

static void text_reads_back(const struct ruleset *rs,
			    const struct position *pos)
{
	char text[POSITION_TEXT_MAX];
	struct position again;
	size_t len = game_write(rs, pos, text);
	HOLDS(game_read(rs, text, len, &again, NULL) == PLYD_OK, "%s", text);
	HOLDS(!memcmp(pos, &again, sizeof(again)), "%s reads otherwise", text);
	HOLDS(game_hash(rs, pos) == game_hash(rs, &again), "hash");
}

/* Every listed move: accepted, immutable, replayed alike. */
static void moves_hold(const struct ruleset *rs, const struct position *pos)
{
	char last[MOVE_TEXT_MAX] = "";
	struct position before = *pos, after, again;
	for (size_t i = 0; i < list.count; i++) {
		char text[MOVE_TEXT_MAX];
		struct move same;
		struct refusal why;
		size_t len = game_move_text(rs, pos, &list.move[i], text);
		HOLDS(strcmp(last, text) < 0, "'%s' after '%s'", text, last);
		HOLDS(game_check(rs, pos, text, len, &same, &why) == PLYD_OK,
		      "'%s' refused", text);
		HOLDS(!memcmp(&same, &list.move[i], sizeof(same)),
		      "'%s' is another move", text);
		game_apply(rs, pos, &same, &after);
		HOLDS(!memcmp(pos, &before, sizeof(before)), "pos changed");
		HOLDS(game_replay_move(rs, pos, text, len, false, &again) ==
				      PLYD_OK &&
			      !memcmp(&after, &again, sizeof(after)),
		      "'%s' replayed otherwise", text);
		HOLDS(game_hash(rs, &after) != game_hash(rs, pos), "hash");
		checkers_are_kept(&after);
		strcpy(last, text);
	}
}

/* Colours exchanged: the same moves in the mover's own numbering. */
static void colours_are_alike(const struct ruleset *rs,
			      const struct position *pos)
{
	static struct move_list other;
	struct position exchanged = *pos;
	exchanged.side = (uint8_t)side_other((enum side)pos->side);
	for (int side = WHITE; side <= BLACK; side++)
		memcpy(exchanged.backgammon.point[side],
		       pos->backgammon.point[!side],
		       sizeof(pos->backgammon.point[side]));
	assert_int_equal(game_moves(rs, &exchanged, &other), PLYD_OK);
	HOLDS(other.total == list.total &&
		      !memcmp(other.move, list.move,
			      list.count * sizeof(list.move[0])),
	      "the other colour has other moves");
}

/* Whether hops a come before hops b in canonical text: from a higher point, or
 * from the same by a larger die. */
static int by_rank(const struct naive_turn *a, const struct move *b)
{
	for (int i = 0; i < a->hops; i++) {
		if (a->hop[i].from != b->at[2 * i])
			return a->hop[i].from - b->at[2 * i];
		if (a->hop[i].to != b->at[2 * i + 1])
			return b->at[2 * i + 1] - a->hop[i].to;
	}
	return 0;
}

/* Each move is the first, in the order of canonical text, of all sequences that
 * lead to its result. */
static void moves_are_canonical(const struct ruleset *rs,
				const struct position *pos)
{
	static bool played[MOVE_LIST_MAX];
	static struct position after[MOVE_LIST_MAX];
	memset(played, 0, sizeof(played));
	for (size_t i = 0; i < list.count; i++)
		game_apply(rs, pos, &list.move[i], &after[i]);
	for (size_t i = 0; i < naive.count; i++) {
		struct position end;
		position_of(&naive.turn[i].end, (enum side)pos->side, &end);
		for (size_t j = 0; j < list.count; j++) {
			if (memcmp(&after[j], &end, sizeof(end)) != 0)
				continue;
			int rank = by_rank(&naive.turn[i], &list.move[j]);
			HOLDS(rank <= 0, "move %zu has a better text", j);
			played[j] = played[j] || rank == 0;
			break;
		}
	}
	for (size_t i = 0; i < list.count; i++)
		HOLDS(played[i], "move %zu cannot be played so", i);
}

/* Some sequences as they were played: the whole turn is accepted in that order
 * and leads to that result; with the last hop left out it is a legal turn only
 * where its result is one. */
static void sequences_hold(const struct ruleset *rs, const struct position *pos,
			   struct rng *rng)
{
	for (int i = 0; i < 8 && naive.count > 0; i++) {
		const struct naive_turn *t =
			&naive.turn[rng_below(rng, (uint32_t)naive.count)];
		char text[MOVE_TEXT_MAX];
		struct position want, got;
		struct move move;
		struct refusal why;
		size_t len = naive_text(t, t->hops, text);
		position_of(&t->end, (enum side)pos->side, &want);
		HOLDS(game_check(rs, pos, text, len, &move, &why) == PLYD_OK,
		      "'%s' refused: %s", text, reason_name(why.reason));
		game_apply(rs, pos, &move, &got);
		HOLDS(!memcmp(&want, &got, sizeof(got)), "'%s' goes wrong",
		      text);
		if (t->hops < 2)
			continue;
		len = naive_text(t, t->hops - 1, text);
		int err = game_check(rs, pos, text, len, &move, &why);
		HOLDS(err == PLYD_OK || why.reason == REASON_DICE_UNUSED,
		      "'%s': %s", text, reason_name(why.reason));
		HOLDS(err == PLYD_OK || why.step == t->hops - 1, "'%s': %d",
		      text, why.step);
	}
}

/* One hop of a random checker by a random number: accepted only if it is a
 * whole turn of the naive opinion. */
static void random_hops_hold(const struct ruleset *rs,
			     const struct position *pos, struct rng *rng)
{
	for (int i = 0; i < 30; i++) {
		struct naive_turn t = { .hops = 1 };
		char text[MOVE_TEXT_MAX];
		struct move move;
		struct refusal why;
		struct position got, want;
		bool found = false;
		t.hop[0].from = 1 + (int)rng_below(rng, 25);
		t.hop[0].to = (int)rng_below(rng, (uint32_t)t.hop[0].from);
		size_t len = naive_text(&t, 1, text);
		if (game_check(rs, pos, text, len, &move, &why) != PLYD_OK)
			continue;
		game_apply(rs, pos, &move, &got);
		for (size_t j = 0; j < naive.count && !found; j++) {
			position_of(&naive.turn[j].end, (enum side)pos->side,
				    &want);
			found = !memcmp(&want, &got, sizeof(got));
		}
		HOLDS(found, "'%s' accepted", text);
	}
}

/* ---- play -------------------------------------------------------------- */

static void turn_holds(const struct ruleset *rs, const struct position *pos,
		       struct rng *rng)
{
	results_are_the_naive_ones(rs, pos);
	text_reads_back(rs, pos);
	moves_hold(rs, pos);
	moves_are_canonical(rs, pos);
	colours_are_alike(rs, pos);
	sequences_hold(rs, pos, rng);
	random_hops_hold(rs, pos, rng);
}

/* Stakes that the ruleset can have. */
static struct stakes random_stakes(const struct ruleset *rs, struct rng *rng)
{
	const struct backgammon_options *o = &rs->backgammon;
	struct stakes k = { 0 };
	if (o->cube == OPTION_YES && rng_below(rng, 2)) {
		k.cube = (uint8_t)(1 + rng_below(rng, CUBE_MAX));
		k.cube_owner = (uint8_t)(CUBE_WHITE + rng_below(rng, 2));
	}
	if (o->match_length > 0) {
		k.score[WHITE] = (uint8_t)rng_below(rng, o->match_length);
		k.score[BLACK] = (uint8_t)rng_below(rng, o->match_length);
	}
	return k;
}

static void play_one(const struct ruleset *rs, unsigned seed)
{
	struct rng rng;
	struct position pos, roll;
	rng_seed(&rng, seed);
	game_start(rs, &pos);
	now.seed = seed;
	now.checkers = rs->backgammon.start == START_HYPER ? 3 : 15;
	pos.stakes = now.stakes = random_stakes(rs, &rng);
	for (now.ply = 0; now.ply < TURNS_PER_GAME; now.ply++) {
		if (game_outcome(rs, &pos).over)
			return;
		game_throw(&pos, 1 + (int)rng_below(&rng, 6),
			   1 + (int)rng_below(&rng, 6), &roll);
		game_write(rs, &roll, now.text);
		turn_holds(rs, &roll, &rng);
		if (list.count == 0)
			game_pass(&roll, &pos);
		else
			game_apply(rs, &roll,
				   &list.move[rng_below(&rng,
							(uint32_t)list.count)],
				   &pos);
	}
}

static void random_games(const struct ruleset *rs)
{
	for (unsigned seed = 1; seed <= GAMES; seed++)
		play_one(rs, seed);
}

static void backgammon_holds_over_games(void **state)
{
	struct ruleset rs = ruleset_named("backgammon");
	(void)state;
	random_games(&rs);
}

static void caucasian_holds_over_games(void **state)
{
	struct ruleset rs = ruleset_named("caucasian");
	(void)state;
	random_games(&rs);
}

static void other_starts_hold_over_games(void **state)
{
	struct ruleset nack = ruleset_named("nackgammon");
	struct ruleset hyper = ruleset_named("hypergammon");
	(void)state;
	for (unsigned seed = 1; seed <= GAMES / 3; seed++)
		play_one(&nack, seed);
	for (unsigned seed = 1; seed <= 10 * GAMES; seed++)
		play_one(&hyper, seed);
}

static unsigned values_of(const char *values)
{
	unsigned count = 1;
	if (!strncmp(values, "0..", 3))
		return (unsigned)atoi(values + 3) + 1;
	for (; *values; values++)
		count += *values == '|';
	return count;
}

static void any_mixture_holds_over_games(void **state)
{
	(void)state;
	static const char *const values[] = {
#define O(name, values, doc) values,
		BACKGAMMON_OPTIONS(O)
#undef O
	};
	struct rng rng;
	rng_seed(&rng, 78);
	for (unsigned tried = 0; tried < MIXTURES;) {
		struct ruleset rs = ruleset_named("backgammon");
		uint8_t *option = (uint8_t *)&rs.backgammon;
		const char *why;
		for (size_t i = 0; i < COUNT(values); i++)
			option[i] =
				(uint8_t)rng_below(&rng, values_of(values[i]));
		if (!ruleset_check(&rs, &why))
			play_one(&rs, ++tried);
	}
}

/* Few checkers at home with blots around: where bans and bearing off meet. */
static void random_endings(const char *name)
{
	struct ruleset rs = ruleset_named(name);
	struct rng rng;
	rng_seed(&rng, 77);
	now.seed = 77;
	now.checkers = 15;
	now.stakes = (struct stakes){ 0 };
	for (now.ply = 0; now.ply < 3000; now.ply++) {
		struct naive_board b;
		struct position pos;
		memset(&b, 0, sizeof(b));
		for (int i = 0; i < 4; i++)
			b.own[1 + rng_below(&rng, 8)]++;
		for (int i = 0; i < 5; i++) {
			int p = (int)rng_below(&rng, 10);
			if (b.own[p] == 0)
				b.opp[p]++;
		}
		b.off[0] = 11;
		b.off[1] = 15;
		for (int p = 0; p < 10; p++)
			b.off[1] -= b.opp[p];
		if (b.off[1] == 15)
			continue;
		position_of(&b, BLACK, &pos);
		game_pass(&pos, &pos);
		game_throw(&pos, 1 + (int)rng_below(&rng, 6),
			   1 + (int)rng_below(&rng, 6), &pos);
		if (now.ply % 4 == 0)
			game_throw(&pos, pos.dice[0], pos.dice[0], &pos);
		game_write(&rs, &pos, now.text);
		turn_holds(&rs, &pos, &rng);
	}
}

static void endings_hold(void **state)
{
	(void)state;
	random_endings("backgammon");
}

static void caucasian_endings_hold(void **state)
{
	(void)state;
	random_endings("caucasian");
}

/* Published counts; three programs agree. */
static void perft_is_the_published_one(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon");
	struct position start;
	game_start(&rs, &start);
	assert_int_equal(game_perft(&rs, &start, 0, false), 1);
	assert_int_equal(game_perft(&rs, &start, 1, false), 447);
	assert_int_equal(game_perft(&rs, &start, 2, false), 202782);
}

/* Distinct turns over all rolls, by the naive opinion. */
static uint64_t naive_perft(const struct position *pos, int depth)
{
	static const struct naive_rules plain;
	struct position *end = calloc(NAIVE_TURNS_MAX, sizeof(*end));
	uint64_t sum = 0;
	assert_non_null(end);
	for (int roll = 0; roll < 36; roll++) {
		int die1 = 1 + roll / 6, die2 = 1 + roll % 6;
		struct naive_board board;
		if (die1 < die2)
			continue;
		naive_of(pos, &board);
		naive_turns(&plain, &board, die1, die2, &naive);
		for (size_t i = 0; i < naive.count; i++)
			position_of(&naive.turn[i].end, (enum side)pos->side,
				    &end[i]);
		size_t results = distinct(end, naive.count);
		if (results == 0)
			game_pass(pos, &end[results++]);
		for (size_t i = 0; i < results; i++)
			sum += depth == 1 ? 1 : naive_perft(&end[i], depth - 1);
	}
	free(end);
	return sum;
}

static void perft_is_the_naive_one(const char *name, int depth, uint64_t want)
{
	struct ruleset rs = ruleset_named(name);
	struct position start;
	now.stakes = (struct stakes){ 0 };
	game_start(&rs, &start);
	assert_int_equal(game_perft(&rs, &start, depth, false), want);
	assert_int_equal(naive_perft(&start, depth), want);
}

static void perft_of_other_starts(void **state)
{
	(void)state;
	perft_is_the_naive_one("nackgammon", 1, 547);
	perft_is_the_naive_one("hypergammon", 1, 195);
	perft_is_the_naive_one("hypergammon", 2, 38017);
	if (!PLYD_SANITIZED)
		perft_is_the_naive_one("nackgammon", 2, 324161);
}

/* 15 blots and a small double: the most results there can be are near. */
static void a_list_holds_512_and_counts_all(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("backgammon");
	const char *text = "XGID=-A-A-A-A-A-A-A-A-AAAAAAAo-:0:0:1:11:0:0:0:0:"
			   "10";
	struct position pos;
	now.seed = 0;
	now.checkers = 15;
	snprintf(now.text, sizeof(now.text), "%s", text);
	assert_int_equal(game_read(&rs, text, strlen(text), &pos, NULL), 0);
	results_are_the_naive_ones(&rs, &pos);
	assert_int_equal(list.count, MOVE_LIST_MAX);
	assert_true(list.total > MOVE_LIST_MAX);
	moves_hold(&rs, &pos);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(perft_is_the_published_one),
		cmocka_unit_test(a_list_holds_512_and_counts_all),
		cmocka_unit_test(backgammon_holds_over_games),
		cmocka_unit_test(caucasian_holds_over_games),
		cmocka_unit_test(other_starts_hold_over_games),
		cmocka_unit_test(any_mixture_holds_over_games),
		cmocka_unit_test(perft_of_other_starts),
		cmocka_unit_test(endings_hold),
		cmocka_unit_test(caucasian_endings_hold),
	};
	naive.turn = calloc(NAIVE_TURNS_MAX, sizeof(*naive.turn));
	if (!naive.turn)
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(naive.turn);
	return failed;
}
