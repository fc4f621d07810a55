/* SPDX-License-Identifier: MIT
 * page.h - what every view has around it: a title above, and below its body a
 * sentence that says what is to be done, the last lines of the log, the line
 * that is being typed, and the keys. */
#ifndef PLYD_SCREEN_PAGE_H
#define PLYD_SCREEN_PAGE_H

#include "screen/grid.h"
#include "screen/line.h"
#include "screen/log.h"

enum { PAGE_LOG_ROWS_MIN = 2, PAGE_AROUND = 4 /* rows but body and log */ };

/* All is lent. A text that is NULL is not shown. */
struct page {
	const char *title;
	const char *where; /* right of the title: who you are, and where */
	const char *say;   /* what is to be done, or how it stands */
	bool urgent;       /* it is on you */
	const char *alert; /* the connection is lost, or the like */
	const struct log *log;
	int log_back;            /* rows at its end that are left out */
	const char *prompt;      /* before the line, */
	const struct line *line; /* which is being typed; NULL: none is */
	const char *keys; /* `key what  key what`: the word before each first
			   * blank is shown as a key */
};

/* Draws all but the body, of so many rows below the first one. Returns false,
 * and a grid that only says so, where the screen is smaller than a view. */
bool page_put(struct grid *g, const struct page *p, int body_rows);
/* Rows that a body may have which wants as many as there are. */
int page_body_rows(const struct grid *g);

#endif
