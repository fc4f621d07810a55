/* SPDX-License-Identifier: MIT
 * use.h - libraries: the operator's Lua files that scripts share by `use`. A
 * library runs in the state of the script that uses it, under the same bounds,
 * once per question; nothing passes from one question to another. It is found
 * by its name among those that the worker was told, never by a path. */
#ifndef PLYD_SCRIPT_USE_H
#define PLYD_SCRIPT_USE_H

#include "script/sandbox.h"

/* Where the sources are. */
struct libraries {
	void *payload;
	/* The source of that name, lent while the state lives; false: none. */
	bool (*find)(void *payload, struct span name, struct span *source);
};

/* Adds `use` to the globals. Inside sandbox_call(). Without libraries in the
 * sandbox there is none to be found. */
void use_open(lua_State *L);

/* Inside sandbox_call(): compiles the source and leaves it; raises what is
 * wrong with it. */
void use_compile(lua_State *L, struct span source, const char *chunk);

#endif
