/* SPDX-License-Identifier: MIT
 * memory.h - the end of the program when memory runs out where nothing can be
 * taken back. Most calls report PLYD_ENOMEM and change nothing; but what the
 * domain has decided must reach the journal and the players, or else the
 * process must end: the journal has all that was acknowledged, and a start
 * loses nothing. */
#ifndef PLYD_BASE_MEMORY_H
#define PLYD_BASE_MEMORY_H

/* Logs that memory ran out while doing `what`, and aborts. */
_Noreturn void memory_ran_out(const char *what);

#endif
