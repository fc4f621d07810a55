/* SPDX-License-Identifier: MIT
 * Another match of the same two. */
#include "play.h"
#include "unit.h"

#include <string.h>

/* ann was white, bob black; the match is over. */
#define PLAY(p, m)                                                             \
	struct play p;                                                         \
	struct id m = open_and_end(&p)

static struct id open_and_end(struct play *p)
{
	static const struct clock_rules clock = { .base_ms = 42000,
						  .increment_ms = 500 };
	play_open(p, 1);
	play_hello(p, "ann");
	play_hello(p, "bob");
	struct id m = play_match(p, "english", "ann", "bob", &clock);
	play_in(p, "ann", CMD_MATCH_RESIGN, &m);
	return m;
}

static int want(struct play *p, const char *name, const struct id *m)
{
	return play_in(p, name, CMD_MATCH_REMATCH, m);
}

static size_t running(const struct play *p)
{
	return domain_match_count(p->d);
}

static void both_want_one(void **state)
{
	(void)state;
	PLAY(p, m);
	assert_int_equal(want(&p, "ann", &m), PLYD_OK);
	assert_string_equal(p.facts, "");
	assert_string_equal(p.effects, "answer rematch");
	assert_int_equal(running(&p), 0);
	assert_int_equal(want(&p, "bob", &m), PLYD_OK);
	assert_string_equal(p.facts, "begun |");
	assert_string_equal(p.effects, "started release answer rematch |");
	const struct match *old = play_at(&p, &m);
	const struct match *next = play_at(&p, &old->rematch.next);
	assert_true(id_eq(&next->seat[WHITE].player, &old->seat[BLACK].player));
	assert_true(id_eq(&next->seat[BLACK].player, &old->seat[WHITE].player));
	assert_int_equal(next->left_ms[WHITE], 42000);
	assert_int_equal(next->rules->clock.increment_ms, 500);
	assert_string_equal(next->rules->rules.name, "english");
	assert_true(next->released);
	play_close(&p);
}

/* LB-28: crossing requests make one match; a third finds it. */
static void crossing_requests_make_one_match(void **state)
{
	(void)state;
	PLAY(p, m);
	p.hold = true;
	want(&p, "ann", &m);
	want(&p, "bob", &m);
	struct id next = play_at(&p, &m)->rematch.next;
	assert_int_equal(want(&p, "ann", &m), PLYD_OK);
	assert_int_equal(want(&p, "bob", &m), PLYD_OK);
	assert_string_equal(p.facts, "");
	assert_string_equal(p.effects, "answer");
	assert_int_equal(running(&p), 1);
	assert_true(id_eq(&next, &play_at(&p, &m)->rematch.next));
	play_close(&p);
}

/* Also when the new one is over, too. */
static void one_match_has_one_rematch(void **state)
{
	(void)state;
	PLAY(p, m);
	want(&p, "ann", &m);
	want(&p, "bob", &m);
	struct id next = play_at(&p, &m)->rematch.next;
	play_in(&p, "ann", CMD_MATCH_RESIGN, &next);
	assert_int_equal(want(&p, "ann", &m), PLYD_OK);
	assert_int_equal(want(&p, "bob", &m), PLYD_OK);
	assert_int_equal(running(&p), 0);
	want(&p, "bob", &next);
	want(&p, "ann", &next);
	const struct match *third =
		play_at(&p, &play_at(&p, &next)->rematch.next);
	assert_true(id_eq(&third->seat[WHITE].player,
			  &play_at(&p, &m)->seat[WHITE].player));
	play_close(&p);
}

static void the_same_wish_again_changes_nothing(void **state)
{
	(void)state;
	PLAY(p, m);
	want(&p, "ann", &m);
	want(&p, "ann", &m);
	assert_string_equal(p.effects, "answer");
	assert_int_equal(running(&p), 0);
	play_close(&p);
}

