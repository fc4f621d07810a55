/* SPDX-License-Identifier: MIT
 * verify.h - judges a record without the server: every move against the rules,
 * every roll against the seed, the clocks, the result, the hash chain. It
 * trusts nothing in the record; replay trusts all. */
#ifndef PLYD_RECORD_VERIFY_H
#define PLYD_RECORD_VERIFY_H

#include <plyd/rules.h>
#include "domain/match.h"
#include "proto/read.h"
#include "record/codec.h"

enum { VERIFY_WHY_MAX = 256 };

/* What the record says, as far as it was read. */
struct verdict {
	size_t facts; /* judged and found right */
	uint32_t plies;
	uint32_t rolls;
	uint32_t games;    /* begun; 1 outside matches of several games */
	uint32_t adjusted; /* times that the operator set a clock */
	bool frozen;       /* a fault of the server stopped it */
	bool seed_lost;    /* and its dice cannot be checked */
	bool ended;
	enum match_result result;
	char reason[32]; /* of the end */
	struct ruleset rules;
	char white[NAME_BYTES_MAX + 1];
	char black[NAME_BYTES_MAX + 1];
	/* versions of the scripts that it began with, or "" */
	char policy[POLICY_BYTES_MAX + 1];
	char rules_version[VERSION_BYTES_MAX + 1];
	char policy_version[VERSION_BYTES_MAX + 1];
	char white_version[VERSION_BYTES_MAX + 1];
	char black_version[VERSION_BYTES_MAX + 1];
	char why[VERIFY_WHY_MAX]; /* what is wrong with fact number facts + 1 */
};

struct verifier;

/* Gives a verifier of one match; free it with verifier_free(). NULL: no
 * memory. */
struct verifier *verifier_new(const struct id *match);
void verifier_free(struct verifier *v); /* NULL is fine */

/* Before the first fact: it is redacted, see redact.h, and the chain goes on
 * after it from this hash. */
void verifier_redacted(struct verifier *v, const struct digest *after_begun);

/* Judges the next fact. PLYD_ERECORD: it is wrong, verifier_verdict() says
 * why; further facts are refused alike. PLYD_ENOMEM. */
int verifier_fact(struct verifier *v, struct span bytes);

/* Judges the end: the match has ended, the dice follow from the opened seed,
 * and the head is that of the chain (head NULL: not looked at). */
int verifier_end(struct verifier *v, const struct digest *head);

/* Where a match stands after the facts so far, as those that were asked then
 * saw it. */
struct standing {
	const struct position *pos;
	bool to_move; /* a half-move of the side to move is awaited */
	bool goes_on; /* neither rules nor policy have ended game or match */
	uint32_t plies;
	uint32_t takebacks;
	uint32_t quiet; /* half-moves without progress */
	/* positions since the last move that cannot be undone, the present one
	 * last; only that where no policy asks for them */
	const uint64_t *hashes;
	size_t hash_count;
	int offer_by;            /* side whose offer of a draw stands, or -1 */
	uint32_t offers_made[2]; /* since the last progress */
	bool may_offer[2];       /* a side may offer one now */
	int64_t left_ms[2];      /* when the turn began */
	bool has_clock;
};

/* Looks at it once the match has begun; lent until the next fact. */
void verifier_look(const struct verifier *v, struct standing *out);

/* Lent as long as v. */
const struct verdict *verifier_verdict(const struct verifier *v);

#endif
