/* SPDX-License-Identifier: MIT
 * buf.h - a byte buffer that grows up to a named limit. It is not thread-safe.
 * Errors stick: after the first failure every call fails alike, so that a
 * writer may check once, at the end. */
#ifndef PLYD_BASE_BUF_H
#define PLYD_BASE_BUF_H

#include <stdarg.h>
#include "base/span.h"

struct buf {
	uint8_t *at;
	size_t len;
	size_t cap;
	size_t max; /* len never exceeds this */
	int err;    /* PLYD_OK, PLYD_ENOMEM or PLYD_ETOOLARGE */
};

/* An empty buffer that allocates nothing yet; release with buf_release(). */
void buf_init(struct buf *b, size_t max);
/* Frees the bytes; b is then as after buf_init(). */
void buf_release(struct buf *b);
/* Empties b, clears its error, keeps its memory. */
void buf_clear(struct buf *b);

/* Makes room for `more` further bytes. Returns as buf_put(). */
int buf_reserve(struct buf *b, size_t more);

/* Appends. Returns PLYD_OK, or the sticking error with b unchanged. */
static inline int buf_put(struct buf *b, const void *bytes, size_t len)
{
	if ((b->err || len > b->cap - b->len) && buf_reserve(b, len))
		return b->err;
	if (len > 0)
		memcpy(b->at + b->len, bytes, len);
	b->len += len;
	return 0;
}
static inline int buf_put_byte(struct buf *b, uint8_t byte)
{
	return buf_put(b, &byte, 1);
}
int buf_put_str(struct buf *b, const char *text);
int buf_printf(struct buf *b, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Drops the first n bytes (n <= len). */
void buf_drop(struct buf *b, size_t n);

static inline struct span buf_span(const struct buf *b)
{
	return span_of(b->at, b->len);
}

#endif
