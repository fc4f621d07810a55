/* SPDX-License-Identifier: MIT
 * Leaving a match: on purpose, for a while, for good; and the races of an end,
 * in both orders. */
#include "domain/domain_priv.h"
#include "play.h"
#include "unit.h"

#include <string.h>

static const struct clock_rules no_clock = { .kind = CLOCK_UNLIMITED };

static struct id open_with(struct play *p, const struct clock_rules *clock)
{
	play_open(p, 1);
	play_hello(p, "ann");
	play_hello(p, "bob");
	return play_match(p, "english", "ann", "bob", clock);
}

static const struct player *who(const struct play *p, const char *name)
{
	return domain_player(p->d, &play_who(p, name)->id);
}

static void leaving_early_aborts(void **state)
{
	(void)state;
	struct play p;
	struct id m = open_with(&p, NULL);
	play_move(&p, "bob", &m, 0, "11-15");
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_LEAVE, &m), PLYD_OK);
	assert_string_equal(p.facts, "leaves_counted ended");
	assert_int_equal(play_at(&p, &m)->result, RESULT_ABORTED);
	assert_int_equal(who(&p, "ann")->leaves, 1);
	assert_int_equal(who(&p, "bob")->leaves, 0);
	play_close(&p);
}

static void leaving_later_resigns(void **state)
{
	(void)state;
	struct play p;
	struct id m = open_with(&p, NULL);
	play_move(&p, "bob", &m, 0, "11-15");
	play_move(&p, "ann", &m, 1, "22-18");
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_LEAVE, &m), PLYD_OK);
	assert_string_equal(p.facts, "ended");
	assert_int_equal(play_at(&p, &m)->result, RESULT_BLACK);
	assert_int_equal(play_at(&p, &m)->reason, END_RESIGNED);
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_LEAVE, &m),
			 PLYD_EGAMEOVER);
	play_close(&p);
}

/* LB-03: what the first drop began acts no more. */
static void leaving_after_a_drop_leaves_no_ghost(void **state)
{
	(void)state;
	struct play p;
	struct id m = open_with(&p, NULL);
	play_move(&p, "bob", &m, 0, "11-15");
	play_move(&p, "ann", &m, 1, "22-18");
	play_gone(&p, "ann");
	play_wait(&p, 30000);
	play_resume(&p, "ann");
	play_in(&p, "ann", CMD_MATCH_LEAVE, &m);
	assert_int_equal(domain_match_count(p.d), 0);
	assert_int_equal(play_claim(&p, "bob", &m, true), PLYD_EGAMEOVER);
	play_wait(&p, (uint64_t)p.limits.claim_after_ms);
	assert_string_equal(p.facts, "");
	assert_int_equal(play_at(&p, &m)->reason, END_RESIGNED);
	play_close(&p);
}

/* LB-25: a return clears the time away. */
static void a_return_clears_the_claim(void **state)
{
	(void)state;
	struct play p;
	struct id m = open_with(&p, &no_clock);
	uint64_t grace = (uint64_t)p.limits.claim_after_ms;
	play_gone(&p, "bob");
	play_wait(&p, grace - 1);
	assert_int_equal(play_claim(&p, "ann", &m, true), PLYD_ECLAIM);
	play_resume(&p, "bob");
	play_wait(&p, grace);
	assert_int_equal(play_claim(&p, "ann", &m, true), PLYD_ECLAIM);
	play_gone(&p, "bob");
	play_wait(&p, grace - 1);
	assert_int_equal(play_claim(&p, "ann", &m, true), PLYD_ECLAIM);
	play_wait(&p, 1);
	assert_int_equal(match_claim_at_ms(play_at(&p, &m), BLACK,
					   p.limits.claim_after_ms),
			 p.now_ms);
	assert_int_equal(play_claim(&p, "ann", &m, true), PLYD_OK);
	assert_string_equal(p.facts, "leaves_counted ended");
	assert_int_equal(play_at(&p, &m)->reason, END_CLAIMED);
	play_close(&p);
}

/* LB-06: who was matched and never moved. */
static void who_never_comes_is_waited_for_a_while(void **state)
{
	(void)state;
	static const struct clock_rules long_clock = { .base_ms = 3600000 };
	struct play p;
	struct id m = open_with(&p, &long_clock);
	uint64_t wait = (uint64_t)p.limits.first_move_ms;
	play_move(&p, "bob", &m, 0, "11-15");
	play_wait(&p, wait - 1);
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_wait(&p, 1);
	const struct match *match = play_at(&p, &m);
	assert_int_equal(match->state, MATCH_OVER);
	assert_int_equal(match->result, RESULT_ABORTED);
	assert_int_equal(match->reason, END_NO_SHOW);
	assert_int_equal(who(&p, "ann")->leaves, 1);
	play_close(&p);
}

