/* SPDX-License-Identifier: MIT
 * proxy.h - the header by which a proxy says for whom it speaks: PROXY
 * protocol, version 2 (https://www.haproxy.org/download/2.6/doc/
 * proxy-protocol.txt, section 2.2). Pure: it knows no socket. */
#ifndef PLYD_NET_PROXY_H
#define PLYD_NET_PROXY_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/span.h"

enum {
	PROXY_HEADER_MAX = 2048, /* bytes, with all that follows addresses */
	PROXIES_MAX = 16,        /* addresses that may speak for others */
	PROXY_ADDRESS_BYTES = 16,
	PROXY_LIST_BYTES_MAX = 1024, /* of their list as a text */
};

enum proxy_result {
	PROXY_WHOLE,
	PROXY_PART, /* the beginning of a header, so far as it goes */
	PROXY_BAD,  /* no header: of version 1, too long, or none at all */
};

struct proxy_header {
	size_t len; /* bytes of it; what follows is the client's */
	/* Who is at the other end of the proxy. AF_UNSPEC: the proxy itself (it
	 * looks whether we live), or somebody without an internet address. */
	struct sockaddr_storage from;
};

/* Reads the header at the beginning of bytes. */
enum proxy_result proxy_header_read(struct span bytes,
				    struct proxy_header *out);

/* ---- who may ----------------------------------------------------------- */

/* Addresses, IPv4 as IPv6 has it (::ffff:192.0.2.1). */
struct proxies {
	size_t count;
	unsigned char at[PROXIES_MAX][PROXY_ADDRESS_BYTES];
};

/* Reads a list such as "127.0.0.1 ::1"; an empty one is nobody. False: a word
 * of it is no address, or there are more than PROXIES_MAX. */
bool proxies_read(struct span text, struct proxies *out);
bool proxies_have(const struct proxies *p, const struct sockaddr *from);

#endif
