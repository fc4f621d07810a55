/* SPDX-License-Identifier: MIT
 * bytes.h - messages for tests written as hex, with repetition. */
#ifndef PLYD_TESTS_BYTES_H
#define PLYD_TESTS_BYTES_H

#include <ctype.h>
#include <stdlib.h>

#include "base/buf.h"

/* Appends hex such as "93 02 a1" to b; "91*33" is 91 thirty-three times. */
static inline void put_hex_text(struct buf *b, const char *text)
{
	while (*text) {
		if (isspace((unsigned char)*text)) {
			text++;
			continue;
		}
		char pair[3] = { text[0], text[1], '\0' }, *end;
		uint8_t byte = (uint8_t)strtoul(pair, NULL, 16);
		unsigned long times = 1;
		text += 2;
		if (*text == '*') {
			times = strtoul(text + 1, &end, 10);
			text = end;
		}
		while (times-- > 0)
			buf_put_byte(b, byte);
	}
}

#endif
