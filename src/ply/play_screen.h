/* SPDX-License-Identifier: MIT
 * play_screen.h - `ply play` on the whole screen: what is said goes to a log, the
 * match to a board, and keys become what one would have typed. */
#ifndef PLYD_PLY_PLAY_SCREEN_H
#define PLYD_PLY_PLAY_SCREEN_H

#include "base/span.h"

struct play;
struct play_screen;

/* Takes the terminal. PLYD_ENOMEM; PLYD_EIO: it cannot be used. */
int play_screen_open(struct play_screen **out, struct play *p);
/* Gives it back. NULL is fine. */
void play_screen_close(struct play_screen *s);

/* Something has changed: whole lines for the log, or none. */
void play_screen_say(struct play_screen *s, struct span text);
/* Somebody said something. */
void play_screen_chat(struct play_screen *s, const char *name,
		      const char *text);

/* Who we are to the server. */
void play_screen_name(struct play_screen *s, const char *name);
/* What was asked for was refused: a move may be chosen anew. */
void play_screen_refused(struct play_screen *s);

#endif
