/* SPDX-License-Identifier: MIT */
#include "base/ip.h"

#include <arpa/inet.h>
#include <stdio.h>

enum { V6_BITS = 128, V4_BITS = 32, V4_BYTES = 4, V4_AT = IP_BYTES - V4_BYTES };

static const uint8_t v4_prefix[V4_AT] = { [10] = 0xff, [11] = 0xff };

static bool is_v4(const struct ip *ip)
{
	return !memcmp(ip->byte, v4_prefix, V4_AT);
}

/* Sets *v6 to how it was written. */
static bool read_ip(struct span text, struct ip *out, bool *v6)
{
	char copy[IP_TEXT_MAX];
	if (text.len >= 2 && text.at[0] == '[' && text.at[text.len - 1] == ']')
		text = span_of(text.at + 1, text.len - 2);
	if (!span_copy(text, copy, sizeof(copy)))
		return false;
	*v6 = strchr(copy, ':') != NULL;
	if (*v6)
		return inet_pton(AF_INET6, copy, out->byte) == 1;
	memcpy(out->byte, v4_prefix, V4_AT);
	return inet_pton(AF_INET, copy, out->byte + V4_AT) == 1;
}

bool ip_read(struct span text, struct ip *out)
{
	bool v6;
	return read_ip(text, out, &v6);
}

bool ip_is_loopback(const struct ip *ip)
{
	static const struct ip v6 = { { [IP_BYTES - 1] = 1 } };
	return !memcmp(ip, &v6, sizeof(v6)) ||
	       (is_v4(ip) && ip->byte[V4_AT] == 127);
}

/* One to three digits; -1: not a number up to max. */
static int read_bits(struct span text, int max)
{
	int bits = 0;
	if (text.len < 1 || text.len > 3)
		return -1;
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] < '0' || text.at[i] > '9')
			return -1;
		bits = bits * 10 + (text.at[i] - '0');
	}
	return bits <= max ? bits : -1;
}

static void clear_behind(struct ip_range *range)
{
	for (unsigned bit = range->bits; bit < V6_BITS; bit++)
		range->ip.byte[bit / 8] &= (uint8_t) ~(0x80u >> bit % 8);
}

bool ip_range_read(struct span text, struct ip_range *out)
{
	const uint8_t *slash =
		text.len > 0 ? memchr(text.at, '/', text.len) : NULL;
	size_t len = slash ? (size_t)(slash - text.at) : text.len;
	bool v6;
	if (!read_ip(span_of(text.at, len), &out->ip, &v6))
		return false;
	int most = v6 ? V6_BITS : V4_BITS;
	int bits =
		slash ? read_bits(span_of(slash + 1, text.len - len - 1), most)
		      : most;
	if (bits < 0)
		return false;
	out->bits = (unsigned)(bits + V6_BITS - most);
	clear_behind(out);
	return true;
}

void ip_range_write(const struct ip_range *range, char out[IP_TEXT_MAX])
{
	char ip[INET6_ADDRSTRLEN];
	/* ::/0 has IPv4 in it, but is none */
	bool v4 = range->bits >= V6_BITS - V4_BITS && is_v4(&range->ip);
	unsigned most = v4 ? V4_BITS : V6_BITS;
	unsigned bits = range->bits - (V6_BITS - most);
	inet_ntop(v4 ? AF_INET : AF_INET6, range->ip.byte + (v4 ? V4_AT : 0),
		  ip, sizeof(ip));
	if (bits == most)
		snprintf(out, IP_TEXT_MAX, "%s", ip);
	else
		snprintf(out, IP_TEXT_MAX, "%s/%u", ip, bits);
}

struct ip_range ip_neighbours(const struct ip *ip)
{
	struct ip_range range = { *ip, is_v4(ip) ? V6_BITS : V6_BITS / 2 };
	clear_behind(&range);
	return range;
}

bool ip_range_has(const struct ip_range *range, const struct ip *ip)
{
	unsigned whole = range->bits / 8, rest = range->bits % 8;
	if (memcmp(range->ip.byte, ip->byte, whole))
		return false;
	if (rest == 0)
		return true;
	uint8_t mask = (uint8_t)(0xff00u >> rest);
	return (ip->byte[whole] & mask) == range->ip.byte[whole];
}
