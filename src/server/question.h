/* SPDX-License-Identifier: MIT
 * question.h - a match as a worker is told of it. */
#ifndef PLYD_SERVER_QUESTION_H
#define PLYD_SERVER_QUESTION_H

#include "base/buf.h"
#include "domain/match.h"

/* The text of the ruleset that was asked about last: most questions are about the
 * same one, and writing it takes longer than the rest of a question. Begins
 * zeroed. */
struct ruleset_text {
	struct ruleset rules;
	size_t len;
	char text[RULESET_TEXT_MAX];
};

/* The side of the personality that must decide this. */
enum side question_side(const struct match *m, enum awaits asked);

/* What that personality, which kept `memory`, is asked under its whole name;
 * appended to b. */
void question_choose(struct buf *b, const struct match *m, enum awaits asked,
		     const char *script, uint64_t now_ms, struct span memory);

/* What a policy is asked about the position, appended to b. */
void question_verdict(struct buf *b, const struct match *m, const char *script,
		      struct span memory, struct ruleset_text *rules);

#endif
