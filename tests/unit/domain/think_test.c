/* SPDX-License-Identifier: MIT
 * A personality's thoughts: whatever a worker says, its match goes on. */
#include "play.h"
#include "unit.h"

#include <string.h>

/* calm is black, and first to move; ann is white. */
#define PLAY(p, m)                                                             \
	struct play p;                                                         \
	play_open(&p, 1);                                                      \
	play_hello(&p, "ann");                                                 \
	struct id m = play_personality(&p, "english", "ann", BLACK)

static void it_is_asked_once_its_turn_is_released(void **state)
{
	(void)state;
	PLAY(p, m);
	assert_int_equal(p.thinks, 1);
	play_wait(&p, 500);
	play_think(&p, &m, (struct cmd_thought){ .move = span_str("11-15") });
	assert_string_equal(p.facts, "moved |");
	assert_int_equal(play_at(&p, &m)->left_ms[BLACK], 60500);
	assert_int_equal(p.thinks, 1);
	play_move(&p, "ann", &m, 1, "22-18");
	assert_int_equal(p.thinks, 2);
	play_close(&p);
}

static const struct poor_thought {
	const char *name;
	struct cmd_thought thought;
} poor_thoughts[] = {
	{ "failed", { .failed = true } },
	{ "failed with a move", { .failed = true, .move = { NULL, 0 } } },
	{ "failed resigning", { .failed = true, .resign = true } },
	{ "illegal", { .move = { (const uint8_t *)"11-20", 5 } } },
	{ "noise", { .move = { (const uint8_t *)"\xff\0\n", 3 } } },
	{ "nothing", { .failed = false } },
	{ "accepts what was not offered", { .accept_draw = true } },
};

static void the_fallback_moves(void **state)
{
	const struct poor_thought *row = *state;
	PLAY(p, m);
	play_think(&p, &m, row->thought);
	assert_string_equal(p.facts, "moved |");
	/* the first of the list, which is sorted by text */
	assert_true(span_is(buf_span(&play_at(&p, &m)->moves), "10-14\n"));
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_close(&p);
}

static void a_late_thought_is_dropped(void **state)
{
	(void)state;
	PLAY(p, m);
	struct cmd_thought t = { .move = span_str("11-15") };
	play_think(&p, &m, t);
	play_think(&p, &m, t);
	assert_string_equal(p.facts, "");
	play_move(&p, "ann", &m, 1, "22-18");
	play_think(&p, &m, t); /* for ply 0 again */
	assert_string_equal(p.facts, "");
	t.ply = 2;
	t.move = span_str("15x22");
	play_think(&p, &m, t);
	assert_string_equal(p.facts, "moved |");
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	t.ply = 3;
	play_think(&p, &m, t);
	assert_string_equal(p.facts, "");
	struct id none = { "aaaaaaaaaa" };
	play_think(&p, &none, t);
	play_close(&p);
}

static void nobody_thinks_for_a_person(void **state)
{
	(void)state;
	PLAY(p, m);
	play_think(&p, &m, (struct cmd_thought){ .move = span_str("11-15") });
	play_think(&p, &m,
		   (struct cmd_thought){ .ply = 1, .move = span_str("22-18") });
	assert_string_equal(p.facts, "");
	play_close(&p);
}

static void a_thought_after_the_flag_is_dropped(void **state)
{
	(void)state;
	PLAY(p, m);
	p.now_ms += 60000;
	play_think(&p, &m, (struct cmd_thought){ .move = span_str("11-15") });
	assert_string_equal(p.facts, "");
	play_wait(&p, 0);
	assert_int_equal(play_at(&p, &m)->reason, END_FLAG);
	play_close(&p);
}

static void it_may_resign(void **state)
{
	(void)state;
	PLAY(p, m);
	play_think(&p, &m, (struct cmd_thought){ .resign = true });
	assert_string_equal(p.facts, "ended");
	assert_int_equal(play_at(&p, &m)->result, RESULT_WHITE);
	assert_int_equal(play_at(&p, &m)->reason, END_RESIGNED);
	play_close(&p);
}

static void it_may_agree_to_a_draw(void **state)
{
	(void)state;
	PLAY(p, m);
	play_in(&p, "ann", CMD_MATCH_OFFER_DRAW, &m);
	play_think(&p, &m, (struct cmd_thought){ .accept_draw = true });
	assert_string_equal(p.facts, "ended");
	assert_int_equal(play_at(&p, &m)->reason, END_AGREED);
	play_close(&p);
}

static void it_may_offer_and_moves_all_the_same(void **state)
{
	(void)state;
	PLAY(p, m);
	struct cmd_thought t = { .offer_draw = true,
				 .move = span_str("11-15") };
	play_think(&p, &m, t);
	assert_string_equal(p.facts, "draw_offered moved |");
	assert_true(match_offer_stands_for(play_at(&p, &m), WHITE));
	assert_int_equal(play_answer(&p, "ann", CMD_MATCH_DECLINE_DRAW, &m, 1),
			 PLYD_OK);
	play_move(&p, "ann", &m, 1, "22-18");
	/* it may not offer again so soon: it only moves */
	t.ply = 2;
	t.move = span_str("15x22");
	play_think(&p, &m, t);
	assert_string_equal(p.facts, "moved |");
	play_close(&p);
}

