/* SPDX-License-Identifier: MIT
 * Several sessions of one player: one person, one seat, driven by the session
 * that last took it. */
#include "play.h"
#include "unit.h"

#include <string.h>

/* ann, and `name` as another session of hers on a connection of its own. */
static void another_session(struct play *p, const char *name)
{
	const struct who *ann = play_who(p, "ann");
	uint32_t number = domain_player(p->d, &ann->id)->session_next;
	struct digest token = { { (uint8_t)number, 77 } };
	struct fact f = { .type = FACT_SESSION_ADDED,
			  .session_added = { ann->id, number, token, 0 } };
	assert_int_equal(domain_apply(p->d, &f), PLYD_OK);
	struct who *w = &p->who[p->who_count++];
	*w = (struct who){ .id = ann->id };
	memcpy(w->name, name, strlen(name) + 1);
	assert_int_equal(play_resume_with(p, name, &token), PLYD_OK);
}

#define TWO_SESSIONS(p)                                                        \
	struct play p;                                                         \
	play_open(&p, 1);                                                      \
	play_hello(&p, "ann");                                                 \
	play_hello(&p, "bob");                                                 \
	another_session(&p, "ann2")

static const struct player *ann(const struct play *p)
{
	return domain_player(p->d, &play_who(p, "ann")->id);
}

static void a_player_is_here_while_any_session_is(void **state)
{
	(void)state;
	TWO_SESSIONS(p);
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	assert_int_equal(domain_player_count(p.d), 2);
	play_gone(&p, "ann");
	assert_string_equal(p.effects, "");
	assert_true(player_is_here(ann(&p)));
	assert_true(play_at(&p, &m)->here[WHITE]);
	play_gone(&p, "ann2");
	assert_string_equal(p.effects, "presence");
	assert_false(player_is_here(ann(&p)));
	assert_false(play_at(&p, &m)->here[WHITE]);
	play_resume(&p, "ann2");
	assert_string_equal(p.effects, "answer presence");
	/* the other one comes back to a seat that was not left */
	play_resume(&p, "ann");
	assert_string_equal(p.effects, "answer");
	assert_true(play_at(&p, &m)->here[WHITE]);
	play_close(&p);
}

static void tokens_are_each_sessions_own(void **state)
{
	(void)state;
	TWO_SESSIONS(p);
	struct digest first = play_who(&p, "ann")->token;
	struct digest other = play_who(&p, "ann2")->token;
	uint64_t conn = play_who(&p, "ann")->conn;
	play_resume(&p, "ann");
	assert_int_equal(p.detached, conn);
	/* each rotates without the other */
	play_resume(&p, "ann");
	assert_int_equal(play_resume_with(&p, "ann", &first), PLYD_ETOKEN);
	assert_int_equal(play_resume_with(&p, "ann2", &other), PLYD_OK);
	assert_int_equal(ann(&p)->session_count, 2);
	play_close(&p);
}

/* LB-07: it is one person, whichever connection asks. */
static void nobody_joins_his_own_lobby(void **state)
{
	(void)state;
	TWO_SESSIONS(p);
	play_create(&p, "ann", "english", (struct cmd_lobby_create){ 0 });
	struct id l = p.lobby;
	assert_int_equal(play_join(&p, "ann2", &l, true), PLYD_EINLOBBY);
	assert_int_equal(play_leave(&p, "ann2", &l), PLYD_OK);
	assert_null(domain_lobby(p.d, &l));
	play_close(&p);
}

static void a_seat_is_driven_by_who_took_it_last(void **state)
{
	(void)state;
	TWO_SESSIONS(p);
	struct id m = play_match(&p, "english", "bob", "ann", NULL);
	assert_ptr_equal(play_at(&p, &m)->driver[BLACK],
			 player_session(ann(&p), 0));
	assert_int_equal(play_move(&p, "ann2", &m, 0, "11-15"), PLYD_OK);
	assert_non_null(strstr(p.effects, "seat_taken"));
	assert_ptr_equal(play_at(&p, &m)->driver[BLACK],
			 player_session(ann(&p), 1));
	/* the same command again takes it back and gets the same answer */
	assert_int_equal(play_move(&p, "ann", &m, 0, "11-15"), PLYD_OK);
	assert_true(p.answer.duplicate);
	assert_string_equal(p.effects, "seat_taken answer");
	/* looking takes nothing; watching does */
	play_in(&p, "ann2", CMD_MATCH_GET, &m);
	assert_string_equal(p.effects, "answer");
	play_in(&p, "ann2", CMD_MATCH_WATCH, &m);
	assert_string_equal(p.effects, "seat_taken answer");
	/* nobody is told once the driver has gone */
	play_gone(&p, "ann2");
	play_in(&p, "ann", CMD_MATCH_OFFER_DRAW, &m);
	assert_null(strstr(p.effects, "seat_taken"));
	play_close(&p);
}

