/* SPDX-License-Identifier: MIT */
#include "ply/address.h"

#include <string.h>

#include "base/span.h"

bool address_read(const char *text, struct address *out)
{
	static const char scheme[] = "tls://";
	out->tls = !strncmp(text, scheme, sizeof(scheme) - 1);
	if (out->tls)
		text += sizeof(scheme) - 1;
	const char *colon = strrchr(text, ':');
	size_t len = colon ? (size_t)(colon - text) : 0;
	if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
		text++;
		len -= 2;
	} else if (colon && memchr(text, ':', len)) {
		return false;
	}
	return len > 0 && colon[1] &&
	       span_copy(span_of(text, len), out->host, HOST_MAX) &&
	       span_copy(span_str(colon + 1), out->port, PORT_MAX);
}
