/* SPDX-License-Identifier: MIT
 * conduct.h - what operators' scripts have cost. A fault is any question that a
 * script did not answer well: it raised an error, answered nonsense, or had its
 * worker killed. After CONDUCT_FAULTS_MAX in a row it is in quarantine: it is
 * asked no more, until plyd reads it again. */
#ifndef PLYD_SERVER_CONDUCT_H
#define PLYD_SERVER_CONDUCT_H

#include <stdbool.h>

#include "server/scripts.h"

enum { CONDUCT_FAULTS_MAX = 3 };

struct conduct {
	int kind; /* enum worker_kind */
	char name[WORKER_NAME_MAX + 1];
	unsigned faults; /* in a row */
};

/* All scripts that workers run; and one for those that are no more on offer. */
struct conducts {
	size_t count;
	struct conduct of[SCRIPTS_MAX + PERSONALITIES_MAX];
	struct conduct unknown;
};

void conducts_init(struct conducts *c, const struct scripts *scripts);

/* Never NULL; lives as long as c. */
struct conduct *conduct_find(struct conducts *c, int kind, const char *name);

bool conduct_is_quarantined(const struct conduct *c);
/* Its last answer was bad: others go first, so that it keeps nobody waiting
 * more than once. */
bool conduct_is_suspect(const struct conduct *c);

void conduct_good(struct conduct *c);
/* Counts a fault, and logs when that is the last one it had. */
void conduct_fault(struct conduct *c);

/* "policy" or "personality". */
const char *conduct_kind_name(const struct conduct *c);

#endif
