/* SPDX-License-Identifier: MIT
 * How a match ended is told by nothing before its spectators have seen it. */
#include "talk.h"
#include "unit.h"

#include <stdio.h>

enum { DELAY_MS = 60000, WHITE_CONN = 1, BLACK_CONN, OTHER_CONN };

static void comes(struct talk *t, uint64_t conn, const char *login)
{
	talk_connect(t, conn, "127.0.0.1");
	assert_true(talk_ask(t, conn, "hello", "protocol=i", (int64_t)1));
	assert_true(talk_ask(t, conn, "account.register", "login=s password=s",
			     login, "secret-1"));
}

/* A rated match that white gives up; black's id. */
static void play(struct talk *t, char black[ID_CHARS + 1])
{
	char id[ID_CHARS + 1];
	comes(t, WHITE_CONN, "ann");
	comes(t, BLACK_CONN, "bob");
	comes(t, OTHER_CONN, "eve");
	assert_true(talk_ask(t, BLACK_CONN, "account.get", ""));
	t->result = value_find(t->result, "player");
	snprintf(black, ID_CHARS + 1, "%s", talk_text(t, "id"));
	assert_true(talk_ask(t, WHITE_CONN, "lobby.create",
			     "ruleset=s side=s ready=b rated=b "
			     "spectator_delay_ms=i",
			     "english", "white", true, true,
			     (int64_t)DELAY_MS));
	snprintf(id, sizeof(id), "%s", talk_text(t, "lobby"));
	assert_true(talk_ask(t, BLACK_CONN, "lobby.join", "lobby=s ready=b", id,
			     true));
	assert_true(talk_ask(t, BLACK_CONN, "match.list", ""));
	t->result = value_at(value_find(t->result, "matches"), 0);
	snprintf(id, sizeof(id), "%s", talk_text(t, "match"));
	assert_true(talk_ask(t, BLACK_CONN, "match.move",
			     "match=s ply=i move=s", id, (int64_t)0, "11-15"));
	assert_true(talk_ask(t, WHITE_CONN, "match.move",
			     "match=s ply=i move=s", id, (int64_t)1, "22-18"));
	assert_true(talk_ask(t, WHITE_CONN, "match.resign", "match=s", id));
}

/* Ratings of black that conn sees, and matches in his past. */
static void sees(struct talk *t, uint64_t conn, const char *black,
		 size_t wanted)
{
	assert_true(talk_ask(t, conn, "rating.get", "player=s", black));
	assert_int_equal(value_count(value_find(t->result, "ratings")), wanted);
	assert_int_equal(talk_number(t, "total"), wanted);
	assert_true(talk_ask(t, conn, "rating.history",
			     "player=s ruleset=s speed=s", black, "english",
			     "bullet"));
	assert_int_equal(value_count(value_find(t->result, "matches")), wanted);
	assert_int_equal(talk_number(t, "games"), wanted);
}

static void a_rating_tells_no_end(void **state)
{
	struct talk t;
	char black[ID_CHARS + 1];
	(void)state;
	talk_open(&t, NULL);
	play(&t, black);
	sees(&t, BLACK_CONN, black, 1);
	sees(&t, WHITE_CONN, black, 1);
	sees(&t, OTHER_CONN, black, 0);
	talk_wait(&t, DELAY_MS + 1);
	sees(&t, OTHER_CONN, black, 1);
	talk_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rating_tells_no_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
