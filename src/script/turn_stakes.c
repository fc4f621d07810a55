/* SPDX-License-Identifier: MIT
 * turn_stakes.c - to double, to take, to accept a resignation. */
#include "script/turn.h"
#include "script/turn_priv.h"

#include <lauxlib.h>
#include "script/fields.h"
#include "script/load.h"
#include "script/memory.h"
#include "script/view.h"

struct deciding {
	struct turn turn;
	const struct worker_choose *ask;
	struct worker_choice *out;
	bool decided;
};

static const char *const functions[] = {
	[DECIDE_MOVE] = "choose",
	[DECIDE_ROLL] = "double",
	[DECIDE_ANSWER] = "take",
	[DECIDE_RESIGNATION] = "accept",
};

static bool judge(const struct turn *t, const struct worker_choose *m)
{
	enum side loser = side_other((enum side)m->side);
	switch ((enum worker_decision)m->decision) {
	case DECIDE_ROLL:
		return engine_doubles(&t->ruleset, &t->position, NULL);
	case DECIDE_ANSWER:
		return engine_takes(&t->ruleset, &t->position, NULL);
	case DECIDE_RESIGNATION:
		return engine_accepts(&t->ruleset, &t->position, loser,
				      (int)m->level, NULL);
	case DECIDE_MOVE: break;
	}
	return false;
}

static void push_turn(lua_State *L, const struct deciding *d)
{
	const struct worker_choose *m = d->ask;
	lua_createtable(L, 0, 16);
	view_position(L, &d->turn.ruleset, &d->turn.position,
		      (enum side)m->side);
	lua_createtable(L, 0, 0); /* the dice are not thrown, or not ours */
	lua_setfield(L, -2, "moves");
	lua_pushinteger(L, m->ply);
	lua_setfield(L, -2, "ply");
	if (m->decision == DECIDE_RESIGNATION) {
		lua_pushinteger(L, m->level);
		lua_setfield(L, -2, "level");
	}
	if (m->remaining_ms >= 0) {
		lua_pushinteger(L, m->remaining_ms);
		lua_setfield(L, -2, "remaining_ms");
		lua_pushinteger(L, m->increment_ms);
		lua_setfield(L, -2, "increment_ms");
	}
	memory_set(L, d->turn.host->doc, m->memory);
}

const struct field turn_answer_fields[] = {
	{ "answer", FIELD_BOOL, false, 0, 0,
	  "as above; without it plyd's rule decides" },
	{ "say", FIELD_WORDS, false, 0, 0, "as in a [choice](#the-choice)" },
	{ .name = NULL },
};

/* Puts the answer of the table on top in its place. */
static void unfold(lua_State *L, struct deciding *d)
{
	fields_check(L, -1, "an answer", turn_answer_fields);
	d->out->say = turn_take_words(L);
	field_push(L, -1, "answer");
	lua_remove(L, -2);
}

static int run_decide(lua_State *L)
{
	struct deciding *d = lua_touserdata(L, 1);
	const char *name = functions[d->ask->decision];
	sandbox_run_source(L);
	load_check_personality(L);
	if (!field_push(L, -1, name))
		return 0;
	push_turn(L, d);
	lua_copy(L, -1, 1); /* to look into it afterwards */
	lua_call(L, 1, 1);
	memory_take(L, 1, &d->turn.host->kept);
	d->out->memory = buf_span(&d->turn.host->kept);
	if (lua_istable(L, -1))
		unfold(L, d);
	if (lua_isnil(L, -1))
		return 0;
	if (!lua_isboolean(L, -1))
		sandbox_error(L, 0,
			      "'%s' must return true, false or nil, or a table "
			      "with the field 'answer'; got a %s",
			      name, luaL_typename(L, -1));
	d->out->yes = lua_toboolean(L, -1);
	d->decided = true;
	return 0;
}

int turn_decide(struct host *host, struct program *p,
		const struct worker_choose *m, struct worker_choice *out,
		struct script_error *why)
{
	struct deciding d = {
		.turn = { .host = host, .match = m->match, .seed = m->seed },
		.ask = m,
		.out = out,
	};
	struct turn *t = &d.turn;
	struct sandbox sb;
	*out = (struct worker_choice){ .move = span_str(""),
				       .say = span_str(""),
				       .memory = m->memory };
	int err = turn_read_game(t, m->ruleset, m->position);
	if (!err && (t->ruleset.family != FAMILY_BACKGAMMON ||
		     game_outcome(&t->ruleset, &t->position).over))
		err = PLYD_EPOSITION;
	if (err)
		return err;
	t->waits = t->position.side != m->side;
	err = turn_begin(t, &sb, p, turn_open_personality,
			 m->seed ^ t->hash ^ (uint64_t)m->decision, why);
	if (err)
		return err;
	err = sandbox_call(&sb, run_decide, &d, why);
	out->steps = sb.steps;
	out->bytes = sb.bytes_top;
	out->nodes = t->nodes;
	sandbox_release(&sb);
	if (!err && !d.decided)
		out->yes = judge(t, m);
	return err;
}
