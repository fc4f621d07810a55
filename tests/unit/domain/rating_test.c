/* SPDX-License-Identifier: MIT
 * Ratings of players: one update a match whatever ends it, none for an abort,
 * days, pools, leaderboards and what a snapshot keeps. */
#include "domain/domain_priv.h"
#include "play.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "domain/glicko.h"
#include "domain/rating_priv.h"

#define DAY ((uint64_t)RATING_DAY_MS)

static void make_account(struct play *p, const char *name)
{
	play_hello(p, name);
	assert_int_equal(play_register(p, name, name, "password"), PLYD_OK);
}

static void open_with(struct play *p, const struct domain_limits *limits)
{
	play_open_limits(p, 1, limits);
	make_account(p, "ann");
	make_account(p, "bob");
}

static void open_with_two(struct play *p)
{
	struct domain_limits limits;
	domain_limits_default(&limits);
	open_with(p, &limits);
}

static const struct clock_rules blitz = { .base_ms = 180000,
					  .increment_ms = 2000 };
static const struct clock_rules endless = { .kind = CLOCK_UNLIMITED };

/* A rated match of english; ann is white, bob is black and begins. */
static struct id rated_match(struct play *p, const char *white,
			     const char *black, const struct clock_rules *clock)
{
	struct cmd_lobby_create c = { .side = WHITE,
				      .ready = true,
				      .rated = true };
	c.clock = (struct clock_wish){
		.has_kind = true,
		.has_base_ms = clock_is_limited(clock),
		.has_increment_ms = clock_is_limited(clock),
		.kind = clock->kind,
		.base_ms = clock->base_ms,
		.increment_ms = clock->increment_ms,
	};
	assert_int_equal(play_create(p, white, "english", c), PLYD_OK);
	struct id lobby = p->lobby;
	assert_int_equal(play_join(p, black, &lobby, true), PLYD_OK);
	assert_true(play_at(p, &p->match)->rated);
	return p->match;
}

static struct rating_value rating_of(const struct play *p, const char *name)
{
	return player_rating(p->d, &play_who(p, name)->id, span_str("english"),
			     SPEED_BLITZ, POOL_PEOPLE, play_unix_ms(p));
}

static const struct rating *only_rating(const struct play *p, const char *name)
{
	const struct rating *r = player_ratings(p->d, &play_who(p, name)->id);
	assert_non_null(r);
	assert_null(r->next);
	return r;
}

/* -- what rates, and what does not -- */

static void resign(struct play *p, const struct id *m)
{
	play_in(p, "bob", CMD_MATCH_RESIGN, m);
}

static void agree(struct play *p, const struct id *m)
{
	play_in(p, "bob", CMD_MATCH_OFFER_DRAW, m);
	play_answer(p, "ann", CMD_MATCH_ACCEPT_DRAW, m, 0);
}

static void flag(struct play *p, const struct id *m)
{
	play_move(p, "bob", m, 0, "11-15");
	play_move(p, "ann", m, 1, "22-18");
	play_wait(p, 190000);
}

static void claim(struct play *p, const struct id *m)
{
	play_gone(p, "bob");
	play_wait(p, 61000);
	play_claim(p, "ann", m, true);
}

static void abort_it(struct play *p, const struct id *m)
{
	play_in(p, "bob", CMD_MATCH_ABORT, m);
}

/* For ann; but a fault had stopped it. */
static void end_frozen(struct play *p, const struct id *m)
{
	play_freeze(p, m);
	play_operator(p, (struct command){ .type = CMD_ADMIN_END_MATCH,
					   .match = *m,
					   .admin.result = RESULT_WHITE });
}

static struct ending {
	const char *name;
	void (*how)(struct play *p, const struct id *m);
	const char *facts;
	int score; /* ann's, -1: not rated */
} endings[] = {
	{ "resigned", resign, "rated ended player_rated player_rated", 2 },
	{ "agreed", agree, "rated ended player_rated player_rated", 1 },
	{ "flag", flag, "| rated ended player_rated player_rated", 2 },
	{ "claimed", claim,
	  "leaves_counted rated ended player_rated player_rated", 2 },
	{ "aborted", abort_it, "leaves_counted ended", -1 },
	{ "frozen", end_frozen, "audited ended", -1 },
};

