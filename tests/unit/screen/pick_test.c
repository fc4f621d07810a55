/* SPDX-License-Identifier: MIT
 * Whatever is chosen on the board is a legal move, and every legal move can be
 * chosen: in games that are played by chance, in every ruleset. */
#include "drawn.h"

#include "base/rng.h"
#include "screen/pick.h"

enum { GAMES = 2, HALF_MOVES = 50, ENDS_MAX = 4096 };

static struct pick pick;
static struct move_list list;

/* -- a game by chance -- */

static int die(struct rng *rng)
{
	return 1 + (int)rng_below(rng, 6);
}

/* Goes on by a random legal move; false: the game is over. */
static bool go_on(const struct ruleset *rs, struct position *pos,
		  struct rng *rng)
{
	struct position next;
	if (game_outcome(rs, pos).over)
		return false;
	if (ruleset_has_dice(rs) && pos->dice[0] == 0) {
		game_throw(pos, die(rng), die(rng), &next);
		*pos = next;
	}
	assert_int_equal(game_moves(rs, pos, &list), PLYD_OK);
	if (list.count == 0)
		game_pass(pos, &next);
	else
		game_apply(rs, pos, &list.move[rng_below(rng, list.count)],
			   &next);
	*pos = next;
	if (ruleset_has_dice(rs) && !game_outcome(rs, pos).over)
		game_throw(&next, die(rng), die(rng), pos);
	return !game_outcome(rs, pos).over;
}

static void each_position(const struct ruleset *rs,
			  void (*fn)(const struct ruleset *rs,
				     const struct position *pos,
				     struct rng *rng))
{
	for (int game = 0; game < GAMES; game++) {
		struct rng rng;
		struct position pos;
		rng_seed(&rng, (uint64_t)game + 1);
		game_start(rs, &pos);
		for (int i = 0; i < HALF_MOVES && go_on(rs, &pos, &rng); i++)
			fn(rs, &pos, &rng);
	}
}

/* -- what is chosen is legal -- */

static int random_place(uint64_t set, struct rng *rng)
{
	unsigned n =
		(unsigned)rng_below(rng, (uint64_t)__builtin_popcountll(set));
	while (n-- > 0)
		set &= set - 1;
	return __builtin_ctzll(set);
}

static void choose_by_chance(const struct ruleset *rs,
			     const struct position *pos, struct rng *rng)
{
	struct move move;
	struct refusal why;
	pick_begin(&pick, rs, pos);
	assert_int_equal(pick.sources != 0, game_can_move(rs, pos));
	if (pick.sources == 0)
		return;
	for (int i = 0; i < 64 && !pick.move[0]; i++) {
		uint64_t set = pick.targets ? pick.targets : pick.sources;
		assert_true(set != 0); /* no choice leads nowhere */
		assert_true(pick_place(&pick, random_place(set, rng)));
	}
	assert_int_equal(game_check(rs, pos, pick.move, strlen(pick.move),
				    &move, &why),
			 PLYD_OK);
}

/* -- what is legal can be chosen -- */

static void draughts_all(const struct ruleset *rs, const struct position *pos,
			 struct rng *rng)
{
	(void)rng;
	assert_int_equal(game_moves(rs, pos, &list), PLYD_OK);
	for (size_t i = 0; i < list.count; i++) {
		const struct move *m = &list.move[i];
		char text[MOVE_TEXT_MAX];
		pick_begin(&pick, rs, pos);
		for (int k = 0; k <= m->legs && !pick.move[0]; k++)
			assert_true(pick_place(&pick, m->at[k]));
		game_move_text(rs, pos, m, text);
		assert_string_equal(pick.move, text);
	}
}

static uint64_t ends[ENDS_MAX];
static size_t end_count;

static void add_end(const struct ruleset *rs, const struct position *pos)
{
	uint64_t hash = game_hash(rs, pos);
	for (size_t i = 0; i < end_count; i++)
		if (ends[i] == hash)
			return;
	assert_true(end_count < ENDS_MAX);
	ends[end_count++] = hash;
}

/* Everything that can be chosen from here. */
static void choose_all(const struct ruleset *rs, const struct pick *from)
{
	struct pick next;
	if (from->move[0]) {
		struct position end = from->now;
		end.dice[0] = end.dice[1] = 0;
		end.side = !end.side;
		add_end(rs, &end);
		return;
	}
	for (int source = 1; source <= PICK_BAR; source++) {
		struct pick with = *from;
		if (!(from->sources >> source & 1))
			continue;
		assert_true(pick_place(&with, source));
		for (int target = 0; target <= 24; target++) {
			if (!(with.targets >> target & 1))
				continue;
			next = with;
			assert_true(pick_place(&next, target));
			choose_all(rs, &next);
		}
	}
}

