/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include <plyd/err.h>
#include "base/rng.h"
#include "bytes.h"
#include "proto/read.h"
#include "proto/write.h"

/* ---- what is accepted, what is refused --------------------------------- */

struct parse_row {
	const char *name;
	const char *hex;
	int want;
	bool lent; /* whether a root is lent in spite of an error */
};

static struct parse_row parse_rows[] = {
	{ "nothing", "", PLYD_EMESSAGE, false },
	{ "half a message", "92 c0", PLYD_EMESSAGE, false },
	{ "MP-08: three messages where one is due", "01 02 03", PLYD_EMESSAGE,
	  false },
	{ "byte c1", "c1", PLYD_EMESSAGE, false },
	{ "map", "82 a1 61 01 a1 62 02", PLYD_OK, true },
	{ "same key twice", "82 a1 61 01 a1 61 02", PLYD_EDUPKEY, true },
	{ "same key in two lengths", "82 a1 61 01 d9 01 61 02", PLYD_EDUPKEY,
	  true },
	{ "same empty key twice", "82 a0 01 a0 02", PLYD_EDUPKEY, true },
	{ "same key in two maps", "92 81 a1 61 01 81 a1 61 02", PLYD_OK, true },
	{ "duplicate deep in a value", "91 81 a1 61 82 a0 01 a0 02",
	  PLYD_EDUPKEY, true },
	{ "key is an integer", "81 01 02", PLYD_EMESSAGE, true },
	{ "key is an array", "81 90 02", PLYD_EMESSAGE, true },
	{ "e acute", "a2 c3 a9", PLYD_OK, true },
	{ "4-byte character", "a4 f0 9f 99 82", PLYD_OK, true },
	{ "greatest character", "a4 f4 8f bf bf", PLYD_OK, true },
	{ "NUL is a character", "a1 00", PLYD_OK, true },
	{ "MP-06: cut character", "a2 e2 80", PLYD_EUTF8, true },
	{ "cut character as a key", "81 a2 e2 80 c0", PLYD_EUTF8, true },
	{ "overlong slash", "a2 c0 af", PLYD_EUTF8, true },
	{ "overlong in three bytes", "a3 e0 80 af", PLYD_EUTF8, true },
	{ "overlong in four bytes", "a4 f0 80 80 af", PLYD_EUTF8, true },
	{ "surrogate", "a3 ed a0 80", PLYD_EUTF8, true },
	{ "low surrogate", "a3 ed bf bf", PLYD_EUTF8, true },
	{ "over U+10FFFF", "a4 f4 90 80 80", PLYD_EUTF8, true },
	{ "lone continuation", "a1 80", PLYD_EUTF8, true },
	{ "byte ff", "a1 ff", PLYD_EUTF8, true },
	{ "MP-13: float", "ca 40 40 00 00", PLYD_EWIRETYPE, true },
	{ "MP-13: NaN", "cb 7f f8 00*6", PLYD_EWIRETYPE, true },
	{ "float in a map", "81 a1 61 ca 40 40 00 00", PLYD_EWIRETYPE, true },
	{ "binary", "c4 01 61", PLYD_EWIRETYPE, true },
	{ "MP-11: ext", "c7 00 05", PLYD_EWIRETYPE, true },
	{ "MP-11: timestamp", "d6 ff 00*4", PLYD_EWIRETYPE, true },
	{ "ext of 2^32-1", "c9 ff*4 01", PLYD_EMESSAGE, false },
	{ "8 GiB of array", "dd 10 00*3", PLYD_ETOOLARGE, false },
	{ "96 GB of array", "dd ff 00*3", PLYD_ETOOLARGE, false },
	{ "8 deep", "91*8 c0", PLYD_OK, true },
	{ "9 deep", "91*9 c0", PLYD_ETOODEEP, true },
	{ "32 deep", "91*32 c0", PLYD_ETOODEEP, true },
	{ "33 deep", "91*33 c0", PLYD_ETOODEEP, false },
	{ "map of too many entries", "de 01 01 c0*514", PLYD_ETOOLARGE, true },
};

static void parse_row_holds(void **state)
{
	const struct parse_row *row = *state;
	struct doc *d = doc_new();
	const struct value *root;
	struct buf b;
	buf_init(&b, 1 << 16);
	put_hex_text(&b, row->hex);
	/* exactly as many bytes as there are, for the sanitizers */
	uint8_t *copy = malloc(b.len + !b.len);
	if (b.len > 0)
		memcpy(copy, b.at, b.len);
	for (int again = 0; again < 3; again++) {
		assert_int_equal(doc_parse(d, span_of(copy, b.len),
					   &doc_request, &root),
				 row->want);
		assert_int_equal(root != NULL, row->lent);
	}
	free(copy);
	buf_release(&b);
	doc_free(d);
}

