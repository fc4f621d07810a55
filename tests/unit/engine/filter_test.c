/* SPDX-License-Identifier: MIT
 * What makes backgammon fast: measures that are taken of all throws at a time,
 * held to the same taken throw by throw; and the filter, held to its rule and
 * to the nets. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "engine/backgammon_filter.h"
#include "engine/backgammon_net.h"
#include "engine/engine.h"

enum {
	BAR = 25,
	POSITIONS = 4000,
	CHOICES = 600,
	LOST_MOST = 1 /* millipoints, by filtering, of a choice on average */
};

static struct ruleset rules;
static struct move_list list;
static struct engine *engine;

static int up(void **state)
{
	(void)state;
	return ruleset_find("backgammon", 10, &rules) ||
	       engine_new(64, &engine);
}

static int down(void **state)
{
	(void)state;
	engine_free(engine);
	return 0;
}

/* ---- positions --------------------------------------------------------- */

static void throw_dice(struct rng *rng, struct position *pos)
{
	struct position thrown;
	int a = 1 + (int)rng_below(rng, 6);
	int b = 1 + (int)rng_below(rng, 6);
	game_throw(pos, a, b, &thrown);
	*pos = thrown;
}

/* Plays a throw at random, or one in four times as the engine would. */
static void wander(struct rng *rng, struct position *pos)
{
	static struct engine_result r;
	struct position next;
	if (list.count == 0) {
		game_pass(pos, &next);
	} else if (rng_below(rng, 4) == 0) {
		struct engine_question q = { .ruleset = &rules,
					     .position = pos,
					     .budget = { 1000, 1, NULL } };
		assert_int_equal(engine_search(engine, &q, &r), PLYD_OK);
		game_apply(&rules, pos, &r.line[0].move, &next);
	} else {
		game_apply(&rules, pos,
			   &list.move[rng_below(rng, (uint32_t)list.count)],
			   &next);
	}
	*pos = next;
	if (game_outcome(&rules, pos).over)
		game_start(&rules, pos);
}

static const uint8_t *own(const struct position *pos)
{
	return pos->backgammon.point[pos->side];
}

static const uint8_t *foe(const struct position *pos)
{
	return pos->backgammon.point[side_other((enum side)pos->side)];
}

/* ---- shots ------------------------------------------------------------- */

/* What one throw of different dice hits, most pips of the victim's way; the
 * number of blots that it can hit. */
static int hits_of_pair(const uint8_t *me, const uint8_t *you, int a, int b,
			int *most)
{
	int count = 0;
	*most = 0;
	for (int blot = 1; blot < BAR; blot++) {
		bool hit = false;
		if (you[BAR - blot] != 1)
			continue;
		for (int die = 0; die < 2; die++) {
			int first = die ? b : a;
			int second = die ? a : b;
			int in = BAR - first;
			if (me[BAR] == 0) {
				int mid = blot + second;
				hit |= blot + first <= 24 && me[blot + first];
				hit |= mid + first <= 24 && me[mid + first] &&
				       you[BAR - mid] < 2;
				continue;
			}
			hit |= in == blot;
			if (me[BAR] > 1 || you[BAR - in] >= 2)
				continue;
			hit |= in - second == blot;
			hit |= blot + second <= 24 && me[blot + second];
		}
		count += hit;
		*most = hit ? blot : *most;
	}
	return count;
}

/* Doubles: every checker may go on while there are hops left. */
static int hits_of_double(const uint8_t *me, const uint8_t *you, int die,
			  int *most)
{
	bool at[BAR] = { false };
	bool hit[BAR] = { false };
	int count = 0;
	int left = 4 - me[BAR];
	*most = 0;
	for (int p = 1; p < BAR; p++)
		at[p] = me[p] > 0;
	if (me[BAR]) {
		int in = BAR - die;
		if (you[die] >= 2)
			return 0;
		at[in] = true;
		hit[in] = you[die] == 1;
	}
	for (; left > 0; left--) {
		for (int p = 1; p < BAR; p++) {
			at[p] = p + die < BAR && at[p + die] &&
				you[BAR - p] < 2;
			hit[p] |= at[p] && you[BAR - p] == 1;
		}
	}
	for (int p = 1; p < BAR; p++) {
		count += hit[p];
		*most = hit[p] ? p : *most;
	}
	return count;
}

static int last_of(const uint8_t *point)
{
	int p = BAR;
	while (p > 0 && point[p] == 0)
		p--;
	return p;
}

static void shots_are_those_of_each_throw(const uint8_t *me, const uint8_t *you,
					  const int16_t *measure)
{
	int throws = 0;
	int choice = 0;
	int loss = 0;
	for (int a = 1; a <= 6; a++) {
		for (int b = 1; b <= 6; b++) {
			int most;
			int n = a == b ? hits_of_double(me, you, a, &most)
				       : hits_of_pair(me, you, a, b, &most);
			throws += n > 0;
			choice += n > 1;
			loss += most;
		}
	}
	assert_int_equal(measure[BACKGAMMON_MEASURE_shots], throws);
	assert_int_equal(measure[BACKGAMMON_MEASURE_choice], choice);
	assert_int_equal(measure[BACKGAMMON_MEASURE_loss], loss / 16);
}

