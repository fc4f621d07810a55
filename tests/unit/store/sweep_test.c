/* SPDX-License-Identifier: MIT
 * Rows of finished matches stay in the file until many are of no use: nobody is
 * told of them, whatever happens meanwhile, and in the end they are gone. */
#include "unit.h"

#include <sqlite3.h>

#include "files.h"

enum {
	MANY = 1100, /* finished matches that are enough for a round */
	AT_ONCE = 100,
	ROWS_EACH = 4,
	/* Rows that one commit of two rows may remove, see sqlite_sweep.c. */
	STEP_MAX = 256 + 4 * 2 + 1,
	COMMITS_MAX = 200,
};

static int count_of(const struct bench *b, const char *query)
{
	sqlite3 *db;
	sqlite3_stmt *st;
	assert_int_equal(sqlite3_open(path_of(b, "plyd.db"), &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, query, -1, &st, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	int count = sqlite3_column_int(st, 0);
	sqlite3_finalize(st);
	sqlite3_close(db);
	return count;
}

static int rows_in(const struct bench *b)
{
	return count_of(b, "SELECT count(*) FROM journal");
}

static int spent_in(const struct bench *b)
{
	return count_of(b, "SELECT count(*) FROM spent");
}

static struct id id_number(size_t n)
{
	struct id id = { "aaaaaaaaaa" };
	for (char *at = id.text + ID_CHARS; n > 0; n /= 26)
		*--at = (char)('a' + n % 26);
	return id;
}

/* The k-th row of the n-th of `count` matches that run side by side. */
static uint64_t seq_of(uint64_t first, size_t n, size_t k, size_t count)
{
	return first + k * count + n;
}

/* Matches from..from+count-1 begin, run side by side and end, in one commit.
 * Their rows are those from `first` on; the last one is given. */
static uint64_t finish_many(struct bench *b, uint64_t first, size_t from,
			    size_t count)
{
	struct store_batch *batch = store_batch_begin();
	for (size_t k = 0; k < ROWS_EACH; k++)
		for (size_t n = 0; n < count; n++) {
			struct id match = id_number(from + n);
			uint64_t seq = seq_of(first, n, k, count);
			store_append(batch, seq, &match,
				     k > 0 ? seq - count : 0, span_str("row"));
		}
	for (size_t n = 0; n < count; n++) {
		struct id match = id_number(from + n);
		const struct store_ending ending = {
			.last_seq = seq_of(first, n, ROWS_EACH - 1, count)
		};
		store_finish(batch, &match, &ending);
	}
	uint64_t last = first + ROWS_EACH * count - 1;
	commit(b, batch, last);
	return last;
}

/* MANY of them, so many at a time that a round is not done at once. */
static uint64_t finish_all(struct bench *b, uint64_t first, size_t from)
{
	uint64_t last = first - 1;
	for (size_t n = 0; n < MANY; n += AT_ONCE)
		last = finish_many(b, last + 1, from + n, AT_ONCE);
	return last;
}

/* A row of a match that runs on, and another. */
static uint64_t play_on(struct bench *b, uint64_t last)
{
	struct store_batch *batch = store_batch_begin();
	put_row(batch, last + 1, 'z', 0, "runs");
	put_row(batch, last + 2, 0, 0, "general");
	commit(b, batch, last + 2);
	return last + 2;
}

/* Plays on until `left` matches are spent; a commit removes so many rows at
 * most. */
static uint64_t sweep_all(struct bench *b, uint64_t last, int left)
{
	int rows = rows_in(b), count = 0;
	while (spent_in(b) > left) {
		if (++count > COMMITS_MAX)
			fail_msg("%d are spent still", spent_in(b));
		last = play_on(b, last);
		int now = rows_in(b);
		assert_in_range(rows + 2 - now, 0, STEP_MAX);
		rows = now;
	}
	return last;
}

/* Nothing but the rows of play_on(). */
static void expect_live_only(struct bench *b)
{
	assert_null(strstr(bench_text(b), " row\n"));
	assert_int_equal(b->damaged, 0);
	assert_string_equal(b->why, "");
}

static void spent_rows_are_told_by_nobody(void **state)
{
	struct bench *b = *state;
	struct id first = id_number(1);
	uint64_t last = play_on(b, finish_many(b, 1, 1, 3));
	assert_int_equal(rows_in(b), 3 * ROWS_EACH + 2);
	assert_int_equal(spent_in(b), 3);
	expect_live_only(b);
	assert_int_equal(b->last_seq, last);
	assert_string_equal(bench_rows(b, &first), "no_such_record");
	assert_string_equal(bench_record(b, &first), "10 00  row row row row");
	struct bench *crashed = bench_crashed(b);
	assert_int_equal(bench_open(crashed), PLYD_OK);
	expect_live_only(crashed);
	assert_int_equal(crashed->last_seq, last);
	bench_free(crashed);
}

/* A crash after each commit of a round: what is told is the same. */
static void a_round_removes_them_bit_by_bit(void **state)
{
	struct bench *b = *state;
	uint64_t last = finish_all(b, 1, 0);
	int steps = 0;
	for (; spent_in(b) > 0; steps++) {
		assert_in_range(steps, 0, COMMITS_MAX);
		last = play_on(b, last);
		if (steps % 4)
			continue;
		struct bench *crashed = bench_crashed(b);
		assert_int_equal(bench_open(crashed), PLYD_OK);
		expect_live_only(crashed);
		assert_int_equal(crashed->last_seq, last);
		bench_free(crashed);
	}
	assert_int_equal(rows_in(b), 2 * steps);
	assert_int_equal(count_of(b, "SELECT count(*) FROM record"), MANY);
	expect_live_only(b);
}

/* They lie before and behind the place that the round is at. */
static void those_that_end_during_a_round_wait_for_the_next(void **state)
{
	struct bench *b = *state;
	struct store_batch *batch = store_batch_begin();
	struct id late = id_of('y');
	put_row(batch, 1, 'y', 0, "row");
	commit(b, batch, 1);
	uint64_t last = play_on(b, finish_all(b, 2, 0));
	assert_true(rows_in(b) < MANY * ROWS_EACH); /* it runs */
	assert_int_equal(spent_in(b), MANY);
	batch = store_batch_begin();
	put_row(batch, ++last, 'y', 1, "row");
	put_finish(batch, 'y', last, "");
	commit(b, batch, last);
	last = sweep_all(b, last, 1);
	assert_int_equal(spent_in(b), 1);
	expect_live_only(b);
	assert_string_equal(bench_rows(b, &late), "no_such_record");
	sweep_all(b, finish_all(b, last + 1, MANY), 0);
	expect_live_only(b);
	assert_int_equal(count_of(b, "SELECT count(*) FROM journal"
				     " WHERE match NOT IN ('', 'zzzzzzzzzz')"),
			 0);
}

static void the_next_program_removes_what_is_left(void **state)
{
	struct bench *b = *state;
	uint64_t last = finish_many(b, 1, 0, 100);
	assert_int_equal(rows_in(b), 100 * ROWS_EACH);
	struct bench *next = bench_crashed(b);
	assert_int_equal(bench_open(next), PLYD_OK);
	assert_int_equal(rows_in(next), 100 * ROWS_EACH);
	last = sweep_all(next, last, 0);
	assert_int_equal(count_of(next, "SELECT count(*) FROM journal"
					" WHERE bytes = CAST('row' AS BLOB)"),
			 0);
	finish_many(next, last + 1, 100, 1); /* and begins anew */
	assert_int_equal(spent_in(next), 1);
	expect_live_only(next);
	bench_free(next);
}

/* Whose record goes is promised that nothing stays. */
static void with_a_record_its_rows_go(void **state)
{
	struct bench *b = *state;
	struct id second = id_number(2);
	uint64_t last = finish_many(b, 1, 0, 5);
	struct store_batch *batch = store_batch_begin();
	put_row(batch, ++last, 0, 0, "general");
	store_drop_record(batch, &second);
	commit(b, batch, last);
	assert_string_equal(bench_record(b, &second), "no_such_record");
	assert_int_equal(count_of(b, "SELECT count(*) FROM journal"
				     " WHERE match = 'aaaaaaaaac'"),
			 0);
	assert_int_equal(rows_in(b), 4 * ROWS_EACH + 1);
	expect_live_only(b);
}

/* A failed commit takes the steps in it back, and the round goes on. */
static void a_failure_does_not_disturb_a_round(void **state)
{
	struct bench *b = *state;
	uint64_t last = play_on(b, finish_all(b, 1, 0));
	struct store_batch *batch = store_batch_begin();
	put_row(batch, last + 1, 'y', 77, "lost");
	put_finish(batch, 'y', last + 1, "lost");
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
	bench_wait(b, 0);
	assert_int_equal(b->failures, 1);
	store_probe(b->store);
	bench_wait(b, 0);
	assert_int_equal(b->probe_err, PLYD_OK);
	b->failures = 0;
	expect_live_only(b);
	sweep_all(b, last, 0);
	expect_live_only(b);
	assert_int_equal(count_of(b, "SELECT count(*) FROM journal"
				     " WHERE bytes = CAST('row' AS BLOB)"),
			 0);
}

/* Each bit of the note of a match, and of its row: it never comes back. */
static void a_damaged_note_brings_no_match_back(void **state)
{
	struct bench *b = *state;
	uint64_t last = finish_many(b, 1, 0, 3);
	close_store(b);
	struct buf file = file_read(b, "plyd.db");
	const char note[] = "aaaaaaaaab\x02\x0b"; /* first and last row */
	uint8_t *at = memmem(file.at, file.len, note, sizeof(note) - 1);
	assert_non_null(at);
	for (size_t bit = 0; bit < 8 * (sizeof(note) - 1); bit++) {
		uint8_t byte = at[bit / 8] ^ (uint8_t)(1 << bit % 8);
		file_write(b, "plyd.db", buf_span(&file));
		file_patch(b, "plyd.db", at - file.at + (long)bit / 8,
			   span_of(&byte, 1));
		assert_int_equal(bench_open(b), PLYD_OK);
		expect_live_only(b);
		uint64_t now = last;
		for (int n = 0; n < 4; n++) /* more than a round */
			now = play_on(b, now);
		expect_live_only(b);
		close_store(b);
		assert_int_equal(bench_open(b), PLYD_OK);
		expect_live_only(b);
		close_store(b);
	}
	buf_release(&file);
}

/* Of general rows those stay that the oldest snapshot does not have. */
static void snapshots_trim_what_they_cover(void **state)
{
	struct bench *b = *state;
	for (uint64_t seq = 1; seq <= 12; seq++) {
		struct store_batch *batch = store_batch_begin();
		put_row(batch, seq, 0, seq - 1, "general");
		if (seq % 3 == 0)
			store_snapshot(batch, seq, span_str("state"));
		commit(b, batch, seq);
		int oldest = seq < 6 ? 0 : (int)(seq / 3 - 1) * 3;
		assert_int_equal(rows_in(b), (int)seq - oldest);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FILES(spent_rows_are_told_by_nobody),
		FILES(a_round_removes_them_bit_by_bit),
		FILES(those_that_end_during_a_round_wait_for_the_next),
		FILES(the_next_program_removes_what_is_left),
		FILES(with_a_record_its_rows_go),
		FILES(a_failure_does_not_disturb_a_round),
		FILES(a_damaged_note_brings_no_match_back),
		FILES(snapshots_trim_what_they_cover),
	};
	if (crypto_ready())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
