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

const struct field clock_fields[] = {
	{ "kind", FIELD_TEXT, false, 1, WORKER_NAME_MAX,
	  "`fischer`, `delay`, `bronstein`, `per_move` or `unlimited`; without "
	  "it the times say it: `fischer`, with a `delay_ms` `delay`, with "
	  "`base_ms = 0` no clock" },
	{ "base_ms", FIELD_INT, true, 0, WORKER_MOVE_TIME_MAX_MS,
	  "milliseconds at the start, of `per_move` for each move" },
	{ "increment_ms", FIELD_INT, false, 0, WORKER_TIME_MAX_MS,
	  "milliseconds that each move adds, of `fischer`" },
	{ "delay_ms", FIELD_INT, false, 0, WORKER_TIME_MAX_MS,
	  "milliseconds of each turn that cost nothing, of `delay` and "
	  "`bronstein`" },
	{ .name = NULL },
};

#define ALLOWED(name)                                                          \
	{                                                                      \
		name, FIELD_BOOL, false, 0, 0,                                 \
			"whether it may be asked for; true without it"         \
	}
#define LIMIT(name, max, doc)                                                  \
	{                                                                      \
		name, FIELD_INT, false, 0, max, doc                            \
	}
const struct field clocks_fields[] = {
	ALLOWED("fischer"),
	ALLOWED("unlimited"),
	ALLOWED("delay"),
	ALLOWED("bronstein"),
	ALLOWED("per_move"),
	LIMIT("base_ms_min", WORKER_TIME_MAX_MS,
	      "least base time in milliseconds; a second without it"),
	LIMIT("base_ms_max", WORKER_TIME_MAX_MS,
	      "greatest base time; a day without it"),
	LIMIT("increment_ms_max", WORKER_TIME_MAX_MS,
	      "greatest increment; an hour without it"),
	LIMIT("delay_ms_max", WORKER_TIME_MAX_MS,
	      "greatest delay; an hour without it"),
	LIMIT("move_ms_min", WORKER_MOVE_TIME_MAX_MS,
	      "least time of a move of `per_move`; a day without it"),
	LIMIT("move_ms_max", WORKER_MOVE_TIME_MAX_MS,
	      "greatest; 30 days without it"),
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
