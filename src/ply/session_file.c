/* SPDX-License-Identifier: MIT */
#include "ply/session_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIRECTORY_MODE = 0700, FILE_MODE = 0600 };

/* Makes the directories of path, which is changed and put right again. */
static bool make_directories(char *path)
{
	for (char *at = path + 1; *at; at++) {
		if (*at != '/')
			continue;
		*at = '\0';
		int failed = mkdir(path, DIRECTORY_MODE);
		*at = '/';
		if (failed && errno != EEXIST)
			return false;
	}
	return true;
}

/* Takes the file if nobody has it. */
static bool take(struct session_file *s)
{
	s->fd = open(s->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
		     FILE_MODE);
	if (s->fd < 0)
		return false;
	if (flock(s->fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	session_close(s);
	errno = EWOULDBLOCK;
	return false;
}

static void read_token(struct session_file *s)
{
	ssize_t n = pread(s->fd, s->token, sizeof(s->token) - 1, 0);
	s->token[n > 0 ? n : 0] = '\0';
	s->token[strspn(s->token, "0123456789abcdef")] = '\0';
	if (strlen(s->token) != sizeof(s->token) - 1)
		s->token[0] = '\0'; /* not a token */
}

/* The directory for state, by the XDG base directory specification. */
static bool state_path(const char *server, int number,
		       char path[SESSION_PATH_MAX])
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	bool given = state && state[0] == '/';
	if (!given && (!home || home[0] != '/')) {
		errno = ENOENT;
		return false;
	}
	int len = snprintf(path, SESSION_PATH_MAX, "%s%s/plyd/%s.%d",
			   given ? state : home, given ? "" : "/.local/state",
			   server, number);
	if (len >= SESSION_PATH_MAX || strchr(server, '/')) {
		errno = ENAMETOOLONG;
		return false;
	}
	return true;
}

bool session_open(struct session_file *s, const char *path, const char *server)
{
	s->fd = -1;
	s->token[0] = '\0';
	if (path) {
		snprintf(s->path, sizeof(s->path), "%s", path);
		if (!take(s))
			return false;
		read_token(s);
		return true;
	}
	for (int i = 1; i <= SESSION_FILES_MAX; i++) {
		if (!state_path(server, i, s->path) ||
		    !make_directories(s->path))
			return false;
		if (take(s)) {
			read_token(s);
			return true;
		}
		if (errno != EWOULDBLOCK)
			return false;
	}
	return false;
}

void session_close(struct session_file *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

bool session_save(struct session_file *s, const char *token)
{
	size_t len = strlen(token);
	if (s->fd < 0)
		return true;
	/* tokens are equally long, so a cut leaves the old or the new one,
	 * or none; the server takes both */
	return pwrite(s->fd, token, len, 0) == (ssize_t)len &&
	       !ftruncate(s->fd, (off_t)len);
}
