/* SPDX-License-Identifier: MIT
 * store.h - keeps bytes: a journal of rows in streams, secrets, snapshots and
 * finished records. It is not a loop: batches are queued and written by a
 * thread of the store, which calls `wake`; the owner then calls store_poll() on
 * its own thread and learns there what is durable and what is lost. It knows
 * bytes, not games.
 *
 * Threads: every function is for the one thread that owns the store. Only
 * `wake` is called elsewhere, and at any time until store_close() returns. */
#ifndef PLYD_STORE_STORE_H
#define PLYD_STORE_STORE_H

#include "base/digest.h"
#include "base/id.h"
#include "base/span.h"

enum {
	STORE_FORMAT = 3, /* number of the file format */
	STORE_ROWS_FORMAT_MAX = 999999,
	STORE_WHY_MAX = 512, /* bytes of a reason, NUL included */
	STORE_QUEUE_MAX = 64 * 1024 * 1024, /* bytes that wait to be written */
	STORE_ROW_MAX = 1024 * 1024,        /* bytes of one row or secret */
	STORE_SNAPSHOT_MAX = 32 * 1024 * 1024,
	STORE_RECORD_MAX = 16 * 1024 * 1024,
	STORE_SNAPSHOTS_KEPT = 2,
	STORE_READS_MAX = 256,  /* records asked for and not yet answered */
	STORE_OWNERS = 2,       /* of a record at most */
	STORE_LISTED_MAX = 200, /* records of one list */
	STORE_PATH_MAX = 2048,  /* bytes of a backup's path, NUL included */
};

/* What a power cut may take. */
enum durability {
	DURABILITY_FULL,   /* nothing that was reported as committed */
	DURABILITY_NORMAL, /* the newest commits; what remains is whole */
	DURABILITY_NONE,   /* anything, the file itself included */
	DURABILITY_MEMORY, /* all: nothing is written, and no record is kept */
};

struct store_options {
	const char *dir; /* data directory; made with those above if missing */
	enum durability durability;
	/* Tells that store_poll() has something to say. Called by a thread of
	 * the store: it must only pass the word on. */
	void (*wake)(void *payload);
	void *payload;
	const char *vfs; /* NULL: SQLite's own */
	/* What the rows mean, as a number that grows with the program that
	 * writes them. The file is marked with it when the first batch is
	 * written, and a program of a smaller number refuses it. 0: no number. */
	int64_t format;
	/* Not 0: holds the lock of the directory already, from
	 * store_hand_over(). It is duplicated. */
	int lock_fd;
};

struct store;

/* Opens the store on SQLite and gives it; end with store_close(). On an error
 * *out is NULL, why is a sentence that says what to do, and nothing on the disk
 * was changed.
 * PLYD_ELOCKED: another process has this directory.
 * PLYD_EVERSION: written by a newer plyd.
 * PLYD_ESTORE: damaged, unreadable, or not plyd's.
 * PLYD_ENOMEM. */
int store_open(struct store **out, const struct store_options *options,
	       char why[STORE_WHY_MAX]);

/* As store_open(), but to read only, also beside a plyd that uses the directory:
 * takes no lock, makes nothing and changes nothing, not even its mark. Only
 * store_load(), store_each_record() and store_close() may follow.
 * PLYD_ENOTHING: there is no database. Others as store_open(). */
int store_open_reader(struct store **out, const struct store_options *options,
		      char why[STORE_WHY_MAX]);

/* Writes what is queued, stops the threads and frees the store. What became
 * durable here is no longer reported; a record that was asked for is answered
 * with PLYD_ESHUTDOWN. store_close(NULL) does nothing. */
void store_close(struct store *s);

/* Gives a descriptor that holds the lock of the directory beyond
 * store_close(), for a program that takes over. close() it. -1: there are no
 * descriptors, or the store is in memory. */
int store_hand_over(struct store *s);
/* Bytes on the disk of the store in that directory; 0 without one. */
uint64_t store_bytes(const char *dir);

/* ---- writing ----------------------------------------------------------- */

/* Changes that become durable together or not at all. Errors stick: it is
 * enough to look at what store_batch_submit() returns. All bytes are copied. */
struct store_batch;

