/* SPDX-License-Identifier: MIT
 * ban.h - whom the operator keeps out, for those who may read it. Only the
 * domain writes it. Times are unix time in ms: a ban goes on while the server
 * stands still. */
#ifndef PLYD_DOMAIN_BAN_H
#define PLYD_DOMAIN_BAN_H

#include "base/ip.h"
#include "domain/audit.h"
#include "domain/name.h"

enum { BANS_MAX = 2000 };

enum ban_kind { BAN_PLAYER, BAN_NAME, BAN_ADDRESS };

struct ban {
	int64_t number; /* of its act in the audit trail */
	enum ban_kind kind;
	struct id player;       /* BAN_PLAYER */
	struct ip_range range;  /* BAN_ADDRESS */
	char key[NAME_KEY_MAX]; /* BAN_NAME: of target */
	char target[TARGET_BYTES_MAX + 1];
	int64_t at_unix_ms;
	int64_t until_unix_ms; /* 0: for ever */
	char text[SAID_BYTES_MAX + 1];
	struct ban *prev, *next;
};

static inline bool ban_is_over(const struct ban *b, int64_t unix_ms)
{
	return b->until_unix_ms != 0 && b->until_unix_ms <= unix_ms;
}

#endif
