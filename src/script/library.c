/* SPDX-License-Identifier: MIT */
#include "script/library.h"

#include <string.h>

#include <lauxlib.h>
#include <lualib.h>
#include "script/order.h"

enum {
	FORMAT_ARGS_MAX = 64,
	MOVE_ELEMENTS_MAX = 1000000, /* of one table.move */
	STEPS_CAUGHT = 50            /* what a caught error costs */
};

/* ---- our own versions -------------------------------------------------- */

/* What pcall and xpcall give after the call: everything from `base` up. */
static int guarded_results(lua_State *L, int status, int base)
{
	sandbox_rethrow(L, status);
	if (status == LUA_OK)
		return lua_gettop(L) - base + 1;
	sandbox_charge(L, STEPS_CAUGHT);
	lua_pushboolean(L, 0);
	lua_pushvalue(L, -2);
	return 2;
}

static int guarded_pcall(lua_State *L)
{
	luaL_checkany(L, 1);
	lua_pushboolean(L, 1);
	lua_insert(L, 1);
	int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0);
	return guarded_results(L, status, 1);
}

/* Upvalue: the script's message handler. An error that the hook raises calls
 * the handler from within the hook, where no further hook fires: a handler that
 * does not end would then never be stopped. So a dead script's does not run. */
static int guarded_handler(lua_State *L)
{
	if (sandbox_of(L)->dead != FAULT_NONE)
		return 1;
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, 1, 1);
	return 1;
}

static int guarded_xpcall(lua_State *L)
{
	luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_pushvalue(L, 2);
	lua_pushcclosure(L, guarded_handler, 1);
	lua_replace(L, 2);
	int args = lua_gettop(L) - 2;
	lua_pushboolean(L, 1);
	lua_pushvalue(L, 1);
	lua_rotate(L, 3, 2);
	int status = lua_pcall(L, args, LUA_MULTRET, 2);
	return guarded_results(L, status, 3);
}

/* A finalizer runs with the hook off, and weak tables show when memory is
 * collected. */
static void refuse_field(lua_State *L, const char *field)
{
	lua_pushstring(L, field);
	if (lua_rawget(L, 2) != LUA_TNIL)
		luaL_error(L, "a metatable may not have '%s' here", field);
	lua_pop(L, 1);
}

static int guarded_setmetatable(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	if (!lua_isnoneornil(L, 2)) {
		luaL_checktype(L, 2, LUA_TTABLE);
		refuse_field(L, "__gc");
		refuse_field(L, "__mode");
	}
	if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
		return luaL_error(L, "this metatable may not be changed");
	lua_settop(L, 2);
	lua_setmetatable(L, 1);
	return 1;
}

/* Pushes the text of a value: like tostring(), without an address. */
static void push_text(lua_State *L, int index)
{
	index = lua_absindex(L, index);
	if (luaL_callmeta(L, index, "__tostring")) {
		if (!lua_isstring(L, -1))
			luaL_error(L, "'__tostring' must return a text");
		return;
	}
	switch (lua_type(L, index)) {
	case LUA_TNIL:
	case LUA_TBOOLEAN:
	case LUA_TNUMBER:
	case LUA_TSTRING: luaL_tolstring(L, index, NULL); break;
	default: lua_pushstring(L, luaL_typename(L, index));
	}
}

static int plain_tostring(lua_State *L)
{
	luaL_checkany(L, 1);
	push_text(L, 1);
	return 1;
}

static void refuse_pointers(lua_State *L, const char *format, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (format[i] != '%')
			continue;
		i++;
		while (i < len && strchr("-+ #0123456789.", format[i]) &&
		       format[i] != '\0')
			i++;
		if (i < len && format[i] == 'p')
			luaL_error(L, "'%%p' is not allowed here: a value has "
				      "no address");
	}
}

/* Upvalue: Lua's own string.format. */
static int plain_format(lua_State *L)
{
	size_t len;
	const char *format = luaL_checklstring(L, 1, &len);
	int args = lua_gettop(L);
	luaL_argcheck(L, args <= FORMAT_ARGS_MAX, args, "too many arguments");
	luaL_checkstack(L, args + 2, NULL);
	refuse_pointers(L, format, len);
	lua_pushvalue(L, lua_upvalueindex(1));
	for (int i = 1; i <= args; i++) {
		if (lua_type(L, i) > LUA_TSTRING)
			push_text(L, i);
		else
			lua_pushvalue(L, i);
	}
	lua_call(L, args, 1);
	return 1;
}

/* Upvalue: Lua's own table.move, which would count to any number. */
static int bounded_move(lua_State *L)
{
	lua_Integer from = luaL_checkinteger(L, 2);
	lua_Integer to = luaL_checkinteger(L, 3);
	if (to >= from) {
		lua_Unsigned count = (lua_Unsigned)to - (lua_Unsigned)from;
		if (count >= MOVE_ELEMENTS_MAX)
			luaL_error(L, "table.move moves at most %d elements",
				   MOVE_ELEMENTS_MAX);
		sandbox_charge(L, count);
	}
	int args = lua_gettop(L);
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, args, 1);
	return 1;
}

/* As math.random: (), (n) or (from, to), out of the host's generator. */
static int seeded_random(lua_State *L)
{
	struct rng *rng = &sandbox_of(L)->rng;
	lua_Integer from = 1;
	lua_Integer to;
	if (lua_gettop(L) == 0) {
		double unit = (double)(rng_next(rng) >> 11) * 0x1.0p-53;
		lua_pushnumber(L, unit);
		return 1;
	}
	if (lua_gettop(L) == 1) {
		to = luaL_checkinteger(L, 1);
	} else {
		from = luaL_checkinteger(L, 1);
		to = luaL_checkinteger(L, 2);
	}
	luaL_argcheck(L, from <= to, lua_gettop(L), "interval is empty");
	lua_Unsigned span = (lua_Unsigned)to - (lua_Unsigned)from;
	luaL_argcheck(L, span < UINT32_MAX, lua_gettop(L),
		      "interval is too large");
	uint32_t step = rng_below(rng, (uint32_t)span + 1);
	lua_pushinteger(L, from + (lua_Integer)step);
	return 1;
}

