/* SPDX-License-Identifier: MIT */
#include "script/load.h"

#include <stdio.h>

#include <lauxlib.h>
#include <plyd/rules.h>
#include "script/clock.h"
#include "script/fields.h"
#include "script/order.h"
#include "script/plain.h"
#include "script/plan.h"
#include "script/turn_priv.h"
#include "script/use.h"

struct job {
	const struct worker_load *load;
	struct buf *answer;
};

static const char *const counts_names[] = {
	[COUNTS_CAPTURE_OR_PROMOTION] = "capture_or_promotion",
	[COUNTS_CAPTURE_OR_MAN_MOVE] = "capture_or_man_move",
	NULL,
};

/* enum worker_counts of the field no_progress_counts of the table on top. */
static int64_t read_counts(lua_State *L, int64_t fallback)
{
	struct span text = field_text(L, -1, "no_progress_counts");
	if (text.len == 0)
		return fallback;
	return field_one_of(L, "no_progress_counts", text, counts_names);
}

#define DRAW_FIELDS                                                            \
	{ "no_progress",                                                       \
	  FIELD_INT,                                                           \
	  false,                                                               \
	  0,                                                                   \
	  WORKER_DRAW_MAX,                                                     \
	  "half-moves without progress that make a draw; 0: no limit" },       \
		{ "repetition",                                                \
		  FIELD_INT,                                                   \
		  false,                                                       \
		  0,                                                           \
		  WORKER_DRAW_MAX,                                             \
		  "occurrences of one position that make a draw; 0: no "       \
		  "limit" },                                                   \
	{                                                                      \
		"no_progress_counts", FIELD_TEXT, false, 1, 40,                \
			"what is progress: `\"capture_or_promotion\"` or "     \
			"`\"capture_or_man_move\"`"                            \
	}

/* ---- configuration ----------------------------------------------------- */

static int load_config(lua_State *L)
{
	struct job *job = lua_touserdata(L, 1);
	sandbox_run_source(L);
	plain_put(L, -1, job->answer);
	return 0;
}

/* ---- rulesets ---------------------------------------------------------- */

const struct field ruleset_fields[] = {
	{ "name", FIELD_TEXT, true, 1, RULESET_NAME_MAX,
	  "lower-case letters, digits and `-`, at most 24" },
	{ "base", FIELD_TEXT, true, 1, RULESET_NAME_MAX,
	  "the built-in ruleset that it stands on" },
	{ "about", FIELD_TEXT, false, 0, WORKER_TEXT_MAX,
	  "one sentence for players" },
	{ "options", FIELD_TABLE, false, 0, 0,
	  "what differs from the base: text, whole number, true or false" },
	{ "policy", FIELD_TEXT, false, 1, WORKER_NAME_MAX,
	  "name of the [policy](#policies); `standard` if there is none" },
	{ "draws", FIELD_TABLE, false, 0, 0,
	  "where [limits](#limits-and-clocks) differ from the policy's" },
	{ "clock", FIELD_TABLE, false, 0, 0,
	  "the [clock](#limits-and-clocks) where players ask for none; without "
	  "it there is none" },
	{ "clocks", FIELD_TABLE, false, 0, 0,
	  "which [clocks](#limits-and-clocks) players may ask for" },
	{ "takeback", FIELD_BOOL, false, 0, 0,
	  "whether a move may be taken back if both agree; true if it is not "
	  "there. Never in rated matches, nor with dice" },
	{ .name = NULL },
};
const struct field draws_fields[] = {
	DRAW_FIELDS,
	{ .name = NULL },
};

static bool is_name(struct span name)
{
	for (size_t i = 0; i < name.len; i++) {
		uint8_t c = name.at[i];
		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') &&
		    c != '-')
			return false;
	}
	return name.len > 0;
}

