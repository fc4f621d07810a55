/* SPDX-License-Identifier: MIT
 * So many tournaments there may be, and so many of one organiser. */
#include "tourney.h"
#include "unit.h"

static int try_make(struct play *p, const char *name)
{
	struct tournament_terms terms = tourney_terms(FORMAT_SWISS);
	return play_do(p, name,
		       (struct command){ .type = CMD_TOURNAMENT_CREATE,
					 .tournament.terms = &terms });
}

static void tournaments_have_limits(void **state)
{
	(void)state;
	struct play p;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.tournaments_max = 3;
	limits.tournaments_per_player = 2;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	assert_int_equal(try_make(&p, "ann"), PLYD_OK);
	assert_int_equal(try_make(&p, "ann"), PLYD_OK);
	assert_int_equal(try_make(&p, "ann"), PLYD_ETOOMANY);
	assert_int_equal(try_make(&p, "bob"), PLYD_OK);
	assert_int_equal(try_make(&p, "bob"), PLYD_EFULL);
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tournaments_have_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
