/* SPDX-License-Identifier: MIT
 * A match that a fault has stopped. */
#include "play.h"
#include "unit.h"

#include <string.h>

/* ann is white, bob black and first to move: 60 s and 1 s. */
#define PLAY(p, m)                                                             \
	struct play p;                                                         \
	struct id m = open_with_two(&p)

static struct id open_with_two(struct play *p)
{
	play_open(p, 1);
	play_hello(p, "ann");
	play_hello(p, "bob");
	return play_match(p, "english", "ann", "bob", NULL);
}

static void it_is_told_and_no_clock_runs(void **state)
{
	(void)state;
	PLAY(p, m);
	play_wait(&p, 4000);
	play_freeze(&p, &m);
	assert_string_equal(p.facts, "frozen");
	assert_string_equal(p.effects, "fact");
	assert_int_equal(play_at(&p, &m)->state, MATCH_FROZEN);
	assert_string_equal(play_at(&p, &m)->words, "a fault of the test");
	play_wait(&p, 3600000);
	assert_string_equal(p.facts, "");
	assert_int_equal(play_at(&p, &m)->left_ms[BLACK], 56000);
	assert_int_equal(match_left_ms(play_at(&p, &m), BLACK, p.now_ms),
			 56000);
	assert_int_equal(match_left_ms(play_at(&p, &m), WHITE, p.now_ms),
			 60000);
	play_freeze(&p, &m); /* it is already */
	assert_string_equal(p.facts, "");
	play_close(&p);
}

static const struct refused {
	const char *name;
	enum command_type type;
} refused[] = {
	{ "resign", CMD_MATCH_RESIGN },
	{ "offer a draw", CMD_MATCH_OFFER_DRAW },
	{ "accept one", CMD_MATCH_ACCEPT_DRAW },
	{ "decline one", CMD_MATCH_DECLINE_DRAW },
	{ "abort", CMD_MATCH_ABORT },
	{ "claim", CMD_MATCH_CLAIM },
	{ "roll", CMD_MATCH_ROLL },
	{ "double", CMD_MATCH_DOUBLE },
	{ "take", CMD_MATCH_TAKE },
	{ "drop", CMD_MATCH_DROP },
	{ "accept a resignation", CMD_MATCH_ACCEPT_RESIGN },
	{ "decline one", CMD_MATCH_DECLINE_RESIGN },
	{ "take back", CMD_MATCH_TAKEBACK_OFFER },
	{ "let take back", CMD_MATCH_TAKEBACK_ACCEPT },
	{ "or not", CMD_MATCH_TAKEBACK_DECLINE },
	{ "pause", CMD_MATCH_PAUSE_OFFER },
	{ "let pause", CMD_MATCH_PAUSE_ACCEPT },
	{ "or not", CMD_MATCH_PAUSE_DECLINE },
	{ "resume", CMD_MATCH_RESUME },
	{ "leave", CMD_MATCH_LEAVE },
	{ "rematch", CMD_MATCH_REMATCH },
	{ "a nonce", CMD_MATCH_NONCE },
};

static void it_is_refused(void **state)
{
	const struct refused *row = *state;
	static const char *const names[] = { "ann", "bob" };
	PLAY(p, m);
	play_freeze(&p, &m);
	for (int s = 0; s < 2; s++) {
		assert_int_equal(play_in(&p, names[s], row->type, &m),
				 PLYD_EFROZEN);
		assert_string_equal(p.facts, "");
	}
	play_close(&p);
}

/* Of whatever position it is. */
static void a_move_is_refused(void **state)
{
	(void)state;
	PLAY(p, m);
	play_freeze(&p, &m);
	for (uint32_t ply = 0; ply < 3; ply++)
		assert_int_equal(play_move(&p, "bob", &m, ply, "11-15"),
				 PLYD_EFROZEN);
	play_close(&p);
}

static void its_players_are_free(void **state)
{
	(void)state;
	PLAY(p, m);
	play_freeze(&p, &m);
	assert_int_equal(domain_match_count(p.d), 0);
	assert_int_equal(domain_player(p.d, &play_who(&p, "ann")->id)
				 ->match_count,
			 0);
	struct id other = play_match(&p, "english", "ann", "bob", NULL);
	assert_int_equal(play_move(&p, "bob", &other, 0, "11-15"), PLYD_OK);
	play_close(&p);
}

static void it_can_be_paused_when_that_happens(void **state)
{
	(void)state;
	PLAY(p, m);
	play_wait(&p, 4000);
	play_answer(&p, "bob", CMD_MATCH_PAUSE_OFFER, &m, 0);
	play_answer(&p, "ann", CMD_MATCH_PAUSE_ACCEPT, &m, 0);
	play_wait(&p, 50000);
	play_freeze(&p, &m);
	assert_int_equal(play_at(&p, &m)->state, MATCH_FROZEN);
	assert_int_equal(play_at(&p, &m)->left_ms[BLACK], 56000);
	play_close(&p);
}

/* Finished ones are forgotten first. */
static void it_is_kept_when_memory_is_short(void **state)
{
	struct play p;
	struct domain_limits limits;
	(void)state;
	domain_limits_default(&limits);
	limits.matches_max = 1;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	play_freeze(&p, &m);
	for (int i = 0; i < 10; i++) {
		struct id other = play_match(&p, "english", "ann", "bob", NULL);
		play_in(&p, "ann", CMD_MATCH_RESIGN, &other);
	}
	assert_non_null(play_at(&p, &m));
	play_close(&p);
}

/* Nobody else may look at a match without spectators. */
static void a_closed_one_stays_closed(void **state)
{
	(void)state;
	PLAY(p, m);
	play_hello(&p, "cat");
	struct match *match = (struct match *)play_at(&p, &m);
	match->closed = true;
	play_freeze(&p, &m);
	assert_int_equal(play_in(&p, "cat", CMD_MATCH_GET, &m),
			 PLYD_ENOTALLOWED);
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_GET, &m), PLYD_OK);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_told_and_no_clock_runs),
		cmocka_unit_test(a_move_is_refused),
		cmocka_unit_test(its_players_are_free),
		cmocka_unit_test(it_can_be_paused_when_that_happens),
		cmocka_unit_test(it_is_kept_when_memory_is_short),
		cmocka_unit_test(a_closed_one_stays_closed),
	};
	int failed = cmocka_run_group_tests_name("frozen", tests, NULL, NULL);
	failed += RUN_TABLE("refused", refused, it_is_refused);
	return failed;
}
