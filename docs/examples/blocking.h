/* SPDX-License-Identifier: MIT
 * blocking.h - a client of plyd on a blocking socket: the least that brings its
 * bytes to a server and back. A program with a loop of its own does the same
 * four things there: client_connected(), send client_output(), client_feed()
 * what comes, client_disconnected(). */
#ifndef BLOCKING_H
#define BLOCKING_H

#include <netdb.h>
#include <plyd/client.h>
#include <sys/socket.h>
#include <unistd.h>

/* A connected socket, or -1. */
static int blocking_dial(const char *host, const char *port)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *a;
	if (getaddrinfo(host, port, &hints, &a))
		return -1;
	int fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
	if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen)) {
		close(fd);
		fd = -1;
	}
	freeaddrinfo(a);
	return fd;
}

/* Sends what the client has ready, or waits for what the server says. False:
 * the connection is of no more use. */
static bool blocking_carry(struct client *c, int fd)
{
	uint8_t in[4096];
	size_t len;
	const uint8_t *out = client_output(c, &len);
	if (len > 0) {
		ssize_t sent = send(fd, out, len, MSG_NOSIGNAL);
		if (sent > 0)
			client_sent(c, (size_t)sent);
		return sent > 0;
	}
	ssize_t got = recv(fd, in, sizeof(in), 0);
	return got > 0 && client_feed(c, in, (size_t)got) == PLYD_OK;
}

/* Calls the client's callbacks until one of them sets *done, with a new
 * connection, a second later, for each that is lost. */
static void blocking_run(struct client *c, const char *host, const char *port,
			 const bool *done)
{
	while (!*done) {
		int fd = blocking_dial(host, port);
		if (fd >= 0) {
			client_connected(c);
			while (!*done && blocking_carry(c, fd))
				;
			client_disconnected(c);
			close(fd);
		}
		if (!*done)
			sleep(1);
	}
}

#endif
