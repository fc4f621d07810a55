/* SPDX-License-Identifier: MIT
 * Single searches: held against plain minimax over the same rules, against
 * themselves, their budget, the stop word and the draw limits. */
#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/rng.h"
#include "engine/engine.h"

enum { TABLE_BYTES = 1 << 20 };

static struct engine *engine;

static int engine_up(void **state)
{
	(void)state;
	return engine_new(TABLE_BYTES, &engine);
}

static int engine_down(void **state)
{
	(void)state;
	engine_free(engine);
	return 0;
}

static struct ruleset ruleset_named(const char *name)
{
	struct ruleset rs;
	assert_int_equal(ruleset_find(name, strlen(name), &rs), PLYD_OK);
	return rs;
}

static struct position position_read(const struct ruleset *rs, const char *text)
{
	struct position pos;
	assert_int_equal(game_read(rs, text, strlen(text), &pos, NULL),
			 PLYD_OK);
	return pos;
}

static struct engine_result asked(const struct engine_question *q)
{
	struct engine_result r;
	memset(&r, 0xaa, sizeof(r));
	assert_int_equal(engine_search(engine, q, &r), PLYD_OK);
	return r;
}

static bool move_eq(const struct ruleset *rs, const struct move *a,
		    const struct move *b)
{
	size_t used = ruleset_has_dice(rs) ? 2u * a->legs : a->legs + 1u;
	return a->legs == b->legs && a->taken == b->taken &&
	       !memcmp(a->at, b->at, used);
}

/* A position some random moves from the start that is not over. */
static struct position wander(const struct ruleset *rs, struct rng *rng,
			      int plies)
{
	static struct move_list list;
	struct position pos, next;
	game_start(rs, &pos);
	for (int i = 0; i < plies; i++) {
		if (ruleset_has_dice(rs)) {
			game_throw(&pos, 1 + (int)rng_below(rng, 6),
				   1 + (int)rng_below(rng, 6), &next);
			pos = next;
		}
		assert_int_equal(game_moves(rs, &pos, &list), PLYD_OK);
		if (list.count == 0 && !ruleset_has_dice(rs))
			return wander(rs, rng, plies);
		if (list.count == 0)
			game_pass(&pos, &next);
		else
			game_apply(rs, &pos,
				   &list.move[rng_below(rng,
							(uint32_t)list.count)],
				   &next);
		pos = next;
		if (game_outcome(rs, &pos).over)
			return wander(rs, rng, plies);
	}
	if (ruleset_has_dice(rs)) {
		game_throw(&pos, 1 + (int)rng_below(rng, 6),
			   1 + (int)rng_below(rng, 6), &next);
		pos = next;
	}
	return pos;
}

/* ---- against plain minimax --------------------------------------------- */

/* The score so many half-moves deep, captures played out; no window, table,
 * order or extension. */
static int minimax(const struct ruleset *rs, const struct position *pos,
		   int depth, int ply)
{
	struct move_list *list = malloc(sizeof(*list));
	struct position next;
	assert_non_null(list);
	assert_int_equal(game_moves(rs, pos, list), PLYD_OK);
	int best = -(ENGINE_WIN - ply);
	if (list->count > 0 && depth <= 0 && !list->move[0].taken) {
		best = engine_evaluate(rs, pos, NULL);
	} else {
		for (size_t i = 0; i < list->count; i++) {
			game_apply(rs, pos, &list->move[i], &next);
			int score = -minimax(rs, &next, depth - 1, ply + 1);
			if (score > best)
				best = score;
		}
	}
	free(list);
	return best;
}

static void one_half_move_deep_it_is_minimax(void **state)
{
	(void)state;
	static const char *const names[] = { "english", "turkish",
					     "turkish-classic" };
	struct rng rng;
	rng_seed(&rng, 1);
	for (int i = 0; i < 60; i++) {
		struct ruleset rs = ruleset_named(names[i % 3]);
		struct position next, pos = wander(&rs, &rng, 5 + i);
		struct engine_question q = { .ruleset = &rs,
					     .position = &pos,
					     .budget = { 100000, 1, NULL },
					     .multipv = ENGINE_MULTIPV_MAX };
		struct engine_result r = asked(&q);
		assert_int_equal(r.depth, 1);
		assert_int_equal(r.line[0].score, minimax(&rs, &pos, 1, 0));
		for (size_t k = 0; k < r.count; k++) {
			game_apply(&rs, &pos, &r.line[k].move, &next);
			assert_int_equal(r.line[k].score,
					 -minimax(&rs, &next, 0, 1));
		}
	}
}

