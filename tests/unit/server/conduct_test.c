/* SPDX-License-Identifier: MIT
 * Three faults in a row, and not one less, put a script away; it alone. */
#include "server/conduct.h"
#include "unit.h"

#include <stdio.h>

static struct scripts scripts;
static struct conducts conducts;

static int start(void **state)
{
	(void)state;
	scripts.count = 2;
	scripts.script[0].kind = WORKER_POLICY;
	scripts.script[1].kind = WORKER_PERSONALITY;
	for (size_t i = 0; i < scripts.count; i++)
		snprintf(scripts.script[i].name, sizeof(scripts.script[i].name),
			 "own");
	conducts_init(&conducts, &scripts);
	return 0;
}

static void faults(struct conduct *c, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		conduct_fault(c);
}

static void three_in_a_row_are_too_many(void **state)
{
	(void)state;
	struct conduct *c = conduct_find(&conducts, WORKER_POLICY, "own");
	assert_false(conduct_is_suspect(c));
	faults(c, CONDUCT_FAULTS_MAX - 1);
	assert_true(conduct_is_suspect(c));
	assert_false(conduct_is_quarantined(c));
	conduct_good(c);
	assert_false(conduct_is_suspect(c));
	faults(c, CONDUCT_FAULTS_MAX - 1);
	assert_false(conduct_is_quarantined(c));
	conduct_fault(c);
	assert_true(conduct_is_quarantined(c));
}

static void nothing_but_reading_it_again_helps(void **state)
{
	(void)state;
	struct conduct *c = conduct_find(&conducts, WORKER_POLICY, "own");
	faults(c, CONDUCT_FAULTS_MAX);
	conduct_good(c);
	assert_true(conduct_is_quarantined(c));
	conducts_init(&conducts, &scripts);
	assert_false(conduct_is_quarantined(
		conduct_find(&conducts, WORKER_POLICY, "own")));
}

static void others_of_that_name_have_done_nothing(void **state)
{
	(void)state;
	faults(conduct_find(&conducts, WORKER_POLICY, "own"),
	       CONDUCT_FAULTS_MAX);
	assert_false(conduct_is_quarantined(
		conduct_find(&conducts, WORKER_PERSONALITY, "own")));
}

/* Matches of before may name scripts that are no more; they share nothing. */
static void who_is_not_known_is_not_blamed(void **state)
{
	(void)state;
	struct conduct *c = conduct_find(&conducts, WORKER_POLICY, "gone");
	faults(c, CONDUCT_FAULTS_MAX);
	assert_false(conduct_is_quarantined(c));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(three_in_a_row_are_too_many, start),
		cmocka_unit_test_setup(nothing_but_reading_it_again_helps,
				       start),
		cmocka_unit_test_setup(others_of_that_name_have_done_nothing,
				       start),
		cmocka_unit_test_setup(who_is_not_known_is_not_blamed, start),
	};
	return cmocka_run_group_tests_name("conduct", tests, NULL, NULL);
}
