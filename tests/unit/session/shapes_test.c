/* SPDX-License-Identifier: MIT
 * shapes_test.c - a whole match of every ruleset, watched, with what players
 * say besides moving: each answer and each notification has the shape that
 * docs/protocol.md shows (talk.c looks), and events come without a hole. */
#include "talk.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { ONE = 1, TWO = 2, WATCHER = 3, PLIES_MOST = 150 };

struct game {
	struct talk t;
	struct rng rng;
	char match[16];
	size_t plies;
	bool of_games; /* a match of several */
};

static void sit_down(struct game *g, const char *ruleset)
{
	struct talk *t = &g->t;
	char lobby[16];
	for (uint64_t conn = ONE; conn <= WATCHER; conn++) {
		assert_int_equal(talk_connect(t, conn, "127.0.0.1"), 0);
		assert_true(talk_ask(t, conn, "hello", "protocol=i bot=b",
				     (int64_t)1, conn == TWO));
		assert_int_equal(strlen(talk_text(t, "token")), 64);
	}
	assert_true(talk_ask(t, ONE, "lobby.create",
			     "ruleset=s side=s base_ms=i increment_ms=i key=s",
			     ruleset, "white", (int64_t)60000, (int64_t)500,
			     "k"));
	snprintf(lobby, sizeof(lobby), "%s", talk_text(t, "lobby"));
	assert_true(talk_ask(t, TWO, "lobby.list", "ruleset=s", ruleset));
	assert_int_equal(talk_number(t, "total"), 1);
	assert_true(talk_ask(t, TWO, "lobby.get", "lobby=s", lobby));
	assert_true(
		talk_ask(t, TWO, "lobby.join", "lobby=s ready=b", lobby, true));
	assert_string_equal(t->line[ONE].last_notice, "lobby.changed");
	assert_true(talk_ask(t, ONE, "lobby.ready", "lobby=s", lobby));
	assert_string_equal(t->line[TWO].last_notice, "match.started");
	assert_true(talk_ask(t, WATCHER, "match.list", ""));
	const struct value *first =
		value_at(value_find(t->result, "matches"), 0);
	struct span id;
	assert_int_equal(value_str(value_find(first, "match"), &id), 0);
	assert_true(span_copy(id, g->match, sizeof(g->match)));
}

/* Gives the nonces, if the match takes any. */
static void shake(struct game *g)
{
	struct talk *t = &g->t;
	assert_true(talk_ask(t, WATCHER, "match.watch", "match=s", g->match));
	bool nonces = !strcmp(talk_text(t, "state"), "nonces");
	assert_int_equal(talk_ask(t, ONE, "match.nonce", "match=s nonce=s",
				  g->match, "8f03c2"),
			 nonces);
	if (!nonces)
		assert_string_equal(t->error, "nonce_not_wanted");
	talk_wait(t, 5000);
}

/* What a player says who does not move. */
static void say_something(struct game *g, uint64_t me, uint64_t other,
			  int64_t ply)
{
	struct talk *t = &g->t;
	switch (rng_below(&g->rng, 8)) {
	case 0:
		if (talk_ask(t, me, "match.offer_draw", "match=s", g->match))
			talk_ask(t, other, "match.decline_draw",
				 "match=s ply=i", g->match, ply);
		if (g->of_games &&
		    talk_ask(t, me, "match.resign", "match=s level=i whole=b",
			     g->match, (int64_t)1, false))
			talk_ask(t, other, "match.decline_resign",
				 "match=s offer=i", g->match,
				 talk_number(t, "seq"));
		break;
	case 1:
		assert_false(talk_ask(t, me, "match.move",
				      "match=s ply=i move=s", g->match, ply,
				      "1-32"));
		if (!strcmp(t->error, "not_awaited"))
			break; /* but a throw, or an answer */
		assert_string_equal(t->error, "illegal_move");
		assert_non_null(talk_text(t, "reason"));
		break;
	case 2:
		assert_false(talk_ask(t, other, "match.claim",
				      "match=s result=s", g->match, "win"));
		assert_string_equal(t->error, "nothing_to_claim");
		break;
	case 3:
		assert_true(
			talk_ask(t, other, "match.get", "match=s", g->match));
		assert_null(value_find(t->result, "legal_moves"));
		break;
	case 4:
		hub_disconnected(t->hub, WATCHER, t->now_ms);
		buf_clear(&t->line[WATCHER].said);
		t->line[WATCHER].seq = 0;
		talk_connect(t, WATCHER, "127.0.0.1");
		assert_true(talk_ask(t, WATCHER, "hello", "protocol=i",
				     (int64_t)1));
		assert_true(talk_ask(t, WATCHER, "match.watch", "match=s",
				     g->match));
		break;
	default: talk_wait(t, 300); break;
	}
}

