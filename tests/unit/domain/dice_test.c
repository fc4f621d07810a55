/* SPDX-License-Identifier: MIT
 * Nonces, dice, opening throws, automatic passes. */
#include "play.h"
#include "domain/dice.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <sodium.h>

#define PLAY(p, seed)                                                          \
	struct play p;                                                         \
	play_open(&p, seed);                                                   \
	play_hello(&p, "ann");                                                 \
	play_hello(&p, "bob")

/* -- nonces -- */

static void both_nonces_start_the_match(void **state)
{
	(void)state;
	PLAY(p, 1);
	struct id m = play_match(&p, "backgammon", "ann", "bob", NULL);
	assert_string_equal(p.effects, "answer lobby started");
	assert_int_equal(play_at(&p, &m)->state, MATCH_NONCES);
	assert_int_equal(play_move(&p, "ann", &m, 0, "24/23"),
			 PLYD_ENOTSTARTED);
	play_wait(&p, 1000);
	assert_int_equal(play_nonce(&p, "bob", &m, "b"), PLYD_OK);
	assert_string_equal(p.facts, "nonce");
	assert_int_equal(play_nonce(&p, "bob", &m, "c"), PLYD_ENONCE);
	assert_int_equal(play_nonce(&p, "ann", &m, "a"), PLYD_OK);
	assert_string_equal(p.facts, "nonce rolled |");
	assert_string_equal(p.effects, "fact answer fact release |");
	assert_int_equal(play_nonce(&p, "ann", &m, "d"), PLYD_ENONCE);
	const struct match *at = play_at(&p, &m);
	assert_int_equal(at->nonce[BLACK].len, 1);
	assert_int_equal(at->nonce[BLACK].byte[0], 'b');
	/* no clock ran before */
	assert_int_equal(at->left_ms[WHITE], 60000);
	assert_int_equal(match_left_ms(at, WHITE, p.now_ms), 60000);
	play_close(&p);
}

static void missing_nonces_are_empty_after_a_while(void **state)
{
	(void)state;
	PLAY(p, 1);
	struct id m = play_match(&p, "backgammon", "ann", "bob", NULL);
	play_nonce(&p, "ann", &m, "12345678901234567890123456789012");
	play_wait(&p, (uint64_t)p.limits.nonce_wait_ms - 1);
	assert_string_equal(p.facts, "");
	play_wait(&p, 1);
	assert_string_equal(p.facts, "| nonce rolled |");
	assert_int_equal(play_at(&p, &m)->nonce[BLACK].len, 0);
	assert_int_equal(play_at(&p, &m)->nonce[WHITE].len, 32);
	play_close(&p);
}

static void coming_back_does_not_stop_the_wait_for_nonces(void **state)
{
	(void)state;
	PLAY(p, 1);
	struct id m = play_match(&p, "backgammon", "ann", "bob", NULL);
	play_resume(&p, "ann");
	play_gone(&p, "bob");
	play_resume(&p, "bob");
	play_wait(&p, (uint64_t)p.limits.nonce_wait_ms);
	assert_string_equal(p.facts, "| nonce nonce rolled |");
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_close(&p);
}

static void no_wait_at_the_first_millisecond_is_no_wait_for_ever(void **state)
{
	(void)state;
	struct play p;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.nonce_wait_ms = 0;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	play_hello(&p, "bob");
	struct id m = play_match(&p, "backgammon", "ann", "bob", NULL);
	play_wait(&p, 1);
	assert_int_equal(play_at(&p, &m)->state, MATCH_PLAYING);
	play_close(&p);
}

static void a_personality_gives_no_nonce(void **state)
{
	(void)state;
	PLAY(p, 1);
	struct id m = play_personality(&p, "backgammon", "ann", BLACK);
	play_nonce(&p, "ann", &m, "");
	assert_string_equal(p.facts, "nonce rolled |");
	assert_int_equal(play_at(&p, &m)->nonce[BLACK].len, 0);
	play_close(&p);
}

static void without_dice_no_nonce_is_wanted(void **state)
{
	(void)state;
	PLAY(p, 1);
	struct id m = play_match(&p, "english", "ann", "bob", NULL);
	assert_int_equal(play_nonce(&p, "ann", &m, "x"), PLYD_ENONCE);
	play_close(&p);
}

static void a_match_may_end_before_its_nonces(void **state)
{
	(void)state;
	PLAY(p, 1);
	struct id m = play_match(&p, "backgammon", "ann", "bob", NULL);
	assert_int_equal(play_in(&p, "bob", CMD_MATCH_ABORT, &m), PLYD_OK);
	assert_int_equal(play_nonce(&p, "ann", &m, "x"), PLYD_EGAMEOVER);
	play_wait(&p, 10000);
	assert_string_equal(p.facts, "");
	m = play_match(&p, "backgammon", "ann", "bob", NULL);
	assert_int_equal(play_in(&p, "bob", CMD_MATCH_RESIGN, &m), PLYD_OK);
	assert_int_equal(play_at(&p, &m)->result, RESULT_WHITE);
	play_close(&p);
}

