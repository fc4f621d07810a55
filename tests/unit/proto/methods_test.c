/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <plyd/err.h>
#include "bytes.h"
#include "proto/methods.h"
#include "proto/write.h"

struct fixture {
	struct doc *doc;
	struct buf b;
	struct request req;
	struct decode_error where;
};

static int set_up(void **state)
{
	static struct fixture f;
	f.doc = doc_new();
	buf_init(&f.b, MESSAGE_BYTES_MAX);
	*state = &f;
	return f.doc ? 0 : -1;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	doc_free(f->doc);
	buf_release(&f->b);
	return 0;
}

/* Parses and decodes what was written to f->b. */
static int decode(struct fixture *f)
{
	const struct value *root;
	assert_int_equal(f->b.err, PLYD_OK);
	int err = doc_parse(f->doc, buf_span(&f->b), &doc_request, &root);
	assert_int_equal(err, PLYD_OK);
	return request_decode(root, &f->req, &f->where);
}

/* ---- every method, from the table -------------------------------------- */

/* Writes a value that f accepts; the greater one of two. */
static void put_good(struct buf *b, const struct field *f, bool greatest)
{
	char text[1024];
	int64_t n = greatest ? f->max : f->min;
	switch (f->kind) {
	case FIELD_STR:
		memset(text, 'a', sizeof(text));
		put_str(b, span_of(text, (size_t)n));
		break;
	case FIELD_ID:
		put_cstr(b, greatest ? "zzzzzzz777" : "abcdefghij");
		break;
	case FIELD_INT:
	case FIELD_VERSION: put_int(b, n); break;
	case FIELD_FLAG: put_bool(b, greatest); break;
	case FIELD_HEX:
		memset(text, 0xf0, sizeof(text));
		put_hex(b, span_of(text, (size_t)n));
		break;
	case FIELD_CHOICE: put_cstr(b, f->choice[greatest]); break;
	}
}

/* What may be wrong with one field, and the error that is due. */
enum fault {
	FAULT_NONE,
	FAULT_MISSING,
	FAULT_NIL,
	FAULT_TYPE,
	FAULT_LESS,
	FAULT_MORE,
	FAULT_VALUE,
	FAULTS
};

static int error_due(const struct field *f, enum fault fault)
{
	bool number = f->kind == FIELD_INT || f->kind == FIELD_VERSION;
	bool sized = f->kind == FIELD_STR || f->kind == FIELD_HEX;
	int range = f->kind == FIELD_VERSION ? PLYD_EPROTOCOL : PLYD_ERANGE;
	switch (fault) {
	case FAULT_MISSING: return f->required ? PLYD_EMISSING : PLYD_OK;
	case FAULT_NIL:
	case FAULT_TYPE: return PLYD_EBADTYPE;
	case FAULT_LESS: return number || (sized && f->min > 0) ? range : 0;
	case FAULT_MORE: return number || sized ? range : 0;
	case FAULT_VALUE:
		return number || f->kind == FIELD_FLAG ? 0 : PLYD_EVALUE;
	default: return PLYD_OK;
	}
}

/* A text of the right length with a character that is never allowed. */
static void put_bad_value(struct buf *b, const struct field *f)
{
	char text[1024] = "";
	size_t len = f->kind == FIELD_HEX   ? 2 * (size_t)f->max
		     : f->kind == FIELD_STR ? (size_t)f->max
					    : ID_CHARS;
	memset(text, 'a', len);
	text[len - 1] = f->kind == FIELD_STR ? '\0' : 'A';
	put_str(b, span_of(text, len));
}

static void put_faulty(struct buf *b, const struct field *f, enum fault fault)
{
	struct field bad = *f;
	switch (fault) {
	case FAULT_NIL: put_nil(b); return;
	case FAULT_TYPE:
		if (f->kind == FIELD_FLAG)
			put_int(b, 1);
		else
			put_bool(b, true);
		return;
	case FAULT_LESS:
		bad.min--;
		put_good(b, &bad, false);
		return;
	case FAULT_MORE:
		if (f->kind == FIELD_INT && f->max == INT64_MAX) {
			put_uint(b, (uint64_t)INT64_MAX + 1);
			return;
		}
		bad.max++;
		put_good(b, &bad, true);
		return;
	case FAULT_VALUE: put_bad_value(b, f); return;
	default: put_good(b, f, true);
	}
}

/* Writes a request for m with all fields, in the order of the table or the
 * other way round, field `bad` with that fault. */
