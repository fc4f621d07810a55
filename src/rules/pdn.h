/* SPDX-License-Identifier: MIT
 * pdn.h - writes games of draughts as PDN, so that the reader of notation.h
 * reads them back alike. One writer a game; any number of games may follow one
 * another in a buffer. */
#ifndef PLYD_RULES_PDN_H
#define PLYD_RULES_PDN_H

#include "base/buf.h"
#include "rules/notation.h"

enum { PDN_COLUMNS = 80 }; /* of a line of moves */

struct pdn_writer {
	struct buf *out;
	struct ruleset ruleset;
	struct position position; /* after the moves so far */
	enum game_result result;
	unsigned ply; /* half-moves so far, and one if the second side began */
	unsigned column; /* bytes in the last line */
};

/* Begins a game: writes the tags GameType (where PDN has a number for the
 * ruleset), Result, and SetUp and FEN if it does not begin at the start. rs is
 * a ruleset of draughts. Appends to out, which must live to the end; out->err
 * sticks and is what pdn_write_end() returns. */
void pdn_write_begin(struct pdn_writer *w, struct buf *out,
		     const struct ruleset *rs, const struct position *start,
		     enum game_result result);
/* Adds a tag; to be called before the first move. Line ends and other control
 * bytes of the value become blanks. */
void pdn_write_tag(struct pdn_writer *w, const char *name, const char *value);
/* Adds a legal move, numbered, with every landing square. */
void pdn_write_move(struct pdn_writer *w, const struct move *move);
/* Ends the game: says in a comment who won, since archives differ in whose the
 * first number of `1-0` is - here it is always the side's that moves first -,
 * then the result, then an empty line. Returns out->err. */
int pdn_write_end(struct pdn_writer *w);

#endif
