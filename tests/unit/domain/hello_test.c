/* SPDX-License-Identifier: MIT
 * Saying hello, coming back, being forgotten. */
#include "play.h"
#include "unit.h"

#include <string.h>

#define PLAY(p)                                                                \
	struct play p;                                                         \
	play_open(&p, 1)

static const struct player *player_of(const struct play *p, const char *name)
{
	return domain_player(p->d, &play_who(p, name)->id);
}

static void a_guest_without_a_name_gets_one(void **state)
{
	(void)state;
	PLAY(p);
	assert_int_equal(play_hello(&p, ""), PLYD_OK);
	assert_memory_equal(player_of(&p, "")->name, "guest-", 6);
	assert_string_equal(p.facts, "player_added");
	play_close(&p);
}

static void a_token_resumes_on_a_new_connection(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_gone(&p, "ann");
	assert_false(player_is_here(player_of(&p, "ann")));
	assert_int_equal(play_resume(&p, "ann"), PLYD_OK);
	assert_true(p.answer.resumed);
	assert_int_equal(player_of(&p, "ann")->sessions->conn,
			 play_who(&p, "ann")->conn);
	assert_int_equal(p.detached, 0);
	assert_int_equal(domain_player_count(p.d), 1);
	play_close(&p);
}

static void a_lost_answer_of_a_resume_locks_nobody_out(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	struct digest first = play_who(&p, "ann")->token;
	/* three answers are lost, so only the first token is known */
	for (int i = 0; i < 3; i++) {
		play_gone(&p, "ann");
		assert_int_equal(play_resume_with(&p, "ann", &first), PLYD_OK);
	}
	/* the fourth arrives: its token is good, and so is still the first */
	assert_int_equal(play_resume(&p, "ann"), PLYD_OK);
	/* which is void once another was used */
	assert_int_equal(play_resume_with(&p, "ann", &first), PLYD_ETOKEN);
	assert_int_equal(play_resume(&p, "ann"), PLYD_OK);
	play_close(&p);
}

static void an_offered_token_is_void_once_another_is_offered(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	struct digest first = play_who(&p, "ann")->token;
	play_resume(&p, "ann");
	struct digest second = play_who(&p, "ann")->token;
	assert_int_equal(play_resume_with(&p, "ann", &first), PLYD_OK);
	assert_int_equal(play_resume_with(&p, "ann", &second), PLYD_ETOKEN);
	play_close(&p);
}

/* LB-04 */
static void a_wrong_token_changes_nothing(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "english", "bob", "ann", NULL);
	play_gone(&p, "ann");
	uint64_t due = domain_next_due_ms(p.d);
	uint64_t row = domain_last_row(p.d);
	struct match before = *play_at(&p, &m);
	for (int i = 0; i < 100; i++) {
		struct digest wrong = { { (uint8_t)i, 1, 2 } };
		assert_int_equal(play_resume_with(&p, "ann", &wrong),
				 PLYD_ETOKEN);
		assert_string_equal(p.effects, "refuse");
		assert_string_equal(p.facts, "");
	}
	assert_int_equal(domain_next_due_ms(p.d), due);
	assert_int_equal(domain_last_row(p.d), row);
	assert_memory_equal(play_at(&p, &m), &before, sizeof(before));
	assert_int_equal(play_resume(&p, "ann"), PLYD_OK);
	play_gone(&p, "ann");
	/* never to return: the match ends by the clock, and is freed */
	play_wait(&p, 61000);
	assert_int_equal(play_at(&p, &m)->reason, END_FLAG);
	play_wait(&p, 300000);
	assert_null(domain_match(p.d, &m));
	play_close(&p);
}

/* LB-01 */
static void a_resume_closes_the_old_connection(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "english", "bob", "ann", NULL);
	uint64_t old = play_who(&p, "ann")->conn;
	assert_int_equal(play_resume(&p, "ann"), PLYD_OK);
	assert_int_equal(p.detached, old);
	assert_string_equal(p.effects, "detach answer presence");
	/* the end of the old socket is noticed late and means nothing */
	struct command late = { .type = CMD_GONE,
				.conn = old,
				.player = play_who(&p, "ann")->id,
				.now_ms = p.now_ms };
	assert_int_equal(domain_step(p.d, &late)->effect_count, 0);
	assert_true(play_at(&p, &m)->here[BLACK]);
	assert_int_equal(domain_player_count(p.d), 2);
	assert_int_equal(player_of(&p, "ann")->match_count, 1);
	play_close(&p);
}

static void guests_are_forgotten(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_wait(&p, 2 * (uint64_t)p.limits.guest_keep_ms);
	assert_int_equal(domain_player_count(p.d), 2);
	play_gone(&p, "ann");
	play_wait(&p, (uint64_t)p.limits.guest_keep_ms - 1);
	assert_int_equal(domain_player_count(p.d), 2);
	play_wait(&p, 1);
	assert_string_equal(p.facts, "| player_removed");
	assert_int_equal(domain_player_count(p.d), 1);
	assert_int_equal(play_resume(&p, "ann"), PLYD_ETOKEN);
	play_close(&p);
}

