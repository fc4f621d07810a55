/* SPDX-License-Identifier: MIT
 * sgf_priv.h - what sgf_read.c, which cuts SGF into properties, and
 * sgf_properties.c, which understands them, know of one tree. */
#ifndef PLYD_RULES_SGF_PRIV_H
#define PLYD_RULES_SGF_PRIV_H

#include "rules/backgammon_record_priv.h"

enum {
	SGF_NAME_MAX = 8,   /* letters of a property's name that are kept */
	SGF_VALUE_MAX = 512 /* bytes of a value that is read */
};

enum sgf_at {
	SGF_BETWEEN, /* outside of all trees */
	SGF_NODE,    /* in a tree, between names and values */
	SGF_NAME,
	SGF_VALUE,
	SGF_ESCAPED /* in a value, behind a backslash */
};

enum sgf_want { SGF_NOTHING, SGF_VALUE_READ, SGF_COMMENT };

struct sgf {
	enum sgf_at at;
	uint64_t depth; /* of parentheses */
	bool main_over; /* the first of them has closed */
	char name[SGF_NAME_MAX];
	size_t name_len;
	enum sgf_want want; /* of the value */
	struct text_place value_place;
	size_t value_len;
	char value[SGF_VALUE_MAX];
	/* the game */
	bool game_told; /* GM[6] */
	bool begun;     /* its start is settled, no more may be set up */
	bool side_told; /* PL, for the next turn */
	enum side side;
	uint8_t dice[2];       /* DI, for the next turn; 0, 0: not told */
	struct position start; /* what is borne off is not in it */
	bool score_told;
	struct match_told told;
	bool result_told;
	bool resigned;
	enum side winner;
	unsigned points; /* 0: not told */
	struct text_place result_place;
	struct match_so_far match;
};

/* A tree opens at r->here, and closes there. */
void sgf_game_begins(struct game_reader *r, struct sgf *s);
void sgf_game_ends(struct game_reader *r, struct sgf *s);

/* Whether a value of s->name says something of the game. */
enum sgf_want sgf_wanted(const struct sgf *s);
/* Reads one value; the game is not refused yet. */
void sgf_property(struct game_reader *r, struct sgf *s);

#endif
