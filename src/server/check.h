/* SPDX-License-Identifier: MIT
 * check.h - looks at the data without serving, beside a plyd that may run on
 * them: whether it could start. */
#ifndef PLYD_SERVER_CHECK_H
#define PLYD_SERVER_CHECK_H

#include "server/server.h"

/* Reads the data as a start would. No data yet is fine. Errors and why as
 * server_run(). */
int check_start(const struct server_options *o, char why[SCRIPTS_WHY_MAX]);

#endif
