/* SPDX-License-Identifier: MIT
 * listing.h - what anybody may look up, kept in order as it changes, for each
 * ruleset and for all of them: so a page of a list costs what it shows. What
 * has waited longest comes first. */
#ifndef PLYD_DOMAIN_LISTING_H
#define PLYD_DOMAIN_LISTING_H

#include <plyd/rules.h>
#include "base/id.h"

enum listed_kind {
	LISTED_LOBBY, /* public, with a free seat */
	LISTED_SEEK,  /* for anyone */
	LISTED_MATCH, /* running, with spectators allowed */
	LISTED_QUEUED,
	LISTED_KINDS
};

/* Lies in the thing that is listed. */
struct listed {
	void *owner;
	struct listing *listing; /* NULL: it is not listed */
	struct listed *prev, *next;
	struct listed *all_prev, *all_next;
};

struct listing {
	char ruleset[RULESET_NAME_MAX + 1]; /* "" = all */
	struct listed *first[LISTED_KINDS];
	size_t count[LISTED_KINDS];
	struct listing *next;
};

/* The entry after this one, in the order of its ruleset, or of all. */
static inline const struct listed *listed_after(const struct listed *l,
						bool all)
{
	return all ? l->all_next : l->next;
}

struct domain;

/* The listing of a ruleset, or of all for ""; NULL: nothing of it was ever
 * listed. */
const struct listing *domain_listing(const struct domain *d,
				     struct span ruleset);

#endif
