/* SPDX-License-Identifier: MIT
 * The contract of store.h, held by both drivers alike; then each is the other's
 * oracle over random work. */
#include "unit.h"

#include "base/digest.h"
#include "base/rng.h"
#include "bench.h"

static int setup_memory(void **state)
{
	struct bench *b = bench_new();
	b->store = store_memory_new(bench_wake, &b->wakes);
	*state = b;
	return b->store ? 0 : -1;
}

static int setup_sqlite(void **state)
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

/* Submits, and waits until seq is durable or the store has failed. */
static void commit(struct bench *b, struct store_batch *batch, uint64_t seq)
{
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
	bench_wait(b, seq);
}

static void an_empty_store_holds_nothing(void **state)
{
	struct bench *b = *state;
	assert_string_equal(bench_text(b), "");
	assert_int_equal(b->last_seq, 0);
}

static void what_is_committed_is_loaded_in_order(void **state)
{
	struct bench *b = *state;
	struct store_batch *batch = store_batch_begin();
	put_row(batch, 1, 0, 0, "general");
	put_row(batch, 2, 'b', 0, "");
	put_secret(batch, 'b', "first");
	put_row(batch, 3, 'a', 0, "made");
	commit(b, batch, 3);
	batch = store_batch_begin();
	put_row(batch, 4, 'b', 2, "moved");
	put_secret(batch, 'b', "second");
	commit(b, batch, 4);
	assert_string_equal(bench_text(b), "row 1 - general\n"
					   "row 2 bbbbbbbbbb \n"
					   "row 3 aaaaaaaaaa made\n"
					   "row 4 bbbbbbbbbb moved\n"
					   "secret bbbbbbbbbb second\n");
	assert_int_equal(b->last_seq, 4);
	assert_int_equal(b->failures, 0);
}

static void a_finished_match_moves_to_its_record(void **state)
{
	struct bench *b = *state;
	struct id a = id_of('a'), c = id_of('c');
	struct store_batch *batch = store_batch_begin();
	put_row(batch, 1, 'a', 0, "one");
	put_secret(batch, 'a', "seed");
	put_row(batch, 2, 'b', 0, "other");
	put_row(batch, 3, 'a', 1, "");
	commit(b, batch, 3);
	assert_string_equal(bench_record(b, &a), "no_such_record");
	batch = store_batch_begin();
	put_row(batch, 4, 'a', 3, "three");
	put_finish(batch, 'a', 4, "meta");
	commit(b, batch, 4);
	assert_string_equal(bench_record(b, &a), "4 61 meta one  three");
	assert_string_equal(bench_record(b, &c), "no_such_record");
	assert_string_equal(bench_text(b), "row 2 bbbbbbbbbb other\n");
	assert_int_equal(b->last_seq, 4);
}

/* Of a match that began long ago, too, and rows of every length. */
static void a_long_match_moves_as_a_whole(void **state)
{
	enum { BETWEEN = 65537 };
	static const char long_text[] =
		"a row that is much longer than what a move needs, 0123456789";
	struct bench *b = *state;
	struct id a = id_of('a');
	char expected[400];
	struct store_batch *batch = store_batch_begin();
	put_row(batch, 1, 'a', 0, "old");
	put_row(batch, 2, 'a', 1, long_text);
	for (uint64_t seq = 3; seq < BETWEEN; seq++)
		put_row(batch, seq, 'b', seq > 3 ? seq - 1 : 0, "other");
	put_row(batch, BETWEEN, 'a', 2, "new");
	put_row(batch, BETWEEN + 1, 'a', BETWEEN, long_text);
	put_row(batch, BETWEEN + 2, 'a', BETWEEN + 1, "");
	put_finish(batch, 'a', BETWEEN + 2, "meta");
	commit(b, batch, BETWEEN + 2);
	snprintf(expected, sizeof(expected), "%d 61 meta old %s new %s ",
		 BETWEEN + 2, long_text, long_text);
	assert_string_equal(bench_record(b, &a), expected);
}

/* Even when the newest rows are gone no number comes again. */
static void the_last_number_outlives_its_row(void **state)
{
	struct bench *b = *state;
	struct id a = id_of('a');
	struct store_batch *batch = store_batch_begin();
	put_row(batch, 1, 'a', 0, "one");
	put_row(batch, 7, 'a', 1, "two");
	put_finish(batch, 'a', 7, "");
	commit(b, batch, 7);
	batch = store_batch_begin();
	store_drop_record(batch, &a);
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
	store_probe(b->store);
	bench_wait(b, 0);
	assert_int_equal(b->probed_seq, 7);
	assert_string_equal(bench_text(b), "");
	assert_int_equal(b->last_seq, 7);
	batch = store_batch_begin();
	put_row(batch, 9, 0, 0, "general");
	store_snapshot(batch, 9, span_str("old"));
	store_snapshot(batch, 10, span_str("new"));
	commit(b, batch, 9);
	assert_string_equal(bench_text(b), "snapshot 10 new\n");
	assert_int_equal(b->last_seq, 9);
}

