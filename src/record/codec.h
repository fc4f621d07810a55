/* SPDX-License-Identifier: MIT
 * codec.h - facts as bytes: what the journal and the record hold. A fact is one
 * MessagePack array [type, at_ms, fields...] in the order of domain/fact.h, so
 * that any MessagePack library reads it; ids are strings (empty for none),
 * digests and bytes binaries. New fields are added at the end only: an older
 * fact reads as zero there, and a newer one's further fields are ignored. */
#ifndef PLYD_RECORD_CODEC_H
#define PLYD_RECORD_CODEC_H

#include "base/buf.h"
#include "domain/fact.h"
#include "proto/read.h"

enum { FACT_BYTES_MAX = 4096 };

/* Appends the bytes of a fact to b; look at b->err. match, row and before are
 * not in them: the journal keeps those beside. */
void fact_encode(const struct fact *f, struct buf *b);

/* Reads a fact. Texts and bytes in *out are lent by d and by `bytes`. match and
 * row are taken over into *out. PLYD_ERECORD: not a fact, or of an unknown
 * type. PLYD_ENOMEM. */
int fact_decode(struct doc *d, struct span bytes, const struct id *match,
		uint64_t row, struct fact *out);

/* In snapshots and records each fact has its length before it, as u32be. */
enum { FACT_LENGTH_BYTES = 4 };

/* Cuts the next fact off the rest. False: the rest is not one. */
bool fact_cut(struct span *rest, struct span *fact);

#endif
