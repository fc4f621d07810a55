/* SPDX-License-Identifier: MIT
 * Loading of each kind: the files that ship are what they should be, and every
 * mistake is named with its line. */
#include "asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* ---- what ships -------------------------------------------------------- */

static struct shipped {
	const char *name; /* of a built-in ruleset too */
	const char *path;
} rulesets[] = {
	{ "english", "rulesets/english.lua" },
	{ "turkish", "rulesets/turkish.lua" },
	{ "turkish-classic", "rulesets/turkish-classic.lua" },
	{ "backgammon", "rulesets/backgammon.lua" },
	{ "short-backgammon", "rulesets/short-backgammon.lua" },
	{ "caucasian", "rulesets/caucasian.lua" },
};

/* A ruleset made of a base and overrides equals the built-in one. */
static void ruleset_is_the_built_in(void **state)
{
	const struct shipped *s = *state;
	struct span source = read_script(s->path);
	struct asked a;
	struct worker_reply r;
	struct worker_ruleset out;
	struct ruleset rs;
	char text[RULESET_TEXT_MAX];
	asked_init_here(&a);
	assert_true(ask_load(&a, WORKER_RULESET, s->path, source, 0, &r));
	assert_int_equal(r.err, PLYD_OK);
	assert_int_equal(worker_ruleset_read(r.result, &out), PLYD_OK);
	assert_true(span_is(out.name, s->name));
	assert_true(span_is(out.policy, "standard"));
	assert_int_equal(ruleset_find(s->name, strlen(s->name), &rs), 0);
	size_t len = ruleset_write(&rs, text);
	assert_true(span_eq(out.ruleset, span_of(text, len)));
	/* draws by themselves are for draughts: -1 is the policy's number */
	int draws = ruleset_has_dice(&rs) ? 0 : -1;
	assert_int_equal(out.no_progress, draws);
	assert_int_equal(out.repetition, draws);
	assert_int_equal(out.base_ms, 300000);
	asked_release_here(&a);
	free((void *)source.at);
}

static void clocks_are_read(void **state)
{
	static const struct {
		const char *text;
		int kind;
		int64_t kinds, base_ms, move_ms_min;
	} rows[] = {
		{ "", WORKER_UNLIMITED, 31, 0, -1 },
		{ "clock = { base_ms = 0 }", WORKER_UNLIMITED, 31, 0, -1 },
		{ "clock = { base_ms = 9000 }", WORKER_FISCHER, 31, 9000, -1 },
		{ "clock = { base_ms = 9000, delay_ms = 1 }", WORKER_DELAY, 31,
		  9000, -1 },
		{ "clock = { base_ms = 9000, kind = 'bronstein' }",
		  WORKER_BRONSTEIN, 31, 9000, -1 },
		{ "clock = { base_ms = 2592000000, kind = 'per_move' }, "
		  "clocks = { fischer = false, move_ms_min = 7, "
		  "per_move = true }",
		  WORKER_PER_MOVE, 30, 2592000000, 7 },
	};
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct asked a;
		struct worker_reply r;
		struct worker_ruleset out;
		char text[512];
		snprintf(text, sizeof(text),
			 "return { name = 'x', base = 'english', %s }",
			 rows[i].text);
		asked_init_here(&a);
		assert_true(ask_load(&a, WORKER_RULESET, "x", span_str(text), 0,
				     &r));
		assert_int_equal(r.err, PLYD_OK);
		assert_int_equal(worker_ruleset_read(r.result, &out), 0);
		assert_int_equal(out.clock_kind, rows[i].kind);
		assert_int_equal(out.clock_kinds, rows[i].kinds);
		assert_int_equal(out.base_ms, rows[i].base_ms);
		assert_int_equal(out.move_ms_min, rows[i].move_ms_min);
		asked_release_here(&a);
	}
}

static void policy_is_data(void **state)
{
	(void)state;
	struct span source = read_script("policies/standard.lua");
	struct asked a;
	struct worker_reply r;
	struct worker_policy out;
	asked_init_here(&a);
	assert_true(ask_load(&a, WORKER_POLICY, "standard", source, 0, &r));
	assert_int_equal(r.err, PLYD_OK);
	assert_int_equal(worker_policy_read(r.result, &out), PLYD_OK);
	assert_true(span_is(out.name, "standard"));
	assert_int_equal(out.no_progress, 80);
	assert_int_equal(out.repetition, 3);
	assert_int_equal(out.counts, COUNTS_CAPTURE_OR_PROMOTION);
	assert_false(out.has_verdict);
	asked_release_here(&a);
	free((void *)source.at);
}

