/* SPDX-License-Identifier: MIT
 * chat_test.c - who hears what: lobbies, players, spectators, those who blocked
 * each other; and what leaves no mark. */
#include "talk.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "session/wordlist.h"

enum { OPERATOR = 20, ANN = 1, BOB, CAT, DAN, PEOPLE = 4 };

struct table {
	struct talk talk;
	char id[PEOPLE + 1][TALK_NAME_MAX];
	char match[TALK_NAME_MAX];
};

static void hello(struct table *x, uint64_t conn, const char *name)
{
	struct talk *t = &x->talk;
	struct span text;
	talk_connect(t, conn, "192.0.2.1");
	assert_true(talk_ask(t, conn, "hello", "protocol=i name=s", (int64_t)1,
			     name));
	assert_int_equal(value_str(value_find(value_find(t->result, "player"),
					      "id"),
				   &text),
			 0);
	span_copy(text, x->id[conn], TALK_NAME_MAX);
}

/* Ann plays Bob; Cat and Dan watch. */
static int open_table(void **state)
{
	static struct table x;
	char lobby[TALK_NAME_MAX];
	struct talk *t = &x.talk;
	talk_open(t, NULL);
	hello(&x, ANN, "Ann");
	hello(&x, BOB, "Bob");
	hello(&x, CAT, "Cat");
	hello(&x, DAN, "Dan");
	assert_int_equal(talk_operator(t, OPERATOR), 0);
	assert_true(talk_ask(t, ANN, "lobby.create", "ruleset=s ready=b",
			     "english", 1));
	snprintf(lobby, sizeof(lobby), "%s", talk_text(t, "lobby"));
	assert_true(
		talk_ask(t, BOB, "lobby.join", "lobby=s ready=b", lobby, 1));
	snprintf(x.match, sizeof(x.match), "%s", talk_text(t, "match"));
	for (uint64_t c = CAT; c <= DAN; c++)
		assert_true(talk_ask(t, c, "match.watch", "match=s", x.match));
	*state = &x;
	return 0;
}

static int close_table(void **state)
{
	struct table *x = *state;
	talk_close(&x->talk);
	return 0;
}

static bool say(struct table *x, uint64_t conn, const char *text)
{
	return talk_ask(&x->talk, conn, "chat.send", "match=s text=s", x->match,
			text);
}

static void heard(struct table *x, uint64_t conn, const char *want)
{
	assert_string_equal(x->talk.line[conn].heard, want);
	x->talk.line[conn].heard[0] = '\0';
}

static void channels(void **state)
{
	struct table *x = *state;
	assert_true(say(x, ANN, "hi"));
	assert_true(say(x, CAT, "who wins?"));
	assert_true(say(x, BOB, "hello"));
	heard(x, ANN, "Ann@players: hi/Bob@players: hello/");
	heard(x, BOB, "Ann@players: hi/Bob@players: hello/");
	heard(x, CAT, "Cat@spectators: who wins?/");
	heard(x, DAN, "Cat@spectators: who wins?/");
	heard(x, OPERATOR, "");
}

/* What one who comes back is shown is what he would have heard. */
static void the_last_lines(void **state)
{
	struct table *x = *state;
	struct talk *t = &x->talk;
	say(x, ANN, "one");
	say(x, DAN, "aside");
	say(x, BOB, "two");
	assert_true(talk_ask(t, BOB, "chat.get", "match=s", x->match));
	assert_string_equal(talk_text(t, "channel"), "players");
	const struct value *lines = value_find(t->result, "lines");
	assert_int_equal(value_count(lines), 2);
	t->result = value_at(lines, 1);
	assert_string_equal(talk_text(t, "text"), "two");
	assert_int_equal(talk_number(t, "number"), 2);
	assert_true(talk_ask(t, CAT, "chat.get", "match=s", x->match));
	assert_string_equal(talk_text(t, "channel"), "spectators");
	assert_int_equal(value_count(value_find(t->result, "lines")), 1);
	talk_connect(t, 5, "192.0.2.1");
	assert_true(talk_ask(t, 5, "hello", "protocol=i", (int64_t)1));
	assert_false(talk_ask(t, 5, "chat.get", "match=s", x->match));
	assert_string_equal(t->error, "not_allowed");
}

