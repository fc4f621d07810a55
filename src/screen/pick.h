/* SPDX-License-Identifier: MIT
 * pick.h - choosing a move on the board with a cursor: a piece, then where it
 * goes, step by step, among the legal moves only. It judges nothing itself: what
 * can be chosen is asked of the rules, and the result is a move as text. */
#ifndef PLYD_SCREEN_PICK_H
#define PLYD_SCREEN_PICK_H

#include <plyd/rules.h>

/* Places of the board as who is to move counts them. Draughts: squares 0 to 63
 * as in <plyd/rules.h>; backgammon: points 1 to 24, 25 the bar, 0 off. */
enum { PICK_NOWHERE = -1, PICK_OFF = 0, PICK_BAR = 25, PICK_STEPS_MAX = 17 };

struct pick {
	struct ruleset rules;
	struct position start; /* before the turn */
	struct position now;   /* after the steps that are chosen */
	struct move_list list; /* draughts: what is legal */
	int chosen;            /* the piece that goes next, or PICK_NOWHERE */
	int steps;             /* chosen already */
	/* draughts: squares of the path, the piece's own first; backgammon: hop
	 * i goes step[2i] -> step[2i + 1] */
	int8_t step[PICK_STEPS_MAX];
	uint64_t sources;         /* bit i: place i may be chosen as a piece, */
	uint64_t targets;         /* or as where the chosen piece goes */
	char move[MOVE_TEXT_MAX]; /* the whole turn, or "" while it is none */
};

/* Begins a turn of the side to move, with dice where there are any. Where the
 * rules find no move nothing can be chosen. */
void pick_begin(struct pick *p, const struct ruleset *rs,
		const struct position *pos);

/* Chooses a place: a piece, or a target of the chosen piece. A piece that may go
 * takes the place of the one before it. False: nothing can be chosen there.
 * After it, p->move may be a whole turn. */
bool pick_place(struct pick *p, int place);

/* Takes the last choice back; false: there is none. */
bool pick_back(struct pick *p);

/* The next place after `from` that can be chosen, in order and around; `from`
 * itself if it is the only one, PICK_NOWHERE if there is none. */
int pick_next(const struct pick *p, int from, int direction);

#endif
