/* SPDX-License-Identifier: MIT */
#include "screen/list_page.h"

#include <string.h>

struct list_row *list_add(struct list *l)
{
	if (l->rows == LIST_ROWS_MAX)
		return NULL;
	struct list_row *row = &l->row[l->rows++];
	memset(row, 0, sizeof(*row));
	return row;
}

void list_mend(struct list *l)
{
	if (l->chosen >= l->rows)
		l->chosen = l->rows - 1;
	if (l->chosen < 0)
		l->chosen = 0;
}

bool list_key(struct list *l, struct key key, int page_rows)
{
	switch (key.kind) {
	case PRESS_UP: l->chosen--; break;
	case PRESS_DOWN: l->chosen++; break;
	case PRESS_PAGE_UP: l->chosen -= page_rows; break;
	case PRESS_PAGE_DOWN: l->chosen += page_rows; break;
	case PRESS_HOME: l->chosen = 0; break;
	case PRESS_END: l->chosen = l->rows - 1; break;
	default: return false;
	}
	list_mend(l);
	return true;
}

static void put_row(struct grid *g, int at, const struct list_page *p,
		    const struct list_row *row, struct style s)
{
	int column = 3;
	for (int i = 0; i < p->columns; i++) {
		int width = p->column[i].width;
		if (width == 0)
			width = g->columns - column - 1;
		grid_put(g, at, column, width, s, row->cell[i]);
		column += width + 2;
	}
}

static void put_heads(struct grid *g, int at, const struct list_page *p)
{
	const struct style s = { .ink = INK_NAME, .bold = true };
	int column = 3;
	for (int i = 0; i < p->columns; i++) {
		grid_put(g, at, column, -1, s, p->column[i].head);
		column += p->column[i].width + 2;
	}
}

void list_page_put(struct grid *g, const struct list_page *p)
{
	const struct style plain = { .ink = INK_TEXT };
	const struct style faint = { .ink = INK_FAINT };
	const struct style chosen = { .ground = GROUND_TITLE, .bold = true };
	int body = page_body_rows(g), shown = body - 3;
	if (!page_put(g, &p->page, body))
		return;
	put_heads(g, 2, p);
	int first = p->list->chosen >= shown ? p->list->chosen - shown + 1 : 0;
	for (int i = 0; i < shown && first + i < p->list->rows; i++) {
		bool is_it = first + i == p->list->chosen;
		if (is_it) {
			grid_fill(g, 3 + i, 1, 1, g->columns - 2, chosen, ' ');
			grid_put(g, 3 + i, 1, -1, chosen, "▶");
		}
		put_row(g, 3 + i, p, &p->list->row[first + i],
			is_it ? chosen : plain);
	}
	if (p->list->rows == 0 && p->empty)
		grid_put(g, 4, 3, -1, faint, p->empty);
}
