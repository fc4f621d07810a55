/* SPDX-License-Identifier: MIT
 * What a power cut takes: with full durability nothing that was reported, with
 * none it does take some, so that these tests can fail. */
#include "unit.h"

#include <signal.h>
#include <sys/wait.h>

#include "base/digest.h"
#include "base/rng.h"
#include "bench.h"
#include "store/powercut_vfs.h"

enum { SEEDS = 40 };

static struct bench *bench_on_powercut(enum durability durability)
{
	struct bench *b = bench_new();
	bench_dir(b);
	b->vfs = POWERCUT_VFS;
	b->durability = durability;
	assert_int_equal(bench_open(b), PLYD_OK);
	return b;
}

/* Rows of any size, some finished matches and snapshots; returns the seq that
 * the store had reported when the power went, while more was on its way. */
static uint64_t work_until_cut(struct bench *b, uint64_t seed)
{
	static char row[20000];
	struct rng rng;
	uint64_t seq = 0, prev = 0;
	memset(row, 'x', sizeof(row));
	rng_seed(&rng, seed);
	uint64_t last = 20 + rng_below(&rng, 100);
	while (seq < last) {
		struct store_batch *batch = store_batch_begin();
		struct span bytes = span_of(row, rng_below(&rng, 20000));
		struct id match = id_of('a');
		seq++;
		store_append(batch, seq, prev ? &match : NULL, prev, bytes);
		if (rng_below(&rng, 10) == 0)
			store_snapshot(batch, seq, bytes);
		assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
		if (rng_below(&rng, 3) == 0)
			bench_wait(b, seq);
	}
	bench_poll(b);
	uint64_t told = b->committed;
	powercut_cut();
	bench_poll(b); /* what was told before the cut is durable too */
	return b->committed > told && b->failures == 0 ? b->committed : told;
}

/* The seq that is there after the power came back, UINT64_MAX if the store
 * refuses to start. */
static uint64_t seq_after_cut(struct bench *b)
{
	store_close(b->store);
	b->store = NULL;
	powercut_restore();
	if (bench_open(b))
		return UINT64_MAX;
	bench_text(b);
	return b->last_seq;
}

static void nothing_reported_is_lost(void **state)
{
	uint64_t lost_writes = powercut_counts().lost;
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct bench *b = bench_on_powercut(DURABILITY_FULL);
		powercut_tear(seed % 2 ? 0 : seed);
		uint64_t told = work_until_cut(b, seed);
		uint64_t found = seq_after_cut(b);
		if (found == UINT64_MAX || found < told || b->damaged)
			fail_msg("seed %d: told %d, found %d, %d damaged: %s",
				 (int)seed, (int)told, (int)found, b->damaged,
				 b->why);
		bench_free(b);
	}
	/* the cut did come amid work */
	assert_true(powercut_counts().lost > lost_writes);
}

/* It may start earlier in time, but what is there is whole. */
static void with_normal_durability_what_remains_is_whole(void **state)
{
	int lost = 0;
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct bench *b = bench_on_powercut(DURABILITY_NORMAL);
		powercut_tear(seed % 2 ? 0 : seed);
		uint64_t told = work_until_cut(b, seed);
		uint64_t found = seq_after_cut(b);
		assert_true(found != UINT64_MAX);
		assert_int_equal(b->damaged, 0);
		lost += found < told;
		bench_free(b);
	}
	assert_true(lost > 0);
}

static void without_durability_something_is_lost(void **state)
{
	int lost = 0;
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct bench *b = bench_on_powercut(DURABILITY_NONE);
		powercut_tear(0);
		uint64_t told = work_until_cut(b, seed);
		uint64_t found = seq_after_cut(b);
		lost += found == UINT64_MAX || found < told;
		bench_free(b);
	}
	assert_true(lost > SEEDS / 2);
}

/* ---- finished matches -------------------------------------------------- */

enum { STORY_ROWS = 40, LETTERS = 26 };

