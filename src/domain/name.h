/* SPDX-License-Identifier: MIT
 * name.h - display names and logins: what one may look like, and which two are
 * the same to a person. Pure. */
#ifndef PLYD_DOMAIN_NAME_H
#define PLYD_DOMAIN_NAME_H

#include "base/span.h"
#include "domain/limits.h"

enum { NAME_CHARS_LEAST = 2, NAME_CHARS_MOST = 20, NAME_KEY_MAX = 128 };

/* What a deleted account is called wherever it played. */
#define DELETED_NAME "deleted"

/* Checks a display name and writes it in NFC: letters of the Latin blocks (to
 * U+024F), digits, - and _, single spaces between, 2 to 20 characters. False:
 * not a name. */
bool name_clean(struct span name, char out[NAME_BYTES_MAX + 1]);

/* Two names are one if their keys are: NFKC_Casefold of Unicode. name must be
 * clean. False: no memory. */
bool name_key(const char *name, char out[NAME_KEY_MAX]);

/* Whether nobody may be called so, or log in so, because it would look like the
 * server or its operator. */
bool name_is_reserved(const char *key);

/* [a-z0-9_-]{2,20} */
bool login_is_good(struct span login);

#endif
