/* SPDX-License-Identifier: MIT
 * Files that are locked, newer, torn or damaged: the store starts with every
 * complete commit, or refuses by name and changes nothing. */
#include "unit.h"

#include <sqlite3.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "base/rng.h"
#include "bench.h"

enum { FILE_BYTES_MAX = 8 * 1024 * 1024, PAGE_BYTES = 4096, ROWS = 40 };

static int setup(void **state)
{
	struct bench *b = bench_new();
	bench_dir(b);
	*state = b;
	return bench_open(b);
}

static int teardown(void **state)
{
	bench_free(*state);
	return 0;
}

/* ---- files ------------------------------------------------------------- */

static const char *path_of(const struct bench *b, const char *name)
{
	static char path[256];
	snprintf(path, sizeof(path), "%s/%s", b->dir, name);
	return path;
}

/* The bytes of a file; none if it is not there. */
static struct buf file_read(const struct bench *b, const char *name)
{
	struct buf bytes;
	char piece[65536];
	size_t n;
	FILE *in = fopen(path_of(b, name), "rb");
	buf_init(&bytes, FILE_BYTES_MAX);
	while (in && (n = fread(piece, 1, sizeof(piece), in)) > 0)
		buf_put(&bytes, piece, n);
	if (in)
		fclose(in);
	assert_int_equal(bytes.err, PLYD_OK);
	return bytes;
}

static void file_write(const struct bench *b, const char *name,
		       struct span bytes)
{
	FILE *out = fopen(path_of(b, name), "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes.at, 1, bytes.len, out), bytes.len);
	fclose(out);
}

static void file_patch(const struct bench *b, const char *name, long at,
		       struct span bytes)
{
	FILE *out = fopen(path_of(b, name), "r+b");
	assert_non_null(out);
	fseek(out, at, SEEK_SET);
	assert_int_equal(fwrite(bytes.at, 1, bytes.len, out), bytes.len);
	fclose(out);
}

/* ---- what is in them --------------------------------------------------- */

static void commit(struct bench *b, struct store_batch *batch, uint64_t seq)
{
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
	bench_wait(b, seq);
	assert_int_equal(b->failures, 0);
}

static void row_text(uint64_t seq, char text[300])
{
	struct rng rng;
	rng_seed(&rng, seq);
	size_t len = 20 + rng_below(&rng, 250);
	for (size_t i = 0; i < len; i++)
		text[i] = (char)('a' + rng_below(&rng, 26));
	text[len] = '\0';
}

/* Rows first..last, one commit each. */
static void commit_rows(struct bench *b, uint64_t first, uint64_t last)
{
	char text[300];
	for (uint64_t seq = first; seq <= last; seq++) {
		struct store_batch *batch = store_batch_begin();
		row_text(seq, text);
		put_row(batch, seq, 0, seq - 1, text);
		commit(b, batch, seq);
	}
}

/* The text of rows 1..last. */
static char *rows_text(uint64_t last)
{
	struct buf all;
	char text[300];
	buf_init(&all, FILE_BYTES_MAX);
	for (uint64_t seq = 1; seq <= last; seq++) {
		row_text(seq, text);
		buf_printf(&all, "row %d - %s\n", (int)seq, text);
	}
	buf_put_byte(&all, 0);
	return (char *)all.at;
}

static void close_store(struct bench *b)
{
	store_close(b->store);
	b->store = NULL;
}

/* Copies the files of an open store, as a crash would leave them. */
static struct bench *bench_crashed(const struct bench *b)
{
	struct bench *copy = bench_new();
	bench_dir(copy);
	static const char *const names[] = { "plyd.db", "plyd.db-wal" };
	for (size_t i = 0; i < COUNT(names); i++) {
		struct buf bytes = file_read(b, names[i]);
		file_write(copy, names[i], buf_span(&bytes));
		buf_release(&bytes);
	}
	return copy;
}

/* ---- the directory ----------------------------------------------------- */

static void a_directory_has_one_store(void **state)
{
	struct bench *b = *state;
	struct bench second = *b;
	assert_int_equal(bench_open(&second), PLYD_ELOCKED);
	assert_null(second.store);
	assert_non_null(strstr(second.why, "another plyd uses"));
	close_store(b);
	assert_int_equal(bench_open(b), PLYD_OK);
}

/* But a program that takes over has it all the time. */
static void the_lock_is_handed_over(void **state)
{
	struct bench *b = *state;
	struct bench other = *b;
	commit_rows(b, 1, 3);
	int fd = store_hand_over(b->store);
	assert_true(fd > 2);
	close_store(b);
	assert_int_equal(bench_open(&other), PLYD_ELOCKED);
	b->lock_fd = fd;
	assert_int_equal(bench_open(b), PLYD_OK);
	close(fd);
	assert_int_equal(bench_open(&other), PLYD_ELOCKED);
	close_store(b);
	/* a descriptor of something else is no lock */
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	b->lock_fd = fd;
	assert_int_equal(bench_open(b), PLYD_OK);
	assert_int_equal(bench_open(&other), PLYD_ELOCKED);
	close(fd);
}

struct copied {
	int answers, err;
	uint64_t bytes;
};

static void note_backup(void *payload, int err, const char *why, uint64_t bytes)
{
	struct copied *c = payload;
	(void)why;
	c->answers++;
	c->err = err;
	c->bytes = bytes;
}

static void wait_for(struct bench *b, const struct copied *c, int answers)
{
	for (int i = 0; i < 2000 && c->answers < answers; i++) {
		usleep(5000);
		bench_poll(b);
	}
	assert_int_equal(c->answers, answers);
}

/* What is committed when it begins is in it, and it comes back. */
static void a_backup_is_made_and_comes_back(void **state)
{
	struct bench *b = *state;
	struct bench *other = bench_new();
	struct copied c = { 0 };
	char path[sizeof(b->dir) + 16], why[STORE_WHY_MAX];
	struct stat st;
	snprintf(path, sizeof(path), "%s/copy.db", b->dir);
	commit_rows(b, 1, ROWS);
	assert_int_equal(store_backup(b->store, path, note_backup, &c),
			 PLYD_OK);
	assert_int_equal(store_backup(b->store, path, note_backup, &c),
			 PLYD_EBUSY);
	commit_rows(b, ROWS + 1, 2 * ROWS);
	wait_for(b, &c, 1);
	assert_int_equal(c.err, PLYD_OK);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, c.bytes);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_true(store_size(b->store).database > 0);
	/* never over another file */
	assert_int_equal(store_backup(b->store, path, note_backup, &c),
			 PLYD_OK);
	wait_for(b, &c, 2);
	assert_int_equal(c.err, PLYD_EIO);

