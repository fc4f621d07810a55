/* SPDX-License-Identifier: MIT
 * Draws by agreement: RULES of offers, and the cases of other servers. */
#include "domain/domain_priv.h"
#include "play.h"
#include "unit.h"

/* ann is white, bob black and first to move. Enough room to move for long. */
#define PLAY(p, m)                                                             \
	struct play p;                                                         \
	open_with_two(&p);                                                     \
	struct id m = play_position(&p, "english", "ann", "bob",               \
				    "B:WK29,K31,K30:BK1,K3,K2")

static void open_with_two(struct play *p)
{
	play_open(p, 1);
	play_hello(p, "ann");
	play_hello(p, "bob");
}

static int offer(struct play *p, const char *name, const struct id *m)
{
	return play_in(p, name, CMD_MATCH_OFFER_DRAW, m);
}

/* The kings go to and fro, so that no position comes three times soon. */
static void play_plies(struct play *p, const struct id *m, uint32_t count)
{
	struct rng rng;
	rng_seed(&rng, 5);
	for (uint32_t i = 0; i < count; i++)
		assert_true(play_random(p, &rng, m));
}

static void an_accepted_offer_is_a_draw(void **state)
{
	(void)state;
	PLAY(p, m);
	assert_int_equal(offer(&p, "bob", &m), PLYD_OK);
	assert_string_equal(p.facts, "draw_offered");
	assert_string_equal(p.effects, "fact answer");
	assert_int_equal(play_answer(&p, "ann", CMD_MATCH_ACCEPT_DRAW, &m, 0),
			 PLYD_OK);
	assert_string_equal(p.facts, "ended");
	assert_int_equal(play_at(&p, &m)->result, RESULT_DRAW);
	assert_int_equal(play_at(&p, &m)->reason, END_AGREED);
	assert_int_equal(play_at(&p, &m)->points, 0);
	play_close(&p);
}

/* LB-13 */
static void an_offer_stands_until_the_opponent_moves(void **state)
{
	(void)state;
	PLAY(p, m);
	offer(&p, "bob", &m);
	play_plies(&p, &m, 1); /* bob moves; his offer stands */
	assert_true(match_offer_stands_for(play_at(&p, &m), WHITE));
	play_plies(&p, &m, 1); /* ann moves; that declines it */
	assert_false(play_at(&p, &m)->offers.standing);
	assert_int_equal(play_answer(&p, "ann", CMD_MATCH_ACCEPT_DRAW, &m, 2),
			 PLYD_ENOOFFER);
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_close(&p);
}

/* LB-14 */
static void nobody_accepts_his_own_offer(void **state)
{
	(void)state;
	PLAY(p, m);
	offer(&p, "bob", &m);
	assert_int_equal(offer(&p, "bob", &m), PLYD_EOFFER);
	assert_int_equal(play_answer(&p, "bob", CMD_MATCH_ACCEPT_DRAW, &m, 0),
			 PLYD_ENOOFFER);
	assert_int_equal(play_answer(&p, "bob", CMD_MATCH_DECLINE_DRAW, &m, 0),
			 PLYD_ENOOFFER);
	assert_int_equal(play_answer(&p, "ann", CMD_MATCH_ACCEPT_DRAW, &m, 0),
			 PLYD_OK);
	assert_int_equal(play_at(&p, &m)->result, RESULT_DRAW);
	play_close(&p);
}

/* LB-16 */
static void an_offer_does_not_save_from_the_flag(void **state)
{
	(void)state;
	PLAY(p, m);
	offer(&p, "ann", &m);
	play_wait(&p, 60000);
	assert_int_equal(play_at(&p, &m)->reason, END_FLAG);
	assert_int_equal(play_at(&p, &m)->result, RESULT_WHITE);
	assert_int_equal(play_answer(&p, "bob", CMD_MATCH_ACCEPT_DRAW, &m, 0),
			 PLYD_EGAMEOVER);
	play_close(&p);
}

