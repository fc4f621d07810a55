/* SPDX-License-Identifier: MIT
 * check_priv.h - what both checks begin with. */
#ifndef PLYD_SERVER_CHECK_PRIV_H
#define PLYD_SERVER_CHECK_PRIV_H

#include "server/check.h"
#include "server/journal.h"

/* A journal to read only; store_close() its store in any case. Errors as
 * store_open_reader(). */
int check_open(const struct server_options *o, struct journal *j,
	       char why[STORE_WHY_MAX]);

#endif