static void a_guest_with_a_match_is_kept(void **state)
{
	(void)state;
	PLAY(p);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct clock_rules none = { .kind = CLOCK_UNLIMITED };
	struct id m = play_match(&p, "english", "ann", "bob", &none);
	play_gone(&p, "ann");
	play_wait(&p, 3 * (uint64_t)p.limits.guest_keep_ms);
	assert_int_equal(domain_player_count(p.d), 2);
	assert_int_equal(play_in(&p, "bob", CMD_MATCH_RESIGN, &m), PLYD_OK);
	play_wait(&p, (uint64_t)p.limits.guest_keep_ms);
	assert_int_equal(domain_player_count(p.d), 1);
	play_close(&p);
}

static void players_have_a_maximum(void **state)
{
	(void)state;
	struct play p;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.players_max = 2;
	play_open_limits(&p, 1, &limits);
	assert_int_equal(play_hello(&p, "ann"), PLYD_OK);
	assert_int_equal(play_hello(&p, "bob"), PLYD_OK);
	assert_int_equal(play_hello(&p, "cay"), PLYD_EFULL);
	assert_string_equal(p.facts, "");
	/* who is away and sits somewhere keeps his place */
	play_create(&p, "ann", "english", (struct cmd_lobby_create){ 0 });
	play_gone(&p, "ann");
	assert_int_equal(play_hello(&p, "cay"), PLYD_EFULL);
	/* who has left makes room */
	play_gone(&p, "bob");
	assert_int_equal(play_hello(&p, "cay"), PLYD_OK);
	assert_string_equal(p.facts, "player_removed player_added");
	assert_int_equal(play_resume(&p, "bob"), PLYD_ETOKEN);
	assert_int_equal(play_resume(&p, "ann"), PLYD_OK);
	play_close(&p);
}

static void the_longest_away_makes_room(void **state)
{
	(void)state;
	struct play p;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.players_max = 3;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_hello(&p, "cay");
	play_wait(&p, 1000);
	play_gone(&p, "bob");
	play_wait(&p, 1000);
	play_gone(&p, "ann");
	play_wait(&p, 1000);
	play_gone(&p, "cay");
	assert_int_equal(play_hello(&p, "dan"), PLYD_OK);
	assert_int_equal(play_resume(&p, "bob"), PLYD_ETOKEN);
	assert_int_equal(play_resume(&p, "ann"), PLYD_OK);
	play_close(&p);
}

/* A step has room for the effects of all matches and lobbies of one player. */
static void many_matches_hear_of_presence(void **state)
{
	(void)state;
	PLAY(p);
	play_hello_bot(&p, "bot");
	play_hello(&p, "ann");
	int64_t most = p.limits.matches_per_player;
	for (int64_t i = 0; i < most; i++)
		play_match(&p, "english", "bot", "ann", NULL);
	for (int i = 0; i < 4; i++)
		play_create(&p, "bot", "english",
			    (struct cmd_lobby_create){ 0 });
	play_resume(&p, "bot");
	const char *at = p.effects;
	int64_t told = 0;
	while ((at = strstr(at, "presence"))) {
		told++;
		at++;
	}
	assert_int_equal(told, most);
	play_gone(&p, "bot");
	for (const struct match *m = domain_matches(p.d); m; m = match_next(m))
		assert_false(m->here[WHITE]);
	play_close(&p);
}

static void on_nothing(void *payload, const struct match *m)
{
	(void)payload, (void)m;
}

/* The operator allows fewer than are being played: who has more comes back to
 * all of them, and each of his turns begins. */
static void more_matches_than_are_allowed_today(void **state)
{
	struct play p;
	struct domain_limits limits;
	(void)state;
	domain_limits_default(&limits);
	limits.matches_per_player = 1;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_gone(&p, "ann");
	for (int i = 0; i < 40; i++)
		play_position(&p, "english", "ann", "bob", "B:W32:B1");
	domain_wake(p.d, p.now_ms, on_nothing, NULL);
	play_resume(&p, "ann");
	size_t told = 0;
	for (const char *at = p.effects; (at = strstr(at, "presence")); at++)
		told++;
	assert_int_equal(told, 40);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_guest_without_a_name_gets_one),
		cmocka_unit_test(a_token_resumes_on_a_new_connection),
		cmocka_unit_test(a_lost_answer_of_a_resume_locks_nobody_out),
		cmocka_unit_test(
			an_offered_token_is_void_once_another_is_offered),
		cmocka_unit_test(a_wrong_token_changes_nothing),
		cmocka_unit_test(a_resume_closes_the_old_connection),
		cmocka_unit_test(guests_are_forgotten),
		cmocka_unit_test(a_guest_with_a_match_is_kept),
		cmocka_unit_test(players_have_a_maximum),
		cmocka_unit_test(the_longest_away_makes_room),
		cmocka_unit_test(many_matches_hear_of_presence),
		cmocka_unit_test(more_matches_than_are_allowed_today),
	};
	return cmocka_run_group_tests_name("hello", tests, NULL, NULL);
}
