/* SPDX-License-Identifier: MIT
 * Writes go through to the file at once; what they replaced is remembered per
 * file, until a sync of any of its handles, so that a cut can put it back. */
#include "store/powercut_vfs.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/rng.h"

enum { SECTOR_BYTES = 512, PATH_BYTES_MAX = 4096 };

/* One unsynced write, or a truncation (len 0). */
struct change {
	struct change *older;
	sqlite3_int64 at, size_before;
	int len;
	int old_len; /* bytes that were there; the rest lay past the end */
	uint8_t *old_bytes, *new_bytes;
};

struct disk_file {
	struct disk_file *next;
	char path[PATH_BYTES_MAX];
	struct change *newest;
};

/* What SQLite sees as a file: ours, then the real one's. */
struct handle {
	sqlite3_file base;
	struct disk_file *disk;
	sqlite3_file *real;
};

static struct {
	pthread_mutex_t lock;
	sqlite3_vfs vfs, *below;
	struct disk_file *files;
	struct powercut_counts counts;
	uint64_t tear_seed, writes_left;
	bool exits, armed, dark, fail_syncs, fail_writes;
	bool toggles; /* a signal is for fail_syncs, not for a cut */
} power = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void *must_alloc(size_t size)
{
	void *at = malloc(size ? size : 1);
	if (!at)
		abort(); /* tests only */
	return at;
}

/* ---- the cut ----------------------------------------------------------- */

static void change_free(struct change *c)
{
	free(c->old_bytes);
	free(c->new_bytes);
	free(c);
}

static void changes_forget(struct disk_file *f)
{
	while (f->newest) {
		struct change *c = f->newest;
		f->newest = c->older;
		change_free(c);
	}
}

static void must_write(int fd, const uint8_t *bytes, int len, sqlite3_int64 at)
{
	if (len > 0 && pwrite(fd, bytes, (size_t)len, at) != len)
		abort();
}

static void change_undo(int fd, const struct change *c)
{
	must_write(fd, c->old_bytes, c->old_len, c->at);
	if (ftruncate(fd, c->size_before))
		abort();
}

/* A disk keeps any of the writes that it was not told to sync, in any order,
 * and may keep the first sectors of one only. */
static void change_redo_some(int fd, const struct change *c, struct rng *rng)
{
	int sectors = (c->len + SECTOR_BYTES - 1) / SECTOR_BYTES;
	uint32_t fate = rng_below(rng, 3);
	if (fate == 0 || c->len == 0)
		return;
	int len = c->len;
	if (fate == 1)
		len = (int)rng_below(rng, (uint32_t)sectors) * SECTOR_BYTES;
	must_write(fd, c->new_bytes, len, c->at);
}

static void file_cut(struct disk_file *f, struct rng *rng)
{
	int fd = f->newest ? open(f->path, O_RDWR | O_CLOEXEC) : -1;
	struct change *oldest_first = NULL;
	while (f->newest) {
		struct change *c = f->newest;
		f->newest = c->older;
		if (fd >= 0)
			change_undo(fd, c);
		c->older = oldest_first;
		oldest_first = c;
		power.counts.lost++;
	}
	while (oldest_first) {
		struct change *c = oldest_first;
		oldest_first = c->older;
		if (fd >= 0 && power.tear_seed)
			change_redo_some(fd, c, rng);
		change_free(c);
	}
	if (fd >= 0)
		close(fd);
}

static void cut_locked(void)
{
	struct rng rng;
	rng_seed(&rng, power.tear_seed);
	for (struct disk_file *f = power.files; f; f = f->next)
		file_cut(f, &rng);
	power.dark = true;
	if (power.exits)
		_exit(POWERCUT_EXIT_STATUS);
}

/* Counts a write. True: it must fail. */
static bool write_fails(void)
{
	if (power.armed && power.writes_left-- == 0)
		cut_locked();
	power.counts.writes++;
	return power.dark || power.fail_writes;
}

/* ---- files ------------------------------------------------------------- */

static struct handle *handle_of(sqlite3_file *file)
{
	return (struct handle *)file;
}

