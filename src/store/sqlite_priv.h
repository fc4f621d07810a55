/* SPDX-License-Identifier: MIT
 * sqlite_priv.h - one connection to the SQLite file with the statements it
 * uses, and the files of the data directory. */
#ifndef PLYD_STORE_SQLITE_PRIV_H
#define PLYD_STORE_SQLITE_PRIV_H

#include <sqlite3.h>

#include "store/store_priv.h"

enum {
	DB_PATH_MAX = 4096,
	DB_BUSY_MS = 5000,
	/* Pages in the write-ahead log after which the other thread copies them
	 * to the database, and after which the writer does it itself so that
	 * the log stops growing. A page is 4 KiB. */
	WAL_PAGES_CHECKPOINT = 1000,
	WAL_PAGES_MAX = 16000,
};

/* S(name, sql): each is prepared when it is first used and kept. */
#define STATEMENTS(S)                                                          \
	S(BEGIN, "BEGIN IMMEDIATE")                                            \
	S(COMMIT, "COMMIT")                                                    \
	S(ROLLBACK, "ROLLBACK")                                                \
	S(READ, "BEGIN")                                                       \
	S(ROW_PUT, "INSERT INTO journal(seq, match, prev, bytes, checksum)"    \
		   " VALUES(?1, ?2, ?3, ?4, ?5)")                              \
	S(ROW_GET, "SELECT match, prev, bytes, checksum FROM journal"          \
		   " WHERE seq = ?1")                                          \
	S(ROW_DROP, "DELETE FROM journal WHERE seq = ?1")                      \
	S(SECRET_PUT, "INSERT OR REPLACE INTO secret(match, bytes, checksum)"  \
		      " VALUES(?1, ?2, ?3)")                                   \
	S(SECRET_DROP, "DELETE FROM secret WHERE match = ?1")                  \
	S(RECORD_PUT, "INSERT INTO record(match, ended_seq, head, meta, rows)" \
		      " VALUES(?1, ?2, ?3, ?4, ?5)")                           \
	S(RECORD_GET, "SELECT ended_seq, head, meta, rows FROM record"         \
		      " WHERE match = ?1")                                     \
	S(MATCH_ROWS,                                                          \
	  "SELECT seq, prev, bytes, checksum FROM journal WHERE match = ?1"    \
	  " ORDER BY seq")                                                     \
	S(RECORD_DROP, "DELETE FROM record WHERE match = ?1")                  \
	S(OWNED_PUT, "INSERT INTO owned(owner, ended_seq, match)"              \
		     " VALUES(?1, ?2, ?3)")                                    \
	S(OWNED_DROP, "DELETE FROM owned WHERE match = ?1")                    \
	S(TABLE_IS_THERE, "SELECT 1 FROM sqlite_schema WHERE name = ?1")       \
	S(OWNED, "SELECT o.match, o.ended_seq, r.meta FROM owned AS o"         \
		 " JOIN record AS r ON r.match = o.match"                      \
		 " WHERE o.owner = ?1 AND o.ended_seq < ?2"                    \
		 " ORDER BY o.ended_seq DESC LIMIT ?3")                        \
	S(RECORDS, "SELECT ended_seq, head, meta, rows, match FROM record"     \
		   " ORDER BY rowid")                                          \
	S(SNAPSHOT_PUT,                                                        \
	  "INSERT OR REPLACE INTO snapshot(seq, bytes, checksum)"              \
	  " VALUES(?1, ?2, ?3)")                                               \
	S(SNAPSHOT_TRIM, "DELETE FROM snapshot WHERE seq NOT IN"               \
			 " (SELECT seq FROM snapshot ORDER BY seq DESC"        \
			 " LIMIT ?1)")                                         \
	S(SNAPSHOT_OLDEST, "SELECT min(seq), count(*) FROM snapshot")          \
	S(GENERAL_TRIM, "DELETE FROM journal WHERE match = '' AND"             \
			" seq > ?1 AND seq <= ?2")                             \
	S(STATE_PUT, "UPDATE state SET commits = commits + 1,"                 \
		     " last_seq = max(last_seq, ?1)")                          \
	S(STATE_GET,                                                           \
	  "SELECT max(last_seq, ifnull((SELECT max(seq) FROM journal), 0))"    \
	  " FROM state")                                                       \
	S(SNAPSHOTS, "SELECT seq, bytes, checksum FROM snapshot"               \
		     " ORDER BY seq DESC")                                     \
	S(ROWS, "SELECT seq, match, prev, bytes, checksum FROM journal"        \
		" WHERE match <> '' OR seq > ?1 ORDER BY seq")                 \
	S(ROWS_UNSPENT,                                                        \
	  "SELECT seq, match, prev, bytes, checksum FROM journal"              \
	  " WHERE (match <> '' OR seq > ?1) AND"                               \
	  " match NOT IN (SELECT match FROM spent) ORDER BY seq")              \
	S(ROWS_UNRECORDED,                                                     \
	  "SELECT seq, match, prev, bytes, checksum FROM journal"              \
	  " WHERE (match <> '' OR seq > ?1) AND"                               \
	  " match NOT IN (SELECT match FROM spent) AND"                        \
	  " match NOT IN (SELECT match FROM record) ORDER BY seq")             \
	S(SPENT_PUT,                                                           \
	  "INSERT INTO spent(match, first_seq, last_seq, round, checksum)"     \
	  " VALUES(?1, ?2, ?3, ?4, ?5)")                                       \
	S(SPENT_GET, "SELECT last_seq FROM spent WHERE match = ?1")            \
	S(SPENT_ALL, "SELECT match, first_seq, last_seq, round, checksum"      \
		     " FROM spent")                                            \
	S(SPENT_DROP, "DELETE FROM spent WHERE round < ?1")                    \
	S(ROW_FROM, "SELECT seq FROM journal WHERE seq >= ?1"                  \
		    " ORDER BY seq LIMIT 1")                                   \
	S(ROWS_SWEEP, "DELETE FROM journal WHERE seq BETWEEN ?1 AND ?2 AND"    \
		      " match IN (SELECT match FROM spent)")                   \
	S(SECRETS, "SELECT match, bytes, checksum FROM secret ORDER BY match")

