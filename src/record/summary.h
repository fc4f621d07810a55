/* SPDX-License-Identifier: MIT
 * summary.h - what lists of finished matches show of one: kept beside its
 * record, so that a list need not read the whole. */
#ifndef PLYD_RECORD_SUMMARY_H
#define PLYD_RECORD_SUMMARY_H

#include "base/buf.h"
#include "domain/domain.h"
#include "proto/read.h"

struct summary_seat {
	struct id player; /* none for a personality */
	enum player_kind kind;
	struct span name;
};

struct summary {
	struct span ruleset;
	int64_t began_unix_ms;
	int64_t ended_unix_ms; /* by the server's clock when it ended */
	bool rated;
	int64_t plies;
	enum match_result result;
	struct span reason; /* as on the wire */
	int64_t points;
	int64_t score[2]; /* of a match of several games */
	struct summary_seat seat[2];
};

/* Appends the summary of a match that is over; look at b->err. */
void summary_write(struct buf *b, const struct match *m, int64_t ended_unix_ms);

/* Reads it. Texts are lent by doc and by `bytes`. PLYD_ERECORD: it is none.
 * PLYD_ENOMEM. */
int summary_read(struct doc *doc, struct span bytes, struct summary *out);

#endif
