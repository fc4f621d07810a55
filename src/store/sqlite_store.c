/* SPDX-License-Identifier: MIT
 * The SQLite driver: one thread writes, another reads records and copies the
 * write-ahead log away, each on its own connection. */
#include "store/sqlite_priv.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#ifdef PLYD_TEST_VFS
#include "store/powercut_vfs.h"
#endif

struct sqlite_store {
	struct store core;
	struct db_options options;
	pthread_t writer, helper;
	pthread_cond_t writer_has_work, helper_has_work;
	bool closing; /* under core.lock, as the next one */
	bool checkpoint_wanted;
	struct db writer_db; /* the writer's alone */
	struct db helper_db; /* the helper's alone */
};

/* ---- the writer -------------------------------------------------------- */

/* A connection that failed to commit is not trusted any further. */
static void writer_reopen(struct sqlite_store *s)
{
	char quoted[STORE_WHY_MAX];
	db_close(&s->writer_db);
	if (!db_open(&s->writer_db, &s->options))
		return;
	log_event(LOG_ERROR, "store cannot be reopened", "why=%s",
		  log_quote(s->writer_db.why, strlen(s->writer_db.why), quoted,
			    sizeof(quoted)));
}

/* Frames that reached the log but not the disk for certain would be a commit to
 * the next start of the program, though it was reported as lost: something
 * harmless is written over them, as far as the disk allows. */
static void writer_bury(struct sqlite_store *s)
{
	uint64_t ignored;
	if (s->writer_db.handle && db_probe(&s->writer_db, &ignored))
		writer_reopen(s);
}

static void write_taken(struct sqlite_store *s, struct store_batch *taken)
{
	char why[STORE_WHY_MAX];
	int pages = 0;
	int err = s->writer_db.handle ? db_write(&s->writer_db, taken)
				      : PLYD_ESTORE;
	if (err) {
		memcpy(why, s->writer_db.why, sizeof(why));
		writer_reopen(s);
		writer_bury(s);
	} else {
		pages = s->writer_db.wal_pages;
	}
	store_settle(&s->core, taken, err ? why : NULL);
	if (pages > WAL_PAGES_MAX)
		db_checkpoint(&s->writer_db);
	if (pages <= WAL_PAGES_CHECKPOINT)
		return;
	pthread_mutex_lock(&s->core.lock);
	s->checkpoint_wanted = true;
	pthread_cond_signal(&s->helper_has_work);
	pthread_mutex_unlock(&s->core.lock);
}

static void write_probe(struct sqlite_store *s)
{
	uint64_t last_seq = 0;
	char why[STORE_WHY_MAX];
	if (!s->writer_db.handle)
		db_open(&s->writer_db, &s->options);
	int err = s->writer_db.handle ? db_probe(&s->writer_db, &last_seq)
				      : PLYD_ESTORE;
	if (err) {
		memcpy(why, s->writer_db.why, sizeof(why));
		writer_reopen(s);
	}
	store_settle_probe(&s->core, last_seq, err ? why : NULL);
}

static void *writer_main(void *payload)
{
	struct sqlite_store *s = payload;
	struct store *core = &s->core;
	pthread_mutex_lock(&core->lock);
	for (;;) {
		while (!core->queue && !core->probe_wanted && !s->closing)
			pthread_cond_wait(&s->writer_has_work, &core->lock);
		if (!core->queue && !core->probe_wanted)
			break;
		bool probe = core->probe_wanted;
		core->probe_wanted = false;
		struct store_batch *taken = store_take(core);
		pthread_mutex_unlock(&core->lock);
		if (taken)
			write_taken(s, taken);
		if (probe)
			write_probe(s);
		pthread_mutex_lock(&core->lock);
	}
	pthread_mutex_unlock(&core->lock);
	return NULL;
}

/* ---- the helper -------------------------------------------------------- */

