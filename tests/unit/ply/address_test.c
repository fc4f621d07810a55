/* SPDX-License-Identifier: MIT */
#include "unit.h"

#include <string.h>

#include "ply/address.h"

static const struct server {
	const char *name; /* of the row, and what is read */
	const char *host; /* NULL: refused */
	const char *port;
	bool tls;
} servers[] = {
	{ "example.org:7531", "example.org", "7531", false },
	{ "192.0.2.1:1", "192.0.2.1", "1", false },
	{ "[2001:db8::1]:7531", "2001:db8::1", "7531", false },
	{ "tls://example.org:7532", "example.org", "7532", true },
	{ "tls://[::1]:7532", "::1", "7532", true },
	{ "tls://", NULL, NULL, false },
	{ "tls://example.org", NULL, NULL, false },
	{ "tls:example.org:1", NULL, NULL, false },
	{ "http://example.org:1", NULL, NULL, false },
	{ "2001:db8::1:7531", NULL, NULL, false },
	{ "example.org", NULL, NULL, false },
	{ "example.org:", NULL, NULL, false },
	{ ":7531", NULL, NULL, false },
	{ "", NULL, NULL, false },
};

static void it_is_read(void **state)
{
	const struct server *s = *state;
	struct address a;
	assert_int_equal(address_read(s->name, &a), s->host != NULL);
	if (!s->host)
		return;
	assert_string_equal(a.host, s->host);
	assert_string_equal(a.port, s->port);
	assert_int_equal(a.tls, s->tls);
}

int main(void)
{
	return RUN_TABLE("servers", servers, it_is_read);
}
