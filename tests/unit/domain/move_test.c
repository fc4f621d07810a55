/* SPDX-License-Identifier: MIT
 * Moves, clocks, and the ends of matches. */
#include "play.h"
#include "unit.h"

#include "base/rng.h"

#include <string.h>

/* ann is white, bob black and first to move, cay has no seat. */
#define PLAY(p, m)                                                             \
	struct play p;                                                         \
	open_with_three(&p);                                                   \
	struct id m = play_match(&p, "english", "ann", "bob", NULL)

static void open_with_three(struct play *p)
{
	play_open(p, 1);
	play_hello(p, "ann");
	play_hello(p, "bob");
	play_hello(p, "cay");
}

/* -- moves -- */

static void a_move_is_played_and_told(void **state)
{
	(void)state;
	PLAY(p, m);
	assert_string_equal(p.effects, "answer lobby started release |");
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_OK);
	assert_string_equal(p.facts, "moved |");
	assert_string_equal(p.effects, "fact answer release |");
	assert_string_equal(p.move, "11-15");
	assert_int_equal(p.answer.ply, 0);
	assert_int_equal(p.answer.seq, 2); /* the beginning is event 1 */
	assert_false(p.answer.duplicate);
	assert_int_equal(play_move(&p, "ann", &m, 1, "22-18"), PLYD_OK);
	assert_int_equal(p.answer.seq, 3);
	assert_true(
		span_is(buf_span(&play_at(&p, &m)->moves), "11-15\n22-18\n"));
	play_close(&p);
}

/* Random games, with captures and crownings: the answer to a repeated half-move
 * is the first one. */
static void a_repeated_move_is_answered_alike(void **state)
{
	static const char *const rulesets[] = { "english", "turkish" };
	static struct move_list list;
	struct play p;
	struct rng rng;
	int crowned = 0;
	(void)state;
	rng_seed(&rng, 7);
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	for (int n = 0; n < 20; n++) {
		struct id id =
			play_match(&p, rulesets[n % 2], "ann", "bob", NULL);
		const struct match *m = play_at(&p, &id);
		while (m->state == MATCH_PLAYING && m->ply < 150) {
			const char *who =
				match_turn(m) == WHITE ? "ann" : "bob";
			uint32_t ply = m->ply;
			char text[MOVE_TEXT_MAX];
			const struct ruleset *rules = &m->rules->rules;
			assert_int_equal(game_moves(rules, &m->pos, &list), 0);
			const struct move *move =
				&list.move[rng_below(&rng,
						     (uint32_t)list.count)];
			crowned += move->crowned;
			game_move_text(rules, &m->pos, move, text);
			assert_int_equal(play_move(&p, who, &id, ply, text),
					 PLYD_OK);
			uint64_t seq = p.answer.seq;
			struct position after = *p.answer.after;
			assert_int_equal(play_move(&p, who, &id, ply, text),
					 PLYD_OK);
			assert_true(p.answer.duplicate);
			assert_int_equal(p.answer.ply, ply);
			assert_int_equal(p.answer.seq, seq);
			assert_string_equal(p.move, text);
			assert_memory_equal(p.answer.after, &after,
					    sizeof(after));
			assert_memory_equal(p.answer.after, &m->pos,
					    sizeof(after));
		}
		if (m->state == MATCH_PLAYING)
			play_in(&p, "ann", CMD_MATCH_RESIGN, &id);
	}
	assert_in_range(crowned, 10, 1000);
	play_close(&p);
}

static const struct refused_move {
	const char *name;
	const char *who;
	uint32_t ply;
	const char *text;
	int err;
} refused_moves[] = {
	/* after 11-15 22-18, black to move with ply 2 */
	{ "no seat before a duplicate", "cay", 0, "11-15", PLYD_ESEAT },
	{ "a duplicate", "bob", 0, "11-15", PLYD_OK },
	{ "a duplicate before not_your_turn", "ann", 1, "22-18", PLYD_OK },
	{ "a duplicate written otherwise", "bob", 0, "c3-d4", PLYD_OK },
	{ "another move at a past ply", "bob", 0, "11-16", PLYD_ESTALE },
	{ "nonsense at a past ply", "bob", 0, "?", PLYD_ESTALE },
	{ "a ply to come", "bob", 3, "15x22", PLYD_ESTALE },
	{ "stale before not_your_turn", "ann", 1, "21-17", PLYD_ESTALE },
	{ "not your turn", "ann", 2, "21-17", PLYD_ETURN },
	{ "not your turn before the rules", "ann", 2, "?", PLYD_ETURN },
	{ "the rules", "bob", 2, "12-16", PLYD_EILLEGAL },
};

