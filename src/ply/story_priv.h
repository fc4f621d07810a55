/* SPDX-License-Identifier: MIT
 * story_priv.h - what the two ways to a story share. */
#ifndef PLYD_PLY_STORY_PRIV_H
#define PLYD_PLY_STORY_PRIV_H

#include "ply/story.h"

/* Adds a step, and lends it until the next; NULL: no room. */
struct story_step *story_add(struct story *s, const struct position *pos,
			     int side, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
const char *story_side(int side); /* `White` */

#endif
