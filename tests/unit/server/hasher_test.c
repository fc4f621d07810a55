/* SPDX-License-Identifier: MIT
 * Passwords through the real Argon2id, at the least cost. */
#include "unit.h"

#include <string.h>

#include "base/digest.h"
#include "server/hasher.h"

enum { MOST = 4 };

struct hashed {
	size_t calls;
	uint64_t job;
	bool fits;
	char hash[PASSWORD_HASH_MAX];
};

static void on_hashed(void *payload, uint64_t job, bool fits, struct span hash)
{
	struct hashed *o = payload;
	o->calls++;
	o->job = job;
	o->fits = fits;
	span_copy(hash, o->hash, sizeof(o->hash));
}

static const struct hash_cost cheap = { 1, 8192 };

static struct hashed work(const struct hash_cost *cost, const char *hash,
			  const char *password, const char *fresh)
{
	struct net *n;
	struct hashed o = { 0 };
	const struct hasher_ops ops = { &o, on_hashed };
	assert_int_equal(crypto_ready(), 0);
	assert_int_equal(net_new(&n), 0);
	struct hasher *h = hasher_new(n, MOST, cost, &ops);
	assert_non_null(h);
	hasher_work(h, &(struct hashing){ .job = 7,
					  .hash = hash,
					  .password = span_str(password),
					  .fresh = span_str(fresh) });
	assert_int_equal(o.calls, 0); /* never from the call itself */
	net_run(n);
	hasher_free(h);
	assert_int_equal(net_free(n), 0);
	assert_int_equal(o.calls, 1);
	assert_int_equal(o.job, 7);
	return o;
}

static void a_hash_fits_its_password_only(void **state)
{
	(void)state;
	struct hashed o = work(&cheap, NULL, "", "secret-1");
	assert_true(o.fits);
	assert_memory_equal(o.hash, "$argon2id$", 10);
	struct hashed good = work(&cheap, o.hash, "secret-1", "");
	assert_true(good.fits);
	assert_string_equal(good.hash, "");
	assert_false(work(&cheap, o.hash, "secret-2", "").fits);
	/* the same password hashed twice has two hashes */
	assert_string_not_equal(work(&cheap, NULL, "", "secret-1").hash,
				o.hash);
}

static void an_unknown_login_fits_nothing(void **state)
{
	(void)state;
	struct hashed o = work(&cheap, "", "secret-1", "");
	assert_false(o.fits);
	assert_string_equal(o.hash, "");
	assert_false(work(&cheap, "not a hash", "secret-1", "").fits);
}

static void a_new_password_needs_the_old_one(void **state)
{
	(void)state;
	struct hashed o = work(&cheap, NULL, "", "secret-1");
	struct hashed wrong = work(&cheap, o.hash, "secret-2", "secret-3");
	assert_false(wrong.fits);
	assert_string_equal(wrong.hash, "");
	struct hashed set = work(&cheap, o.hash, "secret-1", "secret-3");
	assert_true(set.fits);
	assert_true(work(&cheap, set.hash, "secret-3", "").fits);
}

static void another_cost_hashes_anew(void **state)
{
	const struct hash_cost more = { 2, 16384 };
	(void)state;
	struct hashed o = work(&cheap, NULL, "", "secret-1");
	struct hashed again = work(&more, o.hash, "secret-1", "");
	assert_true(again.fits);
	assert_true(again.hash[0]);
	assert_string_equal(work(&more, again.hash, "secret-1", "").hash, "");
}

/* What waits at the end is dropped, what runs is waited for; nobody is told. */
static void the_end_does_not_wait_for_the_queue(void **state)
{
	struct net *n;
	struct hashed o = { 0 };
	const struct hasher_ops ops = { &o, on_hashed };
	(void)state;
	assert_int_equal(crypto_ready(), 0);
	assert_int_equal(net_new(&n), 0);
	struct hasher *h = hasher_new(n, MOST, &cheap, &ops);
	for (uint64_t job = 1; job <= MOST; job++)
		hasher_work(h, &(struct hashing){ .job = job,
						  .hash = "",
						  .password = span_str("x") });
	hasher_free(h);
	net_run(n);
	assert_int_equal(net_free(n), 0);
	assert_int_equal(o.calls, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hash_fits_its_password_only),
		cmocka_unit_test(an_unknown_login_fits_nothing),
		cmocka_unit_test(a_new_password_needs_the_old_one),
		cmocka_unit_test(another_cost_hashes_anew),
		cmocka_unit_test(the_end_does_not_wait_for_the_queue),
	};
	return cmocka_run_group_tests_name("hasher", tests, NULL, NULL);
}
