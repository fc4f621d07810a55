/* SPDX-License-Identifier: MIT
 * clock.c - the clock of a ruleset's script, and the clocks that players may ask
 * for instead. Whether the numbers go together is for the server to say. */
#include "script/clock.h"

#include "script/fields.h"

static const char *const kinds[] = {
	[WORKER_FISCHER] = "fischer",   [WORKER_UNLIMITED] = "unlimited",
	[WORKER_DELAY] = "delay",       [WORKER_BRONSTEIN] = "bronstein",
	[WORKER_PER_MOVE] = "per_move", NULL,
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) - 1 };

static const struct field clock_fields[] = {
	{ "kind", FIELD_TEXT, false, 1, WORKER_NAME_MAX,
	  "fischer, delay, bronstein, per_move or unlimited" },
	{ "base_ms", FIELD_INT, true, 0, WORKER_MOVE_TIME_MAX_MS,
	  "milliseconds at the start, or for each move; 0: no clock" },
	{ "increment_ms", FIELD_INT, false, 0, WORKER_TIME_MAX_MS,
	  "milliseconds added for each move" },
	{ "delay_ms", FIELD_INT, false, 0, WORKER_TIME_MAX_MS,
	  "milliseconds of each turn that cost nothing" },
	{ .name = NULL },
};

#define ALLOWED(name)                                                          \
	{                                                                      \
		name, FIELD_BOOL, false, 0, 0, "whether it may be asked for"   \
	}
#define LIMIT(name, max)                                                       \
	{                                                                      \
		name, FIELD_INT, false, 0, max, "a limit in milliseconds"      \
	}
static const struct field clocks_fields[] = {
	ALLOWED("fischer"),
	ALLOWED("unlimited"),
	ALLOWED("delay"),
	ALLOWED("bronstein"),
	ALLOWED("per_move"),
	LIMIT("base_ms_min", WORKER_TIME_MAX_MS),
	LIMIT("base_ms_max", WORKER_TIME_MAX_MS),
	LIMIT("increment_ms_max", WORKER_TIME_MAX_MS),
	LIMIT("delay_ms_max", WORKER_TIME_MAX_MS),
	LIMIT("move_ms_min", WORKER_MOVE_TIME_MAX_MS),
	LIMIT("move_ms_max", WORKER_MOVE_TIME_MAX_MS),
	{ .name = NULL },
};

/* Without a kind the times say what it is. */
static int64_t kind_of(lua_State *L, const struct worker_ruleset *out)
{
	struct span text = field_text(L, -1, "kind");
	if (text.len > 0)
		return field_one_of(L, "kind", text, kinds);
	return out->base_ms == 0   ? WORKER_UNLIMITED
	       : out->delay_ms > 0 ? WORKER_DELAY
				   : WORKER_FISCHER;
}

static void read_clock(lua_State *L, struct worker_ruleset *out)
{
	out->clock_kind = WORKER_UNLIMITED;
	if (field_push(L, -1, "clock")) {
		fields_check(L, -1, "'clock'", clock_fields);
		out->base_ms = field_int(L, -1, "base_ms", 0);
		out->increment_ms = field_int(L, -1, "increment_ms", 0);
		out->delay_ms = field_int(L, -1, "delay_ms", 0);
		out->clock_kind = kind_of(L, out);
	}
	lua_pop(L, 1);
}

/* A kind that is not named may be asked for. */
static bool is_allowed(lua_State *L, const char *kind)
{
	bool named = field_push(L, -1, kind);
	lua_pop(L, 1);
	return !named || field_bool(L, -1, kind);
}

static void read_limits(lua_State *L, struct worker_ruleset *out)
{
	out->clock_kinds = (1 << KINDS) - 1;
	out->base_ms_min = out->base_ms_max = out->increment_ms_max = -1;
	out->delay_ms_max = out->move_ms_min = out->move_ms_max = -1;
	if (field_push(L, -1, "clocks")) {
		fields_check(L, -1, "'clocks'", clocks_fields);
		for (int k = 0; k < KINDS; k++)
			if (!is_allowed(L, kinds[k]))
				out->clock_kinds &= ~(INT64_C(1) << k);
		out->base_ms_min = field_int(L, -1, "base_ms_min", -1);
		out->base_ms_max = field_int(L, -1, "base_ms_max", -1);
		out->increment_ms_max =
			field_int(L, -1, "increment_ms_max", -1);
		out->delay_ms_max = field_int(L, -1, "delay_ms_max", -1);
		out->move_ms_min = field_int(L, -1, "move_ms_min", -1);
		out->move_ms_max = field_int(L, -1, "move_ms_max", -1);
	}
	lua_pop(L, 1);
}

void clocks_read(lua_State *L, struct worker_ruleset *out)
{
	read_clock(L, out);
	read_limits(L, out);
}
