/* SPDX-License-Identifier: MIT
 * redact.h - a record whose player deleted his account is shown without his name
 * and id. Only the first fact has them, so it is written anew without; the hash
 * of the chain after it is given beside, so that the rest can still be
 * verified. */
#ifndef PLYD_RECORD_REDACT_H
#define PLYD_RECORD_REDACT_H

#include "base/buf.h"
#include "domain/domain.h"
#include "proto/read.h"

/* Appends the first fact of a record without who is deleted in d; look at
 * b->err. False: nobody is, or it is not the first fact; nothing is written.
 * doc is scratch. */
bool redact_begun(const struct domain *d, struct doc *doc, struct span begun,
		  struct buf *b);

#endif
