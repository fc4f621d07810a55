/* SPDX-License-Identifier: MIT
 * libmicrohttpd polls its connections by an epoll descriptor of its own; that
 * one is polled by the loop. Each turn it does a bounded amount of work: at most
 * one request for each of its few connections. Connections are accepted here,
 * since it would stop listening for good when they are too many, and spin when
 * descriptors are. */
#include "net/http.h"

#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microhttpd.h>

#include <plyd/err.h>
#include "net/conn_priv.h"

enum {
	HTTP_HANDLES = 4,
	SECOND_MS = 1000,
	ACCEPTS_MAX = 16,      /* in one turn */
	ACCEPT_PAUSE_MS = 250, /* without descriptors */
};

struct http {
	struct net_owner owner;
	struct http_options options;
	struct MHD_Daemon *daemon;
	int fd; /* that listens */
	uv_poll_t listening;
	uv_timer_t pause; /* until it listens again */
	uv_poll_t poll;
	uv_timer_t again; /* when it wants to be called without an event */
	unsigned handles;
	struct buf body;
	uint64_t tokens_ms; /* answers that may be given now, times 1000 */
	uint64_t tokens_at_ms;
	uint64_t answered, limited, refused;
};

/* -- answers -- */

static bool rate_allows(struct http *h)
{
	uint64_t now_ms = net_now_ms(), per_s = h->options.answers_per_s;
	uint64_t passed_ms = now_ms - h->tokens_at_ms;
	if (passed_ms > SECOND_MS)
		passed_ms = SECOND_MS;
	h->tokens_at_ms = now_ms;
	h->tokens_ms += passed_ms * per_s;
	if (h->tokens_ms > per_s * SECOND_MS)
		h->tokens_ms = per_s * SECOND_MS;
	if (h->tokens_ms < SECOND_MS)
		return false;
	h->tokens_ms -= SECOND_MS;
	return true;
}

static enum http_status write_body(struct http *h, const char *path,
				   const char *method, const char **type)
{
	buf_clear(&h->body);
	if (!rate_allows(h)) {
		h->limited++;
		buf_put_str(&h->body, "too many requests\n");
		return HTTP_TOO_MANY;
	}
	if (strcmp(method, MHD_HTTP_METHOD_GET) &&
	    strcmp(method, MHD_HTTP_METHOD_HEAD)) {
		buf_put_str(&h->body, "only GET and HEAD\n");
		return HTTP_NOT_ALLOWED;
	}
	enum http_status status =
		h->options.answer(h->options.payload, path, &h->body, type);
	if (!h->body.err)
		return status;
	buf_clear(&h->body);
	return HTTP_FAILED;
}

static enum MHD_Result send_body(struct http *h, struct MHD_Connection *c,
				 enum http_status status, const char *type)
{
	struct MHD_Response *r =
		MHD_create_response_from_buffer(h->body.len, h->body.at,
						MHD_RESPMEM_MUST_COPY);
	if (!r)
		return MHD_NO; /* the connection is closed */
	MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	MHD_add_response_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	if (status == HTTP_NOT_ALLOWED)
		MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	if (status == HTTP_TOO_MANY)
		MHD_add_response_header(r, MHD_HTTP_HEADER_RETRY_AFTER, "1");
	if (status == HTTP_TOO_MANY || status == HTTP_NOT_ALLOWED)
		MHD_add_response_header(r, MHD_HTTP_HEADER_CONNECTION, "close");
	enum MHD_Result queued = MHD_queue_response(c, status, r);
	MHD_destroy_response(r);
	return queued;
}

static enum MHD_Result on_request(void *http, struct MHD_Connection *c,
				  const char *path, const char *method,
				  const char *version, const char *upload,
				  size_t *upload_len, void **state)
{
	struct http *h = http;
	const char *type = "text/plain; charset=utf-8";
	(void)version, (void)upload, (void)upload_len, (void)state;
	enum http_status status = write_body(h, path, method, &type);
	h->answered++;
	return send_body(h, c, status, type);
}

/* -- the loop -- */

static void on_again(uv_timer_t *timer);

static void run(struct http *h)
{
	MHD_UNSIGNED_LONG_LONG wait_ms;
	MHD_run(h->daemon);
	if (MHD_get_timeout(h->daemon, &wait_ms) == MHD_YES)
		net_start_timer(&h->again, on_again, wait_ms);
	else
		uv_timer_stop(&h->again);
}

static void on_again(uv_timer_t *timer)
{
	run(timer->data);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
	(void)status, (void)events;
	run(poll->data);
}

/* -- those who come -- */

static unsigned connections(const struct http *h)
{
	return MHD_get_daemon_info(h->daemon,
				   MHD_DAEMON_INFO_CURRENT_CONNECTIONS)
		->num_connections;
}

