/* SPDX-License-Identifier: MIT
 * vectors.h - reads JSON Lines: one object a line, one check a line. */
#ifndef PLYD_TESTS_VECTORS_H
#define PLYD_TESTS_VECTORS_H

#include <jansson.h>

/* Returns NULL if the row holds, else what is wrong (static storage or valid
 * until the next call). */
typedef const char *vector_fn(const json_t *row, void *payload);

/* Calls check for every row of tests/<path>, prints each failure and at the end
 * `<path>: N rows passed, M failed`. Returns M; a file without rows, or one
 * that cannot be read, counts one failure. */
size_t vectors_run(const char *path, vector_fn *check, void *payload);

/* Shorthands that abort the program on a missing key: the data are ours. */
const char *vector_str(const json_t *row, const char *key);
long long vector_int(const json_t *row, const char *key);

#endif
