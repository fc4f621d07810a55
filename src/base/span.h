/* SPDX-License-Identifier: MIT
 * span.h - bytes that somebody else owns. A span never ends with a NUL; compare
 * with span_is(), not with C string functions. */
#ifndef PLYD_BASE_SPAN_H
#define PLYD_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
	const uint8_t *at;
	size_t len;
};

static inline struct span span_of(const void *at, size_t len)
{
	return (struct span){ at, len };
}

static inline struct span span_str(const char *text)
{
	return (struct span){ (const uint8_t *)text, strlen(text) };
}

static inline bool span_eq(struct span a, struct span b)
{
	return a.len == b.len && (a.len == 0 || !memcmp(a.at, b.at, a.len));
}

static inline bool span_is(struct span a, const char *text)
{
	return span_eq(a, span_str(text));
}

/* Copies a span into a C string of `size` bytes; false, and "" in out, if it
 * does not fit or holds a NUL. */
static inline bool span_copy(struct span s, char *out, size_t size)
{
	if (s.len >= size || (s.len > 0 && memchr(s.at, 0, s.len))) {
		out[0] = '\0';
		return false;
	}
	if (s.len > 0)
		memcpy(out, s.at, s.len);
	out[s.len] = '\0';
	return true;
}

#endif
