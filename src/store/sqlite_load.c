/* SPDX-License-Identifier: MIT
 * What is durable is read back. */
#include "store/sqlite_priv.h"

#include <inttypes.h>
#include <stdio.h>

int db_has_table(struct db *db, const char *name)
{
	sqlite3_stmt *st =
		db->handle ? db_statement(db, STATEMENT_TABLE_IS_THERE) : NULL;
	if (!st)
		return PLYD_ESTORE;
	sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
	int got = db_next(db, st);
	sqlite3_reset(st);
	return got;
}

static int tell_damaged(const struct store_loader *loader, uint64_t seq,
			const struct id *stream, const char *kind)
{
	char what[STORE_WHY_MAX];
	snprintf(what, sizeof(what), "%s %" PRIu64 "%s%s: wrong checksum", kind,
		 seq, stream->text[0] ? " of match " : "", stream->text);
	return loader->damaged(loader->payload, seq, stream, what);
}

static int load_state(struct db *db, uint64_t *last_seq)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_STATE_GET);
	if (!st)
		return PLYD_ESTORE;
	int got = db_next(db, st);
	*last_seq = got > 0 ? column_u64(st, 0) : 0;
	sqlite3_reset(st);
	if (got == 0)
		snprintf(db->why, sizeof(db->why), "the state row is missing");
	return got > 0 ? PLYD_OK : PLYD_ESTORE;
}

/* Hands the newest whole snapshot on; *covered is its seq, or 0. */
static int load_snapshot(struct db *db, const struct store_loader *loader,
			 uint64_t *covered)
{
	static const struct id none;
	sqlite3_stmt *st = db_statement(db, STATEMENT_SNAPSHOTS);
	int got = st ? db_next(db, st) : PLYD_ESTORE;
	int err = PLYD_OK;
	for (; got > 0 && !err; got = db_next(db, st)) {
		uint64_t seq = column_u64(st, 0);
		struct span bytes = column_bytes(st, 1);
		struct checksum sum = checksum_of(seq, &none, 0, bytes);
		if (column_checksum(st, 2, sum)) {
			*covered = seq;
			err = loader->snapshot(loader->payload, seq, bytes);
			break;
		}
		err = tell_damaged(loader, seq, &none, "snapshot");
	}
	sqlite3_reset(st);
	return err ? err : got < 0 ? got : PLYD_OK;
}

static int load_row(sqlite3_stmt *st, const struct store_loader *loader)
{
	struct id stream;
	uint64_t seq = column_u64(st, 0), prev = column_u64(st, 2);
	bool known = column_id(st, 1, &stream);
	struct span bytes = column_bytes(st, 3);
	struct checksum sum = checksum_of(seq, &stream, prev, bytes);
	if (!known || !column_checksum(st, 4, sum))
		return tell_damaged(loader, seq, &stream, "row");
	return loader->row(loader->payload, seq, &stream, bytes);
}

/* The statement that passes over what is of no use. */
static int rows_statement(struct db *db, enum statement *out)
{
	struct sweep s;
	int got = db_has_table(db, "spent");
	*out = STATEMENT_ROWS;
	if (got <= 0)
		return got;
	int err = sweep_read(db, &s);
	*out = s.damaged ? STATEMENT_ROWS_UNRECORDED : STATEMENT_ROWS_UNSPENT;
	return err;
}

static int load_rows(struct db *db, const struct store_loader *loader,
		     uint64_t covered, uint64_t *last_seq)
{
	enum statement which;
	int got = PLYD_ESTORE, err = rows_statement(db, &which);
	sqlite3_stmt *st = err ? NULL : db_statement(db, which);
	if (!st)
		return PLYD_ESTORE;
	bind_u64(st, 1, covered);
	while (!err && (got = db_next(db, st)) > 0) {
		/* never less than what is there, whatever the state says */
		if (column_u64(st, 0) > *last_seq)
			*last_seq = column_u64(st, 0);
		err = load_row(st, loader);
	}
	sqlite3_reset(st);
	return err ? err : got;
}

static int load_secret(sqlite3_stmt *st, const struct store_loader *loader)
{
	struct id match;
	bool known = column_id(st, 0, &match);
	struct span bytes = column_bytes(st, 1);
	if (!known || !column_checksum(st, 2, checksum_of(0, &match, 0, bytes)))
		return tell_damaged(loader, 0, &match, "secret");
	return loader->secret(loader->payload, &match, bytes);
}

static int load_secrets(struct db *db, const struct store_loader *loader)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_SECRETS);
	int err = PLYD_OK, got = PLYD_ESTORE;
	while (st && !err && (got = db_next(db, st)) > 0)
		err = load_secret(st, loader);
	sqlite3_reset(st);
	return err ? err : got;
}