static void a_move_is_judged_in_order(void **state)
{
	const struct refused_move *row = *state;
	PLAY(p, m);
	play_move(&p, "bob", &m, 0, "11-15");
	uint64_t seq = p.answer.seq;
	play_move(&p, "ann", &m, 1, "22-18");
	struct match before = *play_at(&p, &m);
	assert_int_equal(play_move(&p, row->who, &m, row->ply, row->text),
			 row->err);
	assert_string_equal(p.facts, "");
	assert_memory_equal(play_at(&p, &m), &before, sizeof(before));
	if (!row->err) {
		assert_true(p.answer.duplicate);
		assert_int_equal(p.answer.ply, row->ply);
		assert_int_equal(p.answer.seq, seq + row->ply);
		assert_string_equal(p.move, row->ply ? "22-18" : "11-15");
	}
	if (row->err == PLYD_EILLEGAL)
		assert_string_equal(p.refusal, "must_capture");
	play_close(&p);
}

static void the_end_is_judged_after_staleness_and_before_the_turn(void **state)
{
	(void)state;
	PLAY(p, m);
	play_move(&p, "bob", &m, 0, "11-15");
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_OK);
	assert_true(p.answer.duplicate);
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-16"), PLYD_ESTALE);
	assert_int_equal(play_move(&p, "bob", &m, 1, "12-16"), PLYD_EGAMEOVER);
	assert_int_equal(play_move(&p, "ann", &m, 1, "22-18"), PLYD_EGAMEOVER);
	assert_int_equal(play_move(&p, "cay", &m, 1, "22-18"), PLYD_ESEAT);
	struct id none = { "aaaaaaaaaa" };
	assert_int_equal(play_move(&p, "ann", &none, 1, "22-18"),
			 PLYD_ENOMATCH);
	play_close(&p);
}

/* -- clocks -- */

static void only_released_time_is_charged(void **state)
{
	(void)state;
	struct play p;
	open_with_three(&p);
	p.hold = true;
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	play_wait(&p, 5000); /* the commit takes its time */
	assert_false(match_clock_runs(play_at(&p, &m)));
	play_perform(&p);
	play_wait(&p, 1234);
	assert_int_equal(match_left_ms(play_at(&p, &m), BLACK, p.now_ms),
			 60000 - 1234);
	play_move(&p, "bob", &m, 0, "11-15");
	assert_int_equal(play_at(&p, &m)->left_ms[BLACK], 60000 - 1234 + 1000);
	/* nobody's clock runs until this move is durable */
	play_wait(&p, 70000);
	assert_int_equal(play_at(&p, &m)->left_ms[WHITE], 60000);
	play_move(&p, "ann", &m, 1, "22-18");
	assert_int_equal(play_at(&p, &m)->left_ms[WHITE], 61000);
	/* the release of the ply before comes late and starts no clock */
	assert_int_equal(p.waiting_count, 2);
	struct command late = p.waiting[0];
	late.now_ms = p.now_ms;
	domain_step(p.d, &late);
	assert_false(play_at(&p, &m)->released);
	play_close(&p);
}

static void a_release_counts_once(void **state)
{
	(void)state;
	PLAY(p, m);
	play_wait(&p, 1000);
	play_do(&p, "", (struct command){ .type = CMD_RELEASED, .match = m });
	play_wait(&p, 1000);
	play_move(&p, "bob", &m, 0, "11-15");
	assert_int_equal(play_at(&p, &m)->left_ms[BLACK], 59000);
	play_close(&p);
}

static void a_flag_falls_at_its_millisecond(void **state)
{
	(void)state;
	PLAY(p, m);
	play_wait(&p, 59999);
	assert_string_equal(p.facts, "");
	assert_int_equal(domain_next_due_ms(p.d), 60000);
	play_wait(&p, 1);
	assert_string_equal(p.facts, "| ended");
	assert_string_equal(p.effects, "| fact finished");
	const struct match *at = play_at(&p, &m);
	assert_int_equal(at->reason, END_FLAG);
	assert_int_equal(at->result, RESULT_WHITE);
	assert_int_equal(at->points, 1);
	assert_int_equal(at->left_ms[BLACK], 0);
	assert_int_equal(at->left_ms[WHITE], 60000);
	play_close(&p);
}

