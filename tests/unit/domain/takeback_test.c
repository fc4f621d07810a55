/* SPDX-License-Identifier: MIT
 * Half-moves taken back by consent. */
#include "play.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* ann is white, bob black and first to move. */
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

static int ask(struct play *p, const char *name, const struct id *m,
	       uint32_t ply)
{
	return play_answer(p, name, CMD_MATCH_TAKEBACK_OFFER, m, ply);
}

static int agree(struct play *p, const char *name, const struct id *m,
		 uint32_t ply)
{
	return play_answer(p, name, CMD_MATCH_TAKEBACK_ACCEPT, m, ply);
}

static int decline(struct play *p, const char *name, const struct id *m,
		   uint32_t ply)
{
	return play_answer(p, name, CMD_MATCH_TAKEBACK_DECLINE, m, ply);
}

static void the_mover_takes_back_one(void **state)
{
	(void)state;
	PLAY(p, m);
	struct position start = play_at(&p, &m)->pos;
	play_move(&p, "bob", &m, 0, "11-15");
	assert_int_equal(ask(&p, "bob", &m, 1), PLYD_OK);
	assert_string_equal(p.facts, "takeback_offered");
	assert_int_equal(agree(&p, "ann", &m, 1), PLYD_OK);
	assert_string_equal(p.facts, "taken_back |");
	assert_string_equal(p.effects, "fact answer release |");
	const struct match *match = play_at(&p, &m);
	assert_int_equal(match->ply, 0);
	assert_int_equal(match->takebacks, 1);
	assert_memory_equal(&match->pos, &start, sizeof(start));
	assert_int_equal(match->moves.len, 0);
	assert_int_equal(match->hash_count, 1);
	assert_int_equal(match_turn(match), BLACK);
	assert_true(match->released);
	play_close(&p);
}

static void he_who_is_to_move_takes_back_two(void **state)
{
	(void)state;
	PLAY(p, m);
	play_move(&p, "bob", &m, 0, "11-15");
	struct position before = play_at(&p, &m)->pos;
	play_move(&p, "ann", &m, 1, "22-18");
	play_move(&p, "bob", &m, 2, "15x22");
	assert_int_equal(ask(&p, "ann", &m, 3), PLYD_OK);
	assert_int_equal(agree(&p, "bob", &m, 3), PLYD_OK);
	const struct match *match = play_at(&p, &m);
	assert_int_equal(match->ply, 1);
	assert_memory_equal(&match->pos, &before, sizeof(before));
	assert_int_equal(match_turn(match), WHITE);
	play_close(&p);
}

/* Used time stays used: bob 3 s + his increment, ann 5 s of a broken turn. */
static void time_that_was_used_stays_used(void **state)
{
	(void)state;
	PLAY(p, m);
	play_wait(&p, 3000);
	play_move(&p, "bob", &m, 0, "11-15");
	play_wait(&p, 5000);
	ask(&p, "bob", &m, 1);
	agree(&p, "ann", &m, 1);
	assert_int_equal(play_at(&p, &m)->left_ms[BLACK], 58000);
	assert_int_equal(play_at(&p, &m)->left_ms[WHITE], 55000);
	play_wait(&p, 1000);
	assert_int_equal(match_left_ms(play_at(&p, &m), BLACK, p.now_ms),
			 57000);
	assert_int_equal(match_left_ms(play_at(&p, &m), WHITE, p.now_ms),
			 55000);
	play_close(&p);
}

static void counts_for_draws_go_back(void **state)
{
	(void)state;
	struct play p;
	struct rng rng;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m =
		play_position(&p, "english", "ann", "bob", "B:WK29,K32:BK1,K4");
	play_move(&p, "bob", &m, 0, "1-6");
	play_move(&p, "ann", &m, 1, "29-25");
	play_move(&p, "bob", &m, 2, "6-1");
	play_move(&p, "ann", &m, 3, "25-29");
	uint32_t repeats = match_repeats(play_at(&p, &m));
	assert_int_equal(repeats, 2);
	assert_int_equal(play_at(&p, &m)->quiet, 4);
	rng_seed(&rng, 1);
	play_random(&p, &rng, &m);
	play_random(&p, &rng, &m);
	ask(&p, "bob", &m, 6);
	assert_int_equal(agree(&p, "ann", &m, 6), PLYD_OK);
	assert_int_equal(match_repeats(play_at(&p, &m)), repeats);
	assert_int_equal(play_at(&p, &m)->quiet, 4);
	play_close(&p);
}

static void it_is_asked_once_a_half_move(void **state)
{
	(void)state;
	PLAY(p, m);
	play_move(&p, "bob", &m, 0, "11-15");
	ask(&p, "bob", &m, 1);
	assert_int_equal(decline(&p, "ann", &m, 1), PLYD_OK);
	assert_string_equal(p.facts, "takeback_declined");
	assert_int_equal(ask(&p, "bob", &m, 1), PLYD_ETAKEBACK);
	play_move(&p, "ann", &m, 1, "22-18");
	assert_int_equal(ask(&p, "bob", &m, 2), PLYD_OK);
	play_close(&p);
}

