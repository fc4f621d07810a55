/* SPDX-License-Identifier: MIT
 * A good record passes; whatever is changed in it is found, also by a forger
 * who makes the hash chain right again. */
#include "records.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

static struct doc *doc;

/* -- good records -- */

static const struct good {
	const char *name; /* ruleset */
	enum record_plot plot;
} goods[] = {
	{ "backgammon", PLOT_PLAYED },
	{ "short-backgammon", PLOT_PLAYED },
	{ "caucasian", PLOT_PLAYED },
	{ "english", PLOT_PLAYED },
	{ "turkish", PLOT_PLAYED },
	{ "turkish-classic", PLOT_PLAYED },
	{ "english", PLOT_FLAG },
	{ "backgammon", PLOT_FLAG },
	{ "english", PLOT_RESIGNED },
	{ "caucasian", PLOT_RESIGNED },
	{ "turkish", PLOT_AGREED },
	{ "backgammon", PLOT_AGREED },
	{ "short-backgammon", PLOT_ABORTED },
	{ "turkish", PLOT_ABORTED },
	{ "english", PLOT_CLAIMED },
	{ "english", PLOT_OFFERS },
	{ "english", PLOT_CHATTY },
	{ "turkish", PLOT_CHATTY },
	{ "backgammon", PLOT_CHATTY },
};

static void a_good_record_passes(void **state)
{
	const struct good *row = *state;
	char why[VERIFY_WHY_MAX];
	uint64_t seeds = row->plot == PLOT_CHATTY ? 40 : 6;
	for (uint64_t seed = 1; seed <= seeds; seed++) {
		struct record *r = record_play(row->name, row->plot, seed);
		int err = record_verify(r, why);
		if (err)
			fail_msg("seed %d: %s", (int)seed, why);
		record_free(r);
	}
}

/* -- forgeries -- */

/* Changes r; false: this record has nothing of the kind. */
typedef bool forge_fn(struct record *r);

static bool change(struct record *r, enum fact_type type, size_t nth,
		   void (*how)(struct fact *f))
{
	size_t i = record_find(r, type, 0);
	while (nth-- > 0 && i != SIZE_MAX)
		i = record_find(r, type, i + 1);
	if (i == SIZE_MAX)
		return false;
	struct fact f = record_fact(r, doc, i);
	how(&f);
	record_put(r, i, &f);
	return true;
}

