/* SPDX-License-Identifier: MIT
 * Display names and logins: what they may look like, and which are one. */
#include "domain/name.h"
#include "unit.h"

#include <string.h>

struct name_case {
	const char *name;
	const char *bytes;
	size_t len;
	const char *want; /* NULL: refused */
};

/* LB-32, LB-34: the length counts, not a NUL. */
static struct name_case name_cases[] = {
	{ "plain", "Ann Lee", 7, "Ann Lee" },
	{ "digits and signs", "a-1_b", 5, "a-1_b" },
	{ "letters of the Latin blocks", "\xc4\xb0smet", 6, "\xc4\xb0smet" },
	{ "written in two characters, kept in one", "e\xcc\x81ve", 5,
	  "\xc3\xa9ve" },
	{ "twenty characters", "abcdefghijklmnopqrst", 20,
	  "abcdefghijklmnopqrst" },
	{ "twenty-one", "abcdefghijklmnopqrstu", 21, NULL },
	{ "one", "a", 1, NULL },
	{ "none", "", 0, NULL },
	{ "three zero-width spaces", "\xe2\x80\x8b\xe2\x80\x8b\xe2\x80\x8b", 9,
	  NULL },
	{ "a no-break space", "\xc2\xa0", 2, NULL },
	{ "a zero-width space at the end", "bob\xe2\x80\x8b", 6, NULL },
	{ "right-to-left override", "bob\xe2\x80\xae", 6, NULL },
	{ "a NUL in it", "bob\0x", 5, NULL },
	{ "a NUL behind admin", "admin\0xyz", 9, NULL },
	{ "a line feed", "bob\n", 4, NULL },
	{ "a space at the start", " bob", 4, NULL },
	{ "a space at the end", "bob ", 4, NULL },
	{ "two spaces", "a  b", 4, NULL },
	{ "Cyrillic", "\xd0\xb0nn", 4, NULL },
	{ "full width", "\xef\xbc\xa1\xef\xbc\xa2", 6, NULL },
	{ "not UTF-8", "\xff\xfe", 2, NULL },
	{ "a lone surrogate", "a\xed\xa0\x80", 4, NULL },
};

static void name_case_holds(void **state)
{
	const struct name_case *c = *state;
	char out[NAME_BYTES_MAX + 1] = "";
	assert_int_equal(name_clean(span_of(c->bytes, c->len), out),
			 c->want != NULL);
	if (c->want)
		assert_string_equal(out, c->want);
}

static void three_hundred_bytes_are_no_name(void **state)
{
	char out[NAME_BYTES_MAX + 1], many[300];
	(void)state;
	memset(many, 'a', sizeof(many));
	assert_false(name_clean(span_of(many, sizeof(many)), out));
}

static bool same(const char *a, const char *b)
{
	char one[NAME_KEY_MAX], two[NAME_KEY_MAX];
	assert_true(name_key(a, one) && name_key(b, two));
	return !strcmp(one, two);
}

static void names_are_one_by_their_keys(void **state)
{
	(void)state;
	assert_true(same("Ann", "aNN"));
	assert_true(same("Stra\xc3\x9f"
			 "e",
			 "STRASSE"));
	assert_true(same("\xc7\x84o", "D\xc5\xbdo")); /* one sign, or two */
	assert_false(same("Ann", "An n"));
	assert_false(same("Ann", "\xc3\x81nn"));
}

static void the_longest_key_has_room(void **state)
{
	char name[NAME_BYTES_MAX + 1] = "", key[NAME_KEY_MAX];
	(void)state;
	/* U+0149 folds to two characters of three bytes in all */
	for (int i = 0; i < NAME_CHARS_MOST; i++)
		strcat(name, "\xc5\x89");
	assert_true(name_key(name, key));
	assert_int_equal(strlen(key), 3 * NAME_CHARS_MOST);
}

static void nobody_is_called_like_the_operator(void **state)
{
	char key[NAME_KEY_MAX];
	(void)state;
	static const char *const names[] = { "Admin", "OPERATOR", "server",
					     "Plyd", DELETED_NAME };
	for (size_t i = 0; i < COUNT(names); i++) {
		assert_true(name_key(names[i], key));
		assert_true(name_is_reserved(key));
	}
	assert_false(name_is_reserved("adminton"));
}

static void logins_are_plain(void **state)
{
	(void)state;
	assert_true(login_is_good(span_str("ann-lee_2")));
	assert_true(login_is_good(span_str("abcdefghijklmnopqrst")));
	static const char *const wrong[] = {
		"",        "a",         "Ann",   "ann lee",
		"ann.lee", "\xc3\xa4z", "ann\n", "abcdefghijklmnopqrstu",
	};
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_false(login_is_good(span_str(wrong[i])));
	assert_false(login_is_good(span_of("ann\0x", 5)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_hundred_bytes_are_no_name),
		cmocka_unit_test(names_are_one_by_their_keys),
		cmocka_unit_test(the_longest_key_has_room),
		cmocka_unit_test(nobody_is_called_like_the_operator),
		cmocka_unit_test(logins_are_plain),
	};
	return RUN_TABLE("name", name_cases, name_case_holds) +
	       cmocka_run_group_tests_name("name", tests, NULL, NULL);
}