	bench_dir(other);
	const struct store_options into = { .dir = other->dir };
	assert_int_equal(store_restore(&into, path, why), PLYD_OK);
	assert_int_equal(store_restore(&into, path, why), PLYD_ESTORE);
	assert_int_equal(bench_open(other), PLYD_OK);
	bench_text(other);
	assert_true(other->last_seq >= ROWS && other->last_seq <= 2 * ROWS);
	char *rows = rows_text(other->last_seq);
	assert_string_equal(bench_text(other), rows);
	free(rows);
	bench_free(other);
}

static void put_text(const char *dir, const char *name, const char *text)
{
	char path[STORE_PATH_MAX];
	snprintf(path, sizeof(path), "%s/" STORE_CARRIED, dir);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/" STORE_CARRIED "/%s", dir, name);
	FILE *out = fopen(path, "w");
	fputs(text, out);
	fclose(out);
}

/* Takes the file away; "": there is none. */
static const char *text_of(const char *dir, const char *name)
{
	static char text[64];
	char path[STORE_PATH_MAX];
	snprintf(path, sizeof(path), "%s/" STORE_CARRIED "/%s", dir, name);
	FILE *in = fopen(path, "r");
	size_t n = in ? fread(text, 1, sizeof(text) - 1, in) : 0;
	text[n] = '\0';
	if (in)
		fclose(in);
	unlink(path);
	return text;
}

static void drop_texts(const char *dir)
{
	char path[STORE_PATH_MAX];
	text_of(dir, "2own@1");
	text_of(dir, "2bad@1");
	text_of(dir, "2own@2.new");
	snprintf(path, sizeof(path), "%s/" STORE_CARRIED, dir);
	assert_int_equal(rmdir(path), 0);
}

