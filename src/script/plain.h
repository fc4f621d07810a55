/* SPDX-License-Identifier: MIT
 * plain.h - turns a table that is only data into a MessagePack value: texts,
 * whole numbers, true and false, lists, and maps with texts as keys. Raw: no
 * code of the script runs. */
#ifndef PLYD_SCRIPT_PLAIN_H
#define PLYD_SCRIPT_PLAIN_H

#include <lua.h>
#include "base/buf.h"

enum { PLAIN_DEPTH_MAX = 5, PLAIN_ENTRIES_MAX = 200 /* of one table */ };

/* Inside sandbox_call(): appends the table at this index to b, keys in order;
 * an empty table is an empty map. Raises, naming the field, for anything else
 * than the above or over the limits; b then holds a part. */
void plain_put(lua_State *L, int table, struct buf *b);

#endif
