/* SPDX-License-Identifier: MIT
 * Spectators: a snapshot and the events after it without a hole, also where all
 * of it is shown late; and following players. */
#include "domain/late.h"
#include "play.h"
#include "unit.h"

#include <stdio.h>

#include <string.h>

enum { DELAY = 30000 };

static void open_with(struct play *p, int64_t delay_ms)
{
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.spectator_delay_ms = delay_ms;
	limits.watches_per_player = 3;
	limits.follows_per_player = 2;
	play_open_limits(p, 1, &limits);
	play_hello(p, "ann");
	play_hello(p, "bob");
	play_hello(p, "eve");
}

static const struct match *seen_by(const struct play *p, const char *name,
				   const struct id *m)
{
	return match_seen(play_at(p, m), &play_who(p, name)->id);
}

static int watch(struct play *p, const char *name, const struct id *m)
{
	return play_in(p, name, CMD_MATCH_WATCH, m);
}

static int follow(struct play *p, const char *name, const char *whom)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_PLAYER_WATCH,
					 .whom = play_who(p, whom)->id });
}

static int unfollow(struct play *p, const char *name, const char *whom)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_PLAYER_UNWATCH,
					 .whom = play_who(p, whom)->id });
}

/* -- late -- */

static void without_a_delay_all_see_the_same(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, 0);
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	assert_ptr_equal(seen_by(&p, "eve", &m), play_at(&p, &m));
	assert_int_equal(watch(&p, "eve", &m), PLYD_OK);
	play_move(&p, "bob", &m, 0, "11-15");
	assert_string_equal(p.effects, "fact answer release |");
	play_close(&p);
}

static void spectators_see_it_late(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, DELAY);
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	assert_int_equal(watch(&p, "eve", &m), PLYD_OK);
	play_wait(&p, 1000);
	assert_int_equal(play_move(&p, "bob", &m, 0, "11-15"), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->ply, 1);
	assert_int_equal(seen_by(&p, "ann", &m)->ply, 1);
	assert_int_equal(seen_by(&p, "eve", &m)->ply, 0);
	assert_int_equal(seen_by(&p, "eve", &m)->seq, 1);
	play_wait(&p, DELAY - 1);
	assert_string_equal(p.effects, "");
	assert_int_equal(seen_by(&p, "eve", &m)->seq, 1);
	play_wait(&p, 1);
	assert_string_equal(p.effects, "| late_fact");
	assert_int_equal(seen_by(&p, "eve", &m)->seq, 2);
	assert_memory_equal(&seen_by(&p, "eve", &m)->pos, &play_at(&p, &m)->pos,
			    sizeof(struct position));
	play_close(&p);
}

static void the_end_is_late_too(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, DELAY);
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	watch(&p, "eve", &m);
	play_in(&p, "bob", CMD_MATCH_RESIGN, &m);
	assert_int_equal(play_at(&p, &m)->state, MATCH_OVER);
	assert_int_equal(seen_by(&p, "eve", &m)->state, MATCH_PLAYING);
	assert_true(match_is_hidden(play_at(&p, &m)));
	/* a command of his tells him no more */
	play_in(&p, "eve", CMD_MATCH_RESIGN, &m);
	assert_int_equal(p.err, PLYD_ESEAT);
	play_wait(&p, DELAY);
	assert_int_equal(seen_by(&p, "eve", &m)->state, MATCH_OVER);
	assert_false(match_is_hidden(play_at(&p, &m)));
	play_wait(&p, (uint64_t)p.limits.result_keep_ms);
	assert_null(domain_match(p.d, &m));
	play_close(&p);
}

static void coming_and_going_is_late_too(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, DELAY);
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	assert_true(seen_by(&p, "eve", &m)->here[BLACK]);
	play_gone(&p, "bob");
	assert_true(seen_by(&p, "eve", &m)->here[BLACK]);
	play_wait(&p, DELAY);
	assert_string_equal(p.effects, "| late_presence");
	assert_false(seen_by(&p, "eve", &m)->here[BLACK]);
	play_close(&p);
}

/* LB-09: what a spectator sees goes on and never back, and after the delay he
 * has seen all; that his events have no hole is seen in session. */
static void he_sees_all_in_order(void **state)
{
	int64_t delay_ms = *state ? DELAY : 0;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct play p;
		struct rng rng;
		open_with(&p, delay_ms);
		rng_seed(&rng, seed);
		struct id m = play_match(&p, "backgammon", "ann", "bob", NULL);
		uint64_t seq = 0;
		for (int turn = 0; turn < 60; turn++) {
			play_wait(&p, rng_below(&rng, 4000));
			if (play_at(&p, &m)->state == MATCH_OVER)
				break;
			if (rng_below(&rng, 3) == 0)
				play_random(&p, &rng, &m);
			uint64_t now = seen_by(&p, "eve", &m)->seq;
			assert_true(now >= seq);
			seq = now;
		}
		seq = play_at(&p, &m)->seq;
		play_wait(&p, (uint64_t)delay_ms);
		assert_true(seen_by(&p, "eve", &m)->seq >= seq);
		play_close(&p);
	}
}

