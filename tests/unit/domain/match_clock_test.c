/* SPDX-License-Identifier: MIT
 * match_clock_test.c - clocks in matches: what turns cost, when flags fall, and
 * what is credited for the way of messages. */
#include "play.h"
#include "unit.h"

#include <string.h>

static struct id begin(struct play *p, const struct clock_rules *clock,
		       int64_t lag_per_move_ms, int64_t lag_total_ms)
{
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.lag_per_move_ms = lag_per_move_ms;
	limits.lag_total_ms = lag_total_ms;
	play_open_limits(p, 1, &limits);
	play_hello(p, "ann");
	play_hello(p, "bob");
	play_hello(p, "cay");
	return play_match(p, "english", "ann", "bob", clock);
}

/* -- kinds -- */

static const struct kind_row {
	const char *name;
	struct clock_rules clock;
	int64_t think;
	int64_t left;  /* of black after its first move */
	int64_t falls; /* from the start of a turn of white's */
} kinds[] = {
	{ "Fischer",
	  { .base_ms = 10000, .increment_ms = 500 },
	  3000,
	  7500,
	  10000 },
	{ "delay not used up",
	  { .kind = CLOCK_DELAY, .base_ms = 10000, .delay_ms = 4000 },
	  3000,
	  10000,
	  14000 },
	{ "delay used up",
	  { .kind = CLOCK_DELAY, .base_ms = 10000, .delay_ms = 2000 },
	  3000,
	  9000,
	  12000 },
	{ "Bronstein",
	  { .kind = CLOCK_BRONSTEIN, .base_ms = 10000, .delay_ms = 2000 },
	  3000,
	  9000,
	  10000 },
	{ "Bronstein gives no more than was used",
	  { .kind = CLOCK_BRONSTEIN, .base_ms = 10000, .delay_ms = 4000 },
	  3000,
	  10000,
	  10000 },
	{ "two days a move",
	  { .kind = CLOCK_PER_MOVE, .base_ms = 172800000 },
	  86400000,
	  172800000,
	  172800000 },
};

static void a_kind_charges_and_falls(void **state)
{
	const struct kind_row *row = *state;
	struct play p;
	struct id m = begin(&p, &row->clock, 0, 0);
	play_wait(&p, (uint64_t)row->think);
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->left_ms[BLACK], row->left);
	assert_int_equal(domain_next_due_ms(p.d),
			 p.now_ms + (uint64_t)row->falls);
	play_wait(&p, (uint64_t)row->falls - 1);
	const struct match *at = play_at(&p, &m);
	assert_int_equal(at->state, MATCH_PLAYING);
	assert_int_equal(match_left_ms(at, WHITE, p.now_ms), 1);
	assert_int_equal(match_left_ms(at, BLACK, p.now_ms), row->left);
	play_wait(&p, 1);
	assert_int_equal(play_at(&p, &m)->reason, END_FLAG);
	assert_int_equal(play_at(&p, &m)->result, RESULT_BLACK);
	assert_int_equal(play_at(&p, &m)->left_ms[WHITE], 0);
	play_close(&p);
}

/* A move in the very last millisecond counts, one later does not. */
static void a_move_in_time_is_taken(void **state)
{
	const struct kind_row *row = *state;
	for (uint64_t late = 0; late < 2; late++) {
		struct play p;
		struct id m = begin(&p, &row->clock, 0, 0);
		play_wait(&p, (uint64_t)row->think);
		play_move(&p, "bob", &m, 0, "11-15");
		p.now_ms += (uint64_t)row->falls - 1 + late;
		assert_int_equal(play_move(&p, "ann", &m, 1, "22-18"),
				 late ? PLYD_EFLAG : PLYD_OK);
		play_close(&p);
	}
}

static void a_delay_is_shown_while_it_lasts(void **state)
{
	(void)state;
	struct play p;
	const struct clock_rules delay = { .kind = CLOCK_DELAY,
					   .base_ms = 10000,
					   .delay_ms = 2000 };
	struct id m = begin(&p, &delay, 0, 0);
	assert_int_equal(match_free_ms(play_at(&p, &m), p.now_ms), 2000);
	play_wait(&p, 1500);
	assert_int_equal(match_free_ms(play_at(&p, &m), p.now_ms), 500);
	assert_int_equal(match_left_ms(play_at(&p, &m), BLACK, p.now_ms),
			 10000);
	play_wait(&p, 1500);
	assert_int_equal(match_free_ms(play_at(&p, &m), p.now_ms), 0);
	assert_int_equal(match_left_ms(play_at(&p, &m), BLACK, p.now_ms), 9000);
	play_close(&p);
}

/* -- days per move -- */

static const struct clock_rules two_days = { .kind = CLOCK_PER_MOVE,
					     .base_ms = 172800000 };

