/* SPDX-License-Identifier: MIT
 * The functions of a personality for the cube and for resignations: what they
 * see, what they may answer, and who decides where they do not. */
#include "unit.h"
#include "asking.h"

#include <stdio.h>
#include <string.h>

#include <plyd/err.h>
#include "base/digest.h"

static struct asked worker;

/* The start, and a race that White has won; seven points, one each. */
static const char start[] = "-b----E-C---eE---c-e----B-:1:-1:1:00:1:2:0:7:10";
static const char won[] = "-BBBB---------------ccccc-:0:0:1:00:0:0:0:7:10";

static const struct hook {
	const char *name, *functions;
	const char *position;
	enum worker_decision decision;
	int side;
	int yes;           /* -1: an error, with */
	const char *words; /* these; else what it keeps is "kept" in there */
} hooks[] = {
	{ "none: plyd's rule doubles", "", won, DECIDE_ROLL, WHITE, 1, "" },
	{ "double says no", "double = function() return false end", won,
	  DECIDE_ROLL, WHITE, 0, "" },
	{ "double says nothing", "double = function() end", won, DECIDE_ROLL,
	  WHITE, 1, "" },
	{ "take says yes", "take = function() return true end", won,
	  DECIDE_ANSWER, BLACK, 1, "" },
	{ "take is not asked of a throw", "take = function() return false end",
	  won, DECIDE_ROLL, WHITE, 1, "" },
	{ "take says nothing", "take = function() return nil end", won,
	  DECIDE_ANSWER, BLACK, 0, "" },
	{ "accept knows the level",
	  "accept = function(turn) return turn.level == 2 end", start,
	  DECIDE_RESIGNATION, BLACK, 1, "" },
	{ "the cube and the score",
	  "double = function(turn) local c, m = turn.cube, turn.match\n"
	  "return c.value == 2 and c.owner == 'theirs' and m.mine == 1 and\n"
	  "m.theirs == 2 and m.length == 7 and not m.crawford and\n"
	  "turn.side == 'white' and #turn.moves == 0 and not turn.dice end",
	  start, DECIDE_ROLL, WHITE, 1, "" },
	{ "the same from the other side",
	  "take = function(turn) local c, m = turn.cube, turn.match\n"
	  "return c.value == 2 and c.owner == 'mine' and m.mine == 2 and\n"
	  "m.theirs == 1 and turn.side == 'black' end",
	  start, DECIDE_ANSWER, BLACK, 1, "" },
	{ "the score is one's own",
	  "double = function() return evaluate() > 900 end", won, DECIDE_ROLL,
	  WHITE, 1, "" },
	{ "also for who waits",
	  "take = function() return evaluate() < -900 end", won, DECIDE_ANSWER,
	  BLACK, 1, "" },
	{ "own checkers are mine",
	  "take = function(turn) return turn.board.mine[6] == 0 and\n"
	  "turn.board.mine[5] == 3 and turn.board.theirs[4] == 2 end",
	  won, DECIDE_ANSWER, BLACK, 1, "" },
	{ "what was kept comes back",
	  "double = function(turn) return turn.memory.kept == 'x' end", won,
	  DECIDE_ROLL, WHITE, 1, "" },
	{ "a number is no answer", "double = function() return 1 end", won,
	  DECIDE_ROLL, WHITE, -1, "'double' must return true, false or nil" },
	{ "an error is one", "take = function() error('no') end", won,
	  DECIDE_ANSWER, BLACK, -1, "no" },
	{ "it must be a function", "double = true", won, DECIDE_ROLL, WHITE, -1,
	  "double" },
	{ "no moves to search", "double = function() search{} end", won,
	  DECIDE_ROLL, WHITE, -1, "search failed" },
};

static bool load(const char *functions, struct worker_reply *r)
{
	char text[1024];
	int len = snprintf(text, sizeof(text),
			   "return { name = 'p', about = 'x', choose = "
			   "function(turn) return turn.moves[1].move end,\n"
			   "%s }",
			   functions);
	assert_true(len > 0 && (size_t)len < sizeof(text));
	assert_true(ask_load(&worker, WORKER_PERSONALITY, "p",
			     span_of(text, (size_t)len), 0, r));
	return r->err == PLYD_OK;
}

static bool says(const struct worker_reply *r, const char *words)
{
	return memmem(r->error.text.at, r->error.text.len, words,
		      strlen(words)) != NULL;
}

static void hook_holds(void **state)
{
	static const uint8_t kept[] = "\x81\xa4kept\xa1x"; /* { kept = "x" } */
	const struct hook *h = *state;
	struct asking_texts texts;
	struct worker_reply r;
	struct worker_choice c;
	struct ruleset rs;
	struct position pos;
	assert_int_equal(ruleset_find("backgammon-match", 16, &rs), 0);
	assert_int_equal(game_read(&rs, h->position, strlen(h->position), &pos,
				   NULL),
			 0);
	bool loaded = load(h->functions, &r);
	if (loaded) {
		struct worker_choose m = choose_at("p", &rs, &pos, &texts);
		m.decision = h->decision;
		m.side = h->side;
		m.level = h->decision == DECIDE_RESIGNATION ? 2 : 0;
		m.memory = span_of(kept, sizeof(kept) - 1);
		assert_true(ask_choose(&worker, &m, 0, &r));
	}
	if (h->yes < 0) {
		assert_int_equal(r.err, PLYD_EWORKER);
		assert_true(says(&r, h->words));
		return;
	}
	if (r.err)
		fail_msg("%.*s", (int)r.error.text.len,
			 (const char *)r.error.text.at);
	assert_int_equal(worker_choice_read(r.result, &c), PLYD_OK);
	assert_int_equal(c.yes, h->yes);
	assert_true(span_eq(c.memory, span_of(kept, sizeof(kept) - 1)));
}

int main(void)
{
	if (crypto_ready())
		return 1;
	asked_init_here(&worker);
	int failed = RUN_TABLE("script stakes", hooks, hook_holds);
	asked_release_here(&worker);
	return failed;
}
