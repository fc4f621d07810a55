/* SPDX-License-Identifier: MIT */
#include "base/digest.h"

#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <sodium.h>

#include <plyd/err.h>
#include "base/hex.h"

int crypto_ready(void)
{
	return sodium_init() < 0 ? PLYD_EINTERNAL : PLYD_OK;
}

struct digest sha256(const struct span *part, size_t parts)
{
	/* nettle's uses the instructions that processors have for it, which
	 * makes it five times as fast as libsodium's */
	struct sha256_ctx state;
	struct digest out;
	sha256_init(&state);
	for (size_t i = 0; i < parts; i++)
		sha256_update(&state, part[i].len, part[i].at);
	sha256_digest(&state, sizeof(out.byte), out.byte);
	return out;
}

struct digest hmac_sha256(struct span key, const struct span *part,
			  size_t parts)
{
	struct hmac_sha256_ctx state;
	struct digest out;
	hmac_sha256_set_key(&state, key.len, key.at);
	for (size_t i = 0; i < parts; i++)
		hmac_sha256_update(&state, part[i].len, part[i].at);
	hmac_sha256_digest(&state, sizeof(out.byte), out.byte);
	sodium_memzero(&state, sizeof(state)); /* the key is a secret */
	return out;
}

void digest_hex(const struct digest *d, char out[DIGEST_HEX + 1])
{
	hex_write(d->byte, DIGEST_BYTES, out);
}

bool digest_read(struct span hex, struct digest *out)
{
	return hex.len == DIGEST_HEX &&
	       hex_read(hex, out->byte, DIGEST_BYTES) == DIGEST_BYTES;
}