static void put_request(struct buf *b, const struct method_info *m, size_t bad,
			enum fault fault, bool reverse)
{
	size_t count;
	const struct field *field = method_fields(m->method, &count);
	bool missing = bad < count && fault == FAULT_MISSING;
	buf_clear(b);
	rpc_begin_request(b, 77, m->name);
	put_map(b, (uint32_t)(count - missing));
	for (size_t j = 0; j < count; j++) {
		size_t i = reverse ? count - 1 - j : j;
		if (missing && i == bad)
			continue;
		put_cstr(b, field[i].name);
		put_faulty(b, &field[i], i == bad ? fault : FAULT_NONE);
	}
}

static void each_fault_in_each_field_has_its_error(void **state)
{
	struct fixture *f = *state;
	size_t tried = 0;
	for (size_t k = 0; k < method_count(); k++) {
		const struct method_info *m = method_at(k);
		size_t count;
		const struct field *field = method_fields(m->method, &count);
		for (size_t i = 0; i < count; i++) {
			for (enum fault fault = 0; fault < FAULTS; fault++) {
				int due = error_due(&field[i], fault);
				if (!due && fault > FAULT_MISSING)
					continue; /* no such fault */
				put_request(&f->b, m, i, fault, tried++ % 2);
				assert_int_equal(decode(f), due);
				assert_true(f->where.has_msgid);
				assert_int_equal(f->where.msgid, 77);
				assert_string_equal(f->where.key,
						    due ? field[i].name : "");
			}
		}
	}
	assert_true(tried > 100);
}

static void each_method_refuses_a_key_that_it_does_not_have(void **state)
{
	struct fixture *f = *state;
	for (size_t k = 0; k < method_count(); k++) {
		const struct method_info *m = method_at(k);
		size_t count;
		const struct field *field = method_fields(m->method, &count);
		buf_clear(&f->b);
		rpc_begin_request(&f->b, 5, m->name);
		put_map(&f->b, (uint32_t)count + 1);
		put_cstr(&f->b, "nosuch");
		put_nil(&f->b);
		for (size_t i = 0; i < count; i++) {
			put_cstr(&f->b, field[i].name);
			put_good(&f->b, &field[i], false);
		}
		assert_int_equal(decode(f), PLYD_EUNKNOWNKEY);
		assert_string_equal(f->where.key, "nosuch");
		assert_null(f->where.field);
	}
}

static void the_table_is_consistent(void **state)
{
	(void)state;
	for (size_t k = 0; k < method_count(); k++) {
		const struct method_info *m = method_at(k);
		size_t count;
		const struct field *field = method_fields(m->method, &count);
		assert_ptr_equal(method_find(span_str(m->name)), m);
		assert_ptr_equal(method_info(m->method), m);
		assert_true(m->doc[0] != '\0');
		for (size_t j = 0; j < k; j++)
			assert_int_not_equal(method_at(j)->method, m->method);
		for (size_t i = 0; i < count; i++) {
			char text[FIELD_TEXT_MAX];
			assert_true(field[i].doc[0] != '\0');
			assert_true(field[i].min <= field[i].max);
			if (field[i].kind == FIELD_HEX)
				assert_true(field[i].max <=
					    HEX_FIELD_BYTES_MAX);
			assert_true(field_text(&field[i], text)[0] != '\0');
			for (size_t j = 0; j < i; j++)
				assert_string_not_equal(field[j].name,
							field[i].name);
		}
	}
	assert_null(method_at(method_count()));
	assert_null(method_find(span_str("")));
	assert_null(method_find(span_str("pin")));
	assert_null(method_find(span_str("ping ")));
}

/* ---- the decoded members ----------------------------------------------- */

static void members_hold_what_was_sent(void **state)
{
	struct fixture *f = *state;
	put_request(&f->b, method_info(METHOD_LOBBY_CREATE), SIZE_MAX, 0, true);
	assert_int_equal(decode(f), PLYD_OK);
	const struct params_lobby_create *c = &f->req.params.lobby_create;
	assert_int_equal(f->req.msgid, 77);
	assert_int_equal(f->req.method, METHOD_LOBBY_CREATE);
	assert_int_equal(c->ruleset.len, RULESET_CHARS_MAX);
	assert_true(c->has_side && c->side == WISH_BLACK);
	assert_true(c->has_opponent && c->opponent == OPPONENT_PERSON);
	assert_true(c->has_private && c->private);
	assert_true(c->has_base_ms && c->base_ms == BASE_MS_MAX);
	assert_true(c->has_key && c->key.at[0] == 'a');

	put_request(&f->b, method_info(METHOD_MATCH_NONCE), SIZE_MAX, 0, false);
	assert_int_equal(decode(f), PLYD_OK);
	assert_string_equal(f->req.params.match_nonce.match.text, "zzzzzzz777");
	assert_int_equal(f->req.params.match_nonce.nonce.len, 32);
	assert_int_equal(f->req.params.match_nonce.nonce.at[31], 0xf0);
}

