/* SPDX-License-Identifier: MIT */
#include "ply/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/conn.h"
#include "ply/address.h"
#include "ply/tls.h"

enum {
	OUTPUT_QUEUE_MAX = 8 * 1024 * 1024,
	TLS_PLAIN_MAX = 256 * 1024, /* that one read may bring */
};

struct link {
	struct net *net;
	struct link_options options;
	struct client *client;
	struct conn *conn; /* NULL: none */
	struct tls *tls;   /* of conn; NULL: it is in the clear */
	struct buf plain;  /* for what arrives by it, */
	struct buf wire;   /* and for what is to be sent */
	struct net_timer *redial;
	struct net_timer *watchdog;
	struct address address;
	char why[LINK_WHY_MAX];  /* it ends for that; "": it goes on */
	char said[LINK_WHY_MAX]; /* the server's last words */
	bool open;               /* the connection stands */
	bool closing;            /* link_close() was called */
	bool ready_once;
	uint64_t pause_ms;
	uint64_t redial_ms; /* when it dials again */
	uint64_t told_ms;   /* so long the server bade to wait; 0: it did not */
	uint64_t lost_ms;   /* since when there is no session */
	uint64_t heard_ms;  /* when the last bytes came */
};

/* -- the connection -- */

static void dial(void *link);

static void end(struct link *l, const char *why)
{
	net_timer_stop(l->redial);
	net_timer_stop(l->watchdog);
	l->options.on_ended(l->options.payload, why);
}

static bool is_out_of_patience(const struct link *l)
{
	uint64_t patience_ms =
		l->ready_once ? LINK_PATIENCE_MS : l->options.first_ms;
	return net_now_ms() >= l->lost_ms + patience_ms;
}

static void cannot_reach(const struct link *l, const char *why,
			 char text[LINK_WHY_MAX])
{
	if (l->options.path)
		snprintf(text, LINK_WHY_MAX, "cannot open '%.108s': %.180s",
			 l->options.path, why);
	else
		snprintf(text, LINK_WHY_MAX, "cannot reach %.64s:%s: %.200s",
			 l->address.host, l->address.port, why);
}

static void dial_after(struct link *l, uint64_t pause_ms)
{
	l->redial_ms = net_now_ms() + pause_ms;
	net_timer_start(l->redial, pause_ms);
}

static void lost(struct link *l, const char *why)
{
	char text[LINK_WHY_MAX];
	bool was_ready = client_is_ready(l->client);
	l->conn = NULL;
	l->open = false;
	tls_free(l->tls);
	l->tls = NULL;
	net_timer_stop(l->watchdog);
	client_disconnected(l->client);
	if (l->closing || l->why[0]) {
		snprintf(text, sizeof(text), "%s", l->why);
		end(l, text);
		return;
	}
	if (was_ready) {
		l->lost_ms = net_now_ms();
		l->pause_ms = LINK_PAUSE_MS_MIN;
		if (l->options.on_broken)
			l->options.on_broken(l->options.payload, why);
	}
	if (l->told_ms > 0 && (l->ready_once || l->options.first_ms > 0)) {
		l->lost_ms += l->told_ms;
		if (!was_ready && l->options.on_broken)
			l->options.on_broken(l->options.payload, why);
		dial_after(l, l->told_ms);
		return;
	}
	if (is_out_of_patience(l)) {
		cannot_reach(l, why, text);
		end(l, text);
		return;
	}
	dial_after(l, l->pause_ms);
	l->pause_ms = l->pause_ms * 2 < LINK_PAUSE_MS_MAX ? l->pause_ms * 2
							  : LINK_PAUSE_MS_MAX;
}

/* on_closed follows. */
static void give_up_connection(struct link *l)
{
	l->open = false;
	conn_abort(l->conn);
}

/* The server can be spoken to. */
static void stands(struct link *l)
{
	l->open = true;
	client_connected(l->client);
	net_timer_start(l->watchdog, LINK_PING_MS);
	link_flush(l);
}

