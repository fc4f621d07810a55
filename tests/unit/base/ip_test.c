/* SPDX-License-Identifier: MIT
 * ip_test.c - addresses and ranges: the texts, and who is in. */
#include "unit.h"

#include "base/ip.h"
#include "base/rng.h"

static const struct text_case {
	const char *name; /* what is read */
	const char *want; /* what is written; NULL: it is refused */
} texts[] = {
	{ "192.0.2.1", "192.0.2.1" },
	{ "192.0.2.1/32", "192.0.2.1" },
	{ "192.0.2.255/24", "192.0.2.0/24" },
	{ "192.0.2.1/0", "0.0.0.0/0" },
	{ "10.255.255.255/9", "10.128.0.0/9" },
	{ "2001:db8::1", "2001:db8::1" },
	{ "[2001:db8::1]", "2001:db8::1" },
	{ "2001:DB8:0:0::1/128", "2001:db8::1" },
	{ "2001:db8:ffff::/33", "2001:db8:8000::/33" },
	{ "::/0", "::/0" },
	{ "::ffff:192.0.2.1", "192.0.2.1" },
	{ "::ffff:192.0.2.1/120", "192.0.2.0/24" },
	{ "::ffff:0.0.0.0/95", "::fffe:0:0/95" },
	{ "", NULL },
	{ "/24", NULL },
	{ "192.0.2.1/", NULL },
	{ "192.0.2.1/33", NULL },
	{ "192.0.2.1/-1", NULL },
	{ "192.0.2.1/0024", NULL },
	{ "192.0.2.1/24/24", NULL },
	{ "192.0.2", NULL },
	{ "192.0.2.256", NULL },
	{ "192.0.2.1 ", NULL },
	{ "2001:db8::1/129", NULL },
	{ "2001:db8:::1", NULL },
	{ "[2001:db8::1", NULL },
	{ "example.org", NULL },
	{ "1111:1111:1111:1111:1111:1111:1111:1111:1111:1111:1111:1111:1111",
	  NULL },
};

static void text_case_holds(void **state)
{
	const struct text_case *c = *state;
	struct ip_range range;
	char text[IP_TEXT_MAX];
	bool read = ip_range_read(span_str(c->name), &range);
	assert_int_equal(read, c->want != NULL);
	if (!read)
		return;
	ip_range_write(&range, text);
	assert_string_equal(text, c->want);
}

/* Bit by bit, as the definition has it. */
static bool naive_has(const struct ip_range *r, const struct ip *ip)
{
	for (unsigned i = 0; i < r->bits; i++)
		if ((r->ip.byte[i / 8] ^ ip->byte[i / 8]) >> (7 - i % 8) & 1)
			return false;
	return true;
}

static void those_in_range_share_its_bits(void **state)
{
	struct rng rng;
	size_t in = 0;
	(void)state;
	rng_seed(&rng, 1);
	for (int i = 0; i < 20000; i++) {
		struct ip_range r = { .bits = rng_below(&rng, 129) };
		struct ip ip;
		for (int k = 0; k < IP_BYTES; k++)
			r.ip.byte[k] = ip.byte[k] =
				(uint8_t)rng_below(&rng, 256);
		for (unsigned bit = r.bits; bit < 128; bit++)
			r.ip.byte[bit / 8] &= (uint8_t) ~(0x80u >> bit % 8);
		unsigned flip = rng_below(&rng, 128);
		ip.byte[flip / 8] ^= (uint8_t)(0x80u >> flip % 8);
		assert_int_equal(ip_range_has(&r, &ip), naive_has(&r, &ip));
		assert_int_equal(ip_range_has(&r, &ip), flip >= r.bits);
		in += flip >= r.bits;
	}
	assert_true(in > 5000 && in < 15000);
}

static void a_text_means_one_range(void **state)
{
	struct rng rng;
	(void)state;
	rng_seed(&rng, 2);
	for (int i = 0; i < 20000; i++) {
		struct ip_range r = { .bits = rng_below(&rng, 129) }, again;
		char text[IP_TEXT_MAX];
		for (unsigned bit = 0; bit < r.bits; bit++)
			if (rng_below(&rng, 3) == 0)
				r.ip.byte[bit / 8] |=
					(uint8_t)(0x80u >> bit % 8);
		ip_range_write(&r, text);
		assert_true(ip_range_read(span_str(text), &again));
		assert_int_equal(again.bits, r.bits);
		assert_memory_equal(again.ip.byte, r.ip.byte, IP_BYTES);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_in_range_share_its_bits),
		cmocka_unit_test(a_text_means_one_range),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + RUN_TABLE("texts", texts, text_case_holds);
}