static void what_is_left_out_is_zero(void **state)
{
	struct fixture *f = *state;
	buf_clear(&f->b);
	rpc_begin_request(&f->b, 1, "lobby.create");
	put_map(&f->b, 1);
	put_cstr(&f->b, "ruleset");
	put_cstr(&f->b, "english");
	assert_int_equal(decode(f), PLYD_OK);
	struct params_lobby_create *c = &f->req.params.lobby_create;
	assert_true(span_is(c->ruleset, "english"));
	c->ruleset = span_of(NULL, 0);
	static const struct params_lobby_create zero;
	assert_memory_equal(c, &zero, sizeof(zero));
}

static void characters_are_counted_not_bytes(void **state)
{
	struct fixture *f = *state;
	for (int chars = 1; chars <= 21; chars++) {
		buf_clear(&f->b);
		rpc_begin_request(&f->b, 1, "hello");
		put_map(&f->b, 2);
		put_cstr(&f->b, "protocol");
		put_int(&f->b, 1);
		put_cstr(&f->b, "name");
		char name[64] = "";
		for (int i = 0; i < chars; i++)
			strcat(name, "\xc3\xa9");
		put_cstr(&f->b, name);
		assert_int_equal(decode(f), chars < 2 || chars > 20
						    ? PLYD_ERANGE
						    : PLYD_OK);
	}
}

/* ---- envelopes --------------------------------------------------------- */

struct envelope_row {
	const char *name;
	const char *hex;
	int want;
	long msgid; /* -1: none can be found */
};

static struct envelope_row envelope_rows[] = {
	{ "ping", "94 00 01 a4 70 69 6e 67 91 80", PLYD_OK, 1 },
	{ "greatest id", "94 00 ce ff*4 a4 70 69 6e 67 91 80", PLYD_OK,
	  0xffffffff },
	{ "id in 64 bits", "94 00 cf 00*7 01 a4 70 69 6e 67 91 80", PLYD_OK,
	  1 },
	{ "id too great", "94 00 cf 00*3 01 00*4 a4 70 69 6e 67 91 80",
	  PLYD_EMESSAGE, -1 },
	{ "id below zero", "94 00 ff a4 70 69 6e 67 91 80", PLYD_EMESSAGE, -1 },
	{ "id is a string", "94 00 a1 31 a4 70 69 6e 67 91 80", PLYD_EMESSAGE,
	  -1 },
	{ "integer", "01", PLYD_EMESSAGE, -1 },
	{ "map", "80", PLYD_EMESSAGE, -1 },
	{ "empty array", "90", PLYD_EMESSAGE, -1 },
	{ "only a type", "91 00", PLYD_EMESSAGE, -1 },
	{ "no method", "92 00 09", PLYD_EMESSAGE, 9 },
	{ "no params", "93 00 09 a4 70 69 6e 67", PLYD_EMESSAGE, 9 },
	{ "one item too many", "95 00 09 a4 70 69 6e 67 91 80 c0",
	  PLYD_EMESSAGE, 9 },
	{ "method is an integer", "94 00 09 01 91 80", PLYD_EMESSAGE, 9 },
	{ "unknown method", "94 00 09 a4 70 69 6e 68 91 80", PLYD_EMETHOD, 9 },
	{ "params is a map", "94 00 09 a4 70 69 6e 67 80", PLYD_EMESSAGE, 9 },
	{ "params is empty", "94 00 09 a4 70 69 6e 67 90", PLYD_EMESSAGE, 9 },
	{ "two params", "94 00 09 a4 70 69 6e 67 92 80 80", PLYD_EMESSAGE, 9 },
	{ "params is an array of nil", "94 00 09 a4 70 69 6e 67 91 c0",
	  PLYD_EMESSAGE, 9 },
	{ "response", "94 01 09 c0 80", PLYD_EMESSAGE, -1 },
	{ "notification", "93 02 a4 70 69 6e 67 91 80", PLYD_EMESSAGE, -1 },
	{ "unknown type", "94 03 09 a4 70 69 6e 67 91 80", PLYD_EMESSAGE, -1 },
	{ "type is true", "94 c3 09 a4 70 69 6e 67 91 80", PLYD_EMESSAGE, -1 },
};

