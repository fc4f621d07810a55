/* SPDX-License-Identifier: MIT */
#include "ply/board_priv.h"

void paint(struct buf *out, const struct board_look *look, int ink, int ground,
	   const char *text)
{
	if (!look->colour || (ink < 0 && ground < 0)) {
		buf_put_str(out, text);
		return;
	}
	if (ink >= 0)
		buf_printf(out, "\033[38;5;%dm", ink);
	if (ground >= 0)
		buf_printf(out, "\033[48;5;%dm", ground);
	buf_printf(out, "%s\033[0m", text);
}

const char *piece_sign(const struct board_look *look, enum side side, bool king)
{
	bool hollow = side == WHITE && !look->colour;
	if (king)
		return hollow ? "◎" : "◉";
	return hollow ? "○" : "●";
}

int piece_ink(enum side side)
{
	return side == WHITE ? INK_WHITE : INK_BLACK;
}

const char *side_label(enum side side)
{
	return side == WHITE ? "White" : "Black";
}

int board_draw(const struct ruleset *rs, const struct position *pos,
	       const struct board_look *look, struct buf *out)
{
	if (rs->family == FAMILY_DRAUGHTS)
		board_draw_draughts(rs, pos, look, out);
	else
		board_draw_backgammon(pos, look, out);
	return out->err;
}
