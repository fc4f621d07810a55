/* SPDX-License-Identifier: MIT
 * explain.h - a refusal in words. */
#ifndef PLYD_PLY_EXPLAIN_H
#define PLYD_PLY_EXPLAIN_H

#include <plyd/rules.h>

enum { EXPLAIN_MAX = 768 };

/* Writes sentences for a person, such as "A piece can capture, so a capture
 * must be played. These can: 11." Returns their length. */
size_t explain_refusal(const struct refusal *why, char out[EXPLAIN_MAX]);

#endif
