/* SPDX-License-Identifier: MIT
 * memory_test.c - memory runs out at the n-th allocation while a message is
 * read or written, for every n: that is said, nothing leaks, and the next
 * message is read as ever. */
#include "alloc.h"
#include "unit.h"

#include <plyd/err.h>
#include "proto/read.h"
#include "proto/write.h"

enum { NAMES = 200, DEEP = 6 };

/* A wide message with some depth, so that it needs more than one chunk. */
static void write_wide(struct buf *b)
{
	put_array(b, NAMES);
	for (int i = 0; i < NAMES; i++) {
		put_map(b, 2);
		put_cstr(b, "name");
		put_cstr(b, "somebody");
		put_cstr(b, "deep");
		for (int depth = 0; depth < DEEP - 1; depth++)
			put_array(b, 1);
		put_int(b, i);
	}
}

static int read_wide(struct doc *d, struct span bytes)
{
	const struct value *root;
	struct span name;
	int err = doc_parse(d, bytes, &doc_store, &root);
	if (err) {
		assert_null(root);
		return err;
	}
	assert_int_equal(value_count(root), NAMES);
	for (int i = 0; i < NAMES; i++)
		assert_int_equal(value_str(value_find(value_at(root, (size_t)i),
						      "name"),
					   &name),
				 0);
	return PLYD_OK;
}

static void reading(void **state)
{
	(void)state;
	struct buf b;
	size_t n = 0;
	bool failed;
	buf_init(&b, STORE_BYTES_MAX);
	write_wide(&b);
	assert_int_equal(b.err, 0);
	do {
		alloc_fail(++n, false);
		alloc_enter();
		struct doc *d = doc_new();
		int err = d ? read_wide(d, buf_span(&b)) : PLYD_ENOMEM;
		alloc_leave();
		failed = alloc_failed();
		assert_int_equal(err, failed ? PLYD_ENOMEM : PLYD_OK);
		alloc_fail(0, false);
		if (d)
			assert_int_equal(read_wide(d, buf_span(&b)), 0);
		doc_free(d);
	} while (failed);
	assert_true(n > 2);
	buf_release(&b);
}

static void writing(void **state)
{
	(void)state;
	struct buf whole;
	size_t n = 0;
	bool failed;
	buf_init(&whole, STORE_BYTES_MAX);
	write_wide(&whole);
	do {
		struct buf b;
		buf_init(&b, STORE_BYTES_MAX);
		alloc_fail(++n, false);
		alloc_enter();
		write_wide(&b);
		alloc_leave();
		failed = alloc_failed();
		assert_int_equal(b.err, failed ? PLYD_ENOMEM : PLYD_OK);
		alloc_fail(0, false);
		buf_clear(&b);
		write_wide(&b);
		assert_int_equal(b.err, 0);
		assert_int_equal(b.len, whole.len);
		assert_memory_equal(b.at, whole.at, whole.len);
		buf_release(&b);
	} while (failed);
	assert_true(n > 5);
	buf_release(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading),
		cmocka_unit_test(writing),
	};
	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
