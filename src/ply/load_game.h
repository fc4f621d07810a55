/* SPDX-License-Identifier: MIT
 * load_game.h - games that `ply load` plays: where no dice fall they are
 * prepared, moves and all, so that playing them costs nothing. */
#ifndef PLYD_PLY_LOAD_GAME_H
#define PLYD_PLY_LOAD_GAME_H

#include <plyd/rules.h>
#include "base/buf.h"
#include "base/rng.h"

enum {
	LOAD_GAMES = 48,      /* prepared for each ruleset */
	LOAD_PLIES_MAX = 160, /* of a prepared game, then it is resigned */
	LOAD_NAME_MAX = 33
};

/* The text of move i is text + at[i]. */
struct load_game {
	uint32_t plies;
	uint32_t at[LOAD_PLIES_MAX];
	char *text;
};

/* A ruleset by the name that the server knows it by. */
struct load_ruleset {
	char name[LOAD_NAME_MAX];
	bool ready; /* the server has told the rules */
	struct ruleset rules;
	struct load_game games[LOAD_GAMES]; /* none with dice */
};

/* Takes the rules as the server tells them, and prepares games of random moves.
 * PLYD_ENOMEM, or as ruleset_read(). */
int load_ruleset_prepare(struct load_ruleset *rs, const char *rules,
			 struct rng *rng);
void load_ruleset_release(struct load_ruleset *rs);

/* Writes a random legal move; false: there is none. */
bool load_random_move(const struct ruleset *rs, const struct position *pos,
		      struct rng *rng, struct move *out,
		      char text[MOVE_TEXT_MAX]);

#endif