static void nobody_claims_days(void **state)
{
	(void)state;
	struct play p;
	struct id m = begin(&p, &two_days, 500, 10000);
	play_gone(&p, "ann");
	play_wait(&p, 86400000);
	assert_int_equal(play_claim(&p, "bob", &m, true), PLYD_ECLAIM);
	assert_int_equal(play_claim(&p, "bob", &m, false), PLYD_ECLAIM);
	play_gone(&p, "bob");
	play_wait(&p, 86399999);
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_wait(&p, 1);
	assert_int_equal(play_at(&p, &m)->reason, END_FLAG);
	assert_int_equal(play_at(&p, &m)->result, RESULT_WHITE);
	play_close(&p);
}

/* They count from the fact, though its commit takes its time. */
static void days_count_from_the_fact(void **state)
{
	(void)state;
	struct play p;
	struct id m = begin(&p, &two_days, 500, 10000);
	p.hold = true;
	play_wait(&p, 1000);
	play_move(&p, "bob", &m, 0, "11-15");
	p.now_ms += 700;
	play_perform(&p);
	p.hold = false;
	assert_int_equal(match_left_ms(play_at(&p, &m), WHITE, p.now_ms),
			 172800000 - 700);
	play_close(&p);
}

/* -- lag -- */

static const struct clock_rules minute = { .base_ms = 60000 };

static int seen(struct play *p, const char *name, const struct id *m,
		uint64_t nonce)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_MATCH_SEEN,
					 .match = *m,
					 .lag = nonce });
}

static uint64_t nonce_of(const struct play *p, const struct id *m)
{
	return play_at(p, m)->lag.nonce;
}

static const struct lag_row {
	const char *name;
	int64_t per_move, total;
	uint64_t way, think;
	int64_t credit;
} lags[] = {
	{ "the way is credited", 500, 10000, 120, 3000, 120 },
	{ "no way, no credit", 500, 10000, 0, 3000, 0 },
	{ "as much as a move may have", 500, 10000, 500, 3000, 500 },
	{ "not more than a move may have", 500, 10000, 501, 3000, 500 },
	{ "not more than a match may have", 500, 70, 400, 3000, 70 },
	{ "a cheater who thinks first", 500, 10000, 3000, 3000, 500 },
};

static void a_way_is_credited(void **state)
{
	const struct lag_row *row = *state;
	struct play p;
	struct id m = begin(&p, &minute, row->per_move, row->total);
	play_wait(&p, row->way);
	assert_int_equal(seen(&p, "bob", &m, nonce_of(&p, &m)), PLYD_OK);
	assert_string_equal(p.facts, "");
	play_wait(&p, row->think - row->way);
	play_move(&p, "bob", &m, 0, "11-15");
	const struct match *at = play_at(&p, &m);
	assert_int_equal(at->lag_used_ms[BLACK], row->credit);
	assert_int_equal(at->left_ms[BLACK],
			 60000 - (int64_t)row->think + row->credit);
	assert_int_equal(at->lag_used_ms[WHITE], 0);
	play_close(&p);
}

/* The flag waits for the credit, and for nothing else. */
static void a_flag_waits_for_the_credit(void **state)
{
	(void)state;
	for (int echo = 0; echo < 2; echo++) {
		struct play p;
		struct id m = begin(&p, &minute, 500, 10000);
		play_wait(&p, 300);
		if (echo)
			seen(&p, "bob", &m, nonce_of(&p, &m));
		play_wait(&p, 59699);
		assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
		play_wait(&p, 1);
		assert_int_equal(play_at(&p, &m)->state,
				 echo ? MATCH_PLAYING : MATCH_OVER);
		if (echo) {
			play_wait(&p, 299);
			assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
			play_wait(&p, 1);
			assert_int_equal(play_at(&p, &m)->reason, END_FLAG);
		}
		play_close(&p);
	}
}

/* The quota is for the whole match, and each side has its own. */
static void a_quota_is_used_up(void **state)
{
	(void)state;
	struct play p;
	struct id m = begin(&p, &minute, 500, 1200);
	struct rng rng;
	rng_seed(&rng, 3);
	int64_t want[2] = { 0, 0 };
	for (int i = 0; i < 8; i++) {
		enum side side = match_turn(play_at(&p, &m));
		int64_t left = 1200 - want[side];
		assert_int_equal(nonce_of(&p, &m) != 0, left > 0);
		play_wait(&p, 450);
		int err = seen(&p, side == WHITE ? "ann" : "bob", &m,
			       nonce_of(&p, &m));
		assert_int_equal(err, left > 0 ? PLYD_OK : PLYD_ELAG);
		want[side] += left < 450 ? left : 450;
		assert_true(play_random(&p, &rng, &m));
		assert_int_equal(play_at(&p, &m)->lag_used_ms[side],
				 want[side]);
	}
	assert_int_equal(want[WHITE], 1200);
	assert_int_equal(want[BLACK], 1200);
	play_close(&p);
}