/* The half-moves in which the side to move wins by force, or 0. */
static int forced_win(const struct ruleset *rs, const struct position *pos,
		      int depth)
{
	int score = minimax(rs, pos, depth, 0);
	int plies = ENGINE_WIN - score;
	return plies <= depth ? plies : 0;
}

/* Random endings that brute force can decide: what it calls won the search
 * calls won as fast, and keeps won by its move. */
static void a_forced_win_is_found(void **state)
{
	(void)state;
	enum { DEEP = 5, WANTED = 12 };
	static const char *const names[] = { "english", "turkish" };
	struct rng rng;
	int found = 0;
	rng_seed(&rng, 3);
	for (int i = 0; i < 4000 && found < WANTED; i++) {
		struct ruleset rs = ruleset_named(names[i % 2]);
		struct position next, pos = wander(&rs, &rng, 60);
		if (__builtin_popcountll(pos.draughts.pieces[0] |
					 pos.draughts.pieces[1]) > 7)
			continue;
		int plies = forced_win(&rs, &pos, DEEP);
		if (plies < 3)
			continue;
		struct engine_question q = { .ruleset = &rs,
					     .position = &pos,
					     .budget = { 200000, 12, NULL } };
		struct engine_result r = asked(&q);
		assert_true(r.line[0].score >= ENGINE_WIN - plies);
		game_apply(&rs, &pos, &r.line[0].move, &next);
		assert_true(minimax(&rs, &next, DEEP, 1) <=
			    -(ENGINE_WIN - DEEP - 1));
		found++;
	}
	assert_int_equal(found, WANTED);
}

/* What a result is worth to who made it: for each throw the answer that is
 * best for the other, on average over the 36 throws. */
static int expectation(const struct ruleset *rs, const struct position *result,
		       const struct engine_weights *w)
{
	static struct move_list list;
	struct position thrown, next;
	int sum = 0;
	for (int a = 1; a <= 6; a++) {
		for (int b = 1; b <= 6; b++) {
			game_throw(result, a, b, &thrown);
			assert_int_equal(game_moves(rs, &thrown, &list), 0);
			game_pass(&thrown, &next);
			int worst = engine_evaluate(rs, &next, w);
			for (size_t i = 0; i < list.count; i++) {
				game_apply(rs, &thrown, &list.move[i], &next);
				int score = engine_evaluate(rs, &next, w);
				if (i == 0 || score < worst)
					worst = score;
			}
			sum += worst;
		}
	}
	return sum / 36;
}

/* How much the search says more of its lines, added up; how many these are. */
static int more_than_expected(const struct engine_weights *w, int *lines,
			      int *most)
{
	struct ruleset rs = ruleset_named("backgammon");
	struct rng rng;
	int sum = 0;
	*lines = *most = 0;
	rng_seed(&rng, 23);
	for (int i = 0; i < 12; i++) {
		struct position next, pos = wander(&rs, &rng, 4 * i);
		struct engine_question q = { .ruleset = &rs,
					     .position = &pos,
					     .weights = w,
					     .budget = { .nodes = 1000000 },
					     .multipv = 5 };
		struct engine_result r = asked(&q);
		assert_true(r.depth == 2 || r.count < 2);
		for (size_t k = 0; k < r.count && r.depth == 2; k++) {
			game_apply(&rs, &pos, &r.line[k].move, &next);
			int off = r.line[k].score - expectation(&rs, &next, w);
			/* the search counts in finer units */
			assert_true(off >= -1);
			*most = off > *most ? off : *most;
			sum += off;
			++*lines;
		}
	}
	return sum;
}

/* A filter may hold back the best answer, which then seems to cost less: seldom,
 * and little. With a style there is none. */
