/* SPDX-License-Identifier: MIT
 * name.c - display names: letters of the Latin blocks (to U+024F), digits, - and
 * _, single spaces between, 2 to 20 characters, in NFC. */
#include "session/hub_priv.h"

#include <stdlib.h>

#include <utf8proc.h>

enum { LATIN_LAST = 0x24f };

static bool is_letter(utf8proc_int32_t c)
{
	utf8proc_category_t category = utf8proc_category(c);
	return c <= LATIN_LAST && category >= UTF8PROC_CATEGORY_LU &&
	       category <= UTF8PROC_CATEGORY_LO;
}

static bool is_name_char(utf8proc_int32_t c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/* Counts the characters of a name; -1 if it is not one. */
static int count_chars(const utf8proc_uint8_t *text, utf8proc_ssize_t len)
{
	int count = 0;
	bool space = true; /* none at the start */
	for (utf8proc_ssize_t i = 0; i < len; count++) {
		utf8proc_int32_t c;
		utf8proc_ssize_t n = utf8proc_iterate(text + i, len - i, &c);
		if (n < 1 || !(is_name_char(c) || (c == ' ' && !space)))
			return -1;
		space = c == ' ';
		i += n;
	}
	return space ? -1 : count;
}

bool name_clean(struct span name, char out[NAME_CLEAN_MAX])
{
	utf8proc_uint8_t *nfc = NULL;
	utf8proc_ssize_t len =
		utf8proc_map(name.at, (utf8proc_ssize_t)name.len, &nfc,
			     UTF8PROC_COMPOSE | UTF8PROC_STABLE);
	int count = len > 0 ? count_chars(nfc, len) : -1;
	bool good = count >= NAME_CHARS_MIN && count <= NAME_CHARS_MAX &&
		    span_copy(span_of(nfc, (size_t)len), out, NAME_CLEAN_MAX);
	free(nfc);
	return good;
}
