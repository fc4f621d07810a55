/* SPDX-License-Identifier: MIT
 * hex.h - lower-case hexadecimal, the form of hashes, nonces and tokens. */
#ifndef PLYD_BASE_HEX_H
#define PLYD_BASE_HEX_H

#include "base/span.h"

/* Writes 2 * len digits and a NUL to out. */
void hex_write(const uint8_t *bytes, size_t len, char *out);

/* Reads lower-case hex into at most `max` bytes. Returns the count of bytes,
 * or -1 for an odd length, another character, or more than max bytes. */
long hex_read(struct span text, uint8_t *out, size_t max);

#endif