static void whatever_ends_it(void **state)
{
	const struct ending *row = *state;
	struct play p;
	open_with_two(&p);
	struct id m = rated_match(&p, "ann", "bob", &blitz);
	row->how(&p, &m);
	assert_string_equal(p.facts, row->facts);
	if (row->score < 0) {
		assert_null(player_ratings(p.d, &play_who(&p, "ann")->id));
		assert_null(player_ratings(p.d, &play_who(&p, "bob")->id));
		play_close(&p);
		return;
	}
	struct rating_value before[2] = {
		{ RATING_START_MILLI, DEVIATION_START_MILLI,
		  VOLATILITY_START_NANO },
		{ RATING_START_MILLI, DEVIATION_START_MILLI,
		  VOLATILITY_START_NANO }
	};
	struct rating_value after[2];
	rating_after(before, row->score, after);
	struct rating_value ann = rating_of(&p, "ann");
	struct rating_value bob = rating_of(&p, "bob");
	assert_memory_equal(&ann, &after[WHITE], sizeof(ann));
	assert_memory_equal(&bob, &after[BLACK], sizeof(bob));
	assert_int_equal(only_rating(&p, "ann")->games, 1);
	assert_int_equal(only_rating(&p, "ann")->past[0].score, row->score);
	/* it is over: nothing rates it again */
	play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
	assert_int_equal(p.err, PLYD_EGAMEOVER);
	assert_string_equal(p.facts, "");
	assert_int_equal(only_rating(&p, "bob")->games, 1);
	play_close(&p);
}

static void an_adjourned_match_that_is_aborted(void **state)
{
	(void)state;
	struct play p;
	open_with_two(&p);
	struct id m = rated_match(&p, "ann", "bob", &endless);
	play_gone(&p, "ann");
	play_gone(&p, "bob");
	play_wait(&p, (uint64_t)p.limits.adjourned_keep_ms);
	assert_string_equal(p.facts, "| went_away | went_away | ended");
	assert_int_equal(play_at(&p, &m)->result, RESULT_ABORTED);
	assert_null(player_ratings(p.d, &play_who(&p, "ann")->id));
	play_close(&p);
}

static void without_an_account(void **state)
{
	(void)state;
	struct play p;
	open_with_two(&p);
	play_hello(&p, "guest");
	struct cmd_lobby_create rated = { .side = -1, .rated = true };
	assert_int_equal(play_create(&p, "guest", "english", rated),
			 PLYD_EUNRATED);
	struct cmd_lobby_create personality = { .side = -1,
						.rated = true,
						.opponent = AGAINST_PERSONALITY,
						.personality =
							span_str("calm") };
	assert_int_equal(play_create(&p, "ann", "english", personality),
			 PLYD_EUNRATED);
	assert_int_equal(play_create(&p, "ann", "english", rated), PLYD_OK);
	struct id lobby = p.lobby;
	assert_int_equal(play_join(&p, "guest", &lobby, true), PLYD_EUNRATED);
	/* not rated: any may play, and ratings are only shown */
	struct id m = play_match(&p, "english", "ann", "guest", NULL);
	assert_false(play_at(&p, &m)->rated);
	assert_int_equal(play_at(&p, &m)->rating[WHITE].before_milli,
			 RATING_START_MILLI);
	assert_int_equal(play_at(&p, &m)->rating[BLACK].before_milli, 0);
	play_in(&p, "guest", CMD_MATCH_RESIGN, &m);
	assert_string_equal(p.facts, "ended");
	play_close(&p);
}

/* -- time -- */

/* RT-05: updates are made match by match. Two that are played at a time are
 * rated one after the other, each from what both had when it ended. */
