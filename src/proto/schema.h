/* SPDX-License-Identifier: MIT
 * schema.h - checks answers and notifications against the shapes that objects.h
 * declares. For tests, documents and debugging; nothing is refused by it. */
#ifndef PLYD_PROTO_SCHEMA_H
#define PLYD_PROTO_SCHEMA_H

#include "proto/objects.h"
#include "proto/read.h"

enum { SCHEMA_WHY_MAX = 160 };

/* Whether v is an object of that kind: every field of its type, none missing
 * but those with a ?, none that is not declared. Else false, and what is wrong
 * in why: `match.clock.base_ms: not an int`. */
bool schema_check(const struct value *v, enum object o,
		  char why[SCHEMA_WHY_MAX]);

#endif