static void crossing_offers_agree(void **state)
{
	(void)state;
	PLAY(p, m);
	offer(&p, "bob", &m);
	assert_int_equal(offer(&p, "ann", &m), PLYD_OK);
	assert_string_equal(p.facts, "ended");
	assert_int_equal(play_at(&p, &m)->reason, END_AGREED);
	play_close(&p);
}

static void an_answer_binds_its_ply(void **state)
{
	(void)state;
	PLAY(p, m);
	offer(&p, "bob", &m);
	play_plies(&p, &m, 1);
	assert_int_equal(play_answer(&p, "ann", CMD_MATCH_ACCEPT_DRAW, &m, 0),
			 PLYD_ESTALE);
	assert_int_equal(play_answer(&p, "ann", CMD_MATCH_DECLINE_DRAW, &m, 2),
			 PLYD_ESTALE);
	assert_int_equal(play_answer(&p, "ann", CMD_MATCH_ACCEPT_DRAW, &m, 1),
			 PLYD_OK);
	play_close(&p);
}

/* Ten own moves after the refusal, and not one less. */
static void a_refused_player_waits_ten_own_moves(void **state)
{
	(void)state;
	PLAY(p, m);
	offer(&p, "bob", &m);
	assert_int_equal(play_answer(&p, "ann", CMD_MATCH_DECLINE_DRAW, &m, 0),
			 PLYD_OK);
	assert_string_equal(p.facts, "draw_declined");
	assert_int_equal(offer(&p, "bob", &m), PLYD_EOFFER);
	play_plies(&p, &m, 18);
	assert_int_equal(offer(&p, "bob", &m), PLYD_EOFFER);
	play_plies(&p, &m, 1); /* his tenth */
	assert_int_equal(offer(&p, "bob", &m), PLYD_OK);
	play_close(&p);
}

/* A move of the opponent refuses too, and own moves before do not count. */
static void the_wait_begins_with_the_refusal(void **state)
{
	(void)state;
	PLAY(p, m);
	offer(&p, "bob", &m);
	play_plies(&p, &m, 2); /* bob's move, then ann's refuses */
	play_plies(&p, &m, 18);
	assert_int_equal(offer(&p, "bob", &m), PLYD_EOFFER);
	play_plies(&p, &m, 1);
	assert_int_equal(offer(&p, "bob", &m), PLYD_OK);
	play_close(&p);
}

static void the_opponents_offer_ends_the_wait(void **state)
{
	(void)state;
	PLAY(p, m);
	offer(&p, "bob", &m);
	play_answer(&p, "ann", CMD_MATCH_DECLINE_DRAW, &m, 0);
	assert_int_equal(offer(&p, "ann", &m), PLYD_OK);
	play_answer(&p, "bob", CMD_MATCH_DECLINE_DRAW, &m, 0);
	assert_int_equal(offer(&p, "ann", &m), PLYD_EOFFER);
	assert_int_equal(offer(&p, "bob", &m), PLYD_OK);
	play_close(&p);
}

static void an_offer_is_not_wanted_everywhere(void **state)
{
	(void)state;
	struct play p;
	open_with_two(&p);
	struct id m = play_match(&p, "short-backgammon", "ann", "bob", NULL);
	assert_int_equal(offer(&p, "ann", &m), PLYD_ENODRAW);
	m = play_match(&p, "backgammon", "ann", "bob", NULL);
	assert_int_equal(offer(&p, "ann", &m), PLYD_ENOTSTARTED);
	play_nonce(&p, "ann", &m, "");
	play_nonce(&p, "bob", &m, "");
	assert_int_equal(offer(&p, "ann", &m), PLYD_OK);
	assert_int_equal(play_answer(&p, "bob", CMD_MATCH_ACCEPT_DRAW, &m, 0),
			 PLYD_OK);
	assert_int_equal(play_at(&p, &m)->result, RESULT_DRAW);
	play_close(&p);
}

/* A match of english with these offers, one capture away from progress. */
static struct id play_with(struct play *p, const struct draw_rules *draws)
{
	open_with_two(p);
	struct match_rules rules =
		*domain_rules_find(p->d, span_str("english"));
	rules.draws = *draws;
	rules.draws.no_progress = 80;
	assert_int_equal(domain_set_rules(p->d, &rules, 1), PLYD_OK);
	return play_position(p, "english", "ann", "bob", "B:WK32,5:BK1,K3,14");
}

