/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <plyd/rules.h>

#define PLAIN                                                                  \
	" start=standard match_length=0 cube=false crawford=false "            \
	"jacoby=false"
#define SHORT                                                                  \
	" backgammon first=roll person=white draw_by_agreement=false "         \
	"hit_and_hide=true hit_and_bear_off=always"

/* The rulesets that ship, in full: what a later change of an option's list
 * must not shift. */
static const struct shipped {
	const char *name;
	const char *text;
	const char *newer; /* options that older texts lack */
	int first;
	enum side person;
	bool draw;
	bool dice;
} shipped[] = {
	{ "backgammon",
	  "backgammon backgammon first=white person=white "
	  "draw_by_agreement=true hit_and_hide=true hit_and_bear_off=always",
	  PLAIN, WHITE, WHITE, true, true },
	{ "short-backgammon",
	  "short-backgammon backgammon first=roll person=white "
	  "draw_by_agreement=false hit_and_hide=true hit_and_bear_off=always",
	  PLAIN, -1, WHITE, false, true },
	{ "caucasian",
	  "caucasian backgammon first=roll person=white "
	  "draw_by_agreement=false hit_and_hide=false "
	  "hit_and_bear_off=if_forced",
	  PLAIN, -1, WHITE, false, true },
	{ "english",
	  "english draughts squares=dark first=black person=black "
	  "notation=numeric start=rows_1_3 man_step=diagonal_forward "
	  "man_capture=forward king=short removal=at_once majority=none "
	  "promotion=stops men_capture_kings=true turn_back=true",
	  "", BLACK, BLACK, true, false },
	{ "turkish",
	  "turkish draughts squares=all first=white person=white "
	  "notation=algebraic start=rows_2_3 man_step=forward_sideways "
	  "man_capture=forward_sideways king=flying removal=at_once "
	  "majority=number promotion=continues men_capture_kings=true "
	  "turn_back=false",
	  "", WHITE, WHITE, true, false },
	{ "turkish-classic",
	  "turkish-classic draughts squares=all first=white person=white "
	  "notation=algebraic start=rows_2_3 man_step=forward_sideways "
	  "man_capture=forward_sideways king=flying removal=at_once "
	  "majority=number promotion=at_end men_capture_kings=true "
	  "turn_back=false",
	  "", WHITE, WHITE, true, false },
	{ "nackgammon", "nackgammon" SHORT,
	  " start=nack match_length=0 cube=false crawford=false jacoby=false",
	  -1, WHITE, false, true },
	{ "hypergammon", "hypergammon" SHORT,
	  " start=hyper match_length=0 cube=false crawford=false jacoby=false",
	  -1, WHITE, false, true },
	{ "backgammon-match", "backgammon-match" SHORT,
	  " start=standard match_length=7 cube=true crawford=true jacoby=false",
	  -1, WHITE, false, true },
};
enum { OLD = 6 }; /* these are in records without the newer options */

static void the_ruleset_is_this(void **state)
{
	const struct shipped *row = *state;
	struct ruleset rs, again;
	char text[RULESET_TEXT_MAX], want[RULESET_TEXT_MAX];
	const char *why = NULL;
	snprintf(want, sizeof(want), "%s%s", row->text, row->newer);
	assert_int_equal(ruleset_find(row->name, strlen(row->name), &rs), 0);
	size_t len = ruleset_write(&rs, text);
	assert_string_equal(text, want);
	assert_int_equal(len, strlen(text));
	assert_int_equal(ruleset_read(text, len, &again), PLYD_OK);
	assert_memory_equal(&again, &rs, sizeof(rs));
	assert_int_equal(ruleset_check(&rs, &why), PLYD_OK);
	assert_int_equal(ruleset_first(&rs), row->first);
	assert_int_equal(ruleset_person(&rs), row->person);
	assert_int_equal(ruleset_draw_by_agreement(&rs), row->draw);
	assert_int_equal(ruleset_has_dice(&rs), row->dice);
}

/* What a record from before the newer options says of its rules. */
static void an_old_text_is_the_same_ruleset(void **state)
{
	(void)state;
	for (size_t i = 0; i < OLD; i++) {
		struct ruleset want = *ruleset_at(i), old;
		const char *text = shipped[i].text;
		assert_int_equal(ruleset_read(text, strlen(text), &old), 0);
		assert_memory_equal(&old, &want, sizeof(want));
	}
}

