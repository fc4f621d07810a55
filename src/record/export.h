/* SPDX-License-Identifier: MIT
 * export.h - a record as JSON, whole: every field of every fact, its bytes, and
 * the hash chain's head, so that any language can verify it. Times are
 * integers in ms, sides and results numbers as in domain/fact.h, digests,
 * nonces, seeds and bytes hex. */
#ifndef PLYD_RECORD_EXPORT_H
#define PLYD_RECORD_EXPORT_H

#include "base/buf.h"
#include "base/digest.h"
#include "base/id.h"
#include "proto/read.h"

/* Writes one record to b, which only grows; look at b->err, or at what
 * exporter_end() returns. */
struct exporter {
	struct buf *b;
	struct id match;
	struct digest head;
	size_t facts;
	bool redacted;
	struct digest after_begun; /* if redacted */
};

/* Begins. e and b belong to the caller and must live to the end. */
void exporter_begin(struct exporter *e, struct buf *b, const struct id *match);

/* Before the first fact: it is redacted, see redact.h, and the chain goes on
 * after it from this hash. */
void exporter_redacted(struct exporter *e, const struct digest *after_begun);

/* Adds the next fact from its bytes; doc is scratch. PLYD_ERECORD: not a fact,
 * and nothing is added. PLYD_ENOMEM, PLYD_ETOOLARGE: as b->err. */
int exporter_fact(struct exporter *e, struct doc *doc, struct span bytes);

/* Ends; returns b->err. */
int exporter_end(struct exporter *e);

#endif
