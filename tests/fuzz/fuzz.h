/* SPDX-License-Identifier: MIT
 * fuzz.h - what every target shares: the function that libFuzzer calls, or
 * replay.c with the inputs that were kept, and what it insists on. */
#ifndef PLYD_TESTS_FUZZ_H
#define PLYD_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static inline void insist_at(int holds, const char *file, int line,
			     const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s:%d: %s does not hold\n", file, line, what);
	abort();
}
#define insist(holds) insist_at(!!(holds), __FILE__, __LINE__, #holds)

#endif