static void take(struct http *h, int fd, const struct sockaddr_storage *from,
		 socklen_t len)
{
	if (connections(h) >= h->options.conns_max) {
		h->refused++;
		close(fd);
		return;
	}
	/* it closes fd if it does not take it */
	MHD_add_connection(h->daemon, fd, (const struct sockaddr *)from, len);
}

static void on_coming(uv_poll_t *poll, int status, int events);

static void on_pause_over(uv_timer_t *timer)
{
	struct http *h = timer->data;
	uv_poll_start(&h->listening, UV_READABLE, on_coming);
}

static void on_coming(uv_poll_t *poll, int status, int events)
{
	struct http *h = poll->data;
	struct sockaddr_storage from;
	(void)status, (void)events;
	for (int i = 0; i < ACCEPTS_MAX; i++) {
		socklen_t len = sizeof(from);
		int fd = accept4(h->fd, (struct sockaddr *)&from, &len,
				 SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0) {
			take(h, fd, &from, len);
			continue;
		}
		if (errno != EAGAIN && errno != EINTR &&
		    errno != ECONNABORTED) {
			uv_poll_stop(&h->listening);
			net_start_timer(&h->pause, on_pause_over,
					ACCEPT_PAUSE_MS);
		}
		break;
	}
	run(h);
}

static void on_handle_closed(uv_handle_t *handle)
{
	struct http *h = handle->data;
	if (--h->handles > 0)
		return;
	buf_release(&h->body);
	free(h);
}

static void stop_owner(struct net_owner *owner)
{
	http_free((struct http *)owner);
}

/* -- life -- */

static struct MHD_Daemon *daemon_start(struct http *h)
{
	return MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET, 0,
				NULL, NULL, on_request, h,
				MHD_OPTION_CONNECTION_LIMIT,
				h->options.conns_max,
				MHD_OPTION_CONNECTION_TIMEOUT,
				(unsigned)HTTP_IDLE_S,
				MHD_OPTION_CONNECTION_MEMORY_LIMIT,
				(size_t)HTTP_CONN_BYTES, MHD_OPTION_END);
}

static int http_start(struct net *n, struct http *h)
{
	h->daemon = daemon_start(h);
	if (!h->daemon)
		return PLYD_ENOMEM;
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	/* these fail for descriptors that cannot be polled, and these can */
	int err = uv_poll_init(&n->loop, &h->poll, info->epoll_fd);
	err = err ? err : uv_poll_init(&n->loop, &h->listening, h->fd);
	assert(!err);
	(void)err;
	uv_timer_init(&n->loop, &h->again);
	uv_timer_init(&n->loop, &h->pause);
	h->owner.stop = stop_owner;
	h->poll.data = h->again.data = h;
	h->listening.data = h->pause.data = h;
	h->handles = HTTP_HANDLES;
	uv_poll_start(&h->poll, UV_READABLE, on_readable);
	uv_poll_start(&h->listening, UV_READABLE, on_coming);
	return PLYD_OK;
}

int http_listen(struct net *n, const struct http_options *options,
		struct http **out, char why[NET_WHY_MAX])
{
	const struct listener_options at = { .host = options->host,
					     .port = options->port };
	struct http *h = calloc(1, sizeof(*h));
	*out = NULL;
	why[0] = '\0';
	if (!h)
		return PLYD_ENOMEM;
	h->options = *options;
	h->tokens_at_ms = net_now_ms();
	h->tokens_ms = (uint64_t)options->answers_per_s * SECOND_MS;
	buf_init(&h->body, HTTP_ANSWER_MAX);
	int err = listener_socket(&at, &h->fd, why);
	if (!err && (err = http_start(n, h)))
		close(h->fd);
	if (err) {
		free(h);
		return err;
	}
	*out = h;
	return PLYD_OK;
}

unsigned http_port(const struct http *h)
{
	return socket_port(h->fd);
}

uint64_t http_answered(const struct http *h)
{
	return h->answered;
}

uint64_t http_limited(const struct http *h)
{
	return h->limited;
}

uint64_t http_refused(const struct http *h)
{
	return h->refused;
}

void http_free(struct http *h)
{
	if (!h || uv_is_closing((uv_handle_t *)&h->poll))
		return;
	uv_close((uv_handle_t *)&h->poll, on_handle_closed);
	uv_close((uv_handle_t *)&h->again, on_handle_closed);
	uv_close((uv_handle_t *)&h->listening, on_handle_closed);
	uv_close((uv_handle_t *)&h->pause, on_handle_closed);
	MHD_stop_daemon(h->daemon); /* its connections too */
	close(h->fd);
}