static void the_last_millisecond_can_be_used(void **state)
{
	(void)state;
	PLAY(p, m);
	p.now_ms += 59999;
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->left_ms[BLACK], 1001);
	play_close(&p);
}

/* A move in the same millisecond as the flag: the flag, whichever is first. */
static void a_move_after_the_flag_is_refused(void **state)
{
	(void)state;
	PLAY(p, m);
	p.now_ms += 60000;
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_EFLAG);
	assert_int_equal(play_move(&p, "bob", &m, 0, "1-2"), PLYD_EFLAG);
	assert_int_equal(play_move(&p, "bob", &m, 1, "11-15"), PLYD_ESTALE);
	assert_int_equal(play_move(&p, "ann", &m, 0, "22-18"), PLYD_ETURN);
	play_wait(&p, 0);
	assert_string_equal(p.facts, "| ended");
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_EGAMEOVER);
	play_close(&p);
}

/* LB-36: a late message does not make the wrong side lose. */
static void only_the_side_to_move_can_lose_on_time(void **state)
{
	(void)state;
	PLAY(p, m);
	play_wait(&p, 59000);
	play_move(&p, "bob", &m, 0, "11-15");
	/* black has 2 s left, but white's clock runs */
	play_wait(&p, 59999);
	assert_string_equal(p.facts, "");
	play_wait(&p, 1);
	assert_int_equal(play_at(&p, &m)->result, RESULT_BLACK);
	play_close(&p);
}

static void commands_after_the_flag_find_the_game_over(void **state)
{
	(void)state;
	static const enum command_type types[] = {
		CMD_MATCH_RESIGN,      CMD_MATCH_OFFER_DRAW,
		CMD_MATCH_ACCEPT_DRAW, CMD_MATCH_DECLINE_DRAW,
		CMD_MATCH_ABORT,       CMD_MATCH_CLAIM,
	};
	static const char *const names[] = { "ann", "bob" };
	for (size_t i = 0; i < 2 * COUNT(types); i++) {
		PLAY(p, m);
		play_in(&p, "ann", CMD_MATCH_OFFER_DRAW, &m);
		p.now_ms += 60000;
		assert_int_equal(play_in(&p, names[i % 2], types[i / 2], &m),
				 PLYD_EGAMEOVER);
		assert_string_equal(p.facts, "ended");
		assert_int_equal(play_at(&p, &m)->reason, END_FLAG);
		assert_int_equal(play_at(&p, &m)->result, RESULT_WHITE);
		play_close(&p);
	}
}

static void without_a_clock_no_flag_falls(void **state)
{
	(void)state;
	struct play p;
	open_with_three(&p);
	struct clock_rules none = { .kind = CLOCK_UNLIMITED };
	struct id m = play_match(&p, "english", "ann", "bob", &none);
	assert_true(play_at(&p, &m)->due.at_ms == UINT64_MAX);
	play_wait(&p, 100000000);
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->left_ms[BLACK], 0);
	assert_int_equal(match_left_ms(play_at(&p, &m), WHITE, p.now_ms), 0);
	play_close(&p);
}

static void no_clock_goes_over_the_greatest(void **state)
{
	(void)state;
	struct play p;
	open_with_three(&p);
	struct match_rules rules = *domain_rules_find(p.d, span_str("english"));
	rules.clock.base_ms = rules.clock_limits.base_ms_max = CLOCK_MS_MAX;
	domain_set_rules(p.d, &rules, 1);
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	play_wait(&p, 400);
	play_move(&p, "bob", &m, 0, "11-15");
	assert_int_equal(play_at(&p, &m)->left_ms[BLACK], CLOCK_MS_MAX);
	play_close(&p);
}

