/* SPDX-License-Identifier: MIT
 * server.h - everything wired together: the loop, the listener, the store, the
 * workers, around one hub. */
#ifndef PLYD_SERVER_SERVER_H
#define PLYD_SERVER_SERVER_H

#include "server/config.h"
#include "server/handover.h"
#include "server/scripts.h"

struct server_options {
	struct config *config;   /* settings change as they are read again */
	const char *config_path; /* NULL: they are not */
	struct scripts *scripts; /* in force; replaced as they are read again */
	struct versions *versions;
	const char *base;   /* what directories of scripts start from */
	const char *worker; /* path of plyd-script */
	const char *vfs;    /* SQLite's, for tests; NULL: its own */
	const struct wordlist *words; /* masked in chats; NULL: none */
	const char *program;          /* path of this program, or the next */
	char *const *argv;            /* its arguments */
	/* What the program before has left. Closed once this one serves; filled
	 * when it ends for an upgrade, and then the caller's to close. */
	struct handover *handover;
};

/* Opens the data, replays it, listens, and serves until SIGTERM or SIGINT, or
 * until another program is to take over (*upgrade, by SIGUSR1 or an operator);
 * then tells everybody, writes what waits and returns PLYD_OK. On an error
 * nothing was served and why says what to do. */
int server_run(struct net *n, const struct server_options *options,
	       bool *upgrade, char why[SCRIPTS_WHY_MAX]);

#endif
