/* SPDX-License-Identifier: MIT
 * account.c - what a player does with his account. */
#include "domain/domain_priv.h"

#include <utlist.h>

static void answer_account(struct domain *d, const struct command *cmd)
{
	struct session *s = session_of(d, cmd);
	struct effect *fx = answer(d, cmd);
	fx->session = s;
	fx->player = s->player;
}

/* get, sessions and export: the answer shows what there is. */
void on_account_get(struct domain *d, const struct command *cmd)
{
	answer_account(d, cmd);
}

/* A session whose rights have changed goes by another token from now on, so
 * that whoever knew the one before has nothing. */
static void new_token(struct domain *d, const struct command *cmd)
{
	const struct session *s = session_of(d, cmd);
	happen(d, &(struct fact){ .type = FACT_TOKEN_REPLACED,
				  .token_replaced = { s->player->id, s->number,
						      cmd->hello.fresh } });
}

/* -- becoming a member -- */

static int register_check(const struct domain *d, const struct player *p,
			  struct span login)
{
	char text[LOGIN_BYTES_MAX + 1];
	if (p->account)
		return PLYD_EACCOUNT;
	if (p->kind != KIND_GUEST)
		return PLYD_ENOTALLOWED; /* bots get theirs of the operator */
	span_copy(login, text, sizeof(text));
	if (name_is_reserved(text) || find_login(d, login))
		return PLYD_ELOGINTAKEN;
	if (domain_account_count(d) >= (size_t)d->limits.accounts_max)
		return PLYD_EFULL;
	return PLYD_OK;
}

void on_account_register(struct domain *d, const struct command *cmd)
{
	const struct player *p = find_player(d, &cmd->player);
	int err = register_check(d, p, cmd->account.login);
	struct hashing what = { .fresh = cmd->account.password };
	if (err)
		refuse(d, cmd, err);
	else
		hash_begin(d, cmd, NULL, &what);
}

void account_registered(struct domain *d, const struct command *cmd,
			struct span login, struct span hash)
{
	const struct player *p = find_player(d, &cmd->player);
	int err = register_check(d, p, login);
	if (!err && hash.len == 0)
		err = PLYD_ENOMEM; /* hashing takes much */
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	span_copy(login, d->login, sizeof(d->login)); /* a job's, soon gone */
	happen(d, &(struct fact){ .type = FACT_ACCOUNT_OPENED,
				  .account_opened = { p->id, span_str(d->login),
						      hash, cmd->unix_ms } });
	new_token(d, cmd);
	answer_account(d, cmd);
}

/* -- another password -- */

void on_account_password(struct domain *d, const struct command *cmd)
{
	const struct account *a = find_player(d, &cmd->player)->account;
	if (!a) {
		refuse(d, cmd, PLYD_ENOACCOUNT);
		return;
	}
	struct digest shown = sha256(&cmd->password.old, 1);
	struct hashing what = { .hash = a->hash,
				.password = cmd->password.old,
				.fresh = cmd->password.fresh };
	/* instead of one that the operator has made void */
	if (a->reset_given && a->reset_until_ms > d->now_ms &&
	    digest_eq(&shown, &a->reset))
		what.hash = NULL;
	hash_begin(d, cmd, a, &what);
}

void account_password_set(struct domain *d, const struct command *cmd,
			  struct span hash)
{
	struct session *s = session_of(d, cmd);
	if (hash.len == 0) {
		refuse(d, cmd, PLYD_ENOMEM);
		return;
	}
	happen(d, &(struct fact){ .type = FACT_PASSWORD_SET,
				  .password_set = { s->player->id, hash } });
	sessions_end(d, s->player, s, PLYD_EENDED);
	new_token(d, cmd);
	answer_account(d, cmd);
}

/* -- another name -- */

static bool same_name(const char *one, const char *other)
{
	char a[NAME_KEY_MAX], b[NAME_KEY_MAX];
	return name_key(one, a) && name_key(other, b) && !strcmp(a, b);
}

/* One old name may be kept from others, not many. */
static int64_t rename_wait_ms(const struct domain *d, const struct player *p,
			      const char *name)
{
	const struct account *a = p->account;
	if (!a->old_name[0] || a->old_name_until_ms <= d->now_ms ||
	    same_name(name, p->name) || same_name(name, a->old_name))
		return 0;
	return (int64_t)(a->old_name_until_ms - d->now_ms);
}

