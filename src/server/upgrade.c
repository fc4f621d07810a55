/* SPDX-License-Identifier: MIT */
#include "server/upgrade.h"

#include <stdio.h>
#include <stdlib.h>

#include <plyd/err.h>
#include "net/child.h"

struct upgrade {
	struct net *net;
	const char *path;
	char *argv[UPGRADE_ARGUMENTS_MAX + 2];
	struct upgrade_ops ops;
	struct net_timer *deadline;
	struct child *child; /* NULL: none */
	bool late;
	bool freed; /* only the child's last call is awaited */
};

static void on_deadline(void *upgrade)
{
	struct upgrade *u = upgrade;
	u->late = true;
	child_kill(u->child);
}

struct upgrade *upgrade_new(struct net *n, const char *path, char *const *argv,
			    const struct upgrade_ops *ops)
{
	static char check[] = "--check-start";
	struct upgrade *u = calloc(1, sizeof(*u));
	size_t count = 0;
	if (!u)
		return NULL;
	*u = (struct upgrade){ .net = n, .path = path, .ops = *ops };
	for (; argv[count] && count < UPGRADE_ARGUMENTS_MAX; count++)
		u->argv[count] = argv[count];
	u->argv[count] = check;
	u->deadline = net_timer_new(n, on_deadline, u);
	if (u->deadline)
		return u;
	free(u);
	return NULL;
}

static void on_bytes(void *payload, struct child *c, struct span bytes)
{
	(void)payload, (void)c, (void)bytes; /* it has nothing to say here */
}

static void on_exit_of_child(void *payload, struct child *c, int status,
			     int signal)
{
	struct upgrade *u = payload;
	char why[NET_WHY_MAX] = "";
	(void)c;
	if (u->freed) {
		free(u);
		return;
	}
	u->child = NULL;
	net_timer_stop(u->deadline);
	if (u->late)
		snprintf(why, sizeof(why),
			 "the new program said nothing for %d ms",
			 UPGRADE_CHECK_MS);
	else if (signal)
		snprintf(why, sizeof(why),
			 "the new program died of signal %d when it was tried",
			 signal);
	else if (status)
		snprintf(why, sizeof(why),
			 "the new program cannot start (status %d); the log "
			 "has what it said",
			 status);
	u->ops.done(u->ops.payload, !why[0], why);
}

int upgrade_check(struct upgrade *u, char why[NET_WHY_MAX])
{
	const struct child_options options = {
		.path = u->path,
		.argv = u->argv,
		.on_bytes = on_bytes,
		.on_exit = on_exit_of_child,
		.payload = u,
	};
	if (u->child)
		return PLYD_EBUSY;
	u->late = false;
	int err = child_spawn(u->net, &options, &u->child, why);
	if (!err)
		net_timer_start(u->deadline, UPGRADE_CHECK_MS);
	return err;
}

void upgrade_free(struct upgrade *u)
{
	if (!u)
		return;
	net_timer_free(u->deadline);
	if (!u->child) {
		free(u);
		return;
	}
	u->freed = true;
	child_kill(u->child);
}
