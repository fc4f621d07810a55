/* SPDX-License-Identifier: MIT */
#include "screen/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

static int within(int value, int most)
{
	return value < 0 ? 0 : value > most ? most : value;
}

void grid_clear(struct grid *g, int rows, int columns)
{
	g->rows = within(rows, GRID_ROWS_MAX);
	g->columns = within(columns, GRID_COLUMNS_MAX);
	g->cursor_row = -1;
	g->cursor_column = 0;
	grid_fill(g, 0, 0, g->rows, g->columns, (struct style){ 0 }, ' ');
}

/* -- text -- */

int sign_width(uint32_t sign)
{
	return utf8proc_charwidth((utf8proc_int32_t)sign);
}

static bool is_control(uint32_t sign)
{
	return sign < ' ' || (sign >= 0x7f && sign < 0xa0);
}

uint32_t text_next(const char **text)
{
	utf8proc_int32_t sign;
	const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)*text;
	utf8proc_ssize_t n = utf8proc_iterate(at, -1, &sign);
	if (n <= 0 || sign < 0) {
		*text += 1;
		return '?';
	}
	*text += n;
	return is_control((uint32_t)sign) ? '?' : (uint32_t)sign;
}

int text_width(const char *text)
{
	int width = 0;
	while (*text)
		width += sign_width(text_next(&text));
	return width;
}

/* What stands for a sign of ours where there is only ASCII. */
static uint32_t plain(uint32_t sign)
{
	static const struct {
		uint32_t sign;
		char plain;
	} all[] = {
		{ 0x2500, '-' }, { 0x2502, '|' }, { 0x250c, '+' },
		{ 0x2510, '+' }, { 0x2514, '+' }, { 0x2518, '+' },
		{ 0x251c, '+' }, { 0x2524, '+' }, { 0x252c, '+' },
		{ 0x2534, '+' }, { 0x253c, '+' }, { 0x2591, ':' },
		{ 0x00b7, '.' }, { 0x25c7, '+' }, { 0x25b6, '>' },
		{ 0x25cb, 'w' }, { 0x25cf, 'b' }, { 0x25ce, 'W' },
		{ 0x25c9, 'B' }, { 0x2013, '-' }, { 0x2191, '^' },
		{ 0x2193, 'v' }, { 0x2190, '<' }, { 0x2192, '>' },
	};
	if (sign < 0x80)
		return sign;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].sign == sign)
			return (unsigned char)all[i].plain;
	return '?';
}

static bool is_inside(const struct grid *g, int row, int column)
{
	return row >= 0 && row < g->rows && column >= 0 && column < g->columns;
}

static void set(struct grid *g, int row, int column, struct style s,
		uint32_t sign)
{
	if (is_inside(g, row, column))
		g->cell[row][column] = (struct cell){ sign, s };
}

int grid_put(struct grid *g, int row, int column, int most, struct style s,
	     const char *text)
{
	int used = 0;
	if (most < 0 || most > g->columns - column)
		most = g->columns - column;
	while (*text) {
		uint32_t sign = text_next(&text);
		int width = sign_width(sign);
		if (width == 0)
			continue;
		if (!g->utf8 && sign >= 0x80) {
			sign = plain(sign);
			width = 1;
		}
		if (used + width > most)
			break;
		set(g, row, column + used, s, sign);
		if (width == 2)
			set(g, row, column + used + 1, s, 0);
		used += width;
	}
	return used;
}

int grid_printf(struct grid *g, int row, int column, struct style s,
		const char *format, ...)
{
	char text[GRID_COLUMNS_MAX + 1];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return grid_put(g, row, column, -1, s, text);
}

void grid_fill(struct grid *g, int row, int column, int rows, int columns,
	       struct style s, uint32_t sign)
{
	if (!g->utf8)
		sign = plain(sign);
	for (int r = row; r < row + rows; r++)
		for (int c = column; c < column + columns; c++)
			set(g, r, c, s, sign);
}

/* -- as text -- */

static int row_end(const struct grid *g, int row)
{
	int end = g->columns;
	while (end > 0 && g->cell[row][end - 1].sign == ' ')
		end--;
	return end;
}

int grid_write(const struct grid *g, struct buf *out)
{
	int rows = g->rows;
	while (rows > 0 && row_end(g, rows - 1) == 0)
		rows--;
	for (int r = 0; r < rows; r++) {
		int end = row_end(g, r);
		for (int c = 0; c < end; c++) {
			utf8proc_uint8_t bytes[4];
			uint32_t sign = g->cell[r][c].sign;
			if (sign == 0)
				continue;
			buf_put(out, bytes,
				(size_t)utf8proc_encode_char((utf8proc_int32_t)
								     sign,
							     bytes));
		}
		buf_put_byte(out, '\n');
	}
	return out->err;
}