/* -- the derivation, from the words of the design -- */

enum { ROLLS_SEEN_MAX = 4096 };

struct seen {
	struct fact fact[ROLLS_SEEN_MAX];
	size_t count;
	uint8_t commitment[32];
	uint8_t seed[32];
	bool ended;
	size_t ties;
};

static void see(void *payload, const struct fact *f)
{
	struct seen *s = payload;
	if (f->type == FACT_BEGUN)
		memcpy(s->commitment, f->begun.commitment.byte, 32);
	if (f->type == FACT_ROLLED || f->type == FACT_OPENING_THROW) {
		assert_true(s->count < ROLLS_SEEN_MAX);
		s->fact[s->count++] = *f;
	}
	if (f->type == FACT_ENDED) {
		assert_int_equal(f->ended.seed.len, 32);
		memcpy(s->seed, f->ended.seed.at, 32);
		s->ended = true;
	}
}

/* HMAC-SHA-256(seed, "plyd-dice-1" 0 match 0 SHA-256(white's nonce)
 * SHA-256(black's nonce) u32be roll u32be block); bytes in order, those >= 252
 * skipped, die = b % 6 + 1. */
static void design_roll(const uint8_t seed[32], const char *match,
			const char *white, const char *black, uint32_t roll,
			int die[2])
{
	int found = 0;
	for (uint32_t block = 0; found < 2; block++) {
		uint8_t text[128], mac[32];
		size_t len = 0;
		memcpy(text, "plyd-dice-1", 11);
		len = 11;
		text[len++] = 0;
		memcpy(text + len, match, 10);
		len += 10;
		text[len++] = 0;
		crypto_hash_sha256(text + len, (const uint8_t *)white,
				   strlen(white));
		len += 32;
		crypto_hash_sha256(text + len, (const uint8_t *)black,
				   strlen(black));
		len += 32;
		for (int i = 3; i >= 0; i--)
			text[len++] = (uint8_t)(roll >> (8 * i));
		for (int i = 3; i >= 0; i--)
			text[len++] = (uint8_t)(block >> (8 * i));
		crypto_auth_hmacsha256(mac, text, len, seed);
		for (int i = 0; i < 32 && found < 2; i++)
			if (mac[i] < 252)
				die[found++] = mac[i] % 6 + 1;
	}
}

static void check_rolls(const struct seen *s, const struct id *match,
			const char *white, const char *black)
{
	uint8_t hash[32];
	crypto_hash_sha256(hash, s->seed, 32);
	assert_memory_equal(hash, s->commitment, 32);
	for (size_t i = 0; i < s->count; i++) {
		const struct fact *f = &s->fact[i];
		bool opening = f->type == FACT_OPENING_THROW;
		int die[2];
		design_roll(s->seed, match->text, white, black, (uint32_t)i,
			    die);
		assert_int_equal(opening ? f->opening_throw.roll
					 : f->rolled.roll,
				 i);
		assert_int_equal(opening ? f->opening_throw.white_die
					 : f->rolled.die1,
				 die[0]);
		assert_int_equal(opening ? f->opening_throw.black_die
					 : f->rolled.die2,
				 die[1]);
	}
}

static void check_fifteen(const struct match *m)
{
	for (int s = 0; s < 2; s++) {
		int sum = 0;
		for (int i = 0; i < 26; i++)
			sum += m->pos.backgammon.point[s][i];
		assert_int_equal(sum, 15); /* BG-22 */
	}
}

static void play_to_the_end(struct play *p, struct rng *rng, const struct id *m)
{
	check_fifteen(play_at(p, m));
	while (play_random(p, rng, m))
		check_fifteen(play_at(p, m));
	assert_int_equal(play_at(p, m)->state, MATCH_OVER);
}

static const struct derived {
	const char *name; /* ruleset */
	const char *white;
	const char *black;
} derived[] = {
	{ "backgammon", "", "" },
	{ "short-backgammon", "white's own", "" },
	{ "caucasian", "x", "a nonce of thirty-two bytes, yes" },
};

static void dice_follow_from_the_seed(void **state)
{
	const struct derived *row = *state;
	struct rng rng;
	rng_seed(&rng, 7);
	for (uint64_t seed = 1; seed <= 8; seed++) {
		static struct seen seen;
		PLAY(p, seed);
		seen = (struct seen){ 0 };
		p.on_fact = see;
		p.payload = &seen;
		struct id m = play_match(&p, row->name, "ann", "bob", NULL);
		play_nonce(&p, "bob", &m, row->black);
		play_nonce(&p, "ann", &m, row->white);
		play_to_the_end(&p, &rng, &m);
		assert_true(seen.ended);
		check_rolls(&seen, &m, row->white, row->black);
		play_close(&p);
	}
}

