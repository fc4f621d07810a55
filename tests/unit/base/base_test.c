/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>

#include <plyd/err.h>
#include "base/buf.h"
#include "base/digest.h"
#include "base/hex.h"
#include "base/id.h"
#include "base/log.h"
#include "base/rng.h"
#include "base/table.h"

static void every_error_has_a_name_of_its_own(void **state)
{
	(void)state;
	static const struct {
		int code;
		const char *name;
	} rows[] = {
#define X(code, value, name, doc) { code, name },
		PLYD_ERRORS(X)
#undef X
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_true(rows[i].code < 0);
		assert_string_equal(plyd_err_name(rows[i].code), rows[i].name);
		for (size_t j = 0; j < i; j++) {
			assert_int_not_equal(rows[i].code, rows[j].code);
			assert_string_not_equal(rows[i].name, rows[j].name);
		}
	}
	assert_string_equal(plyd_err_name(12345), "unknown");
}

static void a_buffer_stops_at_its_limit(void **state)
{
	(void)state;
	struct buf b;
	buf_init(&b, 1000);
	assert_int_equal(buf_printf(&b, "%0600d", 7), PLYD_OK);
	assert_int_equal(buf_put(&b, "abc", 3), PLYD_OK);
	assert_int_equal(b.len, 603);
	buf_drop(&b, 600);
	assert_memory_equal(b.at, "abc", 3);
	assert_int_equal(buf_printf(&b, "%01000d", 7), PLYD_ETOOLARGE);
	assert_int_equal(buf_put_byte(&b, 1), PLYD_ETOOLARGE);
	assert_int_equal(b.len, 3);
	buf_clear(&b);
	assert_int_equal(buf_put_byte(&b, 1), PLYD_OK);
	buf_release(&b);
}

static void hex_reads_what_it_writes(void **state)
{
	(void)state;
	uint8_t in[3] = { 0x00, 0xab, 0xff }, out[3];
	char text[7];
	hex_write(in, 3, text);
	assert_string_equal(text, "00abff");
	assert_int_equal(hex_read(span_str(text), out, 3), 3);
	assert_memory_equal(in, out, 3);
	assert_int_equal(hex_read(span_str("00AB"), out, 3), -1);
	assert_int_equal(hex_read(span_str("0"), out, 3), -1);
	assert_int_equal(hex_read(span_str("00000000"), out, 3), -1);
}

/* FIPS 180-2, appendix B.1; RFC 4231, test case 2. */
static void digests_are_the_published_ones(void **state)
{
	(void)state;
	char hex[DIGEST_HEX + 1];
	struct span abc[2] = { span_str("a"), span_str("bc") };
	struct digest d = sha256(abc, 2);
	digest_hex(&d, hex);
	assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223"
				 "b00361a396177a9cb410ff61f20015ad");
	struct span text = span_str("what do ya want for nothing?");
	d = hmac_sha256(span_str("Jefe"), &text, 1);
	digest_hex(&d, hex);
	assert_string_equal(hex, "5bdcc146bf60754e6a042426089575c7"
				 "5a003f089d2739839dec58b964ec3843");
	struct digest back;
	assert_true(digest_read(span_str(hex), &back));
	assert_true(digest_eq(&d, &back));
	assert_false(digest_read(span_of(hex, 62), &back));
}

static void equal_seeds_give_equal_streams(void **state)
{
	(void)state;
	struct rng a, b;
	rng_seed(&a, 42);
	rng_seed(&b, 42);
	size_t face[6] = { 0 };
	for (int i = 0; i < 6000; i++) {
		uint32_t x = rng_below(&a, 6);
		assert_int_equal(x, rng_below(&b, 6));
		face[x]++;
	}
	for (int i = 0; i < 6; i++) /* mean 1000, sd 29 */
		assert_in_range(face[i], 850, 1150);
	struct entropy e, f;
	uint8_t x[100], y[100];
	entropy_from_seed(&e, 1);
	entropy_from_seed(&f, 1);
	entropy_fill(&e, x, sizeof(x));
	entropy_fill(&f, y, sizeof(y));
	assert_memory_equal(x, y, sizeof(x));
	entropy_fill(&e, x, sizeof(x));
	assert_memory_not_equal(x, y, sizeof(x));
}

