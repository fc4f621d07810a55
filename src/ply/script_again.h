/* SPDX-License-Identifier: MIT
 * script_again.h - a script once more in a recorded match: what it would have
 * answered where the record says what was done. */
#ifndef PLYD_PLY_SCRIPT_AGAIN_H
#define PLYD_PLY_SCRIPT_AGAIN_H

#include "ply/record_file.h"
#include "ply/script_file.h"
#include "record/verify.h"

enum { SAID_MAX = WORKER_TEXT_MAX + 128 };

/* One place where it would have been otherwise, or where it failed. */
struct difference {
	const char *match;
	uint32_t ply;
	int side;                   /* whose turn it was, or -1 */
	bool fault;                 /* the script failed; why says how */
	char record[SAID_MAX];      /* what the record says */
	char script[SAID_MAX];      /* what the script says */
	char why[SCRIPT_FAULT_MAX]; /* its reason, or "" */
	const struct ruleset *rules;
	const struct position *pos;
};

struct again_result {
	bool looked_at; /* the script has to do with the match */
	size_t turns;   /* that it was asked about */
	size_t differences, faults;
};

/* Follows a record with a script that is open; `every`: also where the script
 * was not the one that played or judged. Tells each difference as it is found.
 * PLY_OK; PLY_REFUSED: the record is not good, why says why; PLY_UNREADABLE:
 * the script cannot be asked. */
int script_again(struct script_file *f, const struct record_view *r, bool every,
		 void (*tell)(void *payload, const struct difference *d),
		 void *payload, struct again_result *out,
		 char why[VERIFY_WHY_MAX]);

#endif
