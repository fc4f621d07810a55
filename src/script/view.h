/* SPDX-License-Identifier: MIT
 * view.h - shows positions and moves to scripts, as tables that are copies.
 * Everything here runs inside sandbox_call(). */
#ifndef PLYD_SCRIPT_VIEW_H
#define PLYD_SCRIPT_VIEW_H

#include <lua.h>
#include <plyd/rules.h>

/* Sets ruleset, family, options, side, dice, position, board, and with stakes
 * cube and match, in the table on top, as `me` sees them. */
void view_position(lua_State *L, const struct ruleset *rs,
		   const struct position *pos, enum side me);

/* Pushes a list of the moves with what each does: draughts captures, promotes,
 * king; backgammon hits, off, blots, points. */
void view_moves(lua_State *L, const struct ruleset *rs,
		const struct position *pos, const struct move_list *list);

#endif
