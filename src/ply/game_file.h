/* SPDX-License-Identifier: MIT
 * game_file.h - a file of games that others wrote down, read from end to end
 * by the readers of rules/notation.h. */
#ifndef PLYD_PLY_GAME_FILE_H
#define PLYD_PLY_GAME_FILE_H

#include "rules/notation.h"

struct game_file {
	const char *path;
	const struct ruleset *asked; /* NULL: what the games say themselves */
	struct game_sink sink;
	/* Told how far it is read, with the sink's payload; whole is 0 where
	 * that cannot be known. May be NULL. */
	void (*progress)(void *payload, uint64_t read, uint64_t whole);
};

/* Reads it; *format is what it is. NULL, or what is wrong with the file. */
const char *game_file_read(const struct game_file *f, enum game_format *format);

#endif
