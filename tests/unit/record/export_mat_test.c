/* SPDX-License-Identifier: MIT
 * Records as match files: every game comes back from the reader as it was
 * played, with cube, points and score. */
#include "mat_judge.h"
#include "records.h"
#include "unit.h"

#include <string.h>

enum { MAT_BYTES_MAX = 1024 * 1024 };

/* What the facts themselves say. */
struct told {
	size_t games, drops;
	size_t doubles, unanswered; /* those that a resignation came before */
	unsigned points[2];
};

static void listen_to(struct told *told, const struct record *r)
{
	struct doc *doc = doc_new();
	*told = (struct told){ .games = 1 };
	for (size_t i = 0; i < r->count; i++) {
		struct fact f = record_fact(r, doc, i);
		told->games += f.type == FACT_GAME_BEGUN;
		told->unanswered += f.type == FACT_DOUBLED;
		told->doubles += f.type == FACT_TAKEN || f.type == FACT_DROPPED;
		told->drops += f.type == FACT_DROPPED;
		if (f.type == FACT_GAME_ENDED)
			told->points[f.game_ended.winner] +=
				(unsigned)f.game_ended.points;
	}
	told->unanswered -= told->doubles;
	doc_free(doc);
}

/* Games are played out, or resigned for a gammon that the other accepts, or for
 * all that they can cost while a double stands. */
static struct record *play_out(uint64_t seed, const char *ruleset, int length)
{
	static struct play p;
	struct journal j;
	struct rng rng;
	struct cmd_lobby_create c = { .side = WHITE,
				      .ready = true,
				      .match_length = length };
	rng_seed(&rng, seed);
	play_open(&p, seed);
	journal_open(&j, &p);
	play_hello(&p, "ann: of x");
	play_hello(&p, "bob");
	play_create(&p, "ann: of x", ruleset, c);
	struct id lobby = p.lobby;
	play_join(&p, "bob", &lobby, true);
	struct id m = p.match;
	play_wait(&p, 3000);
	while (play_random(&p, &rng, &m)) {
		if (length == 0)
			continue;
		if (match_awaits(play_at(&p, &m)) == AWAITS_ANSWER &&
		    rng_below(&rng, 3) == 0)
			play_resign(&p,
				    rng_below(&rng, 2) ? "bob" : "ann: of x",
				    &m,
				    (struct cmd_match_resign){ .level = 3 });
		if (rng_below(&rng, 150) > 0)
			continue;
		play_resign(&p, "bob", &m,
			    (struct cmd_match_resign){ .level = 2 });
		if (!p.err)
			play_offered(&p, "ann: of x", CMD_MATCH_ACCEPT_RESIGN,
				     &m, p.answer.seq);
	}
	struct record *r = record_take(&j, &m);
	journal_close(&j);
	play_close(&p);
	return r;
}

static void matches_come_back(void **state)
{
	(void)state;
	size_t doubles = 0, unanswered = 0;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct record *r = play_out(seed, "backgammon-match", 5);
		struct told told;
		struct mat_seen seen;
		struct buf b;
		buf_init(&b, MAT_BYTES_MAX);
		assert_int_equal(mat_write(r->fact, r->count, &b), PLYD_OK);
		mat_judge(&b, &seen);
		if (seen.faults > 0)
			fail_msg("seed %d: %s", (int)seed, seen.why);
		listen_to(&told, r);
		assert_int_equal(seen.length, 5);
		assert_int_equal(seen.games, told.games);
		assert_int_equal(seen.unfinished, 0);
		assert_int_equal(seen.doubles, told.doubles);
		assert_int_equal(seen.drops, told.drops);
		assert_int_equal(seen.points[0], told.points[0]);
		assert_int_equal(seen.points[1], told.points[1]);
		doubles += told.doubles;
		unanswered += told.unanswered;
		buf_release(&b);
		record_free(r);
	}
	assert_true(doubles > 10);
	assert_true(unanswered > 3);
}

static void a_single_game_is_a_match_to_one(void **state)
{
	(void)state;
	struct record *r = play_out(3, "short-backgammon", 0);
	struct mat_seen seen;
	struct buf b;
	buf_init(&b, MAT_BYTES_MAX);
	assert_int_equal(mat_write(r->fact, r->count, &b), PLYD_OK);
	mat_judge(&b, &seen);
	if (seen.faults > 0)
		fail_msg("%s", seen.why);
	assert_int_equal(seen.games, 1);
	assert_int_equal(seen.length, 1);
	buf_release(&b);
	record_free(r);
}

static void other_games_are_refused(void **state)
{
	(void)state;
	static const char *const rulesets[] = { "english", "hypergammon",
						"nackgammon" };
	for (size_t i = 0; i < COUNT(rulesets); i++) {
		struct record *r = record_play(rulesets[i], PLOT_RESIGNED, 1);
		struct buf b;
		buf_init(&b, MAT_BYTES_MAX);
		assert_int_equal(mat_write(r->fact, r->count, &b),
				 PLYD_EPOSITION);
		buf_release(&b);
		record_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matches_come_back),
		cmocka_unit_test(a_single_game_is_a_match_to_one),
		cmocka_unit_test(other_games_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
