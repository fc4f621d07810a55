/* SPDX-License-Identifier: MIT */
#include "screen/match_page.h"

#include <stdio.h>
#include <string.h>

#include "screen/board_priv.h"

enum { SEAT_ROWS = 3 };

static int pips(const struct position *pos, enum side side)
{
	int sum = 0;
	for (int p = 1; p <= PICK_BAR; p++)
		sum += p * pos->backgammon.point[side][p];
	return sum;
}

/* What a side has on the board. */
static void count_text(const struct board *b, enum side side, char *out,
		       size_t size)
{
	const struct draughts_position *d = &b->pos->draughts;
	if (b->rules->family == FAMILY_BACKGAMMON) {
		snprintf(out, size, "%d pips", pips(b->pos, side));
		return;
	}
	int all = __builtin_popcountll(d->pieces[side]);
	int kings = __builtin_popcountll(d->pieces[side] & d->kings);
	if (kings > 0)
		snprintf(out, size, "%d men, %d king%s", all - kings, kings,
			 kings == 1 ? "" : "s");
	else
		snprintf(out, size, "%d men", all);
}

static void put_seat(struct grid *g, int row, int column,
		     const struct match_page *m, enum side side)
{
	const struct match_seat *seat = &m->seat[side];
	const struct style name = { .bold = true },
			   faint = { .ink = INK_FAINT };
	const struct style piece = { .ink = side == WHITE ? INK_WHITE
							  : INK_BLACK,
				     .ground = GROUND_DARK,
				     .bold = true };
	struct style clock = { .ink = seat->runs ? INK_GOOD : INK_TEXT,
			       .bold = seat->runs };
	char count[64];
	grid_put(g, row, column, -1, piece, board_piece(g, side, false));
	int at = column + 2;
	at += grid_put(g, row, at, 20, name, seat->name);
	if (seat->is_you)
		grid_put(g, row, at + 1, -1, faint, "(you)");
	if (seat->clock)
		grid_printf(g, row + 1, column, clock, "%s %s",
			    seat->runs ? "▶" : " ", seat->clock);
	count_text(&m->board, side, count, sizeof(count));
	grid_put(g, row + 1, column + 15, -1, faint, count);
	if (seat->note)
		grid_put(g, row + 2, column + 2, -1,
			 (struct style){ .ink = INK_BAD }, seat->note);
}

/* The newest at the bottom. */
static void put_moves(struct grid *g, int row, int column, int rows,
		      const struct match_page *m)
{
	int first = m->moves > rows ? m->moves - rows : 0;
	for (int i = first; i < m->moves; i++) {
		bool newest = i == m->moves - 1;
		const struct style s = { .ink = newest ? INK_TEXT : INK_FAINT,
					 .bold = newest };
		int at = row + i - first;
		if (m->mover[i] >= 0)
			grid_put(g, at, column, -1, s,
				 board_piece(g, (enum side)m->mover[i], false));
		grid_put(g, at, column + 2, -1, s, m->move[i]);
	}
}

void match_page_put(struct grid *g, const struct match_page *m)
{
	bool wide = m->board.rules->family == FAMILY_BACKGAMMON;
	int side = wide ? BOARD_COLUMNS + 2 : BOARD_COLUMNS - 3;
	enum side below = m->board.bottom, above = side_other(below);
	const struct style plain = { .ink = INK_TEXT };
	if (!page_put(g, &m->page, BOARD_ROWS))
		return;
	board_put(g, 1, wide ? 0 : 1, &m->board);
	put_seat(g, 1, side, m, above);
	int row = 1 + SEAT_ROWS, last = BOARD_ROWS - SEAT_ROWS - 1;
	if (m->stakes) {
		grid_put(g, last, side, -1, plain, m->stakes);
		last--;
	}
	put_moves(g, row + 1, side, last - row - 1, m);
	put_seat(g, BOARD_ROWS - SEAT_ROWS + 1, side, m, below);
}
