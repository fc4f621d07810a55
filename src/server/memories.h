/* SPDX-License-Identifier: MIT
 * memories.h - what scripts keep of matches that are played: bytes that only
 * they understand, at most WORKER_KEPT_MAX for each. They live as long as this
 * process: after a restart a script begins with nothing. */
#ifndef PLYD_SERVER_MEMORIES_H
#define PLYD_SERVER_MEMORIES_H

#include "base/id.h"
#include "base/span.h"

/* Whose: the personality of a side, or the policy. */
enum memory_of { MEMORY_WHITE, MEMORY_BLACK, MEMORY_POLICY, MEMORIES };

struct memories; /* NULL: empty */

void memories_free(struct memories *m);

/* Lent until the next call; empty: nothing is kept. */
struct span memories_get(const struct memories *m, const struct id *match,
			 enum memory_of of);
/* Keeps a copy in place of what there was; empty bytes forget it. Without
 * memory what there was is forgotten. */
void memories_put(struct memories **m, const struct id *match,
		  enum memory_of of, struct span bytes);
/* The match is over. */
void memories_drop(struct memories **m, const struct id *match);

#endif