/* What was lost is in no record, though its number comes again. */
static void a_lost_row_is_in_no_record(void **state)
{
	static const char again[] =
		"again, and much longer than what a move needs: 0123456789";
	struct bench *b = *state;
	struct id a = id_of('a');
	char expected[200];
	struct store_batch *batch = store_batch_begin();
	put_row(batch, 1, 'a', 0, "one");
	commit(b, batch, 1);
	batch = store_batch_begin();
	put_row(batch, 2, 'a', 1, "lost");
	put_row(batch, 3, 'b', 2, "lost");
	put_finish(batch, 'b', 3, "a link leads to nothing");
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
	bench_wait(b, 0);
	assert_int_equal(b->failures, 1);
	store_probe(b->store);
	bench_wait(b, 0);
	assert_int_equal(b->probed_seq, 1);
	batch = store_batch_begin();
	put_row(batch, 2, 'a', 1, again);
	put_finish(batch, 'a', 2, "meta");
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
	bench_wait(b, 2);
	snprintf(expected, sizeof(expected), "2 61 meta one %s", again);
	assert_string_equal(bench_record(b, &a), expected);
}

static void finish_one(struct bench *b, char letter, uint64_t seq,
		       const char *meta, const char *owners)
{
	struct store_batch *batch = store_batch_begin();
	put_row(batch, seq, letter, 0, "row");
	put_owned(batch, letter, seq, meta, owners);
	commit(b, batch, seq);
}

static void finished_matches_are_listed(void **state)
{
	struct bench *b = *state;
	struct store_batch *batch;
	struct id c = id_of('c');
	assert_string_equal(bench_list(b, 0, 0, 10), "");
	finish_one(b, 'a', 1, "first", "xy");
	finish_one(b, 'b', 2, "second", "y");
	finish_one(b, 'c', 3, "third", "zx");
	finish_one(b, 'd', 4, "", "");
	assert_string_equal(bench_list(b, 0, 0, 10),
			    "4 d \n3 c third\n2 b second\n1 a first\n");
	assert_string_equal(bench_list(b, 'x', 0, 10),
			    "3 c third\n1 a first\n");
	assert_string_equal(bench_list(b, 'y', 0, 1), "2 b second\n");
	assert_string_equal(bench_list(b, 'y', 2, 10), "1 a first\n");
	assert_string_equal(bench_list(b, 'q', 0, 10), "");
	assert_string_equal(bench_list(b, 0, 3, 0), "");
	batch = store_batch_begin();
	put_row(batch, 5, 0, 0, "general");
	store_drop_record(batch, &c);
	commit(b, batch, 5);
	assert_string_equal(bench_list(b, 'z', 0, 10), "");
	assert_string_equal(bench_list(b, 'x', 0, 10), "1 a first\n");
}

static void commit_snapshot(struct bench *b, uint64_t seq, const char *text)
{
	struct store_batch *batch = store_batch_begin();
	put_row(batch, seq, 0, seq - 1, "general");
	store_snapshot(batch, seq, span_str(text));
	commit(b, batch, seq);
}

static void a_snapshot_stands_for_general_rows(void **state)
{
	struct bench *b = *state;
	struct store_batch *batch = store_batch_begin();
	put_row(batch, 1, 'a', 0, "match");
	commit(b, batch, 1);
	commit_snapshot(b, 2, "first");
	assert_string_equal(bench_text(b), "snapshot 2 first\n"
					   "row 1 aaaaaaaaaa match\n");
	commit_snapshot(b, 3, "second");
	commit_snapshot(b, 4, "third");
	batch = store_batch_begin();
	put_row(batch, 5, 0, 4, "tail");
	commit(b, batch, 5);
	assert_string_equal(bench_text(b), "snapshot 4 third\n"
					   "row 1 aaaaaaaaaa match\n"
					   "row 5 - tail\n");
}

enum { BAD_ROWS = 3000 };

