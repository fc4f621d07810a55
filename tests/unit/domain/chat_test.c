/* SPDX-License-Identifier: MIT
 * chat_test.c - talk, blocks and reports: who may, how much, what is kept. */
#include "play.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static int open_play(void **state)
{
	static struct play p;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.chat_burst = 3;
	limits.chat_line_ms = 1000;
	limits.reports_per_day = 2;
	play_open_limits(&p, 5, &limits);
	for (size_t i = 0; i < 4; i++)
		play_hello(&p,
			   (const char *[]){ "ann", "bob", "cat", "dan" }[i]);
	*state = &p;
	return 0;
}

static int close_play(void **state)
{
	play_close(*state);
	return 0;
}

static const struct player *who(struct play *p, const char *name)
{
	return domain_player(p->d, &play_who(p, name)->id);
}

static int say_key(struct play *p, const char *name, const struct id *match,
		   const char *text, const char *key)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_CHAT_SEND,
					 .match = *match,
					 .chat = { .text = span_str(text),
						   .key = span_str(key) } });
}

static int say(struct play *p, const char *name, const struct id *match,
	       const char *text)
{
	return say_key(p, name, match, text, "");
}

static int say_in(struct play *p, const char *name, const struct id *lobby,
		  const char *text)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_CHAT_SEND,
					 .lobby = *lobby,
					 .chat.text = span_str(text) });
}

static int block(struct play *p, const char *name, const char *other)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_BLOCK_ADD,
					 .chat.player = who(p, other)->id });
}

static int turn(struct play *p, const char *name, const struct id *match,
		bool on)
{
	return play_do(p, name,
		       (struct command){ .type = CMD_CHAT_SWITCH,
					 .match = *match,
					 .chat.on = on });
}

/* The texts of a channel, with a / between. */
static const char *texts(const struct chat *c)
{
	static char out[8192];
	size_t len = 0;
	const struct chat_line *line;
	out[0] = '\0';
	for (line = c->lines; line; line = line->next)
		len += (size_t)snprintf(out + len, sizeof(out) - len, "%s%s",
					len ? "/" : "", line->text);
	return out;
}

/* -- channels -- */

static void two_channels_never_mix(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	play_in(p, "cat", CMD_MATCH_WATCH, &m);
	assert_int_equal(say(p, "ann", &m, "hi bob"), PLYD_OK);
	assert_int_equal(say(p, "cat", &m, "hi all"), PLYD_OK);
	assert_int_equal(say(p, "dan", &m, "hi?"), PLYD_ENOTALLOWED);
	/* a player who watches is a player all the same */
	play_in(p, "bob", CMD_MATCH_WATCH, &m);
	assert_int_equal(say(p, "bob", &m, "hi ann"), PLYD_OK);
	assert_string_equal(texts(&play_at(p, &m)->chat[0]), "hi bob/hi ann");
	assert_string_equal(texts(&play_at(p, &m)->chat[1]), "hi all");
	play_in(p, "cat", CMD_MATCH_UNWATCH, &m);
	assert_int_equal(say(p, "cat", &m, "still?"), PLYD_ENOTALLOWED);
}

static void a_lobby_talks(void **state)
{
	struct play *p = *state;
	struct id none = { "aaaaaaaaaa" };
	play_create(p, "ann", "english", (struct cmd_lobby_create){ 0 });
	struct id open = p->lobby;
	play_create(p, "ann", "english",
		    (struct cmd_lobby_create){ .is_private = true });
	struct id hidden = p->lobby;
	assert_int_equal(say_in(p, "ann", &open, "anyone?"), PLYD_OK);
	assert_int_equal(say_in(p, "bob", &open, "me"), PLYD_ENOTINLOBBY);
	assert_int_equal(say_in(p, "bob", &hidden, "me"), PLYD_ENOLOBBY);
	assert_int_equal(say_in(p, "bob", &none, "me"), PLYD_ENOLOBBY);
	play_join(p, "bob", &open, false);
	assert_int_equal(say_in(p, "bob", &open, "me"), PLYD_OK);
	assert_string_equal(texts(&domain_lobby(p->d, &open)->chat),
			    "anyone?/me");
}

