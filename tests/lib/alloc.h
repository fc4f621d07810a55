/* SPDX-License-Identifier: MIT
 * alloc.h - makes an allocation of the code under test fail. In a test with
 * LIBS plyd_alloc malloc, calloc, realloc and strdup of everything that is
 * linked statically, so of all rooms, come here first. Only what happens
 * between alloc_enter() and alloc_leave() counts, so that a test's own
 * allocations never fail. Threads of the code under test may allocate too; the
 * calls here are for one thread. */
#ifndef PLYD_TESTS_ALLOC_H
#define PLYD_TESTS_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* The n-th allocation from now on fails, n from 1; 0: none. If `all`, every one
 * after it too. */
void alloc_fail(size_t n, bool all);
/* How many were counted since then. */
size_t alloc_count(void);
/* Whether one has failed since then. */
bool alloc_failed(void);

/* The code under test begins and ends; they nest: a callback leaves, and enters
 * again before it returns. */
void alloc_enter(void);
void alloc_leave(void);
/* For the wrappers: whether this allocation is to fail. */
bool alloc_fails_now(void);

#endif
