/* SPDX-License-Identifier: MIT
 * The judgement of backgammon: the nets, the table of the end, and the board of
 * the program that trains, each held to the rules. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "engine/backgammon_bearoff.h"
#include "engine/backgammon_net.h"
#include "engine/backgammon_tables.h"
#include "engine/engine.h"
#include "engine/train_backgammon/bg_board.h"

/* Written with the weights: whoever changes them changes this, too. */
#define WEIGHTS_SUM 0x3a290307u

enum { POSITIONS = 3000, BEAROFF_TRIES = 400, RACES = 60 };

static struct ruleset rules;
static struct move_list list;

static int rules_up(void **state)
{
	(void)state;
	return ruleset_find("backgammon", 10, &rules);
}

static void throw_dice(struct rng *rng, struct position *pos)
{
	struct position thrown;
	int a = 1 + (int)rng_below(rng, 6);
	int b = 1 + (int)rng_below(rng, 6);
	game_throw(pos, a, b, &thrown);
	*pos = thrown;
}

/* One turn at random; a game that is over begins again. */
static void wander(struct rng *rng, struct position *pos)
{
	struct position next;
	if (game_outcome(&rules, pos).over)
		game_start(&rules, pos);
	throw_dice(rng, pos);
	assert_int_equal(game_moves(&rules, pos, &list), PLYD_OK);
	if (list.count == 0)
		game_pass(pos, &next);
	else
		game_apply(&rules, pos,
			   &list.move[rng_below(rng, (uint32_t)list.count)],
			   &next);
	*pos = next;
}

static const uint8_t *own(const struct position *pos)
{
	return pos->backgammon.point[pos->side];
}

static const uint8_t *foe(const struct position *pos)
{
	return pos->backgammon.point[side_other((enum side)pos->side)];
}

/* ---- the nets ---------------------------------------------------------- */

static void the_weights_are_those_that_were_learned(void **state)
{
	(void)state;
	uint32_t sum = backgammon_nets_sum();
	if (sum != WEIGHTS_SUM)
		fail_msg("the weights add up to 0x%08x", sum);
}

/* Parts are no greater than their whole, and what cannot be is 0. */
static void chances_are_chances(void **state)
{
	(void)state;
	struct rng rng;
	struct position pos;
	struct backgammon_memo memo = { 0 };
	rng_seed(&rng, 31);
	game_start(&rules, &pos);
	for (int i = 0; i < POSITIONS; i++) {
		wander(&rng, &pos);
		if (game_outcome(&rules, &pos).over)
			continue;
		struct backgammon_chances c =
			backgammon_judge(own(&pos), foe(&pos), &memo);
		const int32_t *p = c.chance;
		int32_t lose = NET_CERTAIN - p[BACKGAMMON_WIN];
		assert_true(p[BACKGAMMON_WIN] >= p[BACKGAMMON_WIN_GAMMON]);
		assert_true(p[BACKGAMMON_WIN_GAMMON] >=
			    p[BACKGAMMON_WIN_BACKGAMMON]);
		assert_true(p[BACKGAMMON_WIN_BACKGAMMON] >= 0);
		assert_true(lose >= p[BACKGAMMON_LOSE_GAMMON]);
		assert_true(p[BACKGAMMON_LOSE_GAMMON] >=
			    p[BACKGAMMON_LOSE_BACKGAMMON]);
		assert_true(p[BACKGAMMON_LOSE_BACKGAMMON] >= 0);
		if (foe(&pos)[0])
			assert_int_equal(p[BACKGAMMON_WIN_GAMMON], 0);
		if (own(&pos)[0])
			assert_int_equal(p[BACKGAMMON_LOSE_GAMMON], 0);
	}
}

/* What a memo has seen before changes no judgement. */
static void a_memo_changes_nothing(void **state)
{
	(void)state;
	struct rng rng;
	struct position pos;
	struct backgammon_memo memo = { 0 };
	rng_seed(&rng, 32);
	game_start(&rules, &pos);
	for (int i = 0; i < POSITIONS; i++) {
		struct backgammon_memo fresh = { 0 };
		wander(&rng, &pos);
		if (game_outcome(&rules, &pos).over)
			continue;
		struct backgammon_chances a =
			backgammon_judge(own(&pos), foe(&pos), &memo);
		struct backgammon_chances b =
			backgammon_judge(own(&pos), foe(&pos), &fresh);
		assert_memory_equal(&a, &b, sizeof(a));
	}
}

/* ---- the end of the race ----------------------------------------------- */

static void scatter(struct rng *rng, uint8_t *point, int checkers, int last)
{
	memset(point, 0, 26);
	point[0] = (uint8_t)(BEAROFF_CHECKERS - checkers);
	for (; checkers > 0; checkers--)
		point[1 + rng_below(rng, (uint32_t)last)]++;
}

static double mean_throws(const struct bearoff_row *row)
{
	double sum = 0;
	for (int i = 0; i < row->count; i++)
		sum += (double)row->chance[i] * (row->first + i);
	return sum / (BEAROFF_ONE - 1);
}

/* The mean is one throw and the mean after it, played for the least by the
 * rules. */
