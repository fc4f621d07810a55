/* SPDX-License-Identifier: MIT
 * Files that are torn or damaged, and a full disk: the store starts with every
 * complete commit, or refuses by name and changes nothing. */
#include "unit.h"

#include <sqlite3.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "files.h"

enum { PAGE_BYTES = 4096 };

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
		/* told of may also be a row that is of no use */
		assert_in_range(lines_count(text) - lines_count(whole), 0,
				b->damaged);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