static void looking_ahead_is_expectation(void **state)
{
	(void)state;
	int lines, most;
	struct engine_weights styled;
	engine_weights_init(&styled);
	styled.gammon = 101;
	more_than_expected(&styled, &lines, &most);
	assert_true(lines > 40 && most <= 1);
	int sum = more_than_expected(NULL, &lines, &most);
	print_message("%d lines, %d millipoints too many, at most %d\n", lines,
		      sum, most);
	assert_true(most <= 20 && sum <= 2 * lines);
}

/* ---- equal questions --------------------------------------------------- */

static void equal_questions_have_equal_answers(void **state)
{
	(void)state;
	static const char *const names[] = { "english", "turkish",
					     "backgammon" };
	struct engine_result first[24], again;
	struct rng rng;
	for (int round = 0; round < 2; round++) {
		rng_seed(&rng, 7);
		for (int i = 0; i < 24; i++) {
			struct ruleset rs = ruleset_named(names[i % 3]);
			struct position pos = wander(&rs, &rng, 10 + i);
			struct engine_question q = {
				.ruleset = &rs,
				.position = &pos,
				.budget = { .nodes = 1500 },
				.multipv = 3,
				.seed = 5,
			};
			struct engine_result *r = round ? &again : &first[i];
			*r = asked(&q);
			if (round)
				assert_memory_equal(r, &first[i], sizeof(*r));
		}
		/* the second round starts with an engine that knows nothing */
		if (round == 0) {
			engine_free(engine);
			assert_int_equal(engine_new(TABLE_BYTES, &engine),
					 PLYD_OK);
		}
	}
}

static void the_table_wraps_without_a_trace(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("english");
	struct position pos;
	game_start(&rs, &pos);
	struct engine_question q = { .ruleset = &rs,
				     .position = &pos,
				     .budget = { .nodes = 200 } };
	struct engine_result first = asked(&q);
	for (int i = 0; i < 600; i++) {
		struct engine_result r = asked(&q);
		assert_memory_equal(&r, &first, sizeof(r));
	}
}

static void a_seed_orders_equal_moves(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("turkish");
	struct position pos;
	game_start(&rs, &pos);
	unsigned other = 0;
	struct engine_result first = { 0 };
	for (uint64_t seed = 0; seed < 10; seed++) {
		struct engine_question q = { .ruleset = &rs,
					     .position = &pos,
					     .budget = { .nodes = 1 },
					     .seed = seed };
		struct engine_result r = asked(&q);
		if (seed == 0)
			first = r;
		other += !move_eq(&rs, &r.line[0].move, &first.line[0].move);
	}
	assert_true(other > 3);
}

/* ---- budget ------------------------------------------------------------ */

static void every_budget_gives_a_legal_move(void **state)
{
	(void)state;
	static const char *const names[] = { "english", "turkish",
					     "backgammon" };
	static struct move_list list;
	struct rng rng;
	rng_seed(&rng, 11);
	for (uint64_t nodes = 0; nodes < 300; nodes++) {
		struct ruleset rs = ruleset_named(names[nodes % 3]);
		struct position pos = wander(&rs, &rng, 12);
		struct engine_question q = { .ruleset = &rs,
					     .position = &pos,
					     .budget = { .nodes = nodes },
					     .multipv = nodes % 4 };
		struct engine_result r = asked(&q);
		assert_int_equal(game_moves(&rs, &pos, &list), PLYD_OK);
		assert_true(r.nodes <= (nodes ? nodes : 1));
		size_t wanted = q.multipv ? q.multipv : 1;
		assert_int_equal(r.count,
				 wanted < list.count ? wanted : list.count);
		for (size_t k = 0; k < r.count; k++) {
			size_t seen = 0;
			for (size_t i = 0; i < list.count; i++)
				seen += move_eq(&rs, &list.move[i],
						&r.line[k].move);
			assert_int_equal(seen, 1);
			for (size_t j = 0; j < k; j++)
				assert_false(move_eq(&rs, &r.line[j].move,
						     &r.line[k].move));
			if (k > 0)
				assert_true(r.line[k - 1].score >=
					    r.line[k].score);
		}
	}
}

