/* SPDX-License-Identifier: MIT
 * Weights by name, and the choice among lines that a search has found. */
#include "unit.h"

#include <string.h>

#include "engine/engine.h"

enum { TRIES = 20000 };

/* ---- weights ----------------------------------------------------------- */

static void every_weight_can_be_set_within_its_range(void **state)
{
	(void)state;
	struct engine_weights w, standard;
	engine_weights_init(&standard);
	assert_true(engine_weight_count() > 15);
	for (size_t i = 0; i < engine_weight_count(); i++) {
		const struct engine_weight *row = engine_weight_at(i);
		size_t len = strlen(row->name);
		assert_true(row->min <= row->standard);
		assert_true(row->standard <= row->max);
		w = standard;
		assert_int_equal(engine_weight_set(&w, row->name, len,
						   row->min - 1LL),
				 PLYD_EOPTION);
		assert_int_equal(engine_weight_set(&w, row->name, len,
						   row->max + 1LL),
				 PLYD_EOPTION);
		assert_memory_equal(&w, &standard, sizeof(w));
		int other = row->max == row->standard ? row->min : row->max;
		assert_int_equal(engine_weight_set(&w, row->name, len, other),
				 PLYD_OK);
		assert_memory_not_equal(&w, &standard, sizeof(w));
		assert_int_equal(engine_weight_set(&w, row->name, len,
						   row->standard),
				 PLYD_OK);
		assert_memory_equal(&w, &standard, sizeof(w));
	}
}

static void an_unknown_weight_is_refused(void **state)
{
	(void)state;
	static const char *const names[] = { "", "ma", "mann", "MAN", "dice" };
	struct engine_weights w, standard;
	engine_weights_init(&w);
	standard = w;
	for (size_t i = 0; i < COUNT(names); i++)
		assert_int_equal(engine_weight_set(&w, names[i],
						   strlen(names[i]), 100),
				 PLYD_EOPTION);
	/* the value would not fit an int */
	assert_int_equal(engine_weight_set(&w, "man", 3, 1LL << 40),
			 PLYD_EOPTION);
	assert_memory_equal(&w, &standard, sizeof(w));
}

/* ---- choice ------------------------------------------------------------ */

static struct engine_result four_lines(void)
{
	static const int score[] = { 120, 100, 60, -400 };
	struct engine_result r = { .count = COUNT(score) };
	for (size_t i = 0; i < r.count; i++) {
		r.line[i].score = score[i];
		r.line[i].move.legs = 1;
		r.line[i].move.at[0] = (uint8_t)i;
		r.line[i].move.at[1] = (uint8_t)(i + 8);
	}
	return r;
}

/* How often each line is taken over many seeds. */
static void tally(const struct engine_taste *taste, size_t *count)
{
	struct engine_result r = four_lines();
	memset(count, 0, 4 * sizeof(*count));
	for (uint64_t seed = 0; seed < TRIES; seed++) {
		size_t i = engine_choose(&r, taste, seed, 42);
		assert_true(i < r.count);
		assert_int_equal(i, engine_choose(&r, taste, seed, 42));
		count[i]++;
	}
}

static void without_taste_the_best_is_chosen(void **state)
{
	(void)state;
	size_t count[4];
	tally(&(struct engine_taste){ 0 }, count);
	assert_int_equal(count[0], TRIES);
	tally(&(struct engine_taste){ -5, -5, -5 }, count);
	assert_int_equal(count[0], TRIES);
	tally(&(struct engine_taste){ .margin = 1000 }, count);
	assert_int_equal(count[0], TRIES);
}

static void close(size_t count, double share)
{
	assert_true((double)count > TRIES * (share - 0.02));
	assert_true((double)count < TRIES * (share + 0.02));
}

static void a_temperature_halves_by_its_own_size(void **state)
{
	(void)state;
	size_t count[4];
	/* 20 and 60 behind at 20: 1, 1/2 and 1/8 parts of 13/8 */
	tally(&(struct engine_taste){ .margin = 1000, .temperature = 20 },
	      count);
	close(count[0], 8.0 / 13);
	close(count[1], 4.0 / 13);
	close(count[2], 1.0 / 13);
	assert_int_equal(count[3], 0);
}

static void a_margin_shuts_worse_moves_out(void **state)
{
	(void)state;
	size_t count[4];
	tally(&(struct engine_taste){ 30, 1000000, 1000 }, count);
	assert_true(count[0] > 0 && count[1] > 0);
	assert_int_equal(count[2] + count[3], 0);
}

static void noise_alone_makes_other_choices(void **state)
{
	(void)state;
	size_t count[4];
	/* a difference of two uniform -20..20 exceeds 20 in about 1/8 */
	tally(&(struct engine_taste){ .margin = 50, .noise = 20 }, count);
	close(count[0], 0.885);
	close(count[1], 0.115);
}

static void a_position_changes_the_choice(void **state)
{
	(void)state;
	struct engine_result r = four_lines();
	struct engine_taste taste = { .margin = 100, .temperature = 50 };
	size_t other = 0;
	for (uint64_t hash = 0; hash < 100; hash++)
		other += engine_choose(&r, &taste, 7, hash) !=
			 engine_choose(&r, &taste, 7, hash + 1);
	assert_true(other > 20);
}

static void one_line_is_always_chosen(void **state)
{
	(void)state;
	struct engine_result r = four_lines();
	r.count = 1;
	struct engine_taste taste = { 1, 1, 1000000000 };
	for (uint64_t seed = 0; seed < 100; seed++)
		assert_int_equal(engine_choose(&r, &taste, seed, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_weight_can_be_set_within_its_range),
		cmocka_unit_test(an_unknown_weight_is_refused),
		cmocka_unit_test(without_taste_the_best_is_chosen),
		cmocka_unit_test(a_temperature_halves_by_its_own_size),
		cmocka_unit_test(a_margin_shuts_worse_moves_out),
		cmocka_unit_test(noise_alone_makes_other_choices),
		cmocka_unit_test(a_position_changes_the_choice),
		cmocka_unit_test(one_line_is_always_chosen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
