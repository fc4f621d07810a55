/* SPDX-License-Identifier: MIT
 * plan.h - what a script says of a tournament and of when it is held. */
#ifndef PLYD_SCRIPT_PLAN_H
#define PLYD_SCRIPT_PLAN_H

#include <lua.h>
#include "proto/worker.h"
#include "script/fields.h"

/* docs/scripting.md shows them. */
extern const struct field plan_fields[];

/* Reads the table on top of the stack; runs inside sandbox_call(), raises what
 * is wrong. Texts are lent as long as the table lives. Not the name. */
void plan_read(lua_State *L, struct worker_plan *out);

#endif
