/* SPDX-License-Identifier: MIT
 * Draws by the policy's data: sequences from an independent reference that end
 * at just that half-move, or stop just short. */
#include "play.h"
#include "unit.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

static char wrong[256];

static uint32_t occurrences(const struct match *m)
{
	uint32_t n = 0;
	for (size_t i = 0; i < m->hash_count; i++)
		n += m->hashes[i] == m->hashes[m->hash_count - 1];
	return n;
}

static const char *play_all(struct play *p, const struct id *id,
			    const json_t *moves)
{
	const struct match *m = play_at(p, id);
	for (size_t i = 0; i < json_array_size(moves); i++) {
		const char *text = json_string_value(json_array_get(moves, i));
		if (m->state != MATCH_PLAYING)
			return "it ended too early";
		if (play_move(p, m->pos.side == WHITE ? "ann" : "bob", id,
			      (uint32_t)i, text))
			return "a move was refused";
	}
	return NULL;
}

static const char *compare(const struct match *m, const json_t *row)
{
	char text[POSITION_TEXT_MAX];
	const char *reason = json_string_value(json_object_get(row, "reason"));
	bool over = json_is_true(json_object_get(row, "over"));
	if ((m->state == MATCH_OVER) != over)
		return over ? "it did not end" : "it ended";
	if (over && (m->result != RESULT_DRAW ||
		     strcmp(end_reason_name(m->reason), reason) != 0 ||
		     m->ply != vector_int(row, "at_ply")))
		return "another end";
	game_write(&m->rules->rules, &m->pos, text);
	if (strcmp(text, vector_str(row, "final")) != 0)
		return "another position";
	if (m->quiet != vector_int(row, "no_progress"))
		return "another count of half-moves without progress";
	if (occurrences(m) != vector_int(row, "occurrences"))
		return "another count of occurrences";
	return NULL;
}

static const char *row_holds(const json_t *row, void *payload)
{
	struct play p;
	(void)payload;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_position(&p, vector_str(row, "ruleset"), "ann",
				    "bob", vector_str(row, "position"));
	const char *why = play_all(&p, &m, json_object_get(row, "moves"));
	if (!why)
		why = compare(play_at(&p, &m), row);
	play_close(&p);
	if (!why)
		return NULL;
	snprintf(wrong, sizeof(wrong), "%s: %s", vector_str(row, "id"), why);
	return wrong;
}

static void all_sequences_hold(void **state)
{
	(void)state;
	assert_int_equal(vectors_run("golden/rulings/draws.jsonl", row_holds,
				     NULL),
			 0);
}

static void begin_with(struct play *p, struct id *id,
		       const struct draw_rules *draws, const char *position)
{
	struct match_rules rules =
		*domain_rules_find(p->d, span_str("english"));
	rules.draws = *draws;
	assert_int_equal(domain_set_rules(p->d, &rules, 1), PLYD_OK);
	*id = play_position(p, "english", "ann", "bob", position);
}

/* ED-18: under man_moves_count a man's move resets the count. */
static void a_mans_move_is_progress_where_the_policy_says_so(void **state)
{
	(void)state;
	for (int counts = 0; counts < 2; counts++) {
		struct play p;
		struct id m;
		struct draw_rules draws = { .no_progress = 3,
					    .man_moves_count = counts };
		play_open(&p, 1);
		play_hello(&p, "ann");
		play_hello(&p, "bob");
		begin_with(&p, &m, &draws, "B:WK32,21:BK1,12");
		play_move(&p, "bob", &m, 0, "1-6");
		play_move(&p, "ann", &m, 1, "32-28");
		play_move(&p, "bob", &m, 2, "12-16");
		assert_int_equal(play_at(&p, &m)->state,
				 counts ? MATCH_PLAYING : MATCH_OVER);
		assert_int_equal(play_at(&p, &m)->quiet, counts ? 0 : 3);
		play_close(&p);
	}
}

/* Without limits a match is a draw at the greatest length, by one step. */
static void the_longest_match_is_a_draw(void **state)
{
	(void)state;
	static const char *const to_and_fro[] = { "1-6", "32-28", "6-1",
						  "28-32" };
	struct play p;
	struct id m;
	struct draw_rules draws = { .no_progress = 0 };
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	begin_with(&p, &m, &draws, "B:WK32:BK1");
	for (uint32_t ply = 0; ply < PLIES_MAX; ply++) {
		assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
		assert_int_equal(play_move(&p, ply % 2 ? "ann" : "bob", &m, ply,
					   to_and_fro[ply % 4]),
				 PLYD_OK);
	}
	assert_int_equal(play_at(&p, &m)->reason, END_TOO_LONG);
	assert_int_equal(play_at(&p, &m)->result, RESULT_DRAW);
	play_close(&p);
}

/* Nothing is drawn before it was played. */
static void no_match_is_drawn_at_its_start(void **state)
{
	(void)state;
	struct play p;
	struct match_rules rules;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	rules = *domain_rules_find(p.d, span_str("english"));
	rules.draws.repetition = 1;
	assert_int_equal(domain_set_rules(p.d, &rules, 1), PLYD_OK);
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_move(&p, "bob", &m, 0, "11-15");
	assert_int_equal(play_at(&p, &m)->reason, END_REPETITION);
	play_close(&p);
}

/* A lost position is lost before any draw is looked at. */
static void a_win_comes_before_a_draw(void **state)
{
	(void)state;
	struct play p;
	struct id m;
	struct draw_rules draws = { .no_progress = 1, .repetition = 1 };
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	/* white has no move when black has played 4-8 */
	begin_with(&p, &m, &draws, "B:W12:B3,4");
	play_move(&p, "bob", &m, 0, "4-8");
	assert_int_equal(play_at(&p, &m)->reason, END_NO_MOVES);
	assert_int_equal(play_at(&p, &m)->result, RESULT_BLACK);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_sequences_hold),
		cmocka_unit_test(
			a_mans_move_is_progress_where_the_policy_says_so),
		cmocka_unit_test(the_longest_match_is_a_draw),
		cmocka_unit_test(no_match_is_drawn_at_its_start),
		cmocka_unit_test(a_win_comes_before_a_draw),
	};
	return cmocka_run_group_tests_name("draws", tests, NULL, NULL);
}