static void configuration_is_plain(void **state)
{
	(void)state;
	struct span source = read_script("plyd.lua");
	struct asked a;
	struct worker_reply r;
	struct span host;
	int64_t port;
	asked_init_here(&a);
	assert_true(ask_load(&a, WORKER_CONFIG, "plyd.lua", source, 0, &r));
	assert_int_equal(r.err, PLYD_OK);
	const struct value *listen = value_find(r.result, "listen");
	assert_int_equal(value_str(value_find(listen, "host"), &host), 0);
	assert_true(span_is(host, "127.0.0.1"));
	assert_int_equal(value_int(value_find(listen, "port"), 0, 65535, &port),
			 0);
	assert_int_equal(port, 7531);
	asked_release_here(&a);
	free((void *)source.at);
}

/* ---- mistakes ---------------------------------------------------------- */

static struct mistake {
	const char *name;
	enum worker_kind kind;
	const char *source;
	int line;
	const char *text; /* part of the message; NULL: no mistake */
} mistakes[] = {
	{ "config: empty file", WORKER_CONFIG, "", 0, "expected a table" },
	{ "config: a number", WORKER_CONFIG, "return 1", 0,
	  "expected a table, got number" },
	{ "config: no libraries", WORKER_CONFIG,
	  "return {\n a = string.rep('x', 3) }", 2, "there is no 'string'" },
	{ "config: a method of a text", WORKER_CONFIG,
	  "return { a = ('x'):rep(3) }", 1, "attempt to index" },
	{ "config: arithmetic is fine", WORKER_CONFIG,
	  "local minute = 60 * 1000 return { a = 5 * minute }", 0, NULL },
	{ "config: a function", WORKER_CONFIG,
	  "return { a = {\n b = function() end } }", 2, "'a.b' must be" },
	{ "config: a fraction", WORKER_CONFIG, "return {\n\n a = 0.5 }", 3,
	  "'a' must be a whole number" },
	{ "config: a float that is whole", WORKER_CONFIG, "return { a = 1e6 }",
	  0, NULL },
	{ "config: a list with a hole", WORKER_CONFIG,
	  "return { a = { 1, nil, 3 } }", 1, "'a" },
	{ "config: list and names", WORKER_CONFIG,
	  "return { a = { 1, b = 2 } }", 1, "either a list or has names" },
	{ "config: itself", WORKER_CONFIG, "local t = {} t.t = t return t", 1,
	  "nested too deep" },
	{ "config: too many entries", WORKER_CONFIG,
	  "local t = {} for i = 1, 1000 do t[i] = i end return { a = t }", 1,
	  "'a' has too many entries" },
	{ "config: bad UTF-8", WORKER_CONFIG, "return { a = '\\255' }", 1,
	  "'a' must be UTF-8" },
	{ "config: bad UTF-8 in a name", WORKER_CONFIG,
	  "return { ['\\255'] = 1 }", 0, "must be UTF-8" },
	{ "config: metatables do nothing", WORKER_CONFIG,
	  "setmetatable({}, {})", 1, "there is no 'setmetatable'" },
	{ "ruleset: no name", WORKER_RULESET, "return { base = 'english' }", 0,
	  "needs the field 'name', a text: lower-case letters, "
	  "digits and `-`, at most 24" },
	{ "ruleset: a name that is none", WORKER_RULESET,
	  "return { base = 'english',\nname = 'My Game' }", 2,
	  "lower-case letters" },
	{ "ruleset: a long name", WORKER_RULESET,
	  "return { base = 'english',\nname = "
	  "'abcdefghijklmnopqrstuvwxyz' }",
	  2, "1 to 24 bytes, got 26" },
	{ "ruleset: no such base", WORKER_RULESET,
	  "return { name = 'x',\n base = 'chess' }", 2,
	  "no built-in ruleset 'chess'" },
	{ "ruleset: unknown field", WORKER_RULESET,
	  "return { name = 'x', base = 'english',\n\n option = {} }", 3,
	  "unknown field 'option'; expected one of: name, base, about" },
	{ "ruleset: no such option", WORKER_RULESET,
	  "return { name = 'x', base = 'english', options = {\n"
	  "king = 'fat' } }",
	  2, "option 'king = fat'" },
	{ "ruleset: another family's option", WORKER_RULESET,
	  "return { name = 'x', base = 'backgammon', options = {\n"
	  "king = 'flying' } }",
	  2, "option 'king = flying'" },
	{ "ruleset: an option that is a table", WORKER_RULESET,
	  "return { name = 'x', base = 'english', options = { king = {} } }", 1,
	  "option 'king' must be a text, a whole number, true or false" },
	{ "ruleset: a number for words", WORKER_RULESET,
	  "return { name = 'x', base = 'english', options = { king = 1 } }", 1,
	  "option 'king = 1'" },
	{ "ruleset: an option that is half a number", WORKER_RULESET,
	  "return { name = 'x', base = 'backgammon', options = {\n"
	  "match_length = 3.5 } }",
	  2, "option 'match_length' must be a text, a whole number" },
	{ "ruleset: a number", WORKER_RULESET,
	  "return { name = 'x', base = 'caucasian', options = {\n"
	  "match_length = 64 } }",
	  0, NULL },
	{ "ruleset: a number too great", WORKER_RULESET,
	  "return { name = 'x', base = 'caucasian', options = {\n"
	  "match_length = 65 } }",
	  2, "option 'match_length = 65'" },
	{ "ruleset: a number below", WORKER_RULESET,
	  "return { name = 'x', base = 'caucasian', options = {\n"
	  "match_length = -1 } }",
	  2, "option 'match_length = -1'" },
	{ "ruleset: options that do not agree", WORKER_RULESET,
	  "return { name = 'x', base = 'caucasian',\n options = {\n"
	  "jacoby = true } }",
	  2, "do not agree: jacoby = true needs cube = true." },
	{ "ruleset: a list of options", WORKER_RULESET,
	  "return { name = 'x', base = 'english', options = { 'king' } }", 1,
	  "names and values" },
	{ "ruleset: truth as an option", WORKER_RULESET,
	  "return { name = 'x', base = 'turkish', options = { turn_back = "
	  "true } }",
	  0, NULL },
	{ "ruleset: draws", WORKER_RULESET,
	  "return { name = 'x', base = 'turkish', draws = { no_progress = "
	  "60,\n repetition = -3 } }",
	  2, "'repetition' must be 0 to 4096, got -3" },
	{ "ruleset: what is progress", WORKER_RULESET,
	  "return { name = 'x', base = 'turkish', draws = {\n"
	  "no_progress_counts = 'luck' } }",
	  2, "must be one of 'capture_or_promotion', 'capture_or_man_move'" },
	{ "ruleset: clock", WORKER_RULESET,
	  "return { name = 'x', base = 'turkish', clock = { increment_ms = 1 "
	  "} }",
	  0, "'clock' needs the field 'base_ms'" },
	{ "ruleset: kind of the clock", WORKER_RULESET,
	  "return { name = 'x', base = 'turkish', clock = { base_ms = 1,\n"
	  "kind = 'hourglass' } }",
	  2, "'bronstein'" },
	{ "ruleset: no such kind may be asked for", WORKER_RULESET,
	  "return { name = 'x', base = 'turkish',\n"
	  "clocks = { hourglass = true } }",
	  2, "hourglass" },
	{ "ruleset: a limit that is none", WORKER_RULESET,
	  "return { name = 'x', base = 'turkish',\n"
	  "clocks = { move_ms_max = 2592000001 } }",
	  2, "'move_ms_max' must be 0 to 2592000000" },
	{ "ruleset: a control character", WORKER_RULESET,
	  "return { name = 'x', base = 'english',\nabout = 'a\\27[2J' }", 2,
	  "'about' must be UTF-8 without control characters" },
	{ "ruleset: another alphabet", WORKER_RULESET,
	  "return { name = 'x', base = 'english', about = "
	  "'\u0131\u015f\u0131k' }",
	  0, NULL },
	{ "policy: no such field of offers", WORKER_POLICY,
	  "return { name = 'x',\noffers = { from = 3 } }", 2,
	  "from_move, budget" },
	{ "policy: no offers is no budget", WORKER_POLICY,
	  "return { name = 'x', offers = {\nbudget = 0 } }", 2, "budget" },
	{ "policy: a verdict that is no function", WORKER_POLICY,
	  "return { name = 'x',\n verdict = 1 }", 2,
	  "'verdict' must be a function, got a number" },
	{ "policy: good", WORKER_POLICY,
	  "return { name = 'x', verdict = function() end }", 0, NULL },
	{ "personality: no choose", WORKER_PERSONALITY, "return { name = 'x' }",
	  0,
	  "needs the field 'choose', a function: gets the turn, returns "
	  "the choice" },
	{ "personality: rulesets", WORKER_PERSONALITY,
	  "return { name = 'x', choose = function() end,\n"
	  "rulesets = { 'english', 5 } }",
	  2, "must be a list of at most 16 names" },
	{ "personality: host functions can be named", WORKER_PERSONALITY,
	  "local s, e, p, l, r = search, evaluate, pick, log, random "
	  "return { name = 'x', choose = function() end }",
	  0, NULL },
	{ "personality: a misspelt name", WORKER_PERSONALITY,
	  "\nlocal s = serach return {}", 2, "there is no 'serach' here" },
	{ "personality: metatables do nothing", WORKER_PERSONALITY,
	  "return setmetatable({}, { __index = { name = 'x', choose = print "
	  "} })",
	  1, "there is no 'print'" },
	{ "personality: fields by metatable", WORKER_PERSONALITY,
	  "return setmetatable({}, { __index = { name = 'x' } })", 0,
	  "needs the field 'name'" },
};