enum statement {
#define S(name, sql) STATEMENT_##name,
	STATEMENTS(S)
#undef S
		STATEMENT_COUNT
};

/* Where the removal of the rows of finished matches is. */
struct sweep {
	bool looked;  /* at what an earlier program left */
	bool damaged; /* a note is: none is forgotten any more */
	bool runs;
	uint64_t at, end;     /* the round has yet to look at these */
	uint64_t round;       /* which notes are made now */
	size_t matches, rows; /* noted since the round began */
};

/* Zeroed is closed. One thread uses it at a time. */
struct db {
	sqlite3 *handle;
	sqlite3_stmt *kept[STATEMENT_COUNT];
	int wal_pages;    /* as of the last commit */
	int mark;         /* the next commit marks the file; or 0 */
	uint64_t trimmed; /* no general row up to here is needed */
	bool drops;       /* this transaction deletes rows of the journal */
	struct sweep sweep;
	struct recent_row *recent; /* of the writer; NULL: none */
	char why[STORE_WHY_MAX];   /* of the last PLYD_ESTORE */
};

struct db_options {
	char dir[DB_PATH_MAX - 64];
	char path[DB_PATH_MAX];
	const char *vfs;
	enum durability durability;
	int mark;    /* of files that this program writes, see files_open() */
	int lock_fd; /* not 0: holds the lock */
	bool read_only;
};

/* Opens path with the pragmas that every connection needs. PLYD_ESTORE with
 * db->why, and closed. */
int db_open(struct db *db, const struct db_options *options);
void db_close(struct db *db);
/* Notes what SQLite says of `doing`; returns PLYD_ESTORE. */
int db_error(struct db *db, const char *doing);
/* Runs statements that give no rows. */
int db_exec(struct db *db, const char *sql);

/* Lends a statement, reset and ready to bind, or NULL with db->why. */
sqlite3_stmt *db_statement(struct db *db, enum statement which);
/* Runs a statement to its end: PLYD_OK, PLYD_ESTORE. */
int db_run(struct db *db, sqlite3_stmt *st);
/* Binds; a failure shows in the step that follows. */
void bind_u64(sqlite3_stmt *st, int at, uint64_t value);
void bind_id(sqlite3_stmt *st, int at, const struct id *id);
void bind_bytes(sqlite3_stmt *st, int at, struct span bytes);
uint64_t column_u64(sqlite3_stmt *st, int at);
struct span column_bytes(sqlite3_stmt *st, int at);
/* False: neither an id nor "". */
bool column_id(sqlite3_stmt *st, int at, struct id *out);
bool column_checksum(sqlite3_stmt *st, int at, struct checksum sum);

/* Writes all batches in one transaction. PLYD_ESTORE: db->why, and nothing of
 * it stays unless it is the commit itself that failed. */
int db_write(struct db *db, const struct store_batch *batches);
/* Keeps a row that is written, should there be memory. */
void recent_put(struct db *db, const struct op *op, struct span bytes);
/* Lends the row's bytes until the next one is put, if it is still here. */
bool recent_get(const struct db *db, uint64_t seq, const struct id *match,
		uint64_t *prev, struct span *bytes);
/* Forgets all: they may not have become durable. */
void recent_release(struct db *db);
/* Reads all notes that are whole, and where a round has to look. */
int sweep_read(struct db *db, struct sweep *out);
/* Begins with what an earlier program left, before the first change. */
int sweep_resume(struct db *db);
/* Notes that the rows of a finished match are of no use any more. */
int sweep_note(struct db *db, const struct op *op, uint64_t first_seq,
	       size_t rows);
/* Removes some of the rows that are of no use, if there are many; `written` have
 * come since the last step. */
