/* SPDX-License-Identifier: MIT
 * Eight rows of squares of five columns. Without colour each has one line, and
 * rules between the squares; with colour two, and grounds instead of rules.
 * Numeric games number every square, the others have letters and digits at the
 * edges. */
#include <stdio.h>

#include "ply/board_priv.h"

enum { SIDE_SQUARES = 8 };

static const char left_margin[] = "     ";

/* The option's first value is 0. */
static bool is_numeric(const struct ruleset *rs)
{
	return rs->draughts.notation == 0;
}

static bool is_played_on(const struct ruleset *rs, unsigned square)
{
	bool dark = (square / SIDE_SQUARES + square % SIDE_SQUARES) % 2 == 0;
	return rs->draughts.squares != 0 || dark;
}

/* The square that is shown in this row and column, from the top left. */
static unsigned square_at(const struct board_look *look, unsigned row,
			  unsigned column)
{
	unsigned square = (SIDE_SQUARES - 1 - row) * SIDE_SQUARES + column;
	return look->bottom == WHITE ? square : 63 - square;
}

static void rule(struct buf *out, const char *left, const char *middle,
		 const char *right)
{
	buf_put_str(out, left_margin);
	buf_put_str(out, left);
	for (unsigned i = 0; i < SIDE_SQUARES; i++) {
		buf_put_str(out, "─────");
		buf_put_str(out, i + 1 < SIDE_SQUARES ? middle : right);
	}
	buf_put_byte(out, '\n');
}

/* Squares are numbered from Black's side: 1 to 4 on its first row. */
static void draw_number(const struct ruleset *rs, const struct board_look *look,
			unsigned square, int ground, struct buf *out)
{
	char text[4] = "  ";
	unsigned row = SIDE_SQUARES - 1 - square / SIDE_SQUARES;
	if (is_numeric(rs) && is_played_on(rs, square))
		snprintf(text, sizeof(text), "%2u",
			 4 * row + square % SIDE_SQUARES / 2 + 1);
	paint(out, look, 250, ground, text);
}

static void draw_piece(const struct position *pos,
		       const struct board_look *look, unsigned square,
		       int ground, struct buf *out)
{
	const struct draughts_position *d = &pos->draughts;
	uint64_t bit = UINT64_C(1) << square;
	if ((d->pieces[WHITE] | d->pieces[BLACK]) & bit) {
		enum side side = d->pieces[WHITE] & bit ? WHITE : BLACK;
		paint(out, look, piece_ink(side), ground,
		      piece_sign(look, side, d->kings & bit));
	} else {
		paint(out, look, INK_NONE, ground, " ");
	}
	bool star = is_marked(look, square) && !look->colour;
	paint(out, look, INK_NONE, ground, star ? "* " : "  ");
}

/* With colour the number has the first line of a square and the piece the
 * second. */
static void draw_square(const struct ruleset *rs, const struct position *pos,
			const struct board_look *look, unsigned square,
			unsigned line, struct buf *out)
{
	bool dark = (square / SIDE_SQUARES + square % SIDE_SQUARES) % 2 == 0;
	int light = is_played_on(rs, square) ? GROUND_FIELD_2 : GROUND_LIGHT;
	int ground = is_marked(look, square) ? GROUND_MARKED
		     : dark                  ? GROUND_FIELD
					     : light;
	if (!look->colour || line == 0)
		draw_number(rs, look, square, ground, out);
	else
		paint(out, look, INK_NONE, ground, "  ");
	if (!look->colour || line == 1)
		draw_piece(pos, look, square, ground, out);
	else
		paint(out, look, INK_NONE, ground, "   ");
}

static void draw_line(const struct ruleset *rs, const struct position *pos,
		      const struct board_look *look, unsigned row,
		      unsigned line, struct buf *out)
{
	bool last = line == (look->colour ? 1u : 0u);
	if (is_numeric(rs) || !last)
		buf_put_str(out, left_margin);
	else
		buf_printf(out, "   %u ",
			   square_at(look, row, 0) / SIDE_SQUARES + 1);
	for (unsigned column = 0; column < SIDE_SQUARES; column++) {
		if (!look->colour)
			buf_put_str(out, "│");
		draw_square(rs, pos, look, square_at(look, row, column), line,
			    out);
	}
	buf_put_str(out, look->colour ? "\n" : "│\n");
}

static void draw_letters(const struct board_look *look, struct buf *out)
{
	int width = look->colour ? 5 : 6, first = look->colour ? 3 : 4;
	buf_put_str(out, left_margin);
	for (unsigned column = 0; column < SIDE_SQUARES; column++)
		buf_printf(out, "%*c", column == 0 ? first : width,
			   'a' + (int)(square_at(look, 0, column) %
				       SIDE_SQUARES));
	buf_put_byte(out, '\n');
}

static void draw_key(const struct position *pos, const struct board_look *look,
		     struct buf *out)
{
	const struct draughts_position *d = &pos->draughts;
	for (int side = WHITE; side <= BLACK; side++) {
		unsigned kings = (unsigned)__builtin_popcountll(
			d->pieces[side] & d->kings);
		unsigned men =
			(unsigned)__builtin_popcountll(d->pieces[side]) - kings;
		buf_put_str(out, side == WHITE ? left_margin : "    ");
		paint(out, look, piece_ink((enum side)side), GROUND_FIELD,
		      piece_sign(look, (enum side)side, false));
		paint(out, look, piece_ink((enum side)side), GROUND_FIELD,
		      piece_sign(look, (enum side)side, true));
		buf_printf(out, " %s %u+%u", side_label((enum side)side), men,
			   kings);
	}
	buf_printf(out, "    %s to move\n", side_label((enum side)pos->side));
}

void board_draw_draughts(const struct ruleset *rs, const struct position *pos,
			 const struct board_look *look, struct buf *out)
{
	if (!look->colour)
		rule(out, "┌", "┬", "┐");
	for (unsigned row = 0; row < SIDE_SQUARES; row++) {
		if (row > 0 && !look->colour)
			rule(out, "├", "┼", "┤");
		for (unsigned line = 0; line < (look->colour ? 2 : 1); line++)
			draw_line(rs, pos, look, row, line, out);
	}
	if (!look->colour)
		rule(out, "└", "┴", "┘");
	if (!is_numeric(rs))
		draw_letters(look, out);
	buf_put_byte(out, '\n');
	draw_key(pos, look, out);
}
