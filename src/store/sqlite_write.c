/* SPDX-License-Identifier: MIT
 * Batches become one transaction. */
#include "store/sqlite_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int run_simple(struct db *db, enum statement which)
{
	sqlite3_stmt *st = db_statement(db, which);
	return st ? db_run(db, st) : PLYD_ESTORE;
}

static int write_row(struct db *db, const struct op *op, struct span bytes)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_ROW_PUT);
	if (!st)
		return PLYD_ESTORE;
	struct checksum sum =
		checksum_of(op->seq, &op->stream, op->prev, bytes);
	bind_u64(st, 1, op->seq);
	bind_id(st, 2, &op->stream);
	bind_u64(st, 3, op->prev);
	bind_bytes(st, 4, bytes);
	bind_bytes(st, 5, span_of(sum.byte, sizeof(sum.byte)));
	recent_put(db, op, bytes);
	return db_run(db, st);
}

static int write_secret(struct db *db, const struct op *op, struct span bytes)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_SECRET_PUT);
	if (!st)
		return PLYD_ESTORE;
	struct checksum sum = checksum_of(0, &op->stream, 0, bytes);
	bind_id(st, 1, &op->stream);
	bind_bytes(st, 2, bytes);
	bind_bytes(st, 3, span_of(sum.byte, sizeof(sum.byte)));
	return db_run(db, st);
}

/* ---- a snapshot -------------------------------------------------------- */

static int trim_snapshots(struct db *db)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_SNAPSHOT_TRIM);
	if (!st)
		return PLYD_ESTORE;
	sqlite3_bind_int(st, 1, STORE_SNAPSHOTS_KEPT);
	return db_run(db, st);
}

/* The oldest snapshot that stays must find its tail complete. *covered is its
 * seq, 0 while there are not so many. */
static int oldest_snapshot(struct db *db, uint64_t *covered)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_SNAPSHOT_OLDEST);
	*covered = 0;
	if (!st)
		return PLYD_ESTORE;
	if (sqlite3_step(st) != SQLITE_ROW)
		return db_error(db, "cannot read the snapshots");
	if (column_u64(st, 1) >= STORE_SNAPSHOTS_KEPT)
		*covered = column_u64(st, 0);
	sqlite3_reset(st);
	return PLYD_OK;
}

static int trim_general(struct db *db)
{
	uint64_t covered;
	if (oldest_snapshot(db, &covered))
		return PLYD_ESTORE;
	if (covered <= db->trimmed)
		return PLYD_OK;
	sqlite3_stmt *st = db_statement(db, STATEMENT_GENERAL_TRIM);
	if (!st)
		return PLYD_ESTORE;
	bind_u64(st, 1, db->trimmed);
	bind_u64(st, 2, covered);
	db->trimmed = covered;
	db->drops = true;
	return db_run(db, st);
}

static int write_snapshot(struct db *db, const struct op *op, struct span bytes)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_SNAPSHOT_PUT);
	if (!st)
		return PLYD_ESTORE;
	struct checksum sum = checksum_of(op->seq, &op->stream, 0, bytes);
	bind_u64(st, 1, op->seq);
	bind_bytes(st, 2, bytes);
	bind_bytes(st, 3, span_of(sum.byte, sizeof(sum.byte)));
	int err = db_run(db, st);
	if (!err)
		err = trim_snapshots(db);
	return err ? err : trim_general(db);
}

/* ---- a match moves to its record --------------------------------------- */

/* The rows of a match, newest first, as the prev links give them. */
struct chain {
	struct buf bytes; /* of all rows, one after another */
	struct link {
		uint64_t seq;
		size_t at, len;
	} * links;
	size_t count, cap;
};

static int chain_put(struct chain *c, uint64_t seq, struct span bytes)
{
	if (c->count == c->cap) {
		size_t cap = c->cap ? c->cap * 2 : 64;
		struct link *links = realloc(c->links, cap * sizeof(*links));
		if (!links)
			return PLYD_ENOMEM;
		c->links = links;
		c->cap = cap;
	}
	struct link *link = &c->links[c->count];
	*link = (struct link){ seq, c->bytes.len, bytes.len };
	int err = buf_put(&c->bytes, bytes.at, bytes.len);
	c->count += !err;
	return err;
}

