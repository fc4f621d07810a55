/* SPDX-License-Identifier: MIT
 * blocking.h - a client of plyd on a blocking connection, with OpenSSL's BIO: the
 * least that brings its bytes to a server and back, with TLS or without. A
 * program with a loop of its own does the same four things there:
 * client_connected(), send client_output(), client_feed() what comes,
 * client_disconnected(). */
#ifndef BLOCKING_H
#define BLOCKING_H

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <plyd/client.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Who the server says to be is checked by the authorities of the system, or by
 * those in the file that SSL_CERT_FILE names. NULL: no memory. */
static SSL_CTX *blocking_trust(void)
{
	SSL_CTX *trust = SSL_CTX_new(TLS_client_method());
	if (trust) {
		SSL_CTX_set_default_verify_paths(trust);
		SSL_CTX_set_verify(trust, SSL_VERIFY_PEER, NULL);
	}
	return trust;
}

/* A way to HOST:PORT that checks the name of the host. */
static BIO *blocking_tls(SSL_CTX *trust, const char *place)
{
	char host[256];
	SSL *ssl = NULL;
	BIO *way = BIO_new_ssl_connect(trust);
	snprintf(host, sizeof(host), "%.*s", (int)strcspn(place, ":"), place);
	BIO_get_ssl(way, &ssl);
	if (!ssl || !SSL_set1_host(ssl, host) ||
	    !SSL_set_tlsext_host_name(ssl, host)) {
		BIO_free_all(way);
		return NULL;
	}
	BIO_set_conn_hostname(way, place);
	return way;
}

/* A connection to [tls://]HOST:PORT, or NULL, which it explains. */
static BIO *blocking_dial(SSL_CTX *trust, const char *server)
{
	const char *place = strstr(server, "://");
	BIO *way = place ? blocking_tls(trust, place + 3)
			 : BIO_new_connect(server);
	if (way && BIO_do_connect(way) > 0)
		return way;
	ERR_print_errors_fp(stderr);
	BIO_free_all(way);
	return NULL;
}

/* Sends what the client has ready, or waits for what the server says. False:
 * the connection is of no more use. */
static bool blocking_carry(struct client *c, BIO *way)
{
	uint8_t in[4096];
	size_t len;
	const uint8_t *out = client_output(c, &len);
	if (len > 0) {
		int sent = BIO_write(way, out, (int)len);
		if (sent > 0)
			client_sent(c, (size_t)sent);
		return sent > 0;
	}
	int got = BIO_read(way, in, sizeof(in));
	return got > 0 && client_feed(c, in, (size_t)got) == PLYD_OK;
}

/* Calls the client's callbacks until one of them sets *done, with a new
 * connection, a second later, for each that is lost. */
static void blocking_run(struct client *c, const char *server, const bool *done)
{
	SSL_CTX *trust = blocking_trust();
	signal(SIGPIPE, SIG_IGN); /* a write may find the connection lost */
	while (!*done) {
		BIO *way = blocking_dial(trust, server);
		if (way) {
			client_connected(c);
			while (!*done && blocking_carry(c, way))
				;
			client_disconnected(c);
			BIO_free_all(way);
		}
		if (!*done)
			sleep(1);
	}
	SSL_CTX_free(trust);
}

#endif
