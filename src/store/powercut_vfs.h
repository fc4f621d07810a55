/* SPDX-License-Identifier: MIT
 * powercut_vfs.h - a SQLite VFS for tests that can lose power: at the cut every
 * write since the last sync of its file is undone, or some of them are. What
 * was created or deleted stays so: directory entries are not modelled. Built
 * only with PLYD_TEST_VFS. Thread-safe. */
#ifndef PLYD_STORE_POWERCUT_VFS_H
#define PLYD_STORE_POWERCUT_VFS_H

#include <stdbool.h>
#include <stdint.h>

#define POWERCUT_VFS "powercut"

enum { POWERCUT_EXIT_STATUS = 75 };

/* Registers the VFS under its name; may be called again. The environment
 * variable PLYD_POWERCUT can order a cut after which the process exits with
 * POWERCUT_EXIT_STATUS: "writes=N" before the write after N writes (of the main
 * file or its log), "sigusr2" when that signal comes. With "syncs" that signal
 * lets syncs fail, and the next one lets them succeed again. Call it before
 * other threads start, since that signal is then blocked in all of them. */
void powercut_register(void);

/* What the unsynced writes become: all lost, or each kept, torn at a sector, or
 * lost as the seed says (0: all lost). */
void powercut_tear(uint64_t seed);

/* Cuts the power now. Until powercut_restore() nothing can be written. */
void powercut_cut(void);
void powercut_restore(void);

/* Syncs, or all writes, fail with an I/O error while set. */
void powercut_fail_syncs(bool fail);
void powercut_fail_writes(bool fail);

struct powercut_counts {
	uint64_t writes, syncs, lost;
};
struct powercut_counts powercut_counts(void);

#endif
