/* SPDX-License-Identifier: MIT
 * config_file.c - the configuration file, which a worker reads as it reads
 * scripts. */
#include "server/scripts.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/reader.h"

struct configuring {
	struct net *net;
	struct config *config;
	const char *path;
	struct span source;
	char *why;
	int err;
};

static void on_config(void *payload, const struct worker_reply *reply,
		      bool late)
{
	struct configuring *c = payload;
	char why[CONFIG_WHY_MAX];
	unsigned line;
	c->err = PLYD_ECONFIG;
	if (!reply)
		snprintf(c->why, SCRIPTS_WHY_MAX, "%s: %s", c->path,
			 late ? "it did not finish in time"
			      : "the worker that read it died");
	else if (reply->err)
		snprintf(c->why, SCRIPTS_WHY_MAX, "%s:%lld: %.*s", c->path,
			 (long long)reply->error.line,
			 (int)reply->error.text.len,
			 (const char *)reply->error.text.at);
	else if (!config_read(c->config, reply->result, c->source, &line, why))
		c->err = PLYD_OK;
	else if (line > 0)
		snprintf(c->why, SCRIPTS_WHY_MAX, "%s:%u: %s", c->path, line,
			 why);
	else
		snprintf(c->why, SCRIPTS_WHY_MAX, "%s: %s", c->path, why);
	net_stop(c->net);
}

static int ask_worker(struct configuring *c, const char *worker,
		      const struct version *v)
{
	char net_why[NET_WHY_MAX];
	struct reader *reader;
	const struct reader_options options = {
		.program = worker,
		.deadline_ms = c->config->workers_load_deadline_ms,
		.answered = on_config,
		.payload = c,
	};
	int err = reader_new(c->net, &options, &reader);
	if (err)
		return err;
	if (reader_ask(reader, v, net_why)) {
		snprintf(c->why, SCRIPTS_WHY_MAX,
			 "the script worker %s cannot be started: %s", worker,
			 net_why);
		c->err = PLYD_ECONFIG;
	} else {
		net_run(c->net);
	}
	reader_free(reader);
	return c->err;
}

static int read_config_file(struct net *n, const char *worker, const char *path,
			    struct config *out, char why[SCRIPTS_WHY_MAX])
{
	char file_why[READER_WHY_MAX];
	size_t len;
	struct configuring c = { n, out, path, { 0 }, why, PLYD_OK };
	uint8_t *source = reader_file(path, &len, file_why);
	if (!source) {
		snprintf(why, SCRIPTS_WHY_MAX, "%s: %s", path, file_why);
		return PLYD_ECONFIG;
	}
	c.source = span_of(source, len);
	struct version *v =
		version_new(WORKER_CONFIG, "config", source, len, NULL, 0);
	int err = v ? ask_worker(&c, worker, v) : PLYD_ENOMEM;
	version_drop(v);
	return err;
}

int scripts_read_config(struct net *n, const char *worker, const char *path,
			bool dev, struct config *out, char why[SCRIPTS_WHY_MAX])
{
	char env_why[CONFIG_WHY_MAX];
	config_default(out);
	int err = path ? read_config_file(n, worker, path, out, why) : PLYD_OK;
	if (err)
		return err;
	if (dev)
		config_dev(out);
	err = config_read_env(out, environ, env_why);
	if (err)
		snprintf(why, SCRIPTS_WHY_MAX, "%s", env_why);
	return err;
}
