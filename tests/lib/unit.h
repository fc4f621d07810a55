/* SPDX-License-Identifier: MIT
 * unit.h - cmocka with the headers that it needs, and table tests: one row, one
 * named test. */
#ifndef PLYD_TESTS_UNIT_H
#define PLYD_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Runs fn once for each row of a table whose rows begin with
 * `const char *name`; returns the number of failures. */
#define RUN_TABLE(group, rows, fn)                                             \
	run_table(group, (rows), sizeof((rows)[0]), COUNT(rows), fn)
int run_table(const char *group, const void *rows, size_t row_bytes,
	      size_t count, CMUnitTestFunction fn);

#endif
