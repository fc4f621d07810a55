/* SPDX-License-Identifier: MIT
 * stats.h - the numbers of /metrics for operators: the same, but without the
 * classes of histograms and without what has never happened. */
#ifndef PLYD_SERVER_STATS_H
#define PLYD_SERVER_STATS_H

#include "base/buf.h"

/* Appends an array of the protocol's `admin_stat` to b, from what
 * metrics_write() wrote. Look at b->err. */
void stats_put(struct buf *b, struct span metrics);

#endif
