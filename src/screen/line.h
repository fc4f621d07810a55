/* SPDX-License-Identifier: MIT
 * line.h - one line of text that is being typed. */
#ifndef PLYD_SCREEN_LINE_H
#define PLYD_SCREEN_LINE_H

#include "screen/grid.h"
#include "screen/key.h"

enum { LINE_BYTES = 1024 };

struct line {
	char text[LINE_BYTES]; /* UTF-8 */
	size_t at;             /* the byte before which the next sign goes */
};

void line_clear(struct line *l);
/* Takes a key that edits; false: it is none. What does not fit is dropped. */
bool line_key(struct line *l, struct key key);
/* Shows it behind a prompt, the end that is being typed always; sets the grid's
 * cursor. */
void line_put(const struct line *l, struct grid *g, int row, int column,
	      const char *prompt);

#endif
