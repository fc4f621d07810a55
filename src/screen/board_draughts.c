/* SPDX-License-Identifier: MIT
 * Eight rows of squares of five columns and two lines: its number and, below, its
 * piece. Squares that are not played on are grey. */
#include <stdio.h>

#include "screen/board_priv.h"

enum { SIDE_SQUARES = 8, SQUARE_ROWS = 2, SQUARE_COLUMNS = 5, MARGIN = 3 };

static bool is_numeric(const struct ruleset *rs)
{
	return rs->draughts.notation == 0; /* the option's first value */
}

static bool is_played_on(const struct ruleset *rs, int square)
{
	bool dark = (square / SIDE_SQUARES + square % SIDE_SQUARES) % 2 == 0;
	return rs->draughts.squares != 0 || dark;
}

/* The square that is shown in this row and column, from the top left. */
static int square_at(const struct board *b, int row, int column)
{
	int square = (SIDE_SQUARES - 1 - row) * SIDE_SQUARES + column;
	return b->bottom == WHITE ? square : 63 - square;
}

static enum ground plain_ground(const struct board *b, int square)
{
	bool dark = (square / SIDE_SQUARES + square % SIDE_SQUARES) % 2 == 0;
	if (!is_played_on(b->rules, square))
		return GROUND_LIGHT;
	return dark ? GROUND_DARK : GROUND_STRIPE;
}

/* Squares are numbered from Black's side: 1 to 4 on its first row. */
static int square_number(int square)
{
	int row = SIDE_SQUARES - 1 - square / SIDE_SQUARES;
	return 4 * row + square % SIDE_SQUARES / 2 + 1;
}

static void put_piece(struct grid *g, int row, int column,
		      const struct board *b, int square, struct style s)
{
	const struct draughts_position *d = &b->pos->draughts;
	bool empty = !has_place(d->pieces[WHITE] | d->pieces[BLACK], square);
	enum side side = has_place(d->pieces[WHITE], square) ? WHITE : BLACK;
	bool all_played = b->rules->draughts.squares != 0;
	if (!empty) {
		s.ink = side == WHITE ? INK_WHITE : INK_BLACK;
		grid_put(g, row, column, -1, s,
			 board_piece(g, side, has_place(d->kings, square)));
	} else if (has_place(b->targets, square)) {
		s.ink = INK_WHITE;
		grid_put(g, row, column, -1, s, "◇");
	} else if (all_played && !g->colour) {
		grid_put(g, row, column, -1, s, "·");
	}
}

static void put_square(struct grid *g, int row, int column,
		       const struct board *b, int square)
{
	enum ground ground = board_ground(b, square, plain_ground(b, square));
	struct style s = { .ink = INK_FAINT, .ground = ground };
	bool grey = !is_played_on(b->rules, square) && !g->colour;
	grid_fill(g, row, column, SQUARE_ROWS, SQUARE_COLUMNS, s,
		  grey ? 0x2591 : ' ');
	if (is_numeric(b->rules) && is_played_on(b->rules, square))
		grid_printf(g, row, column, s, "%2d", square_number(square));
	if (has_place(b->last, square))
		grid_put(g, row, column + 4, -1, s, "*");
	s.bold = true;
	put_piece(g, row + 1, column + 2, b, square, s);
	const char *ends = square == b->cursor            ? "[]"
			   : has_place(b->chosen, square) ? "()"
							  : NULL;
	if (!ends)
		return;
	s.ink = INK_WHITE;
	grid_fill(g, row + 1, column, 1, 1, s, (uint32_t)ends[0]);
	grid_fill(g, row + 1, column + 4, 1, 1, s, (uint32_t)ends[1]);
}

void draughts_put(struct grid *g, int row, int column, const struct board *b)
{
	const struct style faint = { .ink = INK_FAINT };
	for (int r = 0; r < SIDE_SQUARES; r++) {
		for (int c = 0; c < SIDE_SQUARES; c++)
			put_square(g, row + SQUARE_ROWS * r,
				   column + MARGIN + SQUARE_COLUMNS * c, b,
				   square_at(b, r, c));
		if (!is_numeric(b->rules))
			grid_printf(g, row + SQUARE_ROWS * r + 1, column, faint,
				    " %d", square_at(b, r, 0) / 8 + 1);
	}
	for (int c = 0; c < SIDE_SQUARES && !is_numeric(b->rules); c++)
		grid_printf(g, row + SQUARE_ROWS * SIDE_SQUARES,
			    column + MARGIN + SQUARE_COLUMNS * c + 2, faint,
			    "%c", 'a' + square_at(b, 0, c) % 8);
}

/* On the dark squares alone an arrow to the side goes two columns, one up or
 * down goes askew, and back again. */
int draughts_go(const struct board *b, int place, enum way way)
{
	bool white = b->bottom == WHITE;
	int shown = white ? place : 63 - place;
	int row = shown / SIDE_SQUARES, column = shown % SIDE_SQUARES;
	bool dark = b->rules->draughts.squares == 0;
	int step = dark ? 2 : 1;
	if (way == WAY_LEFT)
		column -= step;
	else if (way == WAY_RIGHT)
		column += step;
	else
		row += way == WAY_UP ? 1 : -1;
	if (dark && (way == WAY_UP || way == WAY_DOWN))
		column += row % 2 == 0 ? -1 : 1;
	if (row < 0 || row >= SIDE_SQUARES || column < 0 ||
	    column >= SIDE_SQUARES)
		return place;
	shown = row * SIDE_SQUARES + column;
	return white ? shown : 63 - shown;
}