/* The match of `bad` cannot be finished: a link leads to nothing. */
static struct store_batch *bad_batch(uint64_t seq)
{
	struct store_batch *batch = store_batch_begin();
	/* enough to keep the writer busy while others queue up behind it */
	for (uint64_t end = seq + BAD_ROWS; seq < end; seq++)
		put_row(batch, seq, 0, 0, "lost");
	put_secret(batch, 'z', "lost");
	put_row(batch, seq, 'a', 77, "lost");
	put_finish(batch, 'a', seq, "lost");
	return batch;
}

static void a_failed_commit_loses_all_behind_it_and_once(void **state)
{
	struct bench *b = *state;
	struct store_batch *batch = store_batch_begin();
	put_row(batch, 100, 0, 0, "kept");
	put_secret(batch, 'z', "kept");
	commit(b, batch, 100);
	assert_int_equal(store_batch_submit(b->store, bad_batch(101)), PLYD_OK);
	/* whether these join the bad one, wait behind it or are refused */
	for (uint64_t seq = 5000; seq < 5100; seq++) {
		batch = store_batch_begin();
		put_row(batch, seq, 0, 0, "lost");
		store_batch_submit(b->store, batch);
		usleep(20);
	}
	bench_wait(b, 101);
	assert_int_equal(b->committed, 100);
	assert_int_equal(b->failures, 1);
	assert_int_equal(b->failed_seq, 101);
	assert_true(strlen(b->why) > 0);
	batch = store_batch_begin();
	put_row(batch, 6000, 0, 0, "too late");
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_ESTORE);
	assert_string_equal(bench_text(b), "row 100 - kept\n"
					   "secret zzzzzzzzzz kept\n");
	store_probe(b->store);
	bench_wait(b, 0);
	assert_int_equal(b->probes, 1);
	assert_int_equal(b->probe_err, PLYD_OK);
	assert_int_equal(b->probed_seq, 100);
	batch = store_batch_begin();
	put_row(batch, 101, 0, 100, "again");
	commit(b, batch, 101);
	assert_string_equal(bench_text(b), "row 100 - kept\n"
					   "row 101 - again\n"
					   "secret zzzzzzzzzz kept\n");
	assert_int_equal(b->failures, 1);
}

static void a_seq_is_used_once(void **state)
{
	struct bench *b = *state;
	struct store_batch *batch = store_batch_begin();
	put_row(batch, 1, 0, 0, "first");
	commit(b, batch, 1);
	batch = store_batch_begin();
	put_row(batch, 1, 'a', 0, "second");
	b->committed = 0;
	commit(b, batch, 1);
	assert_int_equal(b->failures, 1);
	assert_string_equal(bench_text(b), "row 1 - first\n");
}

static void what_is_too_large_is_refused(void **state)
{
	struct bench *b = *state;
	uint8_t *bytes = calloc(1, STORE_ROW_MAX + 1);
	struct store_batch *batch = store_batch_begin();
	assert_non_null(bytes);
	assert_int_equal(store_append(batch, 1, NULL, 0,
				      span_of(bytes, STORE_ROW_MAX)),
			 PLYD_OK);
	commit(b, batch, 1);
	batch = store_batch_begin();
	assert_int_equal(store_append(batch, 2, NULL, 1,
				      span_of(bytes, STORE_ROW_MAX + 1)),
			 PLYD_ETOOLARGE);
	put_row(batch, 3, 0, 1, "the error sticks");
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_ETOOLARGE);
	assert_int_equal(store_batch_submit(b->store, NULL), PLYD_ENOMEM);
	bench_text(b);
	assert_int_equal(b->last_seq, 1);
	free(bytes);
}

static void closing_writes_what_is_queued(void **state)
{
	struct bench *b = *state;
	for (uint64_t seq = 1; seq <= 50; seq++) {
		struct store_batch *batch = store_batch_begin();
		put_row(batch, seq, 0, seq - 1, "x");
		assert_int_equal(store_batch_submit(b->store, batch), 0);
	}
	if (!b->dir[0])
		return; /* memory does not outlive its closing */
	store_close(b->store);
	assert_int_equal(bench_open(b), PLYD_OK);
	bench_text(b);
	assert_int_equal(b->last_seq, 50);
}

/* ---- the two drivers as each other's oracle ---------------------------- */

struct model {
	uint64_t seq, general, prev[4]; /* of four streams; 0: no row */
	char letter[4], last_letter;    /* a finished one gets no more rows */
	char text[32];
};

static void drop(struct store_batch *b, char letter)
{
	struct id match = id_of(letter);
	store_drop_record(b, &match);
}