/* ---- integers: MP-13 --------------------------------------------------- */

struct int_row {
	const char *name;
	const char *hex;
	int err; /* of value_int(INT64_MIN, INT64_MAX) */
	int64_t value;
	int small_err; /* of value_int(0, 100) */
	int uint_err;  /* of value_uint(UINT64_MAX) */
};

static struct int_row int_rows[] = {
	{ "5, fixint", "05", 0, 5, 0, 0 },
	{ "5, uint 8", "cc 05", 0, 5, 0, 0 },
	{ "5, uint 16", "cd 00 05", 0, 5, 0, 0 },
	{ "5, uint 32", "ce 00*3 05", 0, 5, 0, 0 },
	{ "5, uint 64", "cf 00*7 05", 0, 5, 0, 0 },
	{ "5, int 8", "d0 05", 0, 5, 0, 0 },
	{ "5, int 16", "d1 00 05", 0, 5, 0, 0 },
	{ "5, int 32", "d2 00*3 05", 0, 5, 0, 0 },
	{ "5, int 64", "d3 00*7 05", 0, 5, 0, 0 },
	{ "-1, fixint", "ff", 0, -1, PLYD_ERANGE, PLYD_ERANGE },
	{ "-1, int 64", "d3 ff*8", 0, -1, PLYD_ERANGE, PLYD_ERANGE },
	{ "-2^63", "d3 80 00*7", 0, INT64_MIN, PLYD_ERANGE, PLYD_ERANGE },
	{ "2^63-1", "cf 7f ff*7", 0, INT64_MAX, PLYD_ERANGE, 0 },
	{ "2^63", "cf 80 00*7", PLYD_ERANGE, 0, PLYD_ERANGE, 0 },
	{ "2^64-1", "cf ff*8", PLYD_ERANGE, 0, PLYD_ERANGE, 0 },
	{ "2^32-1", "ce ff*4", 0, UINT32_MAX, PLYD_ERANGE, 0 },
	{ "3.0", "ca 40 40 00 00", PLYD_EBADTYPE, 0, PLYD_EBADTYPE,
	  PLYD_EBADTYPE },
	{ "NaN", "cb 7f f8 00*6", PLYD_EBADTYPE, 0, PLYD_EBADTYPE,
	  PLYD_EBADTYPE },
	{ "true", "c3", PLYD_EBADTYPE, 0, PLYD_EBADTYPE, PLYD_EBADTYPE },
	{ "\"5\"", "a1 35", PLYD_EBADTYPE, 0, PLYD_EBADTYPE, PLYD_EBADTYPE },
};

static void int_row_holds(void **state)
{
	const struct int_row *row = *state;
	struct doc *d = doc_new();
	const struct value *root;
	struct buf b;
	int64_t i = 0;
	uint64_t u = 0;
	buf_init(&b, 100);
	put_hex_text(&b, row->hex);
	doc_parse(d, buf_span(&b), &doc_request, &root);
	assert_non_null(root);
	assert_int_equal(value_int(root, INT64_MIN, INT64_MAX, &i), row->err);
	if (!row->err)
		assert_true(i == row->value);
	assert_int_equal(value_int(root, 0, 100, &i), row->small_err);
	assert_int_equal(value_uint(root, UINT64_MAX, &u), row->uint_err);
	buf_release(&b);
	doc_free(d);
}

/* ---- writing and reading back ------------------------------------------ */

/* The smallest form of each, from the MessagePack specification. */
struct put_row {
	const char *name;
	int64_t value;
	const char *hex;
};

static struct put_row put_rows[] = {
	{ "0", 0, "00" },
	{ "127", 127, "7f" },
	{ "128", 128, "cc 80" },
	{ "255", 255, "cc ff" },
	{ "256", 256, "cd 01 00" },
	{ "65536", 65536, "ce 00 01 00 00" },
	{ "2^32", 4294967296, "cf 00*3 01 00*4" },
	{ "-1", -1, "ff" },
	{ "-32", -32, "e0" },
	{ "-33", -33, "d0 df" },
	{ "-128", -128, "d0 80" },
	{ "-129", -129, "d1 ff 7f" },
	{ "-32769", -32769, "d2 ff ff 7f ff" },
	{ "-2^63", INT64_MIN, "d3 80 00*7" },
};

