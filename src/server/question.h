/* SPDX-License-Identifier: MIT
 * question.h - a match as a worker is told of it. */
#ifndef PLYD_SERVER_QUESTION_H
#define PLYD_SERVER_QUESTION_H

#include "base/buf.h"
#include "domain/match.h"

/* The side of the personality that must decide this. */
enum side question_side(const struct match *m, enum awaits asked);

/* What that personality, which kept `memory`, is asked under its whole name;
 * appended to b. */
void question_choose(struct buf *b, const struct match *m, enum awaits asked,
		     const char *script, uint64_t now_ms, struct span memory);

/* What a policy is asked about the position, appended to b. */
void question_verdict(struct buf *b, const struct match *m, const char *script,
		      struct span memory);

#endif