/* Neither live nor later, neither way, and nobody is told. */
static void who_is_blocked_is_not_heard(void **state)
{
	struct table *x = *state;
	struct talk *t = &x->talk;
	say(x, BOB, "before");
	assert_true(talk_ask(t, ANN, "block.add", "player=s", x->id[BOB]));
	assert_true(talk_ask(t, DAN, "block.add", "player=s", x->id[CAT]));
	heard(x, ANN, "Bob@players: before/");
	heard(x, BOB, "Bob@players: before/");
	assert_true(say(x, BOB, "can you hear me?"));
	assert_true(say(x, ANN, "me?"));
	assert_true(say(x, CAT, "and us?"));
	assert_true(say(x, DAN, "us?"));
	heard(x, ANN, "Ann@players: me?/");
	heard(x, BOB, "Bob@players: can you hear me?/");
	heard(x, CAT, "Cat@spectators: and us?/");
	heard(x, DAN, "Dan@spectators: us?/");
	for (uint64_t c = ANN; c <= DAN; c++) {
		assert_true(talk_ask(t, c, "chat.get", "match=s", x->match));
		const struct value *lines = value_find(t->result, "lines");
		for (size_t i = 0; i < value_count(lines); i++) {
			t->result = value_at(lines, i);
			assert_string_equal(talk_text(t, "player"), x->id[c]);
		}
		assert_true(value_count(lines) >= 1);
	}
	assert_true(talk_ask(t, ANN, "block.list", ""));
	const struct value *all = value_find(t->result, "players");
	assert_int_equal(value_count(all), 1);
	t->result = value_at(all, 0);
	assert_string_equal(talk_text(t, "name"), "Bob");
	assert_true(talk_ask(t, BOB, "block.list", ""));
	assert_int_equal(value_count(value_find(t->result, "players")), 0);
	assert_true(talk_ask(t, ANN, "block.remove", "player=s", x->id[BOB]));
	assert_true(say(x, BOB, "again"));
	heard(x, ANN, "Bob@players: again/");
}

static void texts_are_clean_and_short(void **state)
{
	struct table *x = *state;
	struct talk *t = &x->talk;
	char text[400];
	memset(text, 'x', 301);
	text[301] = '\0';
	assert_false(say(x, ANN, text));
	assert_string_equal(t->error, "out_of_range");
	text[300] = '\0';
	assert_false(say(x, ANN, ""));
	assert_string_equal(t->error, "out_of_range");
	assert_false(say(x, ANN, "red \x1b[31m"));
	assert_string_equal(t->error, "bad_text");
	assert_false(say(x, ANN, "\xe2\x80\xaetxet"));
	assert_string_equal(t->error, "bad_text");
	assert_false(say(x, ANN, "   "));
	assert_string_equal(t->error, "bad_text");
	heard(x, BOB, "");
	/* refused lines cost nothing */
	for (int i = 0; i < 5; i++)
		assert_true(say(x, ANN, "x"));
	assert_false(say(x, ANN, text));
	assert_string_equal(t->error, "rate_limited");
	int64_t retry = talk_number(t, "retry_after_ms");
	assert_true(retry > 0 && retry <= 2000);
}

static void listed_words_are_masked(void **state)
{
	struct table *x = *state;
	struct talk *t = &x->talk;
	struct wordlist *words;
	char why[WORDLIST_WHY_MAX];
	assert_int_equal(wordlist_read(&words, span_str("darn\n"), why), 0);
	hub_set_wordlist(t->hub, words);
	assert_true(say(x, ANN, "Darn it"));
	heard(x, BOB, "Ann@players: **** it/");
	hub_set_wordlist(t->hub, NULL);
	wordlist_free(words);
	assert_true(say(x, ANN, "darn"));
	heard(x, BOB, "Ann@players: darn/");
}

/* Talk is no fact: the journal holds nothing of it. */
static void talk_is_in_no_row(void **state)
{
	struct table *x = *state;
	uint64_t row = x->talk.last_row;
	for (int i = 0; i < 4; i++)
		assert_true(say(x, ANN, "secret"));
	assert_int_equal(x->talk.last_row, row);
}

