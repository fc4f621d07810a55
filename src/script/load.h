/* SPDX-License-Identifier: MIT
 * load.h - reads one script of each kind, checks every field, and says what it
 * is. Nothing of it is kept. */
#ifndef PLYD_SCRIPT_LOAD_H
#define PLYD_SCRIPT_LOAD_H

#include "proto/worker.h"
#include "script/fields.h"
#include "script/sandbox.h"

/* Runs the source, which may use the libraries, and appends the answer for its kind to `answer`. PLYD_OK;
 * PLYD_ENOMEM; or PLYD_EWORKER with *why, where `answer` holds a part. */
int load_script(const struct worker_load *m, const struct libraries *libraries,
		struct buf *answer, struct script_error *why);

/* What a script of each kind may have, and the tables in it: each is checked by
 * its row, which docs/scripting.md shows (scripts/dev/gendocs). */
extern const struct field ruleset_fields[], draws_fields[], policy_fields[],
	offers_fields[], personality_fields[];

/* Inside sandbox_call(), the script's table on top: checks its fields. */
void load_check_policy(lua_State *L);
void load_check_personality(lua_State *L);

#endif