static void mistake_is_named(void **state)
{
	const struct mistake *m = *state;
	struct asked a;
	struct worker_reply r;
	asked_init_here(&a);
	assert_true(ask_load(&a, m->kind, "file", span_str(m->source), 0, &r));
	if (!m->text) {
		if (r.err)
			print_error("%.*s\n", (int)r.error.text.len,
				    (const char *)r.error.text.at);
		assert_int_equal(r.err, PLYD_OK);
	} else {
		assert_int_equal(r.err, PLYD_EWORKER);
		assert_true(span_is(r.error.script, "file"));
		if (!memmem(r.error.text.at, r.error.text.len, m->text,
			    strlen(m->text)))
			fail_msg("says: %.*s", (int)r.error.text.len,
				 (const char *)r.error.text.at);
		assert_int_equal(r.error.line, m->line);
	}
	asked_release_here(&a);
}

/* ---- what is remembered ------------------------------------------------ */

static int choose_err(struct asked *a, const char *name)
{
	struct ruleset rs;
	struct position pos;
	struct asking_texts texts;
	struct worker_reply r;
	ruleset_find("english", 7, &rs);
	game_start(&rs, &pos);
	struct worker_choose m = choose_at(name, &rs, &pos, &texts);
	assert_true(ask_choose(a, &m, 0, &r));
	return r.err;
}

