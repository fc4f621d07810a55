/* SPDX-License-Identifier: MIT
 * grid.h - a screen as a table of cells that views draw into. It is no terminal
 * and does no I/O: tty.h puts a grid on one, tests read it as text. Whatever
 * does not fit is cut, so that views need not ask how large it is. */
#ifndef PLYD_SCREEN_GRID_H
#define PLYD_SCREEN_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum {
	GRID_ROWS_MAX = 100, /* a larger terminal uses its upper left corner */
	GRID_COLUMNS_MAX = 240,
	/* What views are made for; a smaller screen only says so. */
	GRID_ROWS_MIN = 24,
	GRID_COLUMNS_MIN = 80
};

/* What a sign is, rather than how it looks: tty.c knows the colours. */
enum ink {
	INK_TEXT,
	INK_FAINT,
	INK_GOOD,
	INK_BAD,
	INK_NAME,
	INK_WHITE, /* pieces */
	INK_BLACK,
	INK_COUNT
};

enum ground {
	GROUND_NONE,
	GROUND_TITLE, /* bars at the edges, and the chosen line of a list */
	GROUND_DARK,  /* squares and points */
	GROUND_STRIPE,
	GROUND_LIGHT,
	GROUND_BAR,
	GROUND_LAST,   /* the last move */
	GROUND_CHOSEN, /* the piece that is to move */
	GROUND_TARGET,
	GROUND_CURSOR,
	GROUND_COUNT
};

struct style {
	uint8_t ink;    /* enum ink */
	uint8_t ground; /* enum ground */
	bool bold;
};

struct cell {
	uint32_t sign; /* a code point; 0: the right half of a wide one */
	struct style style;
};

struct grid {
	int rows, columns;
	bool colour; /* the terminal has some: grounds tell what signs need not */
	bool utf8;   /* else ASCII stands for what is beyond it */
	int cursor_row,
		cursor_column; /* where text is typed; row -1: nowhere */
	struct cell cell[GRID_ROWS_MAX][GRID_COLUMNS_MAX];
};

/* Empties it, at this size or the nearest that there may be. */
void grid_clear(struct grid *g, int rows, int columns);

/* Writes UTF-8 from there, `most` columns at most (-1: to the edge); returns
 * the columns that it took. Control characters and what is no UTF-8 become ?,
 * what has no width is left out. */
int grid_put(struct grid *g, int row, int column, int most, struct style s,
	     const char *text);
/* The same, formatted; GRID_COLUMNS_MAX bytes at most, to the edge. */
int grid_printf(struct grid *g, int row, int column, struct style s,
		const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Fills a rectangle with one sign of one column. */
void grid_fill(struct grid *g, int row, int column, int rows, int columns,
	       struct style s, uint32_t sign);

/* Columns of one code point (0 to 2), and of a text. */
int sign_width(uint32_t sign);
int text_width(const char *text);
/* Takes the next code point of *text, which must not be at its end; what is no
 * UTF-8 gives ? for each byte. */
uint32_t text_next(const char **text);

/* Appends the rows up to the last that has anything, without the blanks at
 * their ends. Returns out->err. */
int grid_write(const struct grid *g, struct buf *out);

#endif
