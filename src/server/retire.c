/* SPDX-License-Identifier: MIT */
#include "server/retire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "net/work.h"
#include "proto/write.h"
#include "record/codec.h"
#include "server/clock.h"

enum {
	ROUND_IS_FULL = 1,
	ROUND_IS_OVER,
	ARCHIVE_PATH_MAX = CONFIG_TEXT_MAX + 64
};

/* What a round found; the pool's while it runs. */
struct retire {
	struct net *net;
	const struct config *config;
	struct journal *journal;
	struct store_options options;
	struct net_timer *timer;
	struct net_work *work;
	struct doc *doc;
	struct buf file;
	int64_t before_unix_ms; /* what ended before goes */
	struct id match[RETIRE_AT_ONCE];
	size_t count;
	int err;
	char why[STORE_WHY_MAX];
	bool running, freed;
};

/* -- on the pool's thread -- */

/* When a match ended, not counting times in which no server was there. False:
 * nobody can tell, so it stays. */
static bool ended_unix_ms(struct retire *r, const struct id *match,
			  struct span rows, int64_t *out)
{
	struct span row;
	struct fact f;
	int64_t began = 0;
	uint64_t first_ms = 0;
	bool known = false;
	while (store_record_next(&rows, &row) > 0) {
		if (fact_decode(r->doc, row, match, 0, &f))
			return false;
		if (f.type == FACT_BEGUN) {
			began = f.begun.began_at;
			first_ms = f.at_ms;
			known = true;
		}
		*out = began + (int64_t)(f.at_ms - first_ms);
	}
	return known && f.type == FACT_ENDED;
}

static int failed(struct retire *r, const char *doing, const char *path)
{
	snprintf(r->why, sizeof(r->why), "%s '%s': %s", doing, path,
		 strerror(errno));
	return PLYD_EIO;
}

/* As `ply record' saves it. */
static int write_record(struct buf *b, const struct id *match,
			const struct store_record *record)
{
	struct span row, rows = record->rows;
	uint32_t count = 0;
	while (store_record_next(&rows, &row) > 0)
		count++;
	rows = record->rows;
	buf_clear(b);
	put_map(b, 3);
	put_cstr(b, "match");
	put_cstr(b, match->text);
	put_cstr(b, "head");
	put_hex(b, record->head);
	put_cstr(b, "facts");
	put_array(b, count);
	while (store_record_next(&rows, &row) > 0)
		put_hex(b, row);
	return b->err;
}

static int sync_directory(struct retire *r, const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = fd < 0 ? -1 : fsync(fd);
	if (fd >= 0)
		close(fd);
	return rc ? failed(r, "cannot sync", path) : PLYD_OK;
}

static int make_directory(struct retire *r, const char *path)
{
	return mkdir(path, 0700) && errno != EEXIST
		       ? failed(r, "cannot make", path)
		       : PLYD_OK;
}

/* Whole and on the disk, or an error. One that is there already is of a round
 * that could not delete, and written again. */
