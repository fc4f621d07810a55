/* SPDX-License-Identifier: MIT
 * harden.h - takes from this process all that a worker does not need. What is
 * left: reading and writing its one socket, memory up to a limit, ending. */
#ifndef PLYD_SCRIPT_HARDEN_H
#define PLYD_SCRIPT_HARDEN_H

enum {
	/* address space beyond what the program itself maps at its start */
	HARDEN_MEMORY_BYTES = 64 * 1024 * 1024,
	HARDEN_NICE_MAX = 19
};

/* Before anything else: dies with its parent, gains no privilege, is not
 * dumped or traced, closes every descriptor above `fd`, and lowers its
 * priority by `nice` (0..HARDEN_NICE_MAX). 0, or -1 with errno. */
int harden_begin(int fd, int nice);

/* After everything is loaded and before the first question: limits of memory,
 * files and core dumps, and an allow-list of system calls, of which any other
 * kills the process. A build with sanitizers, which write, open files and trace
 * themselves, keeps only the limit of core dumps. 0, or -1 with errno. */
int harden_finish(int fd);

#endif
