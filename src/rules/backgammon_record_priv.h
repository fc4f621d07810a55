/* SPDX-License-Identifier: MIT
 * backgammon_record_priv.h - what the records of backgammon have in common: a
 * match of games, each with scores, a start, turns with their dice, and points
 * won. A format (mat_read.c, sgf_read.c) says what it has read; here it is
 * held against the rules and told to the reader of notation_priv.h. */
#ifndef PLYD_RULES_BACKGAMMON_RECORD_PRIV_H
#define PLYD_RULES_BACKGAMMON_RECORD_PRIV_H

#include "rules/notation_priv.h"

enum { MATCH_LENGTH_MAX = 9999, SCORE_MAX = 9999 };

/* The match that a game belongs to, and how far the open game has come. */
struct match_so_far {
	bool known;        /* what follows is told by the games before */
	bool over;         /* a side has won the match */
	bool crawford;     /* the next game is the Crawford game */
	uint16_t score[2]; /* by side, before the next game */
	bool any_jacoby;   /* of the open game: the format cannot say whether
			    * Jacoby's rule holds */
	bool doubled;      /* likewise: and nobody has answered */
	struct outcome dropped; /* likewise: over, if a double was dropped */
};

/* What a record says of a game before its first turn. */
struct match_told {
	uint16_t length;   /* points of the match; 0: there is none */
	uint16_t score[2]; /* by side */
	bool no_cube;      /* rules, of use where none were asked for */
	bool crawford;
	bool jacoby;
	bool any_jacoby;    /* nothing can be said of Jacoby's rule */
	bool crawford_game; /* false: it is none, or that is not told */
	uint8_t cube;       /* as in struct stakes */
	uint8_t cube_owner;
	struct text_place score_place;
	struct text_place cube_place;
};

/* The dice and the move of one turn. */
struct turn_text {
	enum side side;
	uint8_t dice[2];
	struct span move; /* empty: none is written */
	struct text_place dice_place, move_place;
};

/* A word about the cube. */
struct cube_text {
	enum side side;
	struct span word;
	struct text_place place;
};

/* A game begins: at the start of the asked ruleset, else of backgammon-match,
 * whose options and stakes are not known before record_match(). */
bool record_begin(struct game_reader *r, struct match_so_far *match,
		  struct text_place place);

/* What was told of the game: settles ruleset and stakes of its start. The score
 * must be what the games before it led to. */
bool record_match(struct game_reader *r, struct match_so_far *match,
		  const struct match_told *told);

/* Who plays first is told by the first turn: sets it. */
bool record_turn(struct game_reader *r, const struct match_so_far *match,
		 const struct turn_text *turn);

/* A side doubles; value is what the cube is said to show then, 0: not told. */
bool record_double(struct game_reader *r, struct match_so_far *match,
		   const struct cube_text *text, unsigned value);
/* A side takes the other's double, or drops it, which ends the game. */
bool record_answer(struct game_reader *r, struct match_so_far *match,
		   const struct cube_text *text, bool take);

/* The game ends. points 0: as many as the rules say. Where neither the position
 * nor a dropped double says who has won, the loser has resigned. Brings the
 * match up to date. */
void record_won(struct game_reader *r, struct match_so_far *match,
		enum side winner, unsigned points, struct text_place place);
/* The game ends without a word about who has won. */
void record_broken_off(struct game_reader *r, struct match_so_far *match,
		       struct text_place place);

/* Reads all of a text as a decimal number; false if it is none, or greater. */
bool number_read(struct span text, unsigned max, unsigned *out);

#endif