static void random_op(struct rng *rng, struct model *m,
		      struct store_batch *batch[2])
{
	uint32_t what = rng_below(rng, 20), which = rng_below(rng, 4);
	char letter = m->letter[which];
	snprintf(m->text, sizeof(m->text), "%x", (unsigned)rng_next(rng));
	if (what < 10)
		m->seq++;
	for (int i = 0; i < 2; i++) {
		if (what < 7)
			put_row(batch[i], m->seq, letter, m->prev[which],
				m->text);
		else if (what < 10)
			put_row(batch[i], m->seq, 0, m->general, m->text);
		else if (what < 13)
			put_secret(batch[i], letter, m->text);
		else if (what < 14 && m->prev[which])
			put_owned(batch[i], letter, m->prev[which], m->text,
				  which % 2 ? "xy" : "y");
		else if (what < 15)
			store_snapshot(batch[i], m->seq, span_str(m->text));
		else if (what < 16)
			drop(batch[i], (char)('a' + which));
	}
	if (what < 7)
		m->prev[which] = m->seq;
	else if (what < 10)
		m->general = m->seq;
	else if (what == 13 && m->prev[which] && m->last_letter < 'z') {
		m->letter[which] = ++m->last_letter;
		m->prev[which] = 0;
	}
}

/* Whether both say the same now; a match that ended twice fails in both. */
static void both_agree(struct bench *memory, struct bench *sqlite)
{
	char *text = strdup(bench_text(memory));
	assert_string_equal(text, bench_text(sqlite));
	assert_int_equal(memory->last_seq, sqlite->last_seq);
	free(text);
	for (const char *owner = "xyz"; *owner; owner++) {
		text = strdup(bench_list(memory, *owner, 0, 3));
		assert_string_equal(text, bench_list(sqlite, *owner, 0, 3));
		free(text);
	}
	text = strdup(bench_list(memory, 0, memory->last_seq / 2, 100));
	assert_string_equal(text,
			    bench_list(sqlite, 0, memory->last_seq / 2, 100));
	free(text);
	for (char letter = 'a'; letter <= 'z'; letter += 2) {
		struct id match = id_of(letter);
		text = strdup(bench_record(memory, &match));
		assert_string_equal(text, bench_record(sqlite, &match));
		free(text);
		text = strdup(bench_rows(memory, &match));
		assert_string_equal(text, bench_rows(sqlite, &match));
		free(text);
	}
}

static void recover(struct bench *b, struct model *m)
{
	store_probe(b->store);
	bench_wait(b, 0);
	assert_int_equal(b->probe_err, PLYD_OK);
	m->seq = b->probed_seq + 1000; /* what was lost is never used again */
}

static void random_round(struct bench *both[2], struct rng *rng,
			 struct model *m)
{
	struct store_batch *batch[2] = { store_batch_begin(),
					 store_batch_begin() };
	struct model before = *m;
	int failures = both[0]->failures;
	for (uint32_t n = rng_below(rng, 6); n > 0; n--)
		random_op(rng, m, batch);
	m->seq++;
	for (int i = 0; i < 2; i++) {
		put_row(batch[i], m->seq, 0, m->general, "end");
		commit(both[i], batch[i], m->seq);
	}
	m->general = m->seq;
	assert_int_equal(both[0]->failures, both[1]->failures);
	if (both[0]->failures == failures)
		return;
	*m = before;
	recover(both[0], m);
	recover(both[1], m);
}

static void both_drivers_agree_over_random_work(void **state)
{
	struct bench *both[2];
	(void)state;
	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct rng rng;
		struct model m = { .letter = "abcd", .last_letter = 'd' };
		rng_seed(&rng, seed);
		assert_int_equal(setup_memory((void **)&both[0]), 0);
		assert_int_equal(setup_sqlite((void **)&both[1]), 0);
		both[1]->durability = DURABILITY_NONE;
		for (int round = 0; round < 60; round++) {
			random_round(both, &rng, &m);
			if (rng_below(&rng, 20) == 0) {
				store_close(both[1]->store);
				assert_int_equal(bench_open(both[1]), 0);
			}
			if (rng_below(&rng, 4) == 0)
				both_agree(both[0], both[1]);
		}
		both_agree(both[0], both[1]);
		bench_free(both[0]);
		bench_free(both[1]);
	}
}

/* ---- memory's own ------------------------------------------------------ */

