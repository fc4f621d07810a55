/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>

#include <plyd/err.h>
#include "base/rng.h"
#include "bytes.h"
#include "proto/scan.h"

/* ---- one row, one stream ----------------------------------------------- */

struct scan_row {
	const char *name;
	const char *hex;
	int want;     /* what scan_feed() returns at the end */
	size_t taken; /* bytes up to there; 0: all */
};

static struct scan_row rows[] = {
	{ "nothing", "", SCAN_MORE, 0 },
	{ "nil", "c0", SCAN_MESSAGE, 0 },
	{ "two messages: the first ends", "c0 c0", SCAN_MESSAGE, 1 },
	{ "integer of 64 bits", "cf 01 02 03 04 05 06 07 08", SCAN_MESSAGE, 0 },
	{ "integer of 64 bits, cut", "cf 01 02 03 04 05 06 07", SCAN_MORE, 0 },
	{ "double", "cb 7f f8 00*6", SCAN_MESSAGE, 0 },
	{ "string", "a2 e2 80", SCAN_MESSAGE, 0 },
	{ "string, cut", "a2 e2", SCAN_MORE, 0 },
	{ "empty string", "a0", SCAN_MESSAGE, 0 },
	{ "empty string with 32-bit length", "db 00*4", SCAN_MESSAGE, 0 },
	{ "empty binary with 8-bit length", "c4 00", SCAN_MESSAGE, 0 },
	{ "empty array", "90", SCAN_MESSAGE, 0 },
	{ "empty map with 32-bit length", "df 00*4", SCAN_MESSAGE, 0 },
	{ "array in an array", "92 90 91 c0", SCAN_MESSAGE, 0 },
	{ "map", "82 a1 61 01 a1 62 90", SCAN_MESSAGE, 0 },
	{ "map without its last value", "82 a1 61 01 a1 62", SCAN_MORE, 0 },
	{ "request ping", "94 00 01 a4 70 69 6e 67 91 80", SCAN_MESSAGE, 0 },
	{ "MP-11: byte c1", "c1", PLYD_EMESSAGE, 0 },
	{ "byte c1 in an array", "92 01 c1", PLYD_EMESSAGE, 0 },
	{ "ext", "c7 00 05", SCAN_MESSAGE, 0 },
	{ "fixext 4", "d6 ff 00*4", SCAN_MESSAGE, 0 },
	{ "MP-11: ext of 2^32-1 wraps no length", "c9 ff*4 01", PLYD_EMESSAGE,
	  5 },
	{ "ext of 2^32-2", "c9 ff*3 fe", PLYD_ETOOLARGE, 0 },
	{ "string of 2^32-1", "db ff*4", PLYD_ETOOLARGE, 0 },
	{ "binary of 2^32-1", "c6 ff*4", PLYD_ETOOLARGE, 0 },
	{ "MP-01: 96 GB from five bytes", "dd ff 00*3", PLYD_ETOOLARGE, 0 },
	{ "array of 8 GiB", "dd 10 00*3", PLYD_ETOOLARGE, 0 },
	{ "map of 2^32-1", "df ff*4", PLYD_ETOOLARGE, 0 },
	{ "map of 2^31: twice that wraps", "df 80 00*3", PLYD_ETOOLARGE, 0 },
	{ "MP-03: array of 65535 in arrays", "dc ff ff dc ff ff",
	  PLYD_ETOOLARGE, 3 },
	{ "MP-03: arrays of 255 in arrays",
	  "dc 00 ff dc 00 ff dc 00 ff dc 00 ff dc 00 ff", PLYD_ETOOLARGE, 15 },
	{ "1024 elements", "dc 04 00 c0*1024", SCAN_MESSAGE, 0 },
	{ "1025 elements", "dc 04 01 c0*1025", PLYD_ETOOLARGE, 3 },
	{ "1025 elements in two arrays", "92 dc 03 ff c0*1023 90",
	  PLYD_ETOOLARGE, 4 },
	{ "1024 elements in a map", "de 02 00 01*1024", SCAN_MESSAGE, 0 },
	{ "1026 elements in a map", "de 02 01 01*1026", PLYD_ETOOLARGE, 3 },
	{ "8 deep", "91*8 c0", SCAN_MESSAGE, 0 },
	{ "8 deep, the last empty", "91*7 90", SCAN_MESSAGE, 0 },
	{ "many empty arrays are not deep", "9f 90*15", SCAN_MESSAGE, 0 },
	{ "9 deep", "91*9 c0", SCAN_TOODEEP, 0 },
	{ "9 deep, the last empty", "91*8 90", SCAN_TOODEEP, 0 },
	{ "MP-04: 32 deep", "91*32 c0", SCAN_TOODEEP, 0 },
	{ "MP-04: 33 deep", "91*33 c0", PLYD_ETOODEEP, 32 },
	{ "10000 deep", "91*10000", PLYD_ETOODEEP, 32 },
	{ "10000 deep in maps", "81*10000", PLYD_ETOODEEP, 32 },
	{ "65536 bytes", "da ff fd 61*65533", SCAN_MESSAGE, 0 },
	{ "65537 bytes", "da ff fe 61*65534", PLYD_ETOOLARGE, 3 },
	{ "65537 bytes, the last of an array", "92 da ff fb 61*65531 cc 01",
	  PLYD_ETOOLARGE, 65536 },
};

