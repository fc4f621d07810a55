/* SPDX-License-Identifier: MIT
 * The data directory: its lock, the making of the database, and the check that
 * it is ours, whole, and not newer than this program. */
#include "store/sqlite_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	/* "plyd", for file(1) and against opening somebody else's database */
	APPLICATION_ID = 0x706c7964,
	DIR_MODE = 0700,
	FILE_MODE = 0600,
};

/* SQLite keeps these texts as they are, so a database can be held to them: a
 * damaged one would give the columns another meaning. */
#define TABLES                                                                 \
	"CREATE TABLE journal(seq INTEGER PRIMARY KEY, match TEXT NOT NULL,"   \
	" prev INTEGER NOT NULL, bytes BLOB NOT NULL,"                         \
	" checksum BLOB NOT NULL);"                                            \
	"CREATE TABLE secret(match TEXT PRIMARY KEY, bytes BLOB NOT NULL,"     \
	" checksum BLOB NOT NULL) WITHOUT ROWID;"                              \
	"CREATE TABLE record(match TEXT PRIMARY KEY,"                          \
	" ended_seq INTEGER NOT NULL, head BLOB NOT NULL,"                     \
	" meta BLOB NOT NULL, rows BLOB NOT NULL);"                            \
	"CREATE TABLE snapshot(seq INTEGER PRIMARY KEY,"                       \
	" bytes BLOB NOT NULL, checksum BLOB NOT NULL);"                       \
	"CREATE TABLE state(id INTEGER PRIMARY KEY CHECK(id = 1),"             \
	" last_seq INTEGER NOT NULL, commits INTEGER NOT NULL);"

/* Nothing is synced before the checkpoint, which syncs all: until the file has
 * its name it may as well not be there. */
static const char schema_sql[] =
	"PRAGMA synchronous = OFF;"
	"PRAGMA journal_mode = WAL;"
	"BEGIN IMMEDIATE;" TABLES OWNED_TABLE SPENT_TABLE
	"INSERT INTO state VALUES(1, 0, 0);";

static int refuse(char why[STORE_WHY_MAX], const char *doing, const char *path)
{
	return why_set(why, PLYD_ESTORE, "%s '%s': %s", doing, path,
		       strerror(errno));
}

/* ---- the directory ----------------------------------------------------- */

/* A new name is durable when its directory is. */
static int dir_sync(const char *path, char why[STORE_WHY_MAX])
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return refuse(why, "cannot open the directory", path);
	int rc = fsync(fd);
	close(fd);
	return rc ? refuse(why, "cannot sync the directory", path) : PLYD_OK;
}

int file_dir_sync(const char *path, char why[STORE_WHY_MAX])
{
	char dir[DB_PATH_MAX];
	snprintf(dir, sizeof(dir), "%s", path);
	char *slash = strrchr(dir, '/');
	if (slash)
		slash[slash == dir] = '\0';
	return dir_sync(slash ? dir : ".", why);
}

static int dir_make_one(const char *dir, char why[STORE_WHY_MAX])
{
	char parent[DB_PATH_MAX];
	if (mkdir(dir, DIR_MODE)) {
		struct stat st;
		if (errno == EEXIST && !stat(dir, &st) && S_ISDIR(st.st_mode))
			return PLYD_OK;
		return refuse(why, "cannot make the data directory", dir);
	}
	snprintf(parent, sizeof(parent), "%s/..", dir);
	return dir_sync(parent, why);
}

/* Makes the directory and those above it that are missing. */
static int dir_make(const char *dir, char why[STORE_WHY_MAX])
{
	char path[DB_PATH_MAX];
	snprintf(path, sizeof(path), "%s", dir);
	char *end = path + strspn(path, "/");
	while ((end = strchr(end, '/'))) {
		*end = '\0';
		int err = dir_make_one(path, why);
		if (err)
			return err;
		*end++ = '/';
	}
	return dir_make_one(dir, why);
}

/* A duplicate of a descriptor that is of the file at path; -1: it is not. */
static int lock_taken(int fd, const char *path)
{
	struct stat ours, there;
	bool same = fd > 0 && !fstat(fd, &ours) && !stat(path, &there) &&
		    ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
	return same ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
}

/* flock, not fcntl: a lock of the latter kind vanishes when SQLite closes any
 * descriptor of the same file. */
static int dir_lock(const struct db_options *options, int *lock_fd,
		    char why[STORE_WHY_MAX])
{
	const char *dir = options->dir;
	char path[DB_PATH_MAX];
	snprintf(path, sizeof(path), "%s/lock", dir);
	int fd = lock_taken(options->lock_fd, path);
	if (fd < 0)
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, FILE_MODE);
	if (fd < 0)
		return refuse(why, "cannot open", path);
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		bool taken = errno == EWOULDBLOCK;
		if (!taken)
			refuse(why, "cannot lock", path);
		close(fd);
		if (!taken)
			return PLYD_ESTORE;
		return why_set(why, PLYD_ELOCKED,
			       "another plyd uses the data directory '%s': "
			       "stop it, or give this one another directory",
			       dir);
	}
	*lock_fd = fd;
	return PLYD_OK;
}

