/* SPDX-License-Identifier: MIT
 * Twelve points above and below, three columns each, the bar between the halves
 * and what is borne off at the right. Points are numbered as the player below
 * counts them: 1 to 6 at the lower right are his home. Dice lie in the middle,
 * in the half of who threw them; the cube lies on the bar, at its owner's edge. */
#include <stdio.h>

#include "screen/board_priv.h"

enum {
	HALF = 6,
	STACK = 5,
	POINT_COLUMNS = 3,
	HALF_COLUMNS = HALF * POINT_COLUMNS,
	LEFT = 2, /* of the frame */
	BAR_LEFT = LEFT + 1 + HALF_COLUMNS,
	RIGHT_HALF = BAR_LEFT + 1 + POINT_COLUMNS + 1,
	OFF_LEFT = RIGHT_HALF + HALF_COLUMNS + 1,
	UPPER = 2, /* the first line of the points above */
	MIDDLE = UPPER + STACK,
	LOWER = MIDDLE + STACK, /* the last line of those below */
};

/* A board that is being drawn, and where in the grid. */
struct paper {
	struct grid *g;
	int row, column;
	const struct board *b;
};

/* Checkers of one side on one place. */
struct stack {
	enum side side;
	int count;
};

static struct stack point_stack(const struct board *b, int point)
{
	const struct backgammon_position *p = &b->pos->backgammon;
	enum side below = b->bottom, above = side_other(below);
	if (p->point[below][point] > 0)
		return (struct stack){ below, p->point[below][point] };
	return (struct stack){ above, p->point[above][PICK_BAR - point] };
}

static int point_column(int point)
{
	int i = point > 12 ? point - 13 : 12 - point;
	return i < HALF ? LEFT + 1 + POINT_COLUMNS * i
			: RIGHT_HALF + POINT_COLUMNS * (i - HALF);
}

/* Line i of a place, counted from the board's edge. */
static int line_row(bool upper, int line)
{
	return upper ? UPPER + line : LOWER - line;
}

static void put(const struct paper *p, int row, int column, struct style s,
		const char *text)
{
	grid_put(p->g, p->row + row, p->column + column, -1, s, text);
}

static void put_number(const struct paper *p, int row, int column,
		       struct style s, int number)
{
	grid_printf(p->g, p->row + row, p->column + column, s, "%2d", number);
}

/* Line `line` of a stack that has `lines` of them: a checker, or how many there
 * are where they do not fit. */
static void put_checker(const struct paper *p, int row, int column,
			struct style s, struct stack k, int line, int lines)
{
	s.bold = true;
	s.ink = k.side == WHITE ? INK_WHITE : INK_BLACK;
	if (line >= k.count)
		return;
	if (line == lines - 1 && k.count > lines)
		put_number(p, row, column, s, k.count);
	else
		put(p, row, column + 1, s, board_piece(p->g, k.side, false));
}

/* The cursor, or brackets of what is chosen, round the first checker; a target
 * where the next one would lie. */
static void put_marks(const struct paper *p, int place, bool upper, int column,
		      int count, struct style s)
{
	int next = count < STACK ? count : STACK - 1;
	bool cursor = place == p->b->cursor;
	s.ink = INK_WHITE;
	s.bold = true;
	if (has_place(p->b->targets, place))
		put(p, line_row(upper, next), column + 1, s, "◇");
	if (!cursor && !has_place(p->b->chosen, place))
		return;
	put(p, line_row(upper, 0), column, s, cursor ? "[" : "(");
	put(p, line_row(upper, 0), column + 2, s, cursor ? "]" : ")");
}

static void put_point(const struct paper *p, int point)
{
	struct stack k = point_stack(p->b, point);
	bool upper = point > 12;
	int column = point_column(point);
	struct style s = { .ink = INK_FAINT };
	s.ground =
		(uint8_t)board_ground(p->b, point,
				      point % 2 ? GROUND_DARK : GROUND_STRIPE);
	for (int line = 0; line < STACK; line++) {
		int row = line_row(upper, line);
		put(p, row, column, s,
		    line < k.count ? "   "
		    : point % 2    ? " · "
				   : " : ");
		put_checker(p, row, column, s, k, line, STACK);
	}
	put_marks(p, point, upper, column, k.count, s);
}

/* Checkers wait on the bar before the home that they enter, below the cube. */
static void put_bar(const struct paper *p, bool upper)
{
	enum side waits = upper ? p->b->bottom : side_other(p->b->bottom);
	struct stack k = { waits,
			   p->b->pos->backgammon.point[waits][PICK_BAR] };
	struct style s = { .ground = GROUND_BAR };
	bool mine = upper && p->b->pos->side == p->b->bottom;
	if (mine)
		s.ground = (uint8_t)board_ground(p->b, PICK_BAR, GROUND_BAR);
	for (int line = 0; line < STACK; line++) {
		put(p, line_row(upper, line), BAR_LEFT + 1, s, "   ");
		if (line > 0)
			put_checker(p, line_row(upper, line), BAR_LEFT + 1, s,
				    k, line - 1, STACK - 1);
	}
	if (mine &&
	    (p->b->cursor == PICK_BAR || has_place(p->b->chosen, PICK_BAR))) {
		bool cursor = p->b->cursor == PICK_BAR;
		put(p, line_row(upper, 1), BAR_LEFT + 1, s, cursor ? "[" : "(");
		put(p, line_row(upper, 1), BAR_LEFT + 3, s, cursor ? "]" : ")");
	}
}

