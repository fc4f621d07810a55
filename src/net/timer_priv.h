/* SPDX-License-Identifier: MIT */
#ifndef PLYD_NET_TIMER_PRIV_H
#define PLYD_NET_TIMER_PRIV_H

struct net;

/* Calls all timers that fell due in this turn. */
void timers_run_due(struct net *n);

#endif