/* Matches a to z, a few rows each, side by side, until the power goes; what an
 * earlier life left is removed meanwhile. The last row that was durable. */
static uint64_t finish_until_cut(struct bench *b, struct rng *rng, uint64_t seq,
				 uint64_t ended[LETTERS], size_t first,
				 size_t count)
{
	uint64_t prev[LETTERS] = { 0 };
	for (size_t n = 0; n < STORY_ROWS; n++) {
		struct store_batch *batch = store_batch_begin();
		size_t which = first + rng_below(rng, (uint32_t)count);
		if (ended[which])
			which = LETTERS - 1; /* it runs on */
		put_row(batch, ++seq, (char)('a' + which), prev[which], "row");
		prev[which] = seq;
		if (which < LETTERS - 1 && rng_below(rng, 3) == 0) {
			put_finish(batch, (char)('a' + which), seq, "");
			ended[which] = seq;
		}
		assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
		if (rng_below(rng, 3) == 0)
			bench_wait(b, seq);
	}
	bench_poll(b);
	uint64_t told = b->committed;
	powercut_cut();
	return told;
}

/* Each match either runs, or has its record, and none is both. */
static void no_match_is_two(struct bench *b, uint64_t ended[LETTERS],
			    uint64_t told)
{
	for (size_t i = 0; i < LETTERS - 1; i++) {
		struct id match = id_of((char)('a' + i));
		bool has_record = bench_record(b, &match)[0] != 'n';
		bool runs = strstr(bench_text(b), match.text) != NULL;
		assert_false(has_record && runs);
		if (ended[i] && !has_record) {
			assert_true(ended[i] > told);
			ended[i] = 0; /* it never did */
		}
		assert_int_equal(b->damaged, 0);
	}
}

/* Three lives: what was spent in one goes in the next. */
static void a_finished_match_does_not_come_back(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS / 2; seed++) {
		struct bench *b = bench_on_powercut(DURABILITY_FULL);
		uint64_t ended[LETTERS] = { 0 }, seq = 0;
		struct rng rng;
		rng_seed(&rng, seed);
		powercut_tear(seed % 2 ? 0 : seed);
		for (size_t life = 0; life < 3; life++) {
			uint64_t told = finish_until_cut(b, &rng, seq, ended,
							 8 * life, 8);
			seq += STORY_ROWS;
			assert_true(seq_after_cut(b) >= told);
			no_match_is_two(b, ended, told);
		}
		bench_free(b);
	}
}

/* ---- failing disks ----------------------------------------------------- */

static void submit_row(struct bench *b, uint64_t seq, const char *text)
{
	struct store_batch *batch = store_batch_begin();
	put_row(batch, seq, 0, seq - 1, text);
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
	bench_wait(b, seq);
}

static int probe(struct bench *b)
{
	store_probe(b->store);
	bench_wait(b, 0);
	return b->probe_err;
}

static struct trouble {
	const char *name;
	void (*set)(bool on);
} troubles[] = {
	{ "syncs fail", powercut_fail_syncs },
	{ "writes fail", powercut_fail_writes },
};

/* The process dies now, the machine does not: the files are as they are. */
static void what_was_lost_stays_lost_after_a_crash(const struct bench *b)
{
	struct bench *copy = bench_new();
	char command[600];
	bench_dir(copy);
	snprintf(command, sizeof(command),
		 "cp %s/plyd.db* %s/ && rm -f %s/*shm", b->dir, copy->dir,
		 copy->dir);
	assert_int_equal(system(command), 0);
	assert_int_equal(bench_open(copy), PLYD_OK);
	assert_string_equal(bench_text(copy), "row 1 - stored\n");
	bench_free(copy);
}

/* After an fsync error the data may be anywhere: the store must neither report
 * it nor show it, and must recover when the disk does. */