/* -- opening throws -- */

static void ties_are_thrown_again(void **state)
{
	(void)state;
	size_t ties = 0, begins[2] = { 0 };
	for (uint64_t seed = 1; seed <= 60; seed++) {
		static struct seen seen;
		PLAY(p, seed);
		seen = (struct seen){ 0 };
		p.on_fact = see;
		p.payload = &seen;
		struct id m =
			play_match(&p, "short-backgammon", "ann", "bob", NULL);
		play_wait(&p, 3000);
		const struct match *at = play_at(&p, &m);
		assert_int_equal(at->rolls, seen.count);
		assert_int_equal(at->ply, 0);
		for (size_t i = 0; i < seen.count; i++) {
			const struct fact_opening_throw_body *b =
				&seen.fact[i].opening_throw;
			assert_int_equal(seen.fact[i].type, FACT_OPENING_THROW);
			bool tie = b->white_die == b->black_die;
			ties += tie;
			/* only the last decides, and is the dice of ply 0 */
			assert_int_equal(tie, i + 1 < seen.count);
			if (tie)
				continue;
			bool white = b->white_die > b->black_die;
			assert_int_equal(at->pos.side, white ? WHITE : BLACK);
			assert_int_equal(at->pos.dice[0],
					 white ? b->white_die : b->black_die);
			assert_int_equal(at->pos.dice[1],
					 white ? b->black_die : b->white_die);
		}
		begins[at->pos.side]++;
		play_close(&p);
	}
	assert_true(ties > 0);
	assert_true(begins[WHITE] > 10 && begins[BLACK] > 10);
}

/* -- passes -- */

/* BG-13: X on the bar against a closed board, O far from home. */
static const char *const closed_out =
	"XGID=------E-D---cE-----bbbbbbA:0:0:1:00:0:0:0:0:10";

static void a_turn_without_a_move_passes_by_itself(void **state)
{
	(void)state;
	PLAY(p, 3);
	struct id m = play_position(&p, "backgammon", "ann", "bob", closed_out);
	play_nonce(&p, "ann", &m, "");
	play_nonce(&p, "bob", &m, "");
	/* white rolls, must pass, black rolls: each a step of its own */
	assert_string_equal(p.facts, "nonce rolled | passed | rolled |");
	const struct match *at = play_at(&p, &m);
	assert_int_equal(at->ply, 1);
	assert_int_equal(at->pos.side, BLACK);
	assert_int_equal(at->left_ms[WHITE], 60000);
	assert_true(at->released);
	play_close(&p);
}

/* Both on the bar against closed boards: every turn passes, a step each, and
 * the last pass ends the match. */
static void a_match_where_nobody_can_move_ends(void **state)
{
	(void)state;
	PLAY(p, 3);
	struct id m = play_position(&p, "backgammon", "ann", "bob",
				    "XGID=cBBBBBB------------bbbbbbC:0:0:1:00:"
				    "0:0:0:0:10");
	play_nonce(&p, "ann", &m, "");
	p.hold = true;
	play_nonce(&p, "bob", &m, "");
	const struct match *at = play_at(&p, &m);
	while (at->state != MATCH_OVER)
		play_do(&p, "",
			(struct command){ .type = CMD_CONTINUE, .match = m });
	assert_string_equal(p.facts, "passed ended");
	assert_string_equal(p.effects, "fact fact finished");
	assert_int_equal(at->reason, END_TOO_LONG);
	assert_int_equal(at->ply, PLIES_MAX);
	assert_int_equal(at->rolls, PLIES_MAX);
	play_close(&p);
}

/* No clock starts while the server is to throw. */
static void nothing_is_released_before_the_throw(void **state)
{
	(void)state;
	PLAY(p, 3);
	struct id m = play_position(&p, "backgammon", "ann", "bob", closed_out);
	p.hold = true;
	play_nonce(&p, "ann", &m, "");
	play_nonce(&p, "bob", &m, "");
	struct command release = { .type = CMD_RELEASED, .match = m };
	play_do(&p, "", release);
	assert_false(play_at(&p, &m)->released);
	play_do(&p, "", (struct command){ .type = CMD_CONTINUE, .match = m });
	assert_string_equal(p.facts, "passed");
	release.ply = 1;
	play_do(&p, "", release);
	assert_false(play_at(&p, &m)->released);
	play_close(&p);
}

