/* SPDX-License-Identifier: MIT
 * operator_test.c - what the operator does, and the trail of it. */
#include "play.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static int open_play(void **state)
{
	static struct play p;
	play_open(&p, 3);
	*state = &p;
	return 0;
}

static int close_play(void **state)
{
	play_close(*state);
	return 0;
}

static int say(struct play *p, const char *text)
{
	return play_operator(p,
			     (struct command){ .type = CMD_ADMIN_SAY,
					       .admin.text = span_str(text) });
}

static int end(struct play *p, const struct id *match, enum match_result result)
{
	return play_operator(p, (struct command){
					.type = CMD_ADMIN_END_MATCH,
					.match = *match,
					.admin = { .result = result,
						   .text = span_str("why") } });
}

static void the_trail_is_bounded(void **state)
{
	struct play *p = *state;
	char text[32];
	for (int i = 1; i <= AUDIT_KEPT + 3; i++) {
		snprintf(text, sizeof(text), "%d", i);
		assert_int_equal(say(p, text), PLYD_OK);
		assert_int_equal(p->answer.seq, i);
	}
	assert_int_equal(domain_audit_count(p->d), AUDIT_KEPT);
	const struct audit_act *a = domain_audit(p->d);
	for (int i = AUDIT_KEPT + 3; i > 3; i--, a = a->next) {
		snprintf(text, sizeof(text), "%d", i);
		assert_string_equal(a->text, text);
		assert_int_equal(a->number, i);
	}
	assert_null(a);
}

/* The longest texts that the methods let through. */
static void long_words_are_kept_whole(void **state)
{
	struct play *p = *state;
	char text[SAID_BYTES_MAX + 1];
	for (size_t i = 0; i < SAID_BYTES_MAX; i += 4)
		memcpy(text + i, "\xf0\x9f\x8e\xb2", 4);
	text[SAID_BYTES_MAX] = '\0';
	say(p, text);
	assert_string_equal(domain_audit(p->d)->text, text);
}

static struct id match(struct play *p)
{
	play_hello(p, "ann");
	play_hello(p, "bob");
	return play_match(p, "backgammon", "ann", "bob", NULL);
}

static void a_match_ends_in_any_way(void **state)
{
	static const enum match_result results[] = { RESULT_WHITE, RESULT_BLACK,
						     RESULT_DRAW,
						     RESULT_ABORTED };
	struct play *p = *state;
	play_hello(p, "ann");
	play_hello(p, "bob");
	for (size_t i = 0; i < COUNT(results); i++) {
		struct id id = play_match(p, "backgammon", "ann", "bob", NULL);
		assert_int_equal(end(p, &id, results[i]), PLYD_OK);
		const struct match *m = play_at(p, &id);
		assert_int_equal(m->state, MATCH_OVER);
		assert_int_equal(m->result, results[i]);
		assert_int_equal(m->reason, END_OPERATOR);
		/* borne off none: a resignation there would cost three */
		assert_int_equal(m->points, i < 2 ? 3 : 0);
		assert_string_equal(match_words(m), "why");
		assert_int_equal(end(p, &id, results[i]), PLYD_EGAMEOVER);
	}
	assert_int_equal(domain_audit_count(p->d), COUNT(results));
}

static void a_match_that_waits_for_nonces_ends(void **state)
{
	struct play *p = *state;
	play_hello(p, "ann");
	play_hello(p, "bob");
	play_create(p, "ann", "backgammon",
		    (struct cmd_lobby_create){ .side = WHITE, .ready = true });
	struct id lobby = p->lobby;
	play_join(p, "bob", &lobby, true);
	struct id id = p->match;
	assert_int_equal(play_at(p, &id)->state, MATCH_NONCES);
	assert_int_equal(end(p, &id, RESULT_DRAW), PLYD_OK);
	assert_int_equal(play_at(p, &id)->state, MATCH_OVER);
	play_wait(p, 10000); /* no nonce is awaited any more */
}

static void a_frozen_match_ends_in_any_way(void **state)
{
	struct play *p = *state;
	struct id none = { "aaaaaaaaaa" };
	play_hello(p, "ann");
	play_hello(p, "bob");
	for (int result = RESULT_WHITE; result <= RESULT_ABORTED; result++) {
		struct id id = play_match(p, "english", "ann", "bob", NULL);
		play_freeze(p, &id);
		assert_int_equal(end(p, &id, (enum match_result)result),
				 PLYD_OK);
		const struct match *m = play_at(p, &id);
		assert_int_equal(m->state, MATCH_OVER);
		assert_int_equal((int)m->result, result);
		assert_int_equal(m->reason, END_OPERATOR);
		assert_string_equal(match_words(m), "why");
		assert_int_equal(end(p, &id, (enum match_result)result),
				 PLYD_EGAMEOVER);
		assert_null(domain_invariant_broken(p->d));
	}
	assert_int_equal(end(p, &none, RESULT_DRAW), PLYD_ENOMATCH);
}

