/* SPDX-License-Identifier: MIT
 * replay.h - the journal back into a domain, and the general state as bytes for
 * a snapshot. Replay decides nothing and checks no rule. */
#ifndef PLYD_RECORD_REPLAY_H
#define PLYD_RECORD_REPLAY_H

#include "base/buf.h"
#include "domain/domain.h"
#include "proto/read.h"

/* Encodes a fact that a step made as its journal row, appended to b, and moves
 * the head of its match's chain on. Look at b->err. */
void journal_row(struct domain *d, const struct fact *f, struct buf *b);

/* Appends the general state to b: what replay_snapshot() reads. Returns b's
 * error. */
int snapshot_write(const struct domain *d, struct buf *b);

/* Each brings one piece of the store back, in the order in which the store
 * gives it: snapshot, rows, secrets. doc is scratch.
 * PLYD_ERECORD: a row or secret does not fit; a match that it belongs to is
 * frozen, the rest is sound, go on. Of a snapshot: it is damaged, take an older
 * one into a new domain. PLYD_ERULESET, of a row also PLYD_ENOLOBBY: lobbies of
 * a ruleset that is no more on offer were left out, all else is there, go on.
 * PLYD_EVERSION: not a snapshot that this plyd can read. PLYD_ENOMEM. */
int replay_snapshot(struct domain *d, struct doc *doc, uint64_t row,
		    struct span bytes);
int replay_row(struct domain *d, struct doc *doc, uint64_t row,
	       const struct id *match, struct span bytes);
int replay_secret(struct domain *d, struct doc *doc, const struct id *match,
		  struct span bytes);

#endif
