/* SPDX-License-Identifier: MIT
 * tty.h - the terminal: shows a grid, and tells which keys were pressed. Alone
 * includes curses. One at a time in a process. Whatever ends the process, but for
 * SIGKILL, leaves the terminal as it was found: the crash signals are caught for
 * that, and go on to whoever had them before. */
#ifndef PLYD_SCREEN_TTY_H
#define PLYD_SCREEN_TTY_H

#include "screen/grid.h"
#include "screen/key.h"

/* Whether standard input and output are terminals that can show a screen. */
bool tty_can(void);

/* Takes the terminal; false: it cannot be used. The locale's character set
 * becomes that of the process. */
bool tty_open(void);
/* Gives it back; also when it was not taken. */
void tty_close(void);

/* Empties a grid at the terminal's size and says what it can show. */
void tty_begin(struct grid *g);
/* Shows it. */
void tty_show(const struct grid *g);
/* Takes the next key; false: none waits. */
bool tty_key(struct key *out);
/* Whether the terminal is gone: input is ready, and there is none. */
bool tty_is_gone(void);

/* After SIGWINCH: takes the new size. */
void tty_resized(void);
/* Stops the process as SIGTSTP would, with the terminal given back; returns when
 * it goes on, with everything to be shown again. */
void tty_stop(void);
/* Forgets what is shown, so that the next tty_show() draws all of it. */
void tty_redraw(void);

#endif
