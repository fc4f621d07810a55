/* SPDX-License-Identifier: MIT
 * reload.h - reads the configuration and operators' scripts again while the
 * server runs. Settings that may change do; others are named. What can be
 * read is in force for matches that begin from then on; those that run keep the
 * versions that they began with. Of a file that is wrong, what it said before
 * stays. */
#ifndef PLYD_SERVER_RELOAD_H
#define PLYD_SERVER_RELOAD_H

#include "server/scripts.h"
#include "session/hub.h"

struct reload_options {
	struct net *net;
	const char *worker; /* path of plyd-script; copied */
	const char *base;   /* what relative directories start from; copied */
	struct config *config;
	const char *config_path; /* NULL: it is not read again; lent */
	/* Settings that may change have done so in config. */
	void (*configured)(void *payload);
	struct versions *versions;
	struct scripts *scripts; /* in force; replaced as a whole */
	/* The new ones are in force; what it lends is of this call only. conn
	 * and msgid are of who asked; 0: a signal. */
	void (*done)(void *payload, uint64_t conn, uint32_t msgid,
		     const struct hub_reload *what);
	void *payload;
};

struct reload;

/* PLYD_ENOMEM. */
int reload_new(const struct reload_options *options, struct reload **out);
void reload_free(struct reload *r); /* NULL is fine */

/* Reads everything again; `done` tells later, never from this call.
 * PLYD_ERELOADING: that is under way; for a signal (conn 0) it is then done
 * once more. PLYD_ENOMEM. */
int reload_start(struct reload *r, uint64_t conn, uint32_t msgid);

#endif