/* ---- a new database ---------------------------------------------------- */

static int file_fill(const struct db_options *options, char why[STORE_WHY_MAX])
{
	struct db db;
	char numbers[192];
	snprintf(numbers, sizeof(numbers),
		 "PRAGMA application_id = %d; PRAGMA user_version = %d;"
		 "COMMIT; PRAGMA synchronous = FULL;"
		 "PRAGMA wal_checkpoint(TRUNCATE)",
		 APPLICATION_ID, options->mark);
	int err = db_open(&db, options);
	if (!err)
		err = db_exec(&db, schema_sql);
	if (!err)
		err = db_exec(&db, numbers);
	if (err)
		why_set(why, err, "cannot make '%s': %s", options->path,
			db.why);
	db_close(&db);
	return err;
}

/* The database gets its name when it is whole, without a log that would keep
 * its old name: so one without content was never ours to fill. */
static int file_make(const struct db_options *options, char why[STORE_WHY_MAX])
{
	struct db_options made = *options;
	made.durability = DURABILITY_FULL;
	snprintf(made.path, sizeof(made.path), "%s/plyd.db.new", made.dir);
	int fd = open(made.path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC,
		      FILE_MODE);
	if (fd < 0)
		return refuse(why, "cannot make", made.path);
	close(fd);
	int err = file_fill(&made, why);
	if (!err && rename(made.path, options->path))
		err = refuse(why, "cannot name", options->path);
	return err ? err : dir_sync(options->dir, why);
}

/* ---- the check of one that exists -------------------------------------- */

static int damaged(const struct db_options *options, const char *what,
		   char why[STORE_WHY_MAX])
{
	return why_set(why, PLYD_ESTORE,
		       "the database '%s' is damaged (%s): nothing was "
		       "changed; move the directory away and restore a backup",
		       options->path, what);
}

/* The first column of the first row, as a number or into text. */
static int ask(struct db *db, const char *sql, sqlite3_int64 *number,
	       char *text, size_t size)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(db->handle, sql, -1, &st, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(st);
	if (rc == SQLITE_ROW) {
		*number = sqlite3_column_int64(st, 0);
		const char *value = (const char *)sqlite3_column_text(st, 0);
		snprintf(text, size, "%s", value ? value : "");
	} else {
		db_error(db, "cannot check");
	}
	sqlite3_finalize(st);
	return rc == SQLITE_ROW ? PLYD_OK : PLYD_ESTORE;
}

/* The texts of all tables, indexes and whatever else there is. */
static const char schema_text_sql[] =
	"SELECT group_concat(sql || ';', '') FROM"
	" (SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid)";

/* Databases of format 1 have no lists, those of format 2 no notes of what is
 * spent, and only backups carry files. */
static bool schema_is_ours(const char *schema)
{
	static const char *const known[] = {
		TABLES OWNED_TABLE SPENT_TABLE,
		TABLES OWNED_TABLE SPENT_TABLE CARRIED_TABLE,
		TABLES OWNED_TABLE,
		TABLES OWNED_TABLE CARRIED_TABLE,
		TABLES,
		TABLES CARRIED_TABLE,
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(schema, known[i]))
			return true;
	return false;
}

static int check_open(struct db *db, const struct db_options *options,
		      char why[STORE_WHY_MAX])
{
	sqlite3_int64 application = 0, version = 0, ignored;
	char text[STORE_WHY_MAX / 2];
	char schema[sizeof(TABLES OWNED_TABLE SPENT_TABLE CARRIED_TABLE) + 1];
	if (ask(db, "PRAGMA application_id", &application, text, sizeof(text)))
		return damaged(options, db->why, why);
	if (ask(db, "PRAGMA user_version", &version, text, sizeof(text)))
		return damaged(options, db->why, why);
	if (application != APPLICATION_ID)
		return why_set(why, PLYD_ESTORE,
			       "'%s' is not a database of plyd: nothing was "
			       "changed",
			       options->path);
	if (version > options->mark)
		return why_set(why, PLYD_EVERSION,
			       "'%s' has format %lld, this plyd reads up to "
			       "%d: use the newer plyd; nothing was changed",
			       options->path, version, options->mark);
	if (ask(db, schema_text_sql, &ignored, schema, sizeof(schema)))
		return damaged(options, db->why, why);
	if (!schema_is_ours(schema))
		return damaged(options, "its tables are not ours", why);
	if (ask(db, "PRAGMA quick_check(1)", &ignored, text, sizeof(text)))
		return damaged(options, db->why, why);
	return strcmp(text, "ok") ? damaged(options, text, why) : PLYD_OK;
}