static void the_list_is_in_this_order(void **state)
{
	(void)state;
	assert_int_equal(ruleset_count(), COUNT(shipped));
	for (size_t i = 0; i < COUNT(shipped); i++)
		assert_string_equal(ruleset_at(i)->name, shipped[i].name);
}

static void only_whole_names_are_found(void **state)
{
	(void)state;
	struct ruleset rs;
	assert_int_equal(ruleset_find("turk", 4, &rs), PLYD_ERULESET);
	assert_int_equal(ruleset_find("turkish-", 8, &rs), PLYD_ERULESET);
	assert_int_equal(ruleset_find("turkish-", 7, &rs), PLYD_OK);
	assert_int_equal(ruleset_find("", 0, &rs), PLYD_ERULESET);
	assert_int_equal(ruleset_find("English", 7, &rs), PLYD_ERULESET);
}

static int set(struct ruleset *rs, const char *option, const char *value)
{
	return ruleset_set(rs, option, strlen(option), value, strlen(value));
}

static void options_are_set_by_name(void **state)
{
	(void)state;
	struct ruleset rs = *ruleset_at(4), before = rs, classic;
	assert_int_equal(set(&rs, "promotion", "at"), PLYD_EOPTION);
	assert_int_equal(set(&rs, "promotion", ""), PLYD_EOPTION);
	assert_int_equal(set(&rs, "promotion", "stops|at_end"), PLYD_EOPTION);
	assert_int_equal(set(&rs, "promotions", "at_end"), PLYD_EOPTION);
	assert_int_equal(set(&rs, "hit_and_hide", "true"), PLYD_EOPTION);
	assert_memory_equal(&rs, &before, sizeof(rs));
	assert_int_equal(set(&rs, "promotion", "at_end"), PLYD_OK);
	classic = *ruleset_at(5);
	assert_memory_equal(&rs.draughts, &classic.draughts,
			    sizeof(rs.draughts));
}

static void numbers_are_set_by_text(void **state)
{
	(void)state;
	struct ruleset rs = *ruleset_at(1);
	static const char *const bad[] = { "",      "65",        "-1",  "07",
					   "007",   "0..",       "7 ",  "+7",
					   "0x7",   "seven",     "999", "1e1",
					   "0..64", "4294967296" };
	for (size_t i = 0; i < COUNT(bad); i++) {
		assert_int_equal(set(&rs, "match_length", bad[i]),
				 PLYD_EOPTION);
		assert_int_equal(rs.backgammon.match_length, 0);
	}
	assert_int_equal(set(&rs, "match_length", "64"), PLYD_OK);
	assert_int_equal(rs.backgammon.match_length, 64);
	assert_int_equal(set(&rs, "match_length", "0"), PLYD_OK);
	assert_int_equal(rs.backgammon.match_length, 0);
}

static const struct clash {
	const char *name, *base;
	const char *set[4]; /* option, value, option, value */
	const char *why;    /* NULL: they agree */
} clashes[] = {
	{ "if_forced without a ban",
	  "backgammon",
	  { "hit_and_bear_off", "if_forced" },
	  "hit_and_bear_off = if_forced needs hit_and_hide = false." },
	{ "Crawford without a match",
	  "backgammon",
	  { "crawford", "true", "cube", "true" },
	  "crawford = true needs a match_length and cube = true." },
	{ "Crawford without a cube",
	  "short-backgammon",
	  { "crawford", "true", "match_length", "5" },
	  "crawford = true needs a match_length and cube = true." },
	{ "Jacoby without a cube",
	  "nackgammon",
	  { "jacoby", "true" },
	  "jacoby = true needs cube = true." },
	{ "Jacoby in a match",
	  "backgammon-match",
	  { "jacoby", "true" },
	  "jacoby = true is for games that stand alone, so match_length must "
	  "be 0." },
	{ "draws in a match",
	  "backgammon-match",
	  { "draw_by_agreement", "true" },
	  "Each game of a match has a winner, so draw_by_agreement must be "
	  "false." },
	{ "a match without a cube",
	  "backgammon-match",
	  { "cube", "false", "crawford", "false" },
	  NULL },
	{ "a match without the Crawford game",
	  "backgammon-match",
	  { "crawford", "false" },
	  NULL },
	{ "Jacoby with a cube",
	  "hypergammon",
	  { "jacoby", "true", "cube", "true" },
	  NULL },
	{ "draws with a cube", "backgammon", { "cube", "true" }, NULL },
};