static void *helper_main(void *payload)
{
	struct sqlite_store *s = payload;
	struct store *core = &s->core;
	pthread_mutex_lock(&core->lock);
	for (;;) {
		while (!core->asked && !s->checkpoint_wanted && !s->closing)
			pthread_cond_wait(&s->helper_has_work, &core->lock);
		if (s->closing)
			break;
		bool checkpoint = s->checkpoint_wanted;
		s->checkpoint_wanted = false;
		struct store_read *r = store_take_read(core);
		pthread_mutex_unlock(&core->lock);
		if (r) {
			db_read(&s->helper_db, r);
			store_settle_read(core, r);
		}
		if (checkpoint)
			db_checkpoint(&s->helper_db);
		pthread_mutex_lock(&core->lock);
	}
	pthread_mutex_unlock(&core->lock);
	return NULL;
}

/* ---- the driver -------------------------------------------------------- */

static void sqlite_kick(struct store *core)
{
	struct sqlite_store *s = (struct sqlite_store *)core;
	pthread_mutex_lock(&core->lock);
	if (core->queue || core->probe_wanted)
		pthread_cond_signal(&s->writer_has_work);
	if (core->asked)
		pthread_cond_signal(&s->helper_has_work);
	pthread_mutex_unlock(&core->lock);
}

int sqlite_load(const struct db_options *options,
		const struct store_loader *loader, uint64_t *last_seq,
		char why[STORE_WHY_MAX])
{
	struct db db;
	int err = db_open(&db, options);
	if (!err)
		err = db_load(&db, loader, last_seq);
	if (err)
		why_set(why, err, "'%s' cannot be loaded: %s", options->path,
			db.why[0] ? db.why : plyd_err_text(err));
	db_close(&db);
	return err;
}

int sqlite_records(const struct db_options *options, store_each_fn *fn,
		   void *payload, char why[STORE_WHY_MAX])
{
	struct db db;
	int err = db_open(&db, options);
	if (!err)
		err = db_each_record(&db, fn, payload);
	if (err)
		why_set(why, err, "the records of '%s' cannot be read: %s",
			options->path, db.why[0] ? db.why : plyd_err_text(err));
	db_close(&db);
	return err;
}

static int store_loads(struct store *core, const struct store_loader *loader,
		       uint64_t *last_seq, char why[STORE_WHY_MAX])
{
	const struct sqlite_store *s = (struct sqlite_store *)core;
	return sqlite_load(&s->options, loader, last_seq, why);
}

static int store_records(struct store *core, store_each_fn *fn, void *payload,
			 char why[STORE_WHY_MAX])
{
	const struct sqlite_store *s = (struct sqlite_store *)core;
	return sqlite_records(&s->options, fn, payload, why);
}

static void sqlite_release(struct sqlite_store *s)
{
	/* the writer's last, so that it is the one to empty the log */
	db_close(&s->helper_db);
	db_close(&s->writer_db);
	pthread_cond_destroy(&s->writer_has_work);
	pthread_cond_destroy(&s->helper_has_work);
	close(s->core.lock_fd);
	store_core_release(&s->core);
	free(s);
}

static void sqlite_close(struct store *core)
{
	struct sqlite_store *s = (struct sqlite_store *)core;
	pthread_mutex_lock(&core->lock);
	s->closing = true;
	pthread_cond_signal(&s->writer_has_work);
	pthread_cond_signal(&s->helper_has_work);
	pthread_mutex_unlock(&core->lock);
	pthread_join(s->writer, NULL);
	pthread_join(s->helper, NULL);
	sqlite_release(s);
}

static const struct db_options *store_files(const struct store *core)
{
	return &((const struct sqlite_store *)core)->options;
}

static const struct store_driver sqlite_driver = {
	.kick = sqlite_kick,
	.load = store_loads,
	.records = store_records,
	.files = store_files,
	.close = sqlite_close,
};

/* ---- opening ----------------------------------------------------------- */

/* The file's user_version: the format of the rows, and above it that of the
 * file. */
