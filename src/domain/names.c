/* SPDX-License-Identifier: MIT
 * names.c - whose which name is. A name that a member gave up stays his for a
 * while; what nobody may be called is in name.c. */
#include "domain/domain_priv.h"

#include <stdlib.h>

static struct name_claim *find_claim(const struct domain *d, const char *key)
{
	struct name_claim *c;
	HASH_FIND_STR(d->names, key, c);
	return c;
}

static bool is_personality(const struct domain *d, const char *key)
{
	char other[NAME_KEY_MAX];
	for (size_t i = 0; i < d->personality_count; i++)
		if (name_key(d->personality[i].name, other) &&
		    !strcmp(key, other))
			return true;
	return false;
}

static bool is_called(const struct player *p, const char *key)
{
	char own[NAME_KEY_MAX];
	return name_key(p->name, own) && !strcmp(own, key);
}

/* Whether the holder keeps it from others still. */
static bool is_held(const struct domain *d, const struct player *holder,
		    const char *key)
{
	return is_called(holder, key) ||
	       (holder->account &&
		holder->account->old_name_until_ms > d->now_ms);
}

int name_check(const struct domain *d, const char *name, const struct id *who,
	       struct id *evict)
{
	char key[NAME_KEY_MAX];
	*evict = (struct id){ "" };
	if (!name_key(name, key))
		return PLYD_ENOMEM;
	if (name_is_reserved(key) || is_personality(d, key))
		return PLYD_ENAMETAKEN;
	const struct name_claim *c = find_claim(d, key);
	const struct player *holder = c ? find_player(d, &c->holder) : NULL;
	if (!holder || id_eq(&holder->id, who) || !is_held(d, holder, key))
		return PLYD_OK;
	if (holder->account || player_is_here(holder) ||
	    player_is_bound(holder))
		return PLYD_ENAMETAKEN;
	*evict = holder->id;
	return PLYD_OK;
}

int name_claim(struct domain *d, const char *name, const struct id *who)
{
	char key[NAME_KEY_MAX];
	if (!name_key(name, key))
		return PLYD_ENOMEM;
	struct name_claim *c = find_claim(d, key);
	const struct player *holder = c ? find_player(d, &c->holder) : NULL;
	if (holder && is_held(d, holder, key))
		return PLYD_OK; /* a duplicate from before names were unique */
	if (c) {
		c->holder = *who;
		return PLYD_OK;
	}
	size_t len = strlen(key);
	c = calloc(1, sizeof(*c) + len + 1);
	if (!c)
		return PLYD_ENOMEM;
	memcpy(c->key, key, len);
	c->holder = *who;
	HASH_ADD_KEYPTR(hh, d->names, c->key, len, c);
	if (c->hh.tbl)
		return PLYD_OK;
	free(c);
	return PLYD_ENOMEM;
}

struct player *player_called(const struct domain *d, struct span name)
{
	char text[NAME_BYTES_MAX + 1], key[NAME_KEY_MAX];
	if (!span_copy(name, text, sizeof(text)) || !name_key(text, key))
		return NULL;
	const struct name_claim *c = find_claim(d, key);
	struct player *p = c ? find_player(d, &c->holder) : NULL;
	return p && is_called(p, key) ? p : NULL;
}

bool name_is_claimed(const struct domain *d, const char *name,
		     const struct id *who)
{
	char key[NAME_KEY_MAX];
	const struct name_claim *c =
		name_key(name, key) ? find_claim(d, key) : NULL;
	return c && id_eq(&c->holder, who);
}

void name_release(struct domain *d, const char *name, const struct id *who)
{
	char key[NAME_KEY_MAX];
	struct name_claim *c = name_key(name, key) ? find_claim(d, key) : NULL;
	if (!c || !id_eq(&c->holder, who))
		return;
	HASH_DEL(d->names, c);
	free(c);
}

void names_free(struct domain *d)
{
	struct name_claim *c, *next;
	HASH_ITER (hh, d->names, c, next) {
		HASH_DEL(d->names, c);
		free(c);
	}
}
