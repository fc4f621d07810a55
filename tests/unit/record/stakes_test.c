/* SPDX-License-Identifier: MIT
 * Records of matches of several games: good ones pass, and what a forger would
 * change in cube, games and resignations is found. */
#include "records.h"
#include "unit.h"

#include <string.h>

static struct doc *doc;

/* Now and then somebody offers to resign, and the other answers. */
static void talk_of_resigning(struct play *p, struct rng *rng,
			      const struct id *m)
{
	static const char *const names[] = { "ann", "bob" };
	int s = (int)rng_below(rng, 2);
	struct cmd_match_resign how = { .level = 1 + (int)rng_below(rng, 2),
					.game = play_at(p, m)->game };
	play_resign(p, names[s], m, how);
	uint64_t offer = p->answer.seq;
	if (!p->err && rng_below(rng, 3) > 0)
		play_offered(p, names[!s],
			     rng_below(rng, 8) == 0 ? CMD_MATCH_ACCEPT_RESIGN
						    : CMD_MATCH_DECLINE_RESIGN,
			     m, offer);
}

/* A match to 5 with all that cube, score and resignations can be. */
static struct record *play_of_games(uint64_t seed, bool whole)
{
	static struct play p;
	struct journal j;
	struct rng rng;
	struct cmd_lobby_create c = { .side = WHITE,
				      .ready = true,
				      .match_length = 5,
				      .clock = { .has_base_ms = true,
						 .has_increment_ms = true,
						 .base_ms = 3600000,
						 .increment_ms = 2000 } };
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
	while (play_random(&p, &rng, &m)) {
		play_wait(&p, rng_below(&rng, 2000));
		if (rng_below(&rng, 10) == 0 &&
		    play_at(&p, &m)->state == MATCH_PLAYING)
			talk_of_resigning(&p, &rng, &m);
		if (whole && play_at(&p, &m)->game == 2)
			play_resign(&p, "bob", &m,
				    (struct cmd_match_resign){ .whole = true });
	}
	struct record *r = record_take(&j, &m);
	journal_close(&j);
	play_close(&p);
	return r;
}

static void good_records_pass(void **state)
{
	(void)state;
	char why[VERIFY_WHY_MAX];
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct record *r = play_of_games(seed, seed % 5 == 0);
		int err = record_verify(r, why);
		if (err)
			fail_msg("seed %d: %s", (int)seed, why);
		record_free(r);
	}
}

