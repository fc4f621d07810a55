/* SPDX-License-Identifier: MIT
 * fleeting_test.c - a store of DURABILITY_MEMORY: it says that all is durable,
 * has the directory to itself, and leaves nothing there. */
#include "bench.h"
#include "unit.h"

static const struct id match = { "aaaaaaaaaa" };

static void read_done(void *payload, int status,
		      const struct store_record *record)
{
	int *out = payload;
	(void)record;
	*out = status;
}

static int bench_of_memory(void **state)
{
	struct bench *b = *state = bench_new();
	bench_dir(b);
	b->durability = DURABILITY_MEMORY;
	return bench_open(b);
}

static int drop(void **state)
{
	bench_free(*state);
	return 0;
}

static void a_commit_is_done_and_leaves_nothing(void **state)
{
	struct bench *b = *state;
	char path[sizeof(b->dir) + 16];
	int status = PLYD_OK;
	struct store_batch *batch = store_batch_begin();
	store_append(batch, 1, &match, 0, span_str("a fact"));
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
	assert_int_equal(sem_trywait(&b->wakes), 0);
	bench_poll(b);
	assert_int_equal(b->committed, 1);
	assert_string_equal(bench_text(b), "");
	assert_int_equal(store_read_record(b->store, &match, read_done,
					   &status),
			 PLYD_OK);
	bench_poll(b);
	assert_int_equal(status, PLYD_ENORECORD);
	snprintf(path, sizeof(path), "%s/plyd.db", b->dir);
	assert_int_not_equal(access(path, F_OK), 0);
}

static void the_directory_has_one_owner(void **state)
{
	struct bench *b = *state, other = *b;
	assert_int_equal(bench_open(&other), PLYD_ELOCKED);
	store_close(b->store);
	assert_int_equal(bench_open(b), PLYD_OK);
}

static void nothing_can_be_copied(void **state)
{
	struct bench *b = *state;
	assert_int_equal(store_backup(b->store, "backup", NULL, NULL),
			 PLYD_ENOTALLOWED);
	assert_int_equal(store_size(b->store).database, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_commit_is_done_and_leaves_nothing, bench_of_memory,
			drop),
		cmocka_unit_test_setup_teardown(the_directory_has_one_owner,
						bench_of_memory, drop),
		cmocka_unit_test_setup_teardown(nothing_can_be_copied,
						bench_of_memory, drop),
	};
	return cmocka_run_group_tests_name("fleeting", tests, NULL, NULL);
}
