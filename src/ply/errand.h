/* SPDX-License-Identifier: MIT
 * errand.h - one request to a server, and its answer. */
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

/* Complains about a server that cannot be reached, and says how to start one
 * if it was the default that was tried. */
void server_complaint(const char *who, const char *server, const char *why);

#endif