static int mark_of(int64_t rows_format)
{
	assert(rows_format >= 0 && rows_format <= STORE_ROWS_FORMAT_MAX);
	return STORE_FORMAT * (STORE_ROWS_FORMAT_MAX + 1) + (int)rows_format;
}

int options_read(struct db_options *out, const struct store_options *options,
		 char why[STORE_WHY_MAX])
{
	*out = (struct db_options){ .read_only = false };
	if (strlen(options->dir) >= sizeof(out->dir))
		return why_set(why, PLYD_ESTORE,
			       "the name of the data directory is too long");
	snprintf(out->dir, sizeof(out->dir), "%s", options->dir);
	snprintf(out->path, sizeof(out->path), "%s/plyd.db", out->dir);
	out->durability = options->durability;
	out->vfs = options->vfs;
	out->lock_fd = options->lock_fd;
	out->mark = mark_of(options->format);
#ifdef PLYD_TEST_VFS
	if (out->vfs && !strcmp(out->vfs, POWERCUT_VFS))
		powercut_register();
#endif
	return PLYD_OK;
}

/* Signals are for the owner's thread, so ours start with all blocked. */
static int threads_start(struct sqlite_store *s)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int rc = pthread_create(&s->writer, NULL, writer_main, s);
	if (!rc) {
		rc = pthread_create(&s->helper, NULL, helper_main, s);
		if (rc) {
			pthread_mutex_lock(&s->core.lock);
			s->closing = true;
			pthread_cond_signal(&s->writer_has_work);
			pthread_mutex_unlock(&s->core.lock);
			pthread_join(s->writer, NULL);
		}
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc ? PLYD_ENOMEM : PLYD_OK;
}

static int sqlite_start(struct sqlite_store *s, char why[STORE_WHY_MAX])
{
	int err = db_open(&s->writer_db, &s->options);
	if (!err)
		err = db_open(&s->helper_db, &s->options);
	if (err) {
		why_set(why, err, "'%s': %s", s->options.path,
			s->writer_db.handle ? s->helper_db.why
					    : s->writer_db.why);
		return err;
	}
	err = threads_start(s);
	if (err)
		why_set(why, err, "cannot start a thread");
	return err;
}

static uint64_t file_size(const char *path)
{
	struct stat st;
	return stat(path, &st) ? 0 : (uint64_t)st.st_size;
}

struct store_size store_size(const struct store *s)
{
	char log[DB_PATH_MAX + 8];
	if (!s->driver->files)
		return (struct store_size){ 0 };
	const char *path = s->driver->files(s)->path;
	snprintf(log, sizeof(log), "%s-wal", path);
	return (struct store_size){ file_size(path), file_size(log) };
}

int store_restore(const struct store_options *options, const char *file,
		  char why[STORE_WHY_MAX])
{
	struct db_options o;
	int err = options_read(&o, options, why);
	return err ? err : files_restore(&o, file, why);
}

int store_open(struct store **out, const struct store_options *options,
	       char why[STORE_WHY_MAX])
{
	if (options->durability == DURABILITY_MEMORY)
		return fleeting_open(out, options, why);
	struct sqlite_store *s = calloc(1, sizeof(*s));
	*out = NULL;
	why[0] = '\0';
	if (!s || store_core_init(&s->core, &sqlite_driver, options->wake,
				  options->payload)) {
		free(s);
		return why_set(why, PLYD_ENOMEM, "%s",
			       plyd_err_text(PLYD_ENOMEM));
	}
	int err = options_read(&s->options, options, why);
	if (!err)
		err = files_open(&s->options, &s->core.lock_fd, why);
	if (err) {
		store_core_release(&s->core);
		free(s);
		return err;
	}
	pthread_cond_init(&s->writer_has_work, NULL);
	pthread_cond_init(&s->helper_has_work, NULL);
	err = sqlite_start(s, why);
	if (err) {
		sqlite_release(s);
		return err;
	}
	*out = &s->core;
	return PLYD_OK;
}
