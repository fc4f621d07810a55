/* SPDX-License-Identifier: MIT
 * question.h - a match as a worker is told of it. */
#ifndef PLYD_SERVER_QUESTION_H
#define PLYD_SERVER_QUESTION_H

#include "base/buf.h"
#include "domain/match.h"

/* What a personality is asked for the side to move, appended to b. */
void question_choose(struct buf *b, const struct match *m, uint64_t now_ms);

/* What a policy is asked about the position, appended to b. */
void question_verdict(struct buf *b, const struct match *m);

#endif