/* Feeds all of b in pieces of `piece` bytes until the scan says something. */
static int feed_in_pieces(const struct buf *b, size_t piece, size_t *taken)
{
	struct scan s;
	scan_init(&s, &scan_requests);
	int ret = SCAN_MORE;
	*taken = 0;
	while (ret == SCAN_MORE && *taken < b->len) {
		size_t n = b->len - *taken, used;
		if (n > piece)
			n = piece;
		ret = scan_feed(&s, span_of(b->at + *taken, n), &used);
		*taken += used;
		if (ret == SCAN_MORE) {
			assert_int_equal(used, n);
			assert_int_equal(scan_pending(&s), *taken);
		}
	}
	if (ret < 0) { /* sticks */
		size_t used;
		assert_int_equal(scan_feed(&s, span_of("\xc0", 1), &used), ret);
		assert_int_equal(used, 0);
	}
	if (ret > 0)
		assert_int_equal(scan_pending(&s), 0);
	return ret;
}

static void row_holds(void **state)
{
	static const size_t pieces[] = { SIZE_MAX, 1, 2, 3, 7, 64 };
	const struct scan_row *row = *state;
	struct buf b;
	buf_init(&b, 1 << 20);
	put_hex_text(&b, row->hex);
	assert_int_equal(b.err, PLYD_OK);
	for (size_t i = 0; i < COUNT(pieces); i++) {
		size_t taken;
		assert_int_equal(feed_in_pieces(&b, pieces[i], &taken),
				 row->want);
		if (row->want >= 0)
			assert_int_equal(taken,
					 row->taken ? row->taken : b.len);
		else if (row->taken && pieces[i] == 1) /* told at once */
			assert_true(taken <= row->taken);
	}
	buf_release(&b);
}

/* ---- a second opinion -------------------------------------------------- */

/* A parser by recursion that is as slow and plain as can be: it begins again
 * at the first byte whenever it is asked. */
struct naive {
	const uint8_t *at;
	size_t len;
	const struct scan_limits *limits;
	size_t pos, elements;
	unsigned deepest;
};

/* Moves over n bytes. */
static int naive_skip(struct naive *p, uint64_t n)
{
	if (p->pos + n > p->limits->bytes)
		return PLYD_ETOOLARGE;
	if (p->pos + n > p->len)
		return SCAN_MORE;
	p->pos += n;
	return SCAN_MESSAGE;
}

/* Reads a big-endian number of n bytes. */
static int naive_number(struct naive *p, unsigned n, uint64_t *out)
{
	int ret = naive_skip(p, n);
	*out = 0;
	if (ret == SCAN_MESSAGE)
		for (unsigned i = 0; i < n; i++)
			*out = *out << 8 | p->at[p->pos - n + i];
	return ret;
}

