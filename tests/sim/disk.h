/* SPDX-License-Identifier: MIT
 * disk.h - the false disk: what is durable, and the batches on their way to it.
 * A batch reaches the disk whole or not at all, but that a crash may tear a row
 * in the middle of the last one. */
#ifndef PLYD_TESTS_SIM_DISK_H
#define PLYD_TESTS_SIM_DISK_H

#include "base/buf.h"
#include "base/digest.h"
#include "base/id.h"

struct sim;
struct domain;

/* A row, a secret, a snapshot or the end of a match. */
enum piece_type { PIECE_ROW, PIECE_SECRET, PIECE_SNAPSHOT, PIECE_FINISH };

struct piece {
	enum piece_type type;
	uint64_t row; /* ROW, SNAPSHOT; FINISH: the last of the match */
	uint64_t prev;
	struct id match;
	struct digest head; /* FINISH, and so are the players */
	struct id player[2];
	uint8_t *at;
	size_t len;
	/* ROW: its checksum is wrong, so that the store passes it over; or it
	 * follows such a one of its match, and can mean nothing any more */
	bool torn, behind_torn;
};

struct batch {
	uint64_t number;
	struct piece *piece;
	size_t count, cap;
	bool fails;   /* the hub is told that it failed */
	bool reaches; /* it becomes durable all the same */
	struct batch *next;
};

struct record {
	struct id match;
	uint64_t row; /* that ended it */
	struct id player[2];
	struct buf summary;
	struct digest head;
	struct buf rows; /* each with its length, u32be, before it */
};

struct disk {
	struct batch *open; /* being filled */
	struct batch *first, **last;
	uint64_t batches; /* numbers given */
	uint64_t busy_until_ms;
	bool next_fails;
	struct piece *row; /* durable rows of unfinished streams, by number */
	size_t rows, row_cap;
	uint64_t last_row; /* the greatest that ever was durable */
	struct piece *secret;
	size_t secrets, secret_cap;
	struct record *record;
	size_t records, record_cap;
	struct piece snapshot;
	bool has_snapshot;
};

void disk_open(struct disk *d);
void disk_release(struct disk *d);

/* To the batch that is being filled. */
void disk_put(struct disk *d, const struct piece *p, struct span bytes);
/* Sends it on its way. False: nothing was taken, it is lost. */
bool disk_submit(struct sim *sim);
/* The next batch will fail. */
void disk_fails(struct disk *d);
/* This batch has ended, if it is still there; tells referee and hub. */
void disk_commit_ends(struct sim *sim, uint64_t number);
/* The server is gone: some of what was on its way arrives, the rest is lost. */
void disk_crash(struct sim *sim);
/* What was not submitted, or was behind a failure, is lost. */
void disk_forget_waiting(struct disk *d);
/* Brings back into an empty domain what is durable. */
void disk_load(struct sim *sim, struct domain *d);
/* Whether anything of a running match is durable. */
bool disk_has(const struct disk *d, const struct id *match);
/* NULL: there is none. */
const struct record *disk_record(const struct disk *d, const struct id *match);

#endif
