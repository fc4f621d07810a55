/* SPDX-License-Identifier: MIT */
#include "screen/page.h"

#include <stdio.h>
#include <string.h>

static const struct style title = { .ground = GROUND_TITLE, .bold = true };

static bool is_too_small(const struct grid *g)
{
	return g->rows < GRID_ROWS_MIN || g->columns < GRID_COLUMNS_MIN;
}

static void say_too_small(struct grid *g)
{
	const struct style s = { .bold = true };
	grid_printf(g, 0, 0, s, "%d x %d is too small.", g->columns, g->rows);
	grid_printf(g, 1, 0, s, "Make it %d x %d.", GRID_COLUMNS_MIN,
		    GRID_ROWS_MIN);
}

static void put_title(struct grid *g, const struct page *p)
{
	grid_fill(g, 0, 0, 1, g->columns, title, ' ');
	int left = 1 + grid_put(g, 0, 1, -1, title, p->title ? p->title : "");
	int width = p->where ? text_width(p->where) : 0;
	if (p->where && left + width + 2 <= g->columns)
		grid_put(g, 0, g->columns - width - 1, -1, title, p->where);
}

/* Takes the next of the keys, which are parted by two blanks. */
static const char *next_key(const char *keys, char *out, size_t size)
{
	const char *end = strstr(keys, "  ");
	size_t len = end ? (size_t)(end - keys) : strlen(keys);
	snprintf(out, size, "%.*s", (int)len, keys);
	keys += len;
	return keys + strspn(keys, " ");
}

static void put_keys(struct grid *g, int row, const char *keys)
{
	const struct style key = { .ink = INK_GOOD, .bold = true };
	const struct style what = { .ink = INK_TEXT };
	int column = 1;
	while (*keys) {
		char one[80];
		keys = next_key(keys, one, sizeof(one));
		if (column + text_width(one) > g->columns)
			return;
		char *blank = strchr(one, ' ');
		if (blank)
			*blank = '\0';
		column += grid_put(g, row, column, -1, key, one) + 1;
		if (blank)
			column +=
				grid_put(g, row, column, -1, what, blank + 1) +
				2;
	}
}

static void put_say(struct grid *g, int row, const struct page *p)
{
	const struct style calm = { .ink = INK_TEXT };
	const struct style urgent = { .ink = INK_GOOD, .bold = true };
	if (p->say && p->urgent)
		grid_put(g, row, 0, -1, urgent, "▶");
	if (p->say)
		grid_put(g, row, 2, -1, p->urgent ? urgent : calm, p->say);
}

bool page_put(struct grid *g, const struct page *p, int body_rows)
{
	const struct style bad = { .ink = INK_BAD, .bold = true };
	if (is_too_small(g)) {
		say_too_small(g);
		return false;
	}
	int row = 1 + body_rows, last = g->rows - 1;
	put_title(g, p);
	put_say(g, row, p);
	if (p->log)
		log_put(p->log, g, row + 1, 2, last - 1 - (row + 1),
			g->columns - 4, p->log_back);
	if (p->alert)
		grid_put(g, last - 1, 2, -1, bad, p->alert);
	else if (p->line)
		line_put(p->line, g, last - 1, 2, p->prompt ? p->prompt : "");
	if (p->keys)
		put_keys(g, last, p->keys);
	return true;
}

int page_body_rows(const struct grid *g)
{
	int log = g->rows / 6;
	if (log < PAGE_LOG_ROWS_MIN)
		log = PAGE_LOG_ROWS_MIN;
	return g->rows - PAGE_AROUND - log;
}
