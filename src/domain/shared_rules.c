/* SPDX-License-Identifier: MIT
 * shared_rules.c - the rules that matches are played by, once for all matches
 * with the same: they are a sixth of what a match would hold, and each
 * half-move looks at them. They never change; what is offered may, so that a
 * match keeps those that it began with. */
#include "domain/domain_priv.h"

#include <assert.h>
#include <stdlib.h>

struct shared_rules {
	struct match_rules rules; /* the key */
	size_t matches;           /* that have them */
	UT_hash_handle hh;
};

static struct shared_rules *find(const struct domain *d,
				 const struct match_rules *r)
{
	struct shared_rules *s;
	HASH_FIND(hh, d->shared_rules, r, sizeof(*r), s);
	return s;
}

static struct shared_rules *add(struct domain *d, const struct match_rules *r)
{
	struct shared_rules *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	/* with what lies between its members */
	memcpy(&s->rules, r, sizeof(*r));
	HASH_ADD(hh, d->shared_rules, rules, sizeof(s->rules), s);
	if (s->hh.tbl)
		return s;
	free(s);
	return NULL;
}

const struct match_rules *shared_rules_take(struct domain *d,
					    const struct match_rules *r)
{
	struct shared_rules *s = find(d, r);
	if (!s)
		s = add(d, r);
	if (!s)
		return NULL;
	s->matches++;
	return &s->rules;
}

void shared_rules_drop(struct domain *d, const struct match_rules *r)
{
	struct shared_rules *s = find(d, r);
	assert(s && s->matches > 0);
	if (--s->matches > 0)
		return;
	HASH_DELETE(hh, d->shared_rules, s);
	free(s);
}