static void a_table_of_one_entry_is_enough(void **state)
{
	(void)state;
	struct engine *small;
	struct ruleset rs = ruleset_named("english");
	struct position pos;
	struct engine_result r;
	game_start(&rs, &pos);
	struct engine_question q = { .ruleset = &rs,
				     .position = &pos,
				     .budget = { .nodes = 3000 } };
	assert_int_equal(engine_new(0, &small), PLYD_OK);
	assert_int_equal(engine_search(small, &q, &r), PLYD_OK);
	assert_true(r.depth >= 3);
	engine_free(small);
	assert_int_equal(engine_new((size_t)ENGINE_TABLE_BYTES_MAX + 1, &small),
			 PLYD_ERANGE);
	assert_null(small);
	engine_free(NULL);
}

struct rich_case {
	const char *name;
	const char *ruleset;
	const char *position;
};

/* Each has more moves than a list holds, the first 100,033. */
static const struct rich_case rich_cases[] = {
	{ "turkish kings with all the board to take", "turkish",
	  "W:WKh1,Kh2,Ka8,Kh8:Bb1,f1,a2,e2,b3,g3,c4,f4,d5,g5,a6,e6,h6,b7,f7,"
	  "d8" },
	{ "fifteen blots and a double", "backgammon",
	  "XGID=-A-A-A-A-A-A-A-A-AAAAAAAo-:0:0:1:11:0:0:0:0:10" },
};

static void more_moves_than_a_list_holds(void **state)
{
	const struct rich_case *row = *state;
	static struct move_list list;
	struct ruleset rs = ruleset_named(row->ruleset);
	struct position pos = position_read(&rs, row->position);
	struct move move;
	struct refusal why;
	char text[MOVE_TEXT_MAX];
	engine_up(NULL);
	assert_int_equal(game_moves(&rs, &pos, &list), PLYD_OK);
	assert_true(list.total > MOVE_LIST_MAX);
	struct engine_question q = { .ruleset = &rs,
				     .position = &pos,
				     .budget = { .nodes = 2000 },
				     .multipv = ENGINE_MULTIPV_MAX };
	struct engine_result r = asked(&q);
	assert_int_equal(r.count, ENGINE_MULTIPV_MAX);
	assert_true(r.nodes <= 2000);
	for (size_t i = 0; i < r.count; i++) {
		size_t len = game_move_text(&rs, &pos, &r.line[i].move, text);
		assert_int_equal(game_check(&rs, &pos, text, len, &move, &why),
				 PLYD_OK);
	}
	engine_down(NULL);
}

/* ---- the stop word ----------------------------------------------------- */

static atomic_bool stop_word;

static void on_alarm(int signal_number)
{
	(void)signal_number;
	atomic_store(&stop_word, true);
}

static void a_stop_word_ends_the_search(void **state)
{
	(void)state;
	static const char *const names[] = { "english", "turkish" };
	struct itimerval soon = { .it_value = { 0, 50000 } };
	struct sigaction action = { .sa_handler = on_alarm };
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	for (size_t i = 0; i < COUNT(names); i++) {
		struct ruleset rs = ruleset_named(names[i]);
		struct position pos;
		game_start(&rs, &pos);
		struct engine_question q = {
			.ruleset = &rs,
			.position = &pos,
			.budget = { UINT64_MAX, 0, &stop_word },
		};
		atomic_store(&stop_word, false);
		assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
		struct engine_result r = asked(&q); /* else it never ends */
		assert_int_equal(r.count, 1);
		assert_true(r.depth >= 1);
	}
}

static void a_stop_word_said_before_still_gives_a_move(void **state)
{
	(void)state;
	static const char *const names[] = { "english", "turkish",
					     "backgammon" };
	struct rng rng;
	rng_seed(&rng, 13);
	atomic_store(&stop_word, true);
	for (size_t i = 0; i < COUNT(names); i++) {
		struct ruleset rs = ruleset_named(names[i]);
		struct position pos = wander(&rs, &rng, 0);
		struct engine_question q = {
			.ruleset = &rs,
			.position = &pos,
			.budget = { UINT64_MAX, 0, &stop_word },
		};
		struct engine_result r = asked(&q);
		assert_int_equal(r.nodes, 0);
		assert_int_equal(r.depth, 0);
		assert_int_equal(r.count, 1);
	}
}