/* Gives an empty batch, or NULL without memory (every call takes NULL). Hand it
 * to store_batch_submit() or store_batch_free(). */
struct store_batch *store_batch_begin(void);
void store_batch_free(struct store_batch *b);

/* Appends a row to the journal. seq counts over all streams and only grows.
 * stream is a match, or NULL for the general stream. prev is the seq of the
 * stream's previous row, 0 for its first. */
int store_append(struct store_batch *b, uint64_t seq, const struct id *stream,
		 uint64_t prev, struct span bytes);

/* Keeps a secret of a match until the match is finished; a second one replaces
 * the first. */
int store_secret_put(struct store_batch *b, const struct id *match,
		     struct span bytes);

/* What is kept of a match with its record. */
struct store_ending {
	uint64_t last_seq; /* its last row */
	struct digest head;
	struct id owner[STORE_OWNERS]; /* in whose list it is; may be none */
	struct span meta;              /* what the list shows; kept as it is */
};

/* Moves all rows of a match, from last_seq back along the prev links, into its
 * record and deletes the secret. For the reader the rows are gone; those of many
 * matches leave the file together, some while later. It gets no more rows.
 * The commit fails if a row is missing, damaged or another stream's. */
int store_finish(struct store_batch *b, const struct id *match,
		 const struct store_ending *ending);

/* Keeps the general state as it is after seq. The newest STORE_SNAPSHOTS_KEPT
 * stay; general rows that the oldest of these covers are deleted. */
int store_snapshot(struct store_batch *b, uint64_t seq, struct span bytes);

/* Deletes the record of a match, if there is one, and what may be left of its
 * rows. */
int store_drop_record(struct store_batch *b, const struct id *match);

/* Queues the batch, and takes it whatever is returned. An error means that
 * nothing of it will be written:
 * PLYD_EFULL: STORE_QUEUE_MAX bytes wait already.
 * PLYD_ESTORE: a commit failed and no probe has succeeded since.
 * PLYD_ETOOLARGE: bytes over their limit. PLYD_ENOMEM. */
int store_batch_submit(struct store *s, struct store_batch *b);

/* Tries whether writing works again after a failure; `probed` tells. */
void store_probe(struct store *s);

struct store_callbacks {
	void *payload;
	/* All batches with rows up to seq are durable. */
	void (*committed)(void *payload, uint64_t seq);
	/* A commit failed: it, and all that was queued behind it, is lost, from
	 * first_seq on (0: none of it had rows). Once per failure; until a
	 * probe succeeds, submitting returns PLYD_ESTORE. */
	void (*failed)(void *payload, uint64_t first_seq, const char *why);
	/* Answer to store_probe(): PLYD_OK or PLYD_ESTORE with its reason.
	 * last_seq is the greatest seq in the store: should it not be less than
	 * the first_seq that was reported as lost, that commit reached the disk
	 * after all, and the state must be loaded anew. */
	void (*probed)(void *payload, int err, uint64_t last_seq,
		       const char *why);
};

/* Calls back, in this order and each at most once, committed, failed and
 * probed, and then the answers to store_read_record() and store_backup(). */
void store_poll(struct store *s, const struct store_callbacks *callbacks);

/* ---- reading ----------------------------------------------------------- */

/* Each lends its bytes until it returns. An error that one returns ends the
 * load and is returned by store_load(). */
struct store_loader {
	void *payload;
	/* The newest whole snapshot; not called if there is none. */
	int (*snapshot)(void *payload, uint64_t seq, struct span bytes);
	/* Rows in order of seq, but for general ones in the snapshot; stream is
	 * no id for the general stream. */
	int (*row)(void *payload, uint64_t seq, const struct id *stream,
		   struct span bytes);
	/* After the rows, in order of match. */
	int (*secret)(void *payload, const struct id *match, struct span bytes);
	/* A row, snapshot or secret whose checksum is wrong was passed over;
	 * what says which. seq is 0 for a secret. Where even the stream cannot
	 * be read, it is no id. */
	int (*damaged)(void *payload, uint64_t seq, const struct id *stream,
		       const char *what);
};

