/* SPDX-License-Identifier: MIT */
#include "domain/domain_priv.h"

#include <stdlib.h>

static struct kept *find(const struct domain *d, const struct id *match)
{
	struct kept *k;
	HASH_FIND(hh, d->kept, match->text, ID_CHARS, k);
	return k;
}

struct span domain_kept(const struct domain *d, const struct id *match,
			enum kept_by by)
{
	const struct kept *k = find(d, match);
	return k ? span_of(k->by[by].byte, k->by[by].len) : span_of("", 0);
}

void kept_drop(struct domain *d, const struct id *match)
{
	struct kept *k = find(d, match);
	if (!k)
		return;
	HASH_DEL(d->kept, k);
	free(k);
}

static struct kept *add(struct domain *d, const struct id *match)
{
	struct kept *k = calloc(1, sizeof(*k));
	if (!k)
		return NULL;
	k->match = *match;
	HASH_ADD(hh, d->kept, match.text, ID_CHARS, k);
	if (k->hh.tbl)
		return k;
	free(k);
	return NULL;
}

/* In replay the match may come later, or be over and gone. */
int apply_script_kept(struct domain *d, const struct fact *f)
{
	const struct fact_script_kept_body *b = &f->script_kept;
	if (b->by < 0 || b->by >= KEPT_BY || b->memory.len > KEPT_BYTES_MAX)
		return PLYD_ERECORD;
	struct kept *k = find(d, &b->match);
	if (!k)
		k = add(d, &b->match);
	if (!k)
		return PLYD_ENOMEM;
	k->by[b->by].len = b->memory.len;
	if (b->memory.len > 0)
		memcpy(k->by[b->by].byte, b->memory.at, b->memory.len);
	return PLYD_OK;
}

void kept_change(struct domain *d, const struct match *m, enum kept_by by,
		 struct span memory)
{
	if (memory.len > KEPT_BYTES_MAX ||
	    span_eq(domain_kept(d, &m->id, by), memory))
		return;
	happen(d, &(struct fact){ .type = FACT_SCRIPT_KEPT,
				  .script_kept = { m->id, by, memory } });
}

static bool is_played(const struct domain *d, const struct id *match)
{
	const struct match *m = find_match(d, match);
	return m && m->state != MATCH_OVER;
}

void kept_prune(struct domain *d)
{
	struct kept *k, *next;
	HASH_ITER (hh, d->kept, k, next) {
		if (is_played(d, &k->match))
			continue;
		HASH_DEL(d->kept, k);
		free(k);
	}
}

void kept_free(struct domain *d)
{
	struct kept *k, *next;
	HASH_ITER (hh, d->kept, k, next) {
		HASH_DEL(d->kept, k);
		free(k);
	}
}

const char *kept_broken(const struct domain *d)
{
	const struct kept *k;
	for (k = d->kept; k; k = k->hh.next)
		if (!is_played(d, &k->match))
			return "a script keeps something of no match";
	return NULL;
}