static void scripts_are_remembered_by_name(void **state)
{
	(void)state;
	struct asked a;
	struct worker_reply r;
	struct span good = span_str("return { name = 'x', choose = function(t) "
				    "return t.moves[1].move end }");
	struct span bad = span_str("return { name = 'x', choose = function(t) "
				   "return 1 end }");
	asked_init_here(&a);
	assert_int_equal(choose_err(&a, "x"), PLYD_EPERSONALITY);
	ask_load(&a, WORKER_PERSONALITY, "x", good, 0, &r);
	assert_int_equal(choose_err(&a, "x"), PLYD_OK);
	ask_load(&a, WORKER_PERSONALITY, "x", span_str("return 1"), 0, &r);
	assert_int_equal(r.err, PLYD_EWORKER);
	assert_int_equal(choose_err(&a, "x"), PLYD_OK); /* the old one */
	ask_load(&a, WORKER_PERSONALITY, "x", bad, 0, &r);
	assert_int_equal(r.err, PLYD_OK);
	assert_int_equal(choose_err(&a, "x"), PLYD_EWORKER);
	ask_load(&a, WORKER_PERSONALITY, "x/2", good, 0, &r);
	assert_int_equal(choose_err(&a, "x/2"), PLYD_OK);
	asked_release_here(&a);
}

