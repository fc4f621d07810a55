/* SPDX-License-Identifier: MIT
 * address.h - where a server is, as people write it. */
#ifndef PLYD_PLY_ADDRESS_H
#define PLYD_PLY_ADDRESS_H

#include <stdbool.h>

enum { HOST_MAX = 256, PORT_MAX = 32 };

struct address {
	char host[HOST_MAX]; /* a name or an address, without brackets */
	char port[PORT_MAX];
	bool tls;
};

/* Reads `example.org:7531`, `192.0.2.1:7531`, `[2001:db8::1]:7531`, and each of
 * them behind `tls://`. False: it is none of these, such as an IPv6 address
 * without brackets. */
bool address_read(const char *text, struct address *out);

#endif
