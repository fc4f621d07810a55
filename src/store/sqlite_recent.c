/* SPDX-License-Identifier: MIT
 * The newest rows of matches, as they were written: a match that ends has most
 * of its rows here, and they need not be looked for in the database one by one.
 * A row's place follows from its seq; what is not here is read from there. */
#include "store/sqlite_priv.h"

#include <assert.h>
#include <stdlib.h>

enum {
	RECENT_ROWS = 64 * 1024,
	RECENT_BYTES = 36, /* longer ones are not kept */
	LINE_BYTES = 64,
};

struct recent_row {
	uint64_t seq; /* 0: none */
	uint64_t prev;
	struct id stream;
	uint8_t len;
	uint8_t bytes[RECENT_BYTES];
};

/* So that one costs one line of memory. */
static_assert(sizeof(struct recent_row) == LINE_BYTES, "a row is a line");

static struct recent_row *place_of(const struct db *db, uint64_t seq)
{
	return &db->recent[seq % RECENT_ROWS];
}

void recent_put(struct db *db, const struct op *op, struct span bytes)
{
	if (bytes.len > RECENT_BYTES || id_is_none(&op->stream))
		return;
	if (!db->recent)
		db->recent = calloc(RECENT_ROWS, sizeof(*db->recent));
	if (!db->recent)
		return; /* the database has it */
	struct recent_row *row = place_of(db, op->seq);
	row->seq = op->seq;
	row->prev = op->prev;
	row->stream = op->stream;
	row->len = (uint8_t)bytes.len;
	memcpy(row->bytes, bytes.at, bytes.len);
}

bool recent_get(const struct db *db, uint64_t seq, const struct id *match,
		uint64_t *prev, struct span *bytes)
{
	if (!db->recent)
		return false;
	const struct recent_row *row = place_of(db, seq);
	if (row->seq != seq || !id_eq(&row->stream, match))
		return false;
	*prev = row->prev;
	*bytes = span_of(row->bytes, row->len);
	return true;
}

void recent_release(struct db *db)
{
	free(db->recent);
	db->recent = NULL;
}