static void one_place_and_only_one(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	struct command cmd = { .type = CMD_CHAT_SEND,
			       .chat.text = span_str("where?") };
	assert_int_equal(play_do(p, "ann", cmd), PLYD_EMISSING);
	cmd.match = cmd.lobby = m;
	assert_int_equal(play_do(p, "ann", cmd), PLYD_EMISSING);
}

/* A match that is over can be talked about while it is there. */
static void after_the_end(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	play_in(p, "ann", CMD_MATCH_RESIGN, &m);
	assert_int_equal(say(p, "bob", &m, "well played"), PLYD_OK);
	play_wait(p, (uint64_t)p->limits.result_keep_ms);
	assert_int_equal(say(p, "bob", &m, "gone"), PLYD_ENOMATCH);
}

static void the_newest_lines_are_kept(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	char text[16];
	for (int i = 1; i <= CHAT_LINES_KEPT + 5; i++) {
		snprintf(text, sizeof(text), "%d", i);
		assert_int_equal(say(p, "ann", &m, text), PLYD_OK);
		p->now_ms += 1000;
	}
	const struct chat *c = &play_at(p, &m)->chat[0];
	assert_int_equal(c->count, CHAT_LINES_KEPT);
	assert_int_equal(c->lines->number, 6);
	assert_string_equal(c->lines->text, "6");
	assert_int_equal(c->lines->prev->number, CHAT_LINES_KEPT + 5);
}

/* -- rate -- */

/* Never more than 3 in a moment, never more than 3 + n in n seconds. */
static void the_rate_is_held(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	struct rng rng;
	uint64_t said[4000];
	size_t count = 0, refused = 0;
	rng_seed(&rng, 3);
	for (int i = 0; i < 4000; i++) {
		p->now_ms += rng_below(&rng, 4) ? rng_below(&rng, 900)
						: rng_below(&rng, 9000);
		if (match_left_ms(play_at(p, &m), WHITE, p->now_ms) == 0)
			break;
		int err = say(p, "ann", &m, "x");
		if (!err)
			said[count++] = p->now_ms;
		else
			assert_int_equal(err, PLYD_ERATE);
		refused += err != PLYD_OK;
	}
	for (size_t i = 0; i + 3 < count; i++)
		for (size_t j = i + 3; j < count && j < i + 40; j++)
			assert_true(said[j] - said[i] >= (j - i - 2) * 1000);
	assert_true(count > 20);
	assert_true(refused > 10);
}

static void when_to_try_again(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	for (int i = 0; i < 3; i++)
		assert_int_equal(say(p, "ann", &m, "x"), PLYD_OK);
	p->now_ms += 400;
	assert_int_equal(say(p, "ann", &m, "x"), PLYD_ERATE);
	assert_int_equal(p->retry_ms, 600);
	assert_int_equal(say(p, "bob", &m, "x"), PLYD_OK); /* each his own */
	p->now_ms += 599;
	assert_int_equal(say(p, "ann", &m, "x"), PLYD_ERATE);
	p->now_ms += 1;
	assert_int_equal(say(p, "ann", &m, "x"), PLYD_OK);
	assert_int_equal(say(p, "ann", &m, "x"), PLYD_ERATE);
}

static void a_key_says_it_once(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(say_key(p, "ann", &m, "once", "k"), PLYD_OK);
		assert_int_equal(p->answer.duplicate, i > 0);
	}
	assert_int_equal(say_key(p, "bob", &m, "mine", "k"), PLYD_OK);
	assert_false(p->answer.duplicate);
	assert_string_equal(texts(&play_at(p, &m)->chat[0]), "once/mine");
	/* and costs once */
	assert_int_equal(say(p, "ann", &m, "2"), PLYD_OK);
	assert_int_equal(say(p, "ann", &m, "3"), PLYD_OK);
	assert_int_equal(say(p, "ann", &m, "4"), PLYD_ERATE);
}

/* -- those who are not heard -- */

static void a_muted_player_is_refused(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	play_operator(p,
		      (struct command){ .type = CMD_ADMIN_MUTE,
					.admin = { .player = who(p, "ann")->id,
						   .ms = 5000 } });
	assert_int_equal(say(p, "ann", &m, "x"), PLYD_EMUTED);
	assert_int_equal(say(p, "bob", &m, "x"), PLYD_OK);
	p->now_ms += 4999;
	assert_int_equal(say(p, "ann", &m, "x"), PLYD_EMUTED);
	p->now_ms += 1;
	assert_int_equal(say(p, "ann", &m, "x"), PLYD_OK);
}

