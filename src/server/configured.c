/* SPDX-License-Identifier: MIT
 * configured.c - settings that have changed while the server runs. */
#include "server/server_priv.h"

void server_configured(void *payload)
{
	struct server *s = payload;
	struct domain_limits domain;
	struct hub_limits hub;
	struct log_options log;
	char why[CONFIG_WHY_MAX];
	config_domain_limits(s->config, &domain);
	config_hub_limits(s->config, &hub);
	s->journal.limits = domain;
	hub_set_limits(s->hub, &hub, &domain);
	if (!config_log(s->config, &log, why))
		stderr_log_set(&log);
}
