/* SPDX-License-Identifier: MIT
 * learn.h - how the weights of draughts are made: games that the engine plays
 * against itself from random openings, and the weights that explain best how
 * they ended. Not part of the engine: only this program computes in floating
 * point. The same seed gives the same weights from the same compiler. */
#ifndef PLYD_ENGINE_TRAIN_LEARN_H
#define PLYD_ENGINE_TRAIN_LEARN_H

#include <plyd/rules.h>
#include "engine/draughts_learned_priv.h"

/* How much is learned from. */
struct lesson {
	const struct ruleset *ruleset;
	uint64_t seed;
	uint32_t games;
	int depth;                    /* half-moves that a player looks ahead */
	int openings;                 /* random half-moves before it, at most */
	unsigned rounds;              /* over the samples */
	const struct learned *player; /* how it judges; NULL: by hand */
};

/* A position in which nothing hangs, and how its game ended for who was to
 * move: 0 lost, 1 drawn, 2 won. */
struct sample {
	struct view view;
	uint8_t result;
};

struct samples {
	struct sample *at;
	size_t count;
	size_t room;
};

/* Plays the games and adds their positions. False: no memory. */
bool play_games(const struct lesson *lesson, struct samples *out);

/* Fits the weights to the samples, whose order it changes, and gives them with
 * a complete head; free() them. NULL: no memory. */
struct learned *fit_weights(const struct lesson *lesson,
			    struct samples *samples);

/* Where a sample's features are found, and what a table of them measures. */
struct feature_kind {
	void (*find)(const struct view *view, struct features *out);
	uint32_t patterns;
	uint32_t full; /* pieces at the start */
};
const struct feature_kind *feature_kind_of(const struct ruleset *rs);

#endif