static void put_row_holds(void **state)
{
	const struct put_row *row = *state;
	struct buf b, want;
	buf_init(&b, 100);
	buf_init(&want, 100);
	put_hex_text(&want, row->hex);
	put_int(&b, row->value);
	assert_true(span_eq(buf_span(&b), buf_span(&want)));
	if (row->value >= 0) {
		buf_clear(&b);
		put_uint(&b, (uint64_t)row->value);
		assert_true(span_eq(buf_span(&b), buf_span(&want)));
	}
	buf_release(&b);
	buf_release(&want);
}

static void envelopes_are_as_the_rpc_specification_says(void **state)
{
	(void)state;
	struct buf b, want;
	buf_init(&b, 4096);
	buf_init(&want, 4096);
	rpc_begin_request(&b, 1, "ping");
	put_map(&b, 0);
	rpc_begin_result(&b, 0xffffffff);
	put_map(&b, 0);
	rpc_begin_notification(&b, "x");
	put_map(&b, 0);
	rpc_error(&b, 7, PLYD_ETURN, "no", NULL, NULL);
	put_hex_text(&want, "94 00 01 a4 70 69 6e 67 91 80");
	put_hex_text(&want, "94 01 ce ff*4 c0 80");
	put_hex_text(&want, "93 02 a1 78 91 80");
	put_hex_text(&want, "94 01 07 94 d0 c0 ad");
	buf_put_str(&want, "not_your_turn");
	put_hex_text(&want, "a2 6e 6f 80 c0");
	assert_int_equal(b.err, PLYD_OK);
	assert_true(span_eq(buf_span(&b), buf_span(&want)));
	buf_release(&b);
	buf_release(&want);
}

/* What a random writer wrote; the reader walks the same seed and compares. */
static void put_random(struct buf *b, struct rng *r, int depth)
{
	char text[300];
	uint32_t n;
	switch (rng_below(r, depth > 0 ? 7 : 5)) {
	case 0: put_nil(b); break;
	case 1: put_bool(b, rng_below(r, 2)); break;
	case 2: put_int(b, (int64_t)rng_next(r) >> rng_below(r, 64)); break;
	case 3:
		n = rng_below(r, sizeof(text));
		memset(text, 'a', sizeof(text));
		put_str(b, span_of(text, n));
		break;
	case 4:
		n = rng_below(r, sizeof(text));
		memset(text, 0xff, sizeof(text));
		put_bin(b, span_of(text, n));
		break;
	case 5:
		n = rng_below(r, 20);
		put_array(b, n);
		while (n-- > 0)
			put_random(b, r, depth - 1);
		break;
	default:
		n = rng_below(r, 20);
		put_map(b, n);
		while (n-- > 0) {
			snprintf(text, sizeof(text), "k%u", n);
			put_cstr(b, text);
			put_random(b, r, depth - 1);
		}
	}
}

static void expect_random(const struct value *v, struct rng *r, int depth);

static void expect_random_items(const struct value *v, struct rng *r, int depth,
				enum value_type type)
{
	uint32_t n = rng_below(r, 20);
	assert_int_equal(value_type(v), type);
	assert_int_equal(value_count(v), n);
	for (uint32_t i = 0; i < n; i++) {
		const struct value *item = value_at(v, i);
		if (type == VALUE_MAP) {
			char want[16];
			struct span key;
			item = value_entry(v, i, &key);
			snprintf(want, sizeof(want), "k%u", n - 1 - i);
			assert_true(span_is(key, want));
			assert_ptr_equal(value_find(v, want), item);
		}
		expect_random(item, r, depth - 1);
	}
	assert_null(value_at(v, n));
}

static void expect_random(const struct value *v, struct rng *r, int depth)
{
	bool flag;
	int64_t number;
	struct span bytes;
	switch (rng_below(r, depth > 0 ? 7 : 5)) {
	case 0: assert_int_equal(value_type(v), VALUE_NIL); break;
	case 1:
		assert_int_equal(value_bool(v, &flag), PLYD_OK);
		assert_int_equal(flag, rng_below(r, 2));
		break;
	case 2:
		assert_int_equal(value_int(v, INT64_MIN, INT64_MAX, &number),
				 PLYD_OK);
		assert_true(number == (int64_t)rng_next(r) >> rng_below(r, 64));
		break;
	case 3:
		assert_int_equal(value_str(v, &bytes), PLYD_OK);
		assert_int_equal(bytes.len, rng_below(r, 300));
		break;
	case 4:
		assert_int_equal(value_bin(v, &bytes), PLYD_OK);
		assert_int_equal(bytes.len, rng_below(r, 300));
		break;
	case 5: expect_random_items(v, r, depth, VALUE_ARRAY); break;
	default: expect_random_items(v, r, depth, VALUE_MAP);
	}
}

