/* SPDX-License-Identifier: MIT
 * operator_token.h - secrets by which operators come in from elsewhere, for
 * those who may read it. Only the domain writes it. Times are unix time in ms. */
#ifndef PLYD_DOMAIN_OPERATOR_TOKEN_H
#define PLYD_DOMAIN_OPERATOR_TOKEN_H

#include "base/digest.h"
#include "domain/account.h"

enum { OPERATOR_TOKENS_MAX = 32 };

struct operator_token {
	char name[LOGIN_BYTES_MAX + 1]; /* as a login is written */
	struct digest token;            /* SHA-256 */
	int64_t at_unix_ms;
	int64_t until_unix_ms; /* 0: for ever */
	struct operator_token *prev, *next;
};

static inline bool operator_token_is_over(const struct operator_token *t,
					  int64_t unix_ms)
{
	return t->until_unix_ms != 0 && t->until_unix_ms <= unix_ms;
}

#endif
