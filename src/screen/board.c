/* SPDX-License-Identifier: MIT */
#include "screen/board_priv.h"

const char *board_piece(const struct grid *g, enum side side, bool king)
{
	bool hollow = side == WHITE && (!g->colour || !g->utf8);
	if (king)
		return hollow ? "◎" : "◉";
	return hollow ? "○" : "●";
}

enum ground board_ground(const struct board *b, int place, enum ground plain)
{
	return place == b->cursor             ? GROUND_CURSOR
	       : has_place(b->chosen, place)  ? GROUND_CHOSEN
	       : has_place(b->targets, place) ? GROUND_TARGET
	       : has_place(b->last, place)    ? GROUND_LAST
					      : plain;
}

static bool is_draughts(const struct board *b)
{
	return b->rules->family == FAMILY_DRAUGHTS;
}

void board_put(struct grid *g, int row, int column, const struct board *b)
{
	if (is_draughts(b))
		draughts_put(g, row, column, b);
	else
		backgammon_put(g, row, column, b);
}

int board_go(const struct board *b, int place, enum way way)
{
	return is_draughts(b) ? draughts_go(b, place, way)
			      : backgammon_go(place, way);
}

int board_home(const struct board *b)
{
	if (!is_draughts(b))
		return 6;
	return b->bottom == WHITE ? 18 : 45; /* c3, f6 */
}

int board_turn(const struct board *b, int place)
{
	bool same = is_draughts(b) || b->pos->side == b->bottom;
	return same || place <= PICK_OFF || place >= PICK_BAR ? place
							      : 25 - place;
}
