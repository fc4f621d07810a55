/* SPDX-License-Identifier: MIT */
#include "alloc.h"

#include <stdatomic.h>

static struct {
	size_t at;
	bool all;
	atomic_size_t count;
	atomic_bool failed;
	atomic_int depth;
} alloc;

void alloc_fail(size_t n, bool all)
{
	alloc.at = n;
	alloc.all = all;
	alloc.count = 0;
	alloc.failed = false;
}

size_t alloc_count(void)
{
	return alloc.count;
}

bool alloc_failed(void)
{
	return alloc.failed;
}

void alloc_enter(void)
{
	alloc.depth++;
}

void alloc_leave(void)
{
	alloc.depth--;
}

bool alloc_fails_now(void)
{
	if (alloc.depth <= 0)
		return false;
	size_t n = ++alloc.count;
	if (alloc.at == 0 || n < alloc.at || (n > alloc.at && !alloc.all))
		return false;
	alloc.failed = true;
	return true;
}
