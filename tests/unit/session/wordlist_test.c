/* SPDX-License-Identifier: MIT
 * wordlist_test.c - what may be said, and what is masked. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

#include <plyd/err.h>
#include "proto/read.h"
#include "session/text.h"
#include "session/wordlist.h"

/* -- texts -- */

static const struct text_case {
	const char *name;
	const char *text;
	bool clean;
} texts[] = {
	{ "plain", "well played!", true },
	{ "other scripts", "\xd8\xb4\xd9\x83\xd8\xb1\xd8\xa7", true },
	{ "an emoji with a joiner",
	  "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb", true },
	{ "a mark of direction that turns nothing", "a\xe2\x80\x8e", true },
	{ "a letter with marks", "e\xcc\x81", true },
	{ "a tab", "a\tb", false },
	{ "a line end", "a\nb", false },
	{ "escape", "\x1b[2J", false },
	{ "delete", "a\x7f", false },
	{ "a control of Latin 1",
	  "a\xc2\x9b"
	  "2J",
	  false },
	{ "line separator",
	  "a\xe2\x80\xa8"
	  "b",
	  false },
	{ "paragraph separator",
	  "a\xe2\x80\xa9"
	  "b",
	  false },
	{ "left-to-right embedding, U+202A",
	  "\xe2\x80\xaa"
	  "a",
	  false },
	{ "right-to-left override, U+202E",
	  "a\xe2\x80\xae"
	  "b",
	  false },
	{ "before them, U+2029 is a separator, U+2027 is not", "\xe2\x80\xa7",
	  true },
	{ "after them, U+202F",
	  "a\xe2\x80\xaf"
	  "b",
	  true },
	{ "left-to-right isolate, U+2066",
	  "\xe2\x81\xa6"
	  "a",
	  false },
	{ "pop isolate, U+2069", "a\xe2\x81\xa9", false },
	{ "U+2065 is nothing yet", "a\xe2\x81\xa5", true },
	{ "U+206A", "a\xe2\x81\xaa", true },
	{ "empty", "", false },
	{ "a space", " ", false },
	{ "spaces of all kinds", " \xe2\x80\x83\xc2\xa0", false },
	{ "unseen only", "\xe2\x80\x8b\xe2\x80\x8d", false },
	{ "bad UTF-8", "a\xff", false },
	{ "cut UTF-8", "a\xe2\x80", false },
};

static void text_case_holds(void **state)
{
	const struct text_case *c = *state;
	assert_int_equal(text_is_clean(span_str(c->text)), c->clean);
}

/* -- words -- */

static const char list[] = "# not nice\n"
			   "  darn  # mild\n"
			   "\n"
			   "Heck\r\n"
			   "blast*\n"
			   "stra\xc3\x9f"
			   "e\n"
			   "go\n"
			   "go*\n"
			   "42";

static const struct mask_case {
	const char *name; /* the text */
	const char *want;
} masks[] = {
	{ "well played", "well played" },
	{ "darn", "****" },
	{ "DARN it, Darn!", "**** it, ****!" },
	{ "darning", "darning" },
	{ "undarn", "undarn" },
	{ "da rn", "da rn" },
	{ "heck", "****" },
	{ "blast blasted blastocyst", "***** ******* **********" },
	{ "sandblast", "sandblast" },
	{ "\xef\xbd\x84\xef\xbd\x81\xef\xbd\x92\xef\xbd\x8e", "****" },
	{ "STRASSE stra\xc3\x9f"
	  "e",
	  "******* ******" },
	{ "da\xe2\x80\x8brn", "*****" },
	{ "go gone", "** ****" },
	{ "42 420", "** 420" },
	{ "(darn)", "(****)" },
	{ "darn\xf0\x9f\x98\x80"
	  "darn",
	  "****\xf0\x9f\x98\x80****" },
	{ "e\xcc\x81t darn", "e\xcc\x81t ****" },
	{ "", "" },
	{ "blastxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
	  "xxx",
	  "********************************************************************"
	  "***" },
};

