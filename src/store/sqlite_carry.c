/* SPDX-License-Identifier: MIT
 * Small files that a backup has in it: rows of a table that only backups have.
 * When the database is opened for writing they become files again, and the
 * table goes. */
#include "store/sqlite_priv.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

enum {
	CARRIED_BYTES_MAX = 32 * 1024 * 1024, /* of one file */
	NAME_BYTES_MAX = 255,
	NAME_PATH_MAX = DB_PATH_MAX + NAME_BYTES_MAX,
	DIR_MODE = 0700,
	FILE_MODE = 0600
};

static const struct id nobody;

static void beside(const struct db_options *options, const char *name,
		   char out[NAME_PATH_MAX])
{
	snprintf(out, NAME_PATH_MAX, "%s/" STORE_CARRIED "%s%.255s",
		 options->dir, *name ? "/" : "", name);
}

/* Not one that is being written, nor anything that leads elsewhere. */
static bool is_name(const char *name)
{
	size_t len = strlen(name);
	return len > 0 && len <= NAME_BYTES_MAX && name[0] != '.' &&
	       !strchr(name, '/') &&
	       !(len > 4 && !strcmp(name + len - 4, ".new"));
}

/* -- files become rows -- */

static int read_file(const char *path, struct buf *out)
{
	uint8_t part[4096];
	size_t n;
	FILE *in = fopen(path, "rbe");
	if (!in)
		return PLYD_EIO;
	while (!out->err && (n = fread(part, 1, sizeof(part), in)) > 0)
		buf_put(out, part, n);
	bool failed = ferror(in);
	fclose(in);
	return failed ? PLYD_EIO : out->err;
}

static int put_row(sqlite3 *to, const char *name, struct span bytes)
{
	struct checksum sum = checksum_of(0, &nobody, 0, bytes);
	sqlite3_stmt *st = NULL;
	sqlite3_prepare_v2(to, "INSERT INTO carried VALUES(?1, ?2, ?3)", -1,
			   &st, NULL);
	sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
	bind_bytes(st, 2, bytes);
	bind_bytes(st, 3, span_of(sum.byte, sizeof(sum.byte)));
	sqlite3_step(st);
	return sqlite3_finalize(st) == SQLITE_OK ? PLYD_OK : PLYD_ESTORE;
}

static int put_file(sqlite3 *to, const struct db_options *options,
		    const char *name, char why[STORE_WHY_MAX])
{
	char path[NAME_PATH_MAX];
	struct buf b;
	beside(options, name, path);
	buf_init(&b, CARRIED_BYTES_MAX);
	int err = read_file(path, &b);
	if (err)
		why_set(why, err, "cannot read '%s'", path);
	else if (put_row(to, name, buf_span(&b)))
		err = why_set(why, PLYD_ESTORE, "%s", sqlite3_errmsg(to));
	buf_release(&b);
	return err;
}

int carry_put(sqlite3 *to, const struct db_options *options,
	      char why[STORE_WHY_MAX])
{
	char path[NAME_PATH_MAX];
	const struct dirent *e;
	int err = PLYD_OK;
	beside(options, "", path);
	DIR *all = opendir(path);
	if (!all && errno != ENOENT)
		return why_set(why, PLYD_EIO, "cannot read '%s'", path);
	if (sqlite3_exec(to, "BEGIN;" CARRIED_TABLE, NULL, NULL, NULL))
		err = why_set(why, PLYD_ESTORE, "%s", sqlite3_errmsg(to));
	while (!err && all && (e = readdir(all)))
		if (is_name(e->d_name))
			err = put_file(to, options, e->d_name, why);
	if (!err && sqlite3_exec(to, "COMMIT", NULL, NULL, NULL))
		err = why_set(why, PLYD_ESTORE, "%s", sqlite3_errmsg(to));
	if (all)
		closedir(all);
	return err;
}

/* -- rows become files -- */

static int write_file(const char *path, struct span s)
{
	char made[NAME_PATH_MAX + 8];
	snprintf(made, sizeof(made), "%s.new", path);
	int fd =
		open(made, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
	ssize_t n = 0;
	for (; fd >= 0 && n >= 0 && s.len > 0; s.at += n, s.len -= (size_t)n)
		n = write(fd, s.at, s.len);
	bool good = fd >= 0 && n >= 0 && !fsync(fd);
	if (fd >= 0)
		close(fd);
	return good && !rename(made, path) ? PLYD_OK : PLYD_EIO;
}

/* One that is damaged stays away, as if it were not there. */
static int take_row(const struct db_options *options, sqlite3_stmt *st,
		    char why[STORE_WHY_MAX])
{
	const char *name = (const char *)sqlite3_column_text(st, 0);
	struct span bytes = column_bytes(st, 1);
	char path[NAME_PATH_MAX];
	if (!name || !is_name(name) ||
	    !column_checksum(st, 2, checksum_of(0, &nobody, 0, bytes))) {
		log_event(LOG_ERROR, "a file of a backup is damaged", "in=%s",
			  options->path);
		return PLYD_OK;
	}
	beside(options, name, path);
	if (write_file(path, bytes))
		return why_set(why, PLYD_ESTORE, "cannot write '%s': %s", path,
			       strerror(errno));
	return PLYD_OK;
}

static int take_rows(struct db *db, const struct db_options *options,
		     char why[STORE_WHY_MAX])
{
	char path[NAME_PATH_MAX];
	sqlite3_stmt *st = NULL;
	int rc = SQLITE_DONE, err = PLYD_OK;
	beside(options, "", path);
	if (mkdir(path, DIR_MODE) && errno != EEXIST)
		return why_set(why, PLYD_ESTORE, "cannot make '%s': %s", path,
			       strerror(errno));
	sqlite3_prepare_v2(db->handle,
			   "SELECT name, bytes, checksum FROM carried", -1, &st,
			   NULL);
	while (!err && (rc = sqlite3_step(st)) == SQLITE_ROW)
		err = take_row(options, st, why);
	sqlite3_finalize(st);
	if (!err && rc != SQLITE_DONE)
		err = why_set(why, PLYD_ESTORE, "cannot read '%s': %s",
			      options->path, sqlite3_errmsg(db->handle));
	beside(options, ".", path);
	return err ? err : file_dir_sync(path, why);
}

int carry_take(const struct db_options *options, char why[STORE_WHY_MAX])
{
	struct db db;
	if (db_open(&db, options))
		return why_set(why, PLYD_ESTORE, "%s", db.why);
	int err = PLYD_OK;
	if (sqlite3_table_column_metadata(db.handle, NULL, "carried", NULL,
					  NULL, NULL, NULL, NULL,
					  NULL) == SQLITE_OK) {
		err = take_rows(&db, options, why);
		if (!err && db_exec(&db, "DROP TABLE carried"))
			err = why_set(why, PLYD_ESTORE, "%s", db.why);
	}
	db_close(&db);
	return err;
}