static void a_declined_wish_is_gone(void **state)
{
	(void)state;
	PLAY(p, m);
	want(&p, "ann", &m);
	assert_int_equal(play_in(&p, "bob", CMD_MATCH_REMATCH_DECLINE, &m),
			 PLYD_OK);
	assert_string_equal(p.effects, "answer rematch");
	play_in(&p, "bob", CMD_MATCH_REMATCH_DECLINE, &m);
	assert_string_equal(p.effects, "answer");
	want(&p, "bob", &m);
	assert_int_equal(running(&p), 0);
	play_close(&p);
}

static void a_wish_lapses(void **state)
{
	(void)state;
	PLAY(p, m);
	want(&p, "ann", &m);
	play_wait(&p, (uint64_t)p.limits.rematch_wait_ms);
	want(&p, "bob", &m);
	assert_int_equal(running(&p), 0);
	assert_false(match_wants_rematch(play_at(&p, &m), WHITE, p.now_ms));
	play_close(&p);
}

static void who_is_away_wants_nothing(void **state)
{
	(void)state;
	PLAY(p, m);
	want(&p, "ann", &m);
	play_gone(&p, "ann");
	assert_int_equal(want(&p, "bob", &m), PLYD_EAWAY);
	play_resume(&p, "ann");
	assert_int_equal(want(&p, "bob", &m), PLYD_OK);
	assert_int_equal(running(&p), 1);
	play_close(&p);
}

static void only_after_the_end_and_only_players(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_hello(&p, "cat");
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	assert_int_equal(want(&p, "ann", &m), PLYD_ENOTOVER);
	play_in(&p, "bob", CMD_MATCH_RESIGN, &m);
	assert_int_equal(want(&p, "cat", &m), PLYD_ESEAT);
	play_wait(&p, (uint64_t)p.limits.result_keep_ms);
	assert_int_equal(want(&p, "ann", &m), PLYD_ENOMATCH);
	play_close(&p);
}

static void a_personality_is_always_ready(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "ann");
	struct id m = play_personality(&p, "english", "ann", WHITE);
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	assert_int_equal(want(&p, "ann", &m), PLYD_OK);
	const struct match *next = play_at(&p, &play_at(&p, &m)->rematch.next);
	assert_int_equal(next->seat[BLACK].kind, KIND_PERSONALITY);
	assert_string_equal(next->seat[BLACK].name, "calm");
	play_close(&p);
}

static void dice_are_drawn_anew(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "backgammon", "ann", "bob", NULL);
	play_in(&p, "ann", CMD_MATCH_ABORT, &m);
	want(&p, "ann", &m);
	want(&p, "bob", &m);
	const struct match *old = play_at(&p, &m);
	const struct match *next = play_at(&p, &old->rematch.next);
	assert_int_equal(next->state, MATCH_NONCES);
	assert_memory_not_equal(&next->commitment, &old->commitment,
				sizeof(next->commitment));
	play_close(&p);
}

static void limits_hold(void **state)
{
	(void)state;
	struct play p;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.matches_max = 1;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	play_match(&p, "english", "ann", "bob", NULL);
	assert_int_equal(want(&p, "ann", &m), PLYD_EFULL);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_want_one),
		cmocka_unit_test(crossing_requests_make_one_match),
		cmocka_unit_test(one_match_has_one_rematch),
		cmocka_unit_test(the_same_wish_again_changes_nothing),
		cmocka_unit_test(a_declined_wish_is_gone),
		cmocka_unit_test(a_wish_lapses),
		cmocka_unit_test(who_is_away_wants_nothing),
		cmocka_unit_test(only_after_the_end_and_only_players),
		cmocka_unit_test(a_personality_is_always_ready),
		cmocka_unit_test(dice_are_drawn_anew),
		cmocka_unit_test(limits_hold),
	};
	return cmocka_run_group_tests_name("rematches", tests, NULL, NULL);
}
