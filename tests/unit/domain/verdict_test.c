/* SPDX-License-Identifier: MIT
 * A draw policy with a script: asked after each half-move is durable, with the
 * clock held, and able to add a verdict but to hurt nothing. */
#include "play.h"
#include "unit.h"

#include <string.h>

/* ann is white, ben is black and first to move; a policy has a script. */
static struct id judged_match(struct play *p)
{
	struct match_rules rules;
	play_open(p, 1);
	rules = *domain_rules_find(p->d, span_str("english"));
	rules.draws.judged = true;
	assert_int_equal(domain_set_rules(p->d, &rules, 1), PLYD_OK);
	play_hello(p, "ann");
	play_hello(p, "ben");
	return play_match(p, "english", "ann", "ben", NULL);
}

static void verdict(struct play *p, const struct id *m, struct cmd_verdict v)
{
	play_do(p, "",
		(struct command){
			.type = CMD_VERDICT, .match = *m, .verdict = v });
}

static void the_first_position_is_nobodys_move(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	assert_true(play_at(&p, &m)->released);
	assert_false(play_at(&p, &m)->judging);
	play_close(&p);
}

static void the_clock_is_held_until_the_verdict(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	play_move(&p, "ben", &m, 0, "11-15");
	assert_true(play_at(&p, &m)->judging);
	assert_non_null(strstr(p.effects, "judge"));
	play_wait(&p, 30);
	assert_int_equal(match_left_ms(play_at(&p, &m), WHITE, p.now_ms),
			 60000);
	verdict(&p, &m, (struct cmd_verdict){ .ply = 1 });
	assert_true(play_at(&p, &m)->released);
	play_wait(&p, 1000);
	play_move(&p, "ann", &m, 1, "22-18");
	assert_int_equal(play_at(&p, &m)->left_ms[WHITE], 60000);
	play_close(&p);
}

static void a_warning_is_told_and_the_match_goes_on(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	play_move(&p, "ben", &m, 0, "11-15");
	verdict(&p, &m,
		(struct cmd_verdict){ .ply = 1,
				      .warns = true,
				      .words = span_str("ten moves left") });
	assert_string_equal(p.facts, "warned");
	assert_true(play_at(&p, &m)->released);
	play_move(&p, "ann", &m, 1, "22-18");
	assert_int_equal(play_at(&p, &m)->ply, 2);
	play_close(&p);
}

static void a_late_verdict_is_dropped(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	play_move(&p, "ben", &m, 0, "11-15");
	play_wait(&p, (uint64_t)p.limits.verdict_wait_ms - 1);
	assert_true(play_at(&p, &m)->judging);
	play_wait(&p, 1);
	assert_true(play_at(&p, &m)->released);
	verdict(&p, &m,
		(struct cmd_verdict){
			.ply = 1, .ends = true, .result = RESULT_DRAW });
	assert_string_equal(p.facts, "");
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_close(&p);
}

static void a_verdict_about_another_position_is_dropped(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	struct cmd_verdict draw = { .ply = 1,
				    .ends = true,
				    .result = RESULT_DRAW };
	play_move(&p, "ben", &m, 0, "11-15");
	verdict(&p, &m, (struct cmd_verdict){ .ply = 1 });
	play_move(&p, "ann", &m, 1, "22-18");
	assert_int_equal(p.err, PLYD_OK);
	assert_true(play_at(&p, &m)->judging);
	verdict(&p, &m, draw);
	assert_string_equal(p.facts, "");
	assert_true(play_at(&p, &m)->judging);
	play_close(&p);
}

static void a_move_before_the_verdict_waits_for_it(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	play_move(&p, "ben", &m, 0, "11-15");
	play_move(&p, "ann", &m, 1, "22-18");
	assert_false(p.answered);
	assert_int_equal(play_at(&p, &m)->ply, 1);
	play_wait(&p, 20);
	verdict(&p, &m, (struct cmd_verdict){ .ply = 1 });
	assert_true(p.answered);
	assert_int_equal(p.err, PLYD_OK);
	assert_int_equal(play_at(&p, &m)->ply, 2);
	assert_int_equal(play_at(&p, &m)->left_ms[WHITE], 61000);
	play_close(&p);
}

static void and_when_that_ends_the_match_is_told(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	play_move(&p, "ben", &m, 0, "11-15");
	play_move(&p, "ann", &m, 1, "22-18");
	verdict(&p, &m,
		(struct cmd_verdict){
			.ply = 1, .ends = true, .result = RESULT_DRAW });
	assert_int_equal(p.err, PLYD_EGAMEOVER);
	assert_string_equal(p.facts, "ended");
	assert_int_equal(play_at(&p, &m)->reason, END_POLICY);
	play_close(&p);
}

static void and_no_longer_than_the_clock_is_held(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	play_move(&p, "ben", &m, 0, "11-15");
	play_move(&p, "ann", &m, 1, "22-18");
	play_wait(&p, (uint64_t)p.limits.verdict_wait_ms - 1);
	assert_int_equal(play_at(&p, &m)->ply, 1);
	play_wait(&p, 1);
	assert_int_equal(play_at(&p, &m)->ply, 2);
	play_close(&p);
}

