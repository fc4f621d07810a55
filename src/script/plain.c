/* SPDX-License-Identifier: MIT */
#include "script/plain.h"

#include <stdio.h>

#include <lauxlib.h>
#include "proto/write.h"
#include "script/order.h"
#include "script/sandbox.h"
#include "script/text.h"

enum { PATH_MAX_BYTES = 128 };

/* Where we are, for errors: `limits.connections`. */
struct path {
	char text[PATH_MAX_BYTES];
	size_t len;
	const char *field; /* the last name, whose line is looked for */
};

static void put_table(lua_State *L, struct path *path, int depth,
		      struct buf *b);

static int refuse(lua_State *L, const struct path *path, const char *problem)
{
	int line =
		path->field ? sandbox_line_of(sandbox_of(L), path->field) : 0;
	return sandbox_error(L, line, "'%s' %s", path->text, problem);
}

static void put_text(lua_State *L, const struct path *path, struct buf *b)
{
	size_t len;
	const char *text = lua_tolstring(L, -1, &len);
	if (!text_is_clean(span_of(text, len)))
		refuse(L, path, "must be UTF-8 without control characters");
	put_str(b, span_of(text, len));
}

/* The value on top. */
static void put_value(lua_State *L, struct path *path, int depth, struct buf *b)
{
	int whole;
	switch (lua_type(L, -1)) {
	case LUA_TBOOLEAN: put_bool(b, lua_toboolean(L, -1)); return;
	case LUA_TNUMBER:
		put_int(b, lua_tointegerx(L, -1, &whole));
		if (!whole)
			refuse(L, path, "must be a whole number");
		return;
	case LUA_TSTRING: put_text(L, path, b); return;
	case LUA_TTABLE: put_table(L, path, depth + 1, b); return;
	default:
		refuse(L, path,
		       "must be a text, a whole number, true, false or a "
		       "table");
	}
}

/* Steps into an entry whose key is on top; returns the length to go back to. */
static size_t enter(lua_State *L, struct path *path)
{
	size_t before = path->len;
	size_t room = sizeof(path->text) - before;
	int n;
	if (lua_type(L, -1) == LUA_TSTRING) {
		path->field = lua_tostring(L, -1);
		n = snprintf(path->text + before, room, "%s%s",
			     before ? "." : "", path->field);
	} else {
		n = snprintf(path->text + before, room, "[%lld]",
			     (long long)lua_tointeger(L, -1));
	}
	path->len += (size_t)n < room ? (size_t)n : room - 1;
	return before;
}

static void put_list(lua_State *L, struct path *path, int depth, size_t count,
		     struct buf *b)
{
	put_array(b, (uint32_t)count);
	for (lua_Integer i = 1; i <= (lua_Integer)count; i++) {
		lua_pushinteger(L, i);
		size_t before = enter(L, path);
		lua_pop(L, 1);
		lua_rawgeti(L, -1, i);
		put_value(L, path, depth, b);
		lua_pop(L, 1);
		path->len = before;
		path->text[before] = '\0';
	}
}

/* The table is below the list of its keys, which is on top. */
static void put_entries(lua_State *L, struct path *path, int depth,
			size_t count, struct buf *b)
{
	put_map(b, (uint32_t)count);
	for (lua_Integer i = 1; i <= (lua_Integer)count; i++) {
		lua_rawgeti(L, -1, i);
		size_t before = enter(L, path);
		if (lua_type(L, -1) != LUA_TSTRING)
			refuse(L, path,
			       "must have a text as its name: a table is "
			       "either a list or has names throughout");
		put_text(L, path, b);
		lua_rawget(L, -3);
		put_value(L, path, depth, b);
		lua_pop(L, 1);
		path->len = before;
		path->text[before] = '\0';
	}
}

/* The table on top. */
static void put_table(lua_State *L, struct path *path, int depth, struct buf *b)
{
	luaL_checkstack(L, 8, NULL);
	if (depth > PLAIN_DEPTH_MAX)
		refuse(L, path, "is nested too deep");
	size_t count = order_push_keys(L, -1);
	if (count > PLAIN_ENTRIES_MAX)
		refuse(L, path, "has too many entries");
	bool is_list = count > 0 && lua_rawlen(L, -2) == count;
	if (is_list) {
		lua_pop(L, 1);
		put_list(L, path, depth, count, b);
		return;
	}
	put_entries(L, path, depth, count, b);
	lua_pop(L, 1);
}

void plain_put(lua_State *L, int table, struct buf *b)
{
	struct path path = { .text = "" };
	lua_pushvalue(L, table);
	put_table(L, &path, 1, b);
	lua_pop(L, 1);
}
