/* SPDX-License-Identifier: MIT */
#include "script/view.h"

#include <string.h>

#include <lauxlib.h>

enum { SQUARES = 64, POINTS = 26, BAR = 25, OFF = 0 };

static void set_int(lua_State *L, const char *name, lua_Integer value)
{
	lua_pushinteger(L, value);
	lua_setfield(L, -2, name);
}

static void set_bool(lua_State *L, const char *name, bool value)
{
	lua_pushboolean(L, value);
	lua_setfield(L, -2, name);
}

static const char *side_name(enum side side)
{
	return side == WHITE ? "white" : "black";
}

/* Square i as moves write it. Numbers count the dark squares from Black's right
 * hand, so they are looked for on the board turned round. */
static void square_name(const struct ruleset *rs, int i, char out[4])
{
	if (rs->draughts.notation == 0) {
		int turned = SQUARES - 1 - i;
		int number = turned / 8 * 4 + (7 - turned % 8) / 2 + 1;
		if (number >= 10)
			*out++ = (char)('0' + number / 10);
		*out++ = (char)('0' + number % 10);
	} else {
		*out++ = (char)('a' + i % 8);
		*out++ = (char)('1' + i / 8);
	}
	*out = '\0';
}

/* { ["c3"] = { side = "white", king = false }, ... } */
static void push_squares(lua_State *L, const struct ruleset *rs,
			 const struct draughts_position *d)
{
	lua_createtable(L, 0, 32);
	for (int i = 0; i < SQUARES; i++) {
		uint64_t bit = UINT64_C(1) << i;
		if (!((d->pieces[WHITE] | d->pieces[BLACK]) & bit))
			continue;
		char name[4];
		square_name(rs, i, name);
		lua_createtable(L, 0, 2);
		lua_pushstring(L, side_name(d->pieces[WHITE] & bit ? WHITE
								   : BLACK));
		lua_setfield(L, -2, "side");
		set_bool(L, "king", d->kings & bit);
		lua_setfield(L, -2, name);
	}
}

/* { [0] = borne off, [1] ... [24], [25] = on the bar } */
static void push_points(lua_State *L, const uint8_t point[POINTS])
{
	lua_createtable(L, POINTS, 1);
	for (int i = 0; i < POINTS; i++) {
		lua_pushinteger(L, point[i]);
		lua_rawseti(L, -2, i);
	}
}

static void push_points_of_both(lua_State *L, const struct position *pos,
				enum side me)
{
	lua_createtable(L, 0, 2);
	push_points(L, pos->backgammon.point[me]);
	lua_setfield(L, -2, "mine");
	push_points(L, pos->backgammon.point[side_other(me)]);
	lua_setfield(L, -2, "theirs");
}

/* { man_step = "forward_sideways", ... }, the values as texts */
static void push_options(lua_State *L, const struct ruleset *rs)
{
	char text[RULESET_TEXT_MAX];
	char *save;
	ruleset_write(rs, text);
	lua_createtable(L, 0, 16);
	for (char *word = strtok_r(text, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		char *equals = strchr(word, '=');
		if (!equals)
			continue; /* the name, the family */
		lua_pushlstring(L, word, (size_t)(equals - word));
		lua_pushstring(L, equals + 1);
		lua_rawset(L, -3);
	}
}

static void set_dice(lua_State *L, const struct position *pos)
{
	if (pos->dice[0] == 0)
		return;
	lua_createtable(L, 2, 0);
	for (int i = 0; i < 2; i++) {
		lua_pushinteger(L, pos->dice[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, "dice");
}

static void set_side(lua_State *L, const char *name, const char *side)
{
	lua_pushstring(L, side);
	lua_setfield(L, -2, name);
}

/* cube = { value =, owner = }, match = { mine =, theirs =, length =, crawford = } */
static void set_stakes(lua_State *L, const struct ruleset *rs,
		       const struct stakes *s, enum side me)
{
	static const char *const owners[2][3] = {
		[WHITE] = { "centre", "mine", "theirs" },
		[BLACK] = { "centre", "theirs", "mine" },
	};
	if (!ruleset_has_stakes(rs))
		return;
	lua_createtable(L, 0, 2);
	set_int(L, "value", 1 << s->cube);
	set_side(L, "owner", owners[me][s->cube_owner]);
	lua_setfield(L, -2, "cube");
	lua_createtable(L, 0, 4);
	set_int(L, "mine", s->score[me]);
	set_int(L, "theirs", s->score[side_other(me)]);
	set_int(L, "length", rs->backgammon.match_length);
	set_bool(L, "crawford", s->crawford);
	lua_setfield(L, -2, "match");
}

void view_position(lua_State *L, const struct ruleset *rs,
		   const struct position *pos, enum side me)
{
	char text[POSITION_TEXT_MAX];
	bool is_draughts = rs->family == FAMILY_DRAUGHTS;
	luaL_checkstack(L, 8, NULL);
	lua_pushstring(L, rs->name);
	lua_setfield(L, -2, "ruleset");
	lua_pushstring(L, is_draughts ? "draughts" : "backgammon");
	lua_setfield(L, -2, "family");
	push_options(L, rs);
	lua_setfield(L, -2, "options");
	set_side(L, "side", side_name(me));
	lua_pushlstring(L, text, game_write(rs, pos, text));
	lua_setfield(L, -2, "position");
	if (is_draughts) {
		push_squares(L, rs, &pos->draughts);
	} else {
		set_dice(L, pos);
		push_points_of_both(L, pos, me);
	}
	lua_setfield(L, -2, "board");
	set_stakes(L, rs, &pos->stakes, me);
}

static void set_draughts_move(lua_State *L, const struct position *pos,
			      const struct move *move)
{
	uint64_t from = UINT64_C(1) << move->at[0];
	set_int(L, "captures", __builtin_popcountll(move->taken));
	set_bool(L, "promotes", move->crowned);
	set_bool(L, "king", pos->draughts.kings & from);
}

static void set_backgammon_move(lua_State *L, const struct ruleset *rs,
				const struct position *pos,
				const struct move *move)
{
	struct position after;
	int blots = 0;
	int points = 0;
	game_apply(rs, pos, move, &after);
	const uint8_t *before = pos->backgammon.point[pos->side];
	const uint8_t *mine = after.backgammon.point[pos->side];
	for (int i = 1; i < BAR; i++) {
		blots += mine[i] == 1;
		points += mine[i] > 1;
	}
	set_int(L, "hits", __builtin_popcountll(move->taken));
	set_int(L, "off", mine[OFF] - before[OFF]);
	set_int(L, "blots", blots);
	set_int(L, "points", points);
}

void view_moves(lua_State *L, const struct ruleset *rs,
		const struct position *pos, const struct move_list *list)
{
	luaL_checkstack(L, 8, NULL);
	lua_createtable(L, (int)list->count, 0);
	for (size_t i = 0; i < list->count; i++) {
		const struct move *move = &list->move[i];
		char text[MOVE_TEXT_MAX];
		lua_createtable(L, 0, 5);
		lua_pushlstring(L, text, game_move_text(rs, pos, move, text));
		lua_setfield(L, -2, "move");
		if (rs->family == FAMILY_DRAUGHTS)
			set_draughts_move(L, pos, move);
		else
			set_backgammon_move(L, rs, pos, move);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}
