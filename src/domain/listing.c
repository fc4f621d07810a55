/* SPDX-License-Identifier: MIT */
#include "domain/domain_priv.h"

#include <stdlib.h>

#include <utlist.h>

static struct listing *find_listing(const struct domain *d, struct span ruleset)
{
	struct listing *l = d->listings;
	while (l && !span_is(ruleset, l->ruleset))
		l = l->next;
	return l;
}

const struct listing *domain_listing(const struct domain *d,
				     struct span ruleset)
{
	return ruleset.len == 0 ? &d->all : find_listing(d, ruleset);
}

/* There are no more listings than rulesets that the operator ever had. */
int listing_reserve(struct domain *d, struct span ruleset)
{
	if (find_listing(d, ruleset))
		return PLYD_OK;
	struct listing *l = calloc(1, sizeof(*l));
	if (!l)
		return PLYD_ENOMEM;
	span_copy(ruleset, l->ruleset, sizeof(l->ruleset));
	LL_PREPEND(d->listings, l);
	return PLYD_OK;
}

void listings_free(struct domain *d)
{
	struct listing *l, *next;
	LL_FOREACH_SAFE(d->listings, l, next)
	free(l);
	d->listings = NULL;
}

void listed_put(struct domain *d, struct listed *l, enum listed_kind kind,
		const char *ruleset, void *owner)
{
	if (l->listing)
		return;
	l->owner = owner;
	l->listing = find_listing(d, span_str(ruleset));
	DL_APPEND(l->listing->first[kind], l);
	DL_APPEND2(d->all.first[kind], l, all_prev, all_next);
	l->listing->count[kind]++;
	d->all.count[kind]++;
}

void listed_take(struct domain *d, struct listed *l, enum listed_kind kind)
{
	if (!l->listing)
		return;
	DL_DELETE(l->listing->first[kind], l);
	DL_DELETE2(d->all.first[kind], l, all_prev, all_next);
	l->listing->count[kind]--;
	d->all.count[kind]--;
	l->listing = NULL;
}
