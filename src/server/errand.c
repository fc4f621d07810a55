/* SPDX-License-Identifier: MIT
 * errand.c - what operators want of the process: that another program takes
 * over. */
#include "server/server_priv.h"

#include <stdio.h>

#include "base/log.h"

/* The answer leaves before the end; everything goes on until then. */
enum { UPGRADE_ANSWER_MS = 200 };

/* -- another program takes over -- */

static void upgrade_refused(struct server *s, const char *why)
{
	log_event(LOG_ERROR, "the upgrade is off: this program goes on",
		  "why=\"%s\"", why);
	hub_errand_done(s->hub, &s->upgrade_for, PLYD_EIO, why);
}

static void on_upgrade_time(void *payload)
{
	struct server *s = payload;
	if (s->stopping)
		return;
	log_event(LOG_INFO, "stopping", "why=upgrade connections=%zu",
		  hub_counts(s->hub).connections);
	s->handing_over = s->stopping = true;
	net_stop(s->net);
}

static void on_checked(void *payload, bool can_start, const char *why)
{
	struct server *s = payload;
	if (s->stopping)
		return;
	if (can_start) {
		hub_errand_done(s->hub, &s->upgrade_for, PLYD_OK, NULL);
		net_timer_start(s->upgrade_timer, UPGRADE_ANSWER_MS);
	} else {
		upgrade_refused(s, why);
	}
	server_finish_round(s);
}

static void upgrade_begin(struct server *s, const struct hub_errand *e)
{
	char why[NET_WHY_MAX];
	int err = upgrade_check(s->upgrade, why);
	if (err == PLYD_EBUSY) {
		hub_errand_done(s->hub, e, err, "An upgrade has begun.");
		return;
	}
	s->upgrade_for = *e;
	if (err)
		upgrade_refused(s, why[0] ? why : plyd_err_text(err));
}

void upgrade_wanted(struct server *s)
{
	const struct hub_errand nobody = { .type = ERRAND_UPGRADE };
	upgrade_begin(s, &nobody);
	server_finish_round(s);
}

void server_address(const struct server *s, char *out, size_t size)
{
	snprintf(out, size, "%s:%lld", s->config->listen_host,
		 (long long)s->config->listen_port);
}

void hand_over(struct server *s)
{
	struct handover *h = s->handover;
	int lock = store_hand_over(s->journal.store);
	int listener = listener_hand_over(s->listener);
	int console = listener_hand_over(s->operators);
	*h = (struct handover){ .lock = lock < 0 ? 0 : lock,
				.listener = listener < 0 ? 0 : listener,
				.console = console < 0 ? 0 : console };
	server_address(s, h->at, sizeof(h->at));
	snprintf(h->path, sizeof(h->path), "%s", s->socket_path);
}

/* -- all of them -- */

void hub_wants_errand(void *payload, const struct hub_errand *e)
{
	struct server *s = payload;
	switch (e->type) {
	case ERRAND_UPGRADE: upgrade_begin(s, e); break;
	}
}

int errands_start(struct server *s, const struct server_options *o)
{
	const struct upgrade_ops upgrade = { s, on_checked };
	s->upgrade = upgrade_new(s->net, o->program, o->argv, &upgrade);
	s->upgrade_timer = net_timer_new(s->net, on_upgrade_time, s);
	return s->upgrade && s->upgrade_timer ? PLYD_OK : PLYD_ENOMEM;
}

void errands_stop(struct server *s)
{
	upgrade_free(s->upgrade);
	net_timer_free(s->upgrade_timer);
}
