/* SPDX-License-Identifier: MIT
 * draughts_priv.h - what the files of the draughts player share: how a position
 * is judged, and the tree that is searched. */
#ifndef PLYD_ENGINE_DRAUGHTS_PRIV_H
#define PLYD_ENGINE_DRAUGHTS_PRIV_H

#include "engine/engine_priv.h"
#include "engine/draughts_endings_priv.h"
#include "engine/draughts_learned_priv.h"
#include "rules/view.h"

/* ---- judgement --------------------------------------------------------- */

/* How one question's positions are judged, worked out once. */
struct draughts_judge {
	struct variant variant;
	const struct learned *learned; /* NULL: nothing was for this game */
	int (*score)(const struct learned *l, const struct view *view);
	struct engine_weights weights;
	int trust;    /* percent of what was learned */
	bool by_hand; /* the weights ask for more than that */
};

/* learned may be NULL: what is shipped for the ruleset, as far as that is
 * trusted. */
void draughts_judge_init(struct draughts_judge *j, const struct ruleset *rs,
			 const struct engine_weights *weights,
			 const struct learned *learned);
/* In centi-men for the side to move, inside +-WIN_FOUND. */
int draughts_judge(const struct draughts_judge *j, const struct view *view);

/* ---- the tree ---------------------------------------------------------- */

enum { SQUARES = 64, KILLERS = 2 };

/* What is known of the position so many half-moves from the root. */
struct frame {
	struct view view;
	uint64_t key;
	bool few;       /* pieces: an ending may be known */
	unsigned quiet; /* half-moves without progress */
	unsigned bound; /* half-moves since a move that cannot be undone,
			 * within the tree */
	uint16_t killer[KILLERS];
	int count; /* of its moves, as far as they are listed */
	struct view_move move[MOVE_LIST_MAX];
	int order[MOVE_LIST_MAX]; /* of that at at[i]; greater is sooner */
	uint16_t at[MOVE_LIST_MAX];
};

struct root_move {
	int score;
	uint16_t index; /* in the list of legal moves */
};

struct draughts_search {
	struct task *task;
	struct draughts_judge judge;
	const struct endings *endings; /* NULL: there are none */
	int root_depth;
	size_t root_count;
	struct root_move root[MOVE_LIST_MAX];      /* best first */
	struct root_move kept[MOVE_LIST_MAX];      /* before this iteration */
	struct view_move root_move[MOVE_LIST_MAX]; /* as legal */
	struct move_list legal;
	uint64_t history_seen; /* bit hash % 64 of each position of the game */
	int success[2][SQUARES][SQUARES]; /* of quiet moves, by side */
	struct frame frame[PLY_MAX + 1];
};

/* Puts the position after a move of `ply` into the next frame, which will be
 * searched so deep. */
void tree_enter(struct draughts_search *s, int ply, const struct view_move *m,
		int depth);
/* Says in f->order what to look at first; `first` is the ends of a move. */
void tree_order(struct draughts_search *s, int ply, uint16_t first);
/* The score of the position at ply, depth half-moves deep. What it returns
 * after the meter ran out means nothing. */
int tree_search(struct draughts_search *s, int ply, int depth, int alpha,
		int beta);

#endif
