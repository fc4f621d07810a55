/* SPDX-License-Identifier: MIT
 * Moves, results and leaf counts as other programs have them: see
 * tests/golden/README.md. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "draughts_sets.h"
#include "vectors.h"

/* Deeper counts of a row are left to `ply perft`. */
#define LEAVES_MAX (PLYD_SANITIZED ? 100000 : 3000000)

static char wrong[512];

/* ---- lists of moves ---------------------------------------------------- */

/* Turkish rows give results as ranks 8 to 1, digits for runs of empty squares:
 * `8/5b2/.../3W4`. */
static void ranks_write(const struct position *pos, char out[80])
{
	const struct draughts_position *d = &pos->draughts;
	for (int rank = 7; rank >= 0; rank--) {
		int run = 0;
		for (int file = 0; file < 8; file++) {
			uint64_t bit = UINT64_C(1) << (rank * 8 + file);
			bool white = d->pieces[WHITE] & bit;
			if (!white && !(d->pieces[BLACK] & bit)) {
				run++;
				continue;
			}
			if (run > 0)
				*out++ = (char)('0' + run);
			run = 0;
			*out++ = white ? (d->kings & bit ? 'W' : 'w')
				       : (d->kings & bit ? 'B' : 'b');
		}
		if (run > 0)
			*out++ = (char)('0' + run);
		*out++ = rank > 0 ? '/' : '\0';
	}
}

static bool result_is(const struct ruleset *rs, const struct position *pos,
		      const char *want)
{
	char ranks[80];
	if (want[1] == ':')
		return !strcmp(draughts_text(rs, pos), want);
	ranks_write(pos, ranks);
	return !strcmp(ranks, want);
}

/* moves: [[text, result], ...], sorted by text */
static const char *check_moves(const struct ruleset *rs, const char *fen,
			       const json_t *moves)
{
	struct position pos = draughts_position(rs, fen), after;
	static struct move_list list;
	char text[MOVE_TEXT_MAX];
	if (strcmp(draughts_text(rs, &pos), fen))
		return "the position is written otherwise";
	if (game_moves(rs, &pos, &list))
		return "too complex";
	if (list.total != json_array_size(moves) || list.total != list.count)
		return "another number of moves";
	if (game_can_move(rs, &pos) != (list.total > 0))
		return "game_can_move() disagrees";
	if (game_perft(rs, &pos, 1, false) != list.total)
		return "game_perft() counts another number of moves";
	for (size_t i = 0; i < list.count; i++) {
		const json_t *want = json_array_get(moves, i);
		const char *path = json_string_value(json_array_get(want, 0));
		game_move_text(rs, &pos, &list.move[i], text);
		game_apply(rs, &pos, &list.move[i], &after);
		if (strcmp(text, path) ||
		    !result_is(rs, &after,
			       json_string_value(json_array_get(want, 1)))) {
			snprintf(wrong, sizeof(wrong), "%s: %s gives %s", fen,
				 text, draughts_text(rs, &after));
			return wrong;
		}
	}
	return NULL;
}

static const char *check_results(const struct ruleset *rs, const char *fen,
				 const json_t *count)
{
	struct position pos = draughts_position(rs, fen);
	uint64_t found = game_perft(rs, &pos, 1, true);
	return !count || found == (uint64_t)json_integer_value(count)
		       ? NULL
		       : "another number of results";
}

static const char *english_row(const json_t *row, void *payload)
{
	const char *fen = vector_str(row, "fen");
	const char *failed =
		check_moves(payload, fen,
			    json_object_get(row, json_object_get(row, "moves")
							 ? "moves"
							 : "correct_moves"));
	return failed ? failed
		      : check_results(payload, fen,
				      json_object_get(row, "n_results"));
}

/* ---- the four Turkish option sets -------------------------------------- */

struct option_set {
	const char *key;
	struct ruleset rules;
};
enum { OPTION_SETS = 4 };

static void option_sets(struct option_set out[OPTION_SETS])
{
	out[0] = (struct option_set){ "A", draughts_set("turkish", "") };
	out[1] = (struct option_set){ "B",
				      draughts_set("turkish-reversing", "") };
	out[2] =
		(struct option_set){ "C", draughts_set("turkish-classic", "") };
	out[3] = (struct option_set){
		"D", draughts_set("turkish-classic-reversing", "")
	};
}