/* On while neither has ended it. */
static void the_switch(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	play_in(p, "cat", CMD_MATCH_WATCH, &m);
	assert_int_equal(turn(p, "cat", &m, false), PLYD_ESEAT);
	assert_int_equal(turn(p, "ann", &m, false), PLYD_OK);
	assert_string_equal(p->effects, "answer chat_switched");
	assert_int_equal(turn(p, "ann", &m, false), PLYD_OK);
	assert_string_equal(p->facts, ""); /* again is nothing */
	assert_int_equal(say(p, "bob", &m, "x"), PLYD_ECHATOFF);
	assert_int_equal(say(p, "ann", &m, "x"), PLYD_ECHATOFF);
	assert_int_equal(say(p, "cat", &m, "x"), PLYD_OK);
	assert_int_equal(turn(p, "bob", &m, false), PLYD_OK);
	assert_string_equal(p->effects, "answer");
	assert_int_equal(turn(p, "ann", &m, true), PLYD_OK);
	assert_int_equal(say(p, "ann", &m, "x"), PLYD_ECHATOFF);
	assert_int_equal(turn(p, "bob", &m, true), PLYD_OK);
	assert_string_equal(p->effects, "answer chat_switched");
	assert_int_equal(say(p, "ann", &m, "x"), PLYD_OK);
}

static void old_switches_are_forgotten(void **state)
{
	struct play *p = *state;
	struct id first = play_match(p, "english", "ann", "bob", NULL);
	turn(p, "ann", &first, false);
	for (int i = 0; i < CHAT_OFF_REMEMBERED; i++) {
		assert_false(chat_is_on(p->d, play_at(p, &first)));
		struct id m = play_match(p, "english", "ann", "bob", NULL);
		turn(p, "ann", &m, false);
		play_in(p, "ann", CMD_MATCH_RESIGN, &m);
	}
	assert_true(chat_is_on(p->d, play_at(p, &first)));
	assert_int_equal(who(p, "ann")->chat_off.count, CHAT_OFF_REMEMBERED);
}

/* -- blocks -- */

static void a_block_holds_both_ways(void **state)
{
	struct play *p = *state;
	assert_int_equal(block(p, "ann", "ann"), PLYD_ENOTALLOWED);
	assert_int_equal(block(p, "ann", "bob"), PLYD_OK);
	assert_string_equal(p->facts, "blocked");
	assert_int_equal(block(p, "ann", "bob"), PLYD_OK);
	assert_string_equal(p->facts, "");
	assert_true(player_blocks(who(p, "ann"), &who(p, "bob")->id));
	assert_false(player_blocks(who(p, "bob"), &who(p, "ann")->id));
	assert_true(players_apart(who(p, "ann"), who(p, "bob")));
	assert_true(players_apart(who(p, "bob"), who(p, "ann")));
	assert_false(players_apart(who(p, "ann"), who(p, "cat")));
	/* neither sits down with the other */
	play_create(p, "ann", "english", (struct cmd_lobby_create){ 0 });
	struct id lobby = p->lobby;
	assert_int_equal(play_join(p, "bob", &lobby, true), PLYD_ENOTALLOWED);
	play_create(p, "bob", "english", (struct cmd_lobby_create){ 0 });
	lobby = p->lobby;
	assert_int_equal(play_join(p, "ann", &lobby, true), PLYD_ENOTALLOWED);
	play_do(p, "ann",
		(struct command){ .type = CMD_BLOCK_REMOVE,
				  .chat.player = who(p, "bob")->id });
	assert_string_equal(p->facts, "unblocked");
	assert_int_equal(play_join(p, "ann", &lobby, true), PLYD_OK);
}

/* He who is blocked cannot tell by his answers. */
static void a_block_is_not_told(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	block(p, "ann", "bob");
	assert_int_equal(say(p, "bob", &m, "hello?"), PLYD_OK);
	assert_string_equal(p->effects, "answer chat");
}

