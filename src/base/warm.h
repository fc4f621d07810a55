/* SPDX-License-Identifier: MIT
 * warm.h - memory that will be looked at soon, but is not yet: who asks for it
 * ahead does not wait for each of its lines in turn. */
#ifndef PLYD_BASE_WARM_H
#define PLYD_BASE_WARM_H

#include <stddef.h>

enum { CACHE_LINE_BYTES = 64 };

/* Has the processor fetch bytes into its cache, and goes on at once. Changes
 * nothing; `at` may be any address, NULL too. */
static inline void warm(const void *at, size_t bytes)
{
	const char *byte = at;
	for (size_t i = 0; i < bytes; i += CACHE_LINE_BYTES)
		__builtin_prefetch(byte + i);
}

#endif
