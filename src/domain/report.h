/* SPDX-License-Identifier: MIT
 * report.h - what players told the operator about players, for those who may
 * read it. Only the domain writes it. */
#ifndef PLYD_DOMAIN_REPORT_H
#define PLYD_DOMAIN_REPORT_H

#include "base/id.h"
#include "domain/audit.h"
#include "domain/limits.h"

/* V(UPPER, "word", doc): reasons. Their order is in the journal: add at the
 * end. */
#define REPORT_REASONS(V)                                                      \
	V(ABUSE, "abuse", "Insults, threats, hate.")                           \
	V(SPAM, "spam", "Advertising, flooding.")                              \
	V(CHEATING, "cheating", "Help by a program, arranged results.")        \
	V(STALLING, "stalling", "Lets the clock run in a lost position.")      \
	V(NAME, "name", "A name that should not be.")                          \
	V(OTHER, "other", "Anything else.")

enum report_reason {
#define V(UPPER, word, doc) REPORT_##UPPER,
	REPORT_REASONS(V)
#undef V
		REPORT_REASON_COUNT
};

struct report {
	int64_t number; /* of its row in the journal: never used again */
	int64_t at_unix_ms;
	struct id reporter, player;
	char reporter_name[NAME_BYTES_MAX + 1];
	char player_name[NAME_BYTES_MAX + 1];
	struct id match, lobby; /* or none */
	enum report_reason reason;
	char text[CHAT_BYTES_MAX + 1];
	char evidence[EVIDENCE_BYTES_MAX + 1]; /* lines, '\n' after each */
	struct report *prev, *next;
};

#endif
