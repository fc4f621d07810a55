/* SPDX-License-Identifier: MIT
 * games_judge.h - records as games, compared with what others make of them;
 * apart, since domain and reader both have results of a kind. */
#ifndef PLYD_TESTS_GAMES_JUDGE_H
#define PLYD_TESTS_GAMES_JUDGE_H

#include <plyd/rules.h>
#include "base/buf.h"

struct games_seen {
	int err;
	size_t games;
	size_t entries; /* of the last */
	int result;     /* of the last, as in rules/notation.h */
	char end[POSITION_TEXT_MAX];
	unsigned no_progress;
	unsigned repetition;
};

/* Reads a record's facts as games. */
void games_read(const struct buf *fact, size_t facts, struct games_seen *out);

/* Whether the reader of match files finds the same games in `mat`; the first
 * difference in words, or NULL. */
const char *games_differ(const struct buf *fact, size_t facts,
			 const struct buf *mat);

#endif