/* Both may stay away from a match without a clock, but not for ever. */
static void an_adjourned_match_is_aborted_at_last(void **state)
{
	(void)state;
	struct play p;
	open_with_three(&p);
	struct clock_rules none = { .kind = CLOCK_UNLIMITED };
	struct id m = play_match(&p, "english", "ann", "bob", &none);
	uint64_t keep = (uint64_t)p.limits.adjourned_keep_ms;
	play_gone(&p, "ann");
	play_wait(&p, 2 * keep);
	play_gone(&p, "bob");
	play_wait(&p, keep - 1);
	play_resume(&p, "ann");
	play_wait(&p, keep);
	play_gone(&p, "ann");
	play_wait(&p, keep - 1);
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_wait(&p, 1);
	assert_int_equal(play_at(&p, &m)->result, RESULT_ABORTED);
	assert_int_equal(play_at(&p, &m)->reason, END_ABORTED);
	play_close(&p);
}

/* LB-06: one of the two never comes. */
static void who_never_comes_loses_on_time(void **state)
{
	(void)state;
	struct play p;
	open_with_three(&p);
	play_create(&p, "bob", "english",
		    (struct cmd_lobby_create){ .side = BLACK, .ready = true });
	struct id l = p.lobby;
	play_gone(&p, "bob");
	play_join(&p, "ann", &l, true);
	struct id m = p.match;
	assert_false(play_at(&p, &m)->here[BLACK]);
	play_wait(&p, 60000);
	assert_int_equal(play_at(&p, &m)->result, RESULT_WHITE);
	assert_int_equal(play_join(&p, "ann", &l, true), PLYD_ENOLOBBY);
	assert_int_equal(play_create(&p, "ann", "english",
				     (struct cmd_lobby_create){ 0 }),
			 PLYD_OK);
	play_close(&p);
}

/* -- ends -- */

static const char *const win_in_one = "B:W18:B14";

/* LB-18, both orders */
static void a_winning_move_and_a_resignation_give_one_result(void **state)
{
	(void)state;
	for (int order = 0; order < 2; order++) {
		struct play p;
		open_with_three(&p);
		struct id m =
			play_position(&p, "english", "ann", "bob", win_in_one);
		int moved, resigned;
		if (order == 0) {
			moved = play_move(&p, "bob", &m, 0, "14x23");
			assert_string_equal(p.facts, "moved ended");
			assert_string_equal(p.effects,
					    "fact answer fact finished");
			resigned = play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
		} else {
			resigned = play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
			assert_string_equal(p.effects, "fact finished answer");
			moved = play_move(&p, "bob", &m, 0, "14x23");
		}
		const struct match *at = play_at(&p, &m);
		assert_int_equal(at->result, RESULT_BLACK);
		assert_int_equal(at->reason,
				 order == 0 ? END_NO_PIECES : END_RESIGNED);
		assert_int_equal(moved, order == 0 ? PLYD_OK : PLYD_EGAMEOVER);
		assert_int_equal(resigned,
				 order == 0 ? PLYD_EGAMEOVER : PLYD_OK);
		assert_int_equal(at->ply, order == 0 ? 1 : 0);
		/* the winning move again gets its first answer again */
		if (order == 0) {
			assert_int_equal(play_move(&p, "bob", &m, 0, "14x23"),
					 PLYD_OK);
			assert_true(p.answer.duplicate);
			assert_string_equal(p.facts, "");
		}
		play_close(&p);
	}
}

/* LB-20: readings are equal, and no timer of the match is active. */
static void clocks_stop_with_the_match(void **state)
{
	(void)state;
	PLAY(p, m);
	play_wait(&p, 7000);
	play_in(&p, "bob", CMD_MATCH_RESIGN, &m);
	const struct match *at = play_at(&p, &m);
	assert_int_equal(match_left_ms(at, BLACK, p.now_ms), 53000);
	play_wait(&p, 2000);
	assert_int_equal(match_left_ms(at, BLACK, p.now_ms), 53000);
	assert_int_equal(domain_next_due_ms(p.d),
			 7000 + (uint64_t)p.limits.result_keep_ms);
	play_wait(&p, 200000);
	assert_string_equal(p.facts, "");
	play_close(&p);
}

static void a_result_is_kept_and_then_forgotten(void **state)
{
	(void)state;
	PLAY(p, m);
	play_in(&p, "cay", CMD_MATCH_WATCH, &m);
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	assert_int_equal(domain_match_count(p.d), 0);
	play_wait(&p, (uint64_t)p.limits.result_keep_ms - 1);
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_GET, &m), PLYD_OK);
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_RESIGN, &m),
			 PLYD_EGAMEOVER);
	play_wait(&p, 1);
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_GET, &m), PLYD_ENOMATCH);
	assert_int_equal(domain_player(p.d, &play_who(&p, "cay")->id)
				 ->watch_count,
			 0);
	play_close(&p);
}