static void tell_lobbies(struct domain *d, const struct player *p)
{
	const struct lobby_link *link;
	DL_FOREACH (p->lobbies, link)
		effect_add(d, EFFECT_LOBBY)->lobby = link->lobby;
}

void on_account_rename(struct domain *d, const struct command *cmd)
{
	const struct player *p = find_player(d, &cmd->player);
	struct id evict = { "" };
	span_copy(cmd->name, d->name, sizeof(d->name));
	const struct newcomer who = { .name = d->name };
	bool banned = domain_ban_of(d, &who, cmd->unix_ms) != NULL;
	int64_t wait_ms = p->account ? rename_wait_ms(d, p, d->name) : 0;
	int err = !p->account   ? PLYD_ENOACCOUNT
		  : banned      ? PLYD_EBANNED
		  : wait_ms > 0 ? PLYD_ETOOSOON
				: name_check(d, d->name, &p->id, &evict);
	if (err) {
		refuse(d, cmd, err)->retry_ms = wait_ms;
		return;
	}
	if (!id_is_none(&evict))
		happen(d, &(struct fact){ .type = FACT_PLAYER_REMOVED,
					  .player_removed = { evict } });
	if (strcmp(p->name, d->name) != 0) {
		happen(d, &(struct fact){
				  .type = FACT_PLAYER_RENAMED,
				  .player_renamed = {
					  p->id, span_str(d->name),
					  (int64_t)d->now_ms +
						  d->limits.rename_hold_ms } });
		tell_lobbies(d, p);
	}
	answer_account(d, cmd);
}

/* -- going -- */

void on_account_logout(struct domain *d, const struct command *cmd)
{
	struct session *own = session_of(d, cmd);
	struct player *p = own->player;
	struct session *s = own;
	if (cmd->logout.other)
		s = player_session(p, cmd->logout.session);
	if (!s) {
		refuse(d, cmd, PLYD_ENOSESSION);
		return;
	}
	struct effect *fx = answer(d, cmd);
	fx->answer.left = cmd->logout.everywhere || s == own;
	if (cmd->logout.everywhere)
		sessions_end(d, p, own, PLYD_EENDED);
	if (s != own && !cmd->logout.everywhere)
		session_end(d, s, PLYD_EENDED);
	if (fx->answer.left) {
		/* the connection stays, and is nobody's */
		session_goes(d, own);
		if (!player_is_here(p))
			player_departs(d, p);
		happen(d, &(struct fact){
				  .type = FACT_SESSION_ENDED,
				  .session_ended = { p->id, own->number } });
	}
}

void on_account_delete(struct domain *d, const struct command *cmd)
{
	const struct account *a = find_player(d, &cmd->player)->account;
	int err = !a ? PLYD_ENOACCOUNT
		  : a->player->kind == KIND_BOT
			  ? PLYD_ENOTALLOWED /* it is the operator's */
		  : HASH_COUNT(d->deleted) >= (size_t)d->limits.deleted_max
			  ? PLYD_EFULL
			  : PLYD_OK;
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	struct hashing what = { .hash = a->hash, .password = cmd->confirm };
	hash_begin(d, cmd, a, &what);
}

void account_deleted(struct domain *d, const struct command *cmd)
{
	struct session *own = session_of(d, cmd);
	struct player *p = own->player;
	answer(d, cmd)->answer.left = true;
	sessions_end(d, p, own, PLYD_EENDED);
	session_goes(d, own);
	player_departs(d, p);
	happen(d, &(struct fact){ .type = FACT_ACCOUNT_CLOSED,
				  .account_closed = { p->id } });
}

/* One seat a tick: a match is aborted if it may be, else resigned. */
void player_leaves(struct domain *d, struct player *p)
{
	if (p->meets.seeks || p->meets.challenges || p->meets.queued) {
		meeting_withdraw(d, p, SEEK_AWAY);
		while (p->meets.challenges)
			seek_close(d, p->meets.challenges, SEEK_AWAY);
	} else if (p->lobbies) {
		lobby_leave(d, p->lobbies->lobby, p->lobbies->side, "left");
	} else if (tournament_quit(d, p)) {
		return; /* before his matches, which others then win */
	} else if (p->matches) {
		match_leave(d, p->matches->match, p->matches->side);
	} else {
		happen(d, &(struct fact){ .type = FACT_PLAYER_REMOVED,
					  .player_removed = { p->id } });
	}
}
