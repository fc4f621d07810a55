/* SPDX-License-Identifier: MIT
 * Records as games: backgammon as the reader of match files finds it, draughts
 * where the verifier says that the match stood. */
#include "games_judge.h"
#include "mat_judge.h"
#include "records.h"
#include "unit.h"

#include <string.h>

enum { MAT_BYTES_MAX = 1024 * 1024 };

static struct record *play_backgammon(uint64_t seed)
{
	static struct play p;
	struct journal j;
	struct rng rng;
	struct cmd_lobby_create c = { .side = WHITE,
				      .ready = true,
				      .match_length = 3 };
	rng_seed(&rng, seed);
	play_open(&p, seed);
	journal_open(&j, &p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_create(&p, "ann", "backgammon-match", c);
	struct id lobby = p.lobby;
	play_join(&p, "bob", &lobby, true);
	struct id m = p.match;
	play_wait(&p, 3000);
	while (play_random(&p, &rng, &m))
		;
	struct record *r = record_take(&j, &m);
	journal_close(&j);
	play_close(&p);
	return r;
}

static void matches_are_what_their_files_say(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		struct record *r = play_backgammon(seed);
		struct buf mat;
		buf_init(&mat, MAT_BYTES_MAX);
		assert_int_equal(mat_write(r->fact, r->count, &mat), PLYD_OK);
		const char *wrong = games_differ(r->fact, r->count, &mat);
		if (wrong)
			fail_msg("seed %d: %s differ", (int)seed, wrong);
		buf_release(&mat);
		record_free(r);
	}
}

/* Where the verifier stands when all is judged. */
static void judge_end(const struct record *r, char end[POSITION_TEXT_MAX],
		      uint32_t *plies)
{
	struct verifier *v = verifier_new(&r->match);
	struct standing s;
	for (size_t i = 0; i < r->count; i++)
		assert_int_equal(verifier_fact(v, buf_span(&r->fact[i])), 0);
	verifier_look(v, &s);
	game_write(&verifier_verdict(v)->rules, s.pos, end);
	*plies = s.plies;
	verifier_free(v);
}

static void games_end_where_the_verifier_stands(void **state)
{
	const char *const rulesets[] = { "english", "turkish", "backgammon",
					 "short-backgammon" };
	(void)state;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct record *r =
			record_play(rulesets[seed % 4],
				    seed % 3 ? PLOT_PLAYED : PLOT_RESIGNED,
				    seed);
		struct games_seen seen;
		char end[POSITION_TEXT_MAX];
		uint32_t plies;
		games_read(r->fact, r->count, &seen);
		judge_end(r, end, &plies);
		assert_int_equal(seen.err, PLYD_OK);
		assert_int_equal(seen.games, 1);
		assert_int_equal(seen.entries, plies);
		assert_string_equal(seen.end, end);
		record_free(r);
	}
}

static struct record *play_takebacks(uint64_t seed)
{
	static struct play p;
	struct journal j;
	struct rng rng;
	rng_seed(&rng, seed);
	play_open(&p, seed);
	journal_open(&j, &p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	for (int i = 0; i < 12; i++) {
		const char *who = rng_below(&rng, 2) ? "ann" : "bob";
		const char *other = !strcmp(who, "ann") ? "bob" : "ann";
		for (uint32_t n = 1 + rng_below(&rng, 3); n > 0; n--)
			play_random(&p, &rng, &m);
		if (!play_at(&p, &m))
			break;
		play_answer(&p, who, CMD_MATCH_TAKEBACK_OFFER, &m,
			    play_at(&p, &m)->ply);
		play_answer(&p, other, CMD_MATCH_TAKEBACK_ACCEPT, &m,
			    play_at(&p, &m)->ply);
	}
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	struct record *r = record_take(&j, &m);
	journal_close(&j);
	play_close(&p);
	return r;
}

static void what_was_taken_back_is_left_out(void **state)
{
	size_t back = 0;
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct record *r = play_takebacks(seed);
		struct games_seen seen;
		char end[POSITION_TEXT_MAX];
		uint32_t plies;
		games_read(r->fact, r->count, &seen);
		judge_end(r, end, &plies);
		assert_int_equal(seen.err, PLYD_OK);
		assert_int_equal(seen.entries, plies);
		assert_string_equal(seen.end, end);
		assert_int_equal(seen.no_progress, 80);
		assert_int_equal(seen.repetition, 3);
		for (size_t i = 0;
		     (i = record_find(r, FACT_TAKEN_BACK, i)) != SIZE_MAX; i++)
			back++;
		record_free(r);
	}
	assert_true(back > 20);
}

static void what_does_not_fit_is_no_record(void **state)
{
	struct record *r = record_play("short-backgammon", PLOT_PLAYED, 5);
	struct games_seen seen;
	(void)state;
	games_read(r->fact + 1, r->count - 1,
		   &seen); /* without its beginning */
	assert_int_equal(seen.err, PLYD_ERECORD);
	record_cut(r, record_find(r, FACT_ROLLED, 0));
	games_read(r->fact, r->count, &seen);
	assert_int_equal(seen.err, PLYD_ERECORD);
	record_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matches_are_what_their_files_say),
		cmocka_unit_test(games_end_where_the_verifier_stands),
		cmocka_unit_test(what_was_taken_back_is_left_out),
		cmocka_unit_test(what_does_not_fit_is_no_record),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