static void blocks_are_bounded(void **state)
{
	struct play *p = *state;
	char name[16];
	struct id first = { { 0 } };
	for (int i = 0; i < BLOCKS_MAX; i++) {
		struct command hello = { .type = CMD_HELLO,
					 .conn = 1000 + (uint64_t)i,
					 .now_ms = p->now_ms };
		snprintf(name, sizeof(name), "guest %d", i);
		hello.hello.name = span_str(name);
		hello.hello.fresh.byte[0] = (uint8_t)i;
		hello.hello.fresh.byte[1] = 7;
		const struct step *s = domain_step(p->d, &hello);
		struct id id = s->fact[0].player_added.player;
		if (i == 0)
			first = id;
		assert_int_equal(play_do(p, "ann",
					 (struct command){
						 .type = CMD_BLOCK_ADD,
						 .chat.player = id }),
				 PLYD_OK);
	}
	assert_int_equal(block(p, "ann", "bob"), PLYD_ETOOMANY);
	/* one who is forgotten makes room */
	struct command gone = { .type = CMD_GONE,
				.conn = 1000,
				.player = first,
				.now_ms = p->now_ms };
	domain_step(p->d, &gone);
	play_wait(p, (uint64_t)p->limits.guest_keep_ms);
	assert_null(domain_player(p->d, &first));
	assert_int_equal(block(p, "ann", "bob"), PLYD_OK);
	assert_int_equal(who(p, "ann")->blocks.count, BLOCKS_MAX);
}

/* -- reports -- */

static int report(struct play *p, const char *name, const char *about,
		  const struct id *match, enum report_reason reason)
{
	struct command cmd = { .type = CMD_REPORT_SEND,
			       .report = { .player = who(p, about)->id,
					   .reason = reason,
					   .text = span_str("see") } };
	if (match)
		cmd.match = *match;
	return play_do(p, name, cmd);
}

static void a_report_keeps_what_was_said(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	char want[256];
	play_in(p, "cat", CMD_MATCH_WATCH, &m);
	say(p, "ann", &m, "hi");
	say(p, "bob", &m, "go away");
	say(p, "cat", &m, "unheard");
	assert_int_equal(report(p, "ann", "bob", &m, REPORT_ABUSE), PLYD_OK);
	const struct report *r = domain_reports(p->d);
	assert_int_equal(domain_report_count(p->d), 1);
	snprintf(want, sizeof(want), "ann (%s): hi\nbob (%s): go away\n",
		 who(p, "ann")->id.text, who(p, "bob")->id.text);
	assert_string_equal(r->evidence, want);
	assert_string_equal(r->player_name, "bob");
	assert_string_equal(r->text, "see");
	/* a spectator has heard something else */
	assert_int_equal(report(p, "cat", "ann", &m, REPORT_SPAM), PLYD_OK);
	snprintf(want, sizeof(want), "cat (%s): unheard\n",
		 who(p, "cat")->id.text);
	assert_string_equal(r->next->evidence, want);
}

/* The newest lines, as many as fit, whole. */
static void evidence_is_bounded(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	char text[CHAT_BYTES_MAX + 1];
	for (int i = 0; i < 15; i++) {
		snprintf(text, sizeof(text), "line %d", i);
		say(p, "ann", &m, text);
		p->now_ms += 1000;
	}
	report(p, "bob", "ann", &m, REPORT_SPAM);
	const struct report *r = domain_reports(p->d);
	assert_null(strstr(r->evidence, "line 4\n"));
	assert_non_null(strstr(r->evidence, "line 5\n"));
	assert_non_null(strstr(r->evidence, "line 14\n"));
	memset(text, 'x', CHAT_BYTES_MAX);
	text[CHAT_BYTES_MAX] = '\0';
	for (int i = 0; i < 2; i++) {
		say(p, "ann", &m, text);
		p->now_ms += 1000;
	}
	report(p, "bob", "ann", &m, REPORT_ABUSE);
	size_t len = strlen(r->next->evidence);
	assert_true(len > CHAT_BYTES_MAX && len < 2 * CHAT_BYTES_MAX);
	assert_int_equal(r->next->evidence[len - 1], '\n');
}