/* -- following -- */

static void a_follower_watches_what_begins(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, 0);
	assert_int_equal(follow(&p, "eve", "ann"), PLYD_OK);
	assert_string_equal(p.effects, "answer");
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	assert_non_null(strstr(p.effects, "snapshot"));
	assert_int_equal(play_at(&p, &m)->watcher_count, 1);
	unfollow(&p, "eve", "ann");
	assert_int_equal(play_at(&p, &m)->watcher_count, 1);
	struct id n = play_match(&p, "english", "ann", "bob", NULL);
	assert_int_equal(play_at(&p, &n)->watcher_count, 0);
	play_close(&p);
}

static void and_what_is_played(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, 0);
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	struct id n = play_match(&p, "english", "bob", "ann", NULL);
	watch(&p, "eve", &m);
	follow(&p, "eve", "ann");
	/* the one that he watches already is not shown again */
	assert_string_equal(p.effects, "answer snapshot");
	assert_int_equal(play_at(&p, &n)->watcher_count, 1);
	follow(&p, "eve", "ann");
	assert_string_equal(p.effects, "answer");
	play_close(&p);
}

static void a_follower_may_not(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, 0);
	play_hello(&p, "joe");
	assert_int_equal(follow(&p, "eve", "eve"), PLYD_ENOTALLOWED);
	assert_int_equal(follow(&p, "eve", "ann"), PLYD_OK);
	assert_int_equal(follow(&p, "eve", "bob"), PLYD_OK);
	assert_int_equal(follow(&p, "eve", "joe"), PLYD_ETOOMANY);
	/* more matches than he may watch: the first ones */
	for (int i = 0; i < 5; i++) {
		struct id m = play_match(&p, "english", "ann", "bob", NULL);
		assert_int_equal(play_at(&p, &m)->watcher_count, i < 3);
	}
	/* he plays himself: he does not watch as well */
	struct id m = play_match(&p, "english", "eve", "joe", NULL);
	follow(&p, "joe", "eve");
	assert_int_equal(play_at(&p, &m)->watcher_count, 0);
	play_gone(&p, "eve");
	m = play_match(&p, "english", "ann", "bob", NULL);
	assert_int_equal(play_at(&p, &m)->watcher_count, 0);
	play_close(&p);
}

/* Another stranger, who stays, though the play forgets him for the next one. */
static const char *a_stranger_comes(struct play *p, size_t known, size_t number)
{
	static char name[16];
	snprintf(name, sizeof(name), "s%zu", number);
	p->who_count = known;
	assert_int_equal(play_hello(p, name), PLYD_OK);
	return name;
}

static void a_match_has_so_many_spectators(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, 0);
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	size_t known = p.who_count;
	for (size_t i = 0; i <= WATCHERS_MAX; i++) {
		const char *name = a_stranger_comes(&p, known, i);
		assert_int_equal(watch(&p, name, &m),
				 i < WATCHERS_MAX ? PLYD_OK : PLYD_EFULL);
	}
	assert_int_equal(play_at(&p, &m)->watcher_count, WATCHERS_MAX);
	/* those who play need no room */
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_WATCH, &m), PLYD_OK);
	play_close(&p);
}

static void a_player_has_so_many_followers(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, 0);
	size_t known = p.who_count;
	for (size_t i = 0; i <= FOLLOWERS_MAX; i++) {
		const char *name = a_stranger_comes(&p, known, i);
		assert_int_equal(follow(&p, name, "ann"),
				 i < FOLLOWERS_MAX ? PLYD_OK : PLYD_EFULL);
	}
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_delay_all_see_the_same),
		cmocka_unit_test(spectators_see_it_late),
		cmocka_unit_test(the_end_is_late_too),
		cmocka_unit_test(coming_and_going_is_late_too),
		cmocka_unit_test(he_sees_all_in_order),
		cmocka_unit_test_prestate(he_sees_all_in_order, (void *)"late"),
		cmocka_unit_test(a_follower_watches_what_begins),
		cmocka_unit_test(and_what_is_played),
		cmocka_unit_test(a_follower_may_not),
		cmocka_unit_test(a_match_has_so_many_spectators),
		cmocka_unit_test(a_player_has_so_many_followers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
