/* SPDX-License-Identifier: MIT
 * texts.h - the texts of scripts in the data directory: what a match began with
 * must be found again after a restart, whatever the operator's folders hold by
 * then. A file has a version with the libraries that it uses, as the questions
 * that tell a worker of them; its name is of its kind, name and hash. */
#ifndef PLYD_SERVER_TEXTS_H
#define PLYD_SERVER_TEXTS_H

#include "server/version.h"

enum { TEXTS_DIR_MAX = 1024 };

/* Writes v unless it is there, and then sets *made_one: its bytes are durable,
 * its name is so after texts_sync(). PLYD_EIO: it cannot be written.
 * PLYD_ENOMEM. */
int texts_save(const char *dir, const struct version *v, bool *made_one);

/* Makes the names of all that were written durable. PLYD_EIO. */
int texts_sync(const char *dir);

/* Puts it into the set, if it is there and whole: its hash is looked at.
 * PLYD_ENOTHING: it is not. PLYD_EIO, PLYD_ENOMEM. */
int texts_load(const char *dir, struct versions *set, int kind,
	       const char *name, const char *hash);

/* Deletes those that are not in the set. */
void texts_sweep(const char *dir, const struct versions *set);

#endif
