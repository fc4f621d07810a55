/* SPDX-License-Identifier: MIT
 * memory.h - what a script keeps of one match: the field `memory` of its turn,
 * a table that comes as plain data and goes as plain data. Everything here runs
 * inside sandbox_call(). */
#ifndef PLYD_SCRIPT_MEMORY_H
#define PLYD_SCRIPT_MEMORY_H

#include <lua.h>
#include "base/buf.h"
#include "proto/read.h"

/* Sets `memory` in the table on top to what was kept, parsed with d; an empty
 * table if that is nothing, or is not what memory_take() wrote. */
void memory_set(lua_State *L, struct doc *d, struct span kept);

/* Reads `memory` of the table at this index and writes it to b, which is
 * limited to WORKER_KEPT_MAX; an empty table, or none, is no bytes. Raises what
 * is wrong with it. */
void memory_take(lua_State *L, int table, struct buf *b);

#endif