/* A double click, and the same again over a new connection. */
static void a_move_that_waits_twice_is_played_once(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	play_move(&p, "ben", &m, 0, "11-15");
	play_move(&p, "ann", &m, 1, "22-18");
	play_gone(&p, "ann");
	play_resume(&p, "ann");
	play_move(&p, "ann", &m, 1, "22-18");
	play_move(&p, "ann", &m, 1, "24-20");
	verdict(&p, &m, (struct cmd_verdict){ .ply = 1 });
	assert_string_equal(p.facts, "moved |");
	assert_string_equal(p.effects,
			    "fact answer release answer refuse | judge");
	assert_int_equal(p.err, PLYD_ESTALE); /* the last, another move */
	play_close(&p);
}

static void only_so_many_moves_wait(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	play_move(&p, "ben", &m, 0, "11-15");
	for (int i = 0; i < HELD_MOVES_MAX; i++)
		play_move(&p, "ann", &m, 1, "22-18");
	play_move(&p, "ann", &m, 1, "22-18");
	assert_int_equal(p.err, PLYD_EJUDGING);
	assert_int_equal(play_move(&p, "ann", &m, 1, "24-20"), PLYD_EJUDGING);
	assert_int_equal(play_move(&p, "ann", &m, 1, "22-99"), PLYD_EILLEGAL);
	play_close(&p);
}

/* Before the commit, too: it was guessed and not told. */
static void a_guessed_move_waits_as_well(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	p.hold = true;
	play_move(&p, "ben", &m, 0, "11-15");
	play_move(&p, "ann", &m, 1, "22-18");
	assert_false(p.answered);
	play_perform(&p);
	assert_true(play_at(&p, &m)->judging);
	verdict(&p, &m,
		(struct cmd_verdict){
			.ply = 1, .ends = true, .result = RESULT_DRAW });
	assert_int_equal(p.err, PLYD_EGAMEOVER);
	play_close(&p);
}

static void who_resigns_need_not_wait(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	play_move(&p, "ben", &m, 0, "11-15");
	play_move(&p, "ann", &m, 1, "22-18");
	play_in(&p, "ben", CMD_MATCH_RESIGN, &m);
	assert_string_equal(p.facts, "ended");
	assert_int_equal(play_at(&p, &m)->reason, END_RESIGNED);
	play_close(&p);
}

static const struct ending {
	const char *name;
	enum match_result result;
	int points;
} endings[] = {
	{ "draw", RESULT_DRAW, 0 },
	{ "white", RESULT_WHITE, 1 },
	{ "black", RESULT_BLACK, 1 },
};

static void it_ends_the_match_with_its_words(void **state)
{
	const struct ending *row = *state;
	struct play p;
	struct id m = judged_match(&p);
	play_move(&p, "ben", &m, 0, "11-15");
	verdict(&p, &m,
		(struct cmd_verdict){ .ply = 1,
				      .ends = true,
				      .result = row->result,
				      .words = span_str("one king each") });
	const struct match *match = play_at(&p, &m);
	assert_int_equal(match->state, MATCH_OVER);
	assert_int_equal(match->result, row->result);
	assert_int_equal(match->reason, END_POLICY);
	assert_int_equal(match->points, row->points);
	assert_string_equal(match->words, "one king each");
	play_close(&p);
}

static void who_comes_back_does_not_cut_it_short(void **state)
{
	(void)state;
	struct play p;
	struct id m = judged_match(&p);
	play_move(&p, "ben", &m, 0, "11-15");
	play_resume(&p, "ann");
	assert_true(play_at(&p, &m)->judging);
	play_wait(&p, (uint64_t)p.limits.verdict_wait_ms);
	assert_true(play_at(&p, &m)->released);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_position_is_nobodys_move),
		cmocka_unit_test(the_clock_is_held_until_the_verdict),
		cmocka_unit_test(a_warning_is_told_and_the_match_goes_on),
		cmocka_unit_test(a_late_verdict_is_dropped),
		cmocka_unit_test(a_verdict_about_another_position_is_dropped),
		cmocka_unit_test(who_comes_back_does_not_cut_it_short),
		cmocka_unit_test(a_move_before_the_verdict_waits_for_it),
		cmocka_unit_test(and_when_that_ends_the_match_is_told),
		cmocka_unit_test(and_no_longer_than_the_clock_is_held),
		cmocka_unit_test(a_move_that_waits_twice_is_played_once),
		cmocka_unit_test(only_so_many_moves_wait),
		cmocka_unit_test(a_guessed_move_waits_as_well),
		cmocka_unit_test(who_resigns_need_not_wait),
	};
	if (crypto_ready())
		return 1;
	table_ready();
	return cmocka_run_group_tests(tests, NULL, NULL) +
	       RUN_TABLE("endings", endings, it_ends_the_match_with_its_words);
}