/* Throws, doubles, takes or drops, each twice. */
static void play_cube(struct game *g, uint64_t me, int64_t ply)
{
	struct talk *t = &g->t;
	bool roll = !strcmp(talk_text(t, "awaits"), "roll");
	bool seldom = rng_below(&g->rng, 5) == 0;
	const char *method = roll ? (seldom ? "match.double" : "match.roll")
				  : (seldom ? "match.drop" : "match.take");
	assert_null(value_find(t->result, "legal_moves"));
	for (int again = 0; again < 2; again++) {
		bool duplicate;
		assert_true(talk_ask(t, me, method, "match=s ply=i", g->match,
				     ply));
		value_bool(value_find(t->result, "duplicate"), &duplicate);
		assert_int_equal(duplicate, again);
	}
	g->plies++;
}

/* One half-move of whoever is to move; false: the match is over. */
static bool play_one(struct game *g)
{
	struct talk *t = &g->t;
	char turn[8], move[64];
	assert_true(talk_ask(t, WATCHER, "match.get", "match=s", g->match));
	assert_string_equal(talk_text(t, "you"), "watcher");
	if (!strcmp(talk_text(t, "state"), "over"))
		return false;
	int64_t ply = talk_number(t, "ply"), length = 0;
	(void)value_int(value_find(value_find(t->result, "stakes"), "length"),
			0, 64, &length);
	g->of_games = length > 0;
	snprintf(turn, sizeof(turn), "%s", talk_text(t, "turn"));
	uint64_t me = strcmp(turn, "white") ? TWO : ONE;
	say_something(g, me, ONE + TWO - me, ply);
	assert_true(talk_ask(t, me, "match.get", "match=s", g->match));
	if (!strcmp(talk_text(t, "state"), "over"))
		return false;
	if (!talk_text(t, "turn") || strcmp(talk_text(t, "turn"), turn) != 0)
		return true; /* another game has begun */
	if (strcmp(talk_text(t, "awaits"), "move") != 0) {
		play_cube(g, me, ply);
		return true;
	}
	const struct value *moves = value_find(t->result, "legal_moves");
	size_t count = value_count(moves);
	assert_true(count > 0);
	struct span text;
	value_str(value_at(moves, rng_below(&g->rng, (uint32_t)count)), &text);
	assert_true(span_copy(text, move, sizeof(move)));
	for (int again = 0; again < 2; again++) {
		bool duplicate;
		assert_true(talk_ask(t, me, "match.move",
				     "match=s ply=i move=s", g->match, ply,
				     move));
		value_bool(value_find(t->result, "duplicate"), &duplicate);
		assert_int_equal(duplicate, again);
	}
	assert_int_equal(t->line[ONE].seq, t->line[TWO].seq);
	g->plies++;
	return true;
}