static void put_off(const struct paper *p, bool upper)
{
	enum side owner = upper ? side_other(p->b->bottom) : p->b->bottom;
	struct style s = { .ink = INK_TEXT };
	int row = line_row(upper, 0);
	put_number(p, row, OFF_LEFT + 2, s,
		   p->b->pos->backgammon.point[owner][PICK_OFF]);
	s.ink = INK_FAINT;
	put(p, line_row(upper, 1), OFF_LEFT + 1, s, "off");
	if (upper || p->b->pos->side != p->b->bottom)
		return;
	s.ground = (uint8_t)board_ground(p->b, PICK_OFF, GROUND_NONE);
	bool target = has_place(p->b->targets, PICK_OFF);
	if (target)
		put(p, line_row(upper, 2), OFF_LEFT + 1, s, " ◇ ");
	if (p->b->cursor == PICK_OFF)
		put(p, line_row(upper, 2), OFF_LEFT + 1, s,
		    target ? "[◇]" : "[ ]");
}

/* -- frame, dice and cube -- */

static void put_rule(const struct paper *p, int row, const char *left,
		     const char *down, const char *right)
{
	static const char half[] = "──────────────────";
	char text[4 * OFF_LEFT];
	const struct style s = { .ink = INK_FAINT };
	snprintf(text, sizeof(text), "%s%s%s───%s%s%s", left, half, down, down,
		 half, right);
	put(p, row, LEFT, s, text);
}

static void put_frame(const struct paper *p)
{
	static const int columns[] = { LEFT, BAR_LEFT,
				       BAR_LEFT + 1 + POINT_COLUMNS,
				       OFF_LEFT - 1 };
	const struct style s = { .ink = INK_FAINT };
	put_rule(p, UPPER - 1, "┌", "┬", "┐");
	put_rule(p, MIDDLE, "├", "┼", "┤");
	put_rule(p, LOWER + 1, "└", "┴", "┘");
	for (int row = UPPER; row <= LOWER; row++)
		for (size_t i = 0; row != MIDDLE && i < 4; i++)
			put(p, row, columns[i], s, "│");
}

/* A star follows the number of a point of the last move. */
static void put_numbers(const struct paper *p)
{
	struct style s = { .ink = INK_FAINT };
	for (int point = 1; point <= 24; point++) {
		int row = point > 12 ? UPPER - 2 : LOWER + 2;
		bool last = has_place(p->b->last, point);
		s.bold = last;
		grid_printf(p->g, p->row + row, p->column + point_column(point),
			    s, "%2d%s", point, last ? "*" : "");
	}
}

/* The dice that are played already are in round brackets. */
static void put_dice(const struct paper *p)
{
	const struct position *pos = p->b->pos;
	bool below = pos->side == p->b->bottom;
	bool twice = pos->dice[0] == pos->dice[1];
	int dice = twice ? 4 : 2, played = p->b->dice_played;
	int column = below ? RIGHT_HALF + 2 : LEFT + 3;
	struct style s = { .bold = true };
	for (int i = 0; pos->dice[0] > 0 && i < dice; i++) {
		bool used = i < played;
		s.ink = used ? INK_FAINT : INK_GOOD;
		grid_printf(p->g, p->row + MIDDLE, p->column + column + 4 * i,
			    s, used ? "(%d)" : "[%d]", pos->dice[i % 2]);
	}
}

static void put_cube(const struct paper *p)
{
	const struct stakes *k = &p->b->pos->stakes;
	enum side owner = k->cube_owner == CUBE_WHITE ? WHITE : BLACK;
	int row = k->cube_owner == CUBE_CENTRED
			  ? MIDDLE
			  : line_row(owner != p->b->bottom, 0);
	const struct style s = { .ink = INK_GOOD,
				 .ground = GROUND_BAR,
				 .bold = true };
	if (!p->b->rules->backgammon.cube || k->crawford)
		return;
	/* a cube in the middle shows 64, as on a table */
	grid_printf(p->g, p->row + row, p->column + BAR_LEFT + 1, s, "%3d",
		    k->cube_owner == CUBE_CENTRED ? 64 : 1 << k->cube);
}

void backgammon_put(struct grid *g, int row, int column, const struct board *b)
{
	const struct paper p = { g, row, column, b };
	put_frame(&p);
	put_numbers(&p);
	for (int point = 1; point <= 24; point++)
		put_point(&p, point);
	put_bar(&p, true);
	put_bar(&p, false);
	put_off(&p, true);
	put_off(&p, false);
	put_dice(&p);
	put_cube(&p);
}

/* -- the cursor -- */

/* Columns from the left: 0 to 5 points, 6 the bar, 7 to 12 points, 13 off. The
 * bar is above, where the player below enters. */
enum { BAR_AT = 6, OFF_AT = 13 };

static int place_at(bool upper, int at)
{
	if (at == BAR_AT)
		return PICK_BAR;
	if (at == OFF_AT)
		return PICK_OFF;
	int i = at < BAR_AT ? at : at - 1;
	return upper ? 13 + i : 12 - i;
}

int backgammon_go(int place, enum way way)
{
	bool upper = place > 12;
	int i = upper ? place - 13 : 12 - place;
	int at = place == PICK_BAR   ? BAR_AT
		 : place == PICK_OFF ? OFF_AT
		 : i < HALF          ? i
				     : i + 1;
	if (way == WAY_UP || way == WAY_DOWN) {
		upper = way == WAY_UP;
		if (at == BAR_AT && !upper)
			at++;
	} else {
		at += way == WAY_LEFT ? -1 : 1;
	}
	return at < 0 || at > OFF_AT ? place : place_at(upper, at);
}
