/* SPDX-License-Identifier: MIT */
#include "alloc.h"

static struct {
	size_t at, count;
	bool all, failed;
	int depth;
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
	alloc.count++;
	if (alloc.at == 0 || alloc.count < alloc.at ||
	    (alloc.count > alloc.at && !alloc.all))
		return false;
	alloc.failed = true;
	return true;
}
