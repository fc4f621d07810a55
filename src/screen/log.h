/* SPDX-License-Identifier: MIT
 * log.h - the last lines of what was said and what happened. Old lines make room
 * for new ones. */
#ifndef PLYD_SCREEN_LOG_H
#define PLYD_SCREEN_LOG_H

#include "screen/grid.h"

enum { LOG_LINES_MAX = 200, LOG_LINE_BYTES = 1400 };

enum log_kind {
	LOG_NEWS, /* what happened, and answers */
	LOG_CHAT  /* what somebody said; up to the first colon his name */
};

struct log_line {
	enum log_kind kind;
	char text[LOG_LINE_BYTES];
};

struct log {
	unsigned count; /* of all lines ever; the last LOG_LINES_MAX are kept */
	struct log_line line[LOG_LINES_MAX];
};

/* Adds a line, or each line of a text that has several; empty ones not. What is
 * too long is cut. */
void log_add(struct log *l, enum log_kind kind, const char *text, size_t len);

/* Shows the last lines that fit, broken at blanks, the newest at the bottom,
 * after leaving out `back` rows of the end. */
void log_put(const struct log *l, struct grid *g, int row, int column, int rows,
	     int columns, int back);

#endif