static void what_is_written_is_read_back(void **state)
{
	(void)state;
	struct doc *d = doc_new();
	struct buf b;
	buf_init(&b, STORE_BYTES_MAX);
	for (uint64_t seed = 0; seed < 2000; seed++) {
		struct rng r, again;
		const struct value *root;
		rng_seed(&r, seed);
		again = r;
		buf_clear(&b);
		put_random(&b, &r, 3);
		assert_int_equal(b.err, PLYD_OK);
		assert_int_equal(doc_parse(d, buf_span(&b), &doc_store, &root),
				 PLYD_OK);
		expect_random(root, &again, 3);
	}
	buf_release(&b);
	doc_free(d);
}

/* Noise must be read or refused, never crash; bits are turned in a request so
 * that much of it is nearly right. */
static void turned_bits_do_no_harm(void **state)
{
	(void)state;
	struct doc *d = doc_new();
	struct rng r;
	struct buf b;
	size_t good = 0;
	buf_init(&b, 4096);
	rng_seed(&r, 3);
	for (int i = 0; i < 100000; i++) {
		const struct value *root;
		buf_clear(&b);
		rpc_begin_request(&b, 1, "lobby.create");
		put_map(&b, 2);
		put_cstr(&b, "ruleset");
		put_cstr(&b, "english");
		put_cstr(&b, "base_ms");
		put_int(&b, 300000);
		for (uint32_t n = rng_below(&r, 4); n > 0; n--)
			b.at[rng_below(&r, (uint32_t)b.len)] ^=
				(uint8_t)(1 << rng_below(&r, 8));
		int err = doc_parse(d, buf_span(&b), &doc_request, &root);
		good += !err;
		if (!err)
			assert_non_null(root);
	}
	assert_in_range(good, 25000, 99000);
	buf_release(&b);
	doc_free(d);
}

/* Bytes in use, as the allocator counts them; 0 under a sanitizer, whose
 * allocator does not. */
static size_t bytes_in_use(void)
{
	struct mallinfo2 m = mallinfo2();
	return m.uordblks + m.hblkhd;
}

/* A doc takes what read.h promises, and gives it back with the next message. */
static void memory_is_bounded_by_elements(void **state)
{
	(void)state;
	struct doc *d = doc_new();
	const struct value *root;
	struct buf b;
	buf_init(&b, MESSAGE_BYTES_MAX);
	put_hex_text(&b, "dc 03 f0 90*1008");
	assert_int_equal(b.err, PLYD_OK);
	size_t before = bytes_in_use();
	for (int i = 0; i < 100; i++) {
		assert_int_equal(doc_parse(d, buf_span(&b), &doc_request,
					   &root),
				 0);
		assert_true(bytes_in_use() - before < 48 * 1008 + 4096);
	}
	buf_clear(&b);
	put_hex_text(&b, "90");
	assert_int_equal(doc_parse(d, buf_span(&b), &doc_request, &root), 0);
	assert_true(bytes_in_use() - before < 1024);
	buf_release(&b);
	doc_free(d);
}

static void a_value_that_is_missing_says_so(void **state)
{
	(void)state;
	struct span s;
	int64_t i;
	uint64_t u;
	bool flag;
	assert_int_equal(value_int(NULL, 0, 1, &i), PLYD_EMISSING);
	assert_int_equal(value_uint(NULL, 1, &u), PLYD_EMISSING);
	assert_int_equal(value_bool(NULL, &flag), PLYD_EMISSING);
	assert_int_equal(value_str(NULL, &s), PLYD_EMISSING);
	assert_int_equal(value_bin(NULL, &s), PLYD_EMISSING);
	assert_int_equal(value_count(NULL), 0);
	assert_null(value_at(NULL, 0));
	assert_null(value_find(NULL, "x"));
	assert_null(value_entry(NULL, 0, &s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(envelopes_are_as_the_rpc_specification_says),
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(turned_bits_do_no_harm),
		cmocka_unit_test(memory_is_bounded_by_elements),
		cmocka_unit_test(a_value_that_is_missing_says_so),
	};
	return RUN_TABLE("parse rows", parse_rows, parse_row_holds) +
	       RUN_TABLE("integer rows", int_rows, int_row_holds) +
	       RUN_TABLE("put rows", put_rows, put_row_holds) +
	       cmocka_run_group_tests_name("read", tests, NULL, NULL);
}