static void measures_count_every_throw(void **state)
{
	(void)state;
	struct rng rng;
	struct position pos;
	int16_t m[BACKGAMMON_MEASURES_BOTH];
	int hits = 0;
	rng_seed(&rng, 41);
	game_start(&rules, &pos);
	for (int i = 0; i < POSITIONS; i++) {
		throw_dice(&rng, &pos);
		assert_int_equal(game_moves(&rules, &pos, &list), PLYD_OK);
		wander(&rng, &pos);
		enum backgammon_plan plan =
			backgammon_measure(own(&pos), foe(&pos), m);
		assert_int_equal(plan, backgammon_plan(own(&pos), foe(&pos)));
		if (plan == PLAN_RACE)
			continue;
		assert_true(last_of(own(&pos)) + last_of(foe(&pos)) > BAR);
		shots_are_those_of_each_throw(own(&pos), foe(&pos), m);
		shots_are_those_of_each_throw(foe(&pos), own(&pos),
					      m + BACKGAMMON_MEASURE_COUNT);
		hits += m[BACKGAMMON_MEASURE_shots];
	}
	assert_true(hits > POSITIONS);
}

/* ---- the filter -------------------------------------------------------- */

/* What the filter of this position makes of a result, from the beginning. */
static int seems(enum backgammon_plan plan, const struct position *after)
{
	const struct backgammon_filter *f = &plyd_backgammon_nets.filter[plan];
	const uint8_t *side[] = { foe(after), own(after) };
	int out = 0;
	for (int u = 0; u < BACKGAMMON_FILTER_HIDDEN; u++) {
		int sum = f->bias[u];
		for (int s = 0; s < 2; s++)
			for (int p = 0; p <= BAR; p++)
				for (int n = 0; n < side[s][p]; n++)
					if (p == 0 || n < BACKGAMMON_COUNT_MAX)
						sum += f->row[backgammon_row(
								      s, p) +
							      n][u];
		assert_true(sum >= INT16_MIN && sum <= INT16_MAX);
		out += net_squash((int16_t)sum) * f->out[u];
	}
	return out / (NET_OUT_ONE * NET_OUT_ONE / NET_CERTAIN);
}

/* A move passes if so few are better, and it is near the best or one of the
 * first. */
static void a_filter_keeps_its_rule(const struct filter_width *w)
{
	static int score[MOVE_LIST_MAX];
	struct rng rng;
	struct position pos, after;
	rng_seed(&rng, 42);
	game_start(&rules, &pos);
	for (int i = 0; i < POSITIONS; i++, wander(&rng, &pos)) {
		struct filtered f;
		uint16_t passed[FILTER_MOST];
		int best = INT32_MIN;
		throw_dice(&rng, &pos);
		assert_int_equal(game_moves(&rules, &pos, &list), PLYD_OK);
		if (list.count == 0)
			continue;
		for (size_t k = 0; k < list.count; k++) {
			game_apply(&rules, &pos, &list.move[k], &after);
			score[k] = seems(backgammon_plan(own(&pos), foe(&pos)),
					 &after);
			best = score[k] > best ? score[k] : best;
		}
		filter_begin(&f, own(&pos), foe(&pos));
		size_t n = filter_moves(&f, w, list.move, list.count, passed);
		size_t found = 0;
		for (size_t k = 0; k < list.count; k++) {
			size_t better = 0;
			for (size_t j = 0; j < list.count; j++)
				better += score[j] > score[k] ||
					  (score[j] == score[k] && j < k);
			bool near = score[k] >=
				    best - NET_CERTAIN * w->margin / 1000;
			if (better >= w->most || (better >= w->least && !near))
				continue;
			assert_true(found < n);
			assert_int_equal(passed[found], k);
			found++;
		}
		assert_int_equal(found, n);
	}
}

static void the_filter_keeps_its_rule(void **state)
{
	(void)state;
	a_filter_keeps_its_rule(&plyd_filter_choice);
	a_filter_keeps_its_rule(&plyd_filter_answer);
}

/* The move that is chosen with the filter is worth what it says, and nearly
 * what the best is. A filter that knows nothing loses a hundred times more. */
static void little_is_lost_by_the_filter(void **state)
{
	(void)state;
	static struct engine_result all, one;
	struct rng rng;
	struct position pos;
	long lost = 0;
	int choices = 0;
	rng_seed(&rng, 43);
	game_start(&rules, &pos);
	for (; choices < CHOICES; wander(&rng, &pos)) {
		throw_dice(&rng, &pos);
		assert_int_equal(game_moves(&rules, &pos, &list), PLYD_OK);
		struct engine_question q = { .ruleset = &rules,
					     .position = &pos,
					     .multipv = ENGINE_MULTIPV_MAX,
					     .budget = { 10000, 1, NULL } };
		if (list.count < 2)
			continue;
		assert_int_equal(engine_search(engine, &q, &all), PLYD_OK);
		q.multipv = 1;
		assert_int_equal(engine_search(engine, &q, &one), PLYD_OK);
		assert_int_equal(one.nodes, list.count);
		assert_int_equal(one.nodes, all.nodes);
		assert_true(one.line[0].score <= all.line[0].score);
		lost += all.line[0].score - one.line[0].score;
		choices++;
	}
	print_message("%.3f millipoints lost in a choice\n",
		      (double)lost / choices);
	assert_true(lost < (long)LOST_MOST * CHOICES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(measures_count_every_throw),
		cmocka_unit_test(the_filter_keeps_its_rule),
		cmocka_unit_test(little_is_lost_by_the_filter),
	};
	return cmocka_run_group_tests(tests, up, down);
}
