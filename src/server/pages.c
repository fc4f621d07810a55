/* SPDX-License-Identifier: MIT */
#include "server/pages.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	PAGE_BYTES = 4096,
	STEP_BYTES = 64 << 20, /* by which the heap grows */
	APART_BYTES = 4 << 20, /* from which on a block is mapped by itself */
	TRIM_BYTES = 2 * STEP_BYTES /* free at the end, given back */
};

static char *advised; /* so far */

void pages_extend(void)
{
	char *end = sbrk(0);
	if (end == advised)
		return;
	uintptr_t from = (uintptr_t)(end > advised ? advised : end);
	advised = end;
	from = (from + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	uintptr_t to = (uintptr_t)end / PAGE_BYTES * PAGE_BYTES;
	if (from < to)
		madvise((void *)from, to - from, MADV_HUGEPAGE);
}

void pages_begin(void)
{
	advised = sbrk(0);
	mallopt(M_TOP_PAD, STEP_BYTES);
	mallopt(M_MMAP_THRESHOLD, APART_BYTES);
	mallopt(M_TRIM_THRESHOLD, TRIM_BYTES);
	void *volatile first =
		malloc(APART_BYTES / 2); /* makes the first step */
	free(first);
	pages_extend();
}