static void a_policy_may_forbid_all_offers(void **state)
{
	(void)state;
	struct play p;
	struct id m = play_with(&p, &(struct draw_rules){ .no_offers = true });
	assert_int_equal(offer(&p, "bob", &m), PLYD_ENODRAW);
	assert_false(play_at(&p, &m)->offers.standing);
	play_close(&p);
}

static void a_policy_may_forbid_early_offers(void **state)
{
	(void)state;
	struct play p;
	struct id m = play_with(&p, &(struct draw_rules){ .offers_from = 2 });
	assert_int_equal(offer(&p, "bob", &m), PLYD_EOFFEREARLY);
	assert_int_equal(play_move(&p, "bob", &m, 0, "1-6"), PLYD_OK);
	assert_int_equal(offer(&p, "ann", &m), PLYD_EOFFEREARLY);
	assert_int_equal(play_move(&p, "ann", &m, 1, "32-27"), PLYD_OK);
	assert_int_equal(offer(&p, "bob", &m), PLYD_OK);
	play_close(&p);
}

/* One offer each; the crowning on 1 is progress, and gives both a new one. */
static void spent_offers_come_back_with_progress(void **state)
{
	(void)state;
	struct play p;
	struct id m = play_with(&p, &(struct draw_rules){ .offers_max = 1 });
	assert_int_equal(offer(&p, "bob", &m), PLYD_OK);
	play_answer(&p, "ann", CMD_MATCH_DECLINE_DRAW, &m, 0);
	assert_int_equal(offer(&p, "ann", &m), PLYD_OK);
	play_answer(&p, "bob", CMD_MATCH_DECLINE_DRAW, &m, 0);
	/* ann's offer gave him the word, but his one offer is spent */
	assert_int_equal(offer(&p, "bob", &m), PLYD_EOFFERSPENT);
	assert_int_equal(play_move(&p, "bob", &m, 0, "1-6"), PLYD_OK);
	assert_int_equal(play_move(&p, "ann", &m, 1, "5-1"), PLYD_OK);
	assert_int_equal(offer(&p, "bob", &m), PLYD_OK);
	play_close(&p);
}

/* White offers and moves on while Black, closed out, passes and passes. */
static void moves_under_a_standing_offer_do_not_count(void **state)
{
	(void)state;
	struct draw_offers o = { 0 };
	offers_made(&o, WHITE);
	for (int i = 0; i < 2 * OFFER_WAIT_MOVES; i++)
		offers_after_move(&o, WHITE);
	assert_true(o.standing);
	offers_declined(&o);
	for (int i = 0; i < OFFER_WAIT_MOVES; i++) {
		assert_true(o.spent[WHITE]);
		offers_after_move(&o, WHITE);
	}
	assert_false(o.spent[WHITE]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_policy_may_forbid_all_offers),
		cmocka_unit_test(a_policy_may_forbid_early_offers),
		cmocka_unit_test(spent_offers_come_back_with_progress),
		cmocka_unit_test(moves_under_a_standing_offer_do_not_count),
		cmocka_unit_test(an_accepted_offer_is_a_draw),
		cmocka_unit_test(an_offer_stands_until_the_opponent_moves),
		cmocka_unit_test(nobody_accepts_his_own_offer),
		cmocka_unit_test(an_offer_does_not_save_from_the_flag),
		cmocka_unit_test(crossing_offers_agree),
		cmocka_unit_test(an_answer_binds_its_ply),
		cmocka_unit_test(a_refused_player_waits_ten_own_moves),
		cmocka_unit_test(the_wait_begins_with_the_refusal),
		cmocka_unit_test(the_opponents_offer_ends_the_wait),
		cmocka_unit_test(an_offer_is_not_wanted_everywhere),
	};
	return cmocka_run_group_tests_name("offers", tests, NULL, NULL);
}
