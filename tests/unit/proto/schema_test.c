/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>

#include "proto/methods.h"
#include "proto/schema.h"
#include "proto/write.h"

/* Cuts a type down to what is in its arrays. */
static struct span core(const char *type)
{
	struct span t = span_str(type);
	if (t.len > 0 && t.at[t.len - 1] == '?')
		t.len--;
	while (t.len > 2 && t.at[0] == '[' && t.at[t.len - 1] == ']')
		t = span_of(t.at + 1, t.len - 2);
	return t;
}

static bool is_known(struct span t)
{
	static const char *const scalars[] = { "str", "int", "bool", "id",
					       "hex", "map", "any" };
	for (size_t i = 0; i < COUNT(scalars); i++)
		if (span_is(t, scalars[i]))
			return true;
	return object_find((const char *)t.at, t.len) ||
	       (t.len > 0 && memchr(t.at, '|', t.len));
}

static void every_type_means_something(void **state)
{
	(void)state;
	for (enum object o = 0; o < OBJECT_COUNT; o++) {
		const struct object_info *info = object_info(o);
		assert_ptr_equal(object_find(info->name, strlen(info->name)),
				 info);
		for (size_t i = 0; i < info->fields; i++) {
			assert_true(is_known(core(info->field[i].type)));
			assert_true(info->field[i].doc[0] != '\0');
		}
	}
	assert_null(object_find("lob", 3));
}

/* ---- one seat with one fault ------------------------------------------- */

struct seat_row {
	const char *name;
	const char *player, *kind, *extra; /* NULL: left out */
	bool online_is_bool;
	const char *why; /* "": nothing is wrong */
};

static struct seat_row seat_rows[] = {
	{ "a seat", "abcdefghij", "bot", NULL, true, "" },
	{ "no kind", "abcdefghij", NULL, NULL, true,
	  "seat.kind: missing, person|bot|personality" },
	{ "unknown kind", "abcdefghij", "dog", NULL, true,
	  "seat.kind: not person|bot|personality" },
	{ "part of a kind", "abcdefghij", "person|bot", NULL, true,
	  "seat.kind: not person|bot|personality" },
	{ "no id", "abcdefghi1", "bot", NULL, true, "seat.player: not id" },
	{ "no bool", "abcdefghij", "bot", NULL, false,
	  "seat.online: not bool" },
	{ "one key too many", "abcdefghij", "bot", "colour", true,
	  "seat: undeclared key colour" },
};

static void put_entry(struct buf *b, const char *key, const char *value)
{
	if (!value)
		return;
	put_cstr(b, key);
	put_cstr(b, value);
}

static void seat_row_holds(void **state)
{
	const struct seat_row *row = *state;
	struct doc *d = doc_new();
	struct buf b;
	const struct value *root;
	char why[SCHEMA_WHY_MAX];
	buf_init(&b, 1000);
	put_map(&b, 2 + !!row->player + !!row->kind + !!row->extra);
	put_entry(&b, "name", "Ada");
	put_entry(&b, "player", row->player);
	put_entry(&b, "kind", row->kind);
	put_cstr(&b, "online");
	if (row->online_is_bool)
		put_bool(&b, true);
	else
		put_int(&b, 1);
	if (row->extra)
		put_entry(&b, row->extra, "red");
	assert_int_equal(doc_parse(d, buf_span(&b), &doc_answer, &root), 0);
	assert_int_equal(schema_check(root, OBJECT_SEAT, why), !row->why[0]);
	assert_string_equal(why, row->why);
	buf_release(&b);
	doc_free(d);
}

static void arrays_and_optional_fields_are_looked_into(void **state)
{
	(void)state;
	struct doc *d = doc_new();
	struct buf b;
	const struct value *root;
	char why[SCHEMA_WHY_MAX];
	buf_init(&b, 1000);
	for (int fault = 0; fault < 4; fault++) {
		buf_clear(&b);
		put_map(&b, 3);
		put_cstr(&b, "legal");
		put_bool(&b, false);
		put_cstr(&b, "reason");
		put_nil(&b);
		put_cstr(&b, "legal_moves");
		if (fault == 1) {
			put_cstr(&b, "1-5");
		} else {
			put_array(&b, 2);
			put_cstr(&b, "1-5");
			if (fault == 2)
				put_int(&b, 5);
			else if (fault == 3)
				put_nil(&b);
			else
				put_cstr(&b, "1-6");
		}
		assert_int_equal(doc_parse(d, buf_span(&b), &doc_answer, &root),
				 0);
		assert_int_equal(schema_check(root, OBJECT_RULES_CHECK, why),
				 fault == 0);
	}
	buf_release(&b);
	doc_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_means_something),
		cmocka_unit_test(arrays_and_optional_fields_are_looked_into),
	};
	return RUN_TABLE("seats", seat_rows, seat_row_holds) +
	       cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