/* ---- draws ------------------------------------------------------------- */

/* With one more occurrence drawing, the move that repeats is left alone by the
 * side ahead, and sought by the side behind. */
static void a_repetition_is_seen(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("english");
	struct position after, pos = position_read(&rs, "W:WK14,K15,K18:BK32");
	struct engine_question q = { .ruleset = &rs,
				     .position = &pos,
				     .budget = { .nodes = 3000 } };
	struct engine_history h;
	struct engine_result free_choice = asked(&q);
	game_apply(&rs, &pos, &free_choice.line[0].move, &after);

	engine_history_init(&h, 0, 3, false);
	h.hash[h.count++] = game_hash(&rs, &after);
	h.hash[h.count++] = game_hash(&rs, &after);
	q.history = &h;
	struct engine_result r = asked(&q);
	assert_false(move_eq(&rs, &r.line[0].move, &free_choice.line[0].move));
	assert_true(r.line[0].score > 100);

	/* the same draw saves who would lose */
	pos = position_read(&rs, "B:WK14,K15,K18:BK32");
	struct engine_question bad = { .ruleset = &rs,
				       .position = &pos,
				       .history = &h,
				       .budget = { .nodes = 3000 } };
	static struct move_list list;
	assert_int_equal(game_moves(&rs, &pos, &list), PLYD_OK);
	h.count = 0;
	assert_true(asked(&bad).line[0].score < -100);
	game_apply(&rs, &pos, &list.move[0], &after);
	h.hash[h.count++] = game_hash(&rs, &after);
	h.hash[h.count++] = game_hash(&rs, &after);
	assert_int_equal(asked(&bad).line[0].score, 0);
}

static void contempt_turns_a_draw_down(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("english");
	struct position pos = position_read(&rs, "B:WK14,K15,K18:BK32");
	struct engine_history h;
	struct engine_weights w;
	engine_weights_init(&w);
	assert_int_equal(engine_weight_set(&w, "contempt", 8, 75), PLYD_OK);
	/* the next quiet half-move draws */
	engine_history_init(&h, 40, 0, false);
	h.quiet = 39;
	struct engine_question q = { .ruleset = &rs,
				     .position = &pos,
				     .history = &h,
				     .weights = &w,
				     .budget = { .nodes = 3000 } };
	assert_int_equal(asked(&q).line[0].score, -75);
	/* just that one, not the one after it */
	q.budget.depth = 1;
	assert_int_equal(asked(&q).line[0].score, -75);
	h.quiet = 38;
	assert_int_not_equal(asked(&q).line[0].score, -75);
}

static void a_history_counts_and_forgets(void **state)
{
	(void)state;
	struct ruleset rs = ruleset_named("english");
	struct engine_history h;
	struct position a, b;
	engine_history_init(&h, 80, 3, false);
	for (int i = 0; i < 2 * ENGINE_HISTORY_MAX; i++) {
		a = position_read(&rs, i % 2 ? "B:WK14:BK23" : "W:WK14:BK23");
		b = position_read(&rs, i % 2 ? "W:WK14:BK19" : "B:WK10:BK23");
		engine_history_add(&h, &rs, &a, &b);
		assert_int_equal(h.quiet, i + 1);
		assert_true(h.count <= ENGINE_HISTORY_MAX);
	}
	assert_int_equal(h.count, ENGINE_HISTORY_MAX);
	assert_true(h.hash[h.count - 1] == game_hash(&rs, &a));

	/* a man's move is progress only where that is the rule */
	a = position_read(&rs, "B:WK14:B1");
	b = position_read(&rs, "W:WK14:B5");
	engine_history_add(&h, &rs, &a, &b);
	assert_int_equal(h.quiet, 2 * ENGINE_HISTORY_MAX + 1);
	h.man_moves_count = true;
	engine_history_add(&h, &rs, &a, &b);
	assert_int_equal(h.quiet, 0);

	/* a capture ends all that was before */
	a = position_read(&rs, "W:WK14:BK10,1");
	b = position_read(&rs, "B:WK7:B1");
	engine_history_add(&h, &rs, &a, &b);
	assert_int_equal(h.count, 0);
	assert_int_equal(h.quiet, 0);
}