/* Sends what TLS has ready. An error of TLS is final: the next attempt would
 * meet it again. */
static int send_wire(struct link *l, int err)
{
	if (err == PLYD_EIO && !l->said[0])
		snprintf(l->why, sizeof(l->why), "%s", tls_why(l->tls));
	if (!err)
		err = l->wire.err;
	if (l->wire.len > 0) {
		int sent = conn_send(l->conn, buf_span(&l->wire));
		err = err ? err : sent;
	}
	buf_clear(&l->wire);
	return err;
}

static void on_open(void *payload, struct conn *c)
{
	struct link *l = payload;
	(void)c;
	l->heard_ms = net_now_ms();
	if (!l->tls)
		stands(l);
	else if (send_wire(l, tls_begin(l->tls, &l->wire)))
		give_up_connection(l);
}

static void heard(struct link *l, struct conn *c, struct span bytes)
{
	if (client_feed(l->client, bytes.at, bytes.len)) {
		snprintf(l->why, sizeof(l->why),
			 "what answers at %s is not plyd", conn_peer(c));
		give_up_connection(l);
		return;
	}
	l->ready_once = l->ready_once || client_is_ready(l->client);
	if (l->said[0]) /* its last words, or hello was refused */
		give_up_connection(l);
	else
		link_flush(l);
}

static void on_bytes(void *payload, struct conn *c, struct span bytes)
{
	struct link *l = payload;
	l->heard_ms = net_now_ms();
	if (!l->tls) {
		heard(l, c, bytes);
		return;
	}
	bool was_open = l->open;
	buf_clear(&l->plain);
	int err = tls_receive(l->tls, bytes, &l->plain, &l->wire);
	if (l->plain.len > 0)
		heard(l, c, buf_span(&l->plain));
	if (l->closing || (was_open && !l->open)) /* it was given up */
		return;
	if (send_wire(l, err) || l->plain.err)
		give_up_connection(l);
	else if (!l->open && tls_is_open(l->tls))
		stands(l);
}

static void on_closed(void *payload, struct conn *c, enum conn_end end_of,
		      const char *detail)
{
	const struct link *l = payload;
	char why[LINK_WHY_MAX];
	(void)c;
	snprintf(why, sizeof(why), "%s",
		 l->said[0]  ? l->said
		 : detail[0] ? detail
			     : conn_end_name(end_of));
	lost(payload, why);
}

static const struct conn_callbacks callbacks = {
	.on_open = on_open,
	.on_bytes = on_bytes,
	.on_closed = on_closed,
};

static void dial(void *link)
{
	struct link *l = link;
	if (l->why[0]) {
		end(l, l->why);
		return;
	}
	l->said[0] = '\0';
	l->told_ms = 0;
	const char *path = l->options.path;
	if (!path && l->address.tls &&
	    tls_new(&l->tls, l->address.host, l->why)) {
		net_timer_start(l->redial, 0);
		return;
	}
	int err = path ? net_connect_path(l->net, path, &callbacks, l, &l->conn)
		       : net_connect(l->net, l->address.host, l->address.port,
				     &callbacks, l, &l->conn);
	if (err) {
		l->conn = NULL;
		tls_free(l->tls);
		l->tls = NULL;
		dial_after(l, l->pause_ms);
		return;
	}
	conn_set_queue_max(l->conn, OUTPUT_QUEUE_MAX);
}

/* A silent connection is asked, and a dead one given up: a train's tunnel ends
 * no connection. */
static void on_watchdog(void *link)
{
	struct link *l = link;
	uint64_t silent_ms = net_now_ms() - l->heard_ms;
	if (silent_ms >= LINK_DEAD_MS) {
		give_up_connection(l);
		return;
	}
	if (silent_ms >= LINK_PING_MS && client_is_ready(l->client)) {
		client_request(l->client, "ping", NULL, 0, NULL, NULL);
		link_flush(l);
	}
	net_timer_start(l->watchdog, LINK_PING_MS);
}

