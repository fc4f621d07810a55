/* SPDX-License-Identifier: MIT
 * backgammon_priv.h - what the backgammon files of this room share: how a
 * position is valued for a question, and the hand's part of the judgement. */
#ifndef PLYD_ENGINE_BACKGAMMON_PRIV_H
#define PLYD_ENGINE_BACKGAMMON_PRIV_H

#include "engine/backgammon_net.h"
#include "engine/engine_priv.h"

enum { POINT = NET_CERTAIN /* a point of equity, as searches count it */ };

/* What a gammon, and a backgammon again, is worth more than what it counts
 * among, of POINT: in a game that stands alone POINT each, in a match what the
 * score makes of it. By side, of the winner. */
struct gammon_values {
	int gammon[2];
	int backgammon[2];
};
struct gammon_values gammon_values(const struct ruleset *rs,
				   const struct position *pos);

/* How one question values positions, all of a game like the one it begins
 * with. */
struct judge {
	const struct ruleset *ruleset;
	const struct engine_weights *weights;
	struct gammon_values values;
	bool styled;  /* a weight is not the standard */
	bool learned; /* by nets: both sides have fifteen checkers */
	bool plain;   /* valued as they have learned it */
	struct backgammon_memo *memo;
};

/* The judge uses the memo, of whatever went before. */
void judge_init(struct judge *j, const struct ruleset *rs,
		const struct position *pos, const struct engine_weights *w,
		struct backgammon_memo *memo);
/* What the position is worth to the side to move before its throw, of POINT;
 * also of a game that is over. */
int judge_position(struct judge *j, const struct position *pos);
int judge_millipoints(int worth);
/* The chances of the side to move, before its throw, as a personality of this
 * style sees them. Not of a game that is over. Those of learned nets where both
 * sides have fifteen checkers, else those that a hand has written down. */
struct backgammon_chances judge_chances(struct judge *j,
					const struct position *pos);

/* By hand: for games with fewer checkers than were learned. */
struct backgammon_chances hand_chances(const struct position *pos);
/* What the weights that are not standard add for the side to move, in
 * millipoints, where neither side is far ahead. 0 if all are standard. The
 * weight of gammons is not among them. */
int hand_style(const struct position *pos, const struct engine_weights *w);

#endif