/* Replay froze it: that is said before its end, for its record. */
static void what_cannot_be_read_is_frozen_by_a_fact_at_last(void **state)
{
	struct play *p = *state;
	struct id id = match(p);
	domain_freeze(p->d, &id);
	assert_false(play_at(p, &id)->frozen_said);
	assert_int_equal(end(p, &id, RESULT_ABORTED), PLYD_OK);
	assert_true(play_at(p, &id)->frozen_said);
	assert_int_equal(play_at(p, &id)->state, MATCH_OVER);
}

/* All his connections close, his seats stay, his opponent is told. */
static void a_kick(void **state)
{
	struct play *p = *state;
	struct id id = match(p);
	struct command kick = { .type = CMD_ADMIN_KICK,
				.admin.player = play_who(p, "ann")->id };
	assert_int_equal(play_operator(p, kick), PLYD_OK);
	assert_int_equal(p->detached, play_who(p, "ann")->conn);
	assert_false(
		player_is_here(domain_player(p->d, &play_who(p, "ann")->id)));
	assert_false(play_at(p, &id)->here[WHITE]);
	assert_non_null(strstr(p->effects, "presence"));
	assert_int_equal(play_resume(p, "ann"), PLYD_OK);
	assert_true(play_at(p, &id)->here[WHITE]);
}

/* -- bans -- */

static int ban_address(struct play *p, const char *range, int64_t ms)
{
	return play_operator(p, (struct command){
					.type = CMD_ADMIN_BAN,
					.admin = { .address = span_str(range),
						   .ms = ms,
						   .text = span_str("") } });
}

static void old_bans_make_room(void **state)
{
	struct play *p = *state;
	char range[32];
	for (int i = 0; i < BANS_MAX; i++) {
		snprintf(range, sizeof(range), "10.%d.%d.1", i / 250, i % 250);
		assert_int_equal(ban_address(p, range, i < 3 ? 1000 : -1),
				 PLYD_OK);
	}
	assert_int_equal(ban_address(p, "192.0.2.1", -1), PLYD_EFULL);
	p->now_ms += 1000; /* wall time goes with it */
	assert_int_equal(ban_address(p, "192.0.2.1", -1), PLYD_OK);
	assert_int_equal(domain_ban_count(p->d), BANS_MAX - 2);
}

/* The end is not part of it, and no end is no end. */
static void when_a_ban_is_over(void **state)
{
	struct ban b = { .until_unix_ms = 1000 };
	(void)state;
	assert_false(ban_is_over(&b, 999));
	assert_true(ban_is_over(&b, 1000));
	b.until_unix_ms = 0;
	assert_false(ban_is_over(&b, INT64_MAX));
}

static void a_mute(void **state)
{
	struct play *p = *state;
	play_hello(p, "ann");
	const struct player *ann = domain_player(p->d, &play_who(p, "ann")->id);
	struct command mute = { .type = CMD_ADMIN_MUTE,
				.admin = { .player = ann->id, .ms = 1000 } };
	assert_false(player_is_muted(ann, 1700000000000));
	assert_int_equal(play_operator(p, mute), PLYD_OK);
	int64_t until = ann->muted_until_unix_ms;
	assert_int_equal(until, 1700000000000 + (int64_t)p->now_ms + 1000);
	assert_true(player_is_muted(ann, until - 1));
	assert_false(player_is_muted(ann, until));
	mute.admin.ms = -1;
	play_operator(p, mute);
	assert_true(player_is_muted(ann, INT64_MAX - 1));
	mute.type = CMD_ADMIN_UNMUTE;
	play_operator(p, mute);
	assert_false(player_is_muted(ann, 0));
}

static void no_match_begins_while_draining(void **state)
{
	struct play *p = *state;
	play_hello(p, "ann");
	play_hello(p, "bob");
	struct id id = play_match(p, "english", "ann", "bob", NULL);
	struct command drain = { .type = CMD_ADMIN_DRAIN, .admin.on = true };
	assert_int_equal(play_operator(p, drain), PLYD_OK);
	play_create(p, "ann", "english",
		    (struct cmd_lobby_create){ .side = WHITE, .ready = true });
	struct id lobby = p->lobby;
	assert_int_equal(play_join(p, "bob", &lobby, true), PLYD_OK);
	assert_int_equal(play_ready(p, "ann", &lobby, true), PLYD_EDRAINING);
	assert_int_equal(domain_match_count(p->d), 1);
	/* and those that run go on */
	struct rng rng;
	rng_seed(&rng, 1);
	assert_true(play_random(p, &rng, &id));
	drain.admin.on = false;
	play_operator(p, drain);
	play_ready(p, "ann", &lobby, true);
	play_ready(p, "bob", &lobby, true);
	assert_int_equal(domain_match_count(p->d), 2);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_play, close_play)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_trail_is_bounded),
		TEST(long_words_are_kept_whole),
		TEST(a_match_ends_in_any_way),
		TEST(a_match_that_waits_for_nonces_ends),
		TEST(a_frozen_match_ends_in_any_way),
		TEST(what_cannot_be_read_is_frozen_by_a_fact_at_last),
		TEST(a_kick),
		TEST(old_bans_make_room),
		TEST(when_a_ban_is_over),
		TEST(a_mute),
		TEST(no_match_begins_while_draining),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
