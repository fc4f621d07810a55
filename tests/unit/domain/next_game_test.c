/* SPDX-License-Identifier: MIT
 * What was asked about a game that was resigned meanwhile: a game given up
 * counts as a half-move, so neither a verdict, nor a thought, nor a command
 * that was on its way or waited reaches the next game. */
#include "play.h"
#include "unit.h"

#include <string.h>

static struct play p;

static void open(bool judged, uint64_t seed)
{
	struct match_rules rules;
	play_open(&p, seed);
	rules = *domain_rules_find(p.d, span_str("backgammon-match"));
	rules.draws.judged = judged;
	assert_int_equal(domain_set_rules(p.d, &rules, 1), PLYD_OK);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
}

/* Some half-moves into a match to seven points. */
static struct id begin(const char *personality)
{
	struct rng rng;
	struct cmd_lobby_create c = { .side = WHITE,
				      .ready = true,
				      .match_length = 7,
				      .personality = span_str(personality) };
	if (personality[0])
		c.opponent = AGAINST_PERSONALITY;
	rng_seed(&rng, 5);
	assert_int_equal(play_create(&p, "ann", "backgammon-match", c),
			 PLYD_OK);
	struct id lobby = p.lobby;
	if (!personality[0])
		assert_int_equal(play_join(&p, "bob", &lobby, true), PLYD_OK);
	struct id m = p.match;
	play_nonce(&p, "ann", &m, "a");
	if (!personality[0])
		play_nonce(&p, "bob", &m, "b");
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	return m;
}

static const char *turn(const struct id *m)
{
	return match_turn(play_at(&p, m)) == WHITE ? "ann" : "bob";
}

/* Level 3 is final: the next game begins at once. */
static void resign_game(const char *name, const struct id *m)
{
	assert_int_equal(play_resign(&p, name, m,
				     (struct cmd_match_resign){ .level = 3 }),
			 PLYD_OK);
	assert_int_equal(play_at(&p, m)->state, MATCH_PLAYING);
	assert_int_equal(play_at(&p, m)->game, 2);
}

static struct id judged_match(void)
{
	struct rng rng;
	open(true, 9);
	struct id m = begin("");
	rng_seed(&rng, 5);
	play_random(&p, &rng, &m);
	assert_true(play_at(&p, &m)->judging);
	assert_int_equal(play_at(&p, &m)->ply, 1);
	return m;
}

static void verdict_of(const struct id *m, uint32_t ply)
{
	struct cmd_verdict draw = { .ply = ply,
				    .ends = true,
				    .result = RESULT_DRAW };
	play_do(&p, "",
		(struct command){
			.type = CMD_VERDICT, .match = *m, .verdict = draw });
}

static void a_verdict_about_the_game_before_is_dropped(void **state)
{
	(void)state;
	struct id m = judged_match();
	resign_game("ann", &m);
	assert_int_equal(play_at(&p, &m)->ply, 2);
	assert_true(play_at(&p, &m)->judging);
	verdict_of(&m, 1);
	assert_string_equal(p.facts, "");
	assert_true(play_at(&p, &m)->judging);
	verdict_of(&m, 2);
	assert_int_equal(play_at(&p, &m)->state, MATCH_OVER);
	play_close(&p);
}

static void what_waited_for_it_is_answered(void **state)
{
	(void)state;
	struct id m = judged_match();
	const char *me = turn(&m);
	play_answer(&p, me, CMD_MATCH_ROLL, &m, 1);
	assert_false(p.answered);
	resign_game(strcmp(me, "ann") ? "ann" : "bob", &m);
	assert_non_null(strstr(p.effects, "refuse"));
	play_do(&p, "",
		(struct command){ .type = CMD_VERDICT,
				  .match = m,
				  .verdict = { .ply = 2 } });
	assert_true(play_at(&p, &m)->released);
	assert_string_equal(p.facts, "");
	play_close(&p);
}

/* The other one gave the game up while this was on its way. */
static void what_was_on_its_way_is_stale(void **state)
{
	static const enum command_type of_a_turn[] = {
		CMD_MATCH_ROLL, CMD_MATCH_DOUBLE, CMD_MATCH_TAKE, CMD_MATCH_DROP
	};
	(void)state;
	open(false, 9);
	struct id m = begin("");
	uint32_t ply = play_at(&p, &m)->ply;
	resign_game("ann", &m);
	for (int seat = 0; seat < 2; seat++) {
		const char *name = seat ? "bob" : "ann";
		char text[MOVE_TEXT_MAX];
		struct move_list *list = test_malloc(sizeof(*list));
		const struct match *at = play_at(&p, &m);
		for (size_t i = 0; i < 4; i++)
			assert_int_equal(play_answer(&p, name, of_a_turn[i], &m,
						     ply),
					 PLYD_ESTALE);
		assert_int_equal(game_moves(&at->rules->rules, &at->pos, list),
				 PLYD_OK);
		game_move_text(&at->rules->rules, &at->pos, &list->move[0],
			       text);
		assert_int_equal(play_move(&p, name, &m, ply, text),
				 PLYD_ESTALE);
		test_free(list);
	}
	assert_int_equal(play_at(&p, &m)->game, 2);
	play_close(&p);
}

/* It is a line of the list of half-moves too, in every game. */
static void it_is_a_half_move(void **state)
{
	(void)state;
	open(false, 9);
	struct id m = begin("");
	for (int i = 0; i < 2; i++)
		assert_int_equal(play_resign(&p, "ann", &m,
					     (struct cmd_match_resign){
						     .level = 3 }),
				 PLYD_OK);
	const struct match *at = play_at(&p, &m);
	assert_int_equal(at->ply, 2);
	assert_int_equal(at->game_ply, 2);
	assert_true(span_is(buf_span(&at->moves), "resigned\nresigned\n"));
	play_close(&p);
}

/* Both games begin with the personality, who is black. */
static struct id it_begins_twice(void)
{
	for (uint64_t seed = 1;; seed++) {
		open(false, seed);
		struct id m = begin("calm");
		bool first = match_turn(play_at(&p, &m)) == BLACK;
		resign_game("ann", &m);
		if (first && match_turn(play_at(&p, &m)) == BLACK)
			return m;
		play_close(&p);
	}
}

static void a_thought_of_it_is_not_played(void **state)
{
	(void)state;
	struct cmd_thought t = { .asked = AWAITS_MOVE, .failed = true };
	struct id m = it_begins_twice();
	play_think(&p, &m, t);
	assert_string_equal(p.facts, "");
	t.ply = 1;
	play_think(&p, &m, t);
	assert_non_null(strstr(p.facts, "moved"));
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_verdict_about_the_game_before_is_dropped),
		cmocka_unit_test(what_waited_for_it_is_answered),
		cmocka_unit_test(what_was_on_its_way_is_stale),
		cmocka_unit_test(it_is_a_half_move),
		cmocka_unit_test(a_thought_of_it_is_not_played),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
