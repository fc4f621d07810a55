/* SPDX-License-Identifier: MIT
 * Who reads slowly: his requests wait (UV-14), what he watches skips to a
 * snapshot (UV-06), and a player gets all or is cut. */
#include "talk.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { PAUSE = 4096, SPECTATOR = 3 };

static int open_talk(void **state)
{
	static struct talk t;
	struct hub_limits limits;
	hub_limits_default(&limits);
	limits.pause_bytes = PAUSE;
	limits.requests_burst = 1000000;
	talk_open(&t, &limits);
	for (uint64_t conn = 1; conn <= SPECTATOR; conn++) {
		talk_connect(&t, conn, "127.0.0.1");
		assert_true(
			talk_ask(&t, conn, "hello", "protocol=i", (int64_t)1));
	}
	*state = &t;
	return 0;
}

static int close_talk(void **state)
{
	talk_close(*state);
	return 0;
}

/* He takes all that waits for him. */
static void drain(struct talk *t, uint64_t conn)
{
	t->line[conn].queued = 0;
	hub_flush(t->hub, t->now_ms);
	talk_read(t);
}

/* UV-14 */
static void a_pipeline_of_large_answers(void **state)
{
	struct talk *t = *state;
	struct line *l = &t->line[1];
	struct buf b;
	size_t before = l->answers, rounds = 0;
	buf_init(&b, 1 << 20);
	for (int i = 0; i < TALK_IDS - 8; i++)
		talk_write(t, 1, &b, "rules.moves", "ruleset=s", "english");
	l->does_not_read = true;
	talk_send(t, 1, buf_span(&b));
	assert_true(l->stopped);
	size_t answer = l->queued / (l->answers - before);
	assert_true(l->queued <= PAUSE + answer);
	while (l->answers - before < TALK_IDS - 8) {
		size_t had = l->answers;
		drain(t, 1);
		assert_true(l->answers > had);
		assert_true(l->queued <= PAUSE + answer);
		rounds++;
	}
	assert_true(rounds > 1);
	assert_false(l->closed);
	drain(t, 1);
	assert_false(l->stopped);
	l->does_not_read = false;
	assert_true(talk_ask(t, 1, "ping", ""));
	buf_release(&b);
}

/* What the journal does not take is not kept without end. */
static void what_waits_for_the_journal_is_bounded(void **state)
{
	struct talk t;
	struct hub_limits limits;
	size_t asked = 0;
	(void)state;
	hub_limits_default(&limits);
	limits.requests_burst = 1000000;
	limits.outbox_bytes = 65536;
	talk_open(&t, &limits);
	talk_connect(&t, 1, "127.0.0.1");
	assert_true(talk_ask(&t, 1, "hello", "protocol=i", (int64_t)1));
	t.hold = true;
	talk_connect(&t, 2, "127.0.0.1");
	assert_false(talk_ask(&t, 2, "hello", "protocol=i", (int64_t)1));
	while (t.error[0] == '\0') {
		talk_ask(&t, 1, "account.get", "");
		assert_true(++asked < 65536);
	}
	assert_string_equal(t.error, "server_full");
	assert_in_range(hub_counts(t.hub).waiting_bytes, 65536,
			65536 + ANSWER_BYTES_MAX);
	t.hold = false;
	size_t answers = t.line[1].answers;
	talk_commit(&t);
	talk_read(&t);
	assert_int_equal(t.line[1].answers, answers + asked - 1);
	assert_true(talk_ask(&t, 1, "account.get", ""));
	talk_close(&t);
}

/* A start reads no more general facts than this, whatever happened. */
static void snapshots_keep_starts_short(void **state)
{
	struct talk t;
	struct hub_limits limits;
	(void)state;
	hub_limits_default(&limits);
	limits.requests_burst = 1000000;
	limits.snapshot_facts = 20;
	talk_open(&t, &limits);
	talk_connect(&t, 1, "127.0.0.1");
	assert_true(talk_ask(&t, 1, "hello", "protocol=i", (int64_t)1));
	for (int i = 0; i < 50; i++) {
		char lobby[ID_CHARS + 1];
		assert_true(talk_ask(&t, 1, "lobby.create", "ruleset=s",
				     "english"));
		snprintf(lobby, sizeof(lobby), "%s", talk_text(&t, "lobby"));
		assert_true(talk_ask(&t, 1, "lobby.leave", "lobby=s", lobby));
		assert_true(t.last_row - t.snapshot_row < 20 + 8);
	}
	assert_true(t.snapshot_row > 0);
	talk_close(&t);
}