static void the_switch_is_told_to_both(void **state)
{
	struct table *x = *state;
	struct talk *t = &x->talk;
	size_t notices = t->line[CAT].notices;
	assert_true(
		talk_ask(t, BOB, "chat.switch", "match=s on=b", x->match, 0));
	assert_string_equal(t->line[ANN].last_notice, "chat.switched");
	assert_string_equal(t->line[BOB].last_notice, "chat.switched");
	assert_int_equal(t->line[CAT].notices, notices);
	assert_false(say(x, ANN, "why?"));
	assert_string_equal(t->error, "chat_off");
	assert_true(talk_ask(t, ANN, "chat.get", "match=s", x->match));
	bool on;
	assert_int_equal(value_bool(value_find(t->result, "on"), &on), 0);
	assert_false(on);
}

static void a_muted_player(void **state)
{
	struct table *x = *state;
	struct talk *t = &x->talk;
	assert_true(talk_ask(t, OPERATOR, "admin.mute", "player=s for_ms=i",
			     x->id[ANN], (int64_t)1000));
	assert_false(say(x, ANN, "x"));
	assert_string_equal(t->error, "muted");
	assert_int_equal(talk_number(t, "until_unix_ms"), t->unix_ms + 1000);
	assert_true(
		talk_ask(t, OPERATOR, "admin.mute", "player=s", x->id[ANN]));
	assert_false(say(x, ANN, "x"));
	assert_null(value_find(t->result, "until_unix_ms"));
	assert_true(
		talk_ask(t, OPERATOR, "admin.unmute", "player=s", x->id[ANN]));
	assert_true(say(x, ANN, "x"));
	heard(x, BOB, "Ann@players: x/");
}

static void a_report_reaches_the_operator(void **state)
{
	struct table *x = *state;
	struct talk *t = &x->talk;
	say(x, BOB, "you cheat");
	assert_false(talk_ask(t, ANN, "report.send", "player=s reason=s",
			      x->id[BOB], "envy"));
	assert_string_equal(t->error, "bad_value");
	assert_false(talk_ask(t, ANN, "report.send", "player=s reason=s",
			      "aaaaaaaaaa", "abuse"));
	assert_string_equal(t->error, "no_such_player");
	assert_true(talk_ask(t, ANN, "report.send",
			     "player=s reason=s match=s text=s", x->id[BOB],
			     "abuse", x->match, "look"));
	assert_true(talk_ask(t, OPERATOR, "admin.reports", ""));
	assert_int_equal(talk_number(t, "total"), 1);
	t->result = value_at(value_find(t->result, "reports"), 0);
	assert_string_equal(talk_text(t, "reason"), "abuse");
	assert_string_equal(talk_text(t, "player_name"), "Bob");
	assert_string_equal(talk_text(t, "match"), x->match);
	int64_t number = talk_number(t, "report");
	const struct value *evidence = value_find(t->result, "evidence");
	struct span line;
	assert_int_equal(value_count(evidence), 1);
	value_str(value_at(evidence, 0), &line);
	assert_non_null(memmem(line.at, line.len, "you cheat", 9));
	assert_true(talk_ask(t, OPERATOR, "admin.close_report",
			     "report=i text=s", number, "talked to him"));
	assert_true(talk_ask(t, OPERATOR, "admin.reports", ""));
	assert_int_equal(talk_number(t, "total"), 0);
}

/* A line waits for the rows before it, so that nobody hears an answer to what
 * he has not been told. */
static void lines_keep_their_place(void **state)
{
	struct table *x = *state;
	struct talk *t = &x->talk;
	t->hold = true;
	talk_ask(t, BOB, "match.resign", "match=s", x->match);
	say(x, BOB, "you win");
	heard(x, ANN, "");
	talk_commit(t);
	talk_read(t);
	assert_string_equal(t->line[ANN].last_event, "ended");
	heard(x, ANN, "Bob@players: you win/");
}

/* -- a personality -- */