static void read_record(struct game *g)
{
	struct talk *t = &g->t;
	assert_int_equal(t->finished, 1);
	assert_true(talk_ask(t, WATCHER, "record.get", "match=s", g->match));
	const struct value *events = value_find(t->result, "events");
	assert_int_equal(value_count(events), t->line[ONE].seq);
	assert_int_equal(value_count(value_find(t->result, "facts")),
			 t->line[ONE].seq);
	assert_false(talk_ask(t, ONE, "match.resign", "match=s", g->match));
	assert_string_equal(t->error, "game_over");
}

/* Not a bit of a record may change unnoticed, or change what is shown. */
static void damage_is_refused(struct game *g)
{
	struct talk *t = &g->t;
	size_t last = 0, len = 0;
	for (size_t at = 0; at < t->rows.len; at += ID_CHARS + 4 + len) {
		const uint8_t *size = t->rows.at + at + ID_CHARS;
		len = (size_t)size[2] << 8 | size[3];
		last = at + ID_CHARS + 4;
	}
	for (size_t i = 0; i < 8 * len; i++) {
		t->rows.at[last + i / 8] ^= (uint8_t)(1 << i % 8);
		assert_false(talk_ask(t, WATCHER, "record.get", "match=s",
				      g->match));
		assert_string_equal(t->error, "bad_record");
		t->rows.at[last + i / 8] ^= (uint8_t)(1 << i % 8);
	}
}

static void a_match_keeps_to_the_protocol(struct game *g, const char *ruleset)
{
	struct talk *t = &g->t;
	talk_open(t, NULL);
	rng_seed(&g->rng, 3);
	sit_down(g, ruleset);
	shake(g);
	while (g->plies < PLIES_MOST && play_one(g))
		;
	if (g->plies == PLIES_MOST)
		assert_true(talk_ask(t, ONE, "match.resign", "match=s whole=b",
				     g->match, true));
	assert_string_equal(t->line[TWO].last_event, "ended");
	read_record(g);
	damage_is_refused(g);
	assert_true(g->plies > 10);
	assert_true(t->checked > 200);
	talk_close(t);
}

static void whole_matches(void **state)
{
	(void)state;
	for (size_t i = 0; i < ruleset_count(); i++) {
		struct game g = { .plies = 0 };
		a_match_keeps_to_the_protocol(&g, ruleset_at(i)->name);
	}
}

/* What is answered without a match. */
static void rules_and_server(void **state)
{
	(void)state;
	struct talk t;
	talk_open(&t, NULL);
	talk_connect(&t, ONE, "127.0.0.1");
	assert_true(talk_ask(&t, ONE, "hello", "protocol=i name=s", (int64_t)1,
			     "Ada"));
	assert_true(talk_ask(&t, ONE, "ping", ""));
	assert_true(talk_ask(&t, ONE, "server.info", ""));
	assert_int_equal(talk_number(&t, "players"), 1);
	assert_true(talk_ask(&t, ONE, "rules.list", ""));
	const struct value *picky =
		value_at(value_find(t.result, "personalities"), 1);
	assert_int_equal(value_count(value_find(picky, "rulesets")), 1);
	for (size_t i = 0; i < ruleset_count(); i++) {
		const char *name = ruleset_at(i)->name;
		bool dice = ruleset_has_dice(ruleset_at(i));
		bool told = talk_ask(&t, ONE, "rules.moves", "ruleset=s", name);
		if (!told)
			assert_string_equal(t.error, "no_dice");
		assert_int_equal(told, !dice);
		told = talk_ask(&t, ONE, "rules.check", "ruleset=s move=s",
				name, "nonsense");
		assert_int_equal(told, !dice);
	}
	assert_false(talk_ask(&t, ONE, "record.get", "match=s", "aaaaaaaaaa"));
	assert_string_equal(t.error, "no_such_record");
	assert_true(talk_ask(&t, ONE, "lobby.create",
			     "ruleset=s opponent=s personality=s ready=b "
			     "unlimited=b",
			     "english", "personality", "calm", true, true));
	assert_string_equal(t.line[ONE].last_notice, "match.started");
	talk_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_matches),
		cmocka_unit_test(rules_and_server),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