static int record_error(struct db *db, const struct id *match, int err)
{
	snprintf(db->why, sizeof(db->why), "match %s: its record: %s",
		 match->text, plyd_err_text(err));
	return PLYD_ESTORE;
}

/* Adds the row to the chain and tells its predecessor, out of the database. */
static int chain_read(struct db *db, struct chain *c, const struct id *match,
		      uint64_t seq, uint64_t *prev)
{
	struct id stream;
	sqlite3_stmt *st;
	int got = db_find_row(db, seq, &st);
	if (got < 0)
		return got;
	*prev = column_u64(st, 1);
	struct span bytes = column_bytes(st, 2);
	if (got == 0 || !column_id(st, 0, &stream) || !id_eq(&stream, match) ||
	    *prev >= seq ||
	    !column_checksum(st, 3, checksum_of(seq, match, *prev, bytes))) {
		snprintf(db->why, sizeof(db->why),
			 "match %s: row %" PRIu64 " is missing or damaged",
			 match->text, seq);
		sqlite3_reset(st);
		return PLYD_ESTORE;
	}
	int err = chain_put(c, seq, bytes);
	sqlite3_reset(st);
	return err ? record_error(db, match, err) : PLYD_OK;
}

/* The same, out of memory if it can be. */
static int chain_follow(struct db *db, struct chain *c, const struct id *match,
			uint64_t seq, uint64_t *prev)
{
	struct span bytes;
	uint64_t before;
	if (!recent_get(db, seq, match, &before, &bytes))
		return chain_read(db, c, match, seq, prev);
	*prev = before;
	int err = chain_put(c, seq, bytes);
	return err ? record_error(db, match, err) : PLYD_OK;
}

/* Writes the rows, oldest first, as one record. */
static int record_write(struct db *db, const struct op *op,
			const struct chain *c, struct span meta)
{
	struct buf rows;
	int err = PLYD_OK;
	buf_init(&rows, STORE_RECORD_MAX);
	for (size_t i = c->count; i-- > 0 && !err;)
		err = record_put(&rows, span_of(c->bytes.at + c->links[i].at,
						c->links[i].len));
	sqlite3_stmt *st = db_statement(db, STATEMENT_RECORD_PUT);
	if (err) {
		record_error(db, &op->stream, err);
	} else if (st) {
		bind_id(st, 1, &op->stream);
		bind_u64(st, 2, op->seq);
		bind_bytes(st, 3, span_of(op->head.byte, DIGEST_BYTES));
		bind_bytes(st, 4, meta);
		bind_bytes(st, 5, buf_span(&rows));
		err = db_run(db, st);
	}
	buf_release(&rows);
	return err || !st ? PLYD_ESTORE : PLYD_OK;
}

static int owned_put(struct db *db, const struct op *op, const struct id *owner)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_OWNED_PUT);
	if (!st)
		return PLYD_ESTORE;
	bind_id(st, 1, owner);
	bind_u64(st, 2, op->seq);
	bind_id(st, 3, &op->stream);
	return db_run(db, st);
}

/* Into the lists of its owners, and of all. */
static int write_owned(struct db *db, const struct op *op)
{
	static const struct id all;
	int err = owned_put(db, op, &all);
	for (size_t i = 0; i < STORE_OWNERS && !err; i++)
		if (!id_is_none(&op->owner[i]))
			err = owned_put(db, op, &op->owner[i]);
	return err;
}

static int drop_secret(struct db *db, const struct id *match)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_SECRET_DROP);
	if (!st)
		return PLYD_ESTORE;
	bind_id(st, 1, match);
	return db_run(db, st);
}

static int write_finish(struct db *db, const struct op *op, struct span meta)
{
	struct chain c = { 0 };
	int err = PLYD_OK;
	buf_init(&c.bytes, STORE_RECORD_MAX);
	for (uint64_t seq = op->seq; seq && !err;)
		err = chain_follow(db, &c, &op->stream, seq, &seq);
	if (!err)
		err = record_write(db, op, &c, meta);
	if (!err)
		err = write_owned(db, op);
	if (!err)
		err = drop_secret(db, &op->stream);
	if (!err)
		err = sweep_note(db, op, c.links[c.count - 1].seq, c.count);
	buf_release(&c.bytes);
	free(c.links);
	return err;
}

