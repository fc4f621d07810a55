/* SPDX-License-Identifier: MIT
 * told.h - what a reader of game records told, as text, so that tests compare
 * one string: a line for each game and for each fault, such as
 *
 *   english: 11-15 $4 {a comment} 23-19 draw
 *   ! illegal_move 3:9 ply 5 '1-2' wrong_direction
 *
 * Skipped variations are (N), skipped signs ~N, behind the result. */
#ifndef PLYD_TESTS_TOLD_H
#define PLYD_TESTS_TOLD_H

#include "base/buf.h"
#include "rules/notation.h"

struct told {
	struct buf text;
	size_t games;
	size_t faults;
	uint64_t offset; /* of the last fault */
	char tag[64];    /* a tag whose value is wanted, or "" */
	char value[256]; /* of the last game that has it */
	struct game_reader *reader;
};

/* Begins to read; ruleset is a name, or NULL. Release with told_release(). */
void told_init(struct told *t, enum game_format format, const char *ruleset);
void told_release(struct told *t);

/* Feeds a text in pieces of `piece` bytes at most, ends, and returns all that
 * was told (lent until told_release()). */
const char *told_of(struct told *t, struct span text, size_t piece);

#endif
