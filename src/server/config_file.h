/* SPDX-License-Identifier: MIT
 * config_file.h - reads the configuration from the loop: the file, --dev, and
 * the environment, in this order. */
#ifndef PLYD_SERVER_CONFIG_FILE_H
#define PLYD_SERVER_CONFIG_FILE_H

#include "server/scripts.h"

struct configuring;

/* Texts are lent until configuring_free(). */
struct configuring_options {
	struct net *net;
	const char *worker;
	const char *path;
	bool dev;
	/* Once, never from configuring_start(). c and why are lent until
	 * configuring_free(), which may be called later, not from in here. */
	void (*done)(void *payload, int err, const struct config *c,
		     const char *why);
	void *payload;
};

/* PLYD_ECONFIG: why says what is wrong. PLYD_ENOMEM. Then done is not called. */
int configuring_start(const struct configuring_options *options,
		      struct configuring **out, char why[SCRIPTS_WHY_MAX]);
void configuring_free(struct configuring *c); /* NULL is fine */

#endif
