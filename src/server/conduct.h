/* SPDX-License-Identifier: MIT
 * conduct.h - what operators' scripts have cost. A fault is any question that a
 * script did not answer well: it raised an error, answered nonsense, or had its
 * worker killed. After CONDUCT_FAULTS_MAX in a row that version of it is in
 * quarantine: it is asked no more, until plyd reads it again. */
#ifndef PLYD_SERVER_CONDUCT_H
#define PLYD_SERVER_CONDUCT_H

#include "server/version.h"

enum { CONDUCT_FAULTS_MAX = 3 };

bool conduct_is_quarantined(const struct version *v);
/* Its last answer was bad: others go first, so that it keeps nobody waiting
 * more than once. */
bool conduct_is_suspect(const struct version *v);

/* The operator puts it there, or takes it out. */
void conduct_set_quarantine(struct version *v, bool on);

void conduct_good(struct version *v);
/* Counts a fault, and logs when that is the last one it had. */
void conduct_fault(struct version *v);

/* "policy", "personality". */
const char *conduct_kind_name(const struct version *v);

#endif