static void later_moves_have_their_time(void **state)
{
	(void)state;
	static const struct clock_rules long_clock = { .base_ms = 3600000 };
	struct play p;
	struct id m = open_with(&p, &long_clock);
	play_move(&p, "bob", &m, 0, "11-15");
	play_move(&p, "ann", &m, 1, "22-18");
	play_wait(&p, 3599999);
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_close(&p);
}

/* -- counting -- */

static void leave(struct play *p)
{
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	assert_int_equal(play_in(p, "ann", CMD_MATCH_LEAVE, &m), PLYD_OK);
}

static int64_t cooling(struct play *p)
{
	play_do(p, "ann", (struct command){ .type = CMD_MATCH_LIST });
	return player_cooling_ms(p->d, who(p, "ann"));
}

/* Ann, who left one time too many, and bob, both with accounts. */
static void open_with_leaver(struct play *p, struct id *rated)
{
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.result_keep_ms = 10 * limits.cool_down_ms;
	play_open_limits(p, 1, &limits);
	play_hello(p, "ann");
	play_hello(p, "bob");
	play_register(p, "ann", "ann", "password");
	play_register(p, "bob", "bob", "password");
	play_create(p, "ann", "english",
		    (struct cmd_lobby_create){
			    .side = WHITE, .ready = true, .rated = true });
	struct id lobby = p->lobby;
	play_join(p, "bob", &lobby, true);
	*rated = p->match;
	play_in(p, "ann", CMD_MATCH_RESIGN, rated);
	for (int64_t i = 0; i <= p->limits.leaves_allowed; i++)
		leave(p);
}

enum tried { LOBBY_CREATE, LOBBY_JOIN, SEEK_CREATE, SEEK_ACCEPT, QUICK, AGAIN };

static const struct cooling_way {
	const char *name;
	enum tried tried;
} cooling_ways[] = {
	{ "opens a rated lobby", LOBBY_CREATE },
	{ "joins one", LOBBY_JOIN },
	{ "seeks a rated match", SEEK_CREATE },
	{ "accepts one", SEEK_ACCEPT },
	{ "wants a quick match", QUICK },
	{ "wants a rated rematch", AGAIN },
};

static int seek(struct play *p, const char *name, bool rated)
{
	return play_do(p, name,
		       (struct command){
			       .type = CMD_SEEK_CREATE,
			       .seek = { .ruleset = span_str("english"),
					 .side = -1,
					 .rated = rated } });
}

/* What ann tries; bob has made the lobby or the seek before. */
static int try_it(struct play *p, enum tried tried, const struct id *rated,
		  const struct id *lobby, const struct id *sought)
{
	struct cmd_lobby_create c = { .side = -1, .rated = true };
	switch (tried) {
	case LOBBY_CREATE: return play_create(p, "ann", "english", c);
	case LOBBY_JOIN: return play_join(p, "ann", lobby, true);
	case SEEK_CREATE: return seek(p, "ann", true);
	case SEEK_ACCEPT:
		return play_do(p, "ann",
			       (struct command){ .type = CMD_SEEK_ACCEPT,
						 .seek_answer.seek = *sought });
	case QUICK:
		return play_do(p, "ann",
			       (struct command){ .type = CMD_QUICK_JOIN,
						 .quick = { .ruleset = span_str(
								    "english"),
							    .speed = -1 } });
	case AGAIN: return play_in(p, "ann", CMD_MATCH_REMATCH, rated);
	}
	return PLYD_OK;
}

/* He is told how long; a millisecond before it is refused still. */
static void who_cools_down_is_told_how_long(void **state)
{
	const struct cooling_way *row = *state;
	struct play p;
	struct id rated;
	open_with_leaver(&p, &rated);
	play_create(&p, "bob", "english",
		    (struct cmd_lobby_create){ .side = -1, .rated = true });
	struct id lobby = p.lobby;
	assert_int_equal(seek(&p, "bob", true), PLYD_OK);
	struct id sought = p.seek;
	int64_t left = cooling(&p);
	assert_true(left > 0 && left <= p.limits.cool_down_ms);
	assert_int_equal(try_it(&p, row->tried, &rated, &lobby, &sought),
			 PLYD_ECOOLING);
	assert_int_equal(p.retry_ms, left);
	play_wait(&p, (uint64_t)left - 1);
	assert_int_equal(try_it(&p, row->tried, &rated, &lobby, &sought),
			 PLYD_ECOOLING);
	assert_int_equal(p.retry_ms, 1);
	play_wait(&p, 1);
	assert_int_equal(try_it(&p, row->tried, &rated, &lobby, &sought),
			 PLYD_OK);
	play_close(&p);
}