/* The turns that can be chosen end where those of the list do. */
static void backgammon_all(const struct ruleset *rs, const struct position *pos,
			   struct rng *rng)
{
	static int every;
	struct pick start;
	(void)rng;
	if (pos->dice[0] == pos->dice[1] && every++ % 8 != 0)
		return; /* four steps take long */
	assert_int_equal(game_moves(rs, pos, &list), PLYD_OK);
	pick_begin(&start, rs, pos);
	end_count = 0;
	if (list.count > 0)
		choose_all(rs, &start);
	size_t chosen = end_count;
	for (size_t i = 0; i < list.count; i++) {
		struct position end;
		game_apply(rs, pos, &list.move[i], &end);
		add_end(rs, &end);
	}
	assert_int_equal(end_count, list.count); /* nothing but the list's */
	assert_int_equal(chosen, list.count);    /* and all of it */
}

static struct rules_case {
	const char *name;
} rules_cases[] = {
	{ "english" },    { "turkish" },     { "turkish-classic" },
	{ "backgammon" }, { "hypergammon" }, { "caucasian" },
};

static void a_choice_is_legal(void **state)
{
	const struct rules_case *c = *state;
	const struct ruleset rs = ruleset_named(c->name);
	each_position(&rs, choose_by_chance);
}

static void every_move_can_be_chosen(void **state)
{
	const struct rules_case *c = *state;
	const struct ruleset rs = ruleset_named(c->name);
	each_position(&rs,
		      ruleset_has_dice(&rs) ? backgammon_all : draughts_all);
}

/* -- by hand -- */

static void begin(const char *ruleset, const char *position)
{
	const struct ruleset rs = ruleset_named(ruleset);
	const struct position pos = position_named(&rs, position);
	pick_begin(&pick, &rs, &pos);
}

static void a_forced_capture_plays_itself(void **state)
{
	(void)state;
	/* 9x18x25: once 18 is chosen there is only one way on */
	begin("english", "B:W14,22:B9");
	assert_true(pick_place(&pick, 41)); /* square 9 */
	assert_true(pick_place(&pick, 27)); /* 18 */
	assert_string_equal(pick.move, "9x18x25");
}

static void the_last_square_names_a_capture(void **state)
{
	(void)state;
	begin("english", "B:W14,22:B9");
	assert_true(pick_place(&pick, 41));
	assert_true(pick_place(&pick, 9)); /* 25 */
	assert_string_equal(pick.move, "9x18x25");
}

static void a_choice_can_be_taken_back(void **state)
{
	(void)state;
	const struct ruleset rs = ruleset_named("backgammon");
	struct position pos;
	game_start(&rs, &pos);
	pos.side = WHITE;
	struct position with_dice;
	game_throw(&pos, 3, 1, &with_dice);
	pick_begin(&pick, &rs, &with_dice);
	assert_false(pick_back(&pick));
	assert_true(pick_place(&pick, 8));
	assert_true(pick_back(&pick)); /* the piece */
	assert_int_equal(pick.chosen, PICK_NOWHERE);
	assert_true(pick_place(&pick, 8));
	assert_true(pick_place(&pick, 5));
	assert_int_equal(pick.now.backgammon.point[WHITE][5], 1);
	assert_true(pick_place(&pick, 6));
	assert_true(pick_place(&pick, 5));
	assert_string_equal(pick.move, "8/5 6/5");
	assert_true(pick_back(&pick));
	assert_string_equal(pick.move, "");
	assert_true(pick_back(&pick));
	assert_memory_equal(&pick.now, &with_dice, sizeof(with_dice));
	assert_false(pick_back(&pick));
}

static void what_cannot_be_chosen(void **state)
{
	(void)state;
	begin("english", "B:W14,22:B9");
	assert_false(pick_place(&pick, PICK_NOWHERE));
	assert_false(pick_place(&pick, 64));
	assert_false(pick_place(&pick, 27)); /* nothing is chosen yet */
	assert_int_equal(pick_next(&pick, 0, 1), 41);
	assert_int_equal(pick_next(&pick, 41, -1), 41);
	const struct ruleset rs = ruleset_named("backgammon");
	struct position pos;
	game_start(&rs, &pos); /* no dice: nothing to choose */
	pick_begin(&pick, &rs, &pos);
	assert_int_equal(pick_next(&pick, 0, 1), PICK_NOWHERE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_forced_capture_plays_itself),
		cmocka_unit_test(the_last_square_names_a_capture),
		cmocka_unit_test(a_choice_can_be_taken_back),
		cmocka_unit_test(what_cannot_be_chosen),
	};
	int failed = RUN_TABLE("legal", rules_cases, a_choice_is_legal);
	failed += RUN_TABLE("all", rules_cases, every_move_can_be_chosen);
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