static void what_is_held_waits_and_a_crash_forgets_it(void **state)
{
	struct bench *b = *state;
	struct store_batch *batch = store_batch_begin();
	put_row(batch, 1, 0, 0, "durable");
	commit(b, batch, 1);
	store_memory_hold(b->store, true);
	batch = store_batch_begin();
	put_row(batch, 2, 0, 1, "waits");
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
	bench_poll(b);
	assert_int_equal(b->committed, 1);
	store_memory_let_go(b->store);
	bench_poll(b);
	assert_int_equal(b->committed, 2);
	batch = store_batch_begin();
	put_row(batch, 3, 0, 2, "forgotten");
	assert_int_equal(store_batch_submit(b->store, batch), PLYD_OK);
	store_memory_crash(b->store);
	bench_poll(b);
	assert_string_equal(bench_text(b), "row 1 - durable\nrow 2 - waits\n");
	assert_int_equal(b->committed, 2);
	assert_int_equal(b->failures, 0);
}

static void a_broken_store_says_why_until_it_is_mended(void **state)
{
	struct bench *b = *state;
	struct store_batch *batch = store_batch_begin();
	put_row(batch, 1, 0, 0, "lost");
	store_memory_break(b->store, "disk full");
	commit(b, batch, 1);
	assert_int_equal(b->failures, 1);
	assert_string_equal(b->why, "disk full");
	store_probe(b->store);
	bench_wait(b, 0);
	assert_int_equal(b->probe_err, PLYD_ESTORE);
	store_memory_break(b->store, NULL);
	store_probe(b->store);
	bench_wait(b, 0);
	assert_int_equal(b->probe_err, PLYD_OK);
	batch = store_batch_begin();
	put_row(batch, 1, 0, 0, "stored");
	commit(b, batch, 1);
	assert_string_equal(bench_text(b), "row 1 - stored\n");
}

static void queues_are_bounded(void **state)
{
	struct bench *b = *state;
	struct id match = id_of('a');
	uint8_t *bytes = calloc(1, STORE_SNAPSHOT_MAX);
	int err = PLYD_OK, batches = 0;
	assert_non_null(bytes);
	store_memory_hold(b->store, true);
	for (; !err && batches < 10; batches++) {
		struct store_batch *batch = store_batch_begin();
		store_snapshot(batch, 1,
			       span_of(bytes, STORE_SNAPSHOT_MAX / 2));
		err = store_batch_submit(b->store, batch);
	}
	free(bytes);
	assert_int_equal(err, PLYD_EFULL);
	assert_in_range(batches, 3, 5);
	for (int i = 0; i < STORE_READS_MAX; i++)
		assert_int_equal(store_read_record(b->store, &match,
						   bench_on_record, b),
				 PLYD_OK);
	assert_int_equal(store_read_record(b->store, &match, bench_on_record,
					   b),
			 PLYD_EFULL);
	store_memory_crash(b->store);
	assert_int_equal(b->reads, STORE_READS_MAX);
	assert_int_equal(b->read_status, PLYD_ESHUTDOWN);
}

static void a_torn_record_is_named(void **state)
{
	(void)state;
	struct span row, rows = span_of("\0\0\0\1x\0\0\0\2y", 10);
	assert_int_equal(store_record_next(&rows, &row), 1);
	assert_true(span_is(row, "x"));
	assert_int_equal(store_record_next(&rows, &row), PLYD_ERECORD);
	rows = span_of("\0\0", 2);
	assert_int_equal(store_record_next(&rows, &row), PLYD_ERECORD);
	rows.len = 0;
	assert_int_equal(store_record_next(&rows, &row), 0);
}

#define BOTH(test)                                                             \
	{ #test " (memory)", test, setup_memory, teardown, NULL },             \
	{                                                                      \
#test " (sqlite)", test, setup_sqlite, teardown, NULL          \
	}
#define MEMORY(test)                                                           \
	cmocka_unit_test_setup_teardown(test, setup_memory, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(an_empty_store_holds_nothing),
		BOTH(what_is_committed_is_loaded_in_order),
		BOTH(a_finished_match_moves_to_its_record),
		/* for the other driver it is nothing special, but much */
		cmocka_unit_test_setup_teardown(a_long_match_moves_as_a_whole,
						setup_sqlite, teardown),
		BOTH(a_lost_row_is_in_no_record),
		BOTH(the_last_number_outlives_its_row),
		BOTH(finished_matches_are_listed),
		BOTH(a_snapshot_stands_for_general_rows),
		BOTH(a_failed_commit_loses_all_behind_it_and_once),
		BOTH(a_seq_is_used_once),
		BOTH(what_is_too_large_is_refused),
		BOTH(closing_writes_what_is_queued),
		MEMORY(what_is_held_waits_and_a_crash_forgets_it),
		MEMORY(a_broken_store_says_why_until_it_is_mended),
		MEMORY(queues_are_bounded),
		cmocka_unit_test(both_drivers_agree_over_random_work),
		cmocka_unit_test(a_torn_record_is_named),
	};
	if (crypto_ready())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