/* Reads everything that is durable, before returning: at the start, or to
 * rebuild after a failure. Call it while nothing is queued. *last_seq is the
 * greatest seq ever committed, 0 for none.
 * PLYD_ESTORE: the file cannot be read; why says what to do. */
int store_load(struct store *s, const struct store_loader *loader,
	       uint64_t *last_seq, char why[STORE_WHY_MAX]);

struct store_record {
	uint64_t ended_seq; /* the last_seq of store_finish() */
	struct span head;
	struct span meta;
	struct span rows; /* see store_record_next() */
};

/* status PLYD_OK: lends record until it returns. Otherwise record is NULL:
 * PLYD_ENORECORD, PLYD_ESTORE, PLYD_ENOMEM, PLYD_ESHUTDOWN. */
typedef void store_record_fn(void *payload, int status,
			     const struct store_record *record);

typedef int store_each_fn(void *payload, const struct id *match,
			  const struct store_record *record);

/* Calls fn with every record, oldest first, before returning; lends all. What fn
 * returns, if it is not PLYD_OK, ends that and is returned.
 * PLYD_ESTORE: the file cannot be read; why says what to do. Not for a store in
 * memory. */
int store_each_record(struct store *s, store_each_fn *fn, void *payload,
		      char why[STORE_WHY_MAX]);

/* Reads a finished match without blocking; answered by store_poll().
 * PLYD_EFULL: STORE_READS_MAX wait. PLYD_ENOMEM. After an error done is not
 * called. */
int store_read_record(struct store *s, const struct id *match,
		      store_record_fn *done, void *payload);

/* The same of a match that has not ended: its rows as they are durable, an
 * empty one for each that is damaged; no head, no meta. Not for records of
 * finished matches. */
int store_read_rows(struct store *s, const struct id *match,
		    store_record_fn *done, void *payload);

/* Lists finished matches, newest first: of an owner, or all (none), that ended
 * before the row of this seq (0: from the newest), `most` of them, at most
 * STORE_LISTED_MAX. Answered as store_read_record(), with `rows` alone, for
 * store_listed_next(). Matches that an older program finished are in no list. */
int store_list_records(struct store *s, const struct id *owner,
		       uint64_t before_seq, size_t most, store_record_fn *done,
		       void *payload);

struct store_listed {
	struct id match;
	uint64_t ended_seq;
	struct span meta;
};
/* Cuts the next one off such rows; returns as store_record_next(). */
int store_listed_next(struct span *rows, struct store_listed *out);

/* err PLYD_OK: the file is there, whole and on the disk, and has so many bytes.
 * Otherwise there is none, and why says why not: PLYD_EIO (it cannot be made, or
 * is there already), PLYD_ESTORE, PLYD_ESHUTDOWN. */
typedef void store_backup_fn(void *payload, int err, const char *why,
			     uint64_t bytes);

/* The folder in the data directory whose files a backup has in it, as they are
 * when it begins; the first store_open() of it makes them again. While
 * store_backs_up() nobody may delete any. */
#define STORE_CARRIED "scripts"
bool store_backs_up(const struct store *s);

/* Copies what is durable at this moment into a new file, which store_restore()
 * or a plain copy brings back; commits go on meanwhile. Answered by
 * store_poll(). One at a time: PLYD_EBUSY. PLYD_ENOTALLOWED: a store that is in
 * memory, or only reads. PLYD_ETOOLARGE: the path. PLYD_ENOMEM. After an error
 * done is not called. */
int store_backup(struct store *s, const char *path, store_backup_fn *done,
		 void *payload);

/* Makes the data directory and its database from a backup. PLYD_ESTORE: there is
 * a database already, or the file is not one of plyd's; PLYD_EVERSION; others as
 * store_open(). On an error there is no database. */
int store_restore(const struct store_options *options, const char *file,
		  char why[STORE_WHY_MAX]);

/* Bytes on the disk. */
struct store_size {
	uint64_t database;
	uint64_t log; /* what was committed and is not in the database yet */
};
struct store_size store_size(const struct store *s);

/* Cuts the next row off rows (each is a big-endian u32 length and its bytes).
 * Returns 1, 0 at the end, or PLYD_ERECORD if the rest is no whole row. */
int store_record_next(struct span *rows, struct span *row);

#endif