/* -- for commands -- */

int link_open(struct link **out, struct net *n,
	      const struct link_options *options)
{
	struct link *l = calloc(1, sizeof(*l));
	const char *server =
		options->server ? options->server : LINK_SERVER_DEFAULT;
	*out = NULL;
	if (!l)
		return PLYD_ENOMEM;
	l->net = n;
	l->options = *options;
	buf_init(&l->plain, TLS_PLAIN_MAX);
	buf_init(&l->wire, OUTPUT_QUEUE_MAX);
	l->pause_ms = LINK_PAUSE_MS_MIN;
	l->lost_ms = net_now_ms();
	int err = options->path || address_read(server, &l->address)
			  ? PLYD_OK
			  : PLYD_EVALUE;
	if (!err)
		err = client_new(&l->client, &options->client,
				 options->callbacks, options->payload);
	l->redial = net_timer_new(n, dial, l);
	l->watchdog = net_timer_new(n, on_watchdog, l);
	if (!err && (!l->redial || !l->watchdog))
		err = PLYD_ENOMEM;
	if (err) {
		link_free(l);
		return err;
	}
	*out = l;
	dial(l);
	return PLYD_OK;
}

static void on_orphan_bytes(void *payload, struct conn *c, struct span bytes)
{
	(void)payload, (void)c, (void)bytes;
}

static void on_orphan_closed(void *payload, struct conn *c,
			     enum conn_end end_of, const char *detail)
{
	(void)payload, (void)c, (void)end_of, (void)detail;
}

/* Of a connection that outlives its link. */
static const struct conn_callbacks orphan = {
	.on_bytes = on_orphan_bytes,
	.on_closed = on_orphan_closed,
};

void link_free(struct link *l)
{
	if (!l)
		return;
	if (l->conn) {
		conn_set_callbacks(l->conn, &orphan, NULL);
		conn_abort(l->conn);
	}
	net_timer_free(l->redial);
	net_timer_free(l->watchdog);
	client_free(l->client);
	tls_free(l->tls);
	buf_release(&l->plain);
	buf_release(&l->wire);
	free(l);
}

struct client *link_client(struct link *l)
{
	return l->client;
}

uint64_t link_redial_in_ms(const struct link *l)
{
	uint64_t now_ms = net_now_ms();
	return l->conn || l->redial_ms <= now_ms ? 0 : l->redial_ms - now_ms;
}

void link_flush(struct link *l)
{
	size_t len;
	const uint8_t *bytes = client_output(l->client, &len);
	if (!l->open || len == 0)
		return;
	struct span out = span_of(bytes, len);
	int err = l->tls ? send_wire(l, tls_send(l->tls, out, &l->wire))
			 : conn_send(l->conn, out);
	if (!err)
		client_sent(l->client, len);
	else
		give_up_connection(l);
}

static bool is_final(int err)
{
	return err == PLYD_EREPLACED || err == PLYD_ETOKEN ||
	       err == PLYD_EPROTOCOL || err == PLYD_ENAME ||
	       err == PLYD_EKICKED || err == PLYD_EBANNED ||
	       err == PLYD_EBADLOGIN || err == PLYD_ENAMETAKEN ||
	       err == PLYD_EENDED || err == PLYD_ETOOMANY;
}

void link_closing(struct link *l, const struct client_error *e)
{
	snprintf(l->said, sizeof(l->said), "%s", e->message);
	int64_t wait_ms = client_int(client_find(e->details, "retry_after_ms"));
	l->told_ms = wait_ms > 0 && wait_ms <= LINK_TOLD_MS_MAX
			     ? (uint64_t)wait_ms
			     : 0;
	if (is_final(e->code))
		snprintf(l->why, sizeof(l->why), "%s", e->message);
}

void link_close(struct link *l)
{
	l->closing = true;
	link_flush(l);
	if (l->conn)
		conn_close(l->conn);
	else
		end(l, "");
}
