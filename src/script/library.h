/* SPDX-License-Identifier: MIT
 * library.h - what of Lua's libraries a script may name: an allow-list, with
 * our own versions of what would show addresses, time or the order of a hash
 * table, switch off the bounds, or run code where no hook sees it. */
#ifndef PLYD_SCRIPT_LIBRARY_H
#define PLYD_SCRIPT_LIBRARY_H

#include "script/sandbox.h"

/* Fills the globals of a fresh state. Raises on lack of memory. */
void library_open(lua_State *L, enum sandbox_library library);

#endif
