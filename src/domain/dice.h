/* SPDX-License-Identifier: MIT
 * dice.h - dice that can be proved fair. The server draws a seed of 32 random
 * bytes and publishes SHA-256(seed) before anything else; then each player may
 * send a nonce; then the rolls follow from all three, and the seed is opened
 * when the match has ended. */
#ifndef PLYD_DOMAIN_DICE_H
#define PLYD_DOMAIN_DICE_H

#include "base/digest.h"
#include "base/id.h"

struct dice {
	int first;
	int second;
};

/* Roll number `roll` of a match: the bytes of HMAC-SHA-256(key = seed,
 * "plyd-dice-1" 0 match 0 SHA-256(nonce of white) SHA-256(nonce of black)
 * u32be(roll) u32be(block)), block = 0, 1, ... in order, those >= 252 skipped,
 * die = byte % 6 + 1. A player without a nonce has the empty one. */
struct dice dice_roll(struct span seed, const struct id *match,
		      struct span white_nonce, struct span black_nonce,
		      uint32_t roll);

#endif
