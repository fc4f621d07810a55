/* SPDX-License-Identifier: MIT
 * scripts.c - which scripts may be asked yet. */
#include "domain/domain_priv.h"

struct naming {
	each_script_fn *each;
	void *payload;
};

static void name_policy(const struct naming *n, const struct match_rules *r)
{
	if (r->draws.judged && r->draws.version[0])
		n->each(n->payload, false, r->draws.policy, r->draws.version);
}

/* Also of one that is over: a rematch is played by the same rules. */
static void name_match(const struct naming *n, const struct match *m)
{
	name_policy(n, m->rules);
	for (int s = 0; s < 2; s++)
		if (m->state != MATCH_OVER && m->seat[s].version[0])
			n->each(n->payload, true, m->seat[s].name,
				m->seat[s].version);
}

void domain_each_script(const struct domain *d, each_script_fn *each,
			void *payload)
{
	const struct naming n = { each, payload };
	const struct listed *q;
	for (const struct match *m = d->matches; m; m = m->hh.next)
		name_match(&n, m);
	for (const struct lobby *l = d->lobbies; l; l = l->hh.next)
		name_policy(&n, &l->rules);
	for (const struct seek *s = d->seeks; s; s = s->hh.next)
		name_policy(&n, &s->rules);
	for (q = d->all.first[LISTED_QUEUED]; q; q = q->all_next)
		name_policy(&n, &((const struct queued *)q->owner)->rules);
}
