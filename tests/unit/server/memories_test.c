/* SPDX-License-Identifier: MIT
 * Each side and the policy of each match has its own memory, which is a copy. */
#include "proto/worker.h"
#include "server/memories.h"
#include "base/table.h"
#include "unit.h"

#include <string.h>

static const struct id one = { "aaaaaaaaaa" }, other = { "bbbbbbbbbb" };

static bool keeps(const struct memories *m, const struct id *match,
		  enum memory_of of, const char *text)
{
	return span_is(memories_get(m, match, of), text);
}

static void memories_are_apart(void **state)
{
	(void)state;
	struct memories *m = NULL;
	char text[] = "w1";
	memories_put(&m, &one, MEMORY_WHITE, span_str(text));
	text[0] = 'X';
	memories_put(&m, &one, MEMORY_POLICY, span_str("p1"));
	memories_put(&m, &other, MEMORY_WHITE, span_str("w2"));
	assert_true(keeps(m, &one, MEMORY_WHITE, "w1"));
	assert_true(keeps(m, &one, MEMORY_BLACK, ""));
	assert_true(keeps(m, &one, MEMORY_POLICY, "p1"));
	assert_true(keeps(m, &other, MEMORY_WHITE, "w2"));
	memories_put(&m, &one, MEMORY_WHITE, span_str("longer than before"));
	assert_true(keeps(m, &one, MEMORY_WHITE, "longer than before"));
	memories_put(&m, &one, MEMORY_WHITE, span_str(""));
	assert_true(keeps(m, &one, MEMORY_WHITE, ""));
	memories_drop(&m, &one);
	memories_drop(&m, &one);
	assert_true(keeps(m, &one, MEMORY_POLICY, ""));
	assert_true(keeps(m, &other, MEMORY_WHITE, "w2"));
	memories_free(m);
}

/* More than may be kept is forgotten, not cut. */
static void too_much_is_forgotten(void **state)
{
	(void)state;
	static uint8_t much[WORKER_KEPT_MAX + 1];
	struct memories *m = NULL;
	memories_put(&m, &one, MEMORY_BLACK, span_of(much, sizeof(much) - 1));
	assert_int_equal(memories_get(m, &one, MEMORY_BLACK).len,
			 WORKER_KEPT_MAX);
	memories_put(&m, &one, MEMORY_BLACK, span_of(much, sizeof(much)));
	assert_int_equal(memories_get(m, &one, MEMORY_BLACK).len, 0);
	memories_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memories_are_apart),
		cmocka_unit_test(too_much_is_forgotten),
	};
	table_ready();
	return cmocka_run_group_tests_name("memories", tests, NULL, NULL);
}
