/* SPDX-License-Identifier: MIT
 * story.h - a match or a game as steps from its first position to its end, to be
 * looked at forward and back: from a record of plyd, or from a file of another
 * program that rules/notation.h reads. It trusts what it is given; `ply verify'
 * and `ply replay' judge. */
#ifndef PLYD_PLY_STORY_H
#define PLYD_PLY_STORY_H

#include <plyd/client.h>
#include <plyd/rules.h>

enum {
	STORY_STEPS_MAX = 32 * 1024, /* half-moves, throws and games */
	STORY_TEXT_MAX = 120
};

struct story_step {
	struct position pos; /* after it */
	uint64_t marked;     /* places of the move, White below */
	uint32_t ply;        /* half-moves that are in force after it */
	int8_t side;         /* whose doing it was; -1: nobody's */
	char text[STORY_TEXT_MAX];
};

struct story {
	struct ruleset rules;
	char name[2][CLIENT_NAME_MAX];
	struct story_step *step;
	size_t steps; /* 0: there is no story */
	size_t cap;
};

/* Begins empty; the story must be zero or released. */
void story_release(struct story *s);

/* From the answer of record.get. NULL, or what is wrong: the story is empty
 * then. */
const char *story_of_record(struct story *s, const struct client_value *record);

/* From a file: a record of `ply record', or game number `game` (from 1) of a
 * file of games. *games says how many there are. NULL, or what is wrong. */
const char *story_of_file(struct story *s, const char *path, unsigned game,
			  unsigned *games);

#endif
