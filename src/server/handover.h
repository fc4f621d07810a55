/* SPDX-License-Identifier: MIT
 * handover.h - what one program leaves open for the next in the same process:
 * the listening sockets, so that nobody is turned away, and the lock of the data
 * directory. They are described in one variable of the environment. */
#ifndef PLYD_SERVER_HANDOVER_H
#define PLYD_SERVER_HANDOVER_H

#include <stdbool.h>

#include "server/config.h"

/* Descriptors; 0: there is none. */
struct handover {
	int lock;
	int listener;
	int console;
	/* where listener and console listen, as the configuration says it */
	char at[CONFIG_TEXT_MAX + 16];
	char path[2 * CONFIG_TEXT_MAX + 2];
};

/* What the program before has left, or nothing. Takes the variable away, so
 * that no worker sees it. */
void handover_take(struct handover *h);
void handover_close(struct handover *h);

/* Becomes the program at path, in the same process, with the same arguments.
 * Returns only if that cannot be: then errno says why, and nothing has
 * changed. */
void handover_start(struct handover *h, const char *path, char *const *argv);

/* The program that was started under this name: that file, whatever lies there
 * now. */
void program_path(const char *argv0, char *out, size_t size);

#endif
