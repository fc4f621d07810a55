/* SPDX-License-Identifier: MIT
 * server.h - everything wired together: the loop, the listener, the store, the
 * workers, around one hub. */
#ifndef PLYD_SERVER_SERVER_H
#define PLYD_SERVER_SERVER_H

#include "server/config.h"
#include "server/scripts.h"

struct server_options {
	const struct config *config;
	struct scripts *scripts; /* in force; replaced as they are read again */
	struct versions *versions;
	const char *base;   /* what directories of scripts start from */
	const char *worker; /* path of plyd-script */
	const char *vfs;    /* SQLite's, for tests; NULL: its own */
	const struct wordlist *words; /* masked in chats; NULL: none */
};

/* Opens the data, replays it, listens, and serves until SIGTERM or SIGINT; then
 * tells everybody, writes what waits and returns PLYD_OK. On an error nothing
 * was served and why says what to do. */
int server_run(struct net *n, const struct server_options *options,
	       char why[SCRIPTS_WHY_MAX]);

#endif
