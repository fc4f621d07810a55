/* SPDX-License-Identifier: MIT
 * store_priv.h - what both drivers share: batches, the queue between the owner
 * and the writer, and the reports that travel back. */
#ifndef PLYD_STORE_STORE_PRIV_H
#define PLYD_STORE_STORE_PRIV_H

#include <pthread.h>

#include <plyd/err.h>
#include "base/buf.h"
#include "store/store.h"

enum op_kind { OP_APPEND, OP_SECRET, OP_FINISH, OP_SNAPSHOT, OP_DROP };

struct db_options;

struct op {
	enum op_kind kind;
	uint64_t seq; /* of the row, the last row, or the snapshot */
	uint64_t prev;
	struct id stream; /* no id: the general stream */
	struct digest head;
	struct id owner[STORE_OWNERS]; /* of a record */
	size_t at, len;                /* in the batch's bytes */
};

struct store_batch {
	struct store_batch *next;
	struct op *ops;
	size_t count, cap;
	struct buf bytes;
	int err;
	uint64_t first_seq, last_seq; /* of its rows; 0 without */
};

struct span op_bytes(const struct store_batch *b, const struct op *op);

/* What is asked for: a record, the rows of a match that has not ended, a list
 * of records. */
enum read_kind { READ_RECORD, READ_ROWS, READ_LIST };

struct store_read {
	struct store_read *next;
	enum read_kind kind;
	struct id id;        /* the match; READ_LIST: the owner */
	uint64_t before_seq; /* READ_LIST */
	size_t most;
	store_record_fn *done;
	void *payload;
	int status;
	struct store_record record;
	uint8_t *memory; /* holds the record's bytes */
};

/* Copies the record's parts into memory that the read owns and sets status. */
void read_answer(struct store_read *r, const struct store_record *record);
/* Appends a record to the rows of a list. */
int list_row_put(struct buf *b, const struct store_listed *l);
/* Rows as record_put() made them; a list may have none. */
void rows_answer(struct store_read *r, const struct buf *rows);

/* One that is made, by a thread of its own; finished, err, why and bytes, and
 * cancelled, are under the store's lock. */
struct store_backup {
	struct store *store;
	const struct db_options *options; /* lent by the driver */
	char path[STORE_PATH_MAX];
	store_backup_fn *done;
	void *payload;
	pthread_t thread;
	bool finished, cancelled;
	int err;
	char why[STORE_WHY_MAX];
	uint64_t bytes;
};

struct report {
	bool committed, failed, probed;
	uint64_t committed_seq;
	uint64_t failed_seq;
	uint64_t probed_seq;
	int probe_err;
	char failed_why[STORE_WHY_MAX];
	char probe_why[STORE_WHY_MAX];
};

struct store_driver {
	/* A batch, a probe or a read waits. The lock is not held. */
	void (*kick)(struct store *s);
	int (*load)(struct store *s, const struct store_loader *loader,
		    uint64_t *last_seq, char why[STORE_WHY_MAX]);
	int (*records)(struct store *s, store_each_fn *fn, void *payload,
		       char why[STORE_WHY_MAX]);
	/* NULL: there is nothing to copy. */
	const struct db_options *(*files)(const struct store *s);
	/* Finishes what is queued and frees s, store_core_release() included. */
	void (*close)(struct store *s);
};

/* The first member of both drivers. */
struct store {
	const struct store_driver *driver;
	void (*wake)(void *payload);
	void *wake_payload;
	int lock_fd;          /* of the directory; -1: there is none */
	pthread_mutex_t lock; /* holds all that follows */
	struct store_batch *queue, **queue_end;
	size_t queued_bytes; /* taken ones count until they are settled */
	bool broken;         /* a commit failed, no probe was reported yet */
	bool probe_wanted;
	struct report report;
	struct store_read *asked, **asked_end;
	struct store_read *answered, **answered_end;
	size_t reads;
	struct store_backup *backup; /* NULL: none; for the owner */
};

/* PLYD_ENOMEM: no mutex could be had. */
int store_core_init(struct store *s, const struct store_driver *driver,
		    void (*wake)(void *payload), void *payload);
void store_core_release(struct store *s);

/* Gives all that is queued, oldest first, or NULL. The lock is held. */
struct store_batch *store_take(struct store *s);
/* Gives the oldest read that was asked for, or NULL. The lock is held. */
struct store_read *store_take_read(struct store *s);

/* What became of the batches that were taken; frees them. why NULL: they are
 * durable. Otherwise all that is queued by now is lost with them. */
void store_settle(struct store *s, struct store_batch *taken, const char *why);
/* why NULL: the probe succeeded. */
void store_settle_probe(struct store *s, uint64_t last_seq, const char *why);
/* Takes the read back with its answer. */
void store_settle_read(struct store *s, struct store_read *r);

/* Tells `done` of one that has finished. */
void store_backup_poll(struct store *s);
/* The thread of a backup. */
void *backup_main(void *backup);
/* Ends one that runs: `done` is told PLYD_ESHUTDOWN. Before a driver closes. */
void store_backup_end(struct store *s);

/* Writes a reason, cut to fit; returns err. */
int why_set(char why[STORE_WHY_MAX], int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

enum { CHECKSUM_BYTES = 8 };

/* What lies beside a row, beside a snapshot (no stream, prev 0), and beside a
 * secret (seq and prev 0). */
struct checksum {
	uint8_t byte[CHECKSUM_BYTES];
};
struct checksum checksum_of(uint64_t seq, const struct id *stream,
			    uint64_t prev, struct span bytes);

/* Appends one row of a record. */
int record_put(struct buf *b, struct span row);

#endif