/* Answers that wait for the journal count too. */
static void answers_that_wait_for_the_journal(void **state)
{
	struct talk *t = *state;
	struct line *l = &t->line[1];
	struct buf b;
	buf_init(&b, 1 << 20);
	t->hold = true;
	talk_write(t, 1, &b, "lobby.create", "ruleset=s", "english");
	for (int i = 0; i < 40; i++)
		talk_write(t, 1, &b, "server.info", "");
	for (int i = 0; i < 10; i++)
		talk_write(t, 1, &b, "lobby.list", "");
	talk_send(t, 1, buf_span(&b));
	t->hold = false;
	talk_commit(t);
	hub_flush(t->hub, t->now_ms);
	talk_commit(t);
	talk_read(t);
	assert_int_equal(l->answered, l->last_id);
	buf_release(&b);
}

static void begin(struct talk *t, char match[16])
{
	char lobby[16];
	assert_true(talk_ask(t, 1, "lobby.create",
			     "ruleset=s side=s ready=b unlimited=b", "english",
			     "white", true, true));
	snprintf(lobby, sizeof(lobby), "%s", talk_text(t, "lobby"));
	assert_true(
		talk_ask(t, 2, "lobby.join", "lobby=s ready=b", lobby, true));
	snprintf(match, 16, "%s", talk_text(t, "match"));
}

static void play(struct talk *t, const char *match, int64_t ply)
{
	static const char *const moves[] = { "11-15", "24-19", "15x24",
					     "28x19", "8-11",  "22-18",
					     "11-16", "25-22", "4-8" };
	assert_true(talk_ask(t, ply % 2 ? 1 : 2, "match.move",
			     "match=s ply=i move=s", match, ply, moves[ply]));
}

/* The flush that lets him go on is told of one clock only. */
static void what_was_held_back_has_its_time(void **state)
{
	struct talk *t = *state;
	char match[16];
	struct buf b;
	buf_init(&b, 1024);
	begin(t, match);
	t->line[1].queued = PAUSE + 1; /* of something else */
	talk_write(t, 1, &b, "chat.send", "match=s text=s", match, "late");
	talk_send(t, 1, buf_span(&b));
	assert_true(t->line[1].stopped);
	t->now_ms += 7000;
	t->unix_ms += 7000;
	int64_t said_ms = t->unix_ms;
	drain(t, 1);
	t->now_ms += 500;
	t->unix_ms += 500;
	assert_true(talk_ask(t, 2, "chat.get", "match=s", match));
	const struct value *lines = value_find(t->result, "lines");
	int64_t at_ms = 0;
	assert_int_equal(value_count(lines), 1);
	assert_int_equal(value_int(value_find(value_at(lines, 0), "at_unix_ms"),
				   0, INT64_MAX, &at_ms),
			 0);
	assert_int_equal(at_ms, said_ms);
	buf_release(&b);
}

/* He leaves a match in which he is behind, and comes back, while events of
 * before still wait for the journal: none of them may follow what he missed. */
static void who_comes_back_meets_no_gap(void **state)
{
	struct talk *t = *state;
	struct line *l = &t->line[SPECTATOR];
	char match[16];
	begin(t, match);
	assert_true(talk_ask(t, SPECTATOR, "match.watch", "match=s", match));
	play(t, match, 0);
	t->hold = true;
	talk_ask(t, 1, "match.move", "match=s ply=i move=s", match, (int64_t)1,
		 "24-19");
	uint64_t missed = t->last_row;
	talk_ask(t, 2, "match.move", "match=s ply=i move=s", match, (int64_t)2,
		 "15x24");
	l->queued = PAUSE + 1; /* of something else */
	hub_committed(t->hub, missed, t->now_ms);
	assert_int_equal(hub_counts(t->hub).skipped, 1);
	l->queued = 0;
	l->last_notice[0] = '\0';
	talk_ask(t, SPECTATOR, "match.unwatch", "match=s", match);
	hub_flush(t->hub, t->now_ms);
	talk_ask(t, SPECTATOR, "match.watch", "match=s", match);
	t->hold = false;
	talk_commit(t);
	talk_read(t);
	assert_int_equal(l->answered, l->last_id);
	assert_string_not_equal(l->last_notice, "match.event");
	hub_flush(t->hub, t->now_ms);
	talk_read(t);
	assert_string_equal(l->last_notice, "match.snapshot");
	play(t, match, 3);
	assert_string_equal(l->last_notice, "match.event");
	assert_int_equal(l->seq, 5);
}

