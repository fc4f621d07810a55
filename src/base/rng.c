/* SPDX-License-Identifier: MIT */
#include "base/rng.h"

#include <assert.h>
#include <string.h>

#include <sodium.h>

static uint64_t splitmix64(uint64_t *x)
{
	uint64_t z = *x += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

void rng_seed(struct rng *r, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		r->s[i] = splitmix64(&seed);
}

static uint64_t rotl(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

uint64_t rng_next(struct rng *r)
{
	uint64_t out = rotl(r->s[1] * 5, 7) * 9;
	uint64_t t = r->s[1] << 17;
	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = rotl(r->s[3], 45);
	return out;
}

uint32_t rng_below(struct rng *r, uint32_t n)
{
	assert(n > 0);
	uint32_t reject = (uint32_t)-n % n;
	for (;;) {
		uint32_t x = (uint32_t)(rng_next(r) >> 32);
		if (x >= reject)
			return x % n;
	}
}

void entropy_from_system(struct entropy *e)
{
	randombytes_buf(e->key, sizeof(e->key));
	e->blocks = 0;
	e->left = 0;
}

void entropy_from_seed(struct entropy *e, uint64_t seed)
{
	struct rng r;
	rng_seed(&r, seed);
	for (size_t i = 0; i < sizeof(e->key); i += sizeof(uint64_t)) {
		uint64_t x = rng_next(&r);
		memcpy(e->key + i, &x, sizeof(x));
	}
	e->blocks = 0;
	e->left = 0;
}

static void make_stream(struct entropy *e, uint8_t *out, size_t len)
{
	static const uint8_t nonce[crypto_stream_chacha20_NONCEBYTES];
	memset(out, 0, len);
	crypto_stream_chacha20_xor_ic(out, out, len, nonce, e->blocks, e->key);
	e->blocks += (len + 63) / 64;
}

/* Many blocks at once cost little more than one. */
void entropy_fill(struct entropy *e, uint8_t *out, size_t len)
{
	if (len > sizeof(e->ready)) {
		make_stream(e, out, len);
		return;
	}
	if (len > e->left) {
		make_stream(e, e->ready, sizeof(e->ready));
		e->left = sizeof(e->ready);
	}
	uint8_t *next = e->ready + sizeof(e->ready) - e->left;
	memcpy(out, next, len);
	memset(next, 0, len);
	e->left -= len;
}