/* Notes what a write, or a truncation to `at`, is about to replace. */
static int change_note(struct handle *h, const void *bytes, int len,
		       sqlite3_int64 at)
{
	sqlite3_file *real = h->real;
	sqlite3_int64 size = 0;
	int rc = real->pMethods->xFileSize(real, &size);
	if (rc != SQLITE_OK)
		return rc;
	struct change *c = must_alloc(sizeof(*c));
	sqlite3_int64 replaced = at < size ? size - at : 0;
	if (bytes && replaced > len)
		replaced = len;
	*c = (struct change){ .older = h->disk->newest,
			      .at = at,
			      .size_before = size,
			      .len = len,
			      .old_len = (int)replaced };
	c->old_bytes = must_alloc((size_t)c->old_len);
	c->new_bytes = must_alloc((size_t)len);
	if (len > 0)
		memcpy(c->new_bytes, bytes, (size_t)len);
	h->disk->newest = c;
	return c->old_len ? real->pMethods->xRead(real, c->old_bytes,
						  c->old_len, at)
			  : SQLITE_OK;
}

static int on_write(sqlite3_file *file, const void *bytes, int len,
		    sqlite3_int64 at)
{
	struct handle *h = handle_of(file);
	pthread_mutex_lock(&power.lock);
	int rc = write_fails() ? SQLITE_IOERR_WRITE : SQLITE_OK;
	if (rc == SQLITE_OK && h->disk)
		rc = change_note(h, bytes, len, at);
	if (rc == SQLITE_OK)
		rc = h->real->pMethods->xWrite(h->real, bytes, len, at);
	pthread_mutex_unlock(&power.lock);
	return rc;
}

static int on_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	struct handle *h = handle_of(file);
	pthread_mutex_lock(&power.lock);
	int rc = power.dark ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
	if (rc == SQLITE_OK && h->disk)
		rc = change_note(h, NULL, 0, size);
	if (rc == SQLITE_OK)
		rc = h->real->pMethods->xTruncate(h->real, size);
	pthread_mutex_unlock(&power.lock);
	return rc;
}

/* Nothing here needs the real sync: the machine keeps its power. */
static int on_sync(sqlite3_file *file, int flags)
{
	struct handle *h = handle_of(file);
	(void)flags;
	pthread_mutex_lock(&power.lock);
	bool fails = power.dark || power.fail_syncs;
	power.counts.syncs++;
	if (!fails && h->disk)
		changes_forget(h->disk);
	pthread_mutex_unlock(&power.lock);
	return fails ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int on_close(sqlite3_file *file)
{
	sqlite3_file *real = handle_of(file)->real;
	return real->pMethods ? real->pMethods->xClose(real) : SQLITE_OK;
}

/* What only passes through: name, arguments, and what is passed on. */
#define PASS(name, params, args)                                               \
	static int on_##name params                                            \
	{                                                                      \
		sqlite3_file *real = handle_of(file)->real;                    \
		return real->pMethods->x##name args;                           \
	}
PASS(Read, (sqlite3_file * file, void *out, int len, sqlite3_int64 at),
     (real, out, len, at))
PASS(FileSize, (sqlite3_file * file, sqlite3_int64 *size), (real, size))
PASS(Lock, (sqlite3_file * file, int level), (real, level))
PASS(Unlock, (sqlite3_file * file, int level), (real, level))
PASS(CheckReservedLock, (sqlite3_file * file, int *out), (real, out))
PASS(FileControl, (sqlite3_file * file, int op, void *arg), (real, op, arg))
PASS(SectorSize, (sqlite3_file * file), (real))
PASS(ShmMap,
     (sqlite3_file * file, int page, int size, int extend, void volatile **out),
     (real, page, size, extend, out))
PASS(ShmLock, (sqlite3_file * file, int at, int n, int flags),
     (real, at, n, flags))
PASS(ShmUnmap, (sqlite3_file * file, int drop), (real, drop))
#undef PASS

/* Promises nothing about writes that share a sector or arrive in order. */
static int on_DeviceCharacteristics(sqlite3_file *file)
{
	(void)file;
	return 0;
}

static void on_ShmBarrier(sqlite3_file *file)
{
	sqlite3_file *real = handle_of(file)->real;
	real->pMethods->xShmBarrier(real);
}

static const sqlite3_io_methods methods = {
	.iVersion = 2,
	.xClose = on_close,
	.xRead = on_Read,
	.xWrite = on_write,
	.xTruncate = on_truncate,
	.xSync = on_sync,
	.xFileSize = on_FileSize,
	.xLock = on_Lock,
	.xUnlock = on_Unlock,
	.xCheckReservedLock = on_CheckReservedLock,
	.xFileControl = on_FileControl,
	.xSectorSize = on_SectorSize,
	.xDeviceCharacteristics = on_DeviceCharacteristics,
	.xShmMap = on_ShmMap,
	.xShmLock = on_ShmLock,
	.xShmBarrier = on_ShmBarrier,
	.xShmUnmap = on_ShmUnmap,
};

/* ---- the VFS ----------------------------------------------------------- */

/* The file of this path; entries stay until the process ends. */
static struct disk_file *disk_file_of(const char *path)
{
	struct disk_file *f = power.files;
	while (f && strcmp(f->path, path))
		f = f->next;
	if (f)
		return f;
	f = must_alloc(sizeof(*f));
	*f = (struct disk_file){ .next = power.files };
	snprintf(f->path, sizeof(f->path), "%s", path);
	power.files = f;
	return f;
}

static int on_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file,
		   int flags, int *flags_out)
{
	struct handle *h = handle_of(file);
	(void)vfs;
	*h = (struct handle){ .real = (sqlite3_file *)(h + 1) };
	h->real->pMethods = NULL;
	pthread_mutex_lock(&power.lock);
	if (path)
		h->disk = disk_file_of(path);
	pthread_mutex_unlock(&power.lock);
	int rc = power.below->xOpen(power.below, path, h->real, flags,
				    flags_out);
	if (h->real->pMethods)
		h->base.pMethods = &methods;
	return rc;
}

