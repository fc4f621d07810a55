/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>

#include "ply/trail.h"

static struct ruleset english;

static void read_into(const char *text, struct position *out)
{
	assert_int_equal(game_read(&english, text, strlen(text), out, NULL), 0);
}

/* White sees one position and moves. */
static void turn(struct trail *t, const char *position, const char *text)
{
	struct position pos;
	struct refusal why;
	struct move move;
	read_into(position, &pos);
	trail_see(t, &pos);
	assert_int_equal(game_check(&english, &pos, text, strlen(text), &move,
				    &why),
			 0);
	trail_move(t, &pos, &move);
}

static void see(struct trail *t, const char *position)
{
	struct position pos;
	read_into(position, &pos);
	trail_see(t, &pos);
}

static void kings_that_come_and_go_are_counted(void **state)
{
	struct trail t;
	(void)state;
	trail_forget(&t, &english);
	turn(&t, "W:WK32:BK1", "32-27");
	assert_int_equal(t.history.quiet, 1);
	turn(&t, "W:WK27:BK6", "27-32");
	turn(&t, "W:WK32:BK1", "32-27");
	see(&t, "W:WK27:BK6");
	assert_int_equal(t.history.quiet, 6);
	assert_int_equal(t.history.count, 6);
}

static void a_mans_move_begins_anew(void **state)
{
	struct trail t;
	(void)state;
	trail_forget(&t, &english);
	turn(&t, "W:WK32,28:BK1", "32-27");
	turn(&t, "W:WK27,28:BK6", "28-24");
	assert_int_equal(t.history.quiet, 0);
	see(&t, "W:WK27,24:BK1");
	assert_int_equal(t.history.quiet, 1);
}

/* White's king on 29 has one way out, and the referee plays it unasked. */
static void an_only_move_is_found_again(void **state)
{
	struct trail t;
	(void)state;
	trail_forget(&t, &english);
	turn(&t, "W:WK25:BK1", "25-29");
	see(&t, "W:WK25:BK1");
	assert_int_equal(t.history.quiet, 4);
	assert_int_equal(t.history.count, 4);
}

static void what_cannot_follow_is_another_game(void **state)
{
	struct trail t;
	(void)state;
	trail_forget(&t, &english);
	turn(&t, "W:WK32:BK1", "32-27");
	see(&t, "W:WK27:BK32");
	assert_int_equal(t.history.quiet, 0);
	assert_int_equal(t.history.count, 0);
	assert_false(t.moved);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kings_that_come_and_go_are_counted),
		cmocka_unit_test(a_mans_move_begins_anew),
		cmocka_unit_test(an_only_move_is_found_again),
		cmocka_unit_test(what_cannot_follow_is_another_game),
	};
	if (ruleset_find("english", 7, &english))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
