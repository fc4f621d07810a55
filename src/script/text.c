/* SPDX-License-Identifier: MIT */
#include "script/text.h"

#include "proto/read.h"

static bool is_control(uint8_t c)
{
	return c < 0x20 || c == 0x7f;
}

/* The second byte of a character in UTF-8, or a later one. */
static bool continues(uint8_t c)
{
	return (c & 0xc0) == 0x80;
}

size_t text_clean(struct span text, char *out, size_t size)
{
	bool utf8 = utf8_valid(text);
	size_t len = text.len;
	if (len >= size) {
		len = size - 1;
		while (utf8 && len > 0 && continues(text.at[len]))
			len--;
	}
	for (size_t i = 0; i < len; i++) {
		uint8_t c = text.at[i];
		bool shown = !is_control(c) && (c < 0x80 || utf8);
		out[i] = shown ? (char)c : '?';
	}
	out[len] = '\0';
	return len;
}

bool text_is_clean(struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (is_control(text.at[i]))
			return false;
	return utf8_valid(text);
}