static int compare_words(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(uint64_t));
}

/* However much is asked for at a time, nothing is given out twice. */
static void entropy_does_not_repeat(void **state)
{
	enum { WORDS = 20000 };
	static uint64_t given[WORDS];
	(void)state;
	struct rng r;
	struct entropy e;
	rng_seed(&r, 3);
	entropy_from_seed(&e, 3);
	for (size_t n = 0; n < WORDS;) {
		size_t most = rng_below(&r, 10) ? 20 : 3 * ENTROPY_READY_BYTES;
		size_t words = 1 + rng_below(&r, (uint32_t)most / 8);
		words = words < WORDS - n ? words : WORDS - n;
		entropy_fill(&e, (uint8_t *)&given[n], words * 8);
		n += words;
		uint8_t byte; /* so that words do not end where blocks do */
		entropy_fill(&e, &byte, rng_below(&r, 2));
	}
	qsort(given, WORDS, sizeof(given[0]), compare_words);
	for (size_t i = 1; i < WORDS; i++)
		assert_true(given[i] != given[i - 1]);
	assert_true(given[0] != 0);
}

static void ids_are_ten_characters_of_base32(void **state)
{
	(void)state;
	struct entropy e;
	struct id back;
	entropy_from_seed(&e, 7);
	struct id a = id_new(&e), b = id_new(&e);
	assert_false(id_eq(&a, &b));
	assert_true(id_read(span_str(a.text), &back));
	assert_true(id_eq(&a, &back));
	assert_false(id_read(span_str("abcdefghi"), &back));
	assert_false(id_read(span_str("abcdefghi1"), &back));
	assert_false(id_read(span_of("abcdefghi\0", 10), &back));
	assert_true(id_is_none(&back));
}

static void keep_line(void *payload, enum log_level level, const char *text)
{
	(void)level;
	strcpy(payload, text);
}

static void a_log_line_stays_one_line(void **state)
{
	(void)state;
	char line[LOG_LINE_MAX], quoted[32];
	log_set_sink(keep_line, line);
	log_event(LOG_INFO, "a name", "name=%s",
		  log_quote("x\n\"y", 4, quoted, sizeof(quoted)));
	assert_string_equal(line, "msg=\"a name\" name=\"x\\x0a\\x22y\"");
	log_quote("0123456789012345678901234567890123456789", 40, quoted,
		  sizeof(quoted));
	assert_in_range(strlen(quoted), 20, sizeof(quoted) - 1);
	log_set_sink(NULL, NULL);
}

struct entry {
	char key[4];
	UT_hash_handle hh;
};

static void a_table_finds_what_was_added(void **state)
{
	(void)state;
	struct entry a = { .key = "abc" }, *table = NULL, *found;
	table_ready();
	HASH_ADD(hh, table, key, 3, &a);
	HASH_FIND(hh, table, "abc", 3, found);
	assert_ptr_equal(found, &a);
	HASH_FIND(hh, table, "abd", 3, found);
	assert_null(found);
	HASH_DEL(table, &a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_error_has_a_name_of_its_own),
		cmocka_unit_test(a_buffer_stops_at_its_limit),
		cmocka_unit_test(hex_reads_what_it_writes),
		cmocka_unit_test(digests_are_the_published_ones),
		cmocka_unit_test(equal_seeds_give_equal_streams),
		cmocka_unit_test(entropy_does_not_repeat),
		cmocka_unit_test(ids_are_ten_characters_of_base32),
		cmocka_unit_test(a_log_line_stays_one_line),
		cmocka_unit_test(a_table_finds_what_was_added),
	};
	if (crypto_ready())
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