/* BG-32: a personality is not asked where there is nothing to choose. Returns
 * how often a game had such a turn. */
static size_t passes_of_a_game(uint64_t seed)
{
	PLAY(p, seed);
	struct id m = play_personality(&p, "backgammon", "ann", BLACK);
	play_nonce(&p, "ann", &m, "");
	size_t asked = p.thinks, passes = 0;
	struct rng rng;
	rng_seed(&rng, seed);
	while (play_random(&p, &rng, &m)) {
		const struct match *at = play_at(&p, &m);
		const char *pass = strstr(p.facts, "passed");
		passes += pass != NULL;
		bool its_turn =
			at->state == MATCH_PLAYING && at->pos.side == BLACK;
		assert_int_equal(p.thinks, asked + its_turn);
		asked = p.thinks;
	}
	play_close(&p);
	return passes;
}

static void a_personality_is_not_asked_to_pass(void **state)
{
	size_t passes = 0;
	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++)
		passes += passes_of_a_game(seed);
	assert_true(passes > 0);
}

/* BG-24, LB-11 */
static void nothing_throws_the_dice_again(void **state)
{
	(void)state;
	PLAY(p, 1);
	struct id m = play_match(&p, "backgammon", "ann", "bob", NULL);
	play_nonce(&p, "ann", &m, "");
	play_nonce(&p, "bob", &m, "");
	struct position before = play_at(&p, &m)->pos;
	assert_true(before.dice[0] > 0);
	assert_int_equal(play_move(&p, "ann", &m, 0, "24/1"), PLYD_EILLEGAL);
	play_gone(&p, "ann");
	play_resume(&p, "ann");
	play_in(&p, "ann", CMD_MATCH_GET, &m);
	struct command again = { .type = CMD_CONTINUE, .match = m };
	play_do(&p, "", again);
	play_do(&p, "", again);
	assert_string_equal(p.facts, "");
	assert_memory_equal(&play_at(&p, &m)->pos, &before, sizeof(before));
	assert_int_equal(play_at(&p, &m)->rolls, 1);
	play_close(&p);
}

/* -- chance -- */

/* BG-26: a thousand matches rolled in the same millisecond. */
static void matches_of_one_moment_roll_apart(void **state)
{
	(void)state;
	struct play p;
	struct domain_limits limits;
	domain_limits_default(&limits);
	limits.matches_per_player = 1000;
	limits.ai_matches_per_player = 1000;
	play_open_limits(&p, 1, &limits);
	play_hello(&p, "ann");
	size_t doubles = 0;
	for (int i = 0; i < 1000; i++) {
		struct id m = play_personality(&p, "backgammon", "ann", BLACK);
		play_nonce(&p, "ann", &m, "");
		const struct match *at = play_at(&p, &m);
		doubles += at->pos.dice[0] == at->pos.dice[1];
	}
	assert_in_range(doubles, 120, 215);
	play_close(&p);
}

/* BG-30 */
static void every_pair_comes_as_often(void **state)
{
	(void)state;
	static const uint8_t seed[32] = { 1, 2, 3 };
	struct id match = { "abcdefghij" };
	int count[6][6] = { { 0 } };
	for (uint32_t roll = 0; roll < 36000; roll++) {
		struct dice d = dice_roll(span_of(seed, 32), &match,
					  span_str("a"), span_str("b"), roll);
		count[d.first - 1][d.second - 1]++;
	}
	for (int i = 0; i < 36; i++)
		assert_in_range(count[i / 6][i % 6], 840, 1160);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_nonces_start_the_match),
		cmocka_unit_test(missing_nonces_are_empty_after_a_while),
		cmocka_unit_test(coming_back_does_not_stop_the_wait_for_nonces),
		cmocka_unit_test(
			no_wait_at_the_first_millisecond_is_no_wait_for_ever),
		cmocka_unit_test(a_personality_gives_no_nonce),
		cmocka_unit_test(without_dice_no_nonce_is_wanted),
		cmocka_unit_test(a_match_may_end_before_its_nonces),
		cmocka_unit_test(ties_are_thrown_again),
		cmocka_unit_test(a_turn_without_a_move_passes_by_itself),
		cmocka_unit_test(a_match_where_nobody_can_move_ends),
		cmocka_unit_test(nothing_is_released_before_the_throw),
		cmocka_unit_test(a_personality_is_not_asked_to_pass),
		cmocka_unit_test(nothing_throws_the_dice_again),
		cmocka_unit_test(matches_of_one_moment_roll_apart),
		cmocka_unit_test(every_pair_comes_as_often),
	};
	int failed = cmocka_run_group_tests_name("dice", tests, NULL, NULL);
	return failed +
	       RUN_TABLE("derivation", derived, dice_follow_from_the_seed);
}