static void its_own_offer_does_not_answer_another(void **state)
{
	(void)state;
	PLAY(p, m);
	play_in(&p, "ann", CMD_MATCH_OFFER_DRAW, &m);
	play_think(&p, &m,
		   (struct cmd_thought){ .offer_draw = true,
					 .move = span_str("11-15") });
	/* its move declines */
	assert_string_equal(p.facts, "moved |");
	assert_false(play_at(&p, &m)->offers.standing);
	play_close(&p);
}

/* Words of a thought that was taken, to players and to spectators. */
static void it_speaks(void **state)
{
	(void)state;
	PLAY(p, m);
	play_think(&p, &m,
		   (struct cmd_thought){ .move = span_str("11-15"),
					 .say = span_str("hello") });
	assert_string_equal(p.facts, "moved |");
	const struct match *at = play_at(&p, &m);
	for (int i = 0; i < 2; i++) {
		const struct chat_line *line = at->chat[i].lines;
		assert_int_equal(at->chat[i].count, 1);
		assert_string_equal(line->text, "hello");
		assert_string_equal(line->name, "calm");
		assert_int_equal(line->kind, KIND_PERSONALITY);
		assert_true(id_is_none(&line->from));
	}
	/* what comes too late, or failed, is not said */
	play_think(&p, &m, (struct cmd_thought){ .say = span_str("late") });
	play_move(&p, "ann", &m, 1, "22-18");
	play_think(&p, &m,
		   (struct cmd_thought){ .ply = 2,
					 .failed = true,
					 .say = span_str("failed") });
	assert_int_equal(at->chat[0].count, 1);
	play_close(&p);
}

/* chat_burst at once; then the moves go on and the words wait. */
static void its_words_are_bounded(void **state)
{
	(void)state;
	struct domain_limits limits;
	struct play p;
	domain_limits_default(&limits);
	limits.chat_burst = 2;
	limits.chat_line_ms = 1000;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	struct rng rng;
	rng_seed(&rng, 1);
	struct id m = play_personality(&p, "english", "ann", BLACK);
	struct id other = play_personality(&p, "english", "ann", BLACK);
	p.says = "x";
	for (int i = 0; i < 10; i++)
		assert_true(play_random(&p, &rng, &m));
	assert_int_equal(play_at(&p, &m)->chat[0].last, 2);
	assert_int_equal(play_at(&p, &m)->ply, 10);
	p.now_ms += 1000;
	for (int i = 0; i < 4; i++)
		assert_true(play_random(&p, &rng, &m));
	assert_int_equal(play_at(&p, &m)->chat[0].last, 3);
	assert_int_equal(play_at(&p, &m)->chat[1].last, 3);
	/* each match by itself */
	play_think(&p, &other,
		   (struct cmd_thought){ .move = span_str("11-15"),
					 .say = span_str("y") });
	assert_int_equal(play_at(&p, &other)->chat[0].count, 1);
	play_close(&p);
}

/* Who ended the talk hears nothing; who watches late does not either. */
static void it_is_not_heard_by_all(void **state)
{
	(void)state;
	PLAY(p, m);
	struct command off = { .type = CMD_CHAT_SWITCH, .match = m };
	assert_int_equal(play_do(&p, "ann", off), PLYD_OK);
	play_think(&p, &m,
		   (struct cmd_thought){ .move = span_str("11-15"),
					 .say = span_str("hello") });
	assert_string_equal(p.facts, "moved |");
	assert_int_equal(play_at(&p, &m)->chat[0].count, 0);
	assert_int_equal(play_at(&p, &m)->chat[1].count, 1);
	play_close(&p);
}

/* Also as it resigns, and no fact is made of it. */
static void its_last_words(void **state)
{
	(void)state;
	PLAY(p, m);
	play_think(&p, &m,
		   (struct cmd_thought){ .resign = true,
					 .say = span_str("well played") });
	assert_string_equal(p.facts, "ended");
	assert_string_equal(p.effects, "chat chat fact finished");
	assert_string_equal(play_at(&p, &m)->chat[0].lines->text,
			    "well played");
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_asked_once_its_turn_is_released),
		cmocka_unit_test(a_late_thought_is_dropped),
		cmocka_unit_test(nobody_thinks_for_a_person),
		cmocka_unit_test(a_thought_after_the_flag_is_dropped),
		cmocka_unit_test(it_speaks),
		cmocka_unit_test(its_words_are_bounded),
		cmocka_unit_test(it_is_not_heard_by_all),
		cmocka_unit_test(its_last_words),
		cmocka_unit_test(it_may_resign),
		cmocka_unit_test(it_may_agree_to_a_draw),
		cmocka_unit_test(it_may_offer_and_moves_all_the_same),
		cmocka_unit_test(its_own_offer_does_not_answer_another),
	};
	int failed = cmocka_run_group_tests_name("thoughts", tests, NULL, NULL);
	return failed +
	       RUN_TABLE("poor thoughts", poor_thoughts, the_fallback_moves);
}
