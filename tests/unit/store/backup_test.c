/* SPDX-License-Identifier: MIT
 * A store that is copied or read while it is written. */
#include "unit.h"

#include <sqlite3.h>

#include <errno.h>

#include "files.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILES(a_reader_reads_beside_the_writer),
		FILES(a_backup_is_made_and_comes_back),
		FILES(a_backup_carries_files),
		FILES(a_backup_is_broken_off),
	};
	if (crypto_ready())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
