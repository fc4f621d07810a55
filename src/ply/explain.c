/* SPDX-License-Identifier: MIT */
#include "ply/explain.h"

#include <stdio.h>

/* How to introduce the detail; reasons that are not here have one that only
 * repeats where it was. */
static const char *const intro[REASON_COUNT] = {
	[REASON_BAD_NOTATION] = "Look at: ",
	[REASON_MUST_CAPTURE] = "These can capture: ",
	[REASON_CAPTURE_UNFINISHED] = "It goes on: ",
	[REASON_NOT_MAXIMUM_CAPTURE] = "So many must be taken, by these ways: ",
	[REASON_AMBIGUOUS_CAPTURE] = "There are: ",
	[REASON_DICE_UNUSED] = "For example, ",
	[REASON_LARGER_DIE] = "It is ",
};

size_t explain_refusal(const struct refusal *why, char out[EXPLAIN_MAX])
{
	const char *introduced = intro[why->reason];
	size_t at = 0;
	if (why->step > 0)
		at = (size_t)snprintf(out, EXPLAIN_MAX,
				      "Step %d, %s to %s: ", why->step,
				      why->from, why->to);
	at += (size_t)snprintf(out + at, EXPLAIN_MAX - at, "%s",
			       reason_text(why->reason));
	if (introduced && why->detail[0] != '\0')
		at += (size_t)snprintf(out + at, EXPLAIN_MAX - at, " %s%s.",
				       introduced, why->detail);
	return at;
}
