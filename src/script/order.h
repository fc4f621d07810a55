/* SPDX-License-Identifier: MIT
 * order.h - the fixed order of a table's keys: numbers ascending, then texts
 * by their bytes, then false, true. Lua's own order differs from run to run.
 * Every function runs inside sandbox_call() and may raise; a table that has a
 * table or a function as a key has no order, which is an error. */
#ifndef PLYD_SCRIPT_ORDER_H
#define PLYD_SCRIPT_ORDER_H

#include <lua.h>

/* Pushes a list of the keys of the table at this index, in order, read raw;
 * returns how many there are. */
size_t order_push_keys(lua_State *L, int table);

/* Replacements for Lua's functions of these names. Keys that are added during
 * a loop over pairs() are not visited. */
int order_pairs(lua_State *L);
int order_next(lua_State *L);
/* table.sort, but stable; Lua's own takes its pivot from the clock. */
int order_sort(lua_State *L);

#endif
