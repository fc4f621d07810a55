/* SPDX-License-Identifier: MIT
 * The functions that scripts call. Each reads its arguments raw, works on
 * copies, and charges what it costs. */
#include "script/turn_priv.h"

#include <lauxlib.h>
#include "base/log.h"
#include "script/fields.h"
#include "script/order.h"
#include "script/text.h"

enum {
	NODE_STEPS = 1, /* charged for a node of a search */
	EVALUATE_STEPS = 20,
	LOG_TEXT_MAX = 200 /* bytes */
};

static struct turn *turn_of(lua_State *L)
{
	struct turn *turn = sandbox_of(L)->host;
	if (!turn)
		sandbox_error(L, 0,
			      "this function answers only while 'choose' or "
			      "'verdict' runs, not while the file is loaded");
	return turn;
}

/* ---- log and random ---------------------------------------------------- */

/* log(text): true, or false once the question's lines are used up. */
static int script_log(lua_State *L)
{
	struct turn *turn = turn_of(L);
	size_t len;
	const char *text = luaL_checklstring(L, 1, &len);
	char line[LOG_TEXT_MAX + 1];
	if (turn->logs == WORKER_LOGS_MAX) {
		lua_pushboolean(L, 0);
		return 1;
	}
	turn->logs++;
	struct worker_log out = {
		.level = LOG_INFO,
		.script = span_str(sandbox_of(L)->name),
		.match = turn->match,
		.text = span_of(line, text_clean(span_of(text, len), line,
						 sizeof(line))),
	};
	turn->host->log(turn->host->payload, &out);
	lua_pushboolean(L, 1);
	return 1;
}

/* ---- weights ----------------------------------------------------------- */

/* The table on top, whose keys are at -2: one weight by the name on top. */
static void read_weight(lua_State *L, struct engine_weights *w)
{
	int whole = 0;
	if (lua_type(L, -1) != LUA_TSTRING)
		sandbox_error(L, 0, "weights must be names with numbers");
	size_t len;
	const char *name = lua_tolstring(L, -1, &len);
	lua_rawget(L, -3);
	long long value = 0;
	if (lua_type(L, -1) == LUA_TNUMBER)
		value = lua_tointegerx(L, -1, &whole);
	if (!whole || engine_weight_set(w, name, len, value))
		sandbox_error(L, sandbox_line_of(sandbox_of(L), name),
			      "there is no weight '%.40s', or its value is not "
			      "a whole number in its range; see the list in "
			      "the scripting manual",
			      name);
	lua_pop(L, 1);
}

/* The table of weights at this index; nil or none: the standard. */
static void read_weights(lua_State *L, int index, struct engine_weights *w)
{
	engine_weights_init(w);
	if (lua_isnoneornil(L, index))
		return;
	luaL_checktype(L, index, LUA_TTABLE);
	lua_pushvalue(L, index);
	lua_Integer count = (lua_Integer)order_push_keys(L, -1);
	for (lua_Integer i = 1; i <= count; i++) {
		lua_rawgeti(L, -1, i);
		read_weight(L, w);
	}
	lua_pop(L, 2);
}

/* ---- moves ------------------------------------------------------------- */

void turn_check_move(lua_State *L, struct span text, struct move *out)
{
	struct turn *turn = turn_of(L);
	struct refusal why;
	int err = game_check(&turn->ruleset, &turn->position,
			     (const char *)text.at, text.len, out, &why);
	if (err == PLYD_EILLEGAL)
		sandbox_error(L, 0, "'%.40s' is not a legal move: %s%s%s",
			      (const char *)text.at, reason_text(why.reason),
			      why.detail[0] ? " " : "", why.detail);
	if (err)
		sandbox_error(L, 0, "'%.40s' cannot be judged: %s",
			      (const char *)text.at, plyd_err_text(err));
}

static struct span check_text(lua_State *L, int index)
{
	size_t len;
	const char *text = luaL_checklstring(L, index, &len);
	return span_of(text, len);
}

/* evaluate([move [, weights]]): the static score for the script's side, of the
 * position or of the one after the move. */
static int script_evaluate(lua_State *L)
{
	struct turn *turn = turn_of(L);
	struct engine_weights weights;
	read_weights(L, 2, &weights);
	sandbox_charge(L, EVALUATE_STEPS);
	if (lua_isnoneornil(L, 1)) {
		int score = engine_evaluate(&turn->ruleset, &turn->position,
					    &weights);
		lua_pushinteger(L, turn->waits ? -score : score);
		return 1;
	}
	struct move move;
	struct position after;
	turn_check_move(L, check_text(L, 1), &move);
	game_apply(&turn->ruleset, &turn->position, &move, &after);
	lua_pushinteger(L, -engine_evaluate(&turn->ruleset, &after, &weights));
	return 1;
}

/* ---- search ------------------------------------------------------------ */

const struct field search_fields[] = {
	{ "nodes", FIELD_INT, false, 1, TURN_NODES_MAX,
	  "positions that are looked at, in all searches of one turn at most "
	  "the greatest number; 20000 without it" },
	{ "depth", FIELD_INT, false, 1, ENGINE_DEPTH_MAX,
	  "half-moves at most" },
	{ "multipv", FIELD_INT, false, 1, ENGINE_MULTIPV_MAX,
	  "how many moves are wanted; one without it" },
	{ "weights", FIELD_TABLE, false, 0, 0,
	  "what the player values: [weights](#weights)" },
	{ .name = NULL },
};

