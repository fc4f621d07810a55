/* SPDX-License-Identifier: MIT
 * files.h - the files of a store on a bench: read, written, patched, copied as
 * a crash would leave them; and rows whose text follows from their number. */
#ifndef PLYD_TESTS_STORE_FILES_H
#define PLYD_TESTS_STORE_FILES_H

#include "base/digest.h"
#include "base/rng.h"
#include "bench.h"

enum { FILE_BYTES_MAX = 8 * 1024 * 1024, ROWS = 40 };

static inline int setup(void **state)
{
	struct bench *b = bench_new();
	bench_dir(b);
	*state = b;
	return bench_open(b);
}

static inline int teardown(void **state)
{
	bench_free(*state);
	return 0;
}

/* ---- files ------------------------------------------------------------- */

static inline const char *path_of(const struct bench *b, const char *name)
{
	static char path[256];
	snprintf(path, sizeof(path), "%s/%s", b->dir, name);
	return path;
}

/* The bytes of a file; none if it is not there. */
static inline struct buf file_read(const struct bench *b, const char *name)
{
	struct buf bytes;
	char piece[65536];
	size_t n;
	FILE *in = fopen(path_of(b, name), "rb");
	buf_init(&bytes, FILE_BYTES_MAX);
	while (in && (n = fread(piece, 1, sizeof(piece), in)) > 0)
		buf_put(&bytes, piece, n);
	if (in)
		fclose(in);
	assert_int_equal(bytes.err, PLYD_OK);
	return bytes;
}

static inline void file_write(const struct bench *b, const char *name,
			      struct span bytes)
{
	FILE *out = fopen(path_of(b, name), "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes.at, 1, bytes.len, out), bytes.len);
	fclose(out);
}

static inline void file_patch(const struct bench *b, const char *name, long at,
			      struct span bytes)
{
	FILE *out = fopen(path_of(b, name), "r+b");
	assert_non_null(out);
	fseek(out, at, SEEK_SET);
	assert_int_equal(fwrite(bytes.at, 1, bytes.len, out), bytes.len);
	fclose(out);
}

/* ---- what is in them --------------------------------------------------- */

static inline void commit(struct bench *b, struct store_batch *batch,
			  uint64_t seq)
{
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
	bench_wait(b, seq);
	assert_int_equal(b->failures, 0);
}

static inline void row_text(uint64_t seq, char text[300])
{
	struct rng rng;
	rng_seed(&rng, seq);
	size_t len = 20 + rng_below(&rng, 250);
	for (size_t i = 0; i < len; i++)
		text[i] = (char)('a' + rng_below(&rng, 26));
	text[len] = '\0';
}

/* Rows first..last, one commit each. */
static inline void commit_rows(struct bench *b, uint64_t first, uint64_t last)
{
	char text[300];
	for (uint64_t seq = first; seq <= last; seq++) {
		struct store_batch *batch = store_batch_begin();
		row_text(seq, text);
		put_row(batch, seq, 0, seq - 1, text);
		commit(b, batch, seq);
	}
}

/* The text of rows 1..last. */
static inline char *rows_text(uint64_t last)
{
	struct buf all;
	char text[300];
	buf_init(&all, FILE_BYTES_MAX);
	for (uint64_t seq = 1; seq <= last; seq++) {
		row_text(seq, text);
		buf_printf(&all, "row %d - %s\n", (int)seq, text);
	}
	buf_put_byte(&all, 0);
	return (char *)all.at;
}

static inline void close_store(struct bench *b)
{
	store_close(b->store);
	b->store = NULL;
}

/* Copies the files of an open store, as a crash would leave them. */
static inline struct bench *bench_crashed(const struct bench *b)
{
	struct bench *copy = bench_new();
	bench_dir(copy);
	static const char *const names[] = { "plyd.db", "plyd.db-wal" };
	for (size_t i = 0; i < COUNT(names); i++) {
		struct buf bytes = file_read(b, names[i]);
		file_write(copy, names[i], buf_span(&bytes));
		buf_release(&bytes);
	}
	return copy;
}

/* Patches the closed database and expects this refusal, and the same bytes
 * afterwards. */
static inline void expect_refusal(struct bench *b, int err, const char *why)
{
	struct buf before = file_read(b, "plyd.db");
	struct buf wal_before = file_read(b, "plyd.db-wal");
	assert_int_equal(bench_open(b), err);
	assert_null(b->store);
	if (!strstr(b->why, why))
		fail_msg("'%s' does not say '%s'", b->why, why);
	struct buf after = file_read(b, "plyd.db");
	struct buf wal_after = file_read(b, "plyd.db-wal");
	assert_true(span_eq(buf_span(&before), buf_span(&after)));
	assert_true(span_eq(buf_span(&wal_before), buf_span(&wal_after)));
	buf_release(&before);
	buf_release(&after);
	buf_release(&wal_before);
	buf_release(&wal_after);
}

#define FILES(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

#endif
