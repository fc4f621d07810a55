/* SPDX-License-Identifier: MIT
 * chain.h - the hash chain of a match's facts. Both players get its head when
 * the match ends, so that nobody can change the record afterwards unnoticed. */
#ifndef PLYD_RECORD_CHAIN_H
#define PLYD_RECORD_CHAIN_H

#include "base/digest.h"
#include "base/id.h"

/* h(0) = SHA-256("plyd-record-1" match id). */
struct digest chain_start(const struct id *match);

/* h(n) = SHA-256(h(n - 1) bytes of fact n). */
struct digest chain_next(const struct digest *head, struct span fact);

#endif