static void scripts_have_a_limit(void **state)
{
	(void)state;
	struct asked a;
	struct worker_reply r;
	char name[16];
	struct span source = span_str("return { name = 'x' }");
	asked_init_here(&a);
	for (int i = 0; i <= WORKER_SCRIPTS_MAX; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		assert_true(ask_load(&a, WORKER_POLICY, name, source, 0, &r));
		assert_int_equal(r.err,
				 i < WORKER_SCRIPTS_MAX ? 0 : PLYD_EFULL);
	}
	assert_true(ask_load(&a, WORKER_POLICY, "p0", source, 0, &r));
	assert_int_equal(r.err, PLYD_OK);
	asked_release_here(&a);
}

static void log_lines_have_a_quota(void **state)
{
	(void)state;
	struct asked a;
	struct worker_reply r;
	struct span source = span_str(
		"return { name = 'x', choose = function(t)\n"
		"for i = 1, 16 do assert(log('line ' .. i) == true) end\n"
		"for i = 17, 99 do assert(log('line ' .. i) == false) end\n"
		"return t.moves[1].move end }");
	asked_init_here(&a);
	ask_load(&a, WORKER_PERSONALITY, "x", source, 0, &r);
	assert_int_equal(choose_err(&a, "x"), PLYD_OK);
	assert_int_equal(a.logs, WORKER_LOGS_MAX);
	assert_int_equal(choose_err(&a, "x"), PLYD_OK); /* anew each time */
	assert_int_equal(a.logs, 2 * WORKER_LOGS_MAX);
	asked_release_here(&a);
}

#define SAYS(text)                                                             \
	{                                                                      \
		(const uint8_t *)(text), sizeof(text) - 1                      \
	}

/* Rows of what choose() may return, with and without an offer. */
static const struct answer {
	const char *body;
	bool offer;
	struct worker_choice want; /* but for its move */
	bool moves;
} answers[] = {
	{ "return t.moves[1].move", true, { .nodes = 0 }, true },
	{ "return { resign = true }", false, { .resign = true }, false },
	{ "return { move = 'nonsense', resign = true }",
	  false,
	  { .resign = true },
	  false },
	{ "return { accept_draw = t.offer }",
	  true,
	  { .accept_draw = true },
	  false },
	{ "return { accept_draw = true, move = t.moves[1].move }",
	  false,
	  { .nodes = 0 },
	  true },
	{ "return { offer_draw = true, move = t.moves[1].move, think_ms = 7 }",
	  false,
	  { .offer_draw = true, .think_ms = 7 },
	  true },
	{ "return { move = t.moves[1].move, say = 'gr\xc3\xbc\xc3\x9f dich' }",
	  false,
	  { .say = SAYS("gr\xc3\xbc\xc3\x9f dich") },
	  true },
	{ "return { resign = true, say = 'bye' }",
	  false,
	  { .resign = true, .say = SAYS("bye") },
	  false },
	{ "return { accept_draw = t.offer, say = 'gladly' }",
	  true,
	  { .accept_draw = true, .say = SAYS("gladly") },
	  false },
};

static void answer_is_taken(struct asked *a, const struct answer *w)
{
	struct buf source;
	struct ruleset rs;
	struct position pos;
	struct asking_texts texts;
	struct worker_reply r;
	struct worker_choice c;
	buf_init(&source, 4096);
	buf_printf(&source,
		   "return { name = 'x', choose = function(t) %s end }",
		   w->body);
	ask_load(a, WORKER_PERSONALITY, "x", buf_span(&source), 0, &r);
	buf_release(&source);
	ruleset_find("english", 7, &rs);
	game_start(&rs, &pos);
	struct worker_choose m = choose_at("x", &rs, &pos, &texts);
	m.offer_pending = w->offer;
	assert_true(ask_choose(a, &m, 0, &r));
	assert_int_equal(r.err, PLYD_OK);
	assert_int_equal(worker_choice_read(r.result, &c), PLYD_OK);
	assert_int_equal(c.resign, w->want.resign);
	assert_int_equal(c.accept_draw, w->want.accept_draw);
	assert_int_equal(c.offer_draw, w->want.offer_draw);
	assert_int_equal(c.think_ms, w->want.think_ms);
	assert_true(span_eq(c.say, w->want.say));
	assert_int_equal(c.move.len > 0, w->moves);
}

static void answers_are_taken(void **state)
{
	(void)state;
	struct asked a;
	asked_init_here(&a);
	for (size_t i = 0; i < COUNT(answers); i++)
		answer_is_taken(&a, &answers[i]);
	asked_release_here(&a);
}

