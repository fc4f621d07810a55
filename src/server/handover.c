/* SPDX-License-Identifier: MIT */
#include "server/handover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "PLYD_HANDOVER"
#define DELETED  " (deleted)"
enum { TEXT_MAX = 1024 };

/* Not one of the first three, which every program has. */
static bool is_open(int fd)
{
	return fd > 2 && fcntl(fd, F_GETFD) >= 0;
}

static void set_cloexec(const struct handover *h, bool on)
{
	const int all[] = { h->lock, h->listener, h->console };
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (is_open(all[i]))
			fcntl(all[i], F_SETFD, on ? FD_CLOEXEC : 0);
}

void handover_take(struct handover *h)
{
	const char *text = getenv(VARIABLE);
	*h = (struct handover){ 0 };
	/* the widths are those of at and path */
	if (!text ||
	    sscanf(text, "%d %d %d %271s %513[^\n]", &h->lock, &h->listener,
		   &h->console, h->at, h->path) != 5 ||
	    !is_open(h->lock) || !is_open(h->listener) || !is_open(h->console))
		*h = (struct handover){ 0 };
	unsetenv(VARIABLE);
	set_cloexec(h, true);
}

void handover_close(struct handover *h)
{
	const int all[] = { h->lock, h->listener, h->console };
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (is_open(all[i]))
			close(all[i]);
	*h = (struct handover){ 0 };
}

void handover_start(struct handover *h, const char *path, char *const *argv)
{
	char text[TEXT_MAX];
	snprintf(text, sizeof(text), "%d %d %d %s %s", h->lock, h->listener,
		 h->console, h->at, h->path);
	setenv(VARIABLE, text, 1);
	set_cloexec(h, false);
	execv(path, argv);
	int error = errno;
	set_cloexec(h, true);
	unsetenv(VARIABLE);
	errno = error;
}

void program_path(const char *argv0, char *out, size_t size)
{
	if (strchr(argv0, '/')) {
		snprintf(out, size, "%s", argv0);
		return;
	}
	ssize_t len = readlink("/proc/self/exe", out, size - 1);
	out[len > 0 ? len : 0] = '\0';
	size_t end = strlen(out), tail = strlen(DELETED);
	if (end > tail && !strcmp(out + end - tail, DELETED))
		out[end - tail] = '\0';
}