static void damage_one(const char *path)
{
	sqlite3 *copy;
	assert_int_equal(sqlite3_open(path, &copy), SQLITE_OK);
	assert_int_equal(sqlite3_exec(copy,
				      "UPDATE carried SET bytes = x'00'"
				      " WHERE name = '2bad@1'",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_changes(copy), 1);
	sqlite3_close(copy);
}

/* Files that a backup carries lie beside the database when it is opened, once;
 * one that is damaged does not, and one half written was never taken. */
static void a_backup_carries_files(void **state)
{
	struct bench *b = *state;
	struct bench *other = bench_new();
	struct copied c = { 0 };
	char path[sizeof(b->dir) + 16], why[STORE_WHY_MAX];
	snprintf(path, sizeof(path), "%s/copy.db", b->dir);
	commit_rows(b, 1, ROWS);
	put_text(b->dir, "2own@1", "return 1");
	put_text(b->dir, "2bad@1", "return 2");
	put_text(b->dir, "2own@2.new", "ret");
	assert_false(store_backs_up(b->store));
	assert_int_equal(store_backup(b->store, path, note_backup, &c),
			 PLYD_OK);
	assert_true(store_backs_up(b->store));
	wait_for(b, &c, 1);
	assert_int_equal(c.err, PLYD_OK);
	damage_one(path);
	bench_dir(other);
	const struct store_options into = { .dir = other->dir };
	assert_int_equal(store_restore(&into, path, why), PLYD_OK);
	assert_int_equal(bench_open(other), PLYD_OK);
	assert_string_equal(text_of(other->dir, "2own@1"), "return 1");
	assert_string_equal(text_of(other->dir, "2bad@1"), "");
	assert_string_equal(text_of(other->dir, "2own@2.new"), "");
	close_store(other);
	assert_int_equal(bench_open(other), PLYD_OK);
	assert_string_equal(text_of(other->dir, "2own@1"), "");
	drop_texts(b->dir);
	drop_texts(other->dir);
	bench_free(other);
}

/* Who stops does not wait for it, and it leaves nothing behind. */
static void a_backup_is_broken_off(void **state)
{
	struct bench *b = *state;
	struct copied c = { 0 };
	char path[sizeof(b->dir) + 16], row[60000];
	memset(row, 'x', sizeof(row) - 1);
	row[sizeof(row) - 1] = '\0';
	for (uint64_t seq = 1; seq <= 400; seq++) {
		struct store_batch *batch = store_batch_begin();
		put_row(batch, seq, 0, seq - 1, row);
		commit(b, batch, seq);
	}
	snprintf(path, sizeof(path), "%s/copy.db", b->dir);
	assert_int_equal(store_backup(b->store, path, note_backup, &c),
			 PLYD_OK);
	close_store(b);
	assert_int_equal(c.answers, 1);
	assert_int_equal(c.err, PLYD_ESHUTDOWN);
	assert_int_equal(access(path, F_OK), -1);
}

static int note_record(void *payload, const struct id *match,
		       const struct store_record *record)
{
	struct buf *b = payload;
	return buf_printf(b, "%s %llu %.*s\n", match->text,
			  (unsigned long long)record->ended_seq,
			  (int)record->meta.len, (const char *)record->meta.at);
}

/* Beside the one that writes, and without a change. */
static void a_reader_reads_beside_the_writer(void **state)
{
	struct bench *b = *state;
	const struct store_options options = { .dir = b->dir };
	char why[STORE_WHY_MAX];
	struct store *reader;
	struct buf text;
	struct id match = { "aaaaaaaaaa" };
	struct store_batch *batch = store_batch_begin();
	store_append(batch, 1, &match, 0, span_str("row"));
	const struct store_ending ending = { .last_seq = 1,
					     .meta = span_str("meta") };
	store_finish(batch, &match, &ending);
	put_row(batch, 2, 0, 0, "general");
	commit(b, batch, 2);
	buf_init(&text, 1000);
	assert_int_equal(store_open_reader(&reader, &options, why), PLYD_OK);
	assert_int_equal(store_each_record(reader, note_record, &text, why),
			 PLYD_OK);
	assert_true(span_is(buf_span(&text), "aaaaaaaaaa 1 meta\n"));
	store_close(reader);
	buf_release(&text);
	commit_rows(b, 3, 4);
	assert_int_equal(unlink(path_of(b, "plyd.db")), 0);
	assert_int_equal(store_open_reader(&reader, &options, why),
			 PLYD_ENOTHING);
	assert_null(reader);
}

/* A program that we start must not keep the lock after us. */
static void the_lock_is_not_inherited(void **state)
{
	struct bench *b = *state;
	char link[64], target[256];
	int found = 0;
	for (int fd = 0; fd < 256; fd++) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		ssize_t n = readlink(link, target, sizeof(target) - 1);
		if (n < 0)
			continue;
		target[n] = '\0';
		if (strncmp(target, b->dir, strlen(b->dir)))
			continue;
		found++;
		assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	}
	assert_true(found >= 3); /* lock, database, log */
}

