/* SPDX-License-Identifier: MIT */
#include "ply/tls.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>

#include <plyd/err.h>

enum { PIECE_BYTES = 4096 };

struct tls {
	SSL_CTX *context;
	SSL *ssl;
	BIO *in, *out; /* of ssl: the wire, from and to the peer */
	char host[256];
	char why[TLS_WHY_MAX];
};

/* ---- life -------------------------------------------------------------- */

static void last_error(char why[TLS_WHY_MAX])
{
	unsigned long code = ERR_get_error();
	const char *reason = ERR_reason_error_string(code);
	snprintf(why, TLS_WHY_MAX, "TLS fails: %s",
		 reason ? reason : "no reason is known");
	ERR_clear_error();
}

/* Names are asked for and checked, addresses only checked. */
static bool expect_host(SSL *ssl, const char *host)
{
	struct in6_addr address;
	if (inet_pton(AF_INET, host, &address) == 1 ||
	    inet_pton(AF_INET6, host, &address) == 1)
		return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl),
						     host) == 1;
	return SSL_set_tlsext_host_name(ssl, host) == 1 &&
	       SSL_set1_host(ssl, host) == 1;
}

static bool prepare(struct tls *t)
{
	t->context = SSL_CTX_new(TLS_client_method());
	if (!t->context ||
	    SSL_CTX_set_min_proto_version(t->context, TLS1_2_VERSION) != 1 ||
	    SSL_CTX_set_default_verify_paths(t->context) != 1)
		return false;
	SSL_CTX_set_verify(t->context, SSL_VERIFY_PEER, NULL);
	t->ssl = SSL_new(t->context);
	t->in = BIO_new(BIO_s_mem());
	t->out = BIO_new(BIO_s_mem());
	if (!t->ssl || !t->in || !t->out) {
		BIO_free(t->in);
		BIO_free(t->out);
		return false;
	}
	SSL_set_bio(t->ssl, t->in, t->out); /* which takes them */
	SSL_set_connect_state(t->ssl);
	return expect_host(t->ssl, t->host);
}

int tls_new(struct tls **out, const char *host, char why[TLS_WHY_MAX])
{
	struct tls *t = calloc(1, sizeof(*t));
	*out = NULL;
	if (!t)
		return PLYD_ENOMEM;
	snprintf(t->host, sizeof(t->host), "%s", host);
	if (!prepare(t)) {
		last_error(why);
		tls_free(t);
		return PLYD_EIO;
	}
	*out = t;
	return PLYD_OK;
}

void tls_free(struct tls *t)
{
	if (!t)
		return;
	SSL_free(t->ssl);
	SSL_CTX_free(t->context);
	free(t);
}

/* ---- the wire ---------------------------------------------------------- */

static void say_why(struct tls *t)
{
	long verified = SSL_get_verify_result(t->ssl);
	if (verified == X509_V_OK) {
		last_error(t->why);
		return;
	}
	ERR_clear_error();
	snprintf(t->why, sizeof(t->why),
		 "the certificate of %.100s cannot be trusted: %s", t->host,
		 X509_verify_cert_error_string(verified));
}

static void take_wire(struct tls *t, struct buf *wire)
{
	char piece[PIECE_BYTES];
	int n;
	while ((n = BIO_read(t->out, piece, sizeof(piece))) > 0)
		buf_put(wire, piece, (size_t)n);
}

/* PLYD_OK if the call only waits for the peer. */
static int outcome(struct tls *t, int rc)
{
	int error = SSL_get_error(t->ssl, rc);
	if (rc > 0 || error == SSL_ERROR_WANT_READ)
		return PLYD_OK;
	if (error == SSL_ERROR_ZERO_RETURN)
		snprintf(t->why, sizeof(t->why),
			 "the peer has ended the connection");
	else
		say_why(t);
	return PLYD_EIO;
}

static int shake_hands(struct tls *t, struct buf *wire)
{
	int err = outcome(t, SSL_do_handshake(t->ssl));
	take_wire(t, wire);
	return err;
}

int tls_begin(struct tls *t, struct buf *wire)
{
	return shake_hands(t, wire);
}

static int read_plain(struct tls *t, struct buf *plain, struct buf *wire)
{
	char piece[PIECE_BYTES];
	int n;
	while ((n = SSL_read(t->ssl, piece, sizeof(piece))) > 0)
		buf_put(plain, piece, (size_t)n);
	int err = outcome(t, n);
	take_wire(t, wire); /* keys may change at any time */
	return err;
}

int tls_receive(struct tls *t, struct span bytes, struct buf *plain,
		struct buf *wire)
{
	ERR_clear_error();
	if (BIO_write(t->in, bytes.at, (int)bytes.len) != (int)bytes.len) {
		last_error(t->why);
		return PLYD_EIO;
	}
	if (!tls_is_open(t)) {
		int err = shake_hands(t, wire);
		if (err || !tls_is_open(t))
			return err;
	}
	return read_plain(t, plain, wire);
}

int tls_send(struct tls *t, struct span plain, struct buf *wire)
{
	ERR_clear_error();
	int n = SSL_write(t->ssl, plain.at, (int)plain.len);
	take_wire(t, wire);
	if (n == (int)plain.len)
		return PLYD_OK;
	say_why(t);
	return PLYD_EIO;
}

bool tls_is_open(const struct tls *t)
{
	return SSL_is_init_finished(t->ssl);
}

const char *tls_why(const struct tls *t)
{
	return t->why;
}