/* ---- verdicts ---------------------------------------------------------- */

static struct verdict_case {
	const char *name;
	const char *body;
	int err;
	enum worker_verdict_kind want;
	const char *reason;
} verdict_cases[] = {
	{ "nothing", "", PLYD_OK, VERDICT_CONTINUE, "" },
	{ "continue", "return { verdict = 'continue' }", PLYD_OK,
	  VERDICT_CONTINUE, "" },
	{ "draw", "return { verdict = 'draw', reason = 'two kings' }", PLYD_OK,
	  VERDICT_DRAW, "two kings" },
	{ "what it sees",
	  "if t.quiet == 7 and t.repeats == 2 and t.ply == 30 and t.side == "
	  "'white' and t.board['15'].king then return { verdict = 'white', "
	  "reason = t.position } end",
	  PLYD_OK, VERDICT_WHITE, "W:WK15:BK1" },
	{ "what else it sees",
	  "if #t.moves == 4 and t.moves[1].king and t.options.king == 'short' "
	  "and #t.history == 2 and t.history[2] == t.key and t.history[1] ~= "
	  "t.key then return { verdict = 'black', reason = t.moves[1].move } "
	  "end",
	  PLYD_OK, VERDICT_BLACK, "15-10" },
	{ "warn", "return { verdict = 'warn', reason = 'soon' }", PLYD_OK,
	  VERDICT_WARN, "soon" },
	{ "a warning without words", "return { verdict = 'warn' }",
	  PLYD_EWORKER, 0, "" },
	{ "no such verdict", "return { verdict = 'maybe' }", PLYD_EWORKER, 0,
	  "" },
	{ "another type", "return 'draw'", PLYD_EWORKER, 0, "" },
	{ "no search for policies", "search { nodes = 1 }", PLYD_EWORKER, 0,
	  "" },
	{ "no end", "while true do end", PLYD_EWORKER, 0, "" },
};

static void verdict_holds(void **state)
{
	const struct verdict_case *c = *state;
	struct asked a;
	struct worker_reply r;
	struct buf source;
	struct ruleset rs;
	char text[RULESET_TEXT_MAX];
	buf_init(&source, 4096);
	buf_printf(&source,
		   "return { name = 'x', verdict = function(t) %s end }",
		   c->body);
	asked_init_here(&a);
	assert_true(ask_load(&a, WORKER_POLICY, "x", buf_span(&source), 0, &r));
	assert_int_equal(r.err, PLYD_OK);
	ruleset_find("english", 7, &rs);
	struct worker_verdict m = {
		.policy = span_str("x"),
		.ruleset = span_of(text, ruleset_write(&rs, text)),
		.position = span_str("W:WK15:BK1"),
		.match = span_str(""),
		.ply = 30,
		.quiet = 7,
		.repeats = 2,
	};
	struct position pos;
	assert_int_equal(game_read(&rs, "W:WK15:BK1", 10, &pos, NULL), 0);
	m.history.count = 2;
	m.history.at[0] = 7;
	m.history.at[1] = game_hash(&rs, &pos);
	buf_clear(&a.question);
	worker_ask_verdict(&a.question, 4, &m);
	assert_true(asked_answer(&a, 0, &r));
	if (r.err && !c->err)
		print_error("%.*s\n", (int)r.error.text.len,
			    (const char *)r.error.text.at);
	assert_int_equal(r.err, c->err);
	if (!r.err) {
		struct worker_ruling out;
		assert_int_equal(worker_ruling_read(r.result, &out), PLYD_OK);
		assert_int_equal(out.verdict, c->want);
		assert_true(span_is(out.reason, c->reason));
	}
	asked_release_here(&a);
	buf_release(&source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_are_read),
		cmocka_unit_test(policy_is_data),
		cmocka_unit_test(configuration_is_plain),
		cmocka_unit_test(scripts_are_remembered_by_name),
		cmocka_unit_test(scripts_have_a_limit),
		cmocka_unit_test(log_lines_have_a_quota),
		cmocka_unit_test(answers_are_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL) +
	       RUN_TABLE("shipped rulesets", rulesets,
			 ruleset_is_the_built_in) +
	       RUN_TABLE("mistakes", mistakes, mistake_is_named) +
	       RUN_TABLE("verdicts", verdict_cases, verdict_holds);
}