/* { { move =, score = }, ..., depth =, nodes = } */
static void push_result(lua_State *L, const struct turn *turn,
			const struct engine_result *r)
{
	lua_createtable(L, (int)r->count, 2);
	for (size_t i = 0; i < r->count; i++) {
		char text[MOVE_TEXT_MAX];
		size_t len = game_move_text(&turn->ruleset, &turn->position,
					    &r->line[i].move, text);
		lua_createtable(L, 0, 2);
		lua_pushlstring(L, text, len);
		lua_setfield(L, -2, "move");
		lua_pushinteger(L, r->line[i].score);
		lua_setfield(L, -2, "score");
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_pushinteger(L, r->depth);
	lua_setfield(L, -2, "depth");
	lua_pushinteger(L, (lua_Integer)r->nodes);
	lua_setfield(L, -2, "nodes");
}

/* What remains of the question's nodes; raises when there are none. */
static uint64_t take_nodes(lua_State *L, const struct turn *turn,
			   long long wanted)
{
	uint64_t left =
		turn->nodes < TURN_NODES_MAX ? TURN_NODES_MAX - turn->nodes : 0;
	if (left == 0)
		sandbox_error(L, 0,
			      "the searches of this turn have looked at all "
			      "the %d positions they may",
			      TURN_NODES_MAX);
	return left < (uint64_t)wanted ? left : (uint64_t)wanted;
}

/* search{nodes =, depth =, multipv =, weights =}: the best moves. */
static int script_search(lua_State *L)
{
	struct turn *turn = turn_of(L);
	struct engine_weights weights;
	struct engine_result result;
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	fields_check(L, 1, "search", search_fields);
	field_push(L, 1, "weights");
	read_weights(L, 2, &weights);
	struct engine_question q = {
		.ruleset = &turn->ruleset,
		.position = &turn->position,
		.history = &turn->history,
		.weights = &weights,
		.multipv = (size_t)field_int(L, 1, "multipv", 1),
		.seed = turn->seed,
		.budget.depth = (int)field_int(L, 1, "depth", 0),
	};
	q.budget.nodes =
		take_nodes(L, turn,
			   field_int(L, 1, "nodes", TURN_NODES_STANDARD));
	int err = engine_search(turn->host->engine, &q, &result);
	if (err)
		sandbox_error(L, 0, "search failed: %s", plyd_err_text(err));
	turn->nodes += result.nodes ? result.nodes : 1;
	sandbox_charge(L, result.nodes * NODE_STEPS);
	push_result(L, turn, &result);
	return 1;
}

/* ---- pick -------------------------------------------------------------- */

const struct field taste_fields[] = {
	{ "margin", FIELD_INT, false, 0, ENGINE_SCORE_MAX,
	  "never a move that is worse than the best by more" },
	{ "temperature", FIELD_INT, false, 0, ENGINE_SCORE_MAX,
	  "a move that is worse by this is half as likely" },
	{ "noise", FIELD_INT, false, 0, ENGINE_SCORE_MAX,
	  "each score is misjudged by up to this" },
	{ .name = NULL },
};
static const struct field line_fields[] = {
	{ "move", FIELD_TEXT, true, 1, MOVE_TEXT_MAX, "a legal move" },
	{ "score", FIELD_INT, true, -ENGINE_SCORE_MAX, ENGINE_SCORE_MAX,
	  "its score" },
	{ .name = NULL },
};

static void read_lines(lua_State *L, struct engine_result *r)
{
	size_t count = lua_rawlen(L, 1);
	if (count == 0 || count > ENGINE_MULTIPV_MAX)
		sandbox_error(L, 0, "pick needs 1 to %d moves, got %zu",
			      ENGINE_MULTIPV_MAX, count);
	for (size_t i = 0; i < count; i++) {
		lua_rawgeti(L, 1, (lua_Integer)i + 1);
		luaL_checktype(L, -1, LUA_TTABLE);
		fields_check(L, -1, "a move to pick from", line_fields);
		turn_check_move(L, field_text(L, -1, "move"), &r->line[i].move);
		r->line[i].score = (int)field_int(L, -1, "score", 0);
		lua_pop(L, 1);
	}
	r->count = count;
}

/* pick(lines, {margin =, temperature =, noise =}): one of the moves of a
 * search, best first, by taste; returns its text. */
static int script_pick(lua_State *L)
{
	struct turn *turn = turn_of(L);
	struct engine_result result = { .count = 0 };
	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	fields_check(L, 2, "the taste", taste_fields);
	read_lines(L, &result);
	struct engine_taste taste = {
		.margin = (int)field_int(L, 2, "margin", ENGINE_SCORE_MAX),
		.temperature = (int)field_int(L, 2, "temperature", 0),
		.noise = (int)field_int(L, 2, "noise", 0),
	};
	size_t i = engine_choose(&result, &taste, turn->seed, turn->hash);
	char text[MOVE_TEXT_MAX];
	lua_pushlstring(L, text,
			game_move_text(&turn->ruleset, &turn->position,
				       &result.line[i].move, text));
	return 1;
}

/* ---- opening ----------------------------------------------------------- */

static void set_global(lua_State *L, const char *name, lua_CFunction fn)
{
	lua_pushglobaltable(L);
	lua_pushstring(L, name);
	lua_pushcfunction(L, fn);
	lua_rawset(L, -3);
	lua_pop(L, 1);
}

void turn_open_policy(lua_State *L)
{
	set_global(L, "log", script_log);
	use_open(L);
	lua_getglobal(L, "math");
	lua_getfield(L, -1, "random");
	lua_setglobal(L, "random");
	lua_pop(L, 1);
}

void turn_open_personality(lua_State *L)
{
	turn_open_policy(L);
	set_global(L, "evaluate", script_evaluate);
	set_global(L, "search", script_search);
	set_global(L, "pick", script_pick);
}
