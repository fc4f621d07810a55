/* SPDX-License-Identifier: MIT
 * account_apply.c - the facts of accounts and names, and how a snapshot keeps
 * them. */
#include "domain/domain_priv.h"

#include <stdlib.h>

#include <utlist.h>

static const struct digest no_digest;

struct account *find_login(const struct domain *d, struct span login)
{
	struct account *a = NULL;
	if (login.len > 0 && login.len <= LOGIN_BYTES_MAX)
		HASH_FIND(by_login, d->by_login, login.at, login.len, a);
	return a;
}

struct account *find_bot(const struct domain *d, const struct digest *token)
{
	struct account *a;
	HASH_FIND(by_bot_token, d->by_bot_token, token->byte, DIGEST_BYTES, a);
	return a;
}

static void drop_bot_token(struct domain *d, struct account *a)
{
	if (a->bot_token_given)
		HASH_DELETE(by_bot_token, d->by_bot_token, a);
	a->bot_token_given = false;
}

void account_free(struct domain *d, struct account *a)
{
	drop_bot_token(d, a);
	if (a->old_name[0])
		name_release(d, a->old_name, &a->player->id);
	HASH_DELETE(by_login, d->by_login, a);
	a->player->account = NULL;
	free(a);
}

static int apply_opened(struct domain *d, struct player *p,
			const struct fact_account_opened_body *b)
{
	if (p->account || !login_is_good(b->login) || find_login(d, b->login) ||
	    b->hash.len >= PASSWORD_HASH_MAX)
		return PLYD_ERECORD;
	struct account *a = calloc(1, sizeof(*a));
	if (!a)
		return PLYD_ENOMEM;
	a->player = p;
	a->opened_at = b->opened_at;
	span_copy(b->login, a->login, sizeof(a->login));
	span_copy(b->hash, a->hash, sizeof(a->hash));
	HASH_ADD(by_login, d->by_login, login, strlen(a->login), a);
	if (!a->by_login.tbl) {
		free(a);
		return PLYD_ENOMEM;
	}
	p->account = a;
	if (p->kind == KIND_GUEST)
		p->kind = KIND_MEMBER;
	player_set_due(d, p);
	return PLYD_OK;
}

static int apply_password(struct account *a, struct span hash)
{
	if (hash.len >= PASSWORD_HASH_MAX)
		return PLYD_ERECORD;
	span_copy(hash, a->hash, sizeof(a->hash));
	a->reset_given = false;
	return PLYD_OK;
}

static int apply_reset(struct account *a,
		       const struct fact_password_reset_body *b)
{
	a->hash[0] = '\0';
	a->reset_given = true;
	a->reset = b->reset;
	a->reset_until_ms = b->until_ms > 0 ? (uint64_t)b->until_ms : 0;
	return PLYD_OK;
}

static int apply_bot_token(struct domain *d, struct account *a,
			   const struct digest *token)
{
	if (!digest_eq(token, &no_digest) && find_bot(d, token))
		return PLYD_ERECORD;
	drop_bot_token(d, a);
	if (digest_eq(token, &no_digest))
		return PLYD_OK;
	a->bot_token = *token;
	HASH_ADD(by_bot_token, d->by_bot_token, bot_token.byte, DIGEST_BYTES,
		 a);
	a->bot_token_given = a->by_bot_token.tbl != NULL;
	return a->bot_token_given ? PLYD_OK : PLYD_ENOMEM;
}

static bool same_name(const char *one, const char *other)
{
	char a[NAME_KEY_MAX], b[NAME_KEY_MAX];
	return name_key(one, a) && name_key(other, b) && !strcmp(a, b);
}

/* His lobbies show it at once; matches keep the name that they began with. */
static void show_name(struct player *p)
{
	struct lobby_link *link;
	DL_FOREACH (p->lobbies, link)
		memcpy(link->lobby->seat[link->side].name, p->name,
		       sizeof(p->name));
}

static int apply_renamed(struct domain *d, struct player *p,
			 const struct fact_player_renamed_body *b)
{
	char before[NAME_BYTES_MAX + 1];
	struct account *a = p->account;
	if (!a || b->name.len == 0 || b->name.len > NAME_BYTES_MAX)
		return PLYD_ERECORD;
	memcpy(before, p->name, sizeof(before));
	span_copy(b->name, p->name, sizeof(p->name));
	show_name(p);
	if (same_name(before, p->name))
		return PLYD_OK; /* only written otherwise */
	if (a->old_name[0] && !same_name(a->old_name, p->name))
		name_release(d, a->old_name, &p->id);
	a->old_name[0] = '\0';
	a->old_name_until_ms =
		b->held_until_ms > 0 ? (uint64_t)b->held_until_ms : 0;
	if (a->old_name_until_ms > 0)
		memcpy(a->old_name, before, sizeof(before));
	else
		name_release(d, before, &p->id);
	return name_claim(d, p->name, &p->id);
}

/* -- deleted -- */

