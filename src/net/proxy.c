/* SPDX-License-Identifier: MIT */
#include "net/proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

enum {
	SIGNATURE_BYTES = 12,
	HEAD_BYTES = 16,   /* signature, version and command, family, length */
	VERSION = 0x20,    /* in the upper half of its byte, */
	COMMAND_LOCAL = 0, /* and the command in the lower */
	COMMAND_PROXY = 1,
	TCP4 = 0x11,
	TCP6 = 0x21,
	TCP4_BYTES = 12, /* two addresses, two ports */
	TCP6_BYTES = 36,
	PORTS_BYTES = 4,
};

static const uint8_t signature[SIGNATURE_BYTES] = { 0x0d, 0x0a, 0x0d, 0x0a,
						    0x00, 0x0d, 0x0a, 0x51,
						    0x55, 0x49, 0x54, 0x0a };

/* ---- the header -------------------------------------------------------- */

static void read_tcp4(const uint8_t *at, struct proxy_header *out)
{
	struct sockaddr_in *in = (void *)&out->from;
	in->sin_family = AF_INET;
	memcpy(&in->sin_addr, at, sizeof(in->sin_addr));
	memcpy(&in->sin_port, at + TCP4_BYTES - PORTS_BYTES, 2);
}

static void read_tcp6(const uint8_t *at, struct proxy_header *out)
{
	struct sockaddr_in6 *in6 = (void *)&out->from;
	in6->sin6_family = AF_INET6;
	memcpy(&in6->sin6_addr, at, sizeof(in6->sin6_addr));
	memcpy(&in6->sin6_port, at + TCP6_BYTES - PORTS_BYTES, 2);
}

/* The addresses of a whole header. */
static enum proxy_result read_addresses(const uint8_t *head, size_t len,
					struct proxy_header *out)
{
	const uint8_t *at = head + HEAD_BYTES;
	uint8_t command = head[12] & 0x0f, family = head[13];
	memset(&out->from, 0, sizeof(out->from));
	if (command == COMMAND_LOCAL)
		return PROXY_WHOLE;
	if (command != COMMAND_PROXY)
		return PROXY_BAD;
	if (family == TCP4 && len < TCP4_BYTES)
		return PROXY_BAD;
	if (family == TCP6 && len < TCP6_BYTES)
		return PROXY_BAD;
	if (family == TCP4)
		read_tcp4(at, out);
	else if (family == TCP6)
		read_tcp6(at, out);
	return PROXY_WHOLE;
}

enum proxy_result proxy_header_read(struct span bytes, struct proxy_header *out)
{
	size_t known =
		bytes.len < SIGNATURE_BYTES ? bytes.len : SIGNATURE_BYTES;
	if (known > 0 && memcmp(bytes.at, signature, known))
		return PROXY_BAD;
	if (bytes.len < HEAD_BYTES)
		return PROXY_PART;
	if ((bytes.at[12] & 0xf0) != VERSION)
		return PROXY_BAD;
	size_t len = (size_t)bytes.at[14] << 8 | bytes.at[15];
	if (HEAD_BYTES + len > PROXY_HEADER_MAX)
		return PROXY_BAD;
	if (bytes.len < HEAD_BYTES + len)
		return PROXY_PART;
	out->len = HEAD_BYTES + len;
	return read_addresses(bytes.at, len, out);
}

/* ---- who may ----------------------------------------------------------- */

static void map_v4(const void *v4, uint8_t *out)
{
	static const uint8_t prefix[12] = { [10] = 0xff, [11] = 0xff };
	memcpy(out, prefix, sizeof(prefix));
	memcpy(out + sizeof(prefix), v4, 4);
}

static bool address_read(struct span word, uint8_t *out)
{
	char text[INET6_ADDRSTRLEN];
	struct in_addr v4;
	if (!span_copy(word, text, sizeof(text)))
		return false;
	if (inet_pton(AF_INET6, text, out) == 1)
		return true;
	if (inet_pton(AF_INET, text, &v4) != 1)
		return false;
	map_v4(&v4, out);
	return true;
}

bool proxies_read(struct span text, struct proxies *out)
{
	const uint8_t *at = text.at, *end = text.at + text.len;
	out->count = 0;
	while (at < end) {
		const uint8_t *word = at;
		while (at < end && *at != ' ')
			at++;
		if (at > word &&
		    (out->count == PROXIES_MAX ||
		     !address_read(span_of(word, (size_t)(at - word)),
				   out->at[out->count++])))
			return false;
		at += at < end;
	}
	return true;
}

bool proxies_have(const struct proxies *p, const struct sockaddr *from)
{
	uint8_t address[PROXY_ADDRESS_BYTES] = { 0 };
	if (from->sa_family == AF_INET6)
		memcpy(address,
		       &((const struct sockaddr_in6 *)(const void *)from)
				->sin6_addr,
		       sizeof(address));
	else if (from->sa_family == AF_INET)
		map_v4(&((const struct sockaddr_in *)(const void *)from)
				->sin_addr,
		       address);
	else
		return false;
	for (size_t i = 0; i < p->count; i++)
		if (!memcmp(p->at[i], address, sizeof(address)))
			return true;
	return false;
}
