/* SPDX-License-Identifier: MIT
 * Every combination of options: its text reads back, it is refused with a
 * sentence or can be played from its start. Of numbers, some. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <plyd/rules.h>

struct option {
	const char *name, *values;
};

static const struct option draughts[] = {
#define O(name, values, doc) { #name, values },
	DRAUGHTS_OPTIONS(O)
#undef O
};
static const struct option backgammon[] = {
#define O(name, values, doc) { #name, values },
	BACKGAMMON_OPTIONS(O)
#undef O
};

static unsigned agreed, refused;

/* The i-th value of an option as text; false when there is none. */
static bool value_at(const struct option *o, unsigned i, char out[32])
{
	static const char *const numbers[] = { "0", "1", "7", "64" };
	const char *at = o->values;
	if (strstr(at, "..")) {
		if (i < COUNT(numbers))
			strcpy(out, numbers[i]);
		return i < COUNT(numbers);
	}
	while (at && i-- > 0) {
		at = strchr(at, '|');
		at = at ? at + 1 : NULL;
	}
	if (at)
		snprintf(out, 32, "%.*s", (int)strcspn(at, "|"), at);
	return at != NULL;
}

static void text_goes_round(const struct ruleset *rs)
{
	char text[RULESET_TEXT_MAX];
	struct ruleset again;
	size_t len = ruleset_write(rs, text);
	assert_int_equal(len, strlen(text));
	assert_int_equal(ruleset_read(text, len, &again), PLYD_OK);
	assert_memory_equal(&again, rs, sizeof(again));
}

static void position_goes_round(const struct ruleset *rs,
				const struct position *pos)
{
	char text[POSITION_TEXT_MAX];
	struct position again;
	size_t len = game_write(rs, pos, text);
	assert_int_equal(game_read(rs, text, len, &again, NULL), PLYD_OK);
	assert_memory_equal(&again, pos, sizeof(again));
}

/* Either side may begin; nobody has lost. */
static void start_can_be_played(const struct ruleset *rs)
{
	struct position pos;
	game_start(rs, &pos);
	position_goes_round(rs, &pos);
	for (int side = WHITE; side <= BLACK; side++) {
		struct position turn = pos;
		turn.side = (uint8_t)side;
		if (ruleset_has_dice(rs))
			game_throw(&turn, 2, 1, &turn);
		position_goes_round(rs, &turn);
		assert_false(game_outcome(rs, &turn).over);
		assert_true(game_can_move(rs, &turn));
	}
}

static void ruleset_holds(const struct ruleset *rs)
{
	const char *why = NULL;
	text_goes_round(rs);
	if (ruleset_check(rs, &why)) {
		refused++;
		assert_non_null(why);
		assert_int_equal(why[strlen(why) - 1], '.');
	} else {
		agreed++;
		start_can_be_played(rs);
	}
}

/* All values of option i with all values of those after it. */
static void each_combination(struct ruleset *rs, const struct option *option,
			     size_t count, size_t i)
{
	char value[32];
	if (i == count) {
		ruleset_holds(rs);
		return;
	}
	for (unsigned v = 0; value_at(&option[i], v, value); v++) {
		assert_int_equal(ruleset_set(rs, option[i].name,
					     strlen(option[i].name), value,
					     strlen(value)),
				 PLYD_OK);
		each_combination(rs, option, count, i + 1);
	}
}

static void draughts_combinations_hold(void **state)
{
	(void)state;
	struct ruleset rs;
	agreed = refused = 0;
	assert_int_equal(ruleset_find("english", 7, &rs), PLYD_OK);
	each_combination(&rs, draughts, COUNT(draughts), 0);
	assert_int_equal(agreed + refused, 36864);
	assert_true(agreed > 1000 && refused > 1000);
}

static void backgammon_combinations_hold(void **state)
{
	(void)state;
	struct ruleset rs;
	agreed = refused = 0;
	assert_int_equal(ruleset_find("backgammon", 10, &rs), PLYD_OK);
	each_combination(&rs, backgammon, COUNT(backgammon), 0);
	assert_int_equal(agreed + refused, 3072);
	assert_true(agreed > 500 && refused > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draughts_combinations_hold),
		cmocka_unit_test(backgammon_combinations_hold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
