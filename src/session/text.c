/* SPDX-License-Identifier: MIT
 * text.c - what may be said: nothing that moves a terminal's cursor, nothing
 * that turns the direction of what stands around it. */
#include "session/text.h"

#include <utf8proc.h>

/* Unicode's explicit overrides, embeddings and isolates. */
static bool turns_direction(utf8proc_int32_t c)
{
	return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static bool is_control(utf8proc_category_t category)
{
	return category == UTF8PROC_CATEGORY_CC ||
	       category == UTF8PROC_CATEGORY_ZL ||
	       category == UTF8PROC_CATEGORY_ZP;
}

bool text_is_clean(struct span text)
{
	bool blank = true;
	for (size_t i = 0; i < text.len;) {
		utf8proc_int32_t c;
		utf8proc_ssize_t n =
			utf8proc_iterate(text.at + i,
					 (utf8proc_ssize_t)(text.len - i), &c);
		if (n < 1)
			return false;
		utf8proc_category_t category = utf8proc_category(c);
		if (turns_direction(c) || is_control(category))
			return false;
		blank = blank && (category == UTF8PROC_CATEGORY_ZS ||
				  category == UTF8PROC_CATEGORY_CF);
		i += (size_t)n;
	}
	return !blank;
}
