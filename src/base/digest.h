/* SPDX-License-Identifier: MIT
 * digest.h - SHA-256 and HMAC-SHA-256, so that anyone can verify dice and
 * records with stock tools. Call crypto_ready() once per process before. */
#ifndef PLYD_BASE_DIGEST_H
#define PLYD_BASE_DIGEST_H

#include "base/span.h"

enum { DIGEST_BYTES = 32, DIGEST_HEX = 64 };

struct digest {
	uint8_t byte[DIGEST_BYTES];
};

/* Makes libsodium ready; may be called again. PLYD_EINTERNAL: it cannot. */
int crypto_ready(void);

/* SHA-256 of the parts one after another. */
struct digest sha256(const struct span *part, size_t parts);
/* HMAC-SHA-256 of the parts one after another. */
struct digest hmac_sha256(struct span key, const struct span *part,
			  size_t parts);

static inline bool digest_eq(const struct digest *a, const struct digest *b)
{
	return !memcmp(a->byte, b->byte, DIGEST_BYTES);
}

/* Lower-case hex with a NUL. */
void digest_hex(const struct digest *d, char out[DIGEST_HEX + 1]);
/* False: not just 64 lower-case hex digits. */
bool digest_read(struct span hex, struct digest *out);

#endif
