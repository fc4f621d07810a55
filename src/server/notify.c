/* SPDX-License-Identifier: MIT */
#include "server/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void notify_manager(const char *lines)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const char *path = getenv("NOTIFY_SOCKET");
	size_t len = path ? strlen(path) : 0;
	if (len < 2 || len >= sizeof(to.sun_path) ||
	    (path[0] != '/' && path[0] != '@'))
		return;
	memcpy(to.sun_path, path, len);
	if (path[0] == '@')
		to.sun_path[0] = '\0'; /* a name that is no file's */
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	ssize_t sent =
		sendto(fd, lines, strlen(lines), MSG_DONTWAIT | MSG_NOSIGNAL,
		       (struct sockaddr *)&to,
		       (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
				   len));
	(void)sent; /* the manager has its own time limits */
	close(fd);
}
