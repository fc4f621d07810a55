/* SPDX-License-Identifier: MIT
 * audit.h - what operators did: the newest acts, for those who may read them.
 * Only the domain writes them. */
#ifndef PLYD_DOMAIN_AUDIT_H
#define PLYD_DOMAIN_AUDIT_H

#include "domain/fact.h"

enum {
	AUDIT_KEPT = 500, /* acts; older ones are forgotten */
	BY_BYTES_MAX = 20,
	ACT_BYTES_MAX = 24,     /* "end_match" */
	TARGET_BYTES_MAX = 256, /* an id, a name, an address range */
	SAID_BYTES_MAX = 1200,  /* the operator's words: 300 characters */
};

struct audit_act {
	int64_t number; /* 1, 2, 3 and so on */
	int64_t at_unix_ms;
	char act[ACT_BYTES_MAX + 1];
	char target[TARGET_BYTES_MAX + 1];
	char text[SAID_BYTES_MAX + 1];
	char by[BY_BYTES_MAX + 1];     /* name of his token, or "" */
	struct audit_act *prev, *next; /* newer, older */
};

#endif
