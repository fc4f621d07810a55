/* SPDX-License-Identifier: MIT
 * operator_token.c - tokens of operators are given and taken. */
#include "domain/domain_priv.h"

#include <stdlib.h>

#include <utlist.h>

static const struct digest none;

static struct operator_token *find(const struct domain *d, struct span name)
{
	struct operator_token *t;
	DL_FOREACH (d->tokens, t)
		if (span_is(name, t->name))
			return t;
	return NULL;
}

static void token_drop(struct domain *d, struct operator_token *t)
{
	DL_DELETE(d->tokens, t);
	d->token_count--;
	free(t);
}

void operator_tokens_free(struct domain *d)
{
	while (d->tokens)
		token_drop(d, d->tokens);
}

const struct operator_token *domain_operator_tokens(const struct domain *d)
{
	return d->tokens;
}

size_t domain_operator_token_count(const struct domain *d)
{
	return d->token_count;
}

const struct operator_token *
domain_operator_named(const struct domain *d, const char *name, int64_t unix_ms)
{
	const struct operator_token *t = find(d, span_str(name));
	return t && !operator_token_is_over(t, unix_ms) ? t : NULL;
}

const struct operator_token *domain_operator_of(const struct domain *d,
						const struct digest *token,
						int64_t unix_ms)
{
	const struct operator_token *t;
	DL_FOREACH (d->tokens, t)
		if (digest_eq(&t->token, token) &&
		    !operator_token_is_over(t, unix_ms))
			return t;
	return NULL;
}

/* -- what the operator does -- */

static void happen_set(struct domain *d, const struct command *cmd,
		       const struct digest *token, int64_t until_unix_ms)
{
	happen(d, &(struct fact){ .type = FACT_OPERATOR_TOKEN_SET,
				  .operator_token_set = { cmd->admin.login,
							  *token, cmd->unix_ms,
							  until_unix_ms } });
}

/* Tokens that are over make room. */
static void forget_old(struct domain *d, int64_t unix_ms)
{
	struct operator_token *t, *tmp;
	DL_FOREACH_SAFE(d->tokens, t, tmp)
	{
		char name[LOGIN_BYTES_MAX + 1];
		if (!operator_token_is_over(t, unix_ms))
			continue;
		span_copy(span_str(t->name), name, sizeof(name));
		happen(d, &(struct fact){
				  .type = FACT_OPERATOR_TOKEN_SET,
				  .operator_token_set = { span_str(name), none,
							  unix_ms, 0 } });
	}
}

void on_admin_token(struct domain *d, const struct command *cmd)
{
	const struct cmd_admin *c = &cmd->admin;
	char name[LOGIN_BYTES_MAX + 1] = "";
	int err = login_is_good(c->login) ? PLYD_OK : PLYD_EVALUE;
	forget_old(d, cmd->unix_ms);
	if (!err && !find(d, c->login) && d->token_count >= OPERATOR_TOKENS_MAX)
		err = PLYD_EFULL;
	if (err) {
		refuse(d, cmd, err);
		return;
	}
	span_copy(c->login, name, sizeof(name));
	act_done(d, cmd, "token", name);
	happen_set(d, cmd, &c->secret, c->ms < 0 ? 0 : cmd->unix_ms + c->ms);
}

void on_admin_token_revoke(struct domain *d, const struct command *cmd)
{
	const struct operator_token *t = find(d, cmd->admin.login);
	if (!t) {
		refuse(d, cmd, PLYD_ENOTHING);
		return;
	}
	act_done(d, cmd, "token_revoke", t->name);
	happen_set(d, cmd, &none, 0);
}

int apply_operator_token_set(struct domain *d, const struct fact *f)
{
	const struct fact_operator_token_set_body *b = &f->operator_token_set;
	struct operator_token *t = find(d, b->name);
	if (b->name.len == 0 || b->name.len > LOGIN_BYTES_MAX)
		return PLYD_ERECORD;
	if (t)
		token_drop(d, t);
	if (digest_eq(&b->token, &none))
		return t ? PLYD_OK : PLYD_ERECORD;
	t = calloc(1, sizeof(*t));
	if (!t)
		return PLYD_ENOMEM;
	span_copy(b->name, t->name, sizeof(t->name));
	t->token = b->token;
	t->at_unix_ms = b->at_unix_ms;
	t->until_unix_ms = b->until_unix_ms;
	DL_APPEND(d->tokens, t);
	d->token_count++;
	return PLYD_OK;
}