/* Ann against calm, who has the first move; Cat watches, Dan late. */
static struct id against_calm(struct table *x, int64_t delay_ms)
{
	struct talk *t = &x->talk;
	struct id match;
	assert_true(talk_ask(t, ANN, "lobby.create",
			     "ruleset=s opponent=s personality=s side=s "
			     "ready=b spectator_delay_ms=i",
			     "english", "personality", "calm", "white", 1,
			     delay_ms));
	assert_true(id_read(span_str(talk_text(t, "match")), &match));
	assert_true(talk_ask(t, CAT, "match.watch", "match=s", match.text));
	return match;
}

static void calm_says(struct table *x, const struct id *match, struct span say)
{
	struct talk *t = &x->talk;
	const struct match *m = domain_match(hub_domain(t->hub), match);
	const struct cmd_thought thought = { .ply = m->ply,
					     .move = span_str("11-15"),
					     .say = say };
	hub_thought(t->hub, match, &thought, t->now_ms, t->unix_ms);
	talk_wait(t, 1);
	assert_int_equal(domain_match(hub_domain(t->hub), match)
				 ->seat[BLACK]
				 .kind,
			 KIND_PERSONALITY);
}

static void a_personality_is_heard(void **state)
{
	struct table *x = *state;
	struct talk *t = &x->talk;
	struct wordlist *words;
	char why[WORDLIST_WHY_MAX];
	struct id m = against_calm(x, 0);
	assert_int_equal(wordlist_read(&words, span_str("darn\n"), why), 0);
	hub_set_wordlist(t->hub, words);
	calm_says(x, &m, span_str("Darn, hello"));
	hub_set_wordlist(t->hub, NULL);
	wordlist_free(words);
	heard(x, ANN, "calm@players: ****, hello/");
	heard(x, CAT, "calm@spectators: ****, hello/");
	heard(x, BOB, "");
	assert_true(talk_ask(t, ANN, "chat.get", "match=s", m.text));
	t->result = value_at(value_find(t->result, "lines"), 0);
	assert_string_equal(talk_text(t, "name"), "calm");
	assert_string_equal(talk_text(t, "kind"), "personality");
	assert_null(talk_text(t, "player"));
	/* the move was played, and a report has the words */
	assert_int_equal(domain_match(hub_domain(t->hub), &m)->ply, 1);
	assert_true(talk_ask(t, ANN, "report.send", "player=s reason=s match=s",
			     x->id[CAT], "abuse", m.text));
	assert_string_equal(domain_reports(hub_domain(t->hub))->evidence,
			    "calm (-): ****, hello\n");
}

static void what_cannot_be_said_costs_no_move(void **state)
{
	static const char *const bad[] = { "red \x1b[31m", "\xe2\x80\xaetxet",
					   "   ", "\xff" };
	struct table *x = *state;
	char text[302];
	memset(text, 'x', 301);
	text[301] = '\0';
	for (size_t i = 0; i < 5; i++) {
		struct id m = against_calm(x, 0);
		calm_says(x, &m, span_str(i < 4 ? bad[i] : text));
		heard(x, ANN, "");
		heard(x, CAT, "");
		assert_int_equal(domain_match(hub_domain(x->talk.hub), &m)->ply,
				 1);
	}
}

static void who_does_not_hear_it(void **state)
{
	struct table *x = *state;
	struct talk *t = &x->talk;
	struct id m = against_calm(x, 0);
	assert_true(talk_ask(t, ANN, "chat.switch", "match=s on=b", m.text, 0));
	calm_says(x, &m, span_str("hello"));
	heard(x, ANN, "");
	heard(x, CAT, "calm@spectators: hello/");
	/* words must not be faster than the move that they are about */
	m = against_calm(x, 60000);
	calm_says(x, &m, span_str("hello"));
	heard(x, ANN, "calm@players: hello/");
	heard(x, CAT, "");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_table, close_table)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(channels),
		TEST(the_last_lines),
		TEST(who_is_blocked_is_not_heard),
		TEST(texts_are_clean_and_short),
		TEST(listed_words_are_masked),
		TEST(talk_is_in_no_row),
		TEST(the_switch_is_told_to_both),
		TEST(a_muted_player),
		TEST(a_report_reaches_the_operator),
		TEST(lines_keep_their_place),
		TEST(a_personality_is_heard),
		TEST(what_cannot_be_said_costs_no_move),
		TEST(who_does_not_hear_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