static void a_lobby_seat_is_driven_likewise(void **state)
{
	(void)state;
	TWO_SESSIONS(p);
	play_create(&p, "ann", "english",
		    (struct cmd_lobby_create){ .side = BLACK });
	struct id l = p.lobby;
	play_ready(&p, "ann2", &l, true);
	assert_string_equal(p.effects, "seat_taken lobby answer");
	play_join(&p, "bob", &l, true);
	struct id m = p.match;
	/* the match has the driver of its lobby */
	assert_ptr_equal(play_at(&p, &m)->driver[BLACK],
			 player_session(ann(&p), 1));
	play_close(&p);
}

/* What one session watches is not the other's; the maximum is the player's. */
static void sessions_watch_each_for_itself(void **state)
{
	(void)state;
	TWO_SESSIONS(p);
	play_hello(&p, "cay");
	struct id m = play_match(&p, "english", "bob", "cay", NULL);
	play_in(&p, "ann", CMD_MATCH_WATCH, &m);
	play_in(&p, "ann2", CMD_MATCH_WATCH, &m);
	play_in(&p, "ann2", CMD_MATCH_WATCH, &m);
	assert_int_equal(play_at(&p, &m)->watcher_count, 2);
	assert_int_equal(ann(&p)->watch_count, 2);
	play_gone(&p, "ann");
	assert_int_equal(play_at(&p, &m)->watcher_count, 1);
	play_in(&p, "ann2", CMD_MATCH_UNWATCH, &m);
	assert_int_equal(ann(&p)->watch_count, 0);
	play_close(&p);
}

/* A session that has ended can do nothing, though its connection is open. */
static void a_session_that_ended_is_refused(void **state)
{
	(void)state;
	TWO_SESSIONS(p);
	struct id m = play_match(&p, "english", "bob", "ann", NULL);
	play_in(&p, "ann", CMD_MATCH_WATCH, &m);
	struct fact f = { .type = FACT_SESSION_ENDED,
			  .session_ended = { play_who(&p, "ann")->id, 0 } };
	assert_int_equal(domain_apply(p.d, &f), PLYD_OK);
	assert_null(play_at(&p, &m)->driver[BLACK]);
	uint64_t row = domain_last_row(p.d);
	assert_int_equal(play_move(&p, "ann", &m, 0, "11-15"), PLYD_EHELLO);
	assert_int_equal(play_in(&p, "ann", CMD_MATCH_LIST, &m), PLYD_EHELLO);
	assert_int_equal(domain_last_row(p.d), row);
	assert_int_equal(play_resume(&p, "ann"), PLYD_ETOKEN);
	assert_int_equal(play_move(&p, "ann2", &m, 0, "11-15"), PLYD_OK);
	play_close(&p);
}

static void facts_of_no_session_are_refused(void **state)
{
	(void)state;
	TWO_SESSIONS(p);
	struct id id = play_who(&p, "ann")->id;
	struct digest t = { { 1 } };
	const struct fact wrong[] = {
		{ .type = FACT_SESSION_ADDED,
		  .session_added = { id, 1, t, 0 } },
		{ .type = FACT_SESSION_ADDED,
		  .session_added = { id, -1, t, 0 } },
		{ .type = FACT_SESSION_ADDED,
		  .session_added = { id, 1ll << 32, t, 0 } },
		{ .type = FACT_SESSION_ADDED,
		  .session_added = { { "nobodyhere" }, 1, t, 0 } },
		{ .type = FACT_SESSION_ENDED, .session_ended = { id, 2 } },
		{ .type = FACT_TOKEN_OFFERED, .token_offered = { id, t, 2 } },
		{ .type = FACT_TOKEN_USED, .token_used = { id, 0 } },
	};
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_int_equal(domain_apply(p.d, &wrong[i]), PLYD_ERECORD);
	assert_int_equal(ann(&p)->session_count, 2);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_player_is_here_while_any_session_is),
		cmocka_unit_test(tokens_are_each_sessions_own),
		cmocka_unit_test(nobody_joins_his_own_lobby),
		cmocka_unit_test(a_seat_is_driven_by_who_took_it_last),
		cmocka_unit_test(a_lobby_seat_is_driven_likewise),
		cmocka_unit_test(sessions_watch_each_for_itself),
		cmocka_unit_test(a_session_that_ended_is_refused),
		cmocka_unit_test(facts_of_no_session_are_refused),
	};
	return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
