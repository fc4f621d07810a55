/* SPDX-License-Identifier: MIT
 * clock.h - the clocks of a ruleset's script, inside sandbox_call(). */
#ifndef PLYD_SCRIPT_CLOCK_H
#define PLYD_SCRIPT_CLOCK_H

#include <lua.h>
#include "proto/worker.h"
#include "script/fields.h"

/* docs/scripting.md shows them. */
extern const struct field clock_fields[], clocks_fields[];

/* Reads `clock` and `clocks` of the table on top. */
void clocks_read(lua_State *L, struct worker_ruleset *out);

#endif
