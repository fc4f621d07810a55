/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdlib.h>

#include "base/digest.h"
#include "server/journal.h"
#include "store/memory.h"

static void on_wake(void *payload)
{
	(void)payload;
}

static void on_probe(void *payload)
{
	(void)payload;
}

static int load_snapshot(void *payload, uint64_t seq, struct span bytes)
{
	size_t *found = payload;
	(void)seq;
	*found += bytes.len;
	return PLYD_OK;
}

static int load_row(void *payload, uint64_t seq, const struct id *stream,
		    struct span bytes)
{
	(void)payload, (void)stream, (void)bytes;
	assert_int_equal(seq, 1);
	return PLYD_OK;
}

/* A state that has grown too large for a snapshot costs no fact: neither over
 * the limit, nor where only the queue of the store has no room for it. */
static void a_snapshot_that_is_too_large_costs_no_fact(void **state)
{
	static const struct id general;
	(void)state;
	for (size_t len = STORE_SNAPSHOT_MAX - 1;
	     len <= (size_t)STORE_SNAPSHOT_MAX + 1; len++) {
		struct net *n;
		size_t found = 0;
		uint64_t last_row;
		char why[STORE_WHY_MAX];
		uint8_t *bytes = calloc(1, len);
		assert_int_equal(net_new(&n), 0);
		struct journal j = {
			.net = n,
			.store = store_memory_new(on_wake, NULL),
			.probe = net_timer_new(n, on_probe, NULL),
		};
		const struct store_loader loader = { .payload = &found,
						     .snapshot = load_snapshot,
						     .row = load_row };
		journal_append(&j, 1, &general, 0, span_str("a fact"));
		journal_snapshot(&j, 1, span_of(bytes, len));
		assert_int_equal(journal_submit(&j), PLYD_OK);
		assert_int_equal(store_load(j.store, &loader, &last_row, why),
				 PLYD_OK);
		assert_int_equal(last_row, 1);
		assert_int_equal(found, len <= STORE_SNAPSHOT_MAX ? len : 0);
		journal_close(&j);
		assert_int_equal(net_free(n), 0);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_snapshot_that_is_too_large_costs_no_fact),
	};
	if (crypto_ready())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