static int file_check(const struct db_options *options, char why[STORE_WHY_MAX])
{
	struct db db;
	if (db_open(&db, options))
		return damaged(options, db.why, why);
	/* what is refused keeps its log as well, for whoever repairs it */
	sqlite3_db_config(db.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
			  (int *)NULL);
	int err = check_open(&db, options, why);
	db_close(&db);
	return err;
}

int files_look(const struct db_options *options, char why[STORE_WHY_MAX])
{
	struct stat st;
	if (stat(options->path, &st))
		return errno == ENOENT
			       ? why_set(why, PLYD_ENOTHING, "there is no '%s'",
					 options->path)
			       : refuse(why, "cannot look at", options->path);
	return file_check(options, why);
}

static long long file_bytes(const char *path)
{
	struct stat st;
	return stat(path, &st) ? -1 : (long long)st.st_size;
}

int files_claim(const struct db_options *options, int *lock_fd,
		char why[STORE_WHY_MAX])
{
	int err = dir_make(options->dir, why);
	return err ? err : dir_lock(options, lock_fd, why);
}

int files_open(const struct db_options *options, int *lock_fd,
	       char why[STORE_WHY_MAX])
{
	char wal[DB_PATH_MAX + 8];
	int err = files_claim(options, lock_fd, why);
	if (err)
		return err;
	snprintf(wal, sizeof(wal), "%s-wal", options->path);
	long long bytes = file_bytes(options->path);
	/* SQLite would take these for a new database and drop the log */
	if (bytes == 0)
		err = damaged(options, "it is empty", why);
	else if (bytes < 0 && file_bytes(wal) >= 0)
		err = damaged(options, "it is gone, its log is there", why);
	else if (bytes < 0)
		err = file_make(options, why);
	if (!err)
		err = file_check(options, why);
	if (!err)
		err = carry_take(options, why);
	if (err)
		close(*lock_fd);
	return err;
}

/* ---- a backup comes back ----------------------------------------------- */

static int bytes_copy(int from, int to)
{
	char piece[64 * 1024];
	ssize_t got;
	while ((got = read(from, piece, sizeof(piece))) > 0)
		for (ssize_t at = 0, put; at < got; at += put) {
			put = write(to, piece + at, (size_t)(got - at));
			if (put < 0)
				return -1;
		}
	return got < 0 ? -1 : fsync(to);
}

static int file_copy(const char *from_path, const char *to_path,
		     char why[STORE_WHY_MAX])
{
	int from = open(from_path, O_RDONLY | O_CLOEXEC);
	if (from < 0)
		return refuse(why, "cannot open", from_path);
	int to = open(to_path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC,
		      FILE_MODE);
	int err = to < 0 ? refuse(why, "cannot make", to_path) : PLYD_OK;
	if (!err && bytes_copy(from, to))
		err = refuse(why, "cannot write", to_path);
	if (to >= 0)
		close(to);
	close(from);
	return err;
}

/* What a look at a database that is in use would leave beside it. */
static void drop_beside(const char *path)
{
	static const char *const ends[] = { "-wal", "-shm" };
	char name[DB_PATH_MAX + 8];
	for (size_t i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "%s%s", path, ends[i]);
		unlink(name);
	}
}

static int restore_locked(const struct db_options *options, const char *file,
			  char why[STORE_WHY_MAX])
{
	struct db_options made = *options;
	if (file_bytes(options->path) >= 0)
		return why_set(why, PLYD_ESTORE,
			       "there is a database in '%s' already: move it "
			       "away, or restore into another directory",
			       options->dir);
	snprintf(made.path, sizeof(made.path), "%s/plyd.db.new", made.dir);
	drop_beside(options->path);
	drop_beside(made.path);
	int err = file_copy(file, made.path, why);
	if (!err)
		err = file_check(&made, why);
	drop_beside(made.path);
	if (!err && rename(made.path, options->path))
		err = refuse(why, "cannot name", options->path);
	if (err)
		unlink(made.path);
	return err ? err : dir_sync(options->dir, why);
}

int files_restore(const struct db_options *options, const char *file,
		  char why[STORE_WHY_MAX])
{
	int lock_fd;
	int err = files_claim(options, &lock_fd, why);
	if (err)
		return err;
	err = restore_locked(options, file, why);
	close(lock_fd);
	return err;
}

uint64_t store_bytes(const char *dir)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	uint64_t bytes = 0;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		char path[STORE_WHY_MAX];
		struct stat st;
		snprintf(path, sizeof(path), "%s/plyd.db%s", dir, ends[i]);
		if (!stat(path, &st))
			bytes += (uint64_t)st.st_size;
	}
	return bytes;
}
