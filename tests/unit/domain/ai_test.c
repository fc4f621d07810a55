/* SPDX-License-Identifier: MIT
 * Matches with personalities: so many at a time, and those that wait. */
#include "play.h"
#include "unit.h"

enum { LOOK_MS = 1000 };

static const struct cmd_lobby_create calm = {
	.side = BLACK,
	.opponent = AGAINST_PERSONALITY,
	.personality = { (const uint8_t *)"calm", 4 },
	.ready = true,
};

static void open_with(struct play *p, int64_t most, int64_t waiting,
		      int64_t each)
{
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.ai_matches_max = most;
	limits.ai_waiting_max = waiting;
	limits.ai_matches_per_player = each;
	play_open_limits(p, 1, &limits);
	play_hello(p, "ann");
	play_hello(p, "bob");
	play_hello(p, "cid");
	play_hello(p, "dan");
}

static size_t place_of(const struct play *p, const struct id *lobby)
{
	const struct lobby *l = domain_lobby(p->d, lobby);
	return l ? lobby_ai_place(p->d, l) : 0;
}

static int resign(struct play *p, const char *name, const struct id *match)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_MATCH_RESIGN,
					 .match = *match });
}

static void what_is_beyond_waits_in_order(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, 1, 5, 10);
	assert_int_equal(play_create(&p, "ann", "english", calm), PLYD_OK);
	struct id first = p.match;
	assert_int_equal(domain_ai_match_count(p.d), 1);
	assert_int_equal(play_create(&p, "bob", "english", calm), PLYD_OK);
	struct id of_bob = p.lobby;
	assert_int_equal(play_create(&p, "cid", "english", calm), PLYD_OK);
	struct id of_cid = p.lobby;
	assert_int_equal(place_of(&p, &of_bob), 1);
	assert_int_equal(place_of(&p, &of_cid), 2);
	play_wait(&p, LOOK_MS);
	assert_int_equal(domain_ai_match_count(p.d), 1);
	assert_int_equal(resign(&p, "ann", &first), PLYD_OK);
	assert_int_equal(domain_ai_match_count(p.d), 0);
	play_wait(&p, LOOK_MS);
	assert_null(domain_lobby(p.d, &of_bob));
	assert_int_equal(place_of(&p, &of_cid), 1);
	assert_int_equal(domain_ai_match_count(p.d), 1);
	/* who comes now comes behind cid, also when there is room */
	assert_int_equal(play_create(&p, "dan", "english", calm), PLYD_OK);
	assert_int_equal(place_of(&p, &p.lobby), 2);
	play_close(&p);
}

static void who_comes_does_not_overtake(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, 1, 5, 10);
	assert_int_equal(play_create(&p, "ann", "english", calm), PLYD_OK);
	struct id first = p.match;
	assert_int_equal(play_create(&p, "bob", "english", calm), PLYD_OK);
	struct id of_bob = p.lobby;
	assert_int_equal(resign(&p, "ann", &first), PLYD_OK);
	assert_int_equal(play_create(&p, "cid", "english", calm), PLYD_OK);
	assert_int_equal(place_of(&p, &of_bob), 1);
	assert_int_equal(place_of(&p, &p.lobby), 2);
	play_close(&p);
}

static void a_full_queue_is_told_by_name(void **state)
{
	(void)state;
	struct play p;
	struct cmd_lobby_create later = calm;
	later.ready = false;
	open_with(&p, 1, 1, 10);
	assert_int_equal(play_create(&p, "ann", "english", calm), PLYD_OK);
	struct id first = p.match;
	assert_int_equal(play_create(&p, "bob", "english", calm), PLYD_OK);
	struct id of_bob = p.lobby;
	assert_int_equal(play_create(&p, "cid", "english", calm), PLYD_EAIFULL);
	assert_int_equal(play_create(&p, "dan", "english", later), PLYD_OK);
	struct id of_dan = p.lobby;
	assert_int_equal(play_ready(&p, "dan", &of_dan, true), PLYD_EAIFULL);
	/* to be ready once more is no second place */
	assert_int_equal(play_ready(&p, "bob", &of_bob, true), PLYD_OK);
	/* who does not want to wait makes room */
	assert_int_equal(play_ready(&p, "bob", &of_bob, false), PLYD_OK);
	assert_int_equal(place_of(&p, &of_bob), 0);
	assert_int_equal(play_ready(&p, "dan", &of_dan, true), PLYD_OK);
	assert_int_equal(place_of(&p, &of_dan), 1);
	/* a rematch waits for nothing, and may not be one too many */
	assert_int_equal(resign(&p, "ann", &first), PLYD_OK);
	play_wait(&p, LOOK_MS);
	assert_int_equal(domain_ai_match_count(p.d), 1);
	assert_int_equal(play_do(&p, "ann",
				 (struct command){ .type = CMD_MATCH_REMATCH,
						   .match = first }),
			 PLYD_EAIFULL);
	play_close(&p);
}

