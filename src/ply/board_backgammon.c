/* SPDX-License-Identifier: MIT
 * Twelve points above and below, four columns each, the bar between the halves
 * and what is borne off at the right. Points are numbered as the player below
 * counts them: 1 to 6 at the lower right are his home. */
#include <stdio.h>

#include "ply/board_priv.h"

enum { BAR = 25, STACK = 5, HALF = 6 };

static const char left_margin[] = "  ";

/* A stack of checkers as one place shows it. */
struct stack {
	enum side side;
	uint8_t count;
};

static struct stack point_stack(const struct position *pos,
				const struct board_look *look, int point)
{
	enum side below = look->bottom, above = side_other(below);
	uint8_t mine = pos->backgammon.point[below][point];
	if (mine > 0)
		return (struct stack){ below, mine };
	return (struct stack){ above,
			       pos->backgammon.point[above][BAR - point] };
}

/* One line of a stack, counted from the board's edge: a checker, or how many
 * there are where they do not fit. Three columns. */
static void draw_place(const struct board_look *look, struct stack s,
		       unsigned line, int ground, const char *empty,
		       struct buf *out)
{
	char number[8];
	if (s.count <= line) {
		paint(out, look, INK_FAINT, ground, empty);
	} else if (line == STACK - 1 && s.count > STACK) {
		snprintf(number, sizeof(number), "%2u ", s.count);
		paint(out, look, piece_ink(s.side), ground, number);
	} else {
		paint(out, look, INK_NONE, ground, " ");
		paint(out, look, piece_ink(s.side), ground,
		      piece_sign(look, s.side, false));
		paint(out, look, INK_NONE, ground, " ");
	}
}

static void draw_half(const struct position *pos, const struct board_look *look,
		      int first, int step, unsigned line, struct buf *out)
{
	for (int i = 0; i < HALF; i++) {
		int point = first + i * step;
		int ground = is_marked(look, (unsigned)point) ? GROUND_MARKED
							      : GROUND_FIELD;
		draw_place(look, point_stack(pos, look, point), line, ground,
			   point % 2 ? " · " : " : ", out);
		paint(out, look, INK_NONE, GROUND_FIELD, " ");
	}
}

/* A line of points: from the left of the upper or the lower side. Checkers wait
 * on the bar before the home that they enter. */
static void draw_line(const struct position *pos, const struct board_look *look,
		      bool upper, unsigned line, struct buf *out)
{
	enum side waits = upper ? look->bottom : side_other(look->bottom);
	struct stack bar = { waits, pos->backgammon.point[waits][BAR] };
	int first = upper ? 13 : 12, step = upper ? 1 : -1;
	buf_printf(out, "%s│", left_margin);
	draw_half(pos, look, first, step, line, out);
	buf_put_str(out, "│");
	draw_place(look, bar, line, GROUND_BAR, "   ", out);
	buf_put_str(out, "│");
	draw_half(pos, look, first + HALF * step, step, line, out);
	buf_put_str(out, "│");
	if (line == 0) {
		enum side owner = side_other(waits);
		buf_printf(out, " %2u off", pos->backgammon.point[owner][0]);
	}
	buf_put_byte(out, '\n');
}

/* Without colour a star follows the number of a marked point. */
static void draw_numbers(const struct board_look *look, bool upper,
			 struct buf *out)
{
	buf_put_str(out, left_margin);
	for (int i = 0; i < 2 * HALF; i++) {
		int point = upper ? 13 + i : 12 - i;
		bool star = is_marked(look, (unsigned)point) && !look->colour;
		buf_printf(out, "%3d%c", point, star ? '*' : ' ');
		if (i == HALF - 1)
			buf_put_str(out, upper ? " bar " : "     ");
	}
	buf_put_byte(out, '\n');
}

static void rule(struct buf *out, const char *left, const char *down,
		 const char *right)
{
	static const char half[] = "────────────────────────";
	buf_printf(out, "%s%s%s%s───%s%s%s\n", left_margin, left, half, down,
		   down, half, right);
}

static unsigned pips(const struct position *pos, enum side side)
{
	unsigned sum = 0;
	for (unsigned p = 1; p <= BAR; p++)
		sum += p * pos->backgammon.point[side][p];
	return sum;
}

static void draw_key(const struct position *pos, const struct board_look *look,
		     struct buf *out)
{
	for (int side = WHITE; side <= BLACK; side++) {
		buf_put_str(out, side == WHITE ? left_margin : "    ");
		paint(out, look, piece_ink((enum side)side), GROUND_FIELD,
		      piece_sign(look, (enum side)side, false));
		buf_printf(out, " %s %u pips", side_label((enum side)side),
			   pips(pos, (enum side)side));
	}
	buf_printf(out, "    %s to ", side_label((enum side)pos->side));
	if (pos->dice[0] > 0)
		buf_printf(out, "play %d-%d\n", pos->dice[0], pos->dice[1]);
	else
		buf_put_str(out, "throw\n");
}

void board_draw_backgammon(const struct position *pos,
			   const struct board_look *look, struct buf *out)
{
	draw_numbers(look, true, out);
	rule(out, "┌", "┬", "┐");
	for (unsigned line = 0; line < STACK; line++)
		draw_line(pos, look, true, line, out);
	rule(out, "├", "┼", "┤");
	for (unsigned line = STACK; line-- > 0;)
		draw_line(pos, look, false, line, out);
	rule(out, "└", "┴", "┘");
	draw_numbers(look, false, out);
	buf_put_byte(out, '\n');
	draw_key(pos, look, out);
}
