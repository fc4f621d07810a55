/* SPDX-License-Identifier: MIT */
#include "base/id.h"

static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";

struct id id_new(struct entropy *e)
{
	struct id out = { "" };
	uint8_t byte[ID_CHARS];
	entropy_fill(e, byte, sizeof(byte));
	for (int i = 0; i < ID_CHARS; i++)
		out.text[i] = alphabet[byte[i] & 31];
	return out;
}

bool id_read(struct span text, struct id *out)
{
	*out = (struct id){ "" };
	if (text.len != ID_CHARS)
		return false;
	for (size_t i = 0; i < text.len; i++)
		if (!text.at[i] || !strchr(alphabet, text.at[i]))
			return false;
	memcpy(out->text, text.at, ID_CHARS);
	return true;
}