static void a_player_has_so_many(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, 2, 5, 2);
	assert_int_equal(play_create(&p, "ann", "english", calm), PLYD_OK);
	struct id first = p.match;
	assert_int_equal(play_create(&p, "bob", "english", calm), PLYD_OK);
	/* one that waits counts as well */
	assert_int_equal(play_create(&p, "ann", "english", calm), PLYD_OK);
	assert_int_equal(place_of(&p, &p.lobby), 1);
	assert_int_equal(play_create(&p, "ann", "english", calm),
			 PLYD_EAIYOURS);
	assert_int_equal(play_create(&p, "ann", "english",
				     (struct cmd_lobby_create){ .side = -1 }),
			 PLYD_OK);
	assert_int_equal(resign(&p, "ann", &first), PLYD_OK);
	assert_int_equal(play_create(&p, "ann", "english", calm), PLYD_OK);
	play_close(&p);
}

static int rematch(struct play *p, const char *name, const struct id *match)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_MATCH_REMATCH,
					 .match = *match });
}

/* A slot that is free belongs to who waits for it. */
static void a_rematch_passes_nobody(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, 1, 5, 10);
	assert_int_equal(play_create(&p, "ann", "english", calm), PLYD_OK);
	struct id first = p.match;
	assert_int_equal(play_create(&p, "bob", "english", calm), PLYD_OK);
	struct id of_bob = p.lobby;
	assert_int_equal(resign(&p, "ann", &first), PLYD_OK);
	assert_int_equal(rematch(&p, "ann", &first), PLYD_EAIFULL);
	/* who wants no longer to wait leaves it to her */
	assert_int_equal(play_ready(&p, "bob", &of_bob, false), PLYD_OK);
	assert_int_equal(rematch(&p, "ann", &first), PLYD_OK);
	assert_int_equal(domain_ai_match_count(p.d), 1);
	play_close(&p);
}

static void a_rematch_is_one_of_so_many(void **state)
{
	(void)state;
	struct play p;
	open_with(&p, 5, 5, 1);
	assert_int_equal(play_create(&p, "ann", "english", calm), PLYD_OK);
	struct id first = p.match;
	assert_int_equal(resign(&p, "ann", &first), PLYD_OK);
	assert_int_equal(play_create(&p, "ann", "english", calm), PLYD_OK);
	assert_int_equal(rematch(&p, "ann", &first), PLYD_EAIYOURS);
	assert_int_equal(domain_ai_match_count(p.d), 1);
	play_close(&p);
}

/* Who waits in front and plays as much as he may by now holds up nobody. */
static void who_has_no_time_is_passed(void **state)
{
	struct domain_limits limits;
	struct play p;
	(void)state;
	domain_limits_default(&limits);
	limits.ai_matches_max = 1;
	limits.matches_per_player = 1;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	play_hello(&p, "cid");
	play_hello(&p, "dan");
	assert_int_equal(play_create(&p, "ann", "english", calm), PLYD_OK);
	struct id first = p.match;
	assert_int_equal(play_create(&p, "bob", "english", calm), PLYD_OK);
	struct id of_bob = p.lobby;
	assert_int_equal(play_create(&p, "cid", "english", calm), PLYD_OK);
	struct id of_cid = p.lobby;
	struct id of_both = play_match(&p, "english", "bob", "dan", NULL);
	assert_int_equal(resign(&p, "ann", &first), PLYD_OK);
	play_wait(&p, LOOK_MS);
	assert_int_equal(place_of(&p, &of_bob), 1);
	assert_null(domain_lobby(p.d, &of_cid));
	assert_int_equal(domain_ai_match_count(p.d), 1);
	/* he has kept his place */
	assert_int_equal(resign(&p, "bob", &of_both), PLYD_OK);
	assert_int_equal(play_create(&p, "ann", "english", calm), PLYD_OK);
	assert_int_equal(place_of(&p, &of_bob), 1);
	assert_int_equal(place_of(&p, &p.lobby), 2);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_beyond_waits_in_order),
		cmocka_unit_test(who_comes_does_not_overtake),
		cmocka_unit_test(a_full_queue_is_told_by_name),
		cmocka_unit_test(a_player_has_so_many),
		cmocka_unit_test(a_rematch_passes_nobody),
		cmocka_unit_test(a_rematch_is_one_of_so_many),
		cmocka_unit_test(who_has_no_time_is_passed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
