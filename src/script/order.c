/* SPDX-License-Identifier: MIT */
#include "script/order.h"

#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include "script/sandbox.h"

/* What work on one key costs, in steps: about what the same time would buy. */
enum { STEPS_SORTED = 16, STEPS_SEEN = 4 };

enum key_kind { KEY_INTEGER, KEY_FLOAT, KEY_TEXT, KEY_TRUTH };

/* A key outside Lua, for comparing. A text is borrowed from the table. */
struct key {
	enum key_kind kind;
	union {
		lua_Integer integer;
		lua_Number number;
		int truth;
		struct {
			const char *at;
			size_t len;
		} text;
	};
};

static int rank_of(const struct key *k)
{
	return k->kind == KEY_FLOAT ? KEY_INTEGER : k->kind;
}

/* Exact for both: a long double has at least 64 bits of mantissa. */
static long double number_of(const struct key *k)
{
	return k->kind == KEY_FLOAT ? (long double)k->number
				    : (long double)k->integer;
}

static int compare_texts(const struct key *a, const struct key *b)
{
	size_t shared = a->text.len < b->text.len ? a->text.len : b->text.len;
	int order = shared ? memcmp(a->text.at, b->text.at, shared) : 0;
	if (order != 0)
		return order;
	return (a->text.len > b->text.len) - (a->text.len < b->text.len);
}

static int compare_keys(const void *left, const void *right)
{
	const struct key *a = left;
	const struct key *b = right;
	if (rank_of(a) != rank_of(b))
		return rank_of(a) - rank_of(b);
	if (a->kind == KEY_TEXT)
		return compare_texts(a, b);
	if (a->kind == KEY_TRUTH)
		return a->truth - b->truth;
	return (number_of(a) > number_of(b)) - (number_of(a) < number_of(b));
}

static struct key read_key(lua_State *L, int index)
{
	struct key k = { .kind = KEY_TRUTH };
	switch (lua_type(L, index)) {
	case LUA_TNUMBER:
		if (lua_isinteger(L, index)) {
			k.kind = KEY_INTEGER;
			k.integer = lua_tointeger(L, index);
		} else {
			k.kind = KEY_FLOAT;
			k.number = lua_tonumber(L, index);
		}
		break;
	case LUA_TSTRING:
		k.kind = KEY_TEXT;
		k.text.at = lua_tolstring(L, index, &k.text.len);
		break;
	case LUA_TBOOLEAN: k.truth = lua_toboolean(L, index); break;
	default:
		luaL_error(L,
			   "a table with a %s as a key has no order to go "
			   "through it in",
			   luaL_typename(L, index));
	}
	return k;
}

static void push_key(lua_State *L, const struct key *k)
{
	switch (k->kind) {
	case KEY_INTEGER: lua_pushinteger(L, k->integer); break;
	case KEY_FLOAT: lua_pushnumber(L, k->number); break;
	case KEY_TEXT: lua_pushlstring(L, k->text.at, k->text.len); break;
	case KEY_TRUTH: lua_pushboolean(L, k->truth); break;
	}
}

static size_t count_keys(lua_State *L, int table)
{
	size_t count = 0;
	lua_pushnil(L);
	while (lua_next(L, table)) {
		lua_pop(L, 1);
		count++;
	}
	return count;
}

size_t order_push_keys(lua_State *L, int table)
{
	table = lua_absindex(L, table);
	luaL_checkstack(L, 5, NULL);
	size_t count = count_keys(L, table);
	sandbox_charge(L, count * STEPS_SORTED);
	lua_createtable(L, (int)count, 0);
	/* memory of Lua's, so that an error gives it back and it is counted */
	struct key *keys = lua_newuserdatauv(L, count * sizeof(*keys) + 1, 0);
	size_t n = 0;
	lua_pushnil(L);
	while (lua_next(L, table)) {
		lua_pop(L, 1);
		keys[n++] = read_key(L, -1);
	}
	qsort(keys, count, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < count; i++) {
		push_key(L, &keys[i]);
		lua_rawseti(L, -3, (lua_Integer)i + 1);
	}
	lua_pop(L, 1);
	return count;
}

