/* SPDX-License-Identifier: MIT
 * version.h - the texts of scripts. A version is one text together with the
 * libraries that it names, and its short hash; matches keep the one that they
 * began with while newer ones are read. */
#ifndef PLYD_SERVER_VERSION_H
#define PLYD_SERVER_VERSION_H

#include <stdbool.h>

#include "base/table.h"
#include "domain/limits.h"
#include "proto/worker.h"

/* A script's own name and what makes it whole fit into a worker's name. */
enum { VERSION_NAME_MAX = WORKER_NAME_MAX - VERSION_BYTES_MAX - 1 };

/* Never changes once it is in a set, but for faults. */
struct version {
	unsigned holds;
	int kind; /* enum worker_kind */
	char name[WORKER_NAME_MAX + 1];
	char hash[VERSION_BYTES_MAX + 1];
	char whole[WORKER_NAME_MAX + 1]; /* NAME@HASH, for workers */
	uint8_t *source;
	size_t len;
	size_t use_count; /* held */
	struct version *use[WORKER_USES_MAX];
	unsigned faults; /* in a row, see conduct.h */
	uint64_t faults_total;
	/* in a set */
	bool kept, needed;
	char key[WORKER_NAME_MAX + 2];
	UT_hash_handle hh;
};

/* Gives a version of that name, which the caller holds; takes source. It uses
 * those of the libraries that the source names, and those that these name.
 * The hash is of the text and of all their texts. NULL: no memory. */
struct version *version_new(int kind, const char *name, uint8_t *source,
			    size_t len, struct version *const *libraries,
			    size_t count);
/* The name that it gives itself; before it is put into a set. False: it is
 * longer than VERSION_NAME_MAX. */
bool version_set_name(struct version *v, const char *name);

struct version *version_hold(struct version *v);
void version_drop(struct version *v); /* NULL is fine */

/* The question that makes a worker know it; appended to b. */
void version_tell(const struct version *v, struct buf *b);

/* Versions that may be asked for by name, each held by the set. */
struct versions {
	struct version *all;
};
void versions_release(struct versions *set);

/* Keeps v, or finds that one of this kind, name and hash is kept already: gives
 * whichever is in the set, held for the caller, and takes his hold on v. NULL:
 * no memory. */
struct version *versions_keep(struct versions *set, struct version *v);

/* NULL: it is not kept. Lent as long as the set keeps it. */
struct version *versions_find(const struct versions *set, int kind,
			      const char *name, const char *hash);

/* Drops all that were not marked as needed since the last time. */
void versions_sweep(struct versions *set);

#endif