static void the_table_agrees_with_the_rules(void **state)
{
	(void)state;
	const struct backgammon_tables *t = &plyd_backgammon_tables;
	struct rng rng;
	rng_seed(&rng, 33);
	for (int i = 0; i < BEAROFF_TRIES; i++) {
		struct position pos, thrown, next;
		game_start(&rules, &pos);
		uint8_t *point = pos.backgammon.point[pos.side];
		uint8_t *other = pos.backgammon.point[!pos.side];
		scatter(&rng, point, 1 + (int)rng_below(&rng, 15), 6);
		scatter(&rng, other, 15, 6);
		const struct bearoff_row *row = &t->row[bearoff_index(point)];
		double sum = 0;
		for (int throw = 0; throw < 36; throw ++) {
			double least = 100;
			game_throw(&pos, 1 + throw % 6, 1 + throw / 6, &thrown);
			assert_int_equal(game_moves(&rules, &thrown, &list),
					 PLYD_OK);
			for (size_t k = 0; k < list.count; k++) {
				game_apply(&rules, &thrown, &list.move[k],
					   &next);
				unsigned at = bearoff_index(
					next.backgammon.point[pos.side]);
				double m = at ? mean_throws(&t->row[at]) : 0;
				least = m < least ? m : least;
			}
			sum += least;
		}
		double off = mean_throws(row) - (1 + sum / 36);
		assert_true(off > -0.001 && off < 0.001);
	}
}

/* Equity of a race in which a last checker is on its way home, by one throw
 * into the table; both sides' rows are exact there. */
static double one_throw_deep(const struct position *pos)
{
	struct backgammon_memo memo = { 0 };
	double sum = 0;
	for (int throw = 0; throw < 36; throw ++) {
		struct position thrown, next;
		double best = -4;
		game_throw(pos, 1 + throw % 6, 1 + throw / 6, &thrown);
		assert_int_equal(game_moves(&rules, &thrown, &list), PLYD_OK);
		for (size_t k = 0; k < list.count; k++) {
			game_apply(&rules, &thrown, &list.move[k], &next);
			struct backgammon_chances c =
				backgammon_judge(own(&next), foe(&next), &memo);
			double e = -(double)backgammon_equity(&c) / NET_CERTAIN;
			best = e > best ? e : best;
		}
		sum += best;
	}
	return sum / 36;
}

static void the_net_of_races_meets_the_table(void **state)
{
	(void)state;
	struct rng rng;
	double total = 0;
	rng_seed(&rng, 34);
	for (int i = 0; i < RACES; i++) {
		struct position pos;
		struct backgammon_memo memo = { 0 };
		game_start(&rules, &pos);
		int mine = 8 + (int)rng_below(&rng, 7);
		uint8_t *point = pos.backgammon.point[pos.side];
		scatter(&rng, point, mine, 6);
		scatter(&rng, pos.backgammon.point[!pos.side], mine, 6);
		point[0]--; /* it is still on its way */
		point[7]++;
		struct backgammon_chances c =
			backgammon_judge(own(&pos), foe(&pos), &memo);
		double off = (double)backgammon_equity(&c) / NET_CERTAIN -
			     one_throw_deep(&pos);
		total += off < 0 ? -off : off;
	}
	print_message("the net of races is off by %.4f\n", total / RACES);
	assert_true(total / RACES < 0.05);
}

/* ---- training ---------------------------------------------------------- */

/* The board that trains knows the results that the rules know. */
static void the_board_of_training_plays_by_the_rules(void **state)
{
	(void)state;
	static struct bg_moves moves;
	struct rng rng;
	struct position pos, thrown, next;
	rng_seed(&rng, 35);
	game_start(&rules, &pos);
	for (int i = 0; i < POSITIONS; i++) {
		wander(&rng, &pos);
		if (game_outcome(&rules, &pos).over)
			continue;
		struct bg_board b;
		memcpy(b.own, own(&pos), sizeof(b.own));
		memcpy(b.foe, foe(&pos), sizeof(b.foe));
		thrown = pos;
		throw_dice(&rng, &thrown);
		assert_int_equal(game_moves(&rules, &thrown, &list), PLYD_OK);
		bg_generate(&b, thrown.dice[0], thrown.dice[1], &moves);
		if (list.total > list.count)
			continue;
		assert_int_equal(moves.count, list.count ? list.count : 1);
		for (size_t k = 0; k < list.count; k++) {
			size_t n = 0;
			game_apply(&rules, &thrown, &list.move[k], &next);
			while (n < moves.count &&
			       (memcmp(moves.board[n].own, foe(&next), 26) ||
				memcmp(moves.board[n].foe, own(&next), 26)))
				n++;
			assert_true(n < moves.count);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_weights_are_those_that_were_learned),
		cmocka_unit_test(chances_are_chances),
		cmocka_unit_test(a_memo_changes_nothing),
		cmocka_unit_test(the_table_agrees_with_the_rules),
		cmocka_unit_test(the_net_of_races_meets_the_table),
		cmocka_unit_test(the_board_of_training_plays_by_the_rules),
	};
	return cmocka_run_group_tests(tests, rules_up, NULL);
}
