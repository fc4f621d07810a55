/* SPDX-License-Identifier: MIT */
#include "script/plan.h"

#include "script/fields.h"
#include "script/sandbox.h"

enum {
	HOUR_MS = 3600000,
	OPEN_HOURS_USUAL = 24,
	OPEN_HOURS_MAX = 720,
	NO_SHOW_MS_USUAL = 300000,
	ROUNDS_USUAL = 5
};

const struct field plan_fields[] = {
	{ "name", FIELD_TEXT, true, 1, WORKER_NAME_MAX,
	  "of the plan, as that of any script" },
	{ "title", FIELD_TEXT, true, 2, 20,
	  "what players see, 2 to 20 characters as in a player's name" },
	{ "when", FIELD_TEXT, true, 9, 11,
	  "`sun` to `sat`, or `daily`, and a time: `fri 20:00`" },
	{ "enabled", FIELD_BOOL, false, 0, 0,
	  "whether it is held; true without it" },
	{ "registration_hours", FIELD_INT, false, 1, OPEN_HOURS_MAX,
	  "how long before it may be entered; 24 without it" },
	{ "directors", FIELD_TEXT, false, 0, WORKER_TEXT_MAX,
	  "logins of members, a space between, at most eight" },
	{ "ruleset", FIELD_TEXT, true, 1, WORKER_NAME_MAX, "of its matches" },
	{ "format", FIELD_TEXT, true, 1, WORKER_NAME_MAX,
	  "as in [tournaments](tournaments.md#formats)" },
	{ "scoring", FIELD_TEXT, false, 1, WORKER_NAME_MAX,
	  "as `scoring` of [tournament.create](protocol.md#tournamentcreate)" },
	{ "breaks", FIELD_TEXT, false, 1, WORKER_TEXT_MAX,
	  "tie-breaks, a space between: as `breaks` of "
	  "[tournament.create](protocol.md#tournamentcreate)" },
	{ "players", FIELD_TEXT, false, 1, WORKER_NAME_MAX,
	  "who may take part: as `players` of "
	  "[tournament.create](protocol.md#tournamentcreate)" },
	{ "rounds", FIELD_INT, false, 1, 64, "of a Swiss; 5 without it" },
	{ "entries_max", FIELD_INT, false, 2, 512, "most players" },
	{ "late_rounds", FIELD_INT, false, 0, 63,
	  "it may be entered until so many rounds are paired" },
	{ "match_length", FIELD_INT, false, 1, 64,
	  "points of a match; the ruleset's without it" },
	{ "rating_min", FIELD_INT, false, 0, 4000, "least rating" },
	{ "rating_max", FIELD_INT, false, 0, 4000, "greatest rating" },
	{ "check_in_ms", FIELD_INT, false, 0, 86400000,
	  "how long before the start players check in; 0: they need not" },
	{ "no_show_ms", FIELD_INT, false, 1000, 86400000,
	  "how long a match waits for its players; 300000 without it" },
	{ "gap_ms", FIELD_INT, false, 0, 86400000, "between two rounds" },
	{ "base_ms", FIELD_INT, false, 0, WORKER_MOVE_TIME_MAX_MS,
	  "clock at the start; the ruleset's without it" },
	{ "increment_ms", FIELD_INT, false, 0, WORKER_TIME_MAX_MS,
	  "added for each move" },
	{ "rated", FIELD_BOOL, false, 0, 0,
	  "whether its matches count for the ratings" },
	{ .name = NULL },
};

static const char *const formats[] = { "round_robin", "double_round_robin",
				       "swiss", "knockout", NULL };
static const char *const scorings[] = { "wins", "half", "three", "points",
					NULL };
static const char *const kinds[] = { "anyone", "person", "bot", NULL };
static const char *const days[] = { "sun", "mon", "tue", "wed",
				    "thu", "fri", "sat", NULL };

/* A word of a list, or what it is without one. */
static struct span word_of(lua_State *L, const char *field, const char *usual,
			   const char *const *list)
{
	struct span text = field_text(L, -1, field);
	if (text.len == 0)
		return span_str(usual);
	field_one_of(L, field, text, list);
	return text;
}

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

/* "20:05" as minutes of the day; -1: it is no time. */
static int minute_of(struct span t)
{
	if (t.len != 5 || t.at[2] != ':' || !is_digit(t.at[0]) ||
	    !is_digit(t.at[1]) || !is_digit(t.at[3]) || !is_digit(t.at[4]))
		return -1;
	int hour = 10 * (t.at[0] - '0') + t.at[1] - '0';
	int minute = 10 * (t.at[3] - '0') + t.at[4] - '0';
	return hour < 24 && minute < 60 ? 60 * hour + minute : -1;
}

/* "fri 20:00" or "daily 20:00". */
static void read_when(lua_State *L, struct worker_plan *out)
{
	struct span when = field_text(L, -1, "when");
	const uint8_t *space = memchr(when.at, ' ', when.len);
	size_t len = space ? (size_t)(space - when.at) : 0;
	int day = -2;
	if (span_is(span_of(when.at, len), "daily"))
		day = -1;
	for (int i = 0; days[i]; i++)
		if (span_is(span_of(when.at, len), days[i]))
			day = i;
	int minute =
		space ? minute_of(span_of(space + 1, when.len - len - 1)) : -1;
	if (day < -1 || minute < 0)
		sandbox_error(L, sandbox_line_of(sandbox_of(L), "when"),
			      "field 'when' must be a day (sun, mon, tue, wed, "
			      "thu, fri, sat, daily) and a time, such as 'fri "
			      "20:00'");
	out->weekday = day;
	out->minute = minute;
}

void plan_read(lua_State *L, struct worker_plan *out)
{
	fields_check(L, -1, "the tournament", plan_fields);
	bool robin;
	*out = (struct worker_plan){
		.title = field_text(L, -1, "title"),
		.enabled = field_bool(L, -1, "enabled"),
		.open_ms = HOUR_MS * field_int(L, -1, "registration_hours",
					       OPEN_HOURS_USUAL),
		.directors = field_text(L, -1, "directors"),
		.ruleset = field_text(L, -1, "ruleset"),
		.format = word_of(L, "format", "", formats),
		.scoring = word_of(L, "scoring", "wins", scorings),
		.breaks = field_text(L, -1, "breaks"),
		.players = word_of(L, "players", "person", kinds),
		.late_rounds = field_int(L, -1, "late_rounds", 0),
		.match_length = field_int(L, -1, "match_length", 0),
		.rating_min = field_int(L, -1, "rating_min", 0),
		.rating_max = field_int(L, -1, "rating_max", 0),
		.check_in_ms = field_int(L, -1, "check_in_ms", 0),
		.no_show_ms = field_int(L, -1, "no_show_ms", NO_SHOW_MS_USUAL),
		.gap_ms = field_int(L, -1, "gap_ms", 0),
		.base_ms = field_int(L, -1, "base_ms", -1),
		.increment_ms = field_int(L, -1, "increment_ms", -1),
		.rated = field_bool(L, -1, "rated"),
	};
	robin = span_is(out->format, "round_robin") ||
		span_is(out->format, "double_round_robin");
	out->rounds = span_is(out->format, "swiss")
			      ? field_int(L, -1, "rounds", ROUNDS_USUAL)
			      : 0;
	out->entries_max = field_int(L, -1, "entries_max", robin ? 64 : 512);
	if (!field_push(L, -1, "enabled"))
		out->enabled = true;
	lua_pop(L, 1);
	read_when(L, out);
}
