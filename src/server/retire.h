/* SPDX-License-Identifier: MIT
 * retire.h - records that have been kept for long enough leave the store: on a
 * thread of the pool they become files of an archive, if one is wanted, and
 * when those are on the disk the records are deleted, some at a time. */
#ifndef PLYD_SERVER_RETIRE_H
#define PLYD_SERVER_RETIRE_H

#include "server/config.h"
#include "server/journal.h"

enum {
	RETIRE_AT_ONCE = 200,      /* records of one round */
	RETIRE_EVERY_MS = 3600000, /* between looks, or keep_records_ms */
	RETIRE_GO_ON_MS = 1000,    /* until the next round, if there is more */
};

struct retire;

/* Begins to look, if records are not to be kept for ever (then *out is NULL).
 * Everything that it is given must live as long. PLYD_ENOMEM. */
int retire_new(struct net *n, const struct config *c, const char *vfs,
	       struct journal *j, struct retire **out);
/* A round that runs is waited for by net_run(), and deletes nothing more. NULL
 * is fine. */
void retire_free(struct retire *r);

#endif
