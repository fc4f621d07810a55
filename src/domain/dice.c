/* SPDX-License-Identifier: MIT */
#include "domain/dice.h"

enum { BYTES_USABLE = 252 }; /* the greatest multiple of 6 up to 256 */

static void put_u32(uint8_t out[4], uint32_t x)
{
	for (int i = 0; i < 4; i++)
		out[i] = (uint8_t)(x >> (24 - 8 * i));
}

struct dice dice_roll(struct span seed, const struct id *match,
		      struct span white_nonce, struct span black_nonce,
		      uint32_t roll)
{
	struct digest white = sha256(&white_nonce, 1);
	struct digest black = sha256(&black_nonce, 1);
	uint8_t roll_be[4], block_be[4];
	put_u32(roll_be, roll);
	int die[2], found = 0;
	for (uint32_t block = 0; found < 2; block++) {
		put_u32(block_be, block);
		const struct span part[] = {
			span_of("plyd-dice-1", 12), /* with its NUL */
			span_of(match->text, ID_CHARS + 1),
			span_of(white.byte, DIGEST_BYTES),
			span_of(black.byte, DIGEST_BYTES),
			span_of(roll_be, 4),
			span_of(block_be, 4),
		};
		struct digest d = hmac_sha256(seed, part, 6);
		for (int i = 0; i < DIGEST_BYTES && found < 2; i++)
			if (d.byte[i] < BYTES_USABLE)
				die[found++] = d.byte[i] % 6 + 1;
	}
	return (struct dice){ die[0], die[1] };
}
