/* SPDX-License-Identifier: MIT
 * text_page.h - a view that is only read, such as help. */
#ifndef PLYD_SCREEN_TEXT_PAGE_H
#define PLYD_SCREEN_TEXT_PAGE_H

#include "screen/page.h"

/* Lines of text; one that ends with a colon is a heading. Begins with line
 * `from`, which is mended where it lies beyond the end. */
void text_page_put(struct grid *g, const struct page *page,
		   const char *const *line, int lines, int *from);

#endif
