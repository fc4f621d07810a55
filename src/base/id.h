/* SPDX-License-Identifier: MIT
 * id.h - ids of players, lobbies and matches: 10 characters of lower-case
 * base32 (a-z, 2-7), 50 random bits, unique over nodes. An id is public and is
 * never a credential. */
#ifndef PLYD_BASE_ID_H
#define PLYD_BASE_ID_H

#include "base/rng.h"
#include "base/span.h"

enum { ID_CHARS = 10 };

struct id {
	char text[ID_CHARS + 1]; /* ends with NUL; all NUL = no id */
};

struct id id_new(struct entropy *e);
/* False, and no id in *out, if the text is not an id. */
bool id_read(struct span text, struct id *out);

static inline bool id_eq(const struct id *a, const struct id *b)
{
	return !memcmp(a->text, b->text, ID_CHARS);
}

static inline bool id_is_none(const struct id *a)
{
	return a->text[0] == '\0';
}

#endif
