/* SPDX-License-Identifier: MIT
 * A name becomes addresses, and each is tried until one answers. */
#include "net/conn_priv.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include <plyd/err.h>

struct dial {
	uv_getaddrinfo_t lookup;
	uv_connect_t connect;
	struct addrinfo *found, *next;
	unsigned source; /* of conn_set_source(); 0: the system's choice */
};

void peer_text(const struct sockaddr *address, char out[NET_PEER_MAX])
{
	char host[INET6_ADDRSTRLEN] = "?";
	if (address->sa_family == AF_INET6) {
		const struct sockaddr_in6 *in6 = (const void *)address;
		uv_ip6_name(in6, host, sizeof(host));
		snprintf(out, NET_PEER_MAX, "[%s]:%u", host,
			 ntohs(in6->sin6_port));
	} else {
		const struct sockaddr_in *in = (const void *)address;
		uv_ip4_name(in, host, sizeof(host));
		snprintf(out, NET_PEER_MAX, "%s:%u", host, ntohs(in->sin_port));
	}
}

void dial_cancel(struct dial *d)
{
	if (d)
		uv_cancel((uv_req_t *)&d->lookup);
}

void dial_free(struct dial *d)
{
	if (!d)
		return;
	if (d->found)
		uv_freeaddrinfo(d->found);
	free(d);
}

/* The socket of a failed attempt closes; the next one follows its end. */
static void attempt_failed(struct conn *c, int uv_err)
{
	c->uv_err = uv_err;
	c->io_open = false;
	uv_close(&c->io.handle, conn_handle_closed);
}

static void on_connect(uv_connect_t *req, int status)
{
	struct conn *c = req->handle->data;
	if (c->state != CONN_CONNECTING)
		return;
	if (status < 0) {
		attempt_failed(c, status);
		return;
	}
	c->uv_err = 0;
	dial_free(c->dial);
	c->dial = NULL;
	conn_tune(c);
	conn_opened(c);
	if (c->callbacks->on_open)
		c->callbacks->on_open(c->payload, c);
}

/* Where it cannot be done the system chooses, as it would have. */
static void come_from_source(struct conn *c, const struct sockaddr *to)
{
	int on = 1;
	const struct sockaddr_in *in = (const void *)to;
	struct sockaddr_in from = { .sin_family = AF_INET };
	if (c->dial->source == 0 || to->sa_family != AF_INET ||
	    ntohl(in->sin_addr.s_addr) >> IN_CLASSA_NSHIFT != IN_LOOPBACKNET)
		return;
	from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + c->dial->source);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	/* no port yet: bind() would take one for this socket alone */
	if (fd >= 0 &&
	    (setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on,
			sizeof(on)) ||
	     bind(fd, (const struct sockaddr *)&from, sizeof(from)) ||
	     uv_tcp_open(&c->io.tcp, fd)))
		close(fd);
}

void dial_next(struct conn *c, int uv_err)
{
	const struct addrinfo *to = c->dial->next;
	if (!to) {
		conn_end(c, CONN_END_UNREACHABLE, uv_err);
		return;
	}
	c->dial->next = to->ai_next;
	uv_tcp_init(&c->net->loop, &c->io.tcp);
	c->io.handle.data = c;
	c->io_open = true;
	c->pending++;
	peer_text(to->ai_addr, c->peer);
	come_from_source(c, to->ai_addr);
	int rc = uv_tcp_connect(&c->dial->connect, &c->io.tcp, to->ai_addr,
				on_connect);
	if (rc < 0)
		attempt_failed(c, rc);
}

static void on_lookup(uv_getaddrinfo_t *req, int status, struct addrinfo *found)
{
	struct conn *c = req->data;
	c->dial->found = c->dial->next = found;
	c->uv_err = c->state == CONN_CONNECTING ? status : c->uv_err;
	conn_settled(c);
}

/* Gives a connection that is being dialled, as long as that may take. */
static struct conn *dialling(struct net *n)
{
	struct dial *d = calloc(1, sizeof(*d));
	struct conn *c = d ? conn_new(n) : NULL;
	if (!c) {
		free(d);
		return NULL;
	}
	c->dial = d;
	d->lookup.data = c;
	deadline_set(c, DEADLINE_CONNECT);
	return c;
}

int net_connect(struct net *n, const char *host, const char *port,
		const struct conn_callbacks *callbacks, void *payload,
		struct conn **out)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct conn *c = dialling(n);
	*out = NULL;
	if (!c)
		return PLYD_ENOMEM;
	snprintf(c->peer, sizeof(c->peer), "%.40s:%.16s", host, port);
	int rc = uv_getaddrinfo(&n->loop, &c->dial->lookup, on_lookup, host,
				port, &hints);
	if (rc < 0) {
		conn_end(c, CONN_END_UNREACHABLE, rc);
		return PLYD_ENOMEM;
	}
	c->pending++;
	conn_set_callbacks(c, callbacks, payload);
	*out = c;
	return PLYD_OK;
}

void conn_set_source(struct conn *c, unsigned nth)
{
	assert(c->dial && nth <= CONN_SOURCE_MAX);
	c->dial->source = nth;
}

int net_connect_path(struct net *n, const char *path,
		     const struct conn_callbacks *callbacks, void *payload,
		     struct conn **out)
{
	struct sockaddr_un longest;
	*out = NULL;
	if (strlen(path) >= sizeof(longest.sun_path))
		return PLYD_EIO; /* the loop would cut it */
	struct conn *c = dialling(n);
	if (!c)
		return PLYD_ENOMEM;
	snprintf(c->peer, sizeof(c->peer), "local");
	uv_pipe_init(&n->loop, &c->io.pipe, 0);
	c->io.handle.data = c;
	c->io_open = true;
	c->pending++;
	conn_set_callbacks(c, callbacks, payload);
	uv_pipe_connect(&c->dial->connect, &c->io.pipe, path, on_connect);
	*out = c;
	return PLYD_OK;
}
