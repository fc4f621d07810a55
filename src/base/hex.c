/* SPDX-License-Identifier: MIT */
#include "base/hex.h"

void hex_write(const uint8_t *bytes, size_t len, char *out)
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < len; i++) {
		*out++ = digits[bytes[i] >> 4];
		*out++ = digits[bytes[i] & 15];
	}
	*out = '\0';
}

static int digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

long hex_read(struct span text, uint8_t *out, size_t max)
{
	if (text.len % 2 != 0 || text.len / 2 > max)
		return -1;
	for (size_t i = 0; i < text.len / 2; i++) {
		int high = digit(text.at[2 * i]);
		int low = digit(text.at[2 * i + 1]);
		if (high < 0 || low < 0)
			return -1;
		out[i] = (uint8_t)(high << 4 | low);
	}
	return (long)(text.len / 2);
}
