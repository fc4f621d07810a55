/* SPDX-License-Identifier: MIT
 * bench.h - a store on a bench: a directory of its own, what it reported, and
 * what it holds as text, one line for each thing. */
#ifndef PLYD_TESTS_STORE_BENCH_H
#define PLYD_TESTS_STORE_BENCH_H

#include <ftw.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <plyd/err.h>
#include "base/buf.h"
#include "store/memory.h"
#include "store/store.h"

enum { BENCH_WAIT_S = 20, BENCH_TEXT_MAX = 32 * 1024 * 1024 };

struct bench {
	struct store *store;
	char dir[128]; /* "" for the store in memory */
	const char *vfs;
	enum durability durability;
	int64_t format;
	int lock_fd;
	sem_t wakes;
	uint64_t committed, failed_seq, probed_seq;
	int failures, probes, probe_err;
	char why[STORE_WHY_MAX];
	int reads, read_status;
	struct buf record; /* as text */
	struct buf text;
	uint64_t last_seq;
	int damaged;
};

static void bench_wake(void *payload)
{
	sem_post(payload);
}

static void bench_committed(void *payload, uint64_t seq)
{
	((struct bench *)payload)->committed = seq;
}

static void bench_failed(void *payload, uint64_t first_seq, const char *why)
{
	struct bench *b = payload;
	b->failures++;
	b->failed_seq = first_seq;
	snprintf(b->why, sizeof(b->why), "%s", why);
}

static void bench_probed(void *payload, int err, uint64_t last_seq,
			 const char *why)
{
	struct bench *b = payload;
	b->probes++;
	b->probe_err = err;
	b->probed_seq = last_seq;
	snprintf(b->why, sizeof(b->why), "%s", why);
}

static inline void bench_poll(struct bench *b)
{
	struct store_callbacks callbacks = { b, bench_committed, bench_failed,
					     bench_probed };
	store_poll(b->store, &callbacks);
}

/* Polls until the wanted seq is durable, or something else happened. */
static inline void bench_wait(struct bench *b, uint64_t seq)
{
	struct timespec until;
	int failures = b->failures, probes = b->probes, reads = b->reads;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += BENCH_WAIT_S;
	for (;;) {
		bench_poll(b);
		if ((seq && b->committed >= seq) || b->failures != failures ||
		    b->probes != probes || b->reads != reads)
			return;
		if (sem_timedwait(&b->wakes, &until)) {
			fprintf(stderr, "the store did not answer\n");
			abort();
		}
	}
}

static inline int bench_open(struct bench *b)
{
	struct store_options options = { .dir = b->dir,
					 .durability = b->durability,
					 .wake = bench_wake,
					 .payload = &b->wakes,
					 .vfs = b->vfs,
					 .format = b->format,
					 .lock_fd = b->lock_fd };
	return store_open(&b->store, &options, b->why);
}

static inline void bench_dir(struct bench *b)
{
	const char *tmp = getenv("TMPDIR");
	snprintf(b->dir, sizeof(b->dir), "%s/plyd-store-XXXXXX",
		 tmp ? tmp : "/tmp");
	if (!mkdtemp(b->dir))
		abort();
}

static inline struct bench *bench_new(void)
{
	struct bench *b = calloc(1, sizeof(*b));
	if (!b)
		abort();
	sem_init(&b->wakes, 0, 0);
	buf_init(&b->record, BENCH_TEXT_MAX);
	buf_init(&b->text, BENCH_TEXT_MAX);
	return b;
}

