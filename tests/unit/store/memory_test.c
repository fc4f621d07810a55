/* SPDX-License-Identifier: MIT
 * memory_test.c - memory runs out at the n-th allocation of a story of both
 * drivers, for every n, SQLite's own allocations included. What was reported as
 * durable is there when the store is opened again, what was reported as lost is
 * not, and the store works on. */
#include "alloc.h"
#include "unit.h"

#include <sqlite3.h>

#include "bench.h"

static sqlite3_mem_methods plain;

static void *failing_malloc(int size)
{
	return alloc_fails_now() ? NULL : plain.xMalloc(size);
}

static void *failing_realloc(void *old, int size)
{
	return alloc_fails_now() ? NULL : plain.xRealloc(old, size);
}

static void wrap_sqlite(void)
{
	sqlite3_mem_methods wrapped;
	assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &plain), 0);
	wrapped = plain;
	wrapped.xMalloc = failing_malloc;
	wrapped.xRealloc = failing_realloc;
	assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &wrapped), 0);
}

/* Commits rows first..last of stream `letter`, and waits for the word. */
static void commit_rows(struct bench *b, char letter, uint64_t first,
			uint64_t last, bool ends)
{
	struct store_batch *batch = store_batch_begin();
	for (uint64_t seq = first; seq <= last; seq++)
		put_row(batch, seq, letter, seq > 1 ? seq - 1 : 0, "row");
	put_secret(batch, letter, "secret");
	if (ends)
		put_finish(batch, letter, last, "meta");
	if (!store_batch_submit(b->store, batch))
		bench_wait(b, last);
}

static void story(struct bench *b)
{
	struct id a = id_of('a');
	commit_rows(b, 'a', 1, 3, false);
	commit_rows(b, 'a', 4, 6, true);
	bench_record(b, &a);
	if (b->failures > 0) {
		store_probe(b->store);
		bench_wait(b, 0);
	}
	bench_text(b);
}

/* Rows 1..3 and 4..6 were one commit each; the second made a record. */
static void look(struct bench *b, uint64_t committed, bool failed)
{
	const char *text = bench_text(b);
	const char *record = bench_record(b, &(struct id){ "aaaaaaaaaa" });
	bool first = strstr(text, "row 3") != NULL;
	bool second = !strcmp(record, "6 61 meta row row row row row row");
	assert_int_equal(b->damaged, 0);
	assert_false(first && second); /* a record has taken the rows */
	if (committed >= 6)
		assert_true(second);
	else if (committed >= 3)
		assert_true(first || second);
	if (!failed && committed < 3)
		assert_true(!first && !second);
	assert_int_equal(b->last_seq, second ? 6 : first ? 3 : 0);
}

/* Whether an allocation failed: else there is no n-th. */
static bool in_memory(size_t n, bool all)
{
	struct bench *b = bench_new();
	alloc_fail(n, all);
	alloc_enter();
	b->store = store_memory_new(bench_wake, &b->wakes);
	if (b->store)
		story(b);
	alloc_leave();
	bool failed = alloc_failed();
	alloc_fail(0, false);
	if (b->store)
		look(b, b->committed, b->failures > 0);
	bench_free(b);
	return failed;
}

static bool on_disk(size_t n, bool all)
{
	struct bench *b = bench_new();
	bench_dir(b);
	alloc_fail(n, all);
	alloc_enter();
	int err = bench_open(b);
	if (!err)
		story(b);
	store_close(b->store);
	alloc_leave();
	bool failed = alloc_failed();
	alloc_fail(0, false);
	if (err)
		assert_true(err == PLYD_ENOMEM || err == PLYD_ESTORE);
	b->store = NULL;
	if (bench_open(b))
		fail_msg("allocation %zu: %s", n, b->why);
	look(b, b->committed, b->failures > 0);
	bench_free(b);
	return failed;
}

static void every_allocation(bool (*once)(size_t n, bool all), size_t step)
{
	for (int all = 0; all < 2; all++) {
		size_t n = 1;
		while (once(n, all))
			n += step;
		assert_true(n > 20);
	}
}

static void memory_driver(void **state)
{
	(void)state;
	every_allocation(in_memory, 1);
}

static void sqlite_driver(void **state)
{
	(void)state;
	every_allocation(on_disk, 13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_driver),
		cmocka_unit_test(sqlite_driver),
	};
	wrap_sqlite();
	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