static const char *turkish_row(const json_t *row, void *payload)
{
	const struct option_set *set = payload;
	const char *fen = vector_str(row, "fen");
	const json_t *results = json_object_get(row, "n_results");
	for (size_t i = 0; i < OPTION_SETS; i++) {
		const json_t *moves = json_object_get(row, set[i].key);
		const char *same = json_string_value(moves); /* "=A" */
		if (same)
			moves = json_object_get(row, same + 1);
		const char *failed = check_moves(&set[i].rules, fen, moves);
		if (!failed)
			failed = check_results(&set[i].rules, fen,
					       json_object_get(results,
							       set[i].key));
		if (failed)
			return failed;
	}
	return NULL;
}

/* Some program offered these moves, which slide over pieces. */
static const char *slide_row(const json_t *row, void *payload)
{
	const char *fen = vector_str(row, "fen"), *text;
	struct position pos = draughts_position(payload, fen);
	struct move move;
	struct refusal why;
	size_t i;
	json_t *value;
	if (game_perft(payload, &pos, 1, false) !=
	    (uint64_t)vector_int(row, "n_legal"))
		return "another number of moves";
	json_array_foreach(json_object_get(row, "illegal_moves_offered_by_"
						"pydraughts_0_6_7"),
			   i, value)
	{
		text = json_string_value(value);
		if (game_check(payload, &pos, text, strlen(text), &move,
			       &why) != PLYD_EILLEGAL ||
		    why.reason != REASON_PATH_BLOCKED)
			return text;
	}
	return NULL;
}

/* ---- leaf counts ------------------------------------------------------- */

static const char *check_counts(const struct ruleset *rs, const char *fen,
				const json_t *counts, bool distinct)
{
	struct position pos = draughts_position(rs, fen);
	for (size_t i = 0; i < json_array_size(counts); i++) {
		uint64_t want =
			(uint64_t)json_integer_value(json_array_get(counts, i));
		if (want > LEAVES_MAX)
			break;
		uint64_t found = game_perft(rs, &pos, (int)i + 1, distinct);
		if (found == want)
			continue;
		snprintf(wrong, sizeof(wrong),
			 "%s: depth %zu: %llu leaves, want %llu", fen, i + 1,
			 (unsigned long long)found, (unsigned long long)want);
		return wrong;
	}
	return NULL;
}

static const char *perft_row(const json_t *row, const char *fen,
			     const struct ruleset *rs)
{
	const char *failed =
		check_counts(rs, fen, json_object_get(row, "paths"), false);
	return failed ? failed
		      : check_counts(rs, fen, json_object_get(row, "distinct"),
				     true);
}

static const char *english_perft_row(const json_t *row, void *payload)
{
	return perft_row(row, vector_str(row, "fen"), payload);
}

static const char *turkish_perft_row(const json_t *row, void *payload)
{
	const struct option_set *set = payload;
	for (size_t i = 0; i < OPTION_SETS; i++) {
		const char *failed =
			perft_row(json_object_get(row, set[i].key),
				  vector_str(row, "fen"), &set[i].rules);
		if (failed)
			return failed;
	}
	return NULL;
}

/* ---- tests ------------------------------------------------------------- */

static void english(void **state)
{
	(void)state;
	struct ruleset rs = draughts_set("english", "");
	size_t failed =
		vectors_run("golden/english_moves.jsonl", english_row, &rs);
	failed += vectors_run("golden/english_circular_king_capture.jsonl",
			      english_row, &rs);
	failed += vectors_run("golden/english_perft.jsonl", english_perft_row,
			      &rs);
	assert_int_equal(failed, 0);
}

static void turkish(void **state)
{
	(void)state;
	struct option_set sets[OPTION_SETS];
	option_sets(sets);
	size_t failed =
		vectors_run("golden/turkish_moves.jsonl", turkish_row, sets);
	failed += vectors_run("golden/turkish_rule_options_differ.jsonl",
			      turkish_row, sets);
	failed += vectors_run("golden/"
			      "turkish_king_cannot_slide_over_pieces.jsonl",
			      slide_row, &sets[0].rules);
	failed += vectors_run("golden/turkish_perft.jsonl", turkish_perft_row,
			      sets);
	assert_int_equal(failed, 0);
}

/* golden/draughts_variants.jsonl: published counts of games that are options
 * only. They count two landings of a king between two pieces of one line as
 * one path, we as two; distinct results do not depend on that. */
static const char *variant_row(const json_t *row, void *payload)
{
	(void)payload;
	struct ruleset rs = draughts_set(vector_str(row, "set"), "");
	struct position pos;
	game_start(&rs, &pos);
	return perft_row(row, draughts_text(&rs, &pos), &rs);
}

static void variants_are_options_only(void **state)
{
	(void)state;
	assert_int_equal(vectors_run("golden/draughts_variants.jsonl",
				     variant_row, NULL),
			 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(english),
		cmocka_unit_test(turkish),
		cmocka_unit_test(variants_are_options_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
