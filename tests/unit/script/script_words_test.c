/* SPDX-License-Identifier: MIT
 * What a personality says with its answers: it comes as it is, or not at all and
 * in the log; either way the answer holds. */
#include "unit.h"
#include "asking.h"

#include <stdio.h>
#include <string.h>

#include <plyd/err.h>
#include "base/digest.h"

static struct asked worker;

/* A choice, or an answer about a double at the start of a match. */
static void ask(const char *source, enum worker_decision decision,
		struct worker_choice *out)
{
	static const char start[] =
		"-b----E-C---eE---c-e----B-:1:-1:1:00:1:2:0:7:10";
	struct asking_texts texts;
	struct worker_reply r;
	struct ruleset rs;
	struct position pos;
	bool move = decision == DECIDE_MOVE;
	assert_true(ask_load(&worker, WORKER_PERSONALITY, "x", span_str(source),
			     0, &r));
	assert_int_equal(r.err, PLYD_OK);
	const char *name = move ? "english" : "backgammon-match";
	assert_int_equal(ruleset_find(name, strlen(name), &rs), 0);
	game_start(&rs, &pos);
	if (!move)
		assert_int_equal(game_read(&rs, start, strlen(start), &pos,
					   NULL),
				 0);
	struct worker_choose m = choose_at("x", &rs, &pos, &texts);
	m.decision = decision;
	m.side = move ? pos.side : BLACK;
	assert_true(ask_choose(&worker, &m, 0, &r));
	if (r.err)
		fail_msg("%.*s", (int)r.error.text.len,
			 (const char *)r.error.text.at);
	assert_int_equal(worker_choice_read(r.result, out), PLYD_OK);
}

static const struct words {
	const char *name, *value;
	size_t said; /* bytes that are; 0: none, and the log knows */
} words[] = {
	{ "the longest", "('x'):rep(300)", 300 },
	{ "characters count", "('\xe2\x82\xac'):rep(300)", 900 },
	{ "the most bytes", "('\xf0\x9f\x8e\xb2'):rep(300)", 1200 },
	{ "one too many", "('x'):rep(301)", 0 },
	{ "one of them too many", "('\xf0\x9f\x8e\xb2'):rep(301)", 0 },
	{ "a novel", "('x'):rep(1e6)", 0 },
	{ "empty", "''", 0 },
	{ "two lines", "'two\\nlines'", 0 },
	{ "an escape", "'\\27[31m'", 0 },
	{ "a zero", "'\\0'", 0 },
	{ "no UTF-8", "'\xff'", 0 },
	{ "a number", "7", 0 },
	{ "true", "true", 0 },
	{ "a table", "{}", 0 },
	{ "a function", "function() end", 0 },
	{ "what would print itself for ever",
	  "setmetatable({}, { __tostring = function() while true do end end })",
	  0 },
};

static void they_cost_no_move(void **state)
{
	const struct words *w = *state;
	struct worker_choice c;
	char source[512];
	size_t logs = worker.logs;
	snprintf(source, sizeof(source),
		 "return { name = 'x', about = 'x', choose = function(t)\n"
		 "return { move = t.moves[1].move, offer_draw = true,\n"
		 "say = %s } end }",
		 w->value);
	ask(source, DECIDE_MOVE, &c);
	assert_true(c.move.len > 0 && c.offer_draw);
	assert_int_equal(c.say.len, w->said);
	assert_int_equal(worker.logs - logs, w->said == 0);
}

static const struct stake {
	const char *name, *value;
	bool yes;
	const char *said;
	size_t logs;
} stakes[] = {
	{ "as ever", "true", true, "", 0 },
	{ "yes", "{ answer = true, say = 'mine!' }", true, "mine!", 0 },
	{ "no", "{ answer = false, say = 'no' }", false, "no", 0 },
	{ "no words", "{ answer = false }", false, "", 0 },
	{ "words alone: plyd's rule takes at the start", "{ say = 'hm' }", true,
	  "hm", 0 },
	{ "bad words", "{ answer = false, say = 1 }", false, "", 1 },
};

static void they_go_with_answers(void **state)
{
	const struct stake *s = *state;
	struct worker_choice c;
	char source[512];
	size_t logs = worker.logs;
	snprintf(source, sizeof(source),
		 "return { name = 'x', about = 'x', choose = function(t)\n"
		 "return t.moves[1].move end, take = function()\n"
		 "return %s end }",
		 s->value);
	ask(source, DECIDE_ANSWER, &c);
	assert_int_equal(c.yes, s->yes);
	assert_true(span_is(c.say, s->said));
	assert_int_equal(worker.logs - logs, s->logs);
}

/* An answer that is none is an error still. */
static void a_bad_answer_is_an_error(void **state)
{
	(void)state;
	static const char *const bad[] = { "{ yes = true }",
					   "{ answer = 1, say = 'x' }" };
	for (size_t i = 0; i < 2; i++) {
		struct asking_texts texts;
		struct worker_reply r;
		struct ruleset rs;
		struct position pos;
		char source[512];
		snprintf(source, sizeof(source),
			 "return { name = 'x', about = 'x', choose = "
			 "function(t) end, take = function() return %s end }",
			 bad[i]);
		assert_true(ask_load(&worker, WORKER_PERSONALITY, "x",
				     span_str(source), 0, &r));
		ruleset_find("backgammon-match", 16, &rs);
		game_start(&rs, &pos);
		struct worker_choose m = choose_at("x", &rs, &pos, &texts);
		m.decision = DECIDE_ANSWER;
		assert_true(ask_choose(&worker, &m, 0, &r));
		assert_int_equal(r.err, PLYD_EWORKER);
	}
}

/* Every one of those that ship can be said. */
static void those_that_ship(void **state)
{
	(void)state;
	struct worker_choice c;
	size_t logs = worker.logs;
	ask_load_shipped(&worker, WORKER_LIBRARY, "words", "lib/words.lua");
	ask("local words, n = use 'words', 0\n"
	    "return { name = 'x', about = 'x', choose = function(t)\n"
	    "for kind, list in pairs(words) do for _, text in ipairs(list) do\n"
	    "n = n + 1\n"
	    "if type(kind) ~= 'string' or #text == 0 or #text > 80 then\n"
	    "error(kind) end end end\n"
	    "return { move = t.moves[1].move, say = 'all of ' .. n } end }",
	    DECIDE_MOVE, &c);
	assert_true(c.say.len > strlen("all of "));
	assert_int_equal(worker.logs, logs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bad_answer_is_an_error),
		cmocka_unit_test(those_that_ship),
	};
	if (crypto_ready())
		return 1;
	asked_init_here(&worker);
	int failed = RUN_TABLE("words", words, they_cost_no_move) +
		     RUN_TABLE("answers", stakes, they_go_with_answers) +
		     cmocka_run_group_tests(tests, NULL, NULL);
	asked_release_here(&worker);
	return failed;
}
