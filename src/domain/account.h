/* SPDX-License-Identifier: MIT
 * account.h - a player who can come back from anywhere: a member with a login
 * and a password, or a bot with a token of the operator. Only the domain
 * writes it. */
#ifndef PLYD_DOMAIN_ACCOUNT_H
#define PLYD_DOMAIN_ACCOUNT_H

#include "domain/command.h"

struct account {
	char login[LOGIN_BYTES_MAX + 1];
	int64_t opened_at; /* Unix time in ms */
	/* A name that he gave up a while ago, and that nobody else may take
	 * yet; "": none. Domain time. */
	char old_name[NAME_BYTES_MAX + 1];
	uint64_t old_name_until_ms;

	/* secret: in no view, record, export or log */
	char hash[PASSWORD_HASH_MAX]; /* Argon2id; "": no password opens it */
	bool reset_given;        /* the operator gave a one-time password */
	struct digest reset;     /* its SHA-256 */
	uint64_t reset_until_ms; /* domain time */
	bool bot_token_given;
	struct digest bot_token; /* SHA-256 of the operator's token */

	struct player *player;
	UT_hash_handle by_login;
	UT_hash_handle by_bot_token;
};

/* A password that is being worked on outside. The hub answers `not_stored` to
 * those that a rebuild drops. */
struct hash_job {
	uint64_t number; /* 0: free; never used twice, also not by another
			  * domain */
	enum command_type
		command; /* CMD_HELLO, _REGISTER, _PASSWORD, _DELETE */
	uint64_t conn;
	uint32_t msgid;
	struct id player; /* whose; none: there is no such login */
	char login[LOGIN_BYTES_MAX + 1];
	char hash[PASSWORD_HASH_MAX]; /* it is verified against this one */
};

#endif