static void a_directory_that_cannot_be_made_is_named(void **state)
{
	struct bench b = { .dir = "/proc/plyd" };
	(void)state;
	assert_int_equal(bench_open(&b), PLYD_ESTORE);
	assert_non_null(strstr(b.why, "/proc/plyd"));
	snprintf(b.dir, sizeof(b.dir), "/dev/null");
	assert_int_equal(bench_open(&b), PLYD_ESTORE);
	assert_non_null(strstr(b.why, "/dev/null"));
}

static void directories_above_are_made(void **state)
{
	struct bench *b = bench_new();
	char top[sizeof(b->dir)];
	(void)state;
	bench_dir(b);
	snprintf(top, sizeof(top), "%.64s", b->dir);
	snprintf(b->dir, sizeof(b->dir), "%.64s/var//lib/plyd/", top);
	if (bench_open(b))
		fail_msg("%s", b->why);
	commit_rows(b, 1, 3);
	snprintf(b->dir, sizeof(b->dir), "%.64s", top);
	bench_free(b);
}

/* Patches the closed database and expects this refusal, and the same bytes
 * afterwards. */
static void expect_refusal(struct bench *b, int err, const char *why)
{
	struct buf before = file_read(b, "plyd.db");
	struct buf wal_before = file_read(b, "plyd.db-wal");
	assert_int_equal(bench_open(b), err);
	assert_null(b->store);
	if (!strstr(b->why, why))
		fail_msg("'%s' does not say '%s'", b->why, why);
	struct buf after = file_read(b, "plyd.db");
	struct buf wal_after = file_read(b, "plyd.db-wal");
	assert_true(span_eq(buf_span(&before), buf_span(&after)));
	assert_true(span_eq(buf_span(&wal_before), buf_span(&wal_after)));
	buf_release(&before);
	buf_release(&after);
	buf_release(&wal_before);
	buf_release(&wal_after);
}

/* Offsets in the header: https://www.sqlite.org/fileformat.html, 1.3. */
static void a_newer_or_foreign_file_is_refused(void **state)
{
	struct bench *b = *state;
	commit_rows(b, 1, 3);
	close_store(b);
	file_patch(b, "plyd.db", 60, span_of("\0\x2d\xc6\xc0", 4));
	expect_refusal(b, PLYD_EVERSION, "use the newer plyd");
	file_patch(b, "plyd.db", 60, span_of("\0\0\0\1", 4));
	file_patch(b, "plyd.db", 68, span_of("\0\0\0\1", 4));
	expect_refusal(b, PLYD_ESTORE, "not a database of plyd");
	file_patch(b, "plyd.db", 0, span_of("no database here", 16));
	expect_refusal(b, PLYD_ESTORE, "restore a backup");
}

/* What rows mean grows with the program: it is marked with the first row that is
 * written, and a program of before refuses it. */
