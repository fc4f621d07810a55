/* SPDX-License-Identifier: MIT
 * games.h - a record as games of rules/notation.h, as the readers of files tell
 * them: what was taken back is left out, names are tags, and so is nothing
 * else. It trusts the record's dice and clocks; every move is judged. */
#ifndef PLYD_RECORD_GAMES_H
#define PLYD_RECORD_GAMES_H

#include "base/buf.h"
#include "proto/read.h"
#include "rules/notation.h"

/* The numbers of the draw policy that a match was played with; 0: no limit. */
struct games_draws {
	unsigned no_progress; /* half-moves */
	unsigned repetition;  /* occurrences */
	bool man_moves_count; /* as progress */
};

struct record_games;

/* Gives a reader of one record, to be released with record_games_free(). sink
 * is copied and told of each game that ends; of its functions only `game` is
 * called, and what it gets is lent until it returns. PLYD_ENOMEM. */
int record_games_new(const struct game_sink *sink, struct record_games **out);
void record_games_free(struct record_games *g); /* NULL is fine */

/* Adds the next fact from its bytes; doc is scratch. PLYD_ERECORD: not a fact,
 * or it does not fit. PLYD_ETOOLARGE: more than GAME_ENTRIES_MAX. PLYD_ENOMEM.
 * After an error nothing may follow. */
int record_games_fact(struct record_games *g, struct doc *doc,
		      struct span bytes);

/* The record has no more facts: tells of a game that did not end. */
void record_games_end(struct record_games *g);

/* Once the match has begun. */
void record_games_draws(const struct record_games *g, struct games_draws *out);

#endif
