/* SPDX-License-Identifier: MIT
 * object_test.c - what callbacks are shown, however the bytes come. */
#include "stage.h"

/* -- what the callbacks are shown -- */

struct seen {
	struct client_match match;
	struct client_event event;
	struct client_error error;
};

static void see_match(void *payload, const struct client_match *m)
{
	((struct seen *)payload)->match = *m;
}

static void see_event(void *payload, const struct client_event *e)
{
	((struct seen *)payload)->event = *e;
}

static void see_closing(void *payload, const struct client_error *e)
{
	((struct seen *)payload)->error = *e;
}

static void put_clock(struct buf *b)
{
	put_cstr(b, "clock");
	put_map(b, 4);
	num(b, "white_ms", 300000);
	num(b, "black_ms", 123);
	str(b, "running", "black");
	put_cstr(b, "unlimited");
	put_bool(b, false);
}

static void put_stakes(struct buf *b)
{
	put_cstr(b, "stakes");
	put_map(b, 8);
	num(b, "length", 7);
	num(b, "white", 3);
	num(b, "black", 6);
	num(b, "game", 5);
	num(b, "cube", 4);
	str(b, "owner", "black");
	str(b, "doubled", "white");
	put_cstr(b, "resign");
	put_map(b, 3);
	str(b, "side", "black");
	num(b, "points", 8);
	num(b, "offer", 321);
}

static void full_match(struct buf *b)
{
	rpc_begin_notification(b, "match.started");
	put_map(b, 15);
	put_stakes(b);
	str(b, "awaits", "answer");
	put_clock(b);
	str(b, "match", "m2n4p6r7st");
	num(b, "seq", 1);
	str(b, "state", "nonces");
	str(b, "ruleset", "backgammon");
	str(b, "rules", "backgammon backgammon ...");
	str(b, "position", "XGID=");
	num(b, "ply", 12);
	str(b, "you", "watcher");
	put_cstr(b, "turn");
	put_nil(b);
	str(b, "offer", "white");
	put_cstr(b, "white");
	put_map(b, 1);
	str(b, "name", "Ada");
	put_cstr(b, "black");
	put_map(b, 1);
	str(b, "name", "Bob");
}

static void full_event(struct buf *b)
{
	rpc_begin_notification(b, "match.event");
	put_map(b, 9);
	str(b, "match", "m2n4p6r7st");
	num(b, "seq", 2);
	str(b, "event", "rolled");
	num(b, "ply", 12);
	str(b, "side", "black");
	put_cstr(b, "dice");
	put_array(b, 2);
	put_int(b, 6);
	put_int(b, 5);
	str(b, "position", "XGID=after");
	str(b, "turn", "black");
	num(b, "black_ms", 77);
}

/* A sentence of two-byte letters that is cut at an odd place. */
static void long_closing(struct buf *b)
{
	char sentence[2 * CLIENT_SENTENCE_MAX + 1];
	for (size_t i = 0; i < 2 * CLIENT_SENTENCE_MAX; i += 2)
		memcpy(sentence + i, "\xc3\xa9", 2);
	sentence[2 * CLIENT_SENTENCE_MAX] = '\0';
	rpc_closing(b, PLYD_EIDLE, sentence, NULL, NULL);
}

