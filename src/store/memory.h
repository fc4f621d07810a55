/* SPDX-License-Identifier: MIT
 * memory.h - a store in memory for tests and simulation: the same contract as
 * the one on disk, with the disk's moods in the caller's hand. It has no
 * thread: work is done where it is asked for, or when it is let go. */
#ifndef PLYD_STORE_MEMORY_H
#define PLYD_STORE_MEMORY_H

#include "store/store.h"

/* Gives an empty store, or NULL without memory; end with store_close(). wake is
 * called on the caller's thread, from within store calls. */
struct store *store_memory_new(void (*wake)(void *payload), void *payload);

/* While held, batches, probes and reads wait for store_memory_let_go(). */
void store_memory_hold(struct store *s, bool hold);
/* Does all that waits, as one commit, whether held or not. */
void store_memory_let_go(struct store *s);

/* Every commit and probe fails for this reason from now on; NULL mends it. why
 * must live until then. */
void store_memory_break(struct store *s, const char *why);

/* A crash: what waits and what was not yet reported is forgotten; what is
 * durable stays, and writing is not broken. */
void store_memory_crash(struct store *s);

#endif
