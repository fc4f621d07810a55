/* SPDX-License-Identifier: MIT
 * game_dump.h - what a reader of game records tells, as one text:
 *
 *	game 1: short-backgammon 5 points, White ann 0, Black bob 2
 *	B 31 8/5 6/5
 *	W 66
 *	Black wins 1
 *	game 2: line 9 column 3 offset 120: bad_record 'x' A sentence.
 */
#ifndef PLYD_TESTS_GAME_DUMP_H
#define PLYD_TESTS_GAME_DUMP_H

#include "base/buf.h"
#include "rules/notation.h"

/* Reads bytes in pieces of `piece` bytes (0: at once), and appends to out.
 * asked may be NULL. */
void game_dump(enum game_format format, const struct ruleset *asked,
	       struct span bytes, size_t piece, struct buf *out);

/* The same as a string, to be freed. */
char *game_dump_text(enum game_format format, const struct ruleset *asked,
		     struct span bytes, size_t piece);

/* Gives all bytes of a file under tests/; aborts if there is none. */
struct buf test_file(const char *path);

#endif
