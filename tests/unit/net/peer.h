/* SPDX-License-Identifier: MIT
 * peer.h - ends of connections that note what happens to them. Nothing is
 * asserted in a callback: an assertion there would jump through the loop. */
#ifndef PLYD_TESTS_NET_PEER_H
#define PLYD_TESTS_NET_PEER_H

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <plyd/err.h>
#include "base/buf.h"
#include "net/listener.h"

enum { PEER_GOT_MAX = 64 * 1024 * 1024, RUN_MS_MAX = 20000 };

struct peer {
	struct conn *conn; /* NULL: none, or closed */
	struct buf got;
	int opened, reads, eofs, closes;
	enum conn_end end;
	char detail[64];
	/* what it does in its callbacks; each may be NULL */
	void (*bytes)(struct peer *p, struct span bytes);
	void (*eof)(struct peer *p);
	void (*closed)(struct peer *p);
	void *test;
};

static void peer_on_open(void *payload, struct conn *c)
{
	struct peer *p = payload;
	(void)c;
	p->opened++;
}

static void peer_on_bytes(void *payload, struct conn *c, struct span bytes)
{
	struct peer *p = payload;
	(void)c;
	p->reads++;
	buf_put(&p->got, bytes.at, bytes.len);
	if (p->bytes)
		p->bytes(p, bytes);
}

static void peer_on_eof(void *payload, struct conn *c)
{
	struct peer *p = payload;
	p->eofs++;
	if (p->eof)
		p->eof(p);
	else
		conn_close(c);
}

static void peer_on_closed(void *payload, struct conn *c, enum conn_end end,
			   const char *detail)
{
	struct peer *p = payload;
	(void)c;
	p->conn = NULL;
	p->closes++;
	p->end = end;
	snprintf(p->detail, sizeof(p->detail), "%s", detail);
	if (p->closed)
		p->closed(p);
}

static const struct conn_callbacks peer_callbacks = {
	.on_open = peer_on_open,
	.on_bytes = peer_on_bytes,
	.on_eof = peer_on_eof,
	.on_closed = peer_on_closed,
};

/* A loop with a listener whose newest connection is `server`. */
struct bench {
	struct net *net;
	struct listener *listener;
	struct net_timer *limit;
	char port[8];
	int accepted, timeouts;
	struct peer server, client;
	char why[NET_WHY_MAX];
};

static void bench_on_accept(void *payload, struct conn *c)
{
	struct bench *b = payload;
	b->accepted++;
	b->server.conn = c;
	conn_set_callbacks(c, &peer_callbacks, &b->server);
}

static void bench_timeout(void *payload)
{
	struct bench *b = payload;
	b->timeouts++;
	net_stop(b->net);
}

static inline void peer_init(struct peer *p, void *test)
{
	memset(p, 0, sizeof(*p));
	p->test = test;
	buf_init(&p->got, PEER_GOT_MAX);
}

/* Zeroes b; false if nothing can be listened to. on_accept gets what connects. */
static inline bool
bench_open_for(struct bench *b,
	       void (*on_accept)(void *payload, struct conn *c), void *payload)
{
	struct listener_options options = { .host = "127.0.0.1",
					    .port = "0",
					    .conns_max = 1000,
					    .on_accept = on_accept,
					    .payload = payload };
	memset(b, 0, sizeof(*b));
	peer_init(&b->server, b);
	peer_init(&b->client, b);
	if (net_new(&b->net) ||
	    net_listen(b->net, &options, &b->listener, b->why))
		return false;
	b->limit = net_timer_new(b->net, bench_timeout, b);
	snprintf(b->port, sizeof(b->port), "%u", listener_port(b->listener));
	return true;
}

static inline bool bench_open(struct bench *b)
{
	return bench_open_for(b, bench_on_accept, b);
}

/* Runs until net_stop() is called, or for ms at the most. */
static inline void bench_run(struct bench *b, unsigned ms)
{
	net_timer_start(b->limit, ms);
	net_run(b->net);
	net_timer_stop(b->limit);
}

/* Dials with `client`. */
static inline bool bench_dial(struct bench *b)
{
	return !net_connect(b->net, "127.0.0.1", b->port, &peer_callbacks,
			    &b->client, &b->client.conn);
}

/* What net_free() says. */
static inline int bench_close(struct bench *b)
{
	net_timer_free(b->limit);
	listener_free(b->listener);
	int err = net_free(b->net);
	buf_release(&b->server.got);
	buf_release(&b->client.got);
	return err;
}

static inline void stop_loop(struct peer *p)
{
	net_stop(((struct bench *)p->test)->net);
}

/* A plain socket to the listener, with a small window; it does not block. */
static inline int raw_connect(const struct bench *b)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons((uint16_t)atoi(b->port)) };
	int small = 4096;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)))
		abort();
	return fd;
}

/* Closes so that the other side sees a reset. */
static inline void raw_reset(int fd)
{
	struct linger linger = { .l_onoff = 1, .l_linger = 0 };
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	close(fd);
}

/* Reads all that has come; returns the count, or -1 for a reset. *eof: the end
 * was reached. */
static inline long raw_read(int fd, struct buf *into, bool *eof)
{
	char bytes[65536];
	long total = 0;
	*eof = false;
	for (;;) {
		ssize_t n = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT);
		if (n == 0)
			*eof = true;
		if (n == 0 || (n < 0 && (errno == EAGAIN)))
			return total;
		if (n < 0)
			return -1;
		buf_put(into, bytes, (size_t)n);
		total += n;
	}
}

#endif
