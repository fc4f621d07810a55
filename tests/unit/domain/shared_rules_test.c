/* SPDX-License-Identifier: MIT
 * Matches with the same rules share them, and keep them whatever is offered
 * later. */
#include "play.h"
#include "unit.h"

static const struct match_rules *rules_of(const struct play *p,
					  const struct id *match)
{
	return play_at(p, match)->rules;
}

static void the_same_rules_are_there_once(void **state)
{
	(void)state;
	struct play p;
	struct clock_rules none = { .kind = CLOCK_UNLIMITED };
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id a = play_match(&p, "english", "ann", "bob", NULL);
	struct id b = play_match(&p, "english", "bob", "ann", NULL);
	struct id clock = play_match(&p, "english", "ann", "bob", &none);
	struct id game = play_match(&p, "turkish", "ann", "bob", NULL);
	assert_ptr_equal(rules_of(&p, &a), rules_of(&p, &b));
	assert_ptr_not_equal(rules_of(&p, &a), rules_of(&p, &clock));
	assert_ptr_not_equal(rules_of(&p, &a), rules_of(&p, &game));
	assert_int_equal(rules_of(&p, &clock)->clock.kind, CLOCK_UNLIMITED);
	assert_string_equal(rules_of(&p, &game)->rules.name, "turkish");
	play_close(&p);
}

static void they_stay_when_others_are_offered(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id old = play_match(&p, "english", "ann", "bob", NULL);
	struct match_rules rules = *domain_rules_find(p.d, span_str("english"));
	bool was = rules.takeback;
	rules.takeback = !was;
	assert_int_equal(domain_set_rules(p.d, &rules, 1), PLYD_OK);
	struct id now = play_match(&p, "english", "ann", "bob", NULL);
	assert_int_equal(rules_of(&p, &old)->takeback, was);
	assert_int_equal(rules_of(&p, &now)->takeback, !was);
	play_close(&p);
}

/* The last one that has them is forgotten, and another begins. */
static void they_go_with_the_last_match(void **state)
{
	(void)state;
	struct play p;
	play_open(&p, 1);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	for (int i = 0; i < 3; i++) {
		struct id m = play_match(&p, "english", "ann", "bob", NULL);
		play_in(&p, "ann", CMD_MATCH_RESIGN, &m);
		assert_string_equal(rules_of(&p, &m)->rules.name, "english");
		play_wait(&p, (uint64_t)p.limits.result_keep_ms);
		assert_null(domain_match(p.d, &m));
	}
	play_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_rules_are_there_once),
		cmocka_unit_test(they_stay_when_others_are_offered),
		cmocka_unit_test(they_go_with_the_last_match),
	};
	return cmocka_run_group_tests_name("shared rules", tests, NULL, NULL);
}
