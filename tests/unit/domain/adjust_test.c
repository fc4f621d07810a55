/* SPDX-License-Identifier: MIT
 * The operator gives time and takes it. */
#include "play.h"
#include "unit.h"

/* ann is white, bob black and first to move: 60 s and 1 s. */
static struct id open_with_two(struct play *p, const struct clock_rules *clock)
{
	play_open(p, 1);
	play_hello(p, "ann");
	play_hello(p, "bob");
	return play_match(p, "english", "ann", "bob", clock);
}

static int adjust(struct play *p, const struct id *m, enum side side,
		  int64_t add_ms)
{
	return play_operator(p,
			     (struct command){
				     .type = CMD_ADMIN_ADJUST_CLOCK,
				     .match = *m,
				     .admin = { .side = side,
						.ms = add_ms,
						.text = span_str("late") } });
}

static int64_t left(const struct play *p, const struct id *m, enum side side)
{
	return match_left_ms(play_at(p, m), side, p->now_ms);
}

/* What the turn has used stays charged, whoever is to move. */
static void time_is_given_and_taken(void **state)
{
	struct play p;
	(void)state;
	struct id m = open_with_two(&p, NULL);
	play_wait(&p, 4000);
	assert_int_equal(adjust(&p, &m, BLACK, 30000), PLYD_OK);
	assert_string_equal(p.facts, "audited clock_adjusted");
	assert_int_equal(left(&p, &m, BLACK), 86000);
	assert_int_equal(adjust(&p, &m, WHITE, -59000), PLYD_OK);
	assert_int_equal(left(&p, &m, WHITE), 1000);
	play_wait(&p, 80000);
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	assert_int_equal(left(&p, &m, BLACK), 6000);
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_OK);
	assert_int_equal(left(&p, &m, BLACK), 7000);
	/* and the flag falls when the new time is used */
	play_wait(&p, 1500);
	assert_int_equal(play_at(&p, &m)->state, MATCH_OVER);
	play_close(&p);
}

static void something_must_be_left(void **state)
{
	struct play p;
	(void)state;
	struct id m = open_with_two(&p, NULL);
	play_wait(&p, 4000);
	assert_int_equal(adjust(&p, &m, BLACK, -56000), PLYD_ERANGE);
	assert_int_equal(adjust(&p, &m, BLACK, -55999), PLYD_OK);
	assert_int_equal(adjust(&p, &m, WHITE, -60000), PLYD_ERANGE);
	assert_int_equal(adjust(&p, &m, WHITE, 0), PLYD_ERANGE);
	assert_int_equal(adjust(&p, &m, WHITE, CLOCK_MS_MAX - 60000), PLYD_OK);
	assert_int_equal(adjust(&p, &m, WHITE, 1), PLYD_ERANGE);
	play_close(&p);
}

static const struct row {
	const char *name;
	struct clock_rules clock;
} no_bank[] = {
	{ "per move", { .kind = CLOCK_PER_MOVE, .base_ms = 86400000 } },
	{ "unlimited", { .kind = CLOCK_UNLIMITED } },
};

static void a_clock_without_a_bank(void **state)
{
	const struct row *row = *state;
	struct play p;
	struct id m = open_with_two(&p, &row->clock);
	assert_int_equal(adjust(&p, &m, WHITE, 1000), PLYD_ENOTALLOWED);
	play_close(&p);
}

static void not_where_no_clock_can_run(void **state)
{
	struct play p;
	struct id nothing = { "aaaaaaaaaa" };
	(void)state;
	struct id m = open_with_two(&p, NULL);
	assert_int_equal(adjust(&p, &nothing, WHITE, 1000), PLYD_ENOMATCH);
	play_freeze(&p, &m);
	assert_int_equal(adjust(&p, &m, WHITE, 1000), PLYD_EFROZEN);
	struct id dice = play_match(&p, "backgammon", "ann", "bob", NULL);
	assert_int_equal(play_at(&p, &dice)->state, MATCH_NONCES);
	assert_int_equal(adjust(&p, &dice, WHITE, 1000), PLYD_ENOTSTARTED);
	play_in(&p, "ann", CMD_MATCH_ABORT, &dice);
	assert_int_equal(adjust(&p, &dice, WHITE, 1000), PLYD_EGAMEOVER);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_is_given_and_taken),
		cmocka_unit_test(something_must_be_left),
		cmocka_unit_test(not_where_no_clock_can_run),
	};
	int failed = RUN_TABLE("no bank", no_bank, a_clock_without_a_bank);
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
