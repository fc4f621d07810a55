/* SPDX-License-Identifier: MIT
 * match_page.h - the view of a match: the board, and beside it both players with
 * their clocks, the stakes and the last moves. */
#ifndef PLYD_SCREEN_MATCH_PAGE_H
#define PLYD_SCREEN_MATCH_PAGE_H

#include "screen/board.h"
#include "screen/page.h"

/* All is lent. */
struct match_seat {
	const char *name;
	const char *clock; /* NULL: there is none */
	bool runs;
	bool is_you;
	const char *note; /* such as `has left`; NULL: none */
};

struct match_page {
	struct page page;
	struct board board;
	struct match_seat seat[2]; /* by side */
	const char *stakes;        /* score and cube in words, or NULL */
	/* The last moves, the newest last, with the side that made each; -1: it is
	 * not known. */
	const char *const *move;
	const int *mover;
	int moves;
};

void match_page_put(struct grid *g, const struct match_page *m);

#endif
