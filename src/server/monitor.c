/* SPDX-License-Identifier: MIT */
#include "server/monitor.h"

#include <stdio.h>

#include "server/stats.h"

/* NULL: new matches can begin; else what stands against it. */
static const char *not_ready(const struct monitor *m)
{
	const struct hub *hub = m->source.hub;
	if (m->stopping)
		return "stopping";
	if (!hub_is_writable(hub))
		return "read-only: the store cannot be written";
	if (domain_is_draining(hub_domain(hub)))
		return "draining";
	return NULL;
}

static enum http_status answer_ready(const struct monitor *m, struct buf *body)
{
	const char *why = not_ready(m);
	buf_printf(body, "%s\n", why ? why : "ready");
	return why ? HTTP_UNAVAILABLE : HTTP_OK;
}

static void write_metrics(struct monitor *m, struct buf *b)
{
	m->source.ready = not_ready(m) == NULL;
	metrics_write(b, &m->source);
}

void monitor_stats(struct monitor *m, struct buf *b)
{
	struct buf text;
	buf_init(&text, HTTP_ANSWER_MAX);
	write_metrics(m, &text);
	stats_put(b, buf_span(&text));
	if (text.err)
		b->err = text.err;
	buf_release(&text);
}

static enum http_status answer(void *payload, const char *path,
			       struct buf *body, const char **type)
{
	struct monitor *m = payload;
	if (!strcmp(path, "/metrics")) {
		*type = METRICS_TYPE;
		write_metrics(m, body);
		return HTTP_OK;
	}
	if (!strcmp(path, "/readyz"))
		return answer_ready(m, body);
	if (!strcmp(path, "/healthz")) {
		buf_put_str(body, "alive\n");
		return HTTP_OK;
	}
	buf_put_str(body, "here are /metrics, /healthz and /readyz\n");
	return HTTP_NOT_FOUND;
}

int monitor_start(struct monitor *m, struct net *n, const struct config *c,
		  char why[NET_WHY_MAX])
{
	char port[16];
	const struct http_options options = {
		.host = c->http_host,
		.port = port,
		.conns_max = (unsigned)c->http_connections,
		.answers_per_s = (unsigned)c->http_requests_per_second,
		.answer = answer,
		.payload = m,
	};
	if (!strcmp(c->http_host, "none"))
		return PLYD_OK;
	snprintf(port, sizeof(port), "%lld", (long long)c->http_port);
	int err = http_listen(n, &options, &m->http, why);
	m->source.http = m->http;
	return err;
}

void monitor_stop(struct monitor *m)
{
	m->stopping = true;
	http_free(m->http);
	m->http = NULL;
}
