/* SPDX-License-Identifier: MIT */
#include "screen/log.h"

#include <string.h>

static void add_line(struct log *l, enum log_kind kind, const char *text,
		     size_t len)
{
	struct log_line *line = &l->line[l->count % LOG_LINES_MAX];
	if (len == 0)
		return;
	if (len >= LOG_LINE_BYTES)
		len = LOG_LINE_BYTES - 1;
	line->kind = kind;
	memcpy(line->text, text, len);
	line->text[len] = '\0';
	l->count++;
}

void log_add(struct log *l, enum log_kind kind, const char *text, size_t len)
{
	const char *end = text + len;
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		stop = stop ? stop : end;
		add_line(l, kind, text, (size_t)(stop - text));
		text = stop + 1;
	}
}

/* The end of the row that begins at text: at the last blank that fits, or
 * where it is full. */
static const char *row_stop(const char *text, int columns)
{
	const char *blank = NULL, *at = text;
	int used = 0;
	while (*at) {
		const char *next = at;
		used += sign_width(text_next(&next));
		if (used > columns)
			return blank ? blank : at > text ? at : next;
		if (*at == ' ' && at > text)
			blank = at;
		at = next;
	}
	return at;
}

static const char *row_next(const char *stop)
{
	while (*stop == ' ')
		stop++;
	return stop;
}

static int rows_of(const struct log_line *line, int columns)
{
	int rows = 0;
	for (const char *at = line->text; *at;
	     at = row_next(row_stop(at, columns)))
		rows++;
	return rows;
}

static struct style style_of(const struct log_line *line)
{
	return (struct style){ .ink = line->kind == LOG_CHAT ? INK_TEXT
							     : INK_FAINT };
}

static void put_name(struct grid *g, int row, int column, int columns,
		     const struct log_line *line)
{
	const struct style s = { .ink = INK_NAME, .bold = true };
	char name[LOG_LINE_BYTES];
	size_t len = strcspn(line->text, ":");
	memcpy(name, line->text, len);
	name[len] = '\0';
	if (text_width(name) <= columns)
		grid_put(g, row, column, columns, s, name);
}

/* The rows of a line, those that lie in 0..rows - 1 of the window. */
static void put_line(const struct log_line *line, struct grid *g, int row,
		     int column, int columns, int from, int rows)
{
	char text[LOG_LINE_BYTES];
	int at = from;
	for (const char *begin = line->text; *begin; at++) {
		const char *stop = row_stop(begin, columns);
		memcpy(text, begin, (size_t)(stop - begin));
		text[stop - begin] = '\0';
		if (at >= 0 && at < rows)
			grid_put(g, row + at, column, columns, style_of(line),
				 text);
		if (at == from && at >= 0 && at < rows &&
		    line->kind == LOG_CHAT)
			put_name(g, row + at, column, columns, line);
		begin = row_next(stop);
	}
}

void log_put(const struct log *l, struct grid *g, int row, int column, int rows,
	     int columns, int back)
{
	int at = rows + back;
	unsigned kept = l->count < LOG_LINES_MAX ? l->count : LOG_LINES_MAX;
	if (columns < 1)
		return;
	for (unsigned i = 0; i < kept && at > 0; i++) {
		const struct log_line *line =
			&l->line[(l->count - 1 - i) % LOG_LINES_MAX];
		at -= rows_of(line, columns);
		put_line(line, g, row, column, columns, at, rows);
	}
}