/* ---- evaluation -------------------------------------------------------- */

/* The same position with colours and board turned round. */
static struct position turned(const struct ruleset *rs,
			      const struct position *pos)
{
	struct position out = *pos;
	out.side = (uint8_t)side_other(pos->side);
	if (rs->family == FAMILY_BACKGAMMON) {
		memcpy(out.backgammon.point[0], pos->backgammon.point[1], 26);
		memcpy(out.backgammon.point[1], pos->backgammon.point[0], 26);
		return out;
	}
	memset(&out.draughts, 0, sizeof(out.draughts));
	for (int i = 0; i < 64; i++) {
		uint64_t from = UINT64_C(1) << i, to = UINT64_C(1) << (63 - i);
		for (int side = 0; side < 2; side++)
			if (pos->draughts.pieces[side] & from)
				out.draughts.pieces[!side] |= to;
		if (pos->draughts.kings & from)
			out.draughts.kings |= to;
	}
	return out;
}

static void a_turned_board_is_worth_the_same(void **state)
{
	(void)state;
	struct rng rng;
	rng_seed(&rng, 17);
	for (int i = 0; i < 300; i++) {
		const struct ruleset *rs =
			ruleset_at((size_t)i % ruleset_count());
		struct position pos = wander(rs, &rng, i % 60);
		struct position other = turned(rs, &pos);
		int score = engine_evaluate(rs, &pos, NULL);
		assert_int_equal(score, engine_evaluate(rs, &other, NULL));
		assert_true(score > -ENGINE_SCORE_MAX);
		assert_true(score < ENGINE_SCORE_MAX);
	}
}

static void every_weight_is_heard(void **state)
{
	(void)state;
	static const char *const names[] = { "english", "turkish",
					     "backgammon" };
	for (size_t i = 0; i < engine_weight_count(); i++) {
		const struct engine_weight *row = engine_weight_at(i);
		struct engine_weights w;
		struct rng rng;
		int changed = 0;
		rng_seed(&rng, 19);
		engine_weights_init(&w);
		int other = row->max == row->standard ? row->min : row->max;
		assert_int_equal(engine_weight_set(&w, row->name,
						   strlen(row->name), other),
				 PLYD_OK);
		if (!strcmp(row->name, "contempt"))
			continue; /* no position has it; see above */
		for (int k = 0; k < 300; k++) {
			struct ruleset rs = ruleset_named(names[k % 3]);
			struct position pos = wander(&rs, &rng, k % 90);
			changed += engine_evaluate(&rs, &pos, &w) !=
				   engine_evaluate(&rs, &pos, NULL);
		}
		if (changed == 0)
			fail_msg("%s changes nothing", row->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_half_move_deep_it_is_minimax),
		cmocka_unit_test(a_forced_win_is_found),
		cmocka_unit_test(looking_ahead_is_expectation),
		cmocka_unit_test(equal_questions_have_equal_answers),
		cmocka_unit_test(the_table_wraps_without_a_trace),
		cmocka_unit_test(a_seed_orders_equal_moves),
		cmocka_unit_test(every_budget_gives_a_legal_move),
		cmocka_unit_test(a_table_of_one_entry_is_enough),
		cmocka_unit_test(a_stop_word_ends_the_search),
		cmocka_unit_test(a_stop_word_said_before_still_gives_a_move),
		cmocka_unit_test(a_repetition_is_seen),
		cmocka_unit_test(contempt_turns_a_draw_down),
		cmocka_unit_test(a_history_counts_and_forgets),
		cmocka_unit_test(a_turned_board_is_worth_the_same),
		cmocka_unit_test(every_weight_is_heard),
	};
	return cmocka_run_group_tests(tests, engine_up, engine_down) +
	       RUN_TABLE("rich positions", rich_cases,
			 more_moves_than_a_list_holds);
}
