/* SPDX-License-Identifier: MIT
 * Memory runs out at the n-th allocation of a start, for every n: the replay
 * says so, and nothing leaks or breaks. */
#include "alloc.h"
#include "journal.h"
#include "unit.h"

#include <stdlib.h>

#include <plyd/err.h>

static int fill(struct domain *d, struct doc *doc, const struct journal *j)
{
	int err = replay_snapshot(d, doc, j->snapshot_row,
				  buf_span(&j->snapshot));
	for (size_t i = 0; !err && i < j->count; i++) {
		const struct journal_row_kept *r = &j->kept[i];
		if (r->stream == STREAM_MATCH || r->row > j->snapshot_row)
			err = replay_row(d, doc, r->row, &r->match,
					 journal_bytes(j, i));
	}
	return err;
}

static int start(const struct journal *j)
{
	struct domain *d = NULL;
	struct entropy entropy;
	struct doc *doc = doc_new();
	if (!doc)
		return PLYD_ENOMEM;
	entropy_from_seed(&entropy, 1);
	int err = domain_new(&d, &j->play->limits, &entropy);
	if (!err) {
		play_rules(d);
		err = fill(d, doc, j);
	}
	domain_free(d);
	doc_free(doc);
	return err;
}

static void fill_journal(struct play *p, struct journal *j)
{
	struct rng rng;
	rng_seed(&rng, 1);
	play_open(p, 1);
	journal_open(j, p);
	play_hello(p, "ann");
	play_hello(p, "bob");
	play_resume(p, "bob");
	play_resume(p, "bob");
	play_create(p, "ann", "english",
		    (struct cmd_lobby_create){ .is_private = true,
					       .key = span_str("k") });
	struct id m = play_match(p, "backgammon", "ann", "bob", NULL);
	journal_snapshot(j);
	play_wait(p, 3000);
	for (int i = 0; i < 40; i++)
		play_random(p, &rng, &m);
	play_hello(p, "cay");
	play_create(p, "cay", "turkish",
		    (struct cmd_lobby_create){ .is_private = true });
}

static void every_failure_is_told(void **state)
{
	(void)state;
	static struct play p;
	struct journal j;
	size_t n = 0;
	int err;
	bool failed;
	fill_journal(&p, &j);
	/* the secret rows, which come last, need nothing */
	size_t all = j.count;
	j.count = 0;
	for (size_t i = 0; i < all; i++)
		if (j.kept[i].stream != STREAM_SECRET)
			j.kept[j.count++] = j.kept[i];
	do {
		alloc_fail(++n, false);
		alloc_enter();
		err = start(&j);
		alloc_leave();
		failed = alloc_failed();
		/* without its table of codes a private lobby is still there */
		if (err)
			assert_int_equal(err, PLYD_ENOMEM);
		assert_true(failed || err == PLYD_OK);
	} while (failed);
	assert_true(n > 20);
	journal_close(&j);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_failure_is_told),
	};
	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
