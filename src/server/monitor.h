/* SPDX-License-Identifier: MIT
 * monitor.h - plyd over HTTP, for those who watch it: /metrics, /healthz and
 * /readyz. It only looks. */
#ifndef PLYD_SERVER_MONITOR_H
#define PLYD_SERVER_MONITOR_H

#include "net/http.h"
#include "server/config.h"
#include "server/metrics.h"

struct monitor {
	struct http *http; /* NULL: none is wanted */
	struct metrics_source source;
	bool stopping;
};

/* Listens where http.host and http.port say, or not. m->source must be filled
 * in, but for http and ready, and what it lends outlive m. Errors and why as
 * http_listen(). */
int monitor_start(struct monitor *m, struct net *n, const struct config *c,
		  char why[NET_WHY_MAX]);
void monitor_stop(struct monitor *m);

/* Appends what /metrics says, as stats_put() has it. */
void monitor_stats(struct monitor *m, struct buf *b);

#endif