static int naive_value(struct naive *p, unsigned depth);

static int naive_items(struct naive *p, uint64_t items, unsigned depth)
{
	if (depth + 1 > SCAN_DEPTH_MAX)
		return PLYD_ETOODEEP;
	if (p->elements + items > p->limits->elements)
		return PLYD_ETOOLARGE;
	p->elements += items;
	if (depth + 1 > p->deepest)
		p->deepest = depth + 1;
	for (uint64_t i = 0; i < items; i++) {
		int ret = naive_value(p, depth + 1);
		if (ret != SCAN_MESSAGE)
			return ret;
	}
	return SCAN_MESSAGE;
}

/* A length of `bytes` bytes, then as many bytes and `more`. */
static int naive_body(struct naive *p, unsigned bytes, unsigned more)
{
	uint64_t n;
	int ret = naive_number(p, bytes, &n);
	if (ret != SCAN_MESSAGE)
		return ret;
	if (more && n == UINT32_MAX)
		return PLYD_EMESSAGE;
	return naive_skip(p, n + more);
}

static int naive_container(struct naive *p, unsigned bytes, unsigned each,
			   unsigned depth)
{
	uint64_t n;
	int ret = naive_number(p, bytes, &n);
	return ret != SCAN_MESSAGE ? ret : naive_items(p, n * each, depth);
}

static int naive_value(struct naive *p, unsigned depth)
{
	uint64_t h;
	int ret = naive_number(p, 1, &h);
	if (ret != SCAN_MESSAGE)
		return ret;
	if (h < 0x80 || h >= 0xe0)
		return SCAN_MESSAGE;
	if (h < 0x90)
		return naive_items(p, 2 * (h & 15), depth);
	if (h < 0xa0)
		return naive_items(p, h & 15, depth);
	if (h < 0xc0)
		return naive_skip(p, h & 31);
	switch (h) {
	case 0xc0:
	case 0xc2:
	case 0xc3: return SCAN_MESSAGE;
	case 0xc4:
	case 0xd9: return naive_body(p, 1, 0);
	case 0xc5:
	case 0xda: return naive_body(p, 2, 0);
	case 0xc6:
	case 0xdb: return naive_body(p, 4, 0);
	case 0xc7: return naive_body(p, 1, 1);
	case 0xc8: return naive_body(p, 2, 1);
	case 0xc9: return naive_body(p, 4, 1);
	case 0xcc:
	case 0xd0: return naive_skip(p, 1);
	case 0xcd:
	case 0xd1: return naive_skip(p, 2);
	case 0xca:
	case 0xce:
	case 0xd2: return naive_skip(p, 4);
	case 0xcb:
	case 0xcf:
	case 0xd3: return naive_skip(p, 8);
	case 0xd4: return naive_skip(p, 2);
	case 0xd5: return naive_skip(p, 3);
	case 0xd6: return naive_skip(p, 5);
	case 0xd7: return naive_skip(p, 9);
	case 0xd8: return naive_skip(p, 17);
	case 0xdc: return naive_container(p, 2, 1, depth);
	case 0xdd: return naive_container(p, 4, 1, depth);
	case 0xde: return naive_container(p, 2, 2, depth);
	case 0xdf: return naive_container(p, 4, 2, depth);
	default: return PLYD_EMESSAGE;
	}
}

static int naive_end(struct span in, const struct scan_limits *limits,
		     size_t *end)
{
	struct naive p = { .at = in.at, .len = in.len, .limits = limits };
	int ret = naive_value(&p, 0);
	*end = p.pos;
	if (ret == SCAN_MESSAGE && p.deepest > MESSAGE_DEPTH_MAX)
		return SCAN_TOODEEP;
	return ret;
}

