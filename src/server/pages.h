/* SPDX-License-Identifier: MIT
 * pages.h - the heap in large pages. A half-move touches some hundred lines of
 * memory that lie scattered over all matches, players and connections: with
 * pages of 4 KiB a busy server waits longer for the processor to find out where
 * they are than for the lines themselves. Where the system has no large pages,
 * or not for those who ask, nothing changes.
 *
 * Main thread only: its heap is the one that the C library grows by brk(). */
#ifndef PLYD_SERVER_PAGES_H
#define PLYD_SERVER_PAGES_H

/* Before anything of size is allocated: the heap grows in large steps from now
 * on, of which only what is used becomes resident, 2 MiB at a time. */
void pages_begin(void);

/* Asks for large pages where the heap has grown since the last call. Costs next
 * to nothing if it has not. */
void pages_extend(void);

#endif
