/* SPDX-License-Identifier: MIT
 * list_page.h - a view that is a table to choose from: open tables, matches,
 * players of the server, files. */
#ifndef PLYD_SCREEN_LIST_PAGE_H
#define PLYD_SCREEN_LIST_PAGE_H

#include "screen/page.h"

enum { LIST_ROWS_MAX = 256, LIST_CELLS_MAX = 7, LIST_CELL_BYTES = 96 };

struct list_row {
	char cell[LIST_CELLS_MAX][LIST_CELL_BYTES];
};

struct list_column {
	const char *head;
	int width;
};

struct list {
	struct list_row row[LIST_ROWS_MAX];
	int rows;
	int chosen; /* 0 where there are none */
};

struct list_page {
	struct page page;
	const struct list_column *column;
	int columns;
	const struct list *list;
	const char *empty; /* what stands there if there is nothing */
};

/* Adds a row, and lends it; NULL: it is full. */
struct list_row *list_add(struct list *l);
/* Takes a key that moves the choice; false: it is none. */
bool list_key(struct list *l, struct key key, int page_rows);
/* After the rows were made anew: the choice stays within them. */
void list_mend(struct list *l);

void list_page_put(struct grid *g, const struct list_page *p);

#endif