/* Reads `name` of the table on top; names are part of commands and files. */
static struct span read_name(lua_State *L)
{
	struct span name = field_text(L, -1, "name");
	if (!is_name(name))
		sandbox_error(L, sandbox_line_of(sandbox_of(L), "name"),
			      "field 'name' must be of lower-case letters, "
			      "digits and '-'");
	return name;
}

/* The value on top as an option's text. */
static struct span option_value(lua_State *L, const char *option)
{
	if (lua_type(L, -1) == LUA_TBOOLEAN)
		return span_str(lua_toboolean(L, -1) ? "true" : "false");
	if (lua_type(L, -1) != LUA_TSTRING && !lua_isinteger(L, -1))
		sandbox_error(L, sandbox_line_of(sandbox_of(L), option),
			      "option '%.40s' must be a text, a whole number, "
			      "true or false",
			      option);
	size_t len;
	const char *text = lua_tolstring(L, -1, &len); /* a number too */
	return span_of(text, len);
}

/* One option: its name at -2, its value on top. */
static void set_option(lua_State *L, struct ruleset *rs)
{
	if (lua_type(L, -2) != LUA_TSTRING)
		sandbox_error(L, sandbox_line_of(sandbox_of(L), "options"),
			      "'options' must be a table of names and values");
	size_t len;
	const char *option = lua_tolstring(L, -2, &len);
	struct span value = option_value(L, option);
	if (ruleset_set(rs, option, len, (const char *)value.at, value.len))
		sandbox_error(L, sandbox_line_of(sandbox_of(L), option),
			      "option '%.40s = %.40s': this family has no such "
			      "option, or no such value of it; see the list in "
			      "docs/scripting.md",
			      option, (const char *)value.at);
}