static void a_repeated_request_is_answered_alike(void **state)
{
	(void)state;
	PLAY(p, m);
	play_move(&p, "bob", &m, 0, "11-15");
	ask(&p, "bob", &m, 1);
	uint64_t seq = p.answer.seq;
	assert_int_equal(ask(&p, "bob", &m, 1), PLYD_OK);
	assert_string_equal(p.facts, "");
	assert_int_equal(p.answer.seq, seq);
	play_close(&p);
}

static void a_move_leaves_no_request(void **state)
{
	(void)state;
	PLAY(p, m);
	play_move(&p, "bob", &m, 0, "11-15");
	ask(&p, "bob", &m, 1);
	play_move(&p, "ann", &m, 1, "22-18");
	assert_int_equal(agree(&p, "ann", &m, 1), PLYD_ESTALE);
	assert_int_equal(agree(&p, "ann", &m, 2), PLYD_ENOOFFER);
	assert_int_equal(play_at(&p, &m)->ply, 2);
	play_close(&p);
}

static void crossing_requests_are_answered_one_by_one(void **state)
{
	(void)state;
	PLAY(p, m);
	play_move(&p, "bob", &m, 0, "11-15");
	play_move(&p, "ann", &m, 1, "22-18");
	ask(&p, "bob", &m, 2);
	assert_int_equal(ask(&p, "ann", &m, 2), PLYD_ETAKEBACK);
	assert_int_equal(agree(&p, "bob", &m, 2), PLYD_ENOOFFER);
	assert_int_equal(agree(&p, "ann", &m, 2), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->ply, 0);
	/* a double click */
	assert_int_equal(agree(&p, "ann", &m, 2), PLYD_ESTALE);
	assert_int_equal(play_at(&p, &m)->takebacks, 1);
	play_close(&p);
}

static void nothing_to_take_back(void **state)
{
	(void)state;
	PLAY(p, m);
	assert_int_equal(ask(&p, "bob", &m, 0), PLYD_ENOTAKEBACK);
	play_move(&p, "bob", &m, 0, "11-15");
	assert_int_equal(ask(&p, "ann", &m, 1), PLYD_ENOTAKEBACK);
	assert_int_equal(ask(&p, "bob", &m, 0), PLYD_ESTALE);
	play_close(&p);
}

static void dice_cannot_be_forgotten(void **state)
{
	(void)state;
	struct play p;
	struct rng rng;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "backgammon", "ann", "bob", NULL);
	play_nonce(&p, "ann", &m, "");
	play_nonce(&p, "bob", &m, "");
	rng_seed(&rng, 3);
	play_random(&p, &rng, &m);
	play_random(&p, &rng, &m);
	uint32_t ply = play_at(&p, &m)->ply;
	assert_int_equal(ask(&p, "ann", &m, ply), PLYD_ENOTAKEBACK);
	play_close(&p);
}

static void a_ruleset_may_forbid_it(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	struct match_rules rules = *domain_rules_find(p.d, span_str("english"));
	rules.takeback = false;
	assert_int_equal(domain_set_rules(p.d, &rules, 1), PLYD_OK);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	play_move(&p, "bob", &m, 0, "11-15");
	assert_int_equal(ask(&p, "bob", &m, 1), PLYD_ENOTAKEBACK);
	play_close(&p);
}

static void a_personality_always_agrees(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "ann");
	struct id m = play_personality(&p, "english", "ann", WHITE);
	play_move(&p, "ann", &m, 0, "11-15");
	assert_int_equal(ask(&p, "ann", &m, 1), PLYD_OK);
	assert_string_equal(p.facts, "takeback_offered taken_back |");
	assert_int_equal(play_at(&p, &m)->ply, 0);
	/* what it thought of the position that is no more is not played */
	play_move(&p, "ann", &m, 0, "12-16");
	play_think(&p, &m,
		   (struct cmd_thought){ .ply = 1, .move = span_str("22-18") });
	assert_string_equal(p.facts, "");
	play_think(&p, &m,
		   (struct cmd_thought){ .ply = 1,
					 .takebacks = 1,
					 .move = span_str("22-18") });
	assert_int_equal(play_at(&p, &m)->ply, 2);
	play_close(&p);
}

/* A past ply is played anew, by another move or the same. */
static void what_was_taken_back_is_no_duplicate(void **state)
{
	(void)state;
	PLAY(p, m);
	play_move(&p, "bob", &m, 0, "11-15");
	play_move(&p, "ann", &m, 1, "22-18");
	ask(&p, "ann", &m, 2);
	agree(&p, "bob", &m, 2);
	/* bob's move is in force: its repetition finds its answer */
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_OK);
	assert_true(p.answer.duplicate);
	assert_int_equal(play_move(&p, "ann", &m, 1, "22-18"), PLYD_OK);
	assert_false(p.answer.duplicate);
	assert_int_equal(play_at(&p, &m)->ply, 2);
	play_close(&p);
}

static int move_knowing(struct play *p, const char *name, const struct id *m,
			uint32_t ply, const char *text, uint32_t takebacks)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_MATCH_MOVE,
					 .match = *m,
					 .takebacks_known = takebacks + 1,
					 .move = { ply, span_str(text) } });
}

