/* SPDX-License-Identifier: MIT
 * fields.h - reads what a script returns: a table of known fields, each of a
 * known type and range, read raw so that no code of the script runs. Everything
 * here runs inside sandbox_call() and raises errors that name the field, its
 * line and what was expected. Texts are lent as long as the table lives. */
#ifndef PLYD_SCRIPT_FIELDS_H
#define PLYD_SCRIPT_FIELDS_H

#include <lua.h>
#include <stdbool.h>
#include "base/span.h"

enum field_type {
	FIELD_TEXT, /* UTF-8, no control characters; min..max bytes */
	FIELD_INT,  /* min..max */
	FIELD_BOOL,
	FIELD_TABLE,
	FIELD_FUNCTION,
	FIELD_WORDS /* a text; whoever reads it passes over what is none */
};

struct field {
	const char *name;
	enum field_type type;
	bool required;
	long long min;
	long long max;
	const char *doc; /* what it is, as docs/scripting.md says it */
};

/* Checks the table at this index against the list, which ends with a NULL
 * name: no other field, every required one there, each of its type and in its
 * range. what names the table: "the personality". */
void fields_check(lua_State *L, int table, const char *what,
		  const struct field *list);

/* After the check; a field that is not there is "", the fallback, or false. */
struct span field_text(lua_State *L, int table, const char *name);
long long field_int(lua_State *L, int table, const char *name,
		    long long fallback);
bool field_bool(lua_State *L, int table, const char *name);
/* Pushes the field, nil if it is not there; whether it is. */
bool field_push(lua_State *L, int table, const char *name);

/* The place of text in a list that ends with NULL; raises, listing what was
 * expected, if it is not there. */
int field_one_of(lua_State *L, const char *name, struct span text,
		 const char *const *list);

#endif