/* The ruleset's table is on top. */
static void set_options(lua_State *L, struct ruleset *rs)
{
	if (field_push(L, -1, "options")) {
		lua_Integer count = (lua_Integer)order_push_keys(L, -1);
		for (lua_Integer i = 1; i <= count; i++) {
			lua_rawgeti(L, -1, i);
			lua_pushvalue(L, -1);
			lua_rawget(L, -4);
			set_option(L, rs);
			lua_pop(L, 2);
		}
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
	const char *why = "";
	if (ruleset_check(rs, &why))
		sandbox_error(L, sandbox_line_of(sandbox_of(L), "options"),
			      "the options do not agree: %s", why);
}

static void read_base(lua_State *L, struct worker_ruleset *out,
		      struct ruleset *rs)
{
	out->base = field_text(L, -1, "base");
	if (ruleset_find((const char *)out->base.at, out->base.len, rs))
		sandbox_error(L, sandbox_line_of(sandbox_of(L), "base"),
			      "there is no built-in ruleset '%.24s'",
			      (const char *)out->base.at);
	span_copy(out->name, rs->name, sizeof(rs->name));
}

static void read_draws(lua_State *L, struct worker_ruleset *out)
{
	out->no_progress = -1;
	out->repetition = -1;
	out->counts = -1;
	if (field_push(L, -1, "draws")) {
		fields_check(L, -1, "'draws'", draws_fields);
		out->no_progress = field_int(L, -1, "no_progress", -1);
		out->repetition = field_int(L, -1, "repetition", -1);
		out->counts = read_counts(L, -1);
	}
	lua_pop(L, 1);
}

static int load_ruleset(lua_State *L)
{
	struct job *job = lua_touserdata(L, 1);
	struct worker_ruleset out = { .policy = span_str("standard") };
	struct ruleset rs;
	char text[RULESET_TEXT_MAX];
	sandbox_run_source(L);
	fields_check(L, -1, "the ruleset", ruleset_fields);
	out.name = read_name(L);
	out.about = field_text(L, -1, "about");
	if (field_push(L, -1, "policy"))
		out.policy = field_text(L, -2, "policy");
	lua_pop(L, 1);
	read_base(L, &out, &rs);
	set_options(L, &rs);
	read_draws(L, &out);
	clocks_read(L, &out);
	out.takeback =
		!field_push(L, -1, "takeback") || field_bool(L, -2, "takeback");
	lua_pop(L, 1);
	out.ruleset = span_of(text, ruleset_write(&rs, text));
	worker_ruleset_put(job->answer, &out);
	return 0;
}

/* ---- policies ---------------------------------------------------------- */

const struct field policy_fields[] = {
	{ "name", FIELD_TEXT, true, 1, WORKER_NAME_MAX,
	  "lower-case letters, digits and `-`, at most 24" },
	{ "about", FIELD_TEXT, false, 0, WORKER_TEXT_MAX,
	  "one sentence for players" },
	DRAW_FIELDS,
	{ "offers", FIELD_TABLE, false, 0, 0,
	  "draws by agreement, see below; without it, as the ruleset has "
	  "them" },
	{ "verdict", FIELD_FUNCTION, false, 0, 0,
	  "judges a position, see below" },
	{ .name = NULL },
};
const struct field offers_fields[] = {
	{ "allowed", FIELD_BOOL, false, 0, 0,
	  "whether a draw may be agreed at all; true if it is not there" },
	{ "from_move", FIELD_INT, false, 0, WORKER_DRAW_MAX / 2,
	  "moves that each side must have made before" },
	{ "budget", FIELD_INT, false, 1, WORKER_DRAW_MAX,
	  "offers of each side until there is progress; without it, no limit" },
	{ .name = NULL },
};

void load_check_policy(lua_State *L)
{
	fields_check(L, -1, "the policy", policy_fields);
}

static void read_offers(lua_State *L, struct worker_policy *out)
{
	if (field_push(L, -1, "offers")) {
		fields_check(L, -1, "'offers'", offers_fields);
		out->no_offers = field_push(L, -1, "allowed") &&
				 !field_bool(L, -2, "allowed");
		lua_pop(L, 1);
		out->offers_from = 2 * field_int(L, -1, "from_move", 0);
		out->offers_max = field_int(L, -1, "budget", 0);
	}
	lua_pop(L, 1);
}

static int load_policy(lua_State *L)
{
	struct job *job = lua_touserdata(L, 1);
	turn_open_policy(L);
	sandbox_run_source(L);
	load_check_policy(L);
	struct worker_policy out = {
		.name = read_name(L),
		.about = field_text(L, -1, "about"),
		.no_progress = field_int(L, -1, "no_progress", 0),
		.repetition = field_int(L, -1, "repetition", 0),
		.counts = read_counts(L, COUNTS_CAPTURE_OR_PROMOTION),
		.has_verdict = field_push(L, -1, "verdict"),
	};
	lua_pop(L, 1);
	read_offers(L, &out);
	worker_policy_put(job->answer, &out);
	return 0;
}

/* ---- personalities ----------------------------------------------------- */

const struct field personality_fields[] = {
	{ "name", FIELD_TEXT, true, 1, WORKER_NAME_MAX,
	  "lower-case letters, digits and `-`, at most 24" },
	{ "about", FIELD_TEXT, false, 0, WORKER_TEXT_MAX,
	  "one sentence for players" },
	{ "rulesets", FIELD_TABLE, false, 0, 0,
	  "list of names of the rulesets that it plays; without it, all" },
	{ "choose", FIELD_FUNCTION, true, 0, 0,
	  "gets the turn, returns the choice" },
	{ "double", FIELD_FUNCTION, false, 0, 0,
	  "whether it doubles: [cube and "
	  "resignations](#cube-and-resignations)" },
	{ "take", FIELD_FUNCTION, false, 0, 0, "whether it takes a double" },
	{ "accept", FIELD_FUNCTION, false, 0, 0,
	  "whether it accepts a resignation" },
	{ .name = NULL },
};

void load_check_personality(lua_State *L)
{
	fields_check(L, -1, "the personality", personality_fields);
}

static void refuse_rulesets(lua_State *L)
{
	sandbox_error(L, sandbox_line_of(sandbox_of(L), "rulesets"),
		      "field 'rulesets' must be a list of at most %d names",
		      WORKER_RULESETS_MAX);
}

static void read_rulesets(lua_State *L, struct worker_texts *out)
{
	if (field_push(L, -1, "rulesets")) {
		size_t count = order_push_keys(L, -1);
		lua_pop(L, 1);
		if (count > WORKER_RULESETS_MAX || lua_rawlen(L, -1) != count)
			refuse_rulesets(L);
		for (size_t i = 0; i < count; i++) {
			size_t len = 0;
			const char *name = "";
			if (lua_rawgeti(L, -1, (lua_Integer)i + 1) ==
			    LUA_TSTRING)
				name = lua_tolstring(L, -1, &len);
			out->at[out->count++] = span_of(name, len);
			if (!is_name(span_of(name, len)) ||
			    len > WORKER_NAME_MAX)
				refuse_rulesets(L);
			lua_pop(L, 1);
		}
	}
	lua_pop(L, 1);
}

static int load_personality(lua_State *L)
{
	struct job *job = lua_touserdata(L, 1);
	turn_open_personality(L);
	sandbox_run_source(L);
	load_check_personality(L);
	struct worker_personality out = {
		.name = read_name(L),
		.about = field_text(L, -1, "about"),
	};
	read_rulesets(L, &out.rulesets);
	worker_personality_put(job->answer, &out);
	return 0;
}

/* ---- libraries --------------------------------------------------------- */

/* It runs where it is used, which may be with others that come later. */
static int load_library(lua_State *L)
{
	struct job *job = lua_touserdata(L, 1);
	char chunk[SCRIPT_NAME_MAX + 2];
	snprintf(chunk, sizeof(chunk), "=%s", sandbox_of(L)->name);
	if (!is_name(worker_bare_name(job->load->name)))
		sandbox_error(L, 0,
			      "the name of a library's file must be of "
			      "lower-case letters, digits and '-'");
	use_compile(L, job->load->source, chunk);
	put_bool(job->answer, true);
	return 0;
}

/* ---- tournaments ------------------------------------------------------- */

static int load_tournament(lua_State *L)
{
	struct job *job = lua_touserdata(L, 1);
	struct worker_plan out;
	sandbox_run_source(L);
	plan_read(L, &out);
	out.name = read_name(L);
	worker_plan_put(job->answer, &out);
	return 0;
}

/* ---- fields ------------------------------------------------------------ */

/* ---- by kind ----------------------------------------------------------- */

static const struct loader {
	lua_CFunction run;
	enum sandbox_library library;
} loaders[] = {
	[WORKER_CONFIG] = { load_config, SANDBOX_EMPTY },
	[WORKER_RULESET] = { load_ruleset, SANDBOX_EMPTY },
	[WORKER_POLICY] = { load_policy, SANDBOX_FULL },
	[WORKER_PERSONALITY] = { load_personality, SANDBOX_FULL },
	[WORKER_LIBRARY] = { load_library, SANDBOX_EMPTY },
	[WORKER_TOURNAMENT] = { load_tournament, SANDBOX_EMPTY },
};

/* Reading a table takes little. */
static const struct sandbox_limits load_limits = {
	.bytes_max = 8 * 1024 * 1024,
	.handed_max = 64 * 1024 * 1024,
	.steps_max = 2 * 1000 * 1000,
};

int load_script(const struct worker_load *m, const struct libraries *libraries,
		struct buf *answer, struct script_error *why)
{
	const struct loader *loader = &loaders[m->kind];
	struct job job = { m, answer };
	struct sandbox sb;
	int err = sandbox_init(&sb, &load_limits, loader->library,
			       worker_bare_name(m->name), m->source, 0);
	if (err)
		return err;
	sb.libraries = libraries;
	err = sandbox_call(&sb, loader->run, &job, why);
	sandbox_release(&sb);
	return err ? err : answer->err;
}
