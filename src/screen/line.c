/* SPDX-License-Identifier: MIT */
#include "screen/line.h"

#include <string.h>
#include <utf8proc.h>

void line_clear(struct line *l)
{
	l->text[0] = '\0';
	l->at = 0;
}

static size_t before(const struct line *l)
{
	size_t at = l->at;
	while (at > 0 && ((unsigned char)l->text[--at] & 0xc0) == 0x80)
		;
	return at;
}

static size_t after(const struct line *l)
{
	const char *at = l->text + l->at;
	if (*at)
		text_next(&at);
	return (size_t)(at - l->text);
}

static void cut(struct line *l, size_t from, size_t to)
{
	memmove(l->text + from, l->text + to, strlen(l->text + to) + 1);
	l->at = from;
}

static void insert(struct line *l, uint32_t sign)
{
	utf8proc_uint8_t bytes[4];
	size_t len = strlen(l->text);
	size_t n = (size_t)utf8proc_encode_char((utf8proc_int32_t)sign, bytes);
	if (n == 0 || len + n >= LINE_BYTES)
		return;
	memmove(l->text + l->at + n, l->text + l->at, len - l->at + 1);
	memcpy(l->text + l->at, bytes, n);
	l->at += n;
}

bool line_key(struct line *l, struct key key)
{
	switch (key.kind) {
	case PRESS_SIGN: insert(l, key.sign); break;
	case PRESS_LEFT: l->at = before(l); break;
	case PRESS_RIGHT: l->at = after(l); break;
	case PRESS_HOME: l->at = 0; break;
	case PRESS_END: l->at = strlen(l->text); break;
	case PRESS_BACKSPACE: cut(l, before(l), l->at); break;
	case PRESS_DELETE: cut(l, l->at, after(l)); break;
	case PRESS_CLEAR_LINE: line_clear(l); break;
	default: return false;
	}
	return true;
}

void line_put(const struct line *l, struct grid *g, int row, int column,
	      const char *prompt)
{
	const struct style bold = { .bold = true }, plain = { 0 };
	char head[LINE_BYTES];
	const char *from = l->text;
	column += grid_put(g, row, column, -1, bold, prompt);
	int room = g->columns - column - 1;
	memcpy(head, l->text, l->at);
	head[l->at] = '\0';
	const char *skip = head;
	while (*skip && text_width(skip) > room)
		text_next(&skip);
	from += skip - head;
	grid_put(g, row, column, -1, plain, from);
	g->cursor_row = row;
	g->cursor_column = column + text_width(skip);
}