static void a_match_is_aborted_before_two_plies(void **state)
{
	(void)state;
	for (uint32_t plies = 0; plies <= 2; plies++) {
		PLAY(p, m);
		if (plies > 0)
			play_move(&p, "bob", &m, 0, "11-15");
		if (plies > 1)
			play_move(&p, "ann", &m, 1, "22-18");
		assert_int_equal(play_in(&p, "cay", CMD_MATCH_ABORT, &m),
				 PLYD_ESEAT);
		assert_int_equal(play_in(&p, plies ? "ann" : "bob",
					 CMD_MATCH_ABORT, &m),
				 plies < 2 ? PLYD_OK : PLYD_EABORT);
		if (plies < 2) {
			assert_int_equal(play_at(&p, &m)->result,
					 RESULT_ABORTED);
			assert_int_equal(play_at(&p, &m)->points, 0);
		}
		play_close(&p);
	}
}

/* -- leaving and coming back -- */

static void who_stayed_may_claim(void **state)
{
	(void)state;
	for (int win = 0; win < 2; win++) {
		struct play p;
		open_with_three(&p);
		struct clock_rules none = { .kind = CLOCK_UNLIMITED };
		struct id m = play_match(&p, "english", "ann", "bob", &none);
		uint64_t after = (uint64_t)p.limits.claim_after_ms;
		assert_int_equal(play_claim(&p, "ann", &m, true), PLYD_ECLAIM);
		play_gone(&p, "bob");
		assert_string_equal(p.effects, "presence");
		play_wait(&p, after - 1);
		assert_int_equal(play_claim(&p, "ann", &m, win), PLYD_ECLAIM);
		assert_int_equal(play_claim(&p, "cay", &m, win), PLYD_ESEAT);
		play_wait(&p, 1);
		assert_int_equal(play_claim(&p, "ann", &m, win), PLYD_OK);
		const struct match *at = play_at(&p, &m);
		assert_int_equal(at->reason, END_CLAIMED);
		assert_int_equal(at->result, win ? RESULT_WHITE : RESULT_DRAW);
		assert_int_equal(at->points, win);
		play_close(&p);
	}
}

/* LB-25: his return clears what could be claimed, also when he leaves again. */
static void a_return_clears_the_claim(void **state)
{
	(void)state;
	struct play p;
	open_with_three(&p);
	struct clock_rules none = { .kind = CLOCK_UNLIMITED };
	struct id m = play_match(&p, "english", "ann", "bob", &none);
	uint64_t after = (uint64_t)p.limits.claim_after_ms;
	play_gone(&p, "bob");
	play_wait(&p, after);
	play_resume(&p, "bob");
	assert_int_equal(play_claim(&p, "ann", &m, true), PLYD_ECLAIM);
	play_gone(&p, "bob");
	play_wait(&p, after - 1);
	assert_int_equal(play_claim(&p, "ann", &m, true), PLYD_ECLAIM);
	play_wait(&p, 1);
	assert_int_equal(play_claim(&p, "ann", &m, true), PLYD_OK);
	play_close(&p);
}

/* LB-03: out once, and no timer of the first drop acts any more. */
static void leaving_after_a_return_happens_once(void **state)
{
	(void)state;
	PLAY(p, m);
	play_gone(&p, "bob");
	play_wait(&p, 10000);
	play_resume(&p, "bob");
	assert_int_equal(play_in(&p, "bob", CMD_MATCH_RESIGN, &m), PLYD_OK);
	play_wait(&p, (uint64_t)p.limits.result_keep_ms - 1);
	assert_string_equal(p.facts, "");
	assert_int_equal(play_at(&p, &m)->seq, 2);
	assert_int_equal(domain_match_count(p.d), 0);
	play_close(&p);
}

static void a_clock_runs_on_for_the_absent(void **state)
{
	(void)state;
	PLAY(p, m);
	play_wait(&p, 1000);
	play_gone(&p, "bob");
	play_wait(&p, 1000);
	play_resume(&p, "bob");
	assert_int_equal(match_left_ms(play_at(&p, &m), BLACK, p.now_ms),
			 58000);
	play_close(&p);
}

/* -- spectators -- */

