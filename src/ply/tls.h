/* SPDX-License-Identifier: MIT
 * tls.h - the client's end of a TLS connection, without I/O: bytes of the wire
 * in, bytes in the clear out, and back. The peer must show a certificate for
 * the host, signed by somebody whom this machine trusts (OpenSSL's usual
 * places; SSL_CERT_FILE and SSL_CERT_DIR name others). TLS 1.2 and later.
 *
 * Threads: as the connection that it belongs to. */
#ifndef PLYD_PLY_TLS_H
#define PLYD_PLY_TLS_H

#include <stdbool.h>

#include "base/buf.h"

enum { TLS_WHY_MAX = 256 };

struct tls;

/* Gives an end that will speak to host, a name or an address; free it with
 * tls_free(). PLYD_ENOMEM. PLYD_EIO: OpenSSL cannot be used; why says why. */
int tls_new(struct tls **out, const char *host, char why[TLS_WHY_MAX]);
void tls_free(struct tls *t); /* NULL is fine */

/* Each appends to wire what is now to be sent; PLYD_EIO is the end of the
 * connection, tls_why() says why, and what wire holds by then is still to be
 * sent: it tells the peer. Errors of wire and plain stick in them. */

/* The connection stands: the first words. */
int tls_begin(struct tls *t, struct buf *wire);
/* What the peer sent; appends to plain what that says. */
int tls_receive(struct tls *t, struct span bytes, struct buf *plain,
		struct buf *wire);
/* Says something; not before tls_is_open(). */
int tls_send(struct tls *t, struct span plain, struct buf *wire);

/* Whether the peer has shown who it is, and may be spoken to. */
bool tls_is_open(const struct tls *t);
/* A sentence. Lent while t lives. */
const char *tls_why(const struct tls *t);

#endif
