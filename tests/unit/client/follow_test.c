/* SPDX-License-Identifier: MIT
 * follow_test.c - matches that are followed, also over gaps. */
#include "stage.h"

static void turn_begins(struct stage *s, int seq, const char *turn)
{
	struct buf *b = &s->message;
	rpc_begin_notification(b, "match.event");
	put_map(b, 7);
	str(b, "match", "m2n4p6r7st");
	num(b, "seq", seq);
	str(b, "event", "moved");
	num(b, "ply", seq - 2);
	str(b, "move", "1-5");
	str(b, "turn", turn);
	str(b, "lag", "9f86d081884c7d65");
}

/* Before anything else can be done about it; and not the other's turn. */
static void a_turn_of_ours_is_echoed(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	started(&s, "m2n4p6r7st", 1);
	says(&s);
	turn_begins(&s, 2, "white");
	says(&s);
	nothing_to_take(&s);
	turn_begins(&s, 3, "black");
	says(&s);
	const struct request *r = take(&s, METHOD_MATCH_SEEN);
	assert_string_equal(r->params.match_seen.match.text, "m2n4p6r7st");
	assert_int_equal(r->params.match_seen.lag.len, LAG_BYTES);
	assert_int_equal(r->params.match_seen.lag.at[0], 0x9f);
	nothing_to_take(&s);
	stage_close(&s);
}

static void a_match_is_watched_once(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	client_watch(s.client, "m2n4p6r7st");
	client_watch(s.client, "m2n4p6r7st");
	uint32_t first = take(&s, METHOD_MATCH_WATCH)->msgid;
	nothing_to_take(&s);
	/* the server has stopped the events when it reads the second */
	client_unwatch(s.client, "m2n4p6r7st");
	client_watch(s.client, "m2n4p6r7st");
	take(&s, METHOD_MATCH_UNWATCH);
	rpc_begin_result(&s.message, first);
	match_map(&s.message, "m2n4p6r7st", 8, 6, "draw");
	answer_watch(&s, "m2n4p6r7st", 8, 6, "draw");
	says(&s);
	told(&s, "match m2n4p6r7st over seq=8 ply=6 turn=1 you=1 draw\n");
	stage_close(&s);
}

static void events_come_once_and_in_order(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	moved(&s, "m2n4p6r7st", 1); /* before it was shown */
	started(&s, "m2n4p6r7st", 2);
	moved(&s, "m2n4p6r7st", 2); /* the snapshot has it */
	moved(&s, "m2n4p6r7st", 3);
	moved(&s, "m2n4p6r7st", 3);
	moved(&s, "m2n4p6r7st", 4);
	ended(&s, "m2n4p6r7st", 5);
	moved(&s, "m2n4p6r7st", 6); /* after its end */
	says(&s);
	told(&s, "match m2n4p6r7st playing seq=2 ply=0 turn=1 you=1\n"
		 "event m2n4p6r7st 3 moved 1-5\n"
		 "event m2n4p6r7st 4 moved 1-5\n"
		 "event m2n4p6r7st 5 ended draw\n");
	nothing_to_take(&s);
	stage_close(&s);
}

static void a_gap_is_filled_by_a_snapshot(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	started(&s, "m2n4p6r7st", 2);
	moved(&s, "m2n4p6r7st", 5);
	moved(&s, "m2n4p6r7st", 6);
	says(&s);
	answer_watch(&s, "m2n4p6r7st", 6, 4, NULL);
	nothing_to_take(&s); /* asked once */
	moved(&s, "m2n4p6r7st", 7);
	says(&s);
	told(&s, "match m2n4p6r7st playing seq=2 ply=0 turn=1 you=1\n"
		 "match m2n4p6r7st playing seq=6 ply=4 turn=1 you=1\n"
		 "event m2n4p6r7st 7 moved 1-5\n");
	stage_close(&s);
}

