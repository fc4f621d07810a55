/* SPDX-License-Identifier: MIT
 * config_file.c - the configuration file, which a worker reads as it reads
 * scripts. */
#include "server/config_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/reader.h"

struct configuring {
	struct configuring_options options;
	struct config config;
	struct version *file;
	struct reader *reader;
	char why[SCRIPTS_WHY_MAX];
};

/* After the file: --dev, then the environment. */
static int complete(struct configuring *c)
{
	char why[CONFIG_WHY_MAX];
	if (c->options.dev)
		config_dev(&c->config);
	int err = config_read_env(&c->config, environ, why);
	if (err)
		snprintf(c->why, sizeof(c->why), "%s", why);
	return err;
}

static int take(struct configuring *c, const struct worker_reply *reply,
		bool late)
{
	const char *path = c->options.path;
	char why[CONFIG_WHY_MAX];
	unsigned line;
	if (!reply)
		snprintf(c->why, sizeof(c->why), "%s: %s", path,
			 late ? "it did not finish in time"
			      : "the worker that read it died");
	else if (reply->err)
		snprintf(c->why, sizeof(c->why), "%s:%lld: %.*s", path,
			 (long long)reply->error.line,
			 (int)reply->error.text.len,
			 (const char *)reply->error.text.at);
	else if (!config_read(&c->config, reply->result,
			      span_of(c->file->source, c->file->len), &line,
			      why))
		return complete(c);
	else if (line > 0)
		snprintf(c->why, sizeof(c->why), "%s:%u: %s", path, line, why);
	else
		snprintf(c->why, sizeof(c->why), "%s: %s", path, why);
	return PLYD_ECONFIG;
}

static void on_config(void *payload, const struct worker_reply *reply,
		      bool late)
{
	struct configuring *c = payload;
	int err = take(c, reply, late);
	c->options.done(c->options.payload, err, &c->config, c->why);
}

static int ask(struct configuring *c, char why[SCRIPTS_WHY_MAX])
{
	char net_why[NET_WHY_MAX];
	const struct reader_options options = {
		.program = c->options.worker,
		.deadline_ms = c->config.workers_load_deadline_ms,
		.answered = on_config,
		.payload = c,
	};
	int err = reader_new(c->options.net, &options, &c->reader);
	if (err)
		return err;
	err = reader_ask(c->reader, c->file, net_why);
	if (err)
		snprintf(why, SCRIPTS_WHY_MAX,
			 "the script worker %s cannot be started: %s",
			 c->options.worker, net_why);
	return err ? PLYD_ECONFIG : PLYD_OK;
}

static int read_source(struct configuring *c, char why[SCRIPTS_WHY_MAX])
{
	char file_why[READER_WHY_MAX];
	size_t len;
	uint8_t *source = reader_file(c->options.path, &len, file_why);
	if (!source) {
		snprintf(why, SCRIPTS_WHY_MAX, "%s: %s", c->options.path,
			 file_why);
		return PLYD_ECONFIG;
	}
	c->file = version_new(WORKER_CONFIG, "config", source, len, NULL, 0);
	return c->file ? PLYD_OK : PLYD_ENOMEM;
}

int configuring_start(const struct configuring_options *options,
		      struct configuring **out, char why[SCRIPTS_WHY_MAX])
{
	struct configuring *c = calloc(1, sizeof(*c));
	*out = NULL;
	if (!c)
		return PLYD_ENOMEM;
	c->options = *options;
	config_default(&c->config);
	int err = read_source(c, why);
	if (!err)
		err = ask(c, why);
	if (err) {
		configuring_free(c);
		return err;
	}
	*out = c;
	return PLYD_OK;
}

void configuring_free(struct configuring *c)
{
	if (!c)
		return;
	reader_free(c->reader);
	version_drop(c->file);
	free(c);
}

/* -- at the start -- */

struct waiting {
	struct net *net;
	struct config *out;
	char *why;
	int err;
};

static void on_read(void *payload, int err, const struct config *c,
		    const char *why)
{
	struct waiting *w = payload;
	w->err = err;
	if (err)
		snprintf(w->why, SCRIPTS_WHY_MAX, "%s", why);
	else
		*w->out = *c;
	net_stop(w->net);
}

static int read_without_file(bool dev, struct config *out,
			     char why[SCRIPTS_WHY_MAX])
{
	char env_why[CONFIG_WHY_MAX];
	config_default(out);
	if (dev)
		config_dev(out);
	int err = config_read_env(out, environ, env_why);
	if (err)
		snprintf(why, SCRIPTS_WHY_MAX, "%s", env_why);
	return err;
}

int scripts_read_config(struct net *n, const char *worker, const char *path,
			bool dev, struct config *out, char why[SCRIPTS_WHY_MAX])
{
	struct waiting w = { n, out, why, PLYD_OK };
	struct configuring *c;
	const struct configuring_options options = { .net = n,
						     .worker = worker,
						     .path = path,
						     .dev = dev,
						     .done = on_read,
						     .payload = &w };
	if (!path)
		return read_without_file(dev, out, why);
	config_default(out);
	int err = configuring_start(&options, &c, why);
	if (err)
		return err;
	net_run(n);
	configuring_free(c);
	return w.err;
}
