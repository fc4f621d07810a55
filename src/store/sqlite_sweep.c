/* SPDX-License-Identifier: MIT
 * The rows of a match lie among those of all that ran beside it. Were they
 * deleted when it ends, each of their pages would be written again, and again
 * for the next one that ends. So a finished match is noted as spent: nobody
 * reads its rows any more. When many are spent, a round goes through the journal
 * from their first row on, a step with each commit: it finds most pages with
 * nothing else in them, and those need not be written at all. What a round has
 * not got to when the program ends is left to the next program.
 * A note that is damaged would bring its match back: while there is one, what
 * has a record counts as spent, too, and no note goes. */
#include "store/sqlite_priv.h"

#include <inttypes.h>
#include <stdio.h>

enum {
	/* A round begins when so many are spent, whichever comes first. */
	SWEEP_MATCHES = 1024,
	SWEEP_ROWS = 64 * 1024,
	/* Rows that a step looks at, and in addition for each that came: a
	 * round ends, however many come. */
	SWEEP_STEP = 256,
	SWEEP_STEP_FOR_EACH = 4,
};

static struct checksum note_checksum(const struct id *match, uint64_t first_seq,
				     uint64_t last_seq, uint64_t round)
{
	char text[24];
	snprintf(text, sizeof(text), "%" PRIu64, round);
	return checksum_of(last_seq, match, first_seq, span_str(text));
}

int sweep_note(struct db *db, const struct op *op, uint64_t first_seq,
	       size_t rows)
{
	struct sweep *s = &db->sweep;
	sqlite3_stmt *st = db_statement(db, STATEMENT_SPENT_PUT);
	if (!st)
		return PLYD_ESTORE;
	struct checksum sum =
		note_checksum(&op->stream, first_seq, op->seq, s->round);
	bind_id(st, 1, &op->stream);
	bind_u64(st, 2, first_seq);
	bind_u64(st, 3, op->seq);
	bind_u64(st, 4, s->round);
	bind_bytes(st, 5, span_of(sum.byte, sizeof(sum.byte)));
	s->matches++;
	s->rows += rows;
	return db_run(db, st);
}

static void take_note(sqlite3_stmt *st, struct sweep *out)
{
	struct id match;
	uint64_t first_seq = column_u64(st, 1), last_seq = column_u64(st, 2);
	uint64_t round = column_u64(st, 3);
	if (!column_id(st, 0, &match) ||
	    !column_checksum(st, 4,
			     note_checksum(&match, first_seq, last_seq,
					   round))) {
		out->damaged = true;
		return;
	}
	if (!out->runs || first_seq < out->at)
		out->at = first_seq;
	if (last_seq > out->end)
		out->end = last_seq;
	if (round >= out->round)
		out->round = round + 1;
	out->runs = true;
}

int sweep_read(struct db *db, struct sweep *out)
{
	int got = PLYD_ESTORE;
	sqlite3_stmt *st = db_statement(db, STATEMENT_SPENT_ALL);
	*out = (struct sweep){ .looked = true };
	while (st && (got = db_next(db, st)) > 0)
		take_note(st, out);
	sqlite3_reset(st);
	return got;
}

/* *seq becomes that of the first row that is not before it; 0: there is none. */
static int skip_gap(struct db *db, uint64_t *seq)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_ROW_FROM);
	if (!st)
		return PLYD_ESTORE;
	bind_u64(st, 1, *seq);
	int got = db_next(db, st);
	*seq = got > 0 ? column_u64(st, 0) : 0;
	sqlite3_reset(st);
	return got < 0 ? got : PLYD_OK;
}

/* The notes of before the round: those that were made since are the next one's,
 * as it may have been past their rows. */
static int forget(struct db *db)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_SPENT_DROP);
	if (!st)
		return PLYD_ESTORE;
	bind_u64(st, 1, db->sweep.round);
	return db_run(db, st);
}

int sweep_resume(struct db *db)
{
	return db->sweep.looked ? PLYD_OK : sweep_read(db, &db->sweep);
}

/* Removes what is spent of so many rows from s->at on. */
static int look_at(struct db *db, uint64_t count)
{
	struct sweep *s = &db->sweep;
	sqlite3_stmt *st = db_statement(db, STATEMENT_ROWS_SWEEP);
	if (!st)
		return PLYD_ESTORE;
	bind_u64(st, 1, s->at);
	s->at += count;
	db->drops = true;
	bind_u64(st, 2, s->at - 1);
	return db_run(db, st);
}

int sweep_step(struct db *db, size_t written)
{
	struct sweep *s = &db->sweep;
	bool due = s->matches >= SWEEP_MATCHES || s->rows >= SWEEP_ROWS;
	if (due && !s->runs && sweep_read(db, s))
		return PLYD_ESTORE;
	if (!s->runs)
		return PLYD_OK;
	if (skip_gap(db, &s->at))
		return PLYD_ESTORE;
	if (s->at > 0 && s->at <= s->end)
		return look_at(db, SWEEP_STEP + SWEEP_STEP_FOR_EACH * written);
	s->runs = false;
	return s->damaged ? PLYD_OK : forget(db);
}

/* Removes the row if it is there, and tells its predecessor, or 0. */
static int drop_link(struct db *db, const struct id *match, uint64_t seq,
		     uint64_t *prev)
{
	struct id stream;
	sqlite3_stmt *st;
	int got = db_find_row(db, seq, &st);
	if (got < 0)
		return got;
	bool ours = got && column_id(st, 0, &stream) && id_eq(&stream, match) &&
		    column_u64(st, 1) < seq;
	*prev = ours ? column_u64(st, 1) : 0;
	sqlite3_reset(st);
	if (!ours)
		return PLYD_OK;
	st = db_statement(db, STATEMENT_ROW_DROP);
	if (!st)
		return PLYD_ESTORE;
	bind_u64(st, 1, seq);
	db->drops = true;
	return db_run(db, st);
}

int sweep_match(struct db *db, const struct id *match)
{
	sqlite3_stmt *st = db_statement(db, STATEMENT_SPENT_GET);
	if (!st)
		return PLYD_ESTORE;
	bind_id(st, 1, match);
	int got = db_next(db, st);
	uint64_t seq = got > 0 ? column_u64(st, 0) : 0;
	sqlite3_reset(st);
	int err = got < 0 ? got : PLYD_OK;
	while (seq && !err)
		err = drop_link(db, match, seq, &seq);
	return err;
}