int db_load(struct db *db, const struct store_loader *loader,
	    uint64_t *last_seq)
{
	uint64_t covered = 0;
	/* one transaction, so that all parts are of one moment */
	sqlite3_stmt *begin = db_statement(db, STATEMENT_READ);
	int err = begin ? db_run(db, begin) : PLYD_ESTORE;
	if (!err)
		err = load_state(db, last_seq);
	if (!err)
		err = load_snapshot(db, loader, &covered);
	if (!err)
		err = load_rows(db, loader, covered, last_seq);
	if (!err)
		err = load_secrets(db, loader);
	return err;
}

static struct store_record column_record(sqlite3_stmt *st)
{
	return (struct store_record){ .ended_seq = column_u64(st, 0),
				      .head = column_bytes(st, 1),
				      .meta = column_bytes(st, 2),
				      .rows = column_bytes(st, 3) };
}

int db_each_record(struct db *db, store_each_fn *fn, void *payload)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_RECORDS);
	int err = PLYD_OK, got = PLYD_ESTORE;
	while (st && !err && (got = db_next(db, st)) > 0) {
		struct store_record record = column_record(st);
		struct id match;
		column_id(st, 4, &match); /* else no id: no record is of it */
		err = fn(payload, &match, &record);
	}
	sqlite3_reset(st);
	return err ? err : got;
}

/* One that is damaged is no fact any more: empty, it is not taken for one. */
static struct span row_or_none(sqlite3_stmt *st, const struct id *match)
{
	struct span bytes = column_bytes(st, 2);
	struct checksum sum =
		checksum_of(column_u64(st, 0), match, column_u64(st, 1), bytes);
	return column_checksum(st, 3, sum) ? bytes : span_of("", 0);
}

/* 1: the match has ended, its rows are still there. 0, PLYD_ESTORE. */
static int is_spent(struct db *db, const struct id *match)
{
	int got = db_has_table(db, "spent");
	if (got <= 0)
		return got;
	sqlite3_stmt *st = db_statement(db, STATEMENT_SPENT_GET);
	if (!st)
		return PLYD_ESTORE;
	bind_id(st, 1, match);
	got = db_next(db, st);
	sqlite3_reset(st);
	return got;
}

/* There is no index of the journal by match. */
static int match_rows(struct db *db, const struct id *match, struct buf *rows)
{
	int got = 0;
	sqlite3_stmt *st = db_statement(db, STATEMENT_MATCH_ROWS);
	if (!st)
		return PLYD_ESTORE;
	bind_id(st, 1, match);
	while (!rows->err && (got = db_next(db, st)) > 0)
		record_put(rows, row_or_none(st, match));
	sqlite3_reset(st);
	return got;
}

static void read_rows(struct db *db, struct store_read *r)
{
	struct buf rows;
	buf_init(&rows, STORE_RECORD_MAX);
	int got = is_spent(db, &r->id);
	if (got == 0)
		got = match_rows(db, &r->id, &rows);
	if (got < 0)
		r->status = got;
	else
		rows_answer(r, &rows);
	buf_release(&rows);
}

static void read_record(struct db *db, struct store_read *r)
{
	sqlite3_stmt *st =
		db->handle ? db_statement(db, STATEMENT_RECORD_GET) : NULL;
	if (!st) {
		r->status = PLYD_ESTORE;
		return;
	}
	bind_id(st, 1, &r->id);
	int got = db_next(db, st);
	if (got > 0) {
		struct store_record record = column_record(st);
		read_answer(r, &record);
	} else {
		r->status = got == 0 ? PLYD_ENORECORD : got;
	}
	sqlite3_reset(st);
}

static int list(struct db *db, struct store_read *r, struct buf *rows)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_OWNED);
	struct store_listed listed;
	int got = 0;
	if (!st)
		return PLYD_ESTORE;
	bind_id(st, 1, &r->id);
	bind_u64(st, 2, r->before_seq);
	bind_u64(st, 3, r->most);
	while (!rows->err && (got = db_next(db, st)) > 0) {
		if (!column_id(st, 0, &listed.match))
			continue;
		listed.ended_seq = column_u64(st, 1);
		listed.meta = column_bytes(st, 2);
		list_row_put(rows, &listed);
	}
	sqlite3_reset(st);
	return got;
}

static void read_list(struct db *db, struct store_read *r)
{
	struct buf rows;
	buf_init(&rows, STORE_RECORD_MAX);
	/* not before the first commit of a program that makes lists */
	int got = db_has_table(db, "owned");
	if (got > 0)
		got = list(db, r, &rows);
	if (got < 0)
		r->status = got;
	else
		rows_answer(r, &rows);
	buf_release(&rows);
}

void db_read(struct db *db, struct store_read *r)
{
	switch (r->kind) {
	case READ_RECORD: read_record(db, r); break;
	case READ_ROWS: read_rows(db, r); break;
	case READ_LIST: read_list(db, r); break;
	}
}