#define FORGE(name, type, nth, statement)                                      \
	static void name##_how(struct fact *f)                                 \
	{                                                                      \
		statement;                                                     \
	}                                                                      \
	static bool name(struct record *r)                                     \
	{                                                                      \
		return change(r, type, nth, name##_how);                       \
	}

FORGE(move_text, FACT_MOVED, 2, f->moved.move = span_str("1-32"))
FORGE(move_ply, FACT_MOVED, 1, f->moved.ply++)
FORGE(move_side, FACT_MOVED, 1, f->moved.side = !f->moved.side)
FORGE(move_crowned, FACT_MOVED, 1, f->moved.crowned = !f->moved.crowned)
FORGE(move_thought, FACT_MOVED, 2, f->moved.thought_ms++)
FORGE(move_thought_below, FACT_MOVED, 2, f->moved.thought_ms -= 100000;
      f->moved.left_ms += 100000)
FORGE(move_thought_more, FACT_MOVED, 2, f->moved.thought_ms += 5000;
      f->moved.left_ms -= 5000)
FORGE(move_left, FACT_MOVED, 2, f->moved.left_ms += 1000)
FORGE(move_early, FACT_MOVED, 2, f->at_ms -= 3000)
FORGE(die, FACT_ROLLED, 1, f->rolled.die1 = f->rolled.die1 % 6 + 1)
FORGE(die_seven, FACT_ROLLED, 1, f->rolled.die1 = 7)
FORGE(die_other, FACT_OPENING_THROW, 0,
      f->opening_throw.white_die = f->opening_throw.white_die % 6 + 1)
FORGE(roll_number, FACT_ROLLED, 1, f->rolled.roll++)
FORGE(roll_side, FACT_ROLLED, 1, f->rolled.side = !f->rolled.side)
FORGE(nonce, FACT_NONCE, 0, f->nonce.nonce = span_str("another"))
FORGE(commitment, FACT_BEGUN, 0, f->begun.commitment.byte[0] ^= 1)
FORGE(seed, FACT_ENDED, 0,
      f->ended.seed = span_str("another seed of thirty-two bytes"))
FORGE(seed_missing, FACT_ENDED, 0, f->ended.seed = span_str(""))
FORGE(seed_of_nothing, FACT_ENDED, 0,
      f->ended.seed = span_str("another seed of thirty-two bytes"))
FORGE(result, FACT_ENDED, 0, f->ended.result = !f->ended.result)
FORGE(result_draw, FACT_ENDED, 0, f->ended.result = RESULT_DRAW;
      f->ended.points = 0)
FORGE(result_aborted, FACT_ENDED, 0, f->ended.result = RESULT_ABORTED;
      f->ended.points = 0; f->ended.reason = span_str("aborted"))
FORGE(result_none, FACT_ENDED, 0, f->ended.result = 4)
FORGE(points, FACT_ENDED, 0, f->ended.points++)
FORGE(reason_flag, FACT_ENDED, 0, f->ended.reason = span_str("flag"))
FORGE(reason_resigned, FACT_ENDED, 0, f->ended.reason = span_str("resigned"))
FORGE(reason_agreed, FACT_ENDED, 0, f->ended.result = RESULT_DRAW;
      f->ended.points = 0; f->ended.reason = span_str("agreed"))
FORGE(reason_repetition, FACT_ENDED, 0, f->ended.result = RESULT_DRAW;
      f->ended.points = 0; f->ended.reason = span_str("repetition"))
FORGE(reason_no_progress, FACT_ENDED, 0, f->ended.result = RESULT_DRAW;
      f->ended.points = 0; f->ended.reason = span_str("no_progress"))
FORGE(reason_too_long, FACT_ENDED, 0, f->ended.result = RESULT_DRAW;
      f->ended.points = 0; f->ended.reason = span_str("too_long"))
FORGE(reason_unknown, FACT_ENDED, 0, f->ended.reason = span_str("boredom"))
FORGE(end_ply, FACT_ENDED, 0, f->ended.ply--)
FORGE(end_clock_more, FACT_ENDED, 0, f->ended.white_left_ms += 1000)
FORGE(end_clock_less, FACT_ENDED, 0, f->ended.white_left_ms -= 30000;
      f->ended.black_left_ms -= 30000)
FORGE(begun_position, FACT_BEGUN, 0, f->begun.position = span_str("nowhere"))
FORGE(begun_rules, FACT_BEGUN, 0, f->begun.rules = span_str("english"))
FORGE(begun_repetition, FACT_BEGUN, 0, f->begun.repetition = 1)
FORGE(begun_no_progress, FACT_BEGUN, 0, f->begun.no_progress = 5)
FORGE(begun_base, FACT_BEGUN, 0, f->begun.base_ms += 1000)
FORGE(begun_increment, FACT_BEGUN, 0, f->begun.increment_ms += 1)
FORGE(offer_side, FACT_DRAW_OFFERED, 0,
      f->draw_offered.side = !f->draw_offered.side)
FORGE(offer_ply, FACT_DRAW_OFFERED, 0, f->draw_offered.ply++)
FORGE(decline_side, FACT_DRAW_DECLINED, 0,
      f->draw_declined.side = !f->draw_declined.side)

static bool cut_type(struct record *r, enum fact_type type, size_t from)
{
	size_t i = record_find(r, type, from);
	if (i == SIZE_MAX)
		return false;
	record_cut(r, i);
	return true;
}

/* A forger who takes 5 s from white, and makes all that follows agree. */
static bool slower_all_along(struct record *r)
{
	bool from = false;
	for (size_t i = record_find(r, FACT_MOVED, 6); i < r->count; i++) {
		struct fact f = record_fact(r, doc, i);
		if (f.type == FACT_MOVED && f.moved.side == WHITE) {
			f.moved.thought_ms += from ? 0 : 5000;
			f.moved.left_ms -= 5000;
			from = true;
		} else if (f.type == FACT_ENDED && from) {
			f.ended.white_left_ms -= 5000;
		}
		record_put(r, i, &f);
	}
	return from;
}

static bool no_beginning(struct record *r)
{
	return cut_type(r, FACT_BEGUN, 0);
}

static bool no_end(struct record *r)
{
	return cut_type(r, FACT_ENDED, 0);
}

static bool move_missing(struct record *r)
{
	return cut_type(r, FACT_MOVED, 3);
}

static bool roll_missing(struct record *r)
{
	return cut_type(r, FACT_ROLLED, 3);
}

static bool pass_missing(struct record *r)
{
	return cut_type(r, FACT_PASSED, 0);
}

static bool nonce_missing(struct record *r)
{
	return cut_type(r, FACT_NONCE, 0);
}

/* The offer without which nothing could be agreed. */
static bool offer_missing(struct record *r)
{
	size_t i = record_find(r, FACT_DRAW_OFFERED, 0);
	return i != SIZE_MAX && cut_type(r, FACT_DRAW_OFFERED, i + 1);
}

/* The last offer, a half-move of its player earlier. */
static bool offer_too_early(struct record *r)
{
	size_t i = record_find(r, FACT_DRAW_OFFERED, 0), last = i;
	while (i != SIZE_MAX) {
		last = i;
		i = record_find(r, FACT_DRAW_OFFERED, i + 1);
	}
	struct fact f = record_fact(r, doc, last);
	struct fact before = record_fact(r, doc, last - 2);
	if (before.type != FACT_MOVED)
		return false;
	f.draw_offered.ply -= 2;
	f.at_ms = before.at_ms;
	record_cut(r, last);
	record_insert(r, last - 2, &f);
	return true;
}

/* A nonce that its player gave when he had seen a roll. */
static bool nonce_too_late(struct record *r)
{
	size_t i = record_find(r, FACT_NONCE, 2); /* the empty one */
	size_t k = record_find(r, FACT_ROLLED, 0);
	if (i == SIZE_MAX || k == SIZE_MAX)
		return false;
	struct fact f = record_fact(r, doc, i);
	f.at_ms = record_fact(r, doc, k).at_ms;
	record_insert(r, k + 1, &f);
	record_cut(r, i);
	return true;
}

static bool swapped(struct record *r)
{
	size_t i = record_find(r, FACT_MOVED, 0);
	size_t k = i == SIZE_MAX ? i : record_find(r, FACT_MOVED, i + 1);
	if (k == SIZE_MAX)
		return false;
	struct buf b = r->fact[i];
	r->fact[i] = r->fact[k];
	r->fact[k] = b;
	return true;
}

static bool again(struct record *r, enum fact_type type)
{
	size_t i = record_find(r, type, 0);
	if (i == SIZE_MAX)
		return false;
	struct fact f = record_fact(r, doc, i);
	record_insert(r, i + 1, &f);
	return true;
}

static bool twice_begun(struct record *r)
{
	return again(r, FACT_BEGUN);
}

static bool twice_moved(struct record *r)
{
	return again(r, FACT_MOVED);
}

static bool twice_ended(struct record *r)
{
	return again(r, FACT_ENDED);
}

static bool twice_offered(struct record *r)
{
	return again(r, FACT_DRAW_OFFERED);
}

static bool an_offer_is_answered_that_was_not_made(struct record *r)
{
	size_t i = record_find(r, FACT_MOVED, 0);
	if (i == SIZE_MAX)
		return false;
	struct fact f = record_fact(r, doc, i);
	struct fact declined = { .type = FACT_DRAW_DECLINED,
				 .at_ms = f.at_ms,
				 .draw_declined = { f.moved.ply, WHITE } };
	record_insert(r, i, &declined);
	return true;
}

static bool a_secret_in_it(struct record *r)
{
	struct fact f = { .type = FACT_SEED_DRAWN,
			  .seed_drawn = { span_str("seed") } };
	f.at_ms = record_fact(r, doc, r->count - 1).at_ms;
	record_insert(r, r->count - 1, &f);
	return true;
}

static bool noise_in_it(struct record *r)
{
	buf_clear(&r->fact[r->count / 2]);
	return !buf_put_str(&r->fact[r->count / 2], "noise");
}

enum { BG = 1, DR = 2, BOTH = 3 };

static const struct forgery {
	const char *name;
	forge_fn *forge;
	int family; /* of which records it is wrong; of others it may be */
	enum record_plot plot;
} forgeries[] = {
	{ "another move", move_text, BOTH, PLOT_PLAYED },
	{ "another ply", move_ply, BOTH, PLOT_PLAYED },
	{ "another mover", move_side, BOTH, PLOT_PLAYED },
	{ "crowned or not", move_crowned, BOTH, PLOT_PLAYED },
	{ "another thought", move_thought, BOTH, PLOT_PLAYED },
	{ "a thought below zero", move_thought_below, BOTH, PLOT_PLAYED },
	{ "a thought too long", move_thought_more, BOTH, PLOT_PLAYED },
	{ "slower all along", slower_all_along, BOTH, PLOT_PLAYED },
	{ "a nonce too late", nonce_too_late, BG, PLOT_PLAYED },
	{ "another clock", move_left, BOTH, PLOT_PLAYED },
	{ "time goes back", move_early, BOTH, PLOT_PLAYED },
	{ "another die", die, BG, PLOT_PLAYED },
	{ "a seven", die_seven, BG, PLOT_PLAYED },
	{ "another opening die", die_other, BG, PLOT_RESIGNED },
	{ "another number of a roll", roll_number, BG, PLOT_PLAYED },
	{ "another's roll", roll_side, BG, PLOT_PLAYED },
	{ "another nonce", nonce, BG, PLOT_PLAYED },
	{ "another promise", commitment, BOTH, PLOT_PLAYED },
	{ "another seed", seed, BG, PLOT_PLAYED },
	{ "no seed", seed_missing, BG, PLOT_PLAYED },
	{ "a seed of nothing", seed_of_nothing, DR, PLOT_PLAYED },
	{ "the other has won", result, BG, PLOT_PLAYED },
	{ "the flag of the other fell", result, BOTH, PLOT_FLAG },
	{ "a draw", result_draw, BG, PLOT_PLAYED },
	{ "aborted too late", result_aborted, BOTH, PLOT_RESIGNED },
	{ "no such result", result_none, BOTH, PLOT_RESIGNED },
	{ "more points", points, BOTH, PLOT_RESIGNED },
	{ "more points borne off", points, BG, PLOT_PLAYED },
	{ "a flag that did not fall", reason_flag, BOTH, PLOT_RESIGNED },
	{ "resigned after the end", reason_resigned, BG, PLOT_PLAYED },
	{ "agreed without an offer", reason_agreed, BOTH, PLOT_RESIGNED },
	{ "no repetition", reason_repetition, BOTH, PLOT_RESIGNED },
	{ "progress was made", reason_no_progress, BOTH, PLOT_RESIGNED },
	{ "not too long", reason_too_long, BOTH, PLOT_RESIGNED },
	{ "no such reason", reason_unknown, BOTH, PLOT_RESIGNED },
	{ "another length", end_ply, BOTH, PLOT_PLAYED },
	{ "more time at the end", end_clock_more, BOTH, PLOT_PLAYED },
	{ "less time at the end", end_clock_less, BOTH, PLOT_PLAYED },
	{ "another position", begun_position, BOTH, PLOT_PLAYED },
	{ "other rules", begun_rules, BOTH, PLOT_PLAYED },
	{ "less repetition allowed", begun_repetition, DR, PLOT_PLAYED },
	{ "less patience", begun_no_progress, DR, PLOT_PLAYED },
	{ "another base", begun_base, BOTH, PLOT_PLAYED },
	{ "another increment", begun_increment, BOTH, PLOT_PLAYED },
	{ "another's offer", offer_side, BOTH, PLOT_AGREED },
	{ "an offer at another ply", offer_ply, BOTH, PLOT_AGREED },
	{ "another's answer", decline_side, BOTH, PLOT_AGREED },
	{ "no beginning", no_beginning, BOTH, PLOT_PLAYED },
	{ "no end", no_end, BOTH, PLOT_PLAYED },
	{ "a move is missing", move_missing, BOTH, PLOT_PLAYED },
	{ "a roll is missing", roll_missing, BG, PLOT_PLAYED },
	{ "a pass is missing", pass_missing, BG, PLOT_PLAYED },
	{ "a nonce is missing", nonce_missing, BG, PLOT_PLAYED },
	{ "the offer is missing", offer_missing, BOTH, PLOT_AGREED },
	{ "an offer too early", offer_too_early, DR, PLOT_OFFERS },
	{ "agreed when the offer had lapsed", reason_agreed, DR, PLOT_OFFERS },
	{ "two moves swapped", swapped, BOTH, PLOT_PLAYED },
	{ "begun twice", twice_begun, BOTH, PLOT_PLAYED },
	{ "moved twice", twice_moved, BOTH, PLOT_PLAYED },
	{ "ended twice", twice_ended, BOTH, PLOT_PLAYED },
	{ "offered twice", twice_offered, BOTH, PLOT_AGREED },
	{ "an answer to nothing", an_offer_is_answered_that_was_not_made, BOTH,
	  PLOT_PLAYED },
	{ "a secret", a_secret_in_it, BOTH, PLOT_PLAYED },
	{ "noise", noise_in_it, BOTH, PLOT_PLAYED },
};

static void a_forgery_is_found(void **state)
{
	const struct forgery *row = *state;
	static const struct {
		const char *ruleset;
		int family;
	} with[] = { { "backgammon", BG },
		     { "short-backgammon", BG },
		     { "english", DR },
		     { "turkish", DR } };
	char why[VERIFY_WHY_MAX];
	size_t tried = 0;
	for (size_t i = 0; i < COUNT(with); i++) {
		bool drawless = !strcmp(with[i].ruleset, "short-backgammon");
		if (!(row->family & with[i].family) ||
		    (drawless && row->plot == PLOT_AGREED))
			continue;
		struct record *r =
			record_play(with[i].ruleset, row->plot, 2 + i);
		if (row->forge(r)) {
			tried++;
			/* unnoticed, the chain alone would tell */
			assert_int_equal(record_verify(r, why), PLYD_ERECORD);
			record_rehead(r);
			int err = record_verify(r, why);
			if (err != PLYD_ERECORD)
				fail_msg("%s: passes", with[i].ruleset);
			assert_true(why[0]);
		}
		record_free(r);
	}
	assert_true(tried > 0);
}

static void another_head_is_found(void **state)
{
	(void)state;
	char why[VERIFY_WHY_MAX];
	struct record *r = record_play("english", PLOT_RESIGNED, 1);
	r->head.byte[31] ^= 1;
	assert_int_equal(record_verify(r, why), PLYD_ERECORD);
	assert_non_null(strstr(why, "head"));
	record_free(r);
}

/* Flip each bit of a record in turn: the chain finds every one. */
static void any_flipped_bit_is_found(void **state)
{
	(void)state;
	char why[VERIFY_WHY_MAX];
	struct record *r = record_play("short-backgammon", PLOT_RESIGNED, 1);
	for (size_t i = 0; i < r->count; i++)
		for (size_t bit = 0; bit < 8 * r->fact[i].len; bit += 3) {
			r->fact[i].at[bit / 8] ^= (uint8_t)(1u << bit % 8);
			assert_int_equal(record_verify(r, why), PLYD_ERECORD);
			r->fact[i].at[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
	assert_int_equal(record_verify(r, why), PLYD_OK);
	record_free(r);
}

static void a_verdict_says_what_was_played(void **state)
{
	(void)state;
	struct record *r = record_play("backgammon", PLOT_RESIGNED, 1);
	struct verifier *v = verifier_new(&r->match);
	for (size_t i = 0; i < r->count; i++)
		assert_int_equal(verifier_fact(v, buf_span(&r->fact[i])),
				 PLYD_OK);
	const struct verdict *said = verifier_verdict(v);
	assert_int_equal(verifier_end(v, NULL), PLYD_OK);
	assert_int_equal(said->facts, r->count);
	assert_true(said->ended);
	assert_int_equal(said->result, RESULT_BLACK);
	assert_string_equal(said->reason, "resigned");
	assert_string_equal(said->white, "ann");
	assert_string_equal(said->black, "bob");
	assert_string_equal(said->rules.name, "backgammon");
	assert_int_equal(said->plies, 6);
	verifier_free(v);
	record_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_head_is_found),
		cmocka_unit_test(any_flipped_bit_is_found),
		cmocka_unit_test(a_verdict_says_what_was_played),
	};
	doc = doc_new();
	int failed = cmocka_run_group_tests_name("verify", tests, NULL, NULL);
	failed += RUN_TABLE("good records", goods, a_good_record_passes);
	failed += RUN_TABLE("forgeries", forgeries, a_forgery_is_found);
	doc_free(doc);
	return failed;
}