/* LB-09: snapshot and subscription are one step, and no double. */
static void who_watches_twice_watches_once(void **state)
{
	(void)state;
	PLAY(p, m);
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_WATCH, &m), PLYD_OK);
	assert_string_equal(p.effects, "answer");
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_WATCH, &m), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->watcher_count, 1);
	/* LB-26: a seat is no spectator of its own match */
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_WATCH, &m), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->watcher_count, 1);
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_UNWATCH, &m), PLYD_OK);
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_UNWATCH, &m), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->watcher_count, 0);
	play_in(&p, "cay", CMD_MATCH_WATCH, &m);
	play_gone(&p, "cay");
	assert_int_equal(play_at(&p, &m)->watcher_count, 0);
	struct id none = { "aaaaaaaaaa" };
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_WATCH, &none),
			 PLYD_ENOMATCH);
	play_close(&p);
}

static void watching_is_given_up_with_the_connection(void **state)
{
	(void)state;
	PLAY(p, m);
	play_in(&p, "cay", CMD_MATCH_WATCH, &m);
	play_resume(&p, "cay");
	assert_int_equal(play_at(&p, &m)->watcher_count, 0);
	play_close(&p);
}

static void watched_matches_have_a_maximum(void **state)
{
	(void)state;
	struct play p;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.watches_per_player = 2;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	play_hello(&p, "cay");
	struct id m[3];
	for (int i = 0; i < 3; i++)
		m[i] = play_personality(&p, "english", "ann", WHITE);
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_WATCH, &m[0]), PLYD_OK);
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_WATCH, &m[1]), PLYD_OK);
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_WATCH, &m[2]),
			 PLYD_ETOOMANY);
	assert_int_equal(play_in(&p, "cay", CMD_MATCH_WATCH, &m[0]), PLYD_OK);
	play_close(&p);
}

/* -- freezing -- */

static void a_fact_that_does_not_apply_freezes_its_match(void **state)
{
	(void)state;
	PLAY(p, m);
	struct id other = play_match(&p, "english", "ann", "bob", NULL);
	struct fact f = { .type = FACT_MOVED,
			  .match = m,
			  .moved = { 5, BLACK, span_str("11-15"), false, 0,
				     60000, 0 } };
	assert_int_equal(domain_apply(p.d, &f), PLYD_ERECORD);
	assert_int_equal(play_at(&p, &m)->state, MATCH_FROZEN);
	assert_null(domain_invariant_broken(p.d));
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_EFROZEN);
	assert_int_equal(play_in(&p, "bob", CMD_MATCH_RESIGN, &m),
			 PLYD_EFROZEN);
	assert_int_equal(play_in(&p, "bob", CMD_MATCH_GET, &m), PLYD_OK);
	assert_int_equal(play_move(&p, "bob", &other, 0, "11-15"), PLYD_OK);
	play_wait(&p, 59999);
	assert_string_equal(p.facts, "");
	play_wait(&p, 1000000);
	assert_int_equal(play_at(&p, &m)->state, MATCH_FROZEN);
	/* a frozen match keeps nobody */
	play_gone(&p, "ann");
	play_gone(&p, "bob");
	play_wait(&p, (uint64_t)p.limits.guest_keep_ms);
	assert_int_equal(domain_player_count(p.d), 1);
	play_close(&p);
}

