/* SPDX-License-Identifier: MIT
 * http.h - answers GET and HEAD over HTTP/1.1, for the few programs that watch a
 * server. It is no web server: answers are small and made at once. Bounded so
 * that whoever floods it takes little from others on the loop: few connections,
 * short deadlines, and so many answers a second. */
#ifndef PLYD_NET_HTTP_H
#define PLYD_NET_HTTP_H

#include "base/buf.h"
#include "net/net.h"

enum {
	HTTP_ANSWER_MAX = 1024 * 1024, /* bytes of a body */
	HTTP_IDLE_S = 5,               /* a connection without a request */
	HTTP_CONN_BYTES = 16 * 1024,   /* headers and lines of one connection */
};

enum http_status {
	HTTP_OK = 200,
	HTTP_NOT_FOUND = 404,
	HTTP_NOT_ALLOWED = 405,
	HTTP_TOO_MANY = 429,
	HTTP_FAILED = 500,
	HTTP_UNAVAILABLE = 503,
};

struct http;

struct http_options {
	const char *host; /* as in struct listener_options */
	const char *port;
	unsigned conns_max;     /* more are closed at once */
	unsigned answers_per_s; /* more are told 429; as many at once */
	/* Writes the body for a path such as "/metrics" and returns the
	 * status; *type is its media type, text/plain if left alone. */
	enum http_status (*answer)(void *payload, const char *path,
				   struct buf *body, const char **type);
	void *payload;
};

/* Listens, and gives the server. Errors and why as net_listen(). */
int http_listen(struct net *n, const struct http_options *options,
		struct http **out, char why[NET_WHY_MAX]);
unsigned http_port(const struct http *h);
/* Answers that were given, those of them that were 429, and connections that
 * were closed at once. */
uint64_t http_answered(const struct http *h);
uint64_t http_limited(const struct http *h);
uint64_t http_refused(const struct http *h);
/* Closes all of it at once. NULL is nothing. To be freed before net_free(). */
void http_free(struct http *h);

#endif
