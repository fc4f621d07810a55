/* SPDX-License-Identifier: MIT
 * shrink.h - makes a story that fails short: leaves out kinds of faults,
 * clients and steps (cast.h) for as long as the same complaint comes, and tells
 * what remains. */
#ifndef PLYD_TESTS_SIM_SHRINK_H
#define PLYD_TESTS_SIM_SHRINK_H

#include <stdbool.h>
#include <stdint.h>

/* Prints the shortest story found that ends as the seed's does. False: the seed
 * does not fail, so there is nothing to shrink. */
bool shrink(uint64_t seed, const char *looks_for);

#endif
