/* SPDX-License-Identifier: MIT
 * operator_accounts.c - what the operator does with accounts. */
#include "domain/domain_priv.h"

/* -- tokens of bots -- */

/* Everything that making this bot may be refused for. d->name: its name. */
static int bot_check(struct domain *d, const struct cmd_admin *c,
		     struct id *evict)
{
	static const struct id nobody;
	struct span name = c->name.len > 0 ? c->name : c->login;
	char login[LOGIN_BYTES_MAX + 1];
	if (!login_is_good(c->login))
		return PLYD_EVALUE;
	if (!name_clean(name, d->name))
		return PLYD_ENAME;
	span_copy(c->login, login, sizeof(login));
	if (name_is_reserved(login))
		return PLYD_ELOGINTAKEN;
	if (domain_account_count(d) >= (size_t)d->limits.accounts_max)
		return PLYD_EFULL;
	return name_check(d, d->name, &nobody, evict);
}

static void make_bot(struct domain *d, const struct command *cmd,
		     const struct id *evict)
{
	static const struct digest no_session;
	struct id id = player_new_id(d);
	if (!id_is_none(evict))
		happen(d, &(struct fact){ .type = FACT_PLAYER_REMOVED,
					  .player_removed = { *evict } });
	happen(d, &(struct fact){ .type = FACT_PLAYER_ADDED,
				  .player_added = { id, span_str(d->name),
						    KIND_BOT, no_session } });
	happen(d, &(struct fact){ .type = FACT_ACCOUNT_OPENED,
				  .account_opened = { id, cmd->admin.login,
						      span_str(""),
						      cmd->unix_ms } });
}

static void set_token(struct domain *d, const struct account *a,
		      const struct digest *token)
{
	happen(d, &(struct fact){ .type = FACT_BOT_TOKEN_SET,
				  .bot_token_set = { a->player->id, *token } });
	/* what came in by the token before goes with it */
	sessions_end(d, a->player, NULL, PLYD_EENDED);
}

void on_admin_bot_token(struct domain *d, const struct command *cmd)
{
	const struct account *a = find_login(d, cmd->admin.login);
	struct id evict = { "" };
	int err = !a ? bot_check(d, &cmd->admin, &evict)
		  : a->player->kind != KIND_BOT ? PLYD_ENOTALLOWED
						: PLYD_OK;
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	if (!a)
		make_bot(d, cmd, &evict);
	a = find_login(d, cmd->admin.login);
	act_done(d, cmd, "bot_token", a->login);
	set_token(d, a, &cmd->admin.secret);
}

void on_admin_bot_revoke(struct domain *d, const struct command *cmd)
{
	static const struct digest none;
	const struct account *a = find_login(d, cmd->admin.login);
	int err = !a                            ? PLYD_ENOACCOUNT
		  : a->player->kind != KIND_BOT ? PLYD_ENOTALLOWED
						: PLYD_OK;
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	act_done(d, cmd, "bot_revoke", a->login);
	set_token(d, a, &none);
}

/* -- passwords -- */

void on_admin_reset(struct domain *d, const struct command *cmd)
{
	const struct account *a = find_login(d, cmd->admin.login);
	int err = !a                               ? PLYD_ENOACCOUNT
		  : a->player->kind != KIND_MEMBER ? PLYD_ENOTALLOWED
						   : PLYD_OK;
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	act_done(d, cmd, "reset", a->login);
	happen(d, &(struct fact){ .type = FACT_PASSWORD_RESET,
				  .password_reset = {
					  a->player->id, cmd->admin.secret,
					  (int64_t)d->now_ms +
						  d->limits.reset_keep_ms } });
	sessions_end(d, a->player, NULL, PLYD_EENDED);
}