static void envelope_row_holds(void **state)
{
	const struct envelope_row *row = *state;
	void *fixture;
	set_up(&fixture);
	struct fixture *f = fixture;
	put_hex_text(&f->b, row->hex);
	assert_int_equal(decode(f), row->want);
	assert_int_equal(f->where.has_msgid, row->msgid >= 0);
	if (row->msgid >= 0)
		assert_int_equal(f->where.msgid, row->msgid);
	tear_down(&fixture);
}

/* The id is found in a message whose content was refused before decoding. */
static void a_refused_message_still_has_its_id(void **state)
{
	static const char *const refused[] = {
		"94 00 09 a4 70 69 6e 67 91 82 a1 61 01 a1 61 01",
		"94 00 09 a4 70 69 6e 67 91 81 a1 61 ca 00*4",
		"94 00 09 a4 70 69 6e ff 91 80",
		"94 00 09 a4 70 69 6e 67 91 81 a1 61 91*20 c0",
	};
	struct fixture *f = *state;
	for (size_t i = 0; i < COUNT(refused); i++) {
		const struct value *root;
		uint32_t id = 0;
		buf_clear(&f->b);
		put_hex_text(&f->b, refused[i]);
		assert_true(doc_parse(f->doc, buf_span(&f->b), &doc_request,
				      &root) < 0);
		assert_true(request_msgid(root, &id));
		assert_int_equal(id, 9);
	}
	uint32_t id;
	assert_false(request_msgid(NULL, &id));
}

static void an_unknown_key_is_shown_in_part(void **state)
{
	struct fixture *f = *state;
	char key[201] = "";
	for (int i = 0; i < 50; i++)
		strcat(key, i == 0 ? "a\xc3\xa9" : "\xe2\x82\xac");
	buf_clear(&f->b);
	rpc_begin_request(&f->b, 1, "ping");
	put_map(&f->b, 1);
	put_cstr(&f->b, key);
	put_nil(&f->b);
	assert_int_equal(decode(f), PLYD_EUNKNOWNKEY);
	size_t len = strlen(f->where.key);
	assert_in_range(len, KEY_SHOWN_BYTES_MAX - 3, KEY_SHOWN_BYTES_MAX);
	assert_memory_equal(f->where.key, key, len);
	assert_true(utf8_valid(span_str(f->where.key)));
}

static void a_refusal_says_key_and_what_was_expected(void **state)
{
	struct fixture *f = *state;
	const struct value *root, *error;
	struct span text;
	put_request(&f->b, method_info(METHOD_MATCH_MOVE), 1, FAULT_LESS, 0);
	assert_int_equal(decode(f), PLYD_ERANGE);
	buf_clear(&f->b);
	request_refuse(&f->b, PLYD_ERANGE, &f->where);
	assert_int_equal(doc_parse(f->doc, buf_span(&f->b), &doc_answer, &root),
			 PLYD_OK);
	error = value_at(root, 2);
	assert_int_equal(value_str(value_at(error, 1), &text), PLYD_OK);
	assert_true(span_is(text, "out_of_range"));
	const struct value *details = value_at(error, 3);
	assert_int_equal(value_count(details), 2);
	value_str(value_find(details, "key"), &text);
	assert_true(span_is(text, "ply"));
	value_str(value_find(details, "expected"), &text);
	assert_true(span_is(text, "an integer from 0 to 4096"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_is_consistent),
		cmocka_unit_test(each_fault_in_each_field_has_its_error),
		cmocka_unit_test(
			each_method_refuses_a_key_that_it_does_not_have),
		cmocka_unit_test(members_hold_what_was_sent),
		cmocka_unit_test(what_is_left_out_is_zero),
		cmocka_unit_test(characters_are_counted_not_bytes),
		cmocka_unit_test(a_refused_message_still_has_its_id),
		cmocka_unit_test(an_unknown_key_is_shown_in_part),
		cmocka_unit_test(a_refusal_says_key_and_what_was_expected),
	};
	return RUN_TABLE("envelopes", envelope_rows, envelope_row_holds) +
	       cmocka_run_group_tests_name("methods", tests, set_up, tear_down);
}