static void objects_are_read(void **state)
{
	static const struct client_callbacks see = {
		.on_match = see_match,
		.on_event = see_event,
		.on_closing = see_closing,
	};
	struct stage s;
	struct seen seen;
	const struct client_options options = { .name = "Ada", .bot = true };
	(void)state;
	open_with(&s, 7, NULL);
	client_free(s.client);
	assert_int_equal(client_new(&s.client, &options, &see, &seen), 0);
	client_connected(s.client);
	welcome(&s, TOKEN_1, false, NULL);
	full_match(&s.message);
	full_event(&s.message);
	long_closing(&s.message);
	says(&s);
	const struct client_match *m = &seen.match;
	assert_string_equal(m->name[CLIENT_WHITE], "Ada");
	assert_string_equal(m->name[CLIENT_BLACK], "Bob");
	assert_string_equal(m->state, "nonces");
	assert_int_equal(m->you, CLIENT_NOBODY);
	assert_int_equal(m->turn, CLIENT_NOBODY);
	assert_int_equal(m->offer, CLIENT_WHITE);
	assert_int_equal(m->running, CLIENT_BLACK);
	assert_int_equal(m->left_ms[CLIENT_WHITE], 300000);
	assert_int_equal(m->left_ms[CLIENT_BLACK], 123);
	assert_false(m->over);
	assert_int_equal(m->awaits, CLIENT_AWAITS_ANSWER);
	assert_int_equal(m->stakes.length, 7);
	assert_int_equal(m->stakes.score[CLIENT_WHITE], 3);
	assert_int_equal(m->stakes.score[CLIENT_BLACK], 6);
	assert_int_equal(m->stakes.game, 5);
	assert_int_equal(m->stakes.cube, 4);
	assert_false(m->stakes.crawford);
	assert_int_equal(m->stakes.owner, CLIENT_BLACK);
	assert_int_equal(m->stakes.doubled, CLIENT_WHITE);
	assert_int_equal(m->stakes.resign, CLIENT_BLACK);
	assert_int_equal(m->stakes.resign_points, 8);
	assert_int_equal(m->stakes.resign_offer, 321);
	const struct client_event *e = &seen.event;
	assert_int_equal(e->awaits, CLIENT_AWAITS_NOTHING);
	assert_int_equal(e->stakes.owner, CLIENT_NOBODY);
	assert_int_equal(e->stakes.resign, CLIENT_NOBODY);
	assert_int_equal(e->side, CLIENT_BLACK);
	assert_int_equal(e->dice[0], 6);
	assert_int_equal(e->dice[1], 5);
	assert_string_equal(e->position, "XGID=after");
	assert_int_equal(e->turn, CLIENT_BLACK);
	assert_int_equal(e->left_ms[CLIENT_BLACK], 77);
	assert_int_equal(seen.error.code, PLYD_EIDLE);
	assert_int_equal(strlen(seen.error.message), CLIENT_SENTENCE_MAX - 2);
	stage_close(&s);
}

/* A whole conversation, with a cut in it, in pieces of every size. */
static void any_split_tells_the_same(void **state)
{
	(void)state;
	for (size_t chunk = 1; chunk <= 600; chunk += 1 + chunk / 40) {
		struct stage s;
		open_with(&s, chunk, NULL);
		go_online(&s);
		create(&s, "k1");
		answer_empty(&s, take(&s, METHOD_LOBBY_CREATE)->msgid);
		started(&s, "m2n4p6r7st", 1);
		moved(&s, "m2n4p6r7st", 2);
		says(&s);
		/* cut within a message */
		moved(&s, "m2n4p6r7st", 3);
		s.message.len /= 2;
		says(&s);
		client_disconnected(s.client);
		client_connected(s.client);
		welcome(&s, TOKEN_2, true, "m2n4p6r7st");
		says(&s);
		answer_watch(&s, "m2n4p6r7st", 3, 2, NULL);
		moved(&s, "m2n4p6r7st", 4);
		ended(&s, "m2n4p6r7st", 5);
		says(&s);
		told(&s, "answer of 0\n"
			 "match m2n4p6r7st playing seq=1 ply=0 turn=1 you=1\n"
			 "event m2n4p6r7st 2 moved 1-5\n"
			 "ready Ada resumed\n"
			 "match m2n4p6r7st playing seq=3 ply=2 turn=1 you=1\n"
			 "event m2n4p6r7st 4 moved 1-5\n"
			 "event m2n4p6r7st 5 ended draw\n");
		stage_close(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_are_read),
		cmocka_unit_test(any_split_tells_the_same),
	};
	return cmocka_run_group_tests_name("object", tests, NULL, NULL);
}