/* Bytes that are often headers with small counts, and now and then nest. */
static void put_noise(struct rng *r, uint8_t *out, size_t len)
{
	static const uint8_t likely[] = {
		0x81, 0x91, 0x92, 0x93, 0x80, 0x90, 0xa0, 0xa3, 0xc0, 0x00,
		0x00, 0x01, 0x02, 0xc4, 0xc7, 0xc8, 0xca, 0xcb, 0xcc, 0xcd,
		0xce, 0xcf, 0xd0, 0xd3, 0xd4, 0xd5, 0xd8, 0xd9, 0xda, 0xdb,
		0xdc, 0xdd, 0xde, 0xdf, 0xff, 0xc9, 0xc1, 0x91, 0x91, 0x91
	};
	for (size_t i = 0; i < len; i++) {
		uint32_t nested = 0;
		if (rng_below(r, 30) == 0)
			nested = rng_below(r, 40);
		while (nested-- > 0 && i + 1 < len)
			out[i++] = 0x91;
		out[i] = rng_below(r, 16) == 0
				 ? (uint8_t)rng_next(r)
				 : likely[rng_below(r, COUNT(likely))];
	}
}

enum { STREAM_BYTES = 200 };

/* One random stream in random pieces against the naive parser. Counts what the
 * scan said. */
static void compare_stream(struct rng *r, size_t said[5])
{
	static const struct scan_limits limits[] = {
		{ 48, 12 }, { 64, 1000 }, { 1000, 60 }, { 70000, 70000 }
	};
	const struct scan_limits *l = &limits[rng_below(r, COUNT(limits))];
	uint8_t bytes[STREAM_BYTES];
	put_noise(r, bytes, STREAM_BYTES);
	struct scan s;
	scan_init(&s, l);
	size_t begin = 0, pos = 0;
	while (pos < STREAM_BYTES) {
		size_t n = 1 + rng_below(r, 12), used, end;
		if (n > STREAM_BYTES - pos)
			n = STREAM_BYTES - pos;
		int ret = scan_feed(&s, span_of(bytes + pos, n), &used);
		struct span seen = span_of(bytes + begin, pos + n - begin);
		assert_int_equal(ret, naive_end(seen, l, &end));
		said[ret == PLYD_ETOOLARGE ? 3 : ret < 0 ? 4 : ret]++;
		if (ret < 0)
			return;
		pos += used;
		if (ret == SCAN_MORE) {
			assert_int_equal(used, n);
			continue;
		}
		assert_int_equal(pos - begin, end);
		begin = pos;
	}
}

static void random_streams_agree_with_a_naive_parser(void **state)
{
	(void)state;
	struct rng r;
	size_t said[5] = { 0 };
	rng_seed(&r, 20240501);
	for (int i = 0; i < 60000; i++)
		compare_stream(&r, said);
	for (size_t i = 0; i < COUNT(said); i++) {
		print_message("said %zu: %zu times\n", i, said[i]);
		assert_true(said[i] > 100); /* each answer was tried */
	}
}

/* MP-09: whole messages in every split, each found once and in order. */
static void messages_end_where_they_end(void **state)
{
	(void)state;
	struct buf b;
	struct rng r;
	buf_init(&b, 1 << 16);
	rng_seed(&r, 9);
	for (int i = 0; i < 4; i++)
		put_hex_text(&b,
			     "94 00 07 aa 6d*10 91 81 a4 6d*4 d9 d0 61*208");
	size_t one = b.len / 4;
	assert_int_equal(b.err, PLYD_OK);
	for (int round = 0; round < 2000; round++) {
		struct scan s;
		size_t pos = 0, found = 0;
		scan_init(&s, &scan_requests);
		while (pos < b.len) {
			size_t n = 1, used;
			if (round > 0)
				n += rng_below(&r, (uint32_t)(b.len - pos));
			int ret = scan_feed(&s, span_of(b.at + pos, n), &used);
			pos += used;
			if (ret == SCAN_MESSAGE)
				assert_int_equal(pos, ++found * one);
			else
				assert_int_equal(ret, SCAN_MORE);
		}
		assert_int_equal(found, 4);
	}
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_streams_agree_with_a_naive_parser),
		cmocka_unit_test(messages_end_where_they_end),
	};
	return RUN_TABLE("scan rows", rows, row_holds) +
	       cmocka_run_group_tests_name("scan", tests, NULL, NULL);
}