static int unknown_global(lua_State *L)
{
	if (lua_type(L, 2) != LUA_TSTRING)
		return luaL_error(L, "a global name must be a text");
	return luaL_error(L, "there is no '%s' here", lua_tostring(L, 2));
}

/* ---- the allow-list ---------------------------------------------------- */

struct allowed {
	const char *name;
	/* ours; NULL: Lua's own. It gets Lua's own as its upvalue. */
	lua_CFunction ours;
};

static const struct allowed base_allowed[] = {
	{ "assert", NULL },
	{ "error", NULL },
	{ "getmetatable", NULL },
	{ "ipairs", NULL },
	{ "next", order_next },
	{ "pairs", order_pairs },
	{ "pcall", guarded_pcall },
	{ "rawequal", NULL },
	{ "rawget", NULL },
	{ "rawlen", NULL },
	{ "rawset", NULL },
	{ "select", NULL },
	{ "setmetatable", guarded_setmetatable },
	{ "tonumber", NULL },
	{ "tostring", plain_tostring },
	{ "type", NULL },
	{ "xpcall", guarded_xpcall },
	{ NULL, NULL },
};

static const struct allowed string_allowed[] = {
	{ "byte", NULL },   { "char", NULL },    { "find", NULL },
	{ "gmatch", NULL }, { "gsub", NULL },    { "format", plain_format },
	{ "len", NULL },    { "lower", NULL },   { "match", NULL },
	{ "rep", NULL },    { "reverse", NULL }, { "sub", NULL },
	{ "upper", NULL },  { NULL, NULL },
};

static const struct allowed table_allowed[] = {
	{ "concat", NULL }, { "insert", NULL }, { "move", bounded_move },
	{ "pack", NULL },   { "remove", NULL }, { "sort", order_sort },
	{ "unpack", NULL }, { NULL, NULL },
};

static const struct allowed math_allowed[] = {
	{ "abs", NULL },  { "ceil", NULL },
	{ "exp", NULL },  { "floor", NULL },
	{ "fmod", NULL }, { "huge", NULL },
	{ "log", NULL },  { "max", NULL },
	{ "min", NULL },  { "maxinteger", NULL },
	{ "modf", NULL }, { "mininteger", NULL },
	{ "pi", NULL },   { "random", seeded_random },
	{ "sqrt", NULL }, { "tointeger", NULL },
	{ "type", NULL }, { "ult", NULL },
	{ NULL, NULL },
};

static const struct allowed utf8_allowed[] = {
	{ "char", NULL },  { "charpattern", NULL }, { "codepoint", NULL },
	{ "codes", NULL }, { "len", NULL },         { "offset", NULL },
	{ NULL, NULL },
};

/* Copies what is allowed from the table `from` to the table `to`. */
static void copy_allowed(lua_State *L, const struct allowed *list, int from,
			 int to)
{
	for (; list->name; list++) {
		lua_getfield(L, from, list->name);
		if (list->ours)
			lua_pushcclosure(L, list->ours, 1);
		lua_setfield(L, to, list->name);
	}
}

/* Opens one of Lua's libraries aside and puts the allowed part of it into the
 * globals. */
static void open_one(lua_State *L, const char *name, lua_CFunction open,
		     const struct allowed *list, int globals)
{
	luaL_requiref(L, name, open, 0);
	lua_createtable(L, 0, 20);
	copy_allowed(L, list, lua_gettop(L) - 1, lua_gettop(L));
	lua_setfield(L, globals, name);
	lua_pop(L, 1);
}

/* ("x"):upper() finds the allowed functions and nothing else. */
static void protect_strings(lua_State *L, int globals)
{
	lua_pushliteral(L, "");
	lua_createtable(L, 0, 2);
	lua_getfield(L, globals, "string");
	lua_setfield(L, -2, "__index");
	lua_pushliteral(L, "protected");
	lua_setfield(L, -2, "__metatable");
	lua_setmetatable(L, -2);
	lua_pop(L, 1);
}

static void open_full(lua_State *L, int globals)
{
	/* the base library opens into the globals of the state, which are
	 * replaced afterwards */
	luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
	copy_allowed(L, base_allowed, lua_gettop(L), globals);
	lua_pop(L, 1);
	open_one(L, LUA_STRLIBNAME, luaopen_string, string_allowed, globals);
	open_one(L, LUA_TABLIBNAME, luaopen_table, table_allowed, globals);
	open_one(L, LUA_MATHLIBNAME, luaopen_math, math_allowed, globals);
	open_one(L, LUA_UTF8LIBNAME, luaopen_utf8, utf8_allowed, globals);
	protect_strings(L, globals);
}

void library_open(lua_State *L, enum sandbox_library library)
{
	lua_createtable(L, 0, 32);
	int globals = lua_gettop(L);
	if (library == SANDBOX_FULL)
		open_full(L, globals);
	/* no way back to what was opened aside */
	lua_pushnil(L);
	lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
	lua_createtable(L, 0, 2);
	lua_pushcfunction(L, unknown_global);
	lua_setfield(L, -2, "__index");
	lua_pushliteral(L, "protected");
	lua_setfield(L, -2, "__metatable");
	lua_setmetatable(L, globals);
	lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}