static void one_after_the_other(void **state)
{
	(void)state;
	struct play p;
	open_with_two(&p);
	struct id first = rated_match(&p, "ann", "bob", &blitz);
	struct id second = rated_match(&p, "ann", "bob", &blitz);
	assert_int_equal(play_at(&p, &second)->rating[WHITE].before_milli,
			 RATING_START_MILLI);
	play_in(&p, "bob", CMD_MATCH_RESIGN, &second);
	struct rating_value before[2] = { rating_of(&p, "ann"),
					  rating_of(&p, "bob") };
	struct rating_value after[2];
	play_in(&p, "ann", CMD_MATCH_RESIGN, &first);
	rating_after(before, 0, after);
	struct rating_value ann = rating_of(&p, "ann");
	struct rating_value bob = rating_of(&p, "bob");
	assert_memory_equal(&ann, &after[WHITE], sizeof(ann));
	assert_memory_equal(&bob, &after[BLACK], sizeof(bob));
	play_close(&p);
}

/* RT-05: ten matches within an hour make a rating more certain each time. */
static void many_in_an_hour(void **state)
{
	(void)state;
	struct play p;
	open_with_two(&p);
	int32_t last = DEVIATION_START_MILLI;
	for (int i = 0; i < 10; i++) {
		struct id m = rated_match(&p, "ann", "bob", &blitz);
		play_in(&p, i % 2 ? "ann" : "bob", CMD_MATCH_RESIGN, &m);
		int32_t now = rating_of(&p, "ann").deviation_milli;
		assert_true(now < last);
		last = now;
	}
	assert_true(last < 150 * 1000);
	play_close(&p);
}

/* RT-03: the deviation grows by whole days; a part of a day is not lost. */
static void days_without_a_match(void **state)
{
	(void)state;
	struct play p;
	open_with_two(&p);
	struct id m = rated_match(&p, "ann", "bob", &blitz);
	resign(&p, &m);
	struct rating_value v = rating_of(&p, "ann");
	play_wait(&p, DAY - 1);
	assert_int_equal(rating_of(&p, "ann").deviation_milli,
			 v.deviation_milli);
	play_wait(&p, 1);
	double one = glicko_grown(v.deviation_milli / 1e3,
				  v.volatility_nano / 1e9, 1);
	assert_int_equal(rating_of(&p, "ann").deviation_milli,
			 (int32_t)(one * 1e3 + 0.5));
	assert_int_equal(rating_of(&p, "ann").rating_milli, v.rating_milli);
	play_wait(&p, 3000 * DAY);
	assert_int_equal(rating_of(&p, "ann").deviation_milli,
			 DEVIATION_START_MILLI);
	play_close(&p);
}

static void a_part_of_a_day_counts_later(void **state)
{
	(void)state;
	struct play p;
	open_with_two(&p);
	struct id m = rated_match(&p, "ann", "bob", &blitz);
	resign(&p, &m);
	int64_t since = only_rating(&p, "ann")->since_ms;
	assert_int_equal(since, play_unix_ms(&p));
	play_wait(&p,
		  DAY + DAY / 2); /* the next match comes after 1 1/2 days */
	play_resume(&p, "ann");
	play_resume(&p, "bob");
	m = rated_match(&p, "ann", "bob", &blitz);
	resign(&p, &m);
	assert_int_equal(only_rating(&p, "ann")->since_ms,
			 since + RATING_DAY_MS);
	int32_t then = rating_of(&p, "ann").deviation_milli;
	play_wait(&p, DAY / 2); /* and the second day is full */
	assert_true(rating_of(&p, "ann").deviation_milli > then);
	play_close(&p);
}

/* -- pools -- */

static void bots_have_a_pool_of_their_own(void **state)
{
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.join_pools = *state != NULL;
	struct play p;
	open_with(&p, &limits);
	find_player(p.d, &play_who(&p, "bob")->id)->kind = KIND_BOT;
	assert_int_equal(rating_pool_of(p.d, KIND_MEMBER, KIND_MEMBER),
			 POOL_PEOPLE);
	enum rating_pool bots = limits.join_pools ? POOL_PEOPLE : POOL_BOTS;
	assert_int_equal(rating_pool_of(p.d, KIND_MEMBER, KIND_BOT), bots);
	assert_int_equal(rating_pool_of(p.d, KIND_BOT, KIND_MEMBER), bots);
	assert_int_equal(rating_pool_of(p.d, KIND_BOT, KIND_BOT), bots);
	play_close(&p);
}