static void newer_rows_are_refused_and_older_ones_are_not(void **state)
{
	struct bench *b = *state;
	close_store(b);
	b->format = 7;
	assert_int_equal(bench_open(b), PLYD_OK);
	commit_rows(b, 1, 3);
	close_store(b);
	b->format = 6;
	expect_refusal(b, PLYD_EVERSION, "format 2000007");
	b->format = 9;
	assert_int_equal(bench_open(b), PLYD_OK);
	close_store(b);
	b->format = 7;
	assert_int_equal(bench_open(b), PLYD_OK); /* nothing was written */
	close_store(b);
	b->format = 9;
	assert_int_equal(bench_open(b), PLYD_OK);
	commit_rows(b, 4, 4);
	close_store(b);
	b->format = 8;
	expect_refusal(b, PLYD_EVERSION, "format 2000009");
}

static void sql(struct bench *b, const char *text)
{
	char path[sizeof(b->dir) + 16];
	sqlite3 *db;
	snprintf(path, sizeof(path), "%s/plyd.db", b->dir);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

/* A database of format 1 has no lists: they begin with the first commit, and a
 * program of before refuses it only from then on. */
static void an_older_file_gets_lists(void **state)
{
	struct bench *b = *state;
	struct store_batch *batch = store_batch_begin();
	put_row(batch, 1, 'a', 0, "row");
	put_finish(batch, 'a', 1, "old");
	commit(b, batch, 1);
	close_store(b);
	sql(b, "DROP TABLE owned; PRAGMA user_version = 1000000");
	assert_int_equal(bench_open(b), PLYD_OK);
	assert_string_equal(bench_list(b, 0, 0, 10), "");
	batch = store_batch_begin();
	put_row(batch, 2, 'b', 0, "row");
	put_owned(batch, 'b', 2, "new", "x");
	commit(b, batch, 2);
	assert_string_equal(bench_list(b, 'x', 0, 10), "2 b new\n");
	assert_string_equal(bench_list(b, 0, 0, 10), "2 b new\n");
	close_store(b);
	assert_int_equal(bench_open(b), PLYD_OK); /* its tables are known */
	assert_string_equal(bench_list(b, 'x', 0, 10), "2 b new\n");
}

static void an_empty_or_missing_file_is_not_made_anew(void **state)
{
	struct bench *b = *state;
	commit_rows(b, 1, 3);
	struct bench *crashed = bench_crashed(b);
	file_write(crashed, "plyd.db", span_of("", 0));
	expect_refusal(crashed, PLYD_ESTORE, "it is empty");
	unlink(path_of(crashed, "plyd.db"));
	expect_refusal(crashed, PLYD_ESTORE, "its log is there");
	bench_free(crashed);
}

static void a_creation_that_was_cut_short_is_repeated(void **state)
{
	struct bench *b = bench_new();
	(void)state;
	bench_dir(b);
	file_write(b, "plyd.db.new", span_str("half of a database"));
	assert_int_equal(bench_open(b), PLYD_OK);
	assert_string_equal(bench_text(b), "");
	bench_free(b);
}

/* ---- torn files -------------------------------------------------------- */

/* Opens what a crash left, whose log was cut at `len`: a prefix of the commits,
 * and then ten more that must stay (cases DB-03, DB-04). Returns how many. */
static uint64_t expect_prefix(const struct bench *b, size_t len)
{
	struct bench *torn = bench_crashed(b);
	torn->durability = DURABILITY_NONE;
	assert_int_equal(truncate(path_of(torn, "plyd.db-wal"), (off_t)len), 0);
	if (bench_open(torn))
		fail_msg("cut at %zu: %s", len, torn->why);
	char *expected, *text = strdup(bench_text(torn));
	uint64_t last = torn->last_seq;
	expected = rows_text(last);
	assert_string_equal(text, expected);
	free(text);
	free(expected);
	commit_rows(torn, last + 1, last + 10);
	close_store(torn);
	assert_int_equal(bench_open(torn), PLYD_OK);
	expected = rows_text(last + 10);
	assert_string_equal(bench_text(torn), expected);
	free(expected);
	bench_free(torn);
	return last;
}

static void a_torn_log_loses_its_last_commits_only(void **state)
{
	struct bench *b = *state;
	uint64_t before = 0;
	commit_rows(b, 1, ROWS);
	struct buf wal = file_read(b, "plyd.db-wal");
	size_t step = wal.len / 60 + 1;
	assert_true(wal.len > ROWS * PAGE_BYTES);
	for (size_t len = 0; len < wal.len; len += step) {
		uint64_t last = expect_prefix(b, len);
		assert_in_range(last, before, ROWS);
		before = last;
	}
	for (size_t i = 0; i < 12; i++)
		expect_prefix(b, wal.len - PAGE_BYTES - 24 + i * 373);
	assert_int_equal(expect_prefix(b, wal.len), ROWS);
	buf_release(&wal);
}

/* A whole database, closed cleanly, with all that it can hold. */
static void commit_everything(struct bench *b)
{
	struct store_batch *batch = store_batch_begin();
	commit_rows(b, 1, ROWS);
	put_row(batch, ROWS + 1, 'a', 0, "a match");
	put_row(batch, ROWS + 2, 'b', 0, "another match");
	put_secret(batch, 'a', "seed");
	put_finish(batch, 'b', ROWS + 2, "meta");
	commit(b, batch, ROWS + 2);
	close_store(b);
}

static void a_cut_database_is_refused(void **state)
{
	struct bench *b = *state;
	commit_everything(b);
	struct buf whole = file_read(b, "plyd.db");
	for (size_t len = 0; len < whole.len; len += PAGE_BYTES / 4 + 1) {
		file_write(b, "plyd.db", span_of(whole.at, len));
		expect_refusal(b, PLYD_ESTORE, "nothing was changed");
	}
	file_write(b, "plyd.db", buf_span(&whole));
	assert_int_equal(bench_open(b), PLYD_OK);
	buf_release(&whole);
}

/* ---- damaged files ----------------------------------------------------- */

/* Every line of text is one of the lines of whole, or tells of damage. */
static bool lines_are_right(const char *text, const char *whole)
{
	char line[600];
	while (*text) {
		const char *end = strchr(text, '\n') + 1;
		snprintf(line, sizeof(line), "%.*s", (int)(end - text), text);
		if (strncmp(line, "damaged ", 8) && !strstr(whole, line))
			return false;
		text = end;
	}
	return true;
}

static int lines_count(const char *text)
{
	int count = 0;
	for (; *text; text++)
		count += *text == '\n';
	return count;
}

struct tally {
	int refused, told, whole;
};

/* Opens a damaged file: refused, or what it tells is right. */
static void judge(struct bench *b, const char *whole, struct tally *tally)
{
	struct buf before = file_read(b, "plyd.db");
	int err = bench_open(b);
	if (err) {
		struct buf after = file_read(b, "plyd.db");
		assert_true(span_eq(buf_span(&before), buf_span(&after)));
		assert_non_null(strstr(b->why, b->dir));
		tally->refused++;
		buf_release(&after);
	}
	buf_release(&before);
	if (err)
		return;
	const char *text = bench_text(b);
	if (!*text) { /* the load was refused, by name */
		assert_non_null(strstr(b->why, b->dir));
		tally->refused++;
	} else if (!lines_are_right(text, whole)) {
		fail_msg("it tells what never was: %s", text);
	} else {
		assert_int_equal(lines_count(text), lines_count(whole));
		tally->told += b->damaged > 0;
		tally->whole += b->damaged == 0;
	}
	close_store(b);
}

static char *everything_text(struct bench *b)
{
	assert_int_equal(bench_open(b), PLYD_OK);
	char *whole = strdup(bench_text(b));
	close_store(b);
	return whole;
}

/* Case DB-08. */
static void an_overwritten_page_does_not_go_unnoticed(void **state)
{
	struct bench *b = *state;
	struct tally tally = { 0 };
	uint8_t noise[PAGE_BYTES];
	struct rng rng;
	rng_seed(&rng, 1);
	commit_everything(b);
	struct buf file = file_read(b, "plyd.db");
	char *whole = everything_text(b);
	for (size_t page = 0; page < file.len / PAGE_BYTES; page++) {
		for (size_t i = 0; i < sizeof(noise); i++)
			noise[i] = (uint8_t)rng_next(&rng);
		file_write(b, "plyd.db", buf_span(&file));
		file_patch(b, "plyd.db", (long)page * PAGE_BYTES,
			   span_of(noise, sizeof(noise)));
		judge(b, whole, &tally);
	}
	assert_int_equal(tally.refused, file.len / PAGE_BYTES);
	free(whole);
	buf_release(&file);
}

/* The same with commits that are in the log only: a database that is refused is
 * not touched by its own log either. */
static void a_refused_database_keeps_its_log(void **state)
{
	struct bench *b = *state;
	struct tally tally = { 0 };
	uint8_t noise[PAGE_BYTES];
	memset(noise, 0xa5, sizeof(noise));
	commit_everything(b);
	assert_int_equal(bench_open(b), PLYD_OK);
	commit_rows(b, ROWS + 3, ROWS + 5);
	char *whole = strdup(bench_text(b));
	for (long page = 1; page < 8; page++) {
		struct bench *crashed = bench_crashed(b);
		file_patch(crashed, "plyd.db", page * PAGE_BYTES,
			   span_of(noise, sizeof(noise)));
		judge(crashed, whole, &tally);
		bench_free(crashed);
	}
	assert_in_range(tally.refused, 3, 7);
	free(whole);
}

/* A single bit anywhere: no row is ever told wrong. The journal's own bits are
 * what checksums are for, so some must be caught by them. */
static void a_flipped_bit_never_makes_a_wrong_row(void **state)
{
	struct bench *b = *state;
	struct tally tally = { 0 };
	struct rng rng;
	rng_seed(&rng, 2);
	commit_everything(b);
	struct buf file = file_read(b, "plyd.db");
	char *whole = everything_text(b);
	for (int i = 0; i < 1500; i++) {
		size_t at = rng_below(&rng, (uint32_t)file.len);
		uint8_t byte = file.at[at] ^ (uint8_t)(1 << rng_below(&rng, 8));
		file_write(b, "plyd.db", buf_span(&file));
		file_patch(b, "plyd.db", (long)at, span_of(&byte, 1));
		judge(b, whole, &tally);
	}
	print_message("bits: %d refused, %d told, %d without harm\n",
		      tally.refused, tally.told, tally.whole);
	assert_true(tally.told > 20);
	free(whole);
	buf_release(&file);
}

static void a_damaged_snapshot_gives_way_to_the_one_before(void **state)
{
	struct bench *b = *state;
	struct store_batch *batch = store_batch_begin();
	for (uint64_t seq = 1; seq <= 4; seq++)
		put_row(batch, seq, 0, seq - 1, "general");
	store_snapshot(batch, 2, span_str("the older one"));
	store_snapshot(batch, 4, span_str("the newer one"));
	commit(b, batch, 4);
	close_store(b);
	struct buf file = file_read(b, "plyd.db");
	uint8_t *newer = memmem(file.at, file.len, "the newer one", 13);
	assert_non_null(newer);
	file_patch(b, "plyd.db", newer - file.at, span_str("The"));
	buf_release(&file);
	assert_int_equal(bench_open(b), PLYD_OK);
	assert_string_equal(bench_text(b),
			    "damaged snapshot 4: wrong checksum\n"
			    "snapshot 2 the older one\n"
			    "row 3 - general\n"
			    "row 4 - general\n");
}

static void a_match_with_a_damaged_row_is_not_made_a_record(void **state)
{
	struct bench *b = *state;
	struct store_batch *batch = store_batch_begin();
	put_row(batch, 1, 'a', 0, "unmistakable");
	put_row(batch, 2, 'a', 1, "second");
	commit(b, batch, 2);
	close_store(b);
	struct buf file = file_read(b, "plyd.db");
	uint8_t *row = memmem(file.at, file.len, "unmistakable", 12);
	assert_non_null(row);
	file_patch(b, "plyd.db", row - file.at, span_str("U"));
	buf_release(&file);
	assert_int_equal(bench_open(b), PLYD_OK);
	assert_string_equal(bench_text(b),
			    "damaged row 1 of match aaaaaaaaaa: wrong "
			    "checksum\n"
			    "row 2 aaaaaaaaaa second\n");
	batch = store_batch_begin();
	put_finish(batch, 'a', 2, "");
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
	bench_wait(b, 0);
	assert_int_equal(b->failures, 1);
	assert_string_equal(b->why, "match aaaaaaaaaa: row 1 is missing or "
				    "damaged");
}

/* ---- a full disk ------------------------------------------------------- */

/* Case DB-06, with a limit on the size of files for the disk's end. */
static void a_full_disk_loses_the_failing_commit_only(void **state)
{
	struct bench *b = *state;
	struct rlimit before, low;
	char row[20000];
	uint64_t seq = ROWS;
	memset(row, 'x', sizeof(row) - 1);
	row[sizeof(row) - 1] = '\0';
	commit_rows(b, 1, ROWS);
	struct buf wal = file_read(b, "plyd.db-wal");
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	low = before;
	low.rlim_cur = (rlim_t)wal.len + 100000;
	buf_release(&wal);
	setrlimit(RLIMIT_FSIZE, &low);
	while (b->failures == 0 && seq < ROWS + 100) {
		struct store_batch *batch = store_batch_begin();
		put_row(batch, ++seq, 'a', 0, row);
		assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
		bench_wait(b, seq);
	}
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(b->failures, 1);
	assert_int_equal(b->failed_seq, seq);
	assert_int_equal(b->committed, seq - 1);
	bench_text(b);
	assert_int_equal(b->last_seq, seq - 1);
	store_probe(b->store);
	bench_wait(b, 0);
	assert_int_equal(b->probe_err, PLYD_OK);
	assert_int_equal(b->probed_seq, seq - 1);
	b->failures = 0;
	commit_rows(b, seq, seq + 5);
	close_store(b);
	assert_int_equal(bench_open(b), PLYD_OK);
	bench_text(b);
	assert_int_equal(b->last_seq, seq + 5);
	assert_int_equal(b->damaged, 0);
}

/* The log is copied away while commits go on, so it does not grow for ever. */
static void the_log_does_not_grow_for_ever(void **state)
{
	struct bench *b = *state;
	char row[60000];
	struct stat st;
	off_t most = 0;
	memset(row, 'x', sizeof(row) - 1);
	row[sizeof(row) - 1] = '\0';
	close_store(b);
	b->durability = DURABILITY_NONE;
	assert_int_equal(bench_open(b), PLYD_OK);
	for (uint64_t seq = 1; seq <= 1500; seq++) {
		struct store_batch *batch = store_batch_begin();
		put_row(batch, seq, 0, seq - 1, row);
		store_snapshot(batch, seq, span_str("s"));
		commit(b, batch, seq);
		if (!stat(path_of(b, "plyd.db-wal"), &st) && st.st_size > most)
			most = st.st_size;
	}
	/* 1,500 times 17 pages were written */
	assert_true(most > 4000000);
	assert_true(most < 70000000);
}

#define FILES(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILES(a_directory_has_one_store),
		FILES(the_lock_is_not_inherited),
		FILES(the_lock_is_handed_over),
		FILES(a_reader_reads_beside_the_writer),
		FILES(a_backup_is_made_and_comes_back),
		FILES(a_backup_carries_files),
		FILES(a_backup_is_broken_off),
		cmocka_unit_test(a_directory_that_cannot_be_made_is_named),
		cmocka_unit_test(directories_above_are_made),
		FILES(a_newer_or_foreign_file_is_refused),
		FILES(newer_rows_are_refused_and_older_ones_are_not),
		FILES(an_older_file_gets_lists),
		FILES(an_empty_or_missing_file_is_not_made_anew),
		cmocka_unit_test(a_creation_that_was_cut_short_is_repeated),
		FILES(a_torn_log_loses_its_last_commits_only),
		FILES(a_cut_database_is_refused),
		FILES(an_overwritten_page_does_not_go_unnoticed),
		FILES(a_refused_database_keeps_its_log),
		FILES(a_flipped_bit_never_makes_a_wrong_row),
		FILES(a_damaged_snapshot_gives_way_to_the_one_before),
		FILES(a_match_with_a_damaged_row_is_not_made_a_record),
		FILES(a_full_disk_loses_the_failing_commit_only),
		FILES(the_log_does_not_grow_for_ever),
	};
	if (crypto_ready())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