static int write_drop(struct db *db, const struct op *op)
{
	static const enum statement drops[] = { STATEMENT_RECORD_DROP,
						STATEMENT_OWNED_DROP };
	if (sweep_match(db, &op->stream))
		return PLYD_ESTORE;
	for (size_t i = 0; i < sizeof(drops) / sizeof(drops[0]); i++) {
		sqlite3_stmt *st = db_statement(db, drops[i]);
		if (!st)
			return PLYD_ESTORE;
		bind_id(st, 1, &op->stream);
		if (db_run(db, st))
			return PLYD_ESTORE;
	}
	return PLYD_OK;
}

/* ---- the transaction --------------------------------------------------- */

static int write_op(struct db *db, const struct store_batch *b,
		    const struct op *op)
{
	struct span bytes = op_bytes(b, op);
	switch (op->kind) {
	case OP_APPEND: return write_row(db, op, bytes);
	case OP_SECRET: return write_secret(db, op, bytes);
	case OP_FINISH: return write_finish(db, op, bytes);
	case OP_SNAPSHOT: return write_snapshot(db, op, bytes);
	case OP_DROP: return write_drop(db, op);
	}
	return PLYD_ESTORE;
}

int db_last_seq(struct db *db, uint64_t *last_seq)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_STATE_GET);
	if (!st)
		return PLYD_ESTORE;
	if (sqlite3_step(st) != SQLITE_ROW)
		return db_error(db, "cannot read the state");
	*last_seq = column_u64(st, 0);
	sqlite3_reset(st);
	return PLYD_OK;
}

static int write_state(struct db *db, uint64_t last_seq)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_STATE_PUT);
	if (!st)
		return PLYD_ESTORE;
	bind_u64(st, 1, last_seq);
	return db_run(db, st);
}

/* The state has the greatest seq for when its row is gone. It is a page of its
 * own, which a commit that only adds rows does without. */
static int write_batches(struct db *db, const struct store_batch *batches)
{
	uint64_t last_seq = 0, before;
	size_t written = 0;
	db->drops = false;
	if (db_last_seq(db, &before))
		return PLYD_ESTORE;
	for (const struct store_batch *b = batches; b; b = b->next) {
		for (size_t i = 0; i < b->count; i++)
			if (write_op(db, b, &b->ops[i]))
				return PLYD_ESTORE;
		written += b->count;
		if (b->last_seq > last_seq)
			last_seq = b->last_seq;
	}
	if (sweep_step(db, written))
		return PLYD_ESTORE;
	if (last_seq > 0 && !db->drops)
		return PLYD_OK;
	return write_state(db, last_seq > before ? last_seq : before);
}

/* From here on an older program might not understand what is written. */
static int write_mark(struct db *db)
{
	char sql[64];
	if (db->mark == 0)
		return PLYD_OK;
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %d", db->mark);
	int err = db_exec(db, sql);
	return err ? err
		   : db_exec(db, OWNED_TABLE_IF_MISSING SPENT_TABLE_IF_MISSING);
}

/* Undoes what is left of a transaction; db->why keeps the first cause. */
static void roll_back(struct db *db)
{
	char why[STORE_WHY_MAX];
	memcpy(why, db->why, sizeof(why));
	if (!sqlite3_get_autocommit(db->handle))
		run_simple(db, STATEMENT_ROLLBACK);
	memcpy(db->why, why, sizeof(why));
	recent_release(db);
}

int db_write(struct db *db, const struct store_batch *batches)
{
	int err = run_simple(db, STATEMENT_BEGIN);
	if (!err)
		err = write_mark(db);
	if (!err)
		err = sweep_resume(db);
	if (!err)
		err = write_batches(db, batches);
	if (!err)
		err = run_simple(db, STATEMENT_COMMIT);
	if (err)
		roll_back(db);
	else
		db->mark = 0;
	return err;
}

int db_probe(struct db *db, uint64_t *last_seq)
{
	int err = db_write(db, NULL);
	return err ? err : db_last_seq(db, last_seq);
}

void db_checkpoint(struct db *db)
{
	/* a failure here loses nothing: the log stays and is tried again */
	if (db->handle)
		sqlite3_wal_checkpoint_v2(db->handle, NULL,
					  SQLITE_CHECKPOINT_PASSIVE, NULL,
					  NULL);
}
