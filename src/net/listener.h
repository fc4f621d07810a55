/* SPDX-License-Identifier: MIT
 * listener.h - accepts connections, as many in all and for each address as it
 * was told. Without descriptors it neither spins nor keeps those waiting who
 * are connected. */
#ifndef PLYD_NET_LISTENER_H
#define PLYD_NET_LISTENER_H

#include "net/conn.h"
#include "net/proxy.h"

enum {
	LISTENER_BACKLOG = 4096,     /* the kernel may allow fewer */
	LISTENER_ACCEPTS_MAX = 64,   /* in one turn, then others have theirs */
	LISTENER_PAUSE_MS = 250,     /* without descriptors */
	LISTENER_GREETING_MS = 5000, /* for a proxy to say who it is for */
	LISTENER_LOG_MS = 10000, /* between two lines about the same trouble */
	/* Descriptors that connections leave to the rest of the program. */
	LISTENER_DESCRIPTORS_KEPT = 32,
};

struct listener;

struct listener_options {
	const char *host; /* name or address; "::" is all, IPv4 as well */
	const char *port; /* number or service; "0": any that is free */
	/* Instead of host and port: a Unix socket here, for the owner of this
	 * process only (mode 0600). One that lies there and that nobody listens
	 * to is replaced; between the look and the removal somebody might begin
	 * to, so hold a lock. It is removed when the listener is freed. Must
	 * live as long as the listener. */
	const char *path;
	/* Not 0: a socket that listens already, from listener_hand_over(). It is
	 * duplicated; host, port and path only describe it. */
	int fd;
	unsigned conns_max;
	/* For one IPv4 address, or one /64 of IPv6. 0: as many as in all. */
	unsigned conns_per_address_max;
	/* Who speaks for others: what comes from these addresses begins with
	 * the header of proxy.h, or is dropped; it counts for whom it names. */
	struct proxies proxies;
	/* Takes the new connection: must call conn_set_callbacks(), and may
	 * send, close or abort. */
	void (*on_accept)(void *payload, struct conn *c);
	/* Lends the last words to one who is refused: PLYD_EFULL (conns_max, or
	 * no descriptors are left) or PLYD_EADDRESS. They are sent if the
	 * socket takes them at once. May be NULL. */
	struct span (*on_refuse)(void *payload, int err);
	void *payload;
};

/* Listens, and gives the listener. PLYD_EIO: why is a sentence that names host
 * and port ("... is in use: ...") or the path. PLYD_ENOMEM. */
int net_listen(struct net *n, const struct listener_options *options,
	       struct listener **out, char why[NET_WHY_MAX]);
/* The port that was bound; not for a path. */
unsigned listener_port(const struct listener *l);
/* What was accepted and lives, and what was refused so far. */
unsigned listener_conns(const struct listener *l);
uint64_t listener_refused(const struct listener *l);
/* Gives a descriptor of the same socket, for a program that takes over: who
 * knocks from now on waits for it, and neither freeing the listener nor the end
 * of this program turns anybody away while the descriptor is open. The path
 * stays as well. close() it. -1: there are no descriptors. */
int listener_hand_over(struct listener *l);
/* Stops listening; connections live on. NULL is nothing. All listeners must be
 * freed before net_free(). */
void listener_free(struct listener *l);

#endif