static void a_snapshot_stands_for_missed_events(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	snapshot(&s, "m2n4p6r7st", 2); /* of a player who is watched */
	moved(&s, "m2n4p6r7st", 3);
	snapshot(&s, "m2n4p6r7st", 9); /* he read too slowly */
	moved(&s, "m2n4p6r7st", 9);
	moved(&s, "m2n4p6r7st", 10);
	says(&s);
	nothing_to_take(&s);
	client_watch(s.client, "m2n4p6r7st");
	snapshot(&s, "m2n4p6r7st", 12); /* the answer will show it */
	says(&s);
	answer_watch(&s, "m2n4p6r7st", 12, 10, NULL);
	says(&s);
	told(&s, "match m2n4p6r7st playing seq=2 ply=0 turn=1 you=1\n"
		 "event m2n4p6r7st 3 moved 1-5\n"
		 "match m2n4p6r7st playing seq=9 ply=0 turn=1 you=1\n"
		 "event m2n4p6r7st 10 moved 1-5\n"
		 "match m2n4p6r7st playing seq=12 ply=10 turn=1 you=1\n");
	stage_close(&s);
}

static void a_lost_connection_is_caught_up(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	started(&s, "m2n4p6r7st", 2);
	started(&s, "aaaaaaaaaa", 1);
	says(&s);
	client_watch(s.client, "bbbbbbbbbb");
	take(&s, METHOD_MATCH_WATCH);
	client_disconnected(s.client);
	s.told[0] = '\0';
	client_connected(s.client);
	welcome(&s, TOKEN_2, true, "cccccccccc");
	moved(&s, "m2n4p6r7st", 5); /* before the snapshot is asked for */
	moved(&s, "cccccccccc", 1);
	says(&s);
	answer_watch(&s, "bbbbbbbbbb", 3, 1, NULL);
	answer_watch(&s, "m2n4p6r7st", 5, 3, NULL);
	answer_watch(&s, "aaaaaaaaaa", 8, 6, "white");
	answer_watch(&s, "cccccccccc", 1, 0, NULL);
	moved(&s, "cccccccccc", 2);
	says(&s);
	nothing_to_take(&s);
	told(&s, "ready Ada resumed\n"
		 "match bbbbbbbbbb playing seq=3 ply=1 turn=0 you=1\n"
		 "match m2n4p6r7st playing seq=5 ply=3 turn=0 you=1\n"
		 "match aaaaaaaaaa over seq=8 ply=6 turn=1 you=1 white\n"
		 "match cccccccccc playing seq=1 ply=0 turn=1 you=1\n"
		 "event cccccccccc 2 moved 1-5\n");
	/* what is over is not watched again */
	client_disconnected(s.client);
	client_connected(s.client);
	welcome(&s, TOKEN_2, true, NULL);
	says(&s);
	answer_watch(&s, "m2n4p6r7st", 5, 3, NULL);
	answer_watch(&s, "bbbbbbbbbb", 3, 1, NULL);
	answer_watch(&s, "cccccccccc", 2, 0, NULL);
	nothing_to_take(&s);
	stage_close(&s);
}

static void unknown_matches_are_lost(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	client_watch(s.client, "m2n4p6r7st");
	rpc_error(&s.message, take(&s, METHOD_MATCH_WATCH)->msgid,
		  PLYD_ENOMATCH, NULL, NULL, NULL);
	says(&s);
	told(&s, "lost m2n4p6r7st no_such_match\n");
	assert_int_equal(client_watch(s.client, "a match"), 0);
	assert_int_equal(client_watch(s.client, "much longer than an id"),
			 PLYD_ENOMATCH);
	stage_close(&s);
}

static void what_is_unwatched_is_silent(void **state)
{
	struct stage s;
	(void)state;
	open_with(&s, 7, NULL);
	go_online(&s);
	client_watch(s.client, "m2n4p6r7st");
	client_unwatch(s.client, "m2n4p6r7st");
	answer_watch(&s, "m2n4p6r7st", 5, 3, NULL);
	answer_empty(&s, take(&s, METHOD_MATCH_UNWATCH)->msgid);
	moved(&s, "m2n4p6r7st", 6);
	says(&s);
	told(&s, "");
	client_disconnected(s.client);
	client_connected(s.client);
	welcome(&s, TOKEN_2, true, NULL);
	says(&s);
	nothing_to_take(&s);
	stage_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_turn_of_ours_is_echoed),
		cmocka_unit_test(a_match_is_watched_once),
		cmocka_unit_test(events_come_once_and_in_order),
		cmocka_unit_test(a_gap_is_filled_by_a_snapshot),
		cmocka_unit_test(a_snapshot_stands_for_missed_events),
		cmocka_unit_test(a_lost_connection_is_caught_up),
		cmocka_unit_test(unknown_matches_are_lost),
		cmocka_unit_test(what_is_unwatched_is_silent),
	};
	return cmocka_run_group_tests_name("follow", tests, NULL, NULL);
}
