/* SPDX-License-Identifier: MIT */
#include <plyd/rules.h>

static const struct {
	const char *name;
	const char *text;
} reasons[REASON_COUNT] = { [REASON_NONE] = { "none", "The move is legal." },
#define R(code, name, doc) [REASON_##code] = { name, doc },
			    DRAUGHTS_REASONS(R) BACKGAMMON_REASONS(R)
				    CUBE_REASONS(R)
#undef R
};

static bool is_reason(enum reason reason)
{
	return (unsigned)reason < REASON_COUNT;
}

const char *reason_name(enum reason reason)
{
	return reasons[is_reason(reason) ? reason : REASON_NONE].name;
}

const char *reason_text(enum reason reason)
{
	return reasons[is_reason(reason) ? reason : REASON_NONE].text;
}
