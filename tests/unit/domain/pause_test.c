/* SPDX-License-Identifier: MIT
 * A match that stands still by agreement. */
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
	play_hello(p, "cat");
	return play_match(p, "english", "ann", "bob", NULL);
}

static int ask(struct play *p, const char *name, const struct id *m,
	       uint32_t ply)
{
	return play_answer(p, name, CMD_MATCH_PAUSE_OFFER, m, ply);
}

static int agree(struct play *p, const char *name, const struct id *m,
		 uint32_t ply)
{
	return play_answer(p, name, CMD_MATCH_PAUSE_ACCEPT, m, ply);
}

static int resume(struct play *p, const char *name, const struct id *m)
{
	return play_in(p, name, CMD_MATCH_RESUME, m);
}

static int64_t left(const struct play *p, const struct id *m, enum side side)
{
	return match_left_ms(play_at(p, m), side, p->now_ms);
}

static void no_clock_runs_until_it_goes_on(void **state)
{
	(void)state;
	PLAY(p, m);
	play_wait(&p, 4000);
	assert_int_equal(ask(&p, "bob", &m, 0), PLYD_OK);
	assert_int_equal(agree(&p, "ann", &m, 0), PLYD_OK);
	assert_string_equal(p.facts, "paused");
	assert_int_equal(play_at(&p, &m)->state, MATCH_PAUSED);
	play_wait(&p, 3600000);
	assert_string_equal(p.facts, "");
	assert_int_equal(left(&p, &m, BLACK), 56000);
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_EPAUSED);
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_OFFER_DRAW, &m),
			 PLYD_EPAUSED);
	assert_int_equal(resume(&p, "ann", &m), PLYD_OK);
	assert_string_equal(p.effects, "fact answer release |");
	play_wait(&p, 1000);
	assert_int_equal(left(&p, &m, BLACK), 55000);
	play_move(&p, "bob", &m, 0, "11-15");
	assert_int_equal(left(&p, &m, BLACK), 56000);
	assert_int_equal(left(&p, &m, WHITE), 60000);
	play_close(&p);
}

/* LB-23: reloading, and a spectator, start no clock. */
static void coming_back_does_not_end_it(void **state)
{
	(void)state;
	PLAY(p, m);
	play_wait(&p, 4000);
	ask(&p, "bob", &m, 0);
	agree(&p, "ann", &m, 0);
	play_resume(&p, "bob");
	play_gone(&p, "ann");
	play_resume(&p, "ann");
	assert_int_equal(play_in(&p, "cat", CMD_MATCH_WATCH, &m), PLYD_OK);
	play_wait(&p, 100000);
	assert_int_equal(play_at(&p, &m)->state, MATCH_PAUSED);
	assert_int_equal(left(&p, &m, BLACK), 56000);
	assert_int_equal(play_in(&p, "cat", CMD_MATCH_RESUME, &m), PLYD_ESEAT);
	assert_int_equal(resume(&p, "bob", &m), PLYD_OK);
	assert_int_equal(resume(&p, "bob", &m), PLYD_ENOTPAUSED);
	play_close(&p);
}

static void crossing_requests_agree(void **state)
{
	(void)state;
	PLAY(p, m);
	ask(&p, "bob", &m, 0);
	uint64_t seq = p.answer.seq;
	assert_int_equal(ask(&p, "bob", &m, 0), PLYD_OK);
	assert_int_equal(p.answer.seq, seq); /* the same once more */
	assert_int_equal(ask(&p, "ann", &m, 0), PLYD_OK);
	assert_string_equal(p.facts, "paused");
	play_close(&p);
}