static struct deleted_id *find_deleted(const struct domain *d,
				       const struct id *id)
{
	struct deleted_id *gone;
	HASH_FIND(hh, d->deleted, id->text, ID_CHARS, gone);
	return gone;
}

bool domain_is_deleted(const struct domain *d, const struct id *player)
{
	return find_deleted(d, player) != NULL;
}

void deleted_free(struct domain *d)
{
	struct deleted_id *gone, *next;
	HASH_ITER (hh, d->deleted, gone, next) {
		HASH_DEL(d->deleted, gone);
		free(gone);
	}
}

/* Nothing that is still in memory shows who he was. The matches that he plays
 * need to know until they are over, which is soon. */
void player_anonymise(struct domain *d, const struct id *id)
{
	tournaments_anonymise(d, id);
	for (struct match *m = d->matches; m; m = m->hh.next)
		for (int s = 0; s < 2; s++) {
			if (!id_eq(&m->seat[s].player, id))
				continue;
			span_copy(span_str(DELETED_NAME), m->seat[s].name,
				  sizeof(m->seat[s].name));
			if (!m->link[s].match)
				m->seat[s].player = (struct id){ "" };
		}
	if (d->late)
		player_anonymise(d->late, id);
}

static int apply_closed(struct domain *d, const struct id *id)
{
	struct player *p = find_player(d, id);
	if (find_deleted(d, id))
		return PLYD_ERECORD;
	struct deleted_id *gone = calloc(1, sizeof(*gone));
	if (!gone)
		return PLYD_ENOMEM;
	gone->id = *id;
	HASH_ADD(hh, d->deleted, id.text, ID_CHARS, gone);
	if (!gone->hh.tbl) {
		free(gone);
		return PLYD_ENOMEM;
	}
	player_anonymise(d, id);
	if (!p)
		return PLYD_OK; /* in a snapshot, and long gone */
	while (p->sessions)
		session_free(d, p->sessions);
	if (p->account)
		account_free(d, p->account);
	name_release(d, p->name, id);
	span_copy(span_str(DELETED_NAME), p->name, sizeof(p->name));
	show_name(p);
	p->leaving = true;
	player_set_due(d, p);
	return PLYD_OK;
}

int apply_account(struct domain *d, const struct fact *f)
{
	if (f->type == FACT_ACCOUNT_CLOSED)
		return apply_closed(d, &f->account_closed.player);
	/* all of them begin with the player */
	struct player *p = find_player(d, &f->account_opened.player);
	if (!p)
		return PLYD_ERECORD;
	if (f->type == FACT_ACCOUNT_OPENED)
		return apply_opened(d, p, &f->account_opened);
	struct account *a = p->account;
	if (!a)
		return PLYD_ERECORD;
	switch (f->type) {
	case FACT_PASSWORD_SET: return apply_password(a, f->password_set.hash);
	case FACT_PASSWORD_RESET: return apply_reset(a, &f->password_reset);
	case FACT_BOT_TOKEN_SET:
		return apply_bot_token(d, a, &f->bot_token_set.token);
	default: return apply_renamed(d, p, &f->player_renamed);
	}
}

/* -- snapshots -- */

static bool holds_old_name(const struct domain *d, const struct player *p)
{
	const struct account *a = p->account;
	return a && a->old_name[0] && a->old_name_until_ms > d->now_ms &&
	       name_is_claimed(d, a->old_name, &p->id);
}

const char *account_first_name(const struct domain *d, const struct player *p)
{
	return holds_old_name(d, p) ? p->account->old_name : p->name;
}

void account_put(const struct domain *d, const struct player *p,
		 void (*put)(void *payload, const struct fact *f),
		 void *payload)
{
	const struct account *a = p->account;
	if (!a)
		return;
	put(payload,
	    &(struct fact){ .type = FACT_ACCOUNT_OPENED,
			    .account_opened = { p->id, span_str(a->login),
						span_str(a->hash),
						a->opened_at } });
	if (holds_old_name(d, p))
		put(payload,
		    &(struct fact){ .type = FACT_PLAYER_RENAMED,
				    .player_renamed = {
					    p->id, span_str(p->name),
					    (int64_t)a->old_name_until_ms } });
	if (a->reset_given)
		put(payload,
		    &(struct fact){
			    .type = FACT_PASSWORD_RESET,
			    .password_reset = { p->id, a->reset,
						(int64_t)a->reset_until_ms } });
	if (a->bot_token_given)
		put(payload,
		    &(struct fact){ .type = FACT_BOT_TOKEN_SET,
				    .bot_token_set = { p->id, a->bot_token } });
}

void deleted_put(const struct domain *d,
		 void (*put)(void *payload, const struct fact *f),
		 void *payload)
{
	for (const struct deleted_id *gone = d->deleted; gone;
	     gone = gone->hh.next)
		put(payload, &(struct fact){ .type = FACT_ACCOUNT_CLOSED,
					     .account_closed = { gone->id } });
}
