/* SPDX-License-Identifier: MIT
 * drawn.h - a grid as text, and games from their names. */
#ifndef PLYD_TESTS_SCREEN_DRAWN_H
#define PLYD_TESTS_SCREEN_DRAWN_H

#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <plyd/rules.h>
#include "screen/grid.h"

enum { DRAWN_BYTES = 64 * 1024 };

static inline void drawn_begin(struct grid *g, int rows, int columns, bool utf8,
			       bool colour)
{
	g->utf8 = utf8;
	g->colour = colour;
	grid_clear(g, rows, columns);
}

/* The grid as text, until the next call. */
static inline const char *drawn(const struct grid *g)
{
	static char text[DRAWN_BYTES];
	struct buf b;
	buf_init(&b, DRAWN_BYTES - 1);
	assert_int_equal(grid_write(g, &b), PLYD_OK);
	memcpy(text, b.at ? (const char *)b.at : "", b.len);
	text[b.len] = '\0';
	buf_release(&b);
	return text;
}

static inline struct ruleset ruleset_named(const char *name)
{
	struct ruleset rs;
	assert_int_equal(ruleset_find(name, strlen(name), &rs), PLYD_OK);
	return rs;
}

static inline struct position position_named(const struct ruleset *rs,
					     const char *text)
{
	struct position pos;
	assert_int_equal(game_read(rs, text, strlen(text), &pos, NULL), 0);
	return pos;
}

#endif