/* A game is given up, and then the match. */
static struct record *play_of_resignations(void)
{
	static struct play p;
	struct journal j;
	struct cmd_lobby_create c = { .side = WHITE,
				      .ready = true,
				      .match_length = 5 };
	play_open(&p, 1);
	journal_open(&j, &p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_create(&p, "ann", "backgammon-match", c);
	struct id lobby = p.lobby;
	play_join(&p, "bob", &lobby, true);
	struct id m = p.match;
	play_wait(&p, 3000);
	play_resign(&p, "ann", &m, (struct cmd_match_resign){ .level = 3 });
	play_resign(&p, "ann", &m, (struct cmd_match_resign){ .whole = true });
	struct record *r = record_take(&j, &m);
	journal_close(&j);
	play_close(&p);
	return r;
}

/* Older servers did not count a game given up as a half-move. */
static void records_of_older_servers_pass(void **state)
{
	(void)state;
	char why[VERIFY_WHY_MAX];
	struct record *r = play_of_resignations();
	size_t begun = record_find(r, FACT_GAME_BEGUN, 0);
	size_t ended = record_find(r, FACT_ENDED, 0);
	struct fact f = record_fact(r, doc, begun);
	f.game_begun.ply--;
	record_put(r, begun, &f);
	record_rehead(r);
	assert_int_equal(record_verify(r, why), PLYD_ERECORD);
	f = record_fact(r, doc, ended);
	f.ended.ply--;
	record_put(r, ended, &f);
	record_rehead(r);
	if (record_verify(r, why))
		fail_msg("%s", why);
	record_free(r);
}

static void a_verdict_counts_the_games(void **state)
{
	(void)state;
	struct record *r = play_of_games(3, false);
	struct verifier *v = verifier_new(&r->match);
	uint32_t games = 1;
	for (size_t i = 0; i < r->count; i++) {
		games += record_fact(r, doc, i).type == FACT_GAME_BEGUN;
		assert_int_equal(verifier_fact(v, buf_span(&r->fact[i])),
				 PLYD_OK);
	}
	assert_int_equal(verifier_verdict(v)->games, games);
	assert_true(games > 1);
	verifier_free(v);
	record_free(r);
}

/* Each fact of a match, judged as it happens. */
static void judge_at_once(void *payload, const struct fact *f)
{
	struct verifier **v = payload;
	struct buf b;
	if (f->type == FACT_BEGUN)
		*v = verifier_new(&f->match);
	if (fact_stream(f->type) != STREAM_MATCH)
		return;
	buf_init(&b, FACT_BYTES_MAX);
	fact_encode(f, &b);
	if (verifier_fact(*v, buf_span(&b)))
		fail_msg("%s", verifier_verdict(*v)->why);
	buf_release(&b);
}

/* To 64 points, and nobody ever doubles. */
static void a_match_that_is_too_long_is_a_draw(void **state)
{
	(void)state;
	static struct play p;
	struct verifier *v = NULL;
	struct rng rng;
	struct cmd_lobby_create c = { .side = WHITE,
				      .ready = true,
				      .match_length = 64,
				      .clock = { .unlimited = true } };
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.match_length_max = 64;
	rng_seed(&rng, 1);
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	p.on_fact = judge_at_once;
	p.payload = &v;
	play_create(&p, "ann", "backgammon-match", c);
	struct id lobby = p.lobby;
	play_join(&p, "bob", &lobby, true);
	struct id m = p.match;
	play_wait(&p, 3000);
	const struct match *at = play_at(&p, &m);
	while (at->state == MATCH_PLAYING) {
		if (match_awaits(at) == AWAITS_ROLL)
			play_answer(&p, match_turn(at) == WHITE ? "ann" : "bob",
				    CMD_MATCH_ROLL, &m, at->ply);
		else
			play_random(&p, &rng, &m);
	}
	assert_int_equal(at->ply, PLIES_MAX);
	assert_int_equal(at->result, RESULT_DRAW);
	assert_int_equal(at->reason, END_TOO_LONG);
	assert_true(at->game > 20);
	assert_int_equal(verifier_end(v, NULL), PLYD_OK);
	verifier_free(v);
	play_close(&p);
}

/* -- forgeries -- */

struct forgery {
	const char *name;
	enum fact_type type;
	void (*how)(struct fact *f); /* NULL: the fact is taken out */
};

#define HOW(name, change)                                                      \
	static void name(struct fact *f)                                       \
	{                                                                      \
		change;                                                        \
	}
HOW(doubled_side, f->doubled.side = !f->doubled.side)
HOW(doubled_ply, f->doubled.ply++)
HOW(doubled_free, f->doubled.left_ms += f->doubled.thought_ms + 1)
HOW(doubled_at_once, f->doubled.thought_ms = -1)
HOW(taken_by_the_doubler, f->taken.side = !f->taken.side)
HOW(taken_ply, f->taken.ply--)
HOW(dropped_as_taken, f->type = FACT_TAKEN)
HOW(taken_as_dropped, f->type = FACT_DROPPED)
HOW(game_points, f->game_ended.points *= 2)
HOW(game_score, f->game_ended.white_score++)
HOW(game_score_of_black, f->game_ended.black_score++)
HOW(game_winner, f->game_ended.winner = !f->game_ended.winner)
HOW(game_reason, f->game_ended.reason = span_str("gammon"))
HOW(game_resigned, f->game_ended.reason = span_str("resigned"))
HOW(game_number, f->game_ended.game++)
HOW(game_clock, f->game_ended.white_left_ms += 1)
HOW(next_number, f->game_begun.game++)
HOW(next_ply, f->game_begun.ply = 0)
HOW(next_ply_twice, f->game_begun.ply += 2)
HOW(next_ply_counted, f->game_begun.ply++)
HOW(next_with_the_old_cube,
    f->game_begun.position =
	    span_str("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:1:0:5:10"))
HOW(next_without_a_score,
    f->game_begun.position =
	    span_str("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"))
HOW(roll_not_asked, f->rolled.asked = !f->rolled.asked)
HOW(roll_took_back_time, f->rolled.thought_ms = -1)
HOW(roll_took_too_long, f->rolled.thought_ms += 100000)
HOW(resign_level, f->resign_offered.level = 3)
HOW(resign_no_level, f->resign_offered.level = 0)
HOW(resign_ply, f->resign_offered.ply++)
HOW(declined_side, f->resign_declined.side = !f->resign_declined.side)
HOW(end_score, f->ended.white_score++)
HOW(end_score_of_black, f->ended.black_score--)
HOW(end_points, f->ended.points++)
#undef HOW

static const struct forgery forgeries[] = {
	{ "doubled out of turn", FACT_DOUBLED, doubled_side },
	{ "doubled at another ply", FACT_DOUBLED, doubled_ply },
	{ "a double for nothing", FACT_DOUBLED, doubled_free },
	{ "a double before its time", FACT_DOUBLED, doubled_at_once },
	{ "no double", FACT_DOUBLED, NULL },
	{ "taken by the doubler", FACT_TAKEN, taken_by_the_doubler },
	{ "taken at another ply", FACT_TAKEN, taken_ply },
	{ "not taken", FACT_TAKEN, NULL },
	{ "a drop is a take", FACT_DROPPED, dropped_as_taken },
	{ "a take is a drop", FACT_TAKEN, taken_as_dropped },
	{ "not dropped", FACT_DROPPED, NULL },
	{ "the points of a game", FACT_GAME_ENDED, game_points },
	{ "white's score", FACT_GAME_ENDED, game_score },
	{ "black's score", FACT_GAME_ENDED, game_score_of_black },
	{ "the winner of a game", FACT_GAME_ENDED, game_winner },
	{ "the reason of a game", FACT_GAME_ENDED, game_reason },
	{ "a game not resigned", FACT_GAME_ENDED, game_resigned },
	{ "the number of a game", FACT_GAME_ENDED, game_number },
	{ "the clock after a game", FACT_GAME_ENDED, game_clock },
	{ "a game does not end", FACT_GAME_ENDED, NULL },
	{ "another number", FACT_GAME_BEGUN, next_number },
	{ "the ply starts again", FACT_GAME_BEGUN, next_ply },
	{ "two half-moves between games", FACT_GAME_BEGUN, next_ply_twice },
	{ "a half-move that nobody gave up", FACT_GAME_BEGUN,
	  next_ply_counted },
	{ "the old cube", FACT_GAME_BEGUN, next_with_the_old_cube },
	{ "no score", FACT_GAME_BEGUN, next_without_a_score },
	{ "a game does not begin", FACT_GAME_BEGUN, NULL },
	{ "dice not asked for", FACT_ROLLED, roll_not_asked },
	{ "time given back", FACT_ROLLED, roll_took_back_time },
	{ "time made up", FACT_ROLLED, roll_took_too_long },
	{ "an offer of all", FACT_RESIGN_OFFERED, resign_level },
	{ "an offer of nothing", FACT_RESIGN_OFFERED, resign_no_level },
	{ "an offer at another ply", FACT_RESIGN_OFFERED, resign_ply },
	{ "no offer", FACT_RESIGN_OFFERED, NULL },
	{ "declined by the resigner", FACT_RESIGN_DECLINED, declined_side },
	{ "white's score at the end", FACT_ENDED, end_score },
	{ "black's score at the end", FACT_ENDED, end_score_of_black },
	{ "points at the end", FACT_ENDED, end_points },
};

/* A game that was resigned is no forgery when it says so. */
static bool says_so(const struct record *r, size_t i, const struct forgery *row)
{
	return row->how == game_resigned &&
	       span_is(record_fact(r, doc, i).game_ended.reason, "resigned");
}

static void forge(struct record *r, size_t i, const struct forgery *row)
{
	if (!row->how) {
		record_cut(r, i);
		return;
	}
	struct fact f = record_fact(r, doc, i);
	row->how(&f);
	record_put(r, i, &f);
}

/* Forges the fact where it first occurs, and once more near the end. */
static void a_forgery_is_found(void **state)
{
	const struct forgery *row = *state;
	char why[VERIFY_WHY_MAX];
	size_t tried = 0;
	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct record *r = play_of_games(seed, false);
		size_t i = record_find(r, row->type, 0), next;
		/* what never lacks an answer is no forgery when it is missing:
		 * an offer that nobody answered */
		if (row->type == FACT_RESIGN_OFFERED && !row->how) {
			size_t no = record_find(r, FACT_RESIGN_DECLINED, 0);
			while (no != SIZE_MAX && i != SIZE_MAX && i + 1 < no)
				i = record_find(r, row->type, i + 1);
		}
		if (row->type == FACT_ROLLED && seed % 2 == 0)
			while (i != SIZE_MAX &&
			       (next = record_find(r, row->type, i + 1)) !=
				       SIZE_MAX &&
			       !record_fact(r, doc, i).rolled.asked)
				i = next;
		if (i != SIZE_MAX && !says_so(r, i, row)) {
			tried++;
			forge(r, i, row);
			record_rehead(r);
			if (record_verify(r, why) != PLYD_ERECORD)
				fail_msg("seed %d, fact %zu: passes", (int)seed,
					 i);
		}
		record_free(r);
	}
	assert_true(tried > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_records_pass),
		cmocka_unit_test(records_of_older_servers_pass),
		cmocka_unit_test(a_verdict_counts_the_games),
		cmocka_unit_test(a_match_that_is_too_long_is_a_draw),
	};
	doc = doc_new();
	int failed = cmocka_run_group_tests_name("stakes", tests, NULL, NULL);
	failed += RUN_TABLE("forgeries", forgeries, a_forgery_is_found);
	doc_free(doc);
	return failed;
}