static void it_is_about_one_half_move(void **state)
{
	(void)state;
	PLAY(p, m);
	ask(&p, "bob", &m, 0);
	play_answer(&p, "ann", CMD_MATCH_PAUSE_DECLINE, &m, 0);
	assert_string_equal(p.facts, "pause_declined");
	assert_int_equal(ask(&p, "bob", &m, 0), PLYD_EPAUSE);
	play_move(&p, "bob", &m, 0, "11-15");
	ask(&p, "ann", &m, 1);
	play_move(&p, "ann", &m, 1, "22-18");
	assert_int_equal(agree(&p, "bob", &m, 2), PLYD_ENOOFFER);
	assert_int_equal(agree(&p, "bob", &m, 1), PLYD_ESTALE);
	assert_int_equal(ask(&p, "bob", &m, 2), PLYD_OK);
	assert_int_equal(agree(&p, "bob", &m, 2), PLYD_ENOOFFER);
	play_close(&p);
}

static void offers_lapse(void **state)
{
	(void)state;
	PLAY(p, m);
	play_move(&p, "bob", &m, 0, "11-15");
	play_in(&p, "bob", CMD_MATCH_OFFER_DRAW, &m);
	play_answer(&p, "bob", CMD_MATCH_TAKEBACK_OFFER, &m, 1);
	ask(&p, "ann", &m, 1);
	agree(&p, "bob", &m, 1);
	assert_false(play_at(&p, &m)->offers.standing);
	assert_false(play_at(&p, &m)->takeback.standing);
	resume(&p, "bob", &m);
	assert_int_equal(play_answer(&p, "ann", CMD_MATCH_ACCEPT_DRAW, &m, 1),
			 PLYD_ENOOFFER);
	play_close(&p);
}

static void nothing_to_stop_without_a_clock(void **state)
{
	(void)state;
	static const struct clock_rules none = { .kind = CLOCK_UNLIMITED };
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "english", "ann", "bob", &none);
	assert_int_equal(ask(&p, "bob", &m, 0), PLYD_EPAUSE);
	play_close(&p);
}

static void a_personality_waits(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "ann");
	struct id m = play_personality(&p, "english", "ann", WHITE);
	play_move(&p, "ann", &m, 0, "11-15");
	assert_int_equal(ask(&p, "ann", &m, 1), PLYD_OK);
	assert_string_equal(p.facts, "pause_offered paused");
	/* what it thought meanwhile is lost, and it thinks again */
	play_think(&p, &m,
		   (struct cmd_thought){ .ply = 1, .move = span_str("22-18") });
	assert_string_equal(p.facts, "");
	resume(&p, "ann", &m);
	assert_non_null(strstr(p.effects, "think"));
	play_close(&p);
}

/* Who was away by agreement has not left. */
static void away_in_a_pause_is_not_leaving(void **state)
{
	(void)state;
	PLAY(p, m);
	ask(&p, "bob", &m, 0);
	agree(&p, "ann", &m, 0);
	play_gone(&p, "ann");
	play_wait(&p, 3600000);
	assert_int_equal(play_claim(&p, "bob", &m, true), PLYD_EPAUSED);
	resume(&p, "bob", &m);
	assert_int_equal(play_claim(&p, "bob", &m, true), PLYD_ECLAIM);
	play_close(&p);
}

static void a_pause_may_be_left(void **state)
{
	(void)state;
	PLAY(p, m);
	ask(&p, "bob", &m, 0);
	agree(&p, "ann", &m, 0);
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_LEAVE, &m), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->reason, END_ABORTED);
	assert_int_equal(agree(&p, "bob", &m, 0), PLYD_EGAMEOVER);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_clock_runs_until_it_goes_on),
		cmocka_unit_test(coming_back_does_not_end_it),
		cmocka_unit_test(crossing_requests_agree),
		cmocka_unit_test(it_is_about_one_half_move),
		cmocka_unit_test(offers_lapse),
		cmocka_unit_test(nothing_to_stop_without_a_clock),
		cmocka_unit_test(a_personality_waits),
		cmocka_unit_test(away_in_a_pause_is_not_leaving),
		cmocka_unit_test(a_pause_may_be_left),
	};
	return cmocka_run_group_tests_name("pauses", tests, NULL, NULL);
}
