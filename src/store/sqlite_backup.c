/* SPDX-License-Identifier: MIT
 * A copy of the database as it is at one moment, made while others write: a
 * thread and a connection of its own, a read transaction that lasts as long,
 * and a rest after each piece, so that the disk is there for commits too. */
#include "store/sqlite_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	BACKUP_PAGES = 256, /* in one piece: 1 MiB */
	BACKUP_REST_US = 2000,
	BACKUP_MODE = 0600
};

static bool is_cancelled(struct store_backup *b)
{
	pthread_mutex_lock(&b->store->lock);
	bool cancelled = b->cancelled;
	pthread_mutex_unlock(&b->store->lock);
	return cancelled;
}

static int copy_pages(struct store_backup *b, struct db *from, sqlite3 *to)
{
	sqlite3_backup *copy =
		sqlite3_backup_init(to, "main", from->handle, "main");
	int rc = SQLITE_OK;
	if (!copy)
		return why_set(b->why, PLYD_ESTORE, "cannot begin: %s",
			       sqlite3_errmsg(to));
	while (rc == SQLITE_OK && !is_cancelled(b)) {
		rc = sqlite3_backup_step(copy, BACKUP_PAGES);
		usleep(BACKUP_REST_US);
	}
	sqlite3_backup_finish(copy);
	if (rc == SQLITE_OK)
		return why_set(b->why, PLYD_ESHUTDOWN, "plyd stops");
	return rc == SQLITE_DONE
		       ? PLYD_OK
		       : why_set(b->why, PLYD_ESTORE, "%s", sqlite3_errstr(rc));
}

/* All reads of the connection are of this moment, until it is closed. */
static int hold_moment(struct db *db)
{
	uint64_t last_seq;
	int err = db_exec(db, "BEGIN");
	return err ? err : db_last_seq(db, &last_seq);
}

static int copy_to(struct store_backup *b, const struct db_options *options,
		   const char *path)
{
	struct db from;
	sqlite3 *to = NULL;
	int err = db_open(&from, options);
	if (!err)
		err = hold_moment(&from);
	if (err) {
		why_set(b->why, err, "%s", from.why);
	} else if (sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE,
				   options->vfs) != SQLITE_OK) {
		err = why_set(b->why, PLYD_ESTORE, "%s", sqlite3_errmsg(to));
	} else {
		err = copy_pages(b, &from, to);
		if (!err)
			err = carry_put(to, options, b->why);
	}
	sqlite3_close(to);
	db_close(&from);
	return err;
}

/* Only an empty file of ours is written to. */
static int make_empty(struct store_backup *b, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, BACKUP_MODE);
	if (fd < 0)
		return why_set(b->why, PLYD_EIO, "cannot make '%s': %s", path,
			       strerror(errno));
	close(fd);
	return PLYD_OK;
}

/* It has its name when it is whole, and never takes that of another file. */
static int name_it(struct store_backup *b, const char *made)
{
	struct stat st;
	if (link(made, b->path))
		return why_set(b->why, PLYD_EIO, "cannot make '%s': %s",
			       b->path, strerror(errno));
	if (!stat(b->path, &st))
		b->bytes = (uint64_t)st.st_size;
	return file_dir_sync(b->path, b->why);
}

static int back_up(struct store_backup *b)
{
	const struct db_options options = *b->options;
	char made[STORE_PATH_MAX + 8];
	snprintf(made, sizeof(made), "%s.new", b->path);
	unlink(made); /* of one that was cut short */
	int err = access(b->path, F_OK)
			  ? make_empty(b, made)
			  : why_set(b->why, PLYD_EIO, "'%s' is there already",
				    b->path);
	if (err)
		return err;
	err = copy_to(b, &options, made);
	if (!err)
		err = name_it(b, made);
	unlink(made);
	return err;
}

void *backup_main(void *backup)
{
	struct store_backup *b = backup;
	struct store *s = b->store;
	int err = back_up(b);
	pthread_mutex_lock(&s->lock);
	b->err = err;
	b->finished = true;
	pthread_mutex_unlock(&s->lock);
	s->wake(s->wake_payload);
	return NULL;
}
