/* SPDX-License-Identifier: MIT
 * child.h - a child process with a socket to it, which is its descriptor 3.
 * Its standard input and output are /dev/null. */
#ifndef PLYD_NET_CHILD_H
#define PLYD_NET_CHILD_H

#include <stdbool.h>
#include "net/conn.h"

enum {
	CHILD_FD = 3,
	CHILD_EXIT_MS = 1000, /* to exit once its socket is closed */
};

struct child;

struct child_options {
	const char *path;
	char *const *argv; /* ends with NULL */
	char *const *env;  /* ends with NULL; NULL: ours */
	bool stderr_null;  /* its standard error is /dev/null, not ours */
	void (*on_bytes)(void *payload, struct child *c, struct span bytes);
	/* The last call, always made, when it has exited and all its bytes were
	 * told; c is freed when it returns. signal 0: it exited by itself, with
	 * this status. */
	void (*on_exit)(void *payload, struct child *c, int status, int signal);
	void *payload;
};

/* Starts the program and gives the child. PLYD_EIO: why says why not.
 * PLYD_ENOMEM. After an error no callback comes. */
int child_spawn(struct net *n, const struct child_options *options,
		struct child **out, char why[NET_WHY_MAX]);

/* As conn_send() and conn_set_queue_max(). */
int child_send(struct child *c, struct span bytes);
void child_set_queue_max(struct child *c, size_t bytes);
int child_pid(const struct child *c);

/* Lets it read what was sent, then its end of stream; if it has not exited
 * CHILD_EXIT_MS after its socket closed, it is killed. */
void child_close(struct child *c);
/* Kills it at once. */
void child_kill(struct child *c);

#endif
