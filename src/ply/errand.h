/* SPDX-License-Identifier: MIT
 * errand.h - what commands do at a server: one request and its answer, or a link
 * that stays. */
#ifndef PLYD_PLY_ERRAND_H
#define PLYD_PLY_ERRAND_H

#include "base/span.h"
#include "ply/link.h"
#include "ply/login.h"

struct errand {
	const char *who;            /* for complaints */
	const char *server;         /* NULL: the default */
	const char *path;           /* the operator's socket instead, or NULL */
	const char *operator_token; /* with server: come in as an operator */
	const char *token; /* of the session to act in; NULL: a new one */
	const char *name;  /* of a guest, or NULL */
	const struct login *login; /* NULL: a guest */
	const char *method;
	struct span map; /* the parameters as MessagePack */
	/* One of the two is called; both return the exit status. */
	int (*on_result)(void *payload, const struct client_value *result);
	/* NULL: a complaint, and PLY_REFUSED. */
	int (*on_error)(void *payload, const struct client_error *error);
	void *payload;
};

/* Runs it; returns the exit status. PLY_UNREADABLE: there was no answer, and
 * stderr says why. */
int errand_run(const struct errand *e);

/* Opens a link as link_open() does, logged in as login says (NULL: a guest).
 * False: it cannot, and stderr says why in the name of who. */
bool errand_link(struct link **out, struct net *n, struct link_options *options,
		 const struct login *login, const char *who);

/* The same with a loop of its own, which runs until net_stop(); signals call
 * on_signal with the payload of the options. Both are freed at the end. False as
 * above: nothing ran. */
bool errand_follow(struct net **n, struct link **l,
		   struct link_options *options, const struct login *login,
		   void (*on_signal)(void *payload, int signal),
		   const char *who);

/* Complains about a server that cannot be reached, and says how to start one
 * if it was the default that was tried. */
void server_complaint(const char *who, const char *server, const char *why);

#endif
