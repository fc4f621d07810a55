/* SPDX-License-Identifier: MIT
 * ip.h - addresses and ranges of them, as an operator writes them. IPv4 is kept
 * as the part of IPv6 that is set aside for it, so the two never mix up. */
#ifndef PLYD_BASE_IP_H
#define PLYD_BASE_IP_H

#include "base/span.h"

enum {
	IP_BYTES = 16,
	IP_TEXT_MAX = 64, /* of an address or a range, NUL included */
};

struct ip {
	uint8_t byte[IP_BYTES];
};

struct ip_range {
	struct ip ip;
	unsigned bits; /* of 128 that count; the others of ip are zero */
};

/* Reads "192.0.2.1", "2001:db8::1" or "[2001:db8::1]"; an IPv4 address that is
 * written as IPv6, "::ffff:192.0.2.1", is the IPv4 one. False: no address. */
bool ip_read(struct span text, struct ip *out);

/* Reads an address, which is a range of one, or "192.0.2.0/24". Bits behind the
 * length may be set and are dropped. False: no range. */
bool ip_range_read(struct span text, struct ip_range *out);

/* 127.0.0.0/8 and ::1. */
bool ip_is_loopback(const struct ip *ip);

/* Writes it the one way: "192.0.2.0/24", and a range of one without length. */
void ip_range_write(const struct ip_range *range, char out[IP_TEXT_MAX]);

/* Those who are counted as one with ip: nobody else in IPv4, and in IPv6 the /64
 * that a single household has, or a single rented server. */
struct ip_range ip_neighbours(const struct ip *ip);
bool ip_range_has(const struct ip_range *range, const struct ip *ip);

#endif