static void mask_case_holds(void **state)
{
	const struct mask_case *c = *state;
	struct wordlist *w;
	struct buf b;
	char why[WORDLIST_WHY_MAX], got[256];
	buf_init(&b, 1024);
	assert_int_equal(wordlist_read(&w, span_str(list), why), PLYD_OK);
	assert_int_equal(wordlist_count(w), 7);
	wordlist_mask(w, span_str(c->name), &b);
	assert_int_equal(b.err, PLYD_OK);
	assert_true(span_copy(buf_span(&b), got, sizeof(got)));
	assert_string_equal(got, c->want);
	buf_clear(&b);
	wordlist_mask(NULL, span_str(c->name), &b);
	assert_true(span_is(buf_span(&b), c->name));
	buf_release(&b);
	wordlist_free(w);
}

static const struct list_case {
	const char *name;
	const char *text;
	int err;
	const char *why;
} lists[] = {
	{ "empty", "", PLYD_OK, "" },
	{ "remarks only", "# a\n#b\n\n", PLYD_OK, "" },
	{ "two words", "a\ntwo words\n", PLYD_ECONFIG, "line 2" },
	{ "a star alone", "*\n", PLYD_ECONFIG, "line 1" },
	{ "a star inside", "a*b\n", PLYD_ECONFIG, "line 1" },
	{ "punctuation", "a\nb\nc-d\n", PLYD_ECONFIG, "line 3" },
	{ "bad UTF-8", "a\xff\n", PLYD_ECONFIG, "line 1" },
	{ "64 bytes",
	  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	  PLYD_OK, "" },
	{ "65 bytes",
	  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	  PLYD_ECONFIG, "line 1" },
};

static void list_case_holds(void **state)
{
	const struct list_case *c = *state;
	struct wordlist *w;
	char why[WORDLIST_WHY_MAX];
	assert_int_equal(wordlist_read(&w, span_str(c->text), why), c->err);
	assert_non_null(strstr(why, c->why));
	assert_int_equal(w != NULL, c->err == PLYD_OK);
	wordlist_free(w);
}

static void lists_are_bounded(void **state)
{
	struct wordlist *w;
	char why[WORDLIST_WHY_MAX];
	struct buf b;
	(void)state;
	buf_init(&b, 1 << 20);
	for (int i = 0; i < WORDLIST_MAX; i++)
		buf_printf(&b, "w%d\n", i);
	assert_int_equal(wordlist_read(&w, buf_span(&b), why), PLYD_OK);
	assert_int_equal(wordlist_count(w), WORDLIST_MAX);
	wordlist_free(w);
	buf_printf(&b, "more");
	assert_int_equal(wordlist_read(&w, buf_span(&b), why), PLYD_ETOOLARGE);
	while (b.len <= WORDLIST_BYTES_MAX)
		buf_printf(&b, "#\n");
	assert_int_equal(wordlist_read(&w, buf_span(&b), why), PLYD_ETOOLARGE);
	assert_null(w);
	buf_release(&b);
}

/* Masking changes no number of characters, and masks nothing twice. */
static void masking_keeps_the_length(void **state)
{
	struct wordlist *w;
	char why[WORDLIST_WHY_MAX];
	struct buf once, twice;
	(void)state;
	buf_init(&once, 4096);
	buf_init(&twice, 4096);
	assert_int_equal(wordlist_read(&w, span_str(list), why), PLYD_OK);
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct span text = span_str(texts[i].text);
		if (!utf8_valid(text))
			continue;
		buf_clear(&once);
		buf_clear(&twice);
		wordlist_mask(w, text, &once);
		wordlist_mask(w, buf_span(&once), &twice);
		assert_int_equal(utf8_count(buf_span(&once)), utf8_count(text));
		assert_true(span_eq(buf_span(&once), buf_span(&twice)));
	}
	wordlist_free(w);
	buf_release(&once);
	buf_release(&twice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_bounded),
		cmocka_unit_test(masking_keeps_the_length),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	failed += RUN_TABLE("texts", texts, text_case_holds);
	failed += RUN_TABLE("masks", masks, mask_case_holds);
	return failed + RUN_TABLE("lists", lists, list_case_holds);
}
