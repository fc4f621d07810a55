/* SPDX-License-Identifier: MIT */
#include "store/sqlite_priv.h"

#include <stdio.h>

static const char *const statement_sql[STATEMENT_COUNT] = {
#define S(name, sql) [STATEMENT_##name] = (sql),
	STATEMENTS(S)
#undef S
};

int db_error(struct db *db, const char *doing)
{
	/* before a handle exists there is no message either */
	const char *text =
		db->handle ? sqlite3_errmsg(db->handle) : "out of memory";
	int code = db->handle ? sqlite3_extended_errcode(db->handle)
			      : SQLITE_NOMEM;
	snprintf(db->why, sizeof(db->why), "%s: %s (sqlite %d)", doing, text,
		 code);
	return PLYD_ESTORE;
}

int db_exec(struct db *db, const char *sql)
{
	if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK)
		return PLYD_OK;
	return db_error(db, "cannot set up the database");
}

/* Setting the hook also turns SQLite's own checkpoints at commit off. */
static int on_wal_written(void *payload, sqlite3 *handle, const char *name,
			  int pages)
{
	struct db *db = payload;
	(void)handle;
	(void)name;
	db->wal_pages = pages;
	return SQLITE_OK;
}

static const char *synchronous_sql(enum durability durability)
{
	switch (durability) {
	case DURABILITY_FULL: return "PRAGMA synchronous = FULL";
	case DURABILITY_NORMAL: return "PRAGMA synchronous = NORMAL";
	case DURABILITY_NONE:
	case DURABILITY_MEMORY: return "PRAGMA synchronous = OFF";
	}
	return "";
}

int db_open(struct db *db, const struct db_options *options)
{
	*db = (struct db){ .mark = options->mark };
	int rc = sqlite3_open_v2(options->path, &db->handle,
				 (options->read_only ? SQLITE_OPEN_READONLY
						     : SQLITE_OPEN_READWRITE) |
					 SQLITE_OPEN_NOMUTEX,
				 options->vfs);
	if (rc != SQLITE_OK) {
		db_error(db, "cannot open the database");
		db_close(db);
		return PLYD_ESTORE;
	}
	sqlite3_extended_result_codes(db->handle, 1);
	sqlite3_busy_timeout(db->handle, DB_BUSY_MS);
	sqlite3_wal_hook(db->handle, on_wal_written, db);
	if (db_exec(db, synchronous_sql(options->durability)) ||
	    db_exec(db, "PRAGMA temp_store = MEMORY")) {
		db_close(db);
		return PLYD_ESTORE;
	}
	return PLYD_OK;
}

void db_close(struct db *db)
{
	for (int i = 0; i < STATEMENT_COUNT; i++) {
		sqlite3_finalize(db->kept[i]);
		db->kept[i] = NULL;
	}
	sqlite3_close(db->handle);
	db->handle = NULL;
	recent_release(db);
}

int db_next(struct db *db, sqlite3_stmt *st)
{
	int rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		return 1;
	return rc == SQLITE_DONE ? 0 : db_error(db, "cannot read");
}

int db_find_row(struct db *db, uint64_t seq, sqlite3_stmt **st)
{
	*st = db_statement(db, STATEMENT_ROW_GET);
	if (!*st)
		return PLYD_ESTORE;
	bind_u64(*st, 1, seq);
	return db_next(db, *st);
}

sqlite3_stmt *db_statement(struct db *db, enum statement which)
{
	sqlite3_stmt **kept = &db->kept[which];
	if (*kept) {
		sqlite3_reset(*kept);
		sqlite3_clear_bindings(*kept);
		return *kept;
	}
	int rc = sqlite3_prepare_v3(db->handle, statement_sql[which], -1,
				    SQLITE_PREPARE_PERSISTENT, kept, NULL);
	if (rc != SQLITE_OK)
		db_error(db, "cannot use the database");
	return *kept;
}

int db_run(struct db *db, sqlite3_stmt *st)
{
	int rc = sqlite3_step(st);
	if (rc != SQLITE_DONE)
		db_error(db, "cannot write");
	sqlite3_reset(st);
	return rc == SQLITE_DONE ? PLYD_OK : PLYD_ESTORE;
}

/* SQLite's integers are signed; a seq never exceeds INT64_MAX. */
void bind_u64(sqlite3_stmt *st, int at, uint64_t value)
{
	sqlite3_bind_int64(st, at, (sqlite3_int64)value);
}

void bind_id(sqlite3_stmt *st, int at, const struct id *id)
{
	sqlite3_bind_text(st, at, id->text, -1, SQLITE_STATIC);
}

void bind_bytes(sqlite3_stmt *st, int at, struct span bytes)
{
	/* a NULL pointer would be stored as NULL, not as no bytes */
	sqlite3_bind_blob64(st, at, bytes.len ? bytes.at : (const void *)"",
			    bytes.len, SQLITE_STATIC);
}

uint64_t column_u64(sqlite3_stmt *st, int at)
{
	return (uint64_t)sqlite3_column_int64(st, at);
}

struct span column_bytes(sqlite3_stmt *st, int at)
{
	const void *bytes = sqlite3_column_blob(st, at);
	int len = sqlite3_column_bytes(st, at);
	return bytes ? span_of(bytes, (size_t)len) : span_of("", 0);
}

bool column_id(sqlite3_stmt *st, int at, struct id *out)
{
	struct span text = column_bytes(st, at);
	*out = (struct id){ 0 };
	return text.len == 0 || id_read(text, out);
}

bool column_checksum(sqlite3_stmt *st, int at, struct checksum sum)
{
	return span_eq(column_bytes(st, at),
		       span_of(sum.byte, sizeof(sum.byte)));
}
