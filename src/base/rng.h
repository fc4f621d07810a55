/* SPDX-License-Identifier: MIT
 * rng.h - the two sources of chance. `struct rng` is fast, small and good
 * enough for search, tests and noise: xoshiro256** (Blackman and Vigna, 2018),
 * seeded by splitmix64. `struct entropy` is for what nobody may guess (ids,
 * tokens, dice seeds): the ChaCha20 key stream of a 32-byte key, so that a
 * simulation may fix the key and the server takes it from the system. */
#ifndef PLYD_BASE_RNG_H
#define PLYD_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t s[4];
};

void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
/* Uniform in 0..n-1, without bias; n > 0. */
uint32_t rng_below(struct rng *r, uint32_t n);

enum { ENTROPY_KEY_BYTES = 32, ENTROPY_READY_BYTES = 512 };

struct entropy {
	uint8_t key[ENTROPY_KEY_BYTES];
	uint64_t blocks; /* 64-byte blocks made so far */
	size_t left;     /* of them, not given out yet: the last of ready */
	uint8_t ready[ENTROPY_READY_BYTES];
};

/* From the operating system. */
void entropy_from_system(struct entropy *e);
/* The same stream for the same seed: tests and simulation only. */
void entropy_from_seed(struct entropy *e, uint64_t seed);
/* Fills out with what comes next in the stream; what was given out is not kept.
 */
void entropy_fill(struct entropy *e, uint8_t *out, size_t len);

#endif