/* Upvalues: the list of keys, the place in it. */
static int pairs_step(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_Integer i = lua_tointeger(L, lua_upvalueindex(2));
	for (;;) {
		i++;
		lua_settop(L, 1);
		if (lua_rawgeti(L, lua_upvalueindex(1), i) == LUA_TNIL)
			return 1;
		lua_pushvalue(L, -1);
		if (lua_rawget(L, 1) != LUA_TNIL)
			break; /* else it was removed since the loop began */
	}
	lua_pushinteger(L, i);
	lua_replace(L, lua_upvalueindex(2));
	return 2;
}

int order_pairs(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	order_push_keys(L, 1);
	lua_pushinteger(L, 0);
	lua_pushcclosure(L, pairs_step, 2);
	lua_pushvalue(L, 1);
	lua_pushnil(L);
	return 3;
}

int order_next(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 2);
	bool from_start = lua_isnil(L, 2);
	struct key after = { .kind = KEY_TRUTH };
	if (!from_start)
		after = read_key(L, 2);
	struct key best = after;
	bool found = false;
	uint64_t seen = 0;
	lua_pushnil(L);
	while (lua_next(L, 1)) {
		lua_pop(L, 1);
		seen++;
		struct key k = read_key(L, -1);
		if (!from_start && compare_keys(&k, &after) <= 0)
			continue;
		if (!found || compare_keys(&k, &best) < 0)
			best = k;
		found = true;
	}
	sandbox_charge(L, seen * STEPS_SEEN);
	if (!found) {
		lua_pushnil(L);
		return 1;
	}
	push_key(L, &best);
	lua_pushvalue(L, -1);
	lua_rawget(L, 1);
	return 2;
}

/* Whether list[b] must come before list[a]; stack 2 is the function or nil. */
static bool is_before(lua_State *L, int list, lua_Integer b, lua_Integer a)
{
	bool before;
	if (lua_isnil(L, 2)) {
		lua_rawgeti(L, list, b);
		lua_rawgeti(L, list, a);
		before = lua_compare(L, -2, -1, LUA_OPLT);
		lua_pop(L, 2);
		return before;
	}
	lua_pushvalue(L, 2);
	lua_rawgeti(L, list, b);
	lua_rawgeti(L, list, a);
	lua_call(L, 2, 1);
	before = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return before;
}

/* Merges from[lo..mid) and from[mid..hi), counted from 1, into `to`. */
static void merge(lua_State *L, int from, int to, lua_Integer lo,
		  lua_Integer mid, lua_Integer hi)
{
	lua_Integer left = lo;
	lua_Integer right = mid;
	for (lua_Integer i = lo; i < hi; i++) {
		bool take_right =
			right < hi &&
			(left >= mid || is_before(L, from, right, left));
		lua_rawgeti(L, from, take_right ? right++ : left++);
		lua_rawseti(L, to, i);
	}
}

int order_sort(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	if (!lua_isnoneornil(L, 2))
		luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_settop(L, 2);
	lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
	/* stack 3 and 4: two lists that take turns, so that a function which
	 * changes the table, or raises, does not leave it half sorted */
	for (int list = 3; list <= 4; list++) {
		lua_createtable(L, (int)n, 0);
		for (lua_Integer i = 1; i <= n; i++) {
			lua_rawgeti(L, 1, i);
			lua_rawseti(L, list, i);
		}
	}
	int from = 3;
	for (lua_Integer width = 1; width < n; width *= 2) {
		int to = from == 3 ? 4 : 3;
		sandbox_charge(L, (uint64_t)n * STEPS_SEEN);
		for (lua_Integer lo = 1; lo <= n; lo += 2 * width) {
			lua_Integer mid =
				lo + width < n + 1 ? lo + width : n + 1;
			lua_Integer hi =
				mid + width < n + 1 ? mid + width : n + 1;
			merge(L, from, to, lo, mid, hi);
		}
		from = to;
	}
	for (lua_Integer i = 1; i <= n; i++) {
		lua_rawgeti(L, from, i);
		lua_rawseti(L, 1, i);
	}
	return 0;
}