/* -- what is kept -- */

static int carry(void *payload, const struct fact *f)
{
	return domain_apply(payload, f);
}

static void a_snapshot_keeps_all(void **state)
{
	(void)state;
	struct play p, q;
	play_open(&q, 2);
	open_with_two(&p);
	struct rng rng;
	rng_seed(&rng, 4);
	for (int i = 0; i < RATING_PAST_MAX + 5; i++) {
		struct id m = rated_match(&p, "ann", "bob", &blitz);
		play_in(&p, rng_below(&rng, 2) ? "ann" : "bob",
			CMD_MATCH_RESIGN, &m);
		play_wait(&p, rng_below(&rng, 20) * DAY / 10);
		play_resume(&p, "ann");
		play_resume(&p, "bob");
	}
	const struct rating *a = only_rating(&p, "ann");
	assert_int_equal(a->past_count, RATING_PAST_MAX);
	assert_int_equal(a->games, RATING_PAST_MAX + 5);
	assert_int_equal(a->past[RATING_PAST_MAX - 1].after_milli,
			 a->value.rating_milli);
	assert_int_equal(domain_state_facts(p.d, carry, q.d), PLYD_OK);
	const struct rating *b = player_ratings(q.d, &a->player);
	assert_non_null(b);
	assert_memory_equal(&a->value, &b->value, sizeof(a->value));
	assert_int_equal(a->since_ms, b->since_ms);
	assert_int_equal(a->games, b->games);
	assert_int_equal(a->past_count, b->past_count);
	assert_memory_equal(a->past, b->past, sizeof(a->past));
	assert_int_equal(a->on_board, b->on_board);
	play_close(&p);
	play_close(&q);
}

static void who_is_forgotten_has_no_ratings(void **state)
{
	(void)state;
	struct play p;
	open_with_two(&p);
	struct id m = rated_match(&p, "ann", "bob", &blitz);
	resign(&p, &m);
	struct id ann = play_who(&p, "ann")->id;
	assert_int_equal(domain_apply(p.d,
				      &(struct fact){
					      .type = FACT_PLAYER_REMOVED,
					      .player_removed = { ann } }),
			 PLYD_OK);
	assert_null(player_ratings(p.d, &ann));
	play_close(&p);
}

/* -- leaderboards -- */

enum { CROWD = 60 };

static struct id member(int i)
{
	char text[ID_CHARS + 1] = "aaaaaaaaaa";
	text[8] = (char)('a' + i / 20);
	text[9] = (char)('a' + i % 20);
	struct id id;
	assert_true(id_read(span_str(text), &id));
	return id;
}

static void give_rating(struct domain *d, int who, int64_t milli,
			int64_t deviation, int64_t at)
{
	struct fact f = { .type = FACT_PLAYER_RATED };
	f.player_rated = (struct fact_player_rated_body){
		.player = member(who),
		.ruleset = span_str("english"),
		.speed = SPEED_RAPID,
		.played = member(0),
		.opponent = member(1),
		.at = at,
		.since = at,
		.before_milli = RATING_START_MILLI,
		.milli = milli,
		.deviation_milli = deviation,
		.volatility_nano = VOLATILITY_START_NANO,
		.games = 1,
	};
	assert_int_equal(domain_apply(d, &f), PLYD_OK);
}

struct naive {
	int who;
	int64_t milli, deviation, at;
};

static int64_t now_for_sorting;

static bool leads(const struct naive *n)
{
	double days = (double)((now_for_sorting - n->at) / RATING_DAY_MS);
	return n->milli > 0 &&
	       glicko_grown((double)n->deviation / 1e3, 0.06, days) <= 110.0004;
}

static int by_rating(const void *a, const void *b)
{
	const struct naive *x = a, *y = b;
	if (leads(x) != leads(y))
		return leads(x) ? -1 : 1;
	if (x->milli != y->milli)
		return x->milli > y->milli ? -1 : 1;
	return x->who - y->who;
}

