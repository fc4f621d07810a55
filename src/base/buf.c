/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include <plyd/err.h>

enum { BUF_CAP_FIRST = 256 };

void buf_init(struct buf *b, size_t max)
{
	*b = (struct buf){ .max = max };
}

void buf_release(struct buf *b)
{
	free(b->at);
	buf_init(b, b->max);
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	b->err = PLYD_OK;
}

int buf_reserve(struct buf *b, size_t more)
{
	if (b->err)
		return b->err;
	if (more > b->max - b->len)
		return b->err = PLYD_ETOOLARGE;
	if (b->len + more <= b->cap)
		return PLYD_OK;
	size_t cap = b->cap ? b->cap : BUF_CAP_FIRST;
	while (cap < b->len + more)
		cap *= 2;
	/* what is allocated may be filled, without another look */
	if (cap > b->max)
		cap = b->max;
	uint8_t *at = realloc(b->at, cap);
	if (!at)
		return b->err = PLYD_ENOMEM;
	b->at = at;
	b->cap = cap;
	return PLYD_OK;
}

int buf_put_str(struct buf *b, const char *text)
{
	return buf_put(b, text, strlen(text));
}

int buf_printf(struct buf *b, const char *format, ...)
{
	char text[512];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	assert(n >= 0);
	if ((size_t)n < sizeof(text))
		return buf_put(b, text, (size_t)n);
	/* vsnprintf also wants the NUL, which is not kept */
	if (buf_reserve(b, (size_t)n + 1))
		return b->err;
	va_start(args, format);
	vsnprintf((char *)b->at + b->len, (size_t)n + 1, format, args);
	va_end(args);
	b->len += (size_t)n;
	return PLYD_OK;
}

void buf_drop(struct buf *b, size_t n)
{
	assert(n <= b->len);
	if (n == 0)
		return;
	memmove(b->at, b->at + n, b->len - n);
	b->len -= n;
}