int sweep_step(struct db *db, size_t written);
/* Removes those of one match. */
int sweep_match(struct db *db, const struct id *match);
/* One step: 1 for a row, 0 at the end, PLYD_ESTORE. */
int db_next(struct db *db, sqlite3_stmt *st);
/* The same for one row of the journal, which *st then is on: reset it. */
int db_find_row(struct db *db, uint64_t seq, sqlite3_stmt **st);
/* 1 or 0, PLYD_ESTORE: whether there is such a table. */
int db_has_table(struct db *db, const char *name);
/* The greatest seq that a connection sees. */
int db_last_seq(struct db *db, uint64_t *last_seq);
/* Commits something tiny and tells the greatest seq. */
int db_probe(struct db *db, uint64_t *last_seq);
/* Copies the write-ahead log into the database as far as nobody is kept
 * waiting. */
void db_checkpoint(struct db *db);
/* Calls the loader with all that a connection sees. */
int db_load(struct db *db, const struct store_loader *loader,
	    uint64_t *last_seq);
/* Calls fn with all records. */
int db_each_record(struct db *db, store_each_fn *fn, void *payload);
/* Answers r. */
void db_read(struct db *db, struct store_read *r);

/* Makes the directory if it is missing, and takes its lock. PLYD_ELOCKED,
 * PLYD_ESTORE. */
int files_claim(const struct db_options *options, int *lock_fd,
		char why[STORE_WHY_MAX]);
/* Makes and locks the directory, makes the database if there is none, and
 * checks it. Gives the descriptor that holds the lock. Errors as store_open().
 * Changes nothing in a database that it refuses: one whose mark is greater than
 * ours was written by a newer program. */
int files_open(const struct db_options *options, int *lock_fd,
	       char why[STORE_WHY_MAX]);

/* As store_restore(). */
int files_restore(const struct db_options *options, const char *file,
		  char why[STORE_WHY_MAX]);
/* Makes the name of a new file durable. */
int file_dir_sync(const char *path, char why[STORE_WHY_MAX]);

/* Whose a record is, and with the owner '' every record: the lists of finished
 * matches. A database of format 1 gets it with the first commit. */
#define OWNED_TABLE_AS(TABLE, INDEX)                                           \
	TABLE " owned(owner TEXT NOT NULL, ended_seq INTEGER NOT NULL,"        \
	      " match TEXT NOT NULL, PRIMARY KEY(owner, ended_seq))"           \
	      " WITHOUT ROWID;" INDEX " owned_match ON owned(match);"
#define OWNED_TABLE OWNED_TABLE_AS("CREATE TABLE", "CREATE INDEX")
#define OWNED_TABLE_IF_MISSING                                                 \
	OWNED_TABLE_AS("CREATE TABLE IF NOT EXISTS",                           \
		       "CREATE INDEX IF NOT EXISTS")

/* Finished matches whose rows are in the journal still, see sqlite_sweep.c. A
 * database of an older format gets it with the first commit. */
#define SPENT_TABLE_AS(TABLE)                                                  \
	TABLE " spent(match TEXT PRIMARY KEY, first_seq INTEGER NOT NULL,"     \
	      " last_seq INTEGER NOT NULL, round INTEGER NOT NULL,"            \
	      " checksum BLOB NOT NULL)"                                       \
	      " WITHOUT ROWID;"
#define SPENT_TABLE            SPENT_TABLE_AS("CREATE TABLE")
#define SPENT_TABLE_IF_MISSING SPENT_TABLE_AS("CREATE TABLE IF NOT EXISTS")

/* What a backup has in addition. */
#define CARRIED_TABLE                                                          \
	"CREATE TABLE carried(name TEXT PRIMARY KEY, bytes BLOB NOT NULL,"     \
	" checksum BLOB NOT NULL) WITHOUT ROWID;"

/* Puts the files of the folder STORE_CARRIED into a new database. PLYD_EIO,
 * PLYD_ESTORE. */
int carry_put(sqlite3 *to, const struct db_options *options,
	      char why[STORE_WHY_MAX]);
/* Makes files of them again, durably, if there are any, and takes them out. One
 * that is damaged is left out and logged. PLYD_ESTORE: all are still there. */
int carry_take(const struct db_options *options, char why[STORE_WHY_MAX]);

/* Checks a database for reading, beside whoever uses it. PLYD_ENOTHING: there is
 * none. Others as files_open(). */
int files_look(const struct db_options *options, char why[STORE_WHY_MAX]);

/* store_open() of DURABILITY_MEMORY. */
int fleeting_open(struct store **out, const struct store_options *options,
		  char why[STORE_WHY_MAX]);

/* -- sqlite_store.c, for both drivers -- */

int options_read(struct db_options *out, const struct store_options *options,
		 char why[STORE_WHY_MAX]);
int sqlite_load(const struct db_options *options,
		const struct store_loader *loader, uint64_t *last_seq,
		char why[STORE_WHY_MAX]);
int sqlite_records(const struct db_options *options, store_each_fn *fn,
		   void *payload, char why[STORE_WHY_MAX]);

#endif
