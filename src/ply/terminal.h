/* SPDX-License-Identifier: MIT
 * terminal.h - lines from a person, and text to him, while a loop runs. One
 * thread of its own has the terminal: it edits the line (libedit, if both ends
 * are terminals that can) and prints what others give it above that line. On
 * anything else lines come and go as they are. */
#ifndef PLYD_PLY_TERMINAL_H
#define PLYD_PLY_TERMINAL_H

#include <stdbool.h>
#include "base/span.h"
#include "net/net.h"

enum { TERMINAL_LINE_MAX = 256, TERMINAL_PROMPT_MAX = 64 };

struct terminal;

struct terminal_options {
	/* A line without its end, cut to TERMINAL_LINE_MAX - 1 bytes. */
	void (*on_line)(void *payload, const char *line);
	/* No line will come: end of file, or Ctrl-D. */
	void (*on_end)(void *payload);
	void *payload;
};

/* Takes the terminal and net_on_wake(). Both callbacks come from the loop.
 * PLYD_ENOMEM. */
int terminal_open(struct terminal **out, struct net *n,
		  const struct terminal_options *options);
/* Prints what waits and gives the terminal back. NULL is fine. */
void terminal_close(struct terminal *t);

/* Prints text, whole lines, soon. */
void terminal_print(struct terminal *t, struct span text);
/* What stands before the line that is typed. */
void terminal_prompt(struct terminal *t, const char *prompt);

/* Whether the output shows colours. */
bool terminal_has_colour(void);

#endif
