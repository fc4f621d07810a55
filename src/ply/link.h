/* SPDX-License-Identifier: MIT
 * link.h - a client with a connection that comes back: it dials, and dials
 * again with growing pauses when the connection breaks. What the client does is
 * in <plyd/client.h>; the link only carries its bytes. */
#ifndef PLYD_PLY_LINK_H
#define PLYD_PLY_LINK_H

#include <plyd/client.h>
#include "net/net.h"

#define LINK_SERVER_DEFAULT "127.0.0.1:7531"

enum {
	LINK_WHY_MAX = 320,
	LINK_PAUSE_MS_MIN = 100, /* before the first new attempt */
	LINK_PAUSE_MS_MAX = 5000,
	LINK_PATIENCE_MS = 300000,  /* attempts before it gives up */
	LINK_TOLD_MS_MAX = 3600000, /* a longer wait is not waited for */
	LINK_PING_MS = 20000,       /* of silence before a ping */
	LINK_DEAD_MS = 40000        /* of silence before it dials again */
};

struct link;

struct link_options {
	const char *server; /* as address_read() reads it; NULL: the default */
	const char *path;   /* or a Unix socket; NULL: none */
	/* How long the first connection may take; 0: one attempt. */
	uint64_t first_ms;
	struct client_options client;
	const struct client_callbacks *callbacks;
	/* The connection broke, and will be dialled again. May be NULL. */
	void (*on_broken)(void *payload, const char *why);
	/* The last call: there will be no other connection, why says why not;
	 * "" after link_close(). May free the link. */
	void (*on_ended)(void *payload, const char *why);
	void *payload; /* of these two and of the callbacks */
};

/* Dials and gives a link; the first link_flush() is its own. All options must
 * outlive it. PLYD_EVALUE: server cannot be read. PLYD_ENOMEM. PLYD_ERANGE as
 * client_new(). */
int link_open(struct link **out, struct net *n,
	      const struct link_options *options);
/* Drops the connection. NULL is fine. Before net_free(). */
void link_free(struct link *l);

struct client *link_client(struct link *l);

/* In how many ms it dials again; 0: it is connected, or dials now. */
uint64_t link_redial_in_ms(const struct link *l);

/* Sends what the client has ready. To be called after requests were made,
 * except in the client's callbacks. */
void link_flush(struct link *l);

/* To be called by the client's on_closing. After an error that another attempt
 * would meet again the link ends, else it dials again: when the server said,
 * if it did, which takes nothing of the patience. But who has one attempt only
 * is told at once. */
void link_closing(struct link *l, const struct client_error *e);

/* Sends what waits, closes and ends. */
void link_close(struct link *l);

#endif