static void a_failing_disk_is_survived(void **state)
{
	const struct trouble *trouble = *state;
	struct bench *b = bench_on_powercut(DURABILITY_FULL);
	powercut_tear(0);
	submit_row(b, 1, "stored");
	trouble->set(true);
	submit_row(b, 2, "lost");
	assert_int_equal(b->failures, 1);
	assert_int_equal(b->failed_seq, 2);
	assert_int_equal(b->committed, 1);
	assert_string_equal(bench_text(b), "row 1 - stored\n");
	what_was_lost_stays_lost_after_a_crash(b);
	assert_int_equal(probe(b), PLYD_ESTORE);
	assert_int_equal(probe(b), PLYD_ESTORE);
	what_was_lost_stays_lost_after_a_crash(b);
	trouble->set(false);
	assert_int_equal(probe(b), PLYD_OK);
	assert_int_equal(b->probed_seq, 1);
	submit_row(b, 2, "again");
	assert_int_equal(b->committed, 2);
	powercut_cut();
	assert_int_equal(seq_after_cut(b), 2);
	assert_string_equal(bench_text(b), "row 1 - stored\nrow 2 - again\n");
	bench_free(b);
}

/* ---- orders by environment --------------------------------------------- */

/* A process of its own, as plyd would be: it is cut after N writes, and what it
 * had told, by a pipe, is there afterwards. */
static void cut_child(struct bench *b, int out)
{
	b->vfs = POWERCUT_VFS;
	if (bench_open(b))
		_exit(1);
	for (uint64_t seq = 1; seq < 10000; seq++) {
		struct store_batch *batch = store_batch_begin();
		put_row(batch, seq, 0, seq - 1, "row");
		store_batch_submit(b->store, batch);
		bench_wait(b, seq);
		if (write(out, &b->committed, sizeof(b->committed)) < 0)
			_exit(2);
	}
	_exit(3);
}

/* The last seq that the child told; it is sent the signal at the 50th. */
static uint64_t last_told(int in, pid_t child, const char *order)
{
	uint64_t told = 0, seq;
	while (read(in, &seq, sizeof(seq)) == sizeof(seq)) {
		told = seq;
		if (seq == 50 && !strcmp(order, "sigusr2"))
			kill(child, SIGUSR2);
	}
	return told;
}

/* Run before this process has threads or a VFS: fork takes neither along. */
static void a_process_can_be_cut_by_order(void **state)
{
	static const char *const orders[] = { "writes=3", "writes=100",
					      "writes=777", "sigusr2" };
	(void)state;
	for (size_t i = 0; i < COUNT(orders); i++) {
		struct bench *b = bench_new();
		int ends[2], status = 0;
		bench_dir(b);
		assert_int_equal(pipe(ends), 0);
		setenv("POWERCUT", orders[i], 1);
		pid_t child = fork();
		if (child == 0)
			cut_child(b, ends[1]);
		close(ends[1]);
		uint64_t told = last_told(ends[0], child, orders[i]);
		waitpid(child, &status, 0);
		close(ends[0]);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), POWERCUT_EXIT_STATUS);
		assert_int_equal(bench_open(b), PLYD_OK);
		bench_text(b);
		assert_true(b->last_seq >= told);
		assert_true(i == 0 || told > 0);
		bench_free(b);
	}
	unsetenv("POWERCUT");
}

int main(void)
{
	const struct CMUnitTest orders[] = {
		cmocka_unit_test(a_process_can_be_cut_by_order),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_reported_is_lost),
		cmocka_unit_test(with_normal_durability_what_remains_is_whole),
		cmocka_unit_test(without_durability_something_is_lost),
		cmocka_unit_test(a_finished_match_does_not_come_back),
	};
	if (crypto_ready())
		return 1;
	int failed = cmocka_run_group_tests(orders, NULL, NULL);
	powercut_register();
	failed += cmocka_run_group_tests(tests, NULL, NULL);
	return failed +
	       RUN_TABLE("trouble", troubles, a_failing_disk_is_survived);
}