static const struct odd_fact {
	const char *name;
	const char *ruleset;
	struct fact fact;
} odd_facts[] = {
	{ "begun again", "english", { .type = FACT_BEGUN } },
	{ "a nonce without dice",
	  "english",
	  { .type = FACT_NONCE, .nonce = { .side = WHITE } } },
	{ "a nonce too long",
	  "backgammon",
	  { .type = FACT_NONCE,
	    .nonce = { BLACK,
		       { (const uint8_t *)"123456789012345678901234567"
					  "890123",
			 33 } } } },
	{ "a second nonce",
	  "backgammon",
	  { .type = FACT_NONCE, .nonce = { .side = WHITE } } },
	{ "a roll without dice",
	  "english",
	  { .type = FACT_ROLLED,
	    .rolled = { 0, BLACK, 0, 1, 2, false, 0, 0 } } },
	{ "a seven",
	  "backgammon",
	  { .type = FACT_ROLLED,
	    .rolled = { 0, WHITE, 0, 7, 2, false, 0, 0 } } },
	{ "a roll left out",
	  "backgammon",
	  { .type = FACT_ROLLED,
	    .rolled = { 0, WHITE, 1, 1, 2, false, 0, 0 } } },
	{ "an opening throw where white begins",
	  "backgammon",
	  { .type = FACT_OPENING_THROW, .opening_throw = { 0, 1, 2 } } },
	{ "a move of the other",
	  "english",
	  { .type = FACT_MOVED,
	    .moved = { .side = WHITE,
		       .move = { (const uint8_t *)"22-18", 5 } } } },
	{ "a clock below zero",
	  "english",
	  { .type = FACT_MOVED,
	    .moved = { .side = BLACK,
		       .move = { (const uint8_t *)"11-15", 5 },
		       .left_ms = -1 } } },
	{ "a move before the nonces",
	  "backgammon",
	  { .type = FACT_MOVED,
	    .moved = { .side = WHITE,
		       .move = { (const uint8_t *)"24/23", 5 } } } },
	{ "a pass of the other",
	  "english",
	  { .type = FACT_PASSED, .passed = { 0, WHITE, 0, 0, 0 } } },
	{ "an offer before the nonces",
	  "backgammon",
	  { .type = FACT_DRAW_OFFERED, .draw_offered = { 0, WHITE } } },
	{ "an offer of nobody",
	  "english",
	  { .type = FACT_DRAW_OFFERED, .draw_offered = { 0, 2 } } },
	{ "an end without a reason", "english", { .type = FACT_ENDED } },
	{ "an end without a result",
	  "english",
	  { .type = FACT_ENDED,
	    .ended = { .result = 4,
		       .reason = { (const uint8_t *)"flag", 4 } } } },
};

static void an_odd_fact_freezes(void **state)
{
	const struct odd_fact *row = *state;
	struct play p;
	open_with_three(&p);
	struct id m = play_match(&p, row->ruleset, "ann", "bob", NULL);
	if (ruleset_has_dice(&play_at(&p, &m)->rules->rules))
		play_nonce(&p, "ann", &m, "");
	struct fact f = row->fact;
	f.match = m;
	assert_int_equal(domain_apply(p.d, &f), PLYD_ERECORD);
	assert_int_equal(play_at(&p, &m)->state, MATCH_FROZEN);
	assert_null(domain_invariant_broken(p.d));
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_move_is_played_and_told),
		cmocka_unit_test(
			the_end_is_judged_after_staleness_and_before_the_turn),
		cmocka_unit_test(a_repeated_move_is_answered_alike),
		cmocka_unit_test(only_released_time_is_charged),
		cmocka_unit_test(a_release_counts_once),
		cmocka_unit_test(a_flag_falls_at_its_millisecond),
		cmocka_unit_test(the_last_millisecond_can_be_used),
		cmocka_unit_test(a_move_after_the_flag_is_refused),
		cmocka_unit_test(only_the_side_to_move_can_lose_on_time),
		cmocka_unit_test(commands_after_the_flag_find_the_game_over),
		cmocka_unit_test(without_a_clock_no_flag_falls),
		cmocka_unit_test(no_clock_goes_over_the_greatest),
		cmocka_unit_test(an_adjourned_match_is_aborted_at_last),
		cmocka_unit_test(who_never_comes_loses_on_time),
		cmocka_unit_test(
			a_winning_move_and_a_resignation_give_one_result),
		cmocka_unit_test(clocks_stop_with_the_match),
		cmocka_unit_test(a_result_is_kept_and_then_forgotten),
		cmocka_unit_test(a_match_is_aborted_before_two_plies),
		cmocka_unit_test(who_stayed_may_claim),
		cmocka_unit_test(a_return_clears_the_claim),
		cmocka_unit_test(leaving_after_a_return_happens_once),
		cmocka_unit_test(a_clock_runs_on_for_the_absent),
		cmocka_unit_test(who_watches_twice_watches_once),
		cmocka_unit_test(watching_is_given_up_with_the_connection),
		cmocka_unit_test(watched_matches_have_a_maximum),
		cmocka_unit_test(a_fact_that_does_not_apply_freezes_its_match),
	};
	int failed = cmocka_run_group_tests_name("moves", tests, NULL, NULL);
	failed += RUN_TABLE("odd facts", odd_facts, an_odd_fact_freezes);
	return failed + RUN_TABLE("refused moves", refused_moves,
				  a_move_is_judged_in_order);
}
