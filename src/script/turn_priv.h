/* SPDX-License-Identifier: MIT
 * turn_priv.h - what turn.c and its functions for scripts share. */
#ifndef PLYD_SCRIPT_TURN_PRIV_H
#define PLYD_SCRIPT_TURN_PRIV_H

#include "script/turn.h"

/* One question while it is answered; sandbox_of(L)->host. */
struct turn {
	struct host *host;
	struct ruleset ruleset;
	struct position position;
	bool waits; /* the script's side is not the one to move */
	struct span match;
	uint64_t hash; /* of the position */
	uint64_t seed;
	struct engine_history history;
	uint64_t nodes; /* that searches have looked at */
	int logs;
};

/* Enough for a personality that looks at every move itself, and far too little
 * to matter: about a fifth of a second. */
extern const struct sandbox_limits turn_limits;

/* Reads what a question is about. PLYD_EOPTION, PLYD_EPOSITION. */
int turn_read_game(struct turn *turn, struct span ruleset,
		   struct span position);

/* Begins the state in which the script is asked. Errors as turn_choose(). */
int turn_begin(struct turn *turn, struct sandbox *sb, struct program *p,
	       void (*open)(lua_State *L), uint64_t seed,
	       struct script_error *why);

/* Adds the functions of a policy (log, random, use) or of a personality (these,
 * evaluate, search and pick) to the globals. Inside sandbox_call(). All but
 * random and use raise where sandbox_of(L)->host is NULL, as it is during a load. */
void turn_open_policy(lua_State *L);
void turn_open_personality(lua_State *L);

/* What the answer of a personality, the table on top, says in the field `say`;
 * lent by the host. Words that cannot be said are told to the log, which its
 * quota does not bound since a question has one answer, and are no error: they
 * cost nobody a move. */
struct span turn_take_words(lua_State *L);

/* Judges a move text that a script gave; raises what the rules say. */
void turn_check_move(lua_State *L, struct span text, struct move *out);

#endif
