/* SPDX-License-Identifier: MIT
 * A version is a text with the libraries that it names, and no others. */
#include "server/version.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"

static struct version *library[3];

static struct version *made(int kind, const char *name, const char *text,
			    size_t libraries)
{
	struct version *v = version_new(kind, name, (uint8_t *)strdup(text),
					strlen(text), library, libraries);
	assert_non_null(v);
	return v;
}

static void libraries(const char *a, const char *b, const char *c)
{
	library[0] = made(WORKER_LIBRARY, "a", a, 0);
	library[1] = made(WORKER_LIBRARY, "b-2", b, 0);
	library[2] = made(WORKER_LIBRARY, "c", c, 0);
}

static void drop_libraries(void)
{
	for (size_t i = 0; i < 3; i++)
		version_drop(library[i]);
}

static const struct named {
	const char *name, *text, *uses;
} named[] = {
	{ "none", "return {}", "" },
	{ "in either quotes", "use \"a\" use 'c'", "a c " },
	{ "in long quotes", "use [[b-2]]", "b-2 " },
	{ "what it uses uses", "use 'b-2'", "b-2 " },
	{ "as a part of a word is not", "use 'ab' a b-2 'xa'", "" },
	{ "at the very end", "use'c'", "c " },
	{ "without its end is not", "use'c", "" },
	{ "twice", "use 'a' use 'a'", "a " },
};

static void uses_what_it_names(void **state)
{
	const struct named *row = *state;
	char found[64] = "";
	libraries("return {}", "return {}", "return {}");
	struct version *v = made(WORKER_POLICY, "p", row->text, 3);
	for (size_t i = 0; i < v->use_count; i++) {
		strcat(found, v->use[i]->name);
		strcat(found, " ");
	}
	assert_string_equal(found, row->uses);
	version_drop(v);
	drop_libraries();
}

static void hash_of(const char *a, const char *b, const char *text,
		    char out[VERSION_BYTES_MAX + 1])
{
	libraries(a, b, "return 3");
	struct version *v = made(WORKER_PERSONALITY, "p", text, 3);
	strcpy(out, v->hash);
	version_drop(v);
	drop_libraries();
}

static void the_hash_is_of_all_of_it(void **state)
{
	static const char *const one = "use 'a'", *const chain = "use 'b-2'";
	char first[VERSION_BYTES_MAX + 1], second[VERSION_BYTES_MAX + 1];
	(void)state;
	hash_of("return 1", chain, one, first);
	hash_of("return 1", "other", one, second);
	assert_string_equal(first, second); /* it does not use b-2 */
	hash_of("return 2", chain, one, second);
	assert_string_not_equal(first, second);
	hash_of("return 1", one, chain, first);
	hash_of("return 2", one, chain, second);
	assert_string_not_equal(first, second); /* by way of b-2 */
	hash_of("return 1", one, "use 'b-2' ", second);
	assert_string_not_equal(first, second);
	assert_int_equal(strlen(first), VERSION_BYTES_MAX);
}

static void libraries_may_use_one_another(void **state)
{
	(void)state;
	libraries("use 'b-2'", "use 'a'", "");
	struct version *v = made(WORKER_POLICY, "p", "use 'a'", 3);
	assert_int_equal(v->use_count, 2);
	version_drop(v);
	drop_libraries();
}

static void a_set_keeps_what_is_needed(void **state)
{
	struct versions set = { NULL };
	(void)state;
	struct version *one =
		versions_keep(&set, made(WORKER_POLICY, "p", "1", 0));
	struct version *two =
		versions_keep(&set, made(WORKER_POLICY, "p", "2", 0));
	struct version *again =
		versions_keep(&set, made(WORKER_POLICY, "p", "1", 0));
	struct version *other =
		versions_keep(&set, made(WORKER_PERSONALITY, "p", "1", 0));
	assert_ptr_equal(one, again);
	assert_ptr_not_equal(one, other);
	char first[VERSION_BYTES_MAX + 1], second[VERSION_BYTES_MAX + 1];
	strcpy(first, one->hash);
	strcpy(second, two->hash);
	version_drop(again);
	version_drop(one);
	version_drop(two);
	version_drop(other);
	two->needed = true;
	versions_sweep(&set);
	assert_null(versions_find(&set, WORKER_POLICY, "p", first));
	assert_ptr_equal(versions_find(&set, WORKER_POLICY, "p", second), two);
	version_hold(two);
	versions_sweep(&set); /* needed no more; only we hold it */
	assert_null(versions_find(&set, WORKER_POLICY, "p", second));
	assert_string_equal(two->hash, second);
	version_drop(two);
	versions_release(&set);
}

static void a_name_leaves_room_for_the_hash(void **state)
{
	char name[WORKER_NAME_MAX + 1];
	(void)state;
	memset(name, 'n', sizeof(name));
	name[WORKER_NAME_MAX] = '\0';
	struct version *v = made(WORKER_POLICY, "p", "1", 0);
	assert_false(version_set_name(v, name));
	name[VERSION_NAME_MAX] = '\0';
	assert_true(version_set_name(v, name));
	assert_int_equal(strlen(v->whole), WORKER_NAME_MAX);
	assert_string_equal(v->whole + VERSION_NAME_MAX + 1, v->hash);
	version_drop(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hash_is_of_all_of_it),
		cmocka_unit_test(libraries_may_use_one_another),
		cmocka_unit_test(a_set_keeps_what_is_needed),
		cmocka_unit_test(a_name_leaves_room_for_the_hash),
	};
	if (crypto_ready())
		return 1;
	table_ready();
	int failed = cmocka_run_group_tests_name("version", tests, NULL, NULL);
	return failed + RUN_TABLE("version uses", named, uses_what_it_names);
}
