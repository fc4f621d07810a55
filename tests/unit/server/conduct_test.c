/* SPDX-License-Identifier: MIT
 * Three faults in a row, and not one less, put a script away. */
#include "server/conduct.h"
#include "unit.h"

static void faults(struct version *v, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		conduct_fault(v);
}

static void three_in_a_row_are_too_many(void **state)
{
	(void)state;
	struct version v = { .kind = WORKER_POLICY, .name = "own" };
	assert_false(conduct_is_suspect(&v));
	faults(&v, CONDUCT_FAULTS_MAX - 1);
	assert_true(conduct_is_suspect(&v));
	assert_false(conduct_is_quarantined(&v));
	conduct_good(&v);
	assert_false(conduct_is_suspect(&v));
	faults(&v, CONDUCT_FAULTS_MAX - 1);
	assert_false(conduct_is_quarantined(&v));
	conduct_fault(&v);
	assert_true(conduct_is_quarantined(&v));
}

static void a_good_answer_does_not_help(void **state)
{
	(void)state;
	struct version v = { .kind = WORKER_POLICY, .name = "own" };
	faults(&v, CONDUCT_FAULTS_MAX);
	conduct_good(&v);
	assert_true(conduct_is_quarantined(&v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_in_a_row_are_too_many),
		cmocka_unit_test(a_good_answer_does_not_help),
	};
	return cmocka_run_group_tests_name("conduct", tests, NULL, NULL);
}
