/* SPDX-License-Identifier: MIT
 * http_test.c - the life of an HTTP server on the loop. What it says to clients
 * of all manners is in tests/integration/metrics.py. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <plyd/err.h>
#include "net/conn.h"
#include "net/http.h"

struct hall {
	struct net *net;
	struct http *http;
	char port[8];
	char got[4096];
	size_t got_len;
	bool closed;
};

static enum http_status answer(void *payload, const char *path,
			       struct buf *body, const char **type)
{
	(void)payload;
	*type = "text/x-test";
	buf_printf(body, "path %s\n", path);
	return HTTP_OK;
}

static void on_bytes(void *payload, struct conn *c, struct span bytes)
{
	struct hall *h = payload;
	assert_true(h->got_len + bytes.len < sizeof(h->got));
	memcpy(h->got + h->got_len, bytes.at, bytes.len);
	h->got_len += bytes.len;
	h->got[h->got_len] = '\0';
	if (strstr(h->got, "\n\r\n") || strstr(h->got, "path /"))
		conn_abort(c);
}

static void on_closed(void *payload, struct conn *c, enum conn_end end,
		      const char *detail)
{
	struct hall *h = payload;
	(void)c, (void)end, (void)detail;
	h->closed = true;
	net_stop(h->net);
}

static const struct conn_callbacks callbacks = { .on_bytes = on_bytes,
						 .on_closed = on_closed };

static void hall_open(struct hall *h, unsigned answers_per_s)
{
	char why[NET_WHY_MAX];
	const struct http_options options = {
		.host = "127.0.0.1",
		.port = "0",
		.conns_max = 4,
		.answers_per_s = answers_per_s,
		.answer = answer,
	};
	memset(h, 0, sizeof(*h));
	assert_int_equal(net_new(&h->net), PLYD_OK);
	assert_int_equal(http_listen(h->net, &options, &h->http, why), PLYD_OK);
	snprintf(h->port, sizeof(h->port), "%u", http_port(h->http));
}

/* What is answered to these words, until the body has come. */
static const char *ask(struct hall *h, const char *words)
{
	struct conn *c;
	h->got_len = 0;
	h->closed = false;
	assert_int_equal(net_connect(h->net, "127.0.0.1", h->port, &callbacks,
				     h, &c),
			 PLYD_OK);
	assert_int_equal(conn_send(c, span_str(words)), PLYD_OK);
	while (!h->closed)
		net_run(h->net);
	return h->got;
}

static void it_answers(void **state)
{
	(void)state;
	struct hall h;
	hall_open(&h, 100);
	const char *got = ask(&h, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
	assert_non_null(strstr(got, "HTTP/1.1 200 "));
	assert_non_null(strstr(got, "Content-Type: text/x-test\r\n"));
	assert_non_null(strstr(got, "\r\n\r\npath /a\n"));
	assert_int_equal(http_answered(h.http), 1);
	http_free(h.http);
	http_free(h.http); /* it is closing */
	assert_int_equal(net_free(h.net), PLYD_OK);
}

static void more_than_allowed_is_told_so(void **state)
{
	(void)state;
	struct hall h;
	hall_open(&h, 1);
	ask(&h, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
	const char *got = ask(&h, "GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
	assert_non_null(strstr(got, "HTTP/1.1 429 "));
	assert_int_equal(http_limited(h.http), 1);
	/* with a connection open, and left to the end of the loop */
	struct conn *c;
	assert_int_equal(net_connect(h.net, "127.0.0.1", h.port, &callbacks, &h,
				     &c),
			 PLYD_OK);
	assert_int_equal(net_free(h.net), PLYD_OK);
}

static void a_taken_port_is_named(void **state)
{
	(void)state;
	struct hall h;
	struct http *other;
	char why[NET_WHY_MAX];
	hall_open(&h, 1);
	const struct http_options options = { .host = "127.0.0.1",
					      .port = h.port,
					      .conns_max = 1,
					      .answers_per_s = 1,
					      .answer = answer };
	assert_int_equal(http_listen(h.net, &options, &other, why), PLYD_EIO);
	assert_null(other);
	assert_non_null(strstr(why, h.port));
	assert_int_equal(net_free(h.net), PLYD_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_answers),
		cmocka_unit_test(more_than_allowed_is_told_so),
		cmocka_unit_test(a_taken_port_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