/* The answer was lost, the move was taken back meanwhile. */
static void a_repeated_move_knows_what_it_meant(void **state)
{
	(void)state;
	PLAY(p, m);
	assert_int_equal(move_knowing(&p, "bob", &m, 0, "11-15", 0), PLYD_OK);
	ask(&p, "bob", &m, 1);
	agree(&p, "ann", &m, 1);
	assert_int_equal(move_knowing(&p, "bob", &m, 0, "11-15", 0),
			 PLYD_ESTALE);
	assert_int_equal(play_at(&p, &m)->ply, 0);
	assert_int_equal(move_knowing(&p, "bob", &m, 0, "12-16", 1), PLYD_OK);
	play_close(&p);
}

/* The release of the first visit to a ply is not that of the second. */
static void a_stale_release_starts_no_clock(void **state)
{
	(void)state;
	PLAY(p, m);
	p.hold = true;
	play_move(&p, "bob", &m, 0, "11-15");
	ask(&p, "bob", &m, 1);
	agree(&p, "ann", &m, 1);
	play_move(&p, "bob", &m, 0, "12-16");
	assert_false(play_at(&p, &m)->released);
	play_do(&p, "",
		(struct command){ .type = CMD_RELEASED,
				  .match = m,
				  .released = { 1, 0 } });
	assert_false(play_at(&p, &m)->released);
	play_perform(&p);
	assert_true(play_at(&p, &m)->released);
	play_close(&p);
}

static void a_draw_offer_lapses(void **state)
{
	(void)state;
	PLAY(p, m);
	play_move(&p, "bob", &m, 0, "11-15");
	play_in(&p, "bob", CMD_MATCH_OFFER_DRAW, &m);
	ask(&p, "bob", &m, 1);
	agree(&p, "ann", &m, 1);
	assert_false(play_at(&p, &m)->offers.standing);
	play_close(&p);
}

static void not_after_the_end(void **state)
{
	(void)state;
	PLAY(p, m);
	play_move(&p, "bob", &m, 0, "11-15");
	ask(&p, "bob", &m, 1);
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	assert_int_equal(agree(&p, "ann", &m, 1), PLYD_EGAMEOVER);
	assert_int_equal(ask(&p, "bob", &m, 1), PLYD_EGAMEOVER);
	play_close(&p);
}

/* The flag falls before the takeback is looked at. */
static void a_fallen_flag_comes_first(void **state)
{
	(void)state;
	PLAY(p, m);
	play_move(&p, "bob", &m, 0, "11-15");
	ask(&p, "bob", &m, 1);
	p.now_ms += 60000;
	assert_int_equal(agree(&p, "ann", &m, 1), PLYD_EGAMEOVER);
	assert_int_equal(play_at(&p, &m)->reason, END_FLAG);
	play_close(&p);
}

/* Random play with random takebacks: the position is always the one that the
 * moves in force lead to. */
static void the_log_and_the_position_agree(void **state)
{
	(void)state;
	struct rng rng;
	rng_seed(&rng, 11);
	for (int game = 0; game < 30; game++) {
		PLAY(p, m);
		struct position at[PLIES_MAX];
		const struct match *match = play_at(&p, &m);
		for (int i = 0; i < 120 && match->state == MATCH_PLAYING; i++) {
			uint32_t ply = match->ply;
			at[ply] = match->pos;
			bool bob = rng_below(&rng, 2);
			const char *who = bob ? "bob" : "ann";
			if (rng_below(&rng, 3) || ask(&p, who, &m, ply) ||
			    agree(&p, bob ? "ann" : "bob", &m, ply)) {
				play_random(&p, &rng, &m);
				continue;
			}
			assert_true(match->ply < ply);
			assert_memory_equal(&match->pos, &at[match->ply],
					    sizeof(at[0]));
		}
		play_close(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_mover_takes_back_one),
		cmocka_unit_test(he_who_is_to_move_takes_back_two),
		cmocka_unit_test(time_that_was_used_stays_used),
		cmocka_unit_test(counts_for_draws_go_back),
		cmocka_unit_test(it_is_asked_once_a_half_move),
		cmocka_unit_test(a_repeated_request_is_answered_alike),
		cmocka_unit_test(a_move_leaves_no_request),
		cmocka_unit_test(crossing_requests_are_answered_one_by_one),
		cmocka_unit_test(nothing_to_take_back),
		cmocka_unit_test(dice_cannot_be_forgotten),
		cmocka_unit_test(a_ruleset_may_forbid_it),
		cmocka_unit_test(a_personality_always_agrees),
		cmocka_unit_test(what_was_taken_back_is_no_duplicate),
		cmocka_unit_test(a_repeated_move_knows_what_it_meant),
		cmocka_unit_test(a_stale_release_starts_no_clock),
		cmocka_unit_test(a_draw_offer_lapses),
		cmocka_unit_test(not_after_the_end),
		cmocka_unit_test(a_fallen_flag_comes_first),
		cmocka_unit_test(the_log_and_the_position_agree),
	};
	return cmocka_run_group_tests_name("takebacks", tests, NULL, NULL);
}