static void reports_are_bounded_and_safe_to_repeat(void **state)
{
	struct play *p = *state;
	struct id m = play_match(p, "english", "ann", "bob", NULL);
	assert_int_equal(report(p, "ann", "ann", &m, 0), PLYD_ENOTALLOWED);
	for (int i = 0; i < 3; i++)
		assert_int_equal(report(p, "ann", "bob", &m, REPORT_ABUSE),
				 PLYD_OK);
	assert_int_equal(domain_report_count(p->d), 1);
	assert_int_equal(report(p, "ann", "bob", &m, REPORT_SPAM), PLYD_OK);
	assert_int_equal(report(p, "ann", "cat", NULL, REPORT_NAME),
			 PLYD_ERATE);
	int64_t day = 24 * 3600000;
	int64_t unix_ms = 1700000000000 + (int64_t)p->now_ms;
	assert_int_equal(p->retry_ms, day - unix_ms % day);
	/* closing them gives no more */
	for (int i = 0; i < 2; i++)
		assert_int_equal(
			play_operator(p,
				      (struct command){
					      .type = CMD_ADMIN_CLOSE_REPORT,
					      .admin.number =
						      domain_reports(p->d)
							      ->number }),
			PLYD_OK);
	assert_int_equal(domain_report_count(p->d), 0);
	assert_int_equal(report(p, "ann", "cat", NULL, REPORT_NAME),
			 PLYD_ERATE);
	p->now_ms += (uint64_t)p->retry_ms;
	assert_int_equal(report(p, "ann", "cat", NULL, REPORT_NAME), PLYD_OK);
}

/* Guests, who are as many as they like, leave room for members; but for them
 * too it ends. Each report names another lobby, which need not be there. */
static void members_report_when_guests_no_more_can(void **state)
{
	(void)state;
	struct play p;
	struct domain_limits limits;
	struct command cmd = { .type = CMD_REPORT_SEND };
	domain_limits_default(&limits);
	limits.reports_per_day = 2 * REPORTS_OPEN_MAX;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	cmd.report.player = who(&p, "bob")->id;
	for (int i = 0; i <= REPORTS_OF_GUESTS_MAX; i++) {
		snprintf(cmd.lobby.text, sizeof(cmd.lobby.text), "%010d", i);
		assert_int_equal(play_do(&p, "ann", cmd),
				 i < REPORTS_OF_GUESTS_MAX ? PLYD_OK
							   : PLYD_EFULL);
	}
	play_register(&p, "ann", "ann", "secret-1");
	for (int i = REPORTS_OF_GUESTS_MAX; i <= REPORTS_OPEN_MAX; i++) {
		snprintf(cmd.lobby.text, sizeof(cmd.lobby.text), "%010d", i);
		assert_int_equal(play_do(&p, "ann", cmd),
				 i < REPORTS_OPEN_MAX ? PLYD_OK : PLYD_EFULL);
	}
	play_close(&p);
}

static void a_report_is_closed_once(void **state)
{
	struct play *p = *state;
	report(p, "ann", "bob", NULL, REPORT_NAME);
	struct command close = { .type = CMD_ADMIN_CLOSE_REPORT,
				 .admin = {
					 .number = domain_reports(p->d)->number,
					 .text = span_str("renamed") } };
	assert_int_equal(play_operator(p, close), PLYD_OK);
	const struct audit_act *a = domain_audit(p->d);
	assert_string_equal(a->act, "close_report");
	assert_string_equal(a->text, "renamed");
	assert_non_null(strstr(a->target, who(p, "bob")->id.text));
	assert_int_equal(play_operator(p, close), PLYD_ENOTHING);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_play, close_play)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(two_channels_never_mix),
		TEST(a_lobby_talks),
		TEST(one_place_and_only_one),
		TEST(after_the_end),
		TEST(the_newest_lines_are_kept),
		TEST(the_rate_is_held),
		TEST(when_to_try_again),
		TEST(a_key_says_it_once),
		TEST(a_muted_player_is_refused),
		TEST(the_switch),
		TEST(old_switches_are_forgotten),
		TEST(a_block_holds_both_ways),
		TEST(a_block_is_not_told),
		TEST(blocks_are_bounded),
		TEST(a_report_keeps_what_was_said),
		TEST(evidence_is_bounded),
		TEST(reports_are_bounded_and_safe_to_repeat),
		TEST(a_report_is_closed_once),
		cmocka_unit_test(members_report_when_guests_no_more_can),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