static void check_board(struct domain *d, const struct naive *all, size_t count)
{
	struct naive sorted[CROWD];
	memcpy(sorted, all, sizeof(sorted));
	qsort(sorted, CROWD, sizeof(sorted[0]), by_rating);
	struct board *b = board_find(d->boards, span_str("english"),
				     SPEED_RAPID, POOL_PEOPLE);
	size_t shown = b ? board_settle(b, count, now_for_sorting) : 0;
	size_t want = 0;
	while (want < CROWD && want < count && leads(&sorted[want]))
		want++;
	assert_int_equal(shown, want);
	for (size_t i = 0; i < shown; i++) {
		struct id id = member(sorted[i].who);
		assert_true(id_eq(&b->at[i]->player, &id));
	}
	for (size_t i = 1; b && i < b->count; i++)
		assert_true(b->at[i - 1]->value.rating_milli >=
			    b->at[i]->value.rating_milli);
}

static void a_leaderboard_is_always_in_order(void **state)
{
	(void)state;
	struct play p;
	struct rng rng;
	struct naive all[CROWD];
	play_open(&p, 1);
	rng_seed(&rng, 9);
	now_for_sorting = 1700000000000;
	for (int i = 0; i < CROWD; i++)
		all[i] = (struct naive){ .who = i };
	for (int turn = 0; turn < 4000; turn++) {
		struct naive *n = &all[rng_below(&rng, CROWD)];
		n->milli = 1400000 + rng_below(&rng, 40) * 1000;
		n->deviation = 40000 + rng_below(&rng, 90) * 1000;
		n->at = now_for_sorting;
		give_rating(p.d, n->who, n->milli, n->deviation, n->at);
		if (rng_below(&rng, 50) == 0) {
			n = &all[rng_below(&rng, CROWD)];
			struct id id = member(n->who);
			ratings_forget(p.d, &id);
			n->milli = 0;
		}
		if (rng_below(&rng, 10) == 0)
			now_for_sorting += RATING_DAY_MS * 3;
		if (turn % 7 == 0)
			check_board(p.d, all, 1 + rng_below(&rng, 100));
	}
	play_close(&p);
}

static void leaders_are_asked_for(void **state)
{
	(void)state;
	struct play p;
	open_with_two(&p);
	struct cmd_rating c = { .ruleset = span_str("english"),
				.speed = SPEED_BLITZ,
				.count = 20 };
	struct command cmd = { .type = CMD_RATING_LEADERS, .rating = c };
	assert_int_equal(play_do(&p, "ann", cmd), PLYD_OK);
	assert_int_equal(p.answer.shown, 0);
	cmd.rating.ruleset = span_str("chess");
	assert_int_equal(play_do(&p, "ann", cmd), PLYD_ERULESET);
	cmd = (struct command){ .type = CMD_RATING_GET };
	assert_int_equal(play_do(&p, "ann", cmd), PLYD_OK);
	assert_string_equal(p.answer.about->name, "ann");
	cmd.rating.player = member(3);
	assert_int_equal(play_do(&p, "ann", cmd), PLYD_ENOPLAYER);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_adjourned_match_that_is_aborted),
		cmocka_unit_test(without_an_account),
		cmocka_unit_test(one_after_the_other),
		cmocka_unit_test(many_in_an_hour),
		cmocka_unit_test(days_without_a_match),
		cmocka_unit_test(a_part_of_a_day_counts_later),
		cmocka_unit_test(bots_have_a_pool_of_their_own),
		cmocka_unit_test_prestate(bots_have_a_pool_of_their_own,
					  (void *)"joined"),
		cmocka_unit_test(a_snapshot_keeps_all),
		cmocka_unit_test(who_is_forgotten_has_no_ratings),
		cmocka_unit_test(a_leaderboard_is_always_in_order),
		cmocka_unit_test(leaders_are_asked_for),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + RUN_TABLE("endings", endings, whatever_ends_it);
}