static int save(struct retire *r, const char *path)
{
	char made[ARCHIVE_PATH_MAX + 8];
	snprintf(made, sizeof(made), "%s.new", path);
	int fd = open(made, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return failed(r, "cannot make", made);
	ssize_t put = write(fd, r->file.at, r->file.len);
	bool good = put == (ssize_t)r->file.len && !fsync(fd);
	close(fd);
	if (!good || rename(made, path))
		return failed(r, "cannot write", path);
	return PLYD_OK;
}

/* ARCHIVE/2026-11/MATCH.record */
static int archive(struct retire *r, const struct id *match, int64_t unix_ms,
		   const struct store_record *record)
{
	const char *top = r->config->data_archive;
	char month[16], dir[ARCHIVE_PATH_MAX - 24], path[ARCHIVE_PATH_MAX];
	time_t at = (time_t)(unix_ms / 1000);
	struct tm tm;
	if (!strcmp(top, "none"))
		return PLYD_OK;
	gmtime_r(&at, &tm);
	strftime(month, sizeof(month), "%Y-%m", &tm);
	snprintf(dir, sizeof(dir), "%s/%s", top, month);
	snprintf(path, sizeof(path), "%s/%s.record", dir, match->text);
	int err = write_record(&r->file, match, record);
	if (!err)
		err = make_directory(r, top);
	if (!err)
		err = make_directory(r, dir);
	if (!err)
		err = save(r, path);
	if (!err)
		err = sync_directory(r, dir);
	return err ? err : sync_directory(r, top);
}

static int on_record(void *payload, const struct id *match,
		     const struct store_record *record)
{
	struct retire *r = payload;
	int64_t unix_ms;
	if (r->count == RETIRE_AT_ONCE)
		return ROUND_IS_FULL;
	if (id_is_none(match) ||
	    !ended_unix_ms(r, match, record->rows, &unix_ms))
		return PLYD_OK;
	if (unix_ms >= r->before_unix_ms)
		return ROUND_IS_OVER; /* those that follow ended later */
	int err = archive(r, match, unix_ms, record);
	if (!err)
		r->match[r->count++] = *match;
	return err;
}

static void run_round(void *payload)
{
	struct retire *r = payload;
	struct store *reader;
	char why[STORE_WHY_MAX];
	r->count = 0;
	r->why[0] = '\0';
	r->err = store_open_reader(&reader, &r->options, why);
	if (!r->err)
		r->err = store_each_record(reader, on_record, r, why);
	if (r->err < 0 && !r->why[0])
		snprintf(r->why, sizeof(r->why), "%s", why);
	store_close(reader);
}

/* -- on the loop's -- */

static void delete_them(struct retire *r)
{
	struct store_batch *b = store_batch_begin();
	for (size_t i = 0; i < r->count; i++)
		store_drop_record(b, &r->match[i]);
	int err = store_batch_submit(r->journal->store, b);
	log_event(err ? LOG_WARNING : LOG_INFO, "old records left the store",
		  "records=%zu archive=%s why=%s", r->count,
		  r->config->data_archive, err ? plyd_err_name(err) : "-");
}

static void retire_release(struct retire *r)
{
	net_work_free(r->work);
	doc_free(r->doc);
	buf_release(&r->file);
	free(r);
}

static void on_done(void *payload, bool ran)
{
	struct retire *r = payload;
	r->running = false;
	if (r->freed) {
		retire_release(r);
		return;
	}
	if (ran && r->err < 0)
		log_event(LOG_ERROR, "old records cannot be archived",
			  "why=\"%s\"", r->why);
	if (ran && r->count > 0)
		delete_them(r);
	int64_t every = r->config->data_keep_records_ms;
	if (every > RETIRE_EVERY_MS)
		every = RETIRE_EVERY_MS;
	net_timer_start(r->timer, ran && r->err == ROUND_IS_FULL
					  ? RETIRE_GO_ON_MS
					  : (uint64_t)every);
}

static void on_time(void *payload)
{
	struct retire *r = payload;
	r->before_unix_ms = unix_now_ms() - r->config->data_keep_records_ms;
	r->running = true;
	net_work_start(r->work);
}

int retire_new(struct net *n, const struct config *c, const char *vfs,
	       struct journal *j, struct retire **out)
{
	*out = NULL;
	if (c->data_keep_records_ms == 0)
		return PLYD_OK;
	struct retire *r = calloc(1, sizeof(*r));
	if (!r)
		return PLYD_ENOMEM;
	const struct net_work_ops ops = { r, run_round, on_done };
	*r = (struct retire){ .net = n, .config = c, .journal = j };
	r->options = (struct store_options){ .dir = c->data_directory,
					     .format = FACT_FORMAT,
					     .vfs = vfs };
	buf_init(&r->file, 3 * STORE_RECORD_MAX); /* in hex */
	r->doc = doc_new();
	r->timer = net_timer_new(n, on_time, r);
	r->work = net_work_new(n, &ops);
	if (!r->doc || !r->timer || !r->work) {
		net_timer_free(r->timer);
		retire_release(r);
		return PLYD_ENOMEM;
	}
	net_timer_start(r->timer, RETIRE_GO_ON_MS);
	*out = r;
	return PLYD_OK;
}

void retire_free(struct retire *r)
{
	if (!r)
		return;
	net_timer_free(r->timer);
	if (!r->running) {
		retire_release(r);
		return;
	}
	r->freed = true;
	net_work_cancel(r->work);
}
