/* SPDX-License-Identifier: MIT */
#include "server/texts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <plyd/err.h>
#include "base/buf.h"
#include "proto/scan.h"

enum {
	PATH_MAX_ = TEXTS_DIR_MAX + WORKER_NAME_MAX + 16,
	FILE_BYTES_MAX = (WORKER_USES_MAX + 1) * WORKER_BYTES_MAX,
	DIR_MODE = 0700,
	FILE_MODE = 0600
};

static const char made[] = ".new";

/* The key of a version is its kind, one digit, and NAME@HASH. */
static void path_of(const char *dir, const char *key, const char *end,
		    char out[PATH_MAX_])
{
	snprintf(out, PATH_MAX_, "%s/%s%s", dir, key, end);
}

/* -- writing -- */

static int write_all(int fd, struct span s)
{
	while (s.len > 0) {
		ssize_t n = write(fd, s.at, s.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return PLYD_EIO;
		s = span_of(s.at + n, s.len - (size_t)n);
	}
	return fsync(fd) ? PLYD_EIO : PLYD_OK;
}

int texts_sync(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err = fd < 0 || fsync(fd) ? PLYD_EIO : PLYD_OK;
	if (fd >= 0)
		close(fd);
	return err;
}

/* The directory is durable as soon as it is there. */
static int make_dir(const char *dir)
{
	char above[TEXTS_DIR_MAX + 4];
	if (mkdir(dir, DIR_MODE))
		return errno == EEXIST ? PLYD_OK : PLYD_EIO;
	snprintf(above, sizeof(above), "%s/..", dir);
	return texts_sync(above);
}

/* It has its name when it is whole. */
static int write_file(const char *dir, const char *key, struct span bytes)
{
	char path[PATH_MAX_], first[PATH_MAX_];
	path_of(dir, key, "", path);
	path_of(dir, key, made, first);
	if (make_dir(dir))
		return PLYD_EIO;
	int fd = open(first, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		      FILE_MODE);
	if (fd < 0)
		return PLYD_EIO;
	int err = write_all(fd, bytes);
	if (close(fd) || err || rename(first, path)) {
		unlink(first);
		return PLYD_EIO;
	}
	return PLYD_OK;
}

int texts_save(const char *dir, const struct version *v, bool *made_one)
{
	char path[PATH_MAX_];
	struct buf b;
	path_of(dir, v->key, "", path);
	if (!access(path, F_OK))
		return PLYD_OK;
	buf_init(&b, FILE_BYTES_MAX);
	for (size_t i = 0; i < v->use_count; i++)
		version_tell(v->use[i], &b);
	version_tell(v, &b);
	int err = b.err ? b.err : write_file(dir, v->key, buf_span(&b));
	buf_release(&b);
	*made_one = *made_one || !err;
	return err;
}

/* -- reading -- */

struct reading {
	struct doc *doc;
	size_t count; /* libraries so far */
	struct version *library[WORKER_USES_MAX];
	struct version *script; /* the last one */
};

static void reading_release(struct reading *r)
{
	for (size_t i = 0; i < r->count; i++)
		version_drop(r->library[i]);
	version_drop(r->script);
	doc_free(r->doc);
}

static int take_message(struct reading *r, struct span message)
{
	struct worker_question q;
	char name[WORKER_NAME_MAX + 1];
	int err = worker_read_question(r->doc, message, &q);
	if (err || q.method != ASKED_LOAD || r->script ||
	    r->count == WORKER_USES_MAX ||
	    !span_copy(worker_bare_name(q.load.name), name, sizeof(name)))
		return err == PLYD_ENOMEM ? err : PLYD_ENOTHING;
	uint8_t *source = malloc(q.load.source.len + 1);
	if (!source)
		return PLYD_ENOMEM;
	if (q.load.source.len > 0)
		memcpy(source, q.load.source.at, q.load.source.len);
	bool library = q.load.kind == WORKER_LIBRARY;
	struct version *v =
		version_new((int)q.load.kind, name, source, q.load.source.len,
			    r->library, library ? 0 : r->count);
	if (library && v)
		r->library[r->count++] = v;
	else
		r->script = v;
	return v ? PLYD_OK : PLYD_ENOMEM;
}

static int take_messages(struct reading *r, struct span in)
{
	static const struct scan_limits limits = { WORKER_BYTES_MAX,
						   STORE_ELEMENTS_MAX };
	struct scan scan;
	const uint8_t *begin = in.at;
	int err = PLYD_OK;
	scan_init(&scan, &limits);
	while (!err && in.len > 0) {
		size_t taken = 0;
		int state = scan_feed(&scan, in, &taken);
		if (state != SCAN_MESSAGE)
			return PLYD_ENOTHING;
		in = span_of(in.at + taken, in.len - taken);
		err = take_message(r, span_of(begin, (size_t)(in.at - begin)));
		begin = in.at;
	}
	return err;
}

/* Gives all bytes of a file. */
static int read_file(const char *path, struct buf *out)
{
	uint8_t part[4096];
	size_t n;
	FILE *in = fopen(path, "rb");
	if (!in)
		return errno == ENOENT ? PLYD_ENOTHING : PLYD_EIO;
	while (!out->err && (n = fread(part, 1, sizeof(part), in)) > 0)
		buf_put(out, part, n);
	bool failed = ferror(in);
	fclose(in);
	return failed ? PLYD_EIO : out->err;
}

int texts_load(const char *dir, struct versions *set, int kind,
	       const char *name, const char *hash)
{
	char path[PATH_MAX_], key[WORKER_NAME_MAX + 2];
	struct reading r = { .doc = doc_new() };
	struct buf bytes;
	snprintf(key, sizeof(key), "%d%.*s@%.*s", kind, VERSION_NAME_MAX, name,
		 VERSION_BYTES_MAX, hash);
	path_of(dir, key, "", path);
	buf_init(&bytes, FILE_BYTES_MAX);
	int err = r.doc ? read_file(path, &bytes) : PLYD_ENOMEM;
	if (!err)
		err = take_messages(&r, buf_span(&bytes));
	if (!err && (!r.script || strcmp(r.script->key, key) != 0))
		err = PLYD_ENOTHING;
	if (!err) {
		struct version *kept = versions_keep(set, r.script);
		err = kept ? PLYD_OK : PLYD_ENOMEM;
		r.script = kept;
	}
	buf_release(&bytes);
	reading_release(&r);
	return err;
}

/* -- sweeping -- */

void texts_sweep(const char *dir, const struct versions *set)
{
	char path[PATH_MAX_];
	DIR *all = opendir(dir);
	const struct dirent *e;
	while (all && (e = readdir(all))) {
		struct version *v, *first = set->all;
		if (e->d_name[0] == '.')
			continue;
		HASH_FIND_STR(first, e->d_name, v);
		if (v)
			continue;
		path_of(dir, e->d_name, "", path);
		unlink(path);
	}
	if (all)
		closedir(all);
}
