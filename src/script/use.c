/* SPDX-License-Identifier: MIT */
#include "script/use.h"

#include <ctype.h>
#include <stdio.h>

#include <lauxlib.h>

/* Key of the registry: a table from names to what libraries returned, or to
 * false while they run. */
static const char used_key;

/* Names are of small letters, digits and '-': so none is a path. */
static bool is_name(struct span name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!islower(name.at[i]) && !isdigit(name.at[i]) &&
		    name.at[i] != '-')
			return false;
	return name.len > 0 && name.len <= SCRIPT_NAME_MAX;
}

void use_compile(lua_State *L, struct span source, const char *chunk)
{
	if (luaL_loadbufferx(L, (const char *)source.at, source.len, chunk,
			     "t") != LUA_OK)
		lua_error(L);
}

/* Pushes the library's value. The table of those used is at index 2. */
static void run(lua_State *L, const char *name, struct span source)
{
	char chunk[SCRIPT_NAME_MAX + sizeof("=lib/")];
	snprintf(chunk, sizeof(chunk), "=lib/%s", name);
	lua_pushboolean(L, 0);
	lua_setfield(L, 2, name);
	use_compile(L, source, chunk);
	lua_call(L, 0, 1);
	if (!lua_istable(L, -1))
		sandbox_error(L, 0,
			      "the library '%s' must end with `return { ... "
			      "}`: expected a table, got %s",
			      name, luaL_typename(L, -1));
	lua_pushvalue(L, -1);
	lua_setfield(L, 2, name);
}

/* use(name): what the library returns; the same table each time. */
static int script_use(lua_State *L)
{
	const struct libraries *all = sandbox_of(L)->libraries;
	size_t len;
	const char *name = luaL_checklstring(L, 1, &len);
	struct span source;
	lua_settop(L, 1);
	if (!is_name(span_of(name, len)))
		return sandbox_error(L, 0,
				     "use takes the name of a library, of "
				     "lower-case letters, digits and '-'");
	lua_rawgetp(L, LUA_REGISTRYINDEX, &used_key);
	int type = lua_getfield(L, 2, name);
	if (type == LUA_TBOOLEAN)
		return sandbox_error(L, 0, "the library '%s' uses itself",
				     name);
	if (type != LUA_TNIL)
		return 1;
	if (!all || !all->find(all->payload, span_of(name, len), &source))
		return sandbox_error(L, 0, "there is no library '%s'", name);
	run(L, name, source);
	return 1;
}

void use_open(lua_State *L)
{
	lua_createtable(L, 0, 4);
	lua_rawsetp(L, LUA_REGISTRYINDEX, &used_key);
	lua_pushcfunction(L, script_use);
	lua_setglobal(L, "use");
}
