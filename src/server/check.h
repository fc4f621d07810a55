/* SPDX-License-Identifier: MIT
 * check.h - looks at the data without serving, beside a plyd that may run on
 * them: whether it could start, and whether all that it holds is right. */
#ifndef PLYD_SERVER_CHECK_H
#define PLYD_SERVER_CHECK_H

#include "server/server.h"

/* Reads the data as a start would. No data yet is fine. Errors and why as
 * server_run(). */
int check_start(const struct server_options *o, char why[SCRIPTS_WHY_MAX]);

/* Judges all: the file, every row, every running match as far as it is, every
 * record with its hash chain and dice. Prints what is wrong and a sum to stdout,
 * or as JSON; how far it is to stderr, if that is a terminal. PLYD_ERECORD:
 * something is wrong, and was said. Others and why as server_run(). */
int check_data(const struct server_options *o, bool json,
	       char why[SCRIPTS_WHY_MAX]);

#endif