static void the_clash_is_told(void **state)
{
	const struct clash *row = *state;
	struct ruleset rs;
	const char *why = NULL;
	assert_int_equal(ruleset_find(row->base, strlen(row->base), &rs), 0);
	for (size_t i = 0; i < COUNT(row->set) && row->set[i]; i += 2)
		assert_int_equal(set(&rs, row->set[i], row->set[i + 1]), 0);
	assert_int_equal(ruleset_check(&rs, &why),
			 row->why ? PLYD_EOPTION : PLYD_OK);
	if (row->why)
		assert_string_equal(why, row->why);
}

#define BG "mine backgammon first=roll person=black draw_by_agreement=true "

static const struct bad_text {
	const char *name;
	const char *text;
} bad_texts[] = {
	{ "empty", "" },
	{ "a name only", "mine" },
	{ "no such family", "mine chess first=white" },
	{ "an option is there twice",
	  BG "hit_and_hide=true hit_and_hide=true" },
	{ "an unknown option",
	  BG "hit_and_hide=true hit_and_bear_off=always cubes=true" },
	{ "a number too great", BG "match_length=65" },
	{ "a number that is none", BG "match_length=true" },
	{ "an option of the other family",
	  BG "hit_and_hide=true hit_and_bear_off=always king=flying" },
	{ "an unknown value", BG "hit_and_hide=no hit_and_bear_off=always" },
	{ "a value is missing", BG "hit_and_hide= hit_and_bear_off=always" },
	{ "no sign of equality", BG "hit_and_hide hit_and_bear_off=always" },
	{ "two blanks", BG " hit_and_hide=true hit_and_bear_off=always" },
	{ "a blank at the end", BG "hit_and_hide=true hit_and_bear_off=always "
				   "" },
	{ "a name in capitals",
	  "Mine backgammon first=roll person=black draw_by_agreement=true "
	  "hit_and_hide=true hit_and_bear_off=always" },
	{ "a name too long",
	  "a123456789012345678901234 backgammon first=roll person=black "
	  "draw_by_agreement=true hit_and_hide=true hit_and_bear_off=always" },
};

static void the_text_is_refused(void **state)
{
	const struct bad_text *row = *state;
	struct ruleset rs, before;
	memset(&rs, 7, sizeof(rs));
	before = rs;
	assert_int_equal(ruleset_read(row->text, strlen(row->text), &rs),
			 PLYD_EOPTION);
	assert_memory_equal(&rs, &before, sizeof(rs));
}

/* What was written before an option existed has that option's first value. */
static void a_missing_option_has_its_first_value(void **state)
{
	(void)state;
	static const char old[] = BG "hit_and_bear_off=if_forced";
	static const char now[] = BG "hit_and_bear_off=if_forced "
				     "hit_and_hide=true";
	static const char bare[] = "mine draughts";
	struct ruleset a, b;
	assert_int_equal(ruleset_read(old, strlen(old), &a), PLYD_OK);
	assert_int_equal(ruleset_read(now, strlen(now), &b), PLYD_OK);
	assert_memory_equal(&a, &b, sizeof(a));
	assert_int_equal(ruleset_read(bare, strlen(bare), &a), PLYD_OK);
	memset(&b.draughts, 0, sizeof(b.draughts));
	assert_memory_equal(&a.draughts, &b.draughts, sizeof(a.draughts));
}

static void reasons_have_names_of_their_own(void **state)
{
	(void)state;
	assert_string_equal(reason_name(REASON_NONE), "none");
	assert_string_equal(reason_name(REASON_TURNED_BACK), "turned_back");
	assert_string_equal(reason_name(REASON_LARGER_DIE), "larger_die");
	assert_string_equal(reason_name(REASON_COUNT), "none");
	for (int i = 0; i < REASON_COUNT; i++) {
		assert_true(strlen(reason_text((enum reason)i)) > 5);
		for (int j = 0; j < i; j++)
			assert_string_not_equal(reason_name((enum reason)i),
						reason_name((enum reason)j));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_is_in_this_order),
		cmocka_unit_test(an_old_text_is_the_same_ruleset),
		cmocka_unit_test(only_whole_names_are_found),
		cmocka_unit_test(options_are_set_by_name),
		cmocka_unit_test(numbers_are_set_by_text),
		cmocka_unit_test(a_missing_option_has_its_first_value),
		cmocka_unit_test(reasons_have_names_of_their_own),
	};
	return RUN_TABLE("shipped", shipped, the_ruleset_is_this) +
	       RUN_TABLE("clashes", clashes, the_clash_is_told) +
	       RUN_TABLE("bad texts", bad_texts, the_text_is_refused) +
	       cmocka_run_group_tests(tests, NULL, NULL);
}
