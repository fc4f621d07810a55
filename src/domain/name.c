/* SPDX-License-Identifier: MIT */
#include "domain/name.h"

#include <stdlib.h>
#include <string.h>

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

bool name_clean(struct span name, char out[NAME_BYTES_MAX + 1])
{
	utf8proc_uint8_t *nfc = NULL;
	utf8proc_ssize_t len =
		utf8proc_map(name.at, (utf8proc_ssize_t)name.len, &nfc,
			     UTF8PROC_COMPOSE | UTF8PROC_STABLE);
	int count = len > 0 ? count_chars(nfc, len) : -1;
	bool good =
		count >= NAME_CHARS_LEAST && count <= NAME_CHARS_MOST &&
		span_copy(span_of(nfc, (size_t)len), out, NAME_BYTES_MAX + 1);
	free(nfc);
	return good;
}

bool name_key(const char *name, char out[NAME_KEY_MAX])
{
	utf8proc_uint8_t *key =
		utf8proc_NFKC_Casefold((const utf8proc_uint8_t *)name);
	bool good = key &&
		    span_copy(span_str((const char *)key), out, NAME_KEY_MAX);
	free(key);
	return good;
}

bool name_is_reserved(const char *key)
{
	static const char *const reserved[] = {
		"admin", "administrator", "moderator", "operator",
		"plyd",  "server",        "support",   "system",
		"root",  "staff",         "nobody",    DELETED_NAME,
	};
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (!strcmp(key, reserved[i]))
			return true;
	return false;
}

bool login_is_good(struct span login)
{
	if (login.len < NAME_CHARS_LEAST || login.len > LOGIN_BYTES_MAX)
		return false;
	for (size_t i = 0; i < login.len; i++) {
		uint8_t c = login.at[i];
		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') &&
		    c != '-' && c != '_')
			return false;
	}
	return true;
}