static int bench_unlink(const char *path, const struct stat *st, int kind,
			struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static inline void bench_dir_drop(struct bench *b)
{
	nftw(b->dir, bench_unlink, 8, FTW_DEPTH | FTW_PHYS);
}

static inline void bench_free(struct bench *b)
{
	store_close(b->store);
	if (b->dir[0])
		bench_dir_drop(b);
	buf_release(&b->record);
	buf_release(&b->text);
	sem_destroy(&b->wakes);
	free(b);
}

/* ---- what it holds ----------------------------------------------------- */

static int bench_snapshot(void *payload, uint64_t seq, struct span bytes)
{
	struct bench *b = payload;
	return buf_printf(&b->text, "snapshot %d %.*s\n", (int)seq,
			  (int)bytes.len, (const char *)bytes.at);
}

static int bench_row(void *payload, uint64_t seq, const struct id *stream,
		     struct span bytes)
{
	struct bench *b = payload;
	return buf_printf(&b->text, "row %d %s %.*s\n", (int)seq,
			  stream->text[0] ? stream->text : "-", (int)bytes.len,
			  (const char *)bytes.at);
}

static int bench_secret(void *payload, const struct id *match,
			struct span bytes)
{
	struct bench *b = payload;
	return buf_printf(&b->text, "secret %s %.*s\n", match->text,
			  (int)bytes.len, (const char *)bytes.at);
}

static int bench_damaged(void *payload, uint64_t seq, const struct id *stream,
			 const char *what)
{
	struct bench *b = payload;
	(void)seq;
	(void)stream;
	b->damaged++;
	return buf_printf(&b->text, "damaged %s\n", what);
}

/* All that store_load() tells, as text that stays until the next call; "" and
 * b->why if it fails. */
static inline const char *bench_text(struct bench *b)
{
	struct store_loader loader = { b, bench_snapshot, bench_row,
				       bench_secret, bench_damaged };
	buf_clear(&b->text);
	b->damaged = 0;
	if (store_load(b->store, &loader, &b->last_seq, b->why))
		buf_clear(&b->text);
	buf_put_byte(&b->text, 0);
	return (const char *)b->text.at;
}

static void bench_on_record(void *payload, int status,
			    const struct store_record *record)
{
	struct bench *b = payload;
	struct span row;
	b->reads++;
	b->read_status = status;
	buf_clear(&b->record);
	if (record) {
		struct span rows = record->rows;
		buf_printf(&b->record, "%d %02x %.*s", (int)record->ended_seq,
			   record->head.len > 0 ? record->head.at[0] : 0u,
			   (int)record->meta.len,
			   (const char *)record->meta.at);
		while (store_record_next(&rows, &row) > 0)
			buf_printf(&b->record, " %.*s", (int)row.len,
				   (const char *)row.at);
	}
	buf_put_byte(&b->record, 0);
}

/* A record as text: its seq, first byte of its head, meta and rows; or the name
 * of the error. */
static inline const char *bench_record(struct bench *b, const struct id *match)
{
	int err = store_read_record(b->store, match, bench_on_record, b);
	if (err)
		return plyd_err_name(err);
	bench_wait(b, 0);
	return b->read_status ? plyd_err_name(b->read_status)
			      : (const char *)b->record.at;
}

/* The same of the rows of a match that has not ended. */
static inline const char *bench_rows(struct bench *b, const struct id *match)
{
	int err = store_read_rows(b->store, match, bench_on_record, b);
	if (err)
		return plyd_err_name(err);
	bench_wait(b, 0);
	return b->read_status ? plyd_err_name(b->read_status)
			      : (const char *)b->record.at;
}

static void bench_on_list(void *payload, int status,
			  const struct store_record *record)
{
	struct bench *b = payload;
	struct store_listed listed;
	b->reads++;
	b->read_status = status;
	buf_clear(&b->record);
	if (record) {
		struct span rows = record->rows;
		while (store_listed_next(&rows, &listed) > 0)
			buf_printf(&b->record, "%d %c %.*s\n",
				   (int)listed.ended_seq, listed.match.text[0],
				   (int)listed.meta.len,
				   (const char *)listed.meta.at);
	}
	buf_put_byte(&b->record, 0);
}

/* A list as text: a line with the seq, the match and the meta of each. owner 0:
 * of all. */
static inline const char *bench_list(struct bench *b, char owner,
				     uint64_t before_seq, size_t most)
{
	struct id id = { "" };
	if (owner)
		memset(id.text, owner, ID_CHARS);
	int err = store_list_records(b->store, &id, before_seq, most,
				     bench_on_list, b);
	if (err)
		return plyd_err_name(err);
	bench_wait(b, 0);
	return b->read_status ? plyd_err_name(b->read_status)
			      : (const char *)b->record.at;
}

/* ---- short forms ------------------------------------------------------- */

/* The only match ids that tests need: "a" becomes "aaaaaaaaaa". */
static inline struct id id_of(char letter)
{
	struct id id = { { 0 } };
	memset(id.text, letter, ID_CHARS);
	return id;
}

/* letter 0: the general stream. */
static inline void put_row(struct store_batch *b, uint64_t seq, char letter,
			   uint64_t prev, const char *text)
{
	struct id match = id_of(letter);
	store_append(b, seq, letter ? &match : NULL, prev, span_str(text));
}

/* owners: a letter each, two at most. */
static inline void put_owned(struct store_batch *b, char letter, uint64_t seq,
			     const char *meta, const char *owners)
{
	struct id match = id_of(letter);
	struct store_ending ending = { .last_seq = seq,
				       .head = { { (uint8_t)letter } },
				       .meta = span_str(meta) };
	for (size_t i = 0; owners[i]; i++)
		ending.owner[i] = id_of(owners[i]);
	store_finish(b, &match, &ending);
}

static inline void put_finish(struct store_batch *b, char letter, uint64_t seq,
			      const char *meta)
{
	put_owned(b, letter, seq, meta, "");
}

static inline void put_secret(struct store_batch *b, char letter,
			      const char *text)
{
	struct id match = id_of(letter);
	store_secret_put(b, &match, span_str(text));
}

#endif
