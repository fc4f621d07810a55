/* SPDX-License-Identifier: MIT
 * pdn_priv.h - Portable Draughts Notation: what its reader and its writer
 * share, and what one byte of it may be a part of. The source is the PDN 3.0
 * standard; where archives differ from it, the code says so. */
#ifndef PLYD_RULES_PDN_PRIV_H
#define PLYD_RULES_PDN_PRIV_H

#include "rules/notation_priv.h"

enum {
	PDN_DEPTH_MAX = 64,      /* variations within variations */
	PDN_TAG_NAME_MAX = 64,   /* bytes */
	PDN_TAG_VALUE_MAX = 1024 /* bytes */
};

/* What the next byte goes on with. */
enum pdn_state {
	PDN_TEXT,     /* words of the moves, or between two things */
	PDN_BRACE,    /* {a comment} */
	PDN_LINE,     /* ; a comment to the end of the line */
	PDN_ESCAPE,   /* % a line that is not for us */
	PDN_GLYPH,    /* the number behind $ */
	PDN_SIGNS,    /* bytes that are not ASCII, outside of comments */
	PDN_TAG_OPEN, /* behind [ */
	PDN_TAG_NAME,
	PDN_TAG_GAP, /* between the name and the value */
	PDN_TAG_VALUE,
	PDN_TAG_QUOTE, /* behind a backslash in the value */
	PDN_TAG_CLOSE, /* behind the value, before ] */
	PDN_TAG_WRONG  /* on to the end of the line */
};

struct pdn {
	enum pdn_state state;
	bool midline;   /* more than blanks stands in this line already */
	bool in_moves;  /* the open game's tags have ended */
	bool noting;    /* the open comment is kept */
	uint64_t depth; /* of variations */
	struct text_place opened; /* the comment, tag or variation */
	size_t comment_len;
	unsigned glyph;
	unsigned digits;  /* of glyph */
	uint8_t signs[3]; /* the first of a run */
	size_t signs_len;
	struct text_place word_place;
	size_t word_len;
	char word[GAME_WORD_MAX];
	struct text_place value_place;
	size_t name_len;
	size_t value_len;
	char name[PDN_TAG_NAME_MAX];
	char value[PDN_TAG_VALUE_MAX];
};

/* Ruleset and start of the open game from its tags. */
bool pdn_settle(struct game_reader *r);

/* The number of PDN's list of games, or 0: it has none. */
unsigned pdn_game_type(const struct ruleset *rs);

/* Reads `1-0` and the like; first is the side that moves first, whose points
 * are the first number. False: it is no result. */
bool pdn_result_read(struct span text, enum side first, enum game_result *out);
/* The text of a result; static storage. */
const char *pdn_result_text(enum game_result result, enum side first);

/* Whether two results contradict one another. */
static inline bool pdn_results_differ(enum game_result a, enum game_result b)
{
	return a != b && a != RESULT_NONE && b != RESULT_NONE;
}

/* The number of a glyph such as `!?`; 0 for none, -1: it is not known. */
int pdn_glyph(struct span mark);

#endif