/* What is not rated he may play. */
static void who_cools_down_may_play_for_nothing(void **state)
{
	(void)state;
	struct play p;
	struct id rated;
	open_with_leaver(&p, &rated);
	assert_int_equal(play_create(&p, "ann", "english",
				     (struct cmd_lobby_create){ .side = -1 }),
			 PLYD_OK);
	assert_int_equal(seek(&p, "ann", false), PLYD_OK);
	assert_int_equal(cooling(&p), p.limits.cool_down_ms);
	play_close(&p);
}

static void who_leaves_often_cools_down(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	for (int64_t i = 0; i < p.limits.leaves_allowed; i++)
		leave(&p);
	assert_int_equal(cooling(&p), 0);
	leave(&p);
	assert_int_equal(cooling(&p), p.limits.cool_down_ms);
	leave(&p);
	assert_int_equal(cooling(&p), 2 * p.limits.cool_down_ms);
	play_wait(&p, (uint64_t)p.limits.cool_down_ms);
	assert_int_equal(cooling(&p), p.limits.cool_down_ms);
	play_wait(&p, (uint64_t)p.limits.cool_down_ms);
	assert_int_equal(cooling(&p), 0);
	/* one is forgotten after each hour */
	play_wait(&p, 4 * (uint64_t)p.limits.leave_counts_ms);
	leave(&p);
	assert_int_equal(who(&p, "ann")->leaves, 1);
	play_close(&p);
}

/* -- matches that wait -- */

static void nobody_there_is_adjourned(void **state)
{
	(void)state;
	struct play p;
	struct id m = open_with(&p, &no_clock);
	assert_string_equal(match_state_shown(play_at(&p, &m)), "playing");
	play_gone(&p, "ann");
	assert_string_equal(match_state_shown(play_at(&p, &m)), "playing");
	play_gone(&p, "bob");
	assert_string_equal(match_state_shown(play_at(&p, &m)), "adjourned");
	play_wait(&p, 1);
	assert_true(who(&p, "bob")->went_away);
	play_resume(&p, "bob");
	assert_string_equal(p.facts, "token_offered came_back");
	assert_string_equal(match_state_shown(play_at(&p, &m)), "playing");
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_OK);
	play_close(&p);
}

static void it_waits_thirty_days(void **state)
{
	(void)state;
	struct play p;
	struct id m = open_with(&p, &no_clock);
	play_gone(&p, "ann");
	play_wait(&p, 1000);
	play_gone(&p, "bob");
	uint64_t keep = (uint64_t)p.limits.adjourned_keep_ms;
	play_wait(&p, keep - 1);
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_wait(&p, 1);
	assert_int_equal(play_at(&p, &m)->reason, END_ABORTED);
	play_close(&p);
}

static void keep_all(void *payload, const struct fact *f)
{
	struct domain *copy = payload;
	assert_int_equal(domain_apply(copy, f), PLYD_OK);
}

/* The time away goes on over a restart. */
static void how_long_they_are_away_is_durable(void **state)
{
	(void)state;
	struct play p;
	struct domain *copy;
	struct entropy entropy;
	struct id m;
	play_open(&p, 1);
	entropy_from_seed(&entropy, 2);
	assert_int_equal(domain_new(&copy, &p.limits, &entropy), PLYD_OK);
	play_rules(copy);
	p.on_fact = keep_all;
	p.payload = copy;
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	m = play_match(&p, "english", "ann", "bob", &no_clock);
	play_gone(&p, "ann");
	play_gone(&p, "bob");
	play_wait(&p, 1000);
	domain_wake(copy, p.now_ms, NULL, NULL);
	uint64_t keep = (uint64_t)p.limits.adjourned_keep_ms;
	assert_int_equal(adjourned_until_ms(copy, domain_match(copy, &m)),
			 keep + p.now_ms - 1000);
	domain_free(copy);
	play_close(&p);
}

/* -- races: one end, in both orders -- */

