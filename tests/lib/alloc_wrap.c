/* SPDX-License-Identifier: MIT
 * What the linker puts in the place of malloc() and its kin, see alloc.h. */
#include "alloc.h"

#include <errno.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);

static bool fails(void)
{
	if (!alloc_fails_now())
		return false;
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = __wrap_malloc(size);
	return copy ? memcpy(copy, text, size) : NULL;
}