/* UV-06 */
static void a_spectator_skips_to_a_snapshot(void **state)
{
	struct talk *t = *state;
	struct line *l = &t->line[SPECTATOR];
	char match[16];
	begin(t, match);
	assert_true(talk_ask(t, SPECTATOR, "match.watch", "match=s", match));
	play(t, match, 0);
	assert_int_equal(l->seq, 2);
	l->queued = PAUSE + 1; /* of something else */
	size_t notices = l->notices;
	for (int64_t ply = 1; ply < 5; ply++)
		play(t, match, ply);
	assert_int_equal(l->notices, notices);
	assert_int_equal(hub_counts(t->hub).skipped, 1);
	/* players hear of all at once */
	assert_int_equal(t->line[1].seq, 6);
	drain(t, SPECTATOR);
	assert_string_equal(l->last_notice, "match.snapshot");
	assert_int_equal(l->notices, notices + 1);
	play(t, match, 5);
	assert_string_equal(l->last_notice, "match.event");
	assert_int_equal(l->seq, 7);
	assert_false(l->closed);
}

/* What was in the outbox already is older than the snapshot. */
static void no_older_event_after_the_snapshot(void **state)
{
	struct talk *t = *state;
	struct line *l = &t->line[SPECTATOR];
	char match[16];
	struct buf b;
	buf_init(&b, 4096);
	begin(t, match);
	assert_true(talk_ask(t, SPECTATOR, "match.watch", "match=s", match));
	l->queued = PAUSE + 1;
	play(t, match, 0);
	t->hold = true;
	talk_write(t, 1, &b, "match.move", "match=s ply=i move=s", match,
		   (int64_t)1, "24-19");
	talk_send(t, 1, buf_span(&b));
	size_t notices = l->notices;
	drain(t, SPECTATOR); /* the snapshot waits behind that move */
	assert_int_equal(l->notices, notices);
	t->hold = false;
	talk_commit(t);
	talk_read(t);
	assert_int_equal(l->notices, notices + 1);
	assert_string_equal(l->last_notice, "match.snapshot");
	buf_release(&b);
}

static void a_player_gets_all(void **state)
{
	struct talk *t = *state;
	char match[16];
	begin(t, match);
	t->line[1].queued = PAUSE + 1;
	play(t, match, 0);
	assert_int_equal(t->line[1].seq, 2);
	assert_int_equal(hub_counts(t->hub).skipped, 0);
}

static void who_watches_no_more_gets_none(void **state)
{
	struct talk *t = *state;
	struct line *l = &t->line[SPECTATOR];
	char match[16];
	begin(t, match);
	assert_true(talk_ask(t, SPECTATOR, "match.watch", "match=s", match));
	l->queued = PAUSE + 1;
	play(t, match, 0);
	l->queued = 0;
	/* the request is looked at before he is caught up with */
	assert_true(talk_ask(t, SPECTATOR, "match.unwatch", "match=s", match));
	size_t notices = l->notices;
	drain(t, SPECTATOR);
	play(t, match, 1);
	assert_int_equal(l->notices, notices);
}

/* A crowd is written to when others were; they are not a crowd. */
static void only_what_a_spectator_watches_may_wait(void **state)
{
	struct talk *t = *state;
	const struct line *l = &t->line[SPECTATOR];
	char match[16];
	begin(t, match);
	assert_true(talk_ask(t, SPECTATOR, "match.watch", "match=s", match));
	assert_int_equal(l->humble, 0);
	size_t notices = l->notices;
	play(t, match, 0);
	assert_int_equal(l->notices, notices + 1);
	assert_int_equal(l->humble, 1);
	assert_int_equal(t->line[1].humble + t->line[2].humble, 0);
}

int main(void)
{
#define IN_TALK(test)                                                          \
	cmocka_unit_test_setup_teardown(test, open_talk, close_talk)
	const struct CMUnitTest tests[] = {
		IN_TALK(a_pipeline_of_large_answers),
		IN_TALK(answers_that_wait_for_the_journal),
		IN_TALK(what_was_held_back_has_its_time),
		IN_TALK(who_comes_back_meets_no_gap),
		IN_TALK(a_spectator_skips_to_a_snapshot),
		IN_TALK(no_older_event_after_the_snapshot),
		IN_TALK(a_player_gets_all),
		IN_TALK(who_watches_no_more_gets_none),
		IN_TALK(only_what_a_spectator_watches_may_wait),
		cmocka_unit_test(what_waits_for_the_journal_is_bounded),
		cmocka_unit_test(snapshots_keep_starts_short),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
