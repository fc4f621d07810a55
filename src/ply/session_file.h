/* SPDX-License-Identifier: MIT
 * session_file.h - the resume token of a person's session on disk, readable by
 * its owner only, so that `ply play` comes back to the same seat. Whoever has
 * it open holds a lock on it: two players at one machine use two files. */
#ifndef PLYD_PLY_SESSION_FILE_H
#define PLYD_PLY_SESSION_FILE_H

#include <stdbool.h>
#include <plyd/client.h>

enum { SESSION_PATH_MAX = 1024, SESSION_FILES_MAX = 16 };

struct session_file {
	int fd; /* -1: none, nothing is saved */
	char path[SESSION_PATH_MAX];
	char token[CLIENT_TOKEN_MAX]; /* as it was read; "": none */
};

/* Opens path, or if it is NULL the first file that nobody holds under
 * $XDG_STATE_HOME/plyd (else ~/.local/state/plyd) for that server, and reads
 * it. False: errno says why, nothing will be saved. */
bool session_open(struct session_file *s, const char *path, const char *server);
void session_close(struct session_file *s);

/* Puts another token in its place; "" empties it. False: errno. */
bool session_save(struct session_file *s, const char *token);

#endif