/* bob wins by his move, or ann has resigned before it. LB-18 */
static struct id about_to_win(struct play *p)
{
	play_open(p, 1);
	play_hello(p, "ann");
	play_hello(p, "bob");
	return play_position(p, "english", "ann", "bob", "B:W18:B15");
}

static void the_winning_move_and_then_a_resignation(void **state)
{
	(void)state;
	struct play p;
	struct id m = about_to_win(&p);
	assert_int_equal(play_move(&p, "bob", &m, 0, "15x22"), PLYD_OK);
	assert_string_equal(p.facts, "moved ended");
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_RESIGN, &m),
			 PLYD_EGAMEOVER);
	assert_int_equal(play_at(&p, &m)->reason, END_NO_PIECES);
	assert_int_equal(play_at(&p, &m)->result, RESULT_BLACK);
	play_close(&p);
}

static void a_resignation_and_then_the_winning_move(void **state)
{
	(void)state;
	struct play p;
	struct id m = about_to_win(&p);
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_RESIGN, &m), PLYD_OK);
	assert_string_equal(p.facts, "ended");
	assert_int_equal(play_move(&p, "bob", &m, 0, "15x22"), PLYD_EGAMEOVER);
	assert_int_equal(play_at(&p, &m)->reason, END_RESIGNED);
	assert_int_equal(play_at(&p, &m)->result, RESULT_BLACK);
	assert_int_equal(play_at(&p, &m)->ply, 0);
	play_close(&p);
}

static void a_move_just_before_the_flag(void **state)
{
	(void)state;
	struct play p;
	struct id m = open_with(&p, NULL);
	play_wait(&p, 59999);
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_OK);
	play_wait(&p, 1);
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_close(&p);
}

static void a_move_just_after_the_flag(void **state)
{
	(void)state;
	struct play p;
	struct id m = open_with(&p, NULL);
	play_wait(&p, 60000);
	assert_string_equal(p.facts, "| ended");
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_EGAMEOVER);
	play_close(&p);
}

/* LB-20: no clock and no timer after the end. */
static void nothing_runs_after_the_end(void **state)
{
	(void)state;
	struct play p;
	struct id m = open_with(&p, NULL);
	play_wait(&p, 2000);
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	int64_t white = match_left_ms(play_at(&p, &m), WHITE, p.now_ms);
	int64_t black = match_left_ms(play_at(&p, &m), BLACK, p.now_ms);
	assert_int_equal(black, 58000);
	play_wait(&p, 2000);
	assert_string_equal(p.facts, "");
	assert_int_equal(match_left_ms(play_at(&p, &m), WHITE, p.now_ms),
			 white);
	assert_int_equal(match_left_ms(play_at(&p, &m), BLACK, p.now_ms),
			 black);
	play_close(&p);
}

static void both_leave_and_one_is_first(void **state)
{
	(void)state;
	struct play p;
	struct id m = open_with(&p, NULL);
	play_move(&p, "bob", &m, 0, "11-15");
	play_move(&p, "ann", &m, 1, "22-18");
	play_in(&p, "bob", CMD_MATCH_LEAVE, &m);
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_RESIGN, &m),
			 PLYD_EGAMEOVER);
	assert_int_equal(play_at(&p, &m)->result, RESULT_WHITE);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leaving_early_aborts),
		cmocka_unit_test(leaving_later_resigns),
		cmocka_unit_test(leaving_after_a_drop_leaves_no_ghost),
		cmocka_unit_test(a_return_clears_the_claim),
		cmocka_unit_test(who_never_comes_is_waited_for_a_while),
		cmocka_unit_test(later_moves_have_their_time),
		cmocka_unit_test(who_leaves_often_cools_down),
		cmocka_unit_test(who_cools_down_may_play_for_nothing),
		cmocka_unit_test(nobody_there_is_adjourned),
		cmocka_unit_test(it_waits_thirty_days),
		cmocka_unit_test(how_long_they_are_away_is_durable),
		cmocka_unit_test(the_winning_move_and_then_a_resignation),
		cmocka_unit_test(a_resignation_and_then_the_winning_move),
		cmocka_unit_test(a_move_just_before_the_flag),
		cmocka_unit_test(a_move_just_after_the_flag),
		cmocka_unit_test(nothing_runs_after_the_end),
		cmocka_unit_test(both_leave_and_one_is_first),
	};
	int failed = cmocka_run_group_tests_name("leaving", tests, NULL, NULL);
	return failed + RUN_TABLE("cooling", cooling_ways,
				  who_cools_down_is_told_how_long);
}
