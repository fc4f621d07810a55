/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdlib.h>

#include "base/digest.h"
#include "base/table.h"
#include "record/codec.h"
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

/* The row of a match of backgammon that has begun. */
static void append_begun(struct journal *j, const struct id *match)
{
	struct ruleset rules;
	struct position start;
	struct buf b;
	char text[RULESET_TEXT_MAX], pos[POSITION_TEXT_MAX];
	assert_int_equal(ruleset_find("backgammon", 10, &rules), 0);
	game_start(&rules, &start);
	const struct fact begun = {
		.type = FACT_BEGUN,
		.begun = { .rules = span_of(text, ruleset_write(&rules, text)),
			   .position = span_of(pos,
					       game_write(&rules, &start, pos)),
			   .unlimited = true },
	};
	buf_init(&b, FACT_BYTES_MAX);
	fact_encode(&begun, &b);
	journal_append(j, 1, match, 0, buf_span(&b));
	buf_release(&b);
}

static void keep_seed(struct journal *j, const struct id *match)
{
	static const uint8_t seed[SEED_BYTES] = { 1 };
	const struct fact drawn = { .type = FACT_SEED_DRAWN,
				    .seed_drawn = {
					    span_of(seed, SEED_BYTES) } };
	struct buf b;
	buf_init(&b, FACT_BYTES_MAX);
	fact_encode(&drawn, &b);
	journal_secret(j, match, buf_span(&b));
	buf_release(&b);
}

/* Nobody plays with dice whose seed is lost, and is thus all zeros. */
static void a_match_without_its_seed_is_frozen(void **state)
{
	static const struct id match = { "aaaaaaaaaa" };
	static const struct scripts none;
	(void)state;
	for (int kept = 0; kept < 2; kept++) {
		struct domain *d;
		char why[STORE_WHY_MAX];
		struct journal j = { .scripts = &none,
				     .store = store_memory_new(on_wake, NULL) };
		domain_limits_default(&j.limits);
		append_begun(&j, &match);
		if (kept)
			keep_seed(&j, &match);
		assert_int_equal(journal_submit(&j), PLYD_OK);
		assert_int_equal(journal_replay(&j, &d, why), PLYD_OK);
		assert_int_equal(domain_match(d, &match)->state,
				 kept ? MATCH_NONCES : MATCH_FROZEN);
		domain_free(d);
		journal_close(&j);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_snapshot_that_is_too_large_costs_no_fact),
		cmocka_unit_test(a_match_without_its_seed_is_frozen),
	};
	if (crypto_ready())
		return 1;
	table_ready();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
