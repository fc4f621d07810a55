/* SPDX-License-Identifier: MIT
 * kept.h - what scripts keep of matches that are played: bytes that only they
 * understand. They are general state, not of the match's public log, come with
 * the commit of what the script decided, and go when the match ends. */
#ifndef PLYD_DOMAIN_KEPT_H
#define PLYD_DOMAIN_KEPT_H

#include "base/id.h"
#include "base/span.h"
#include "base/table.h"
#include "domain/limits.h"

/* Whose: the personality of a side (as enum side), or the policy. */
enum kept_by { KEPT_WHITE, KEPT_BLACK, KEPT_POLICY, KEPT_BY };

/* Of one match; len 0: nothing. */
struct kept {
	struct id match;
	struct {
		size_t len;
		uint8_t byte[KEPT_BYTES_MAX];
	} by[KEPT_BY];
	UT_hash_handle hh;
};

#endif
