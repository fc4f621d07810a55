/* SPDX-License-Identifier: MIT
 * Files that are locked, missing, newer or foreign: the store refuses them by
 * name and changes nothing. */
#include "unit.h"

#include <sqlite3.h>

#include <fcntl.h>

#include "files.h"

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

/* Offsets in the header: https://www.sqlite.org/fileformat.html, 1.3. */
static void a_newer_or_foreign_file_is_refused(void **state)
{
	struct bench *b = *state;
	commit_rows(b, 1, 3);
	close_store(b);
	file_patch(b, "plyd.db", 60, span_of("\0\x3d\x09\x00", 4));
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
	expect_refusal(b, PLYD_EVERSION, "format 3000007");
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
	expect_refusal(b, PLYD_EVERSION, "format 3000009");
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
	sql(b, "DELETE FROM journal; DROP TABLE spent; DROP TABLE owned;"
	       "PRAGMA user_version = 1000000");
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

/* One of format 2 has no rows of finished matches, and nothing to note them. */
static void an_older_file_notes_what_is_spent(void **state)
{
	struct bench *b = *state;
	struct store_batch *batch = store_batch_begin();
	struct id a = id_of('a');
	put_row(batch, 1, 'a', 0, "old");
	put_row(batch, 2, 'b', 0, "runs");
	commit(b, batch, 2);
	close_store(b);
	sql(b, "DROP TABLE spent; PRAGMA user_version = 2000000");
	assert_int_equal(bench_open(b), PLYD_OK);
	assert_string_equal(bench_rows(b, &a), "0 00  old");
	assert_string_equal(bench_text(b),
			    "row 1 aaaaaaaaaa old\nrow 2 bbbbbbbbbb runs\n");
	batch = store_batch_begin();
	put_row(batch, 3, 'a', 1, "new");
	put_finish(batch, 'a', 3, "meta");
	commit(b, batch, 3);
	for (int n = 0; n < 2; n++) {
		assert_string_equal(bench_text(b), "row 2 bbbbbbbbbb runs\n");
		assert_string_equal(bench_record(b, &a), "3 61 meta old new");
		close_store(b);
		assert_int_equal(bench_open(b), PLYD_OK);
	}
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILES(a_directory_has_one_store),
		FILES(the_lock_is_not_inherited),
		FILES(the_lock_is_handed_over),
		cmocka_unit_test(a_directory_that_cannot_be_made_is_named),
		cmocka_unit_test(directories_above_are_made),
		FILES(a_newer_or_foreign_file_is_refused),
		FILES(newer_rows_are_refused_and_older_ones_are_not),
		FILES(an_older_file_gets_lists),
		FILES(an_older_file_notes_what_is_spent),
		FILES(an_empty_or_missing_file_is_not_made_anew),
		cmocka_unit_test(a_creation_that_was_cut_short_is_repeated),
	};
	if (crypto_ready())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