static void only_the_right_echo_counts(void **state)
{
	(void)state;
	struct play p;
	struct id m = begin(&p, &minute, 500, 10000);
	const struct id none = { "zzzzzzzzzz" };
	uint64_t nonce = nonce_of(&p, &m);
	assert_int_equal(seen(&p, "ann", &m, nonce), PLYD_ELAG);
	assert_int_equal(seen(&p, "cay", &m, nonce), PLYD_ESEAT);
	assert_int_equal(seen(&p, "bob", &none, nonce), PLYD_ENOMATCH);
	assert_int_equal(seen(&p, "bob", &m, nonce + 1), PLYD_ELAG);
	assert_int_equal(seen(&p, "bob", &m, 0), PLYD_ELAG);
	play_wait(&p, 100);
	assert_int_equal(seen(&p, "bob", &m, nonce), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->lag.credit_ms, 100);
	/* a lost answer: the same again, and nothing more */
	play_wait(&p, 200);
	assert_int_equal(seen(&p, "bob", &m, nonce), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->lag.credit_ms, 100);
	play_move(&p, "bob", &m, 0, "11-15");
	assert_int_not_equal(nonce_of(&p, &m), nonce);
	assert_int_equal(seen(&p, "bob", &m, nonce), PLYD_ELAG);
	assert_int_equal(seen(&p, "ann", &m, nonce), PLYD_ELAG);
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	assert_int_equal(seen(&p, "ann", &m, nonce_of(&p, &m)), PLYD_ELAG);
	play_close(&p);
}

/* After a resume only the last way counts, not the absence. */
static void an_absence_is_not_a_way(void **state)
{
	(void)state;
	struct play p;
	struct id m = begin(&p, &minute, 5000, 10000);
	uint64_t first = nonce_of(&p, &m);
	play_gone(&p, "bob");
	play_wait(&p, 4000);
	play_resume(&p, "bob");
	play_in(&p, "ann", CMD_MATCH_GET, &m);
	assert_int_equal(nonce_of(&p, &m), first);
	play_in(&p, "bob", CMD_MATCH_WATCH, &m);
	uint64_t second = nonce_of(&p, &m);
	assert_int_not_equal(second, first);
	play_wait(&p, 80);
	assert_int_equal(seen(&p, "bob", &m, first), PLYD_ELAG);
	assert_int_equal(seen(&p, "bob", &m, second), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->lag.credit_ms, 80);
	/* and no further one after that */
	play_in(&p, "bob", CMD_MATCH_GET, &m);
	assert_int_equal(nonce_of(&p, &m), second);
	play_close(&p);
}

/* What arrives before the clock was started has cost nothing. */
static void an_echo_before_the_release_is_for_nothing(void **state)
{
	(void)state;
	struct play p;
	struct id m = begin(&p, &minute, 500, 10000);
	p.hold = true;
	play_move(&p, "bob", &m, 0, "11-15");
	p.now_ms += 50;
	assert_int_equal(seen(&p, "ann", &m, nonce_of(&p, &m)), PLYD_OK);
	p.now_ms += 50;
	play_perform(&p);
	p.hold = false;
	play_wait(&p, 1000);
	play_move(&p, "ann", &m, 1, "22-18");
	assert_int_equal(play_at(&p, &m)->lag_used_ms[WHITE], 0);
	assert_int_equal(play_at(&p, &m)->left_ms[WHITE], 59000);
	play_close(&p);
}

static void nothing_is_credited_without_a_bank(void **state)
{
	(void)state;
	const struct clock_rules clocks[] = { two_days,
					      { .kind = CLOCK_UNLIMITED } };
	for (size_t i = 0; i < COUNT(clocks); i++) {
		struct play p;
		struct id m = begin(&p, &clocks[i], 500, 10000);
		assert_int_equal(nonce_of(&p, &m), 0);
		assert_int_equal(play_at(&p, &m)->lag_rules.total_ms, 0);
		play_close(&p);
	}
	struct play p;
	struct id m = begin(&p, &minute, 0, 10000);
	assert_int_equal(nonce_of(&p, &m), 0);
	play_close(&p);
}

static void a_personality_has_no_way(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "ann");
	struct id m = play_personality(&p, "english", "ann", BLACK);
	assert_int_equal(play_at(&p, &m)->seat[BLACK].kind, KIND_PERSONALITY);
	assert_int_equal(nonce_of(&p, &m), 0);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_delay_is_shown_while_it_lasts),
		cmocka_unit_test(nobody_claims_days),
		cmocka_unit_test(days_count_from_the_fact),
		cmocka_unit_test(a_flag_waits_for_the_credit),
		cmocka_unit_test(a_quota_is_used_up),
		cmocka_unit_test(only_the_right_echo_counts),
		cmocka_unit_test(an_absence_is_not_a_way),
		cmocka_unit_test(an_echo_before_the_release_is_for_nothing),
		cmocka_unit_test(nothing_is_credited_without_a_bank),
		cmocka_unit_test(a_personality_has_no_way),
	};
	int failed = RUN_TABLE("kinds", kinds, a_kind_charges_and_falls);
	failed += RUN_TABLE("in time", kinds, a_move_in_time_is_taken);
	failed += RUN_TABLE("lag", lags, a_way_is_credited);
	return failed + cmocka_run_group_tests_name("clocks in matches", tests,
						    NULL, NULL);
}
