/* SPDX-License-Identifier: MIT */
#include "script/memory.h"

#include <lauxlib.h>
#include <plyd/err.h>
#include "proto/worker.h"
#include "script/plain.h"
#include "script/sandbox.h"

static void push_value(lua_State *L, const struct value *v, int depth);

static void push_map(lua_State *L, const struct value *v, int depth)
{
	struct span key;
	const struct value *entry;
	lua_createtable(L, 0, (int)value_count(v));
	for (size_t i = 0; (entry = value_entry(v, i, &key)); i++) {
		lua_pushlstring(L, (const char *)key.at, key.len);
		push_value(L, entry, depth + 1);
		lua_rawset(L, -3);
	}
}

static void push_list(lua_State *L, const struct value *v, int depth)
{
	size_t count = value_count(v);
	lua_createtable(L, (int)count, 0);
	for (size_t i = 0; i < count; i++) {
		push_value(L, value_at(v, i), depth + 1);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_value(lua_State *L, const struct value *v, int depth)
{
	int64_t number;
	struct span text;
	bool truth;
	luaL_checkstack(L, 4, NULL);
	if (depth > PLAIN_DEPTH_MAX + 1)
		lua_pushnil(L);
	else if (value_type(v) == VALUE_MAP)
		push_map(L, v, depth);
	else if (value_type(v) == VALUE_ARRAY)
		push_list(L, v, depth);
	else if (!value_int(v, INT64_MIN, INT64_MAX, &number))
		lua_pushinteger(L, number);
	else if (!value_str(v, &text))
		lua_pushlstring(L, (const char *)text.at, text.len);
	else if (!value_bool(v, &truth))
		lua_pushboolean(L, truth);
	else
		lua_pushnil(L);
}

void memory_set(lua_State *L, struct doc *d, struct span kept)
{
	const struct value *v;
	if (kept.len > 0 && !doc_parse(d, kept, &doc_store, &v) &&
	    (value_type(v) == VALUE_MAP || value_type(v) == VALUE_ARRAY))
		push_value(L, v, 1);
	else
		lua_createtable(L, 0, 0);
	lua_setfield(L, -2, "memory");
}

void memory_take(lua_State *L, int table, struct buf *b)
{
	table = lua_absindex(L, table);
	luaL_checkstack(L, 8, NULL);
	buf_clear(b);
	lua_pushstring(L, "memory");
	int type = lua_rawget(L, table);
	if (type != LUA_TNIL && type != LUA_TTABLE)
		sandbox_error(L, 0, "'memory' must be a table, got a %s",
			      luaL_typename(L, -1));
	if (type != LUA_TNIL)
		lua_pushnil(L);
	if (type == LUA_TNIL || !lua_next(L, -2)) {
		lua_pop(L, 1);
		return;
	}
	lua_pop(L, 2); /* a key and its value */
	plain_put(L, -1, b);
	lua_pop(L, 1);
	if (b->err)
		sandbox_error(L, 0,
			      "'memory' takes more than the %d bytes that are "
			      "kept of it",
			      WORKER_KEPT_MAX);
}
