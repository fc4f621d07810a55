/* SPDX-License-Identifier: MIT
 * story_view.h - a story on the screen, step by step. */
#ifndef PLYD_PLY_STORY_VIEW_H
#define PLYD_PLY_STORY_VIEW_H

#include "ply/story.h"
#include "screen/match_page.h"

struct story_view {
	struct story story;
	size_t at; /* the step that is shown */
	bool flipped;
};

/* Draws it; the page brings what is not of the story. */
void story_view_draw(const struct story_view *v, struct grid *g,
		     struct page page);
/* Takes a key that steps or turns the board; false: it is none. */
bool story_view_key(struct story_view *v, struct key key);

/* Shows a file on the whole screen until its reader leaves; the exit status. */
int story_view_file(const char *who, const char *path);

#endif
