/* SPDX-License-Identifier: MIT
 * question.h - what the commands on the rules alone have in common: a ruleset,
 * a position, and whether the answer is JSON. */
#ifndef PLYD_PLY_QUESTION_H
#define PLYD_PLY_QUESTION_H

#include <argp.h>
#include <jansson.h>

#include <plyd/rules.h>

enum { OPTION_POSITION = 'p', OPTION_JSON = 'j' };

enum { SHOWN_MAX = POSITION_TEXT_MAX };

/* Foreign text for a message: signs that are not ASCII, or that a terminal
 * would obey, become a question mark, a long text is cut. Returns out. */
const char *text_printable(const char *text, char out[SHOWN_MAX + 1]);

#define QUESTION_OPTIONS                                                       \
	{ "position",                                                          \
	  OPTION_POSITION,                                                     \
	  "TEXT",                                                              \
	  0,                                                                   \
	  "Position: PDN FEN for draughts, XGID or a GNU Backgammon id for "   \
	  "backgammon (default: the start)",                                   \
	  0 },                                                                 \
	{                                                                      \
		"json", OPTION_JSON, NULL, 0, "Answer as one line of JSON", 0  \
	}

struct question {
	const char *ruleset_name;  /* lent by argv */
	const char *position_text; /* lent by argv; NULL: the start */
	bool json;
	struct ruleset ruleset;
	struct position position;
};

/* Takes one of QUESTION_OPTIONS; ARGP_ERR_UNKNOWN for any other key. */
error_t question_option(struct question *q, int key, const char *arg);

/* Finds the ruleset and reads the position. Complains on stderr in the name of
 * `who` and returns PLY_UNREADABLE, or PLY_OK. */
int question_resolve(struct question *q, const char *who);

/* Reports err of a rules function about the position; returns
 * PLY_UNREADABLE. */
int question_failed(const struct question *q, const char *who, int err);

/* `white` or `black`. */
const char *side_name(enum side side);

/* Gives a new JSON string: the position as text. */
json_t *json_position(const struct ruleset *rs, const struct position *pos);

/* Prints root as one line and drops it. */
void json_print(json_t *root);

/* Prints the board from the side of the player to move. */
void question_draw(const struct question *q);

/* Prints who has won, if the game is over. */
void question_outcome(const struct question *q);

/* Prints move texts in columns, `most` of them. */
void moves_print(const struct question *q, const struct move_list *list,
		 size_t most);

#endif
