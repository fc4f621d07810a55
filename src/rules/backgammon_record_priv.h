/* SPDX-License-Identifier: MIT
 * backgammon_record_priv.h - what the records of backgammon have in common: a
 * match of games, each with scores, a start, turns with their dice, and points
 * won. A format (mat_read.c, sgf_read.c) says what it has read; here it is
 * held against the rules and told to the reader of notation_priv.h. */
#ifndef PLYD_RULES_BACKGAMMON_RECORD_PRIV_H
#define PLYD_RULES_BACKGAMMON_RECORD_PRIV_H

#include "rules/notation_priv.h"

enum { MATCH_LENGTH_MAX = 9999, SCORE_MAX = 9999 };

/* The match that a game belongs to. */
struct match_so_far {
	bool known;        /* score[] follows from the games before */
	uint16_t score[2]; /* by side */
};

/* The dice and the move of one turn. */
struct turn_text {
	enum side side;
	uint8_t dice[2];
	struct span move; /* empty: none is written */
	struct text_place dice_place, move_place;
};

/* A game begins: the asked ruleset, else short-backgammon, at its start. A
 * ruleset with stakes is refused, since what a record says of the cube and of
 * the score is not played. */
bool record_begin(struct game_reader *r, struct text_place place);

/* The score before this game; it must be what the games before it led to. */
bool record_score(struct game_reader *r, const struct match_so_far *match,
		  const uint16_t score[2], struct text_place place);

/* Who plays first is told by the first turn: sets it. */
bool record_turn(struct game_reader *r, const struct turn_text *turn);

/* The cube is touched, which no ruleset that is read by knows. */
bool record_cube(struct game_reader *r, struct text_place place,
		 struct span word);

/* The game ends. points 0: as many as the rules say. Where the position does
 * not say who has won, the loser has resigned. Brings the match up to date. */
void record_won(struct game_reader *r, struct match_so_far *match,
		enum side winner, unsigned points, struct text_place place);
/* The game ends without a word about who has won. */
void record_broken_off(struct game_reader *r, struct match_so_far *match,
		       struct text_place place);

/* Reads all of a text as a decimal number; false if it is none, or greater. */
bool number_read(struct span text, unsigned max, unsigned *out);

#endif
