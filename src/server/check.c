/* SPDX-License-Identifier: MIT */
#include "server/check_priv.h"

#include <stdio.h>

int check_open(const struct server_options *o, struct journal *j,
	       char why[STORE_WHY_MAX])
{
	const struct store_options options = {
		.dir = o->config->data_directory,
		.format = FACT_FORMAT,
		.vfs = o->vfs,
	};
	*j = (struct journal){ .scripts = o->scripts };
	config_domain_limits(o->config, &j->limits);
	return store_open_reader(&j->store, &options, why);
}

int check_start(const struct server_options *o, char why[SCRIPTS_WHY_MAX])
{
	struct journal j;
	struct domain *d = NULL;
	char store_why[STORE_WHY_MAX];
	int err = check_open(o, &j, store_why);
	if (err == PLYD_ENOTHING)
		return PLYD_OK;
	if (!err)
		err = journal_replay(&j, &d, store_why);
	if (err)
		snprintf(why, SCRIPTS_WHY_MAX, "%s", store_why);
	domain_free(d);
	store_close(j.store);
	return err;
}