static int on_delete(sqlite3_vfs *vfs, const char *path, int sync_dir)
{
	(void)vfs;
	pthread_mutex_lock(&power.lock);
	int rc = power.dark ? SQLITE_IOERR_DELETE : SQLITE_OK;
	if (rc == SQLITE_OK) {
		changes_forget(disk_file_of(path));
		rc = power.below->xDelete(power.below, path, sync_dir);
	}
	pthread_mutex_unlock(&power.lock);
	return rc;
}

/* ---- orders ------------------------------------------------------------ */

static void *wait_for_signal(void *payload)
{
	sigset_t *set = payload;
	int caught;
	while (!sigwait(set, &caught)) {
		pthread_mutex_lock(&power.lock);
		if (!power.toggles)
			cut_locked();
		else
			power.fail_syncs = !power.fail_syncs;
		pthread_mutex_unlock(&power.lock);
	}
	return NULL;
}

static void obey_environment(void)
{
	static sigset_t set;
	const char *order = getenv("POWERCUT");
	pthread_t thread;
	if (!order)
		return;
	power.exits = true;
	if (!strncmp(order, "writes=", 7)) {
		power.writes_left = strtoull(order + 7, NULL, 10);
		power.armed = true;
		return;
	}
	power.toggles = !strcmp(order, "syncs");
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (pthread_create(&thread, NULL, wait_for_signal, &set))
		abort();
	pthread_detach(thread);
}

void powercut_register(void)
{
	if (power.below)
		return;
	sqlite3_initialize();
	power.below = sqlite3_vfs_find(NULL);
	power.vfs = *power.below;
	power.vfs.pNext = NULL;
	power.vfs.zName = POWERCUT_VFS;
	power.vfs.szOsFile += (int)sizeof(struct handle);
	power.vfs.xOpen = on_open;
	power.vfs.xDelete = on_delete;
	sqlite3_vfs_register(&power.vfs, 0);
	obey_environment();
}

void powercut_tear(uint64_t seed)
{
	pthread_mutex_lock(&power.lock);
	power.tear_seed = seed;
	pthread_mutex_unlock(&power.lock);
}

void powercut_cut(void)
{
	pthread_mutex_lock(&power.lock);
	cut_locked();
	pthread_mutex_unlock(&power.lock);
}

void powercut_restore(void)
{
	pthread_mutex_lock(&power.lock);
	power.dark = false;
	pthread_mutex_unlock(&power.lock);
}

void powercut_fail_syncs(bool fail)
{
	pthread_mutex_lock(&power.lock);
	power.fail_syncs = fail;
	pthread_mutex_unlock(&power.lock);
}

void powercut_fail_writes(bool fail)
{
	pthread_mutex_lock(&power.lock);
	power.fail_writes = fail;
	pthread_mutex_unlock(&power.lock);
}

struct powercut_counts powercut_counts(void)
{
	pthread_mutex_lock(&power.lock);
	struct powercut_counts counts = power.counts;
	pthread_mutex_unlock(&power.lock);
	return counts;
}
