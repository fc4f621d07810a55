/* SPDX-License-Identifier: MIT
 * stdio_line.h - the lines that a referee program and `ply bot --stdio` write
 * to one another, one game at a time. Pure text; it plays nothing.
 *
 *	new                 a game begins
 *	go FEN MS           draughts: choose in MS ms; answer `move 11x18x25`
 *	move B0 ... B25 D1 D2
 *	                    backgammon: choose with this throw; the answer is
 *	                    `FROM/TO ...`, an empty line if nothing is legal
 *	quit                no more comes
 *
 * B1 to B24 are the points in the mover's numbering, his checkers positive and
 * the other's negative, B25 is his bar, B0 minus the other's bar; in answers 25
 * is the bar and 0 is off. MS 0 sets no time. */
#ifndef PLYD_PLY_STDIO_LINE_H
#define PLYD_PLY_STDIO_LINE_H

#include <plyd/rules.h>

enum {
	STDIO_LINE_MAX = 512,
	STDIO_ANSWER_MAX = MOVE_TEXT_MAX + 8, /* with the final NUL */
	STDIO_MS_MAX = 24 * 60 * 60 * 1000
};

enum stdio_ask { STDIO_NOTHING, STDIO_NEW, STDIO_CHOOSE, STDIO_QUIT };

struct stdio_line {
	enum stdio_ask ask;
	struct position pos; /* to choose in */
	uint64_t ms;
};

/* Reads a line without its end; a blank one asks nothing. PLYD_EVALUE: it is
 * none of these, or its position is none of the ruleset's: *why says why
 * (static storage), and *out is unchanged. */
int stdio_read(const struct ruleset *rs, const char *text, size_t len,
	       struct stdio_line *out, const char **why);

/* Writes the answer; returns its length without the final NUL. */
size_t stdio_answer(const struct ruleset *rs, const struct position *pos,
		    const struct move *move, char out[STDIO_ANSWER_MAX]);

#endif
