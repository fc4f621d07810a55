/* SPDX-License-Identifier: MIT */
#include "screen/text_page.h"

#include <string.h>

static bool is_heading(const char *line)
{
	size_t len = strlen(line);
	return len > 0 && line[len - 1] == ':';
}

void text_page_put(struct grid *g, const struct page *page,
		   const char *const *line, int lines, int *from)
{
	const struct style plain = { .ink = INK_TEXT };
	const struct style head = { .ink = INK_NAME, .bold = true };
	int shown = g->rows - PAGE_AROUND;
	if (*from > lines - shown)
		*from = lines - shown;
	if (*from < 0)
		*from = 0;
	if (!page_put(g, page, shown))
		return;
	for (int i = 0; i < shown && *from + i < lines; i++) {
		const char *text = line[*from + i];
		grid_put(g, 1 + i, 3, -1, is_heading(text) ? head : plain,
			 text);
	}
}
