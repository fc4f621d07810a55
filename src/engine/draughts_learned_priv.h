/* SPDX-License-Identifier: MIT
 * draughts_learned_priv.h - what is learned from games of draughts: what small
 * patterns of men and kings are worth, early and late in the game. A position
 * is a list of features, and its worth the sum of their weights. The same list
 * is read by the search, which adds, and by the learner, which corrects.
 *
 * A pattern is 8 squares, each empty, own or the other's: 3^8 of each. English:
 * nine blocks of 4 x 4 (8 dark squares) and four pairs of rows for men, the
 * nine blocks again for kings. Turkish: blocks of 4 x 2 and 2 x 4 for men, left
 * and right alike, and each king's square. */
#ifndef PLYD_ENGINE_DRAUGHTS_LEARNED_PRIV_H
#define PLYD_ENGINE_DRAUGHTS_LEARNED_PRIV_H

#include "rules/view.h"

enum {
	PATTERN_STATES = 6561, /* 3^8 */
	PATTERNS_ENGLISH = 9 + 4 + 9,
	PATTERNS_TURKISH = 14 + 6 + 1, /* the last: squares of kings */
	KINGS_MAX = 12,                /* of a side, whose squares count */
	FEATURES_MAX = 33 + 2 * KINGS_MAX,
	FULL_ENGLISH = 24, /* pieces at the start */
	FULL_TURKISH = 32,
	MEN_STATES = 17, /* 0 to 16 of a side */
	KING_STATES = 4, /* 0 to 3 and more */
	MATERIAL_STATES = MEN_STATES * MEN_STATES * KING_STATES * KING_STATES,
	STAGES = 2,                /* early, late */
	STAGE_LATE = 4,            /* pieces: from here down all is late */
	LEARNED_MAGIC = 0x31776c70 /* "plw1" */
};

/* As it lies in a file: little-endian, and all of it checked by its sum. */
struct learned_head {
	uint32_t magic;
	uint32_t patterns; /* tables behind the material's */
	uint32_t sum;      /* learned_sum() of what follows the head */
	uint32_t full;     /* pieces: from here up all is early */
	/* where it comes from */
	uint64_t seed;
	uint32_t games;
	uint32_t positions;
};

/* Weights in centi-men, early and late. */
struct learned {
	struct learned_head head;
	int16_t material[MATERIAL_STATES][STAGES];
	int8_t pattern[][STAGES]; /* head.patterns * PATTERN_STATES */
};

struct features {
	int stage; /* pieces above STAGE_LATE, 0 .. full - STAGE_LATE */
	int material;
	int count;
	uint32_t at[FEATURES_MAX]; /* pattern * PATTERN_STATES + state */
};

/* Finds the features of a position. */
void features_english(const struct view *view, struct features *out);
void features_turkish(const struct view *view, struct features *out);

/* What was learned for a game, or NULL: nothing was. */
const struct learned *learned_english(void);
const struct learned *learned_turkish(void);

uint32_t learned_sum(const struct learned *l);
/* The worth for the side to move, in centi-men: the sum over its features. */
int score_english(const struct learned *l, const struct view *view);
int score_turkish(const struct learned *l, const struct view *view);

#endif
