/* SPDX-License-Identifier: MIT */
#include "script/fields.h"

#include <stdio.h>

#include <lauxlib.h>
#include "script/order.h"
#include "script/sandbox.h"
#include "script/text.h"

enum { NAMES_MAX = 160, SHOWN_MAX = 40 };

static const char *const type_names[] = {
	[FIELD_TEXT] = "a text",         [FIELD_INT] = "a whole number",
	[FIELD_BOOL] = "true or false",  [FIELD_TABLE] = "a table",
	[FIELD_FUNCTION] = "a function", [FIELD_WORDS] = "a text",
};

static int line_of(lua_State *L, const char *name)
{
	return sandbox_line_of(sandbox_of(L), name);
}

/* "a, b, c", cut to fit. */
static void join_fields(const struct field *list, char out[NAMES_MAX])
{
	size_t n = 0;
	out[0] = '\0';
	for (; list->name && n < NAMES_MAX; list++)
		n += (size_t)snprintf(out + n, NAMES_MAX - n, "%s%s",
				      n ? ", " : "", list->name);
}

static const struct field *find_field(const struct field *list,
				      struct span name)
{
	for (; list->name; list++)
		if (span_is(name, list->name))
			return list;
	return NULL;
}

static void refuse_unknown(lua_State *L, const char *what, const char *shown,
			   int line, const struct field *list)
{
	char names[NAMES_MAX];
	join_fields(list, names);
	sandbox_error(L, line,
		      "%s has an unknown field '%.*s'; expected one of: %s",
		      what, SHOWN_MAX, shown, names);
}

static void check_known(lua_State *L, int table, const char *what,
			const struct field *list)
{
	lua_Integer count = (lua_Integer)order_push_keys(L, table);
	for (lua_Integer i = 1; i <= count; i++) {
		lua_rawgeti(L, -1, i);
		if (lua_type(L, -1) != LUA_TSTRING) {
			char shown[SHOWN_MAX];
			snprintf(shown, sizeof(shown), "[%lld]",
				 (long long)lua_tointeger(L, -1));
			refuse_unknown(L, what, shown, 0, list);
		}
		size_t len;
		const char *name = lua_tolstring(L, -1, &len);
		if (!find_field(list, span_of(name, len)))
			refuse_unknown(L, what, name, line_of(L, name), list);
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}

static bool is_type(lua_State *L, enum field_type type)
{
	switch (type) {
	case FIELD_TEXT: return lua_type(L, -1) == LUA_TSTRING;
	case FIELD_INT:
		if (lua_type(L, -1) != LUA_TNUMBER)
			return false;
		int whole;
		lua_tointegerx(L, -1, &whole);
		return whole;
	case FIELD_BOOL: return lua_type(L, -1) == LUA_TBOOLEAN;
	case FIELD_TABLE: return lua_type(L, -1) == LUA_TTABLE;
	case FIELD_FUNCTION: return lua_type(L, -1) == LUA_TFUNCTION;
	case FIELD_WORDS: return true;
	}
	return false;
}

static void check_range(lua_State *L, const struct field *f)
{
	if (f->type == FIELD_INT) {
		long long value = lua_tointeger(L, -1);
		if (value < f->min || value > f->max)
			sandbox_error(L, line_of(L, f->name),
				      "field '%s' must be %lld to %lld, got "
				      "%lld",
				      f->name, f->min, f->max, value);
		return;
	}
	if (f->type != FIELD_TEXT)
		return;
	size_t len;
	const char *text = lua_tolstring(L, -1, &len);
	if (len < (size_t)f->min || len > (size_t)f->max)
		sandbox_error(L, line_of(L, f->name),
			      "field '%s' must have %lld to %lld bytes, got "
			      "%zu",
			      f->name, f->min, f->max, len);
	if (!text_is_clean(span_of(text, len)))
		sandbox_error(L, line_of(L, f->name),
			      "field '%s' must be UTF-8 without control "
			      "characters",
			      f->name);
}

static void check_field(lua_State *L, int table, const char *what,
			const struct field *f)
{
	if (!field_push(L, table, f->name)) {
		if (f->required)
			sandbox_error(L, 0, "%s needs the field '%s', %s: %s",
				      what, f->name, type_names[f->type],
				      f->doc);
	} else {
		if (!is_type(L, f->type))
			sandbox_error(L, line_of(L, f->name),
				      "field '%s' must be %s, got a %s",
				      f->name, type_names[f->type],
				      luaL_typename(L, -1));
		check_range(L, f);
	}
	lua_pop(L, 1);
}

void fields_check(lua_State *L, int table, const char *what,
		  const struct field *list)
{
	table = lua_absindex(L, table);
	luaL_checkstack(L, 8, NULL);
	check_known(L, table, what, list);
	for (; list->name; list++)
		check_field(L, table, what, list);
}

bool field_push(lua_State *L, int table, const char *name)
{
	table = lua_absindex(L, table);
	lua_pushstring(L, name);
	return lua_rawget(L, table) != LUA_TNIL;
}

struct span field_text(lua_State *L, int table, const char *name)
{
	struct span text = span_of("", 0);
	if (field_push(L, table, name)) {
		size_t len;
		const char *at = lua_tolstring(L, -1, &len);
		text = span_of(at, len);
	}
	lua_pop(L, 1);
	return text;
}

long long field_int(lua_State *L, int table, const char *name,
		    long long fallback)
{
	long long value = fallback;
	if (field_push(L, table, name))
		value = lua_tointeger(L, -1);
	lua_pop(L, 1);
	return value;
}

bool field_bool(lua_State *L, int table, const char *name)
{
	field_push(L, table, name);
	bool value = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return value;
}

int field_one_of(lua_State *L, const char *name, struct span text,
		 const char *const *list)
{
	char names[NAMES_MAX] = "";
	size_t n = 0;
	for (int i = 0; list[i]; i++) {
		if (span_is(text, list[i]))
			return i;
		if (n < sizeof(names))
			n += (size_t)snprintf(names + n, sizeof(names) - n,
					      "%s'%s'", i ? ", " : "", list[i]);
	}
	return sandbox_error(L, line_of(L, name),
			     "field '%s' must be one of %s", name, names);
}
