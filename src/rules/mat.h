/* SPDX-License-Identifier: MIT
 * mat.h - writes games of backgammon as a match file (.mat), as GNU Backgammon
 * reads it and as the reader of notation.h reads it back alike. White is in the
 * left column; 25 is the bar, 0 is off. A match file has no positions: games
 * begin at the usual start, with the cube in the middle. Games follow one
 * another in a buffer. */
#ifndef PLYD_RULES_MAT_H
#define PLYD_RULES_MAT_H

#include "base/buf.h"
#include "rules/notation.h"

struct mat_writer {
	struct buf *out;
	unsigned row;  /* the last one begun */
	bool row_open; /* White has moved in it, Black has not */
	unsigned cube; /* what it shows */
};

/* The heading, to be written once, before the first game. length: points that
 * the match is played to, 0 for games with the cube that stand alone; one
 * without a cube is a match of 1. Appends to out, whose err sticks. */
int mat_write_match(struct buf *out, unsigned length);

/* Begins the game of that number, from 1: names (NULL: none) and scores by
 * side, the scores as they are before it. Of a name 100 bytes are written, with
 * a dot for a colon or semicolon and a blank for a control byte. out must live
 * to the end. */
void mat_write_begin(struct mat_writer *w, struct buf *out, unsigned number,
		     const char *const name[2], const uint16_t score[2]);
/* Adds a legal turn, legs 0 for one that had to be passed. */
void mat_write_turn(struct mat_writer *w, enum side side, const uint8_t dice[2],
		    const struct move *move);
/* Adds what a side does with the cube: ENTRY_DOUBLE, ENTRY_TAKE, ENTRY_DROP. */
void mat_write_cube(struct mat_writer *w, enum side side,
		    enum game_entry_kind kind);
/* Ends the game. points 0: it was broken off. Returns out->err. */
int mat_write_end(struct mat_writer *w, enum side winner, unsigned points);

#endif
