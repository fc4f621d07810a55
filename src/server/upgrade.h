/* SPDX-License-Identifier: MIT
 * upgrade.h - whether another program can take over: it is run as
 * `PROGRAM ARGUMENTS --check-start`, which reads configuration, scripts and
 * data as a start would and changes nothing. */
#ifndef PLYD_SERVER_UPGRADE_H
#define PLYD_SERVER_UPGRADE_H

#include <stdbool.h>

#include "net/net.h"

enum { UPGRADE_CHECK_MS = 60000, UPGRADE_ARGUMENTS_MAX = 32 };

struct upgrade;

struct upgrade_ops {
	void *payload;
	/* Just once for each upgrade_check(). */
	void (*done)(void *payload, bool can_start, const char *why);
};

/* path and argv, those of this program, must live as long. NULL: no memory. */
struct upgrade *upgrade_new(struct net *n, const char *path, char *const *argv,
			    const struct upgrade_ops *ops);
/* Starts the check. PLYD_EBUSY: one runs. PLYD_EIO: it cannot be started, why
 * says why. After an error done is not called. */
int upgrade_check(struct upgrade *u, char why[NET_WHY_MAX]);
/* Ends a check that runs, without done; before net_free(). NULL is fine. */
void upgrade_free(struct upgrade *u);

#endif
