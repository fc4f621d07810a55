/* SPDX-License-Identifier: MIT
 * journal.h - what a store would hold of a play, in memory, and how it comes
 * back into another domain. */
#ifndef PLYD_TESTS_JOURNAL_H
#define PLYD_TESTS_JOURNAL_H

#include "play.h"
#include "record/replay.h"

enum { JOURNAL_ROWS_MAX = 60000 };

struct journal_row_kept {
	enum fact_stream stream;
	uint64_t row;
	struct id match;
	size_t at; /* in bytes */
	size_t len;
};

struct journal {
	struct play *play;
	struct buf bytes;
	size_t count;
	struct journal_row_kept *kept;
	struct buf snapshot;
	uint64_t snapshot_row; /* 0 = none */
};

/* Listens to a play from now on. */
void journal_open(struct journal *j, struct play *p);
void journal_close(struct journal *j);
/* Takes a snapshot now. */
void journal_snapshot(struct journal *j);
struct span journal_bytes(const struct journal *j, size_t i);

/* Gives a new domain from the journal: the snapshot, if there is one, and the
 * general rows after it; all rows of matches that run; their secrets. */
struct domain *journal_replay(const struct journal *j);

/* The play goes on in another domain (takes it), as after a crash; everybody is
 * away, and a few ms have passed. */
void journal_restart(struct play *p, struct domain *d);

/* NULL, or the first durable field that differs. Matches that are over are in
 * no journal and are not compared. */
const char *durable_differs(const struct domain *a, const struct domain *b);

#endif
