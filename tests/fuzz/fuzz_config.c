/* SPDX-License-Identifier: MIT
 * What a worker says that a configuration file returned (and the same bytes as
 * the file itself, for its lines): refused with a reason, or every limit that
 * comes of it is in the range that its room declares. */
#include "fuzz.h"

#include <string.h>

#include <plyd/err.h>
#include "server/config.h"

static void explains(const char why[CONFIG_WHY_MAX])
{
	insist(memchr(why, '\0', CONFIG_WHY_MAX) && why[0]);
}

static void check_words(const struct config *c)
{
	char why[CONFIG_WHY_MAX] = "";
	enum durability durability;
	struct log_options log;
	if (config_durability(c, &durability, why))
		explains(why);
	why[0] = '\0';
	if (config_log(c, &log, why))
		explains(why);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct doc *d;
	const struct value *root;
	char why[CONFIG_WHY_MAX] = "";
	struct config c;
	struct domain_limits domain;
	struct hub_limits hub;
	unsigned line = 0;
	if (!d)
		d = doc_new();
	config_default(&c);
	if (doc_parse(d, span_of(bytes, len), &doc_store, &root))
		return 0;
	if (config_read(&c, root, span_of(bytes, len), &line, why)) {
		explains(why);
		return 0;
	}
	config_domain_limits(&c, &domain);
	config_hub_limits(&c, &hub);
#define L(name, value, low, high, doc)                                         \
	insist(domain.name >= (low) && domain.name <= (high));
	DOMAIN_LIMITS(L)
#undef L
#define H(name, value, low, high, doc)                                         \
	insist(hub.name >= (low) && hub.name <= (high));
	HUB_LIMITS(H)
#undef H
	check_words(&c);
	return 0;
}
