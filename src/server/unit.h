/* SPDX-License-Identifier: MIT
 * unit.h - what a worker says of a file as a unit of the scripts. */
#ifndef PLYD_SERVER_UNIT_H
#define PLYD_SERVER_UNIT_H

#include "server/scripts.h"

/* Takes the worker's answer about u->version, which gets its own name; the
 * units of kinds before this one are in `scripts` already. PLYD_ECONFIG: why
 * says what is wrong with it, without its place. */
int unit_read(struct unit *u, const struct scripts *scripts,
	      const struct value *result, char why[SCRIPTS_WHY_MAX]);

/* Adds it, takes it. PLYD_ECONFIG: there are too many of its kind, or one has
 * this name; u is then the caller's still. */
int unit_add(struct scripts *scripts, struct unit *u,
	     char why[SCRIPTS_WHY_MAX]);
/* NULL: no memory. Copies hold the same version. */
struct unit *unit_copy(const struct unit *u);
void unit_free(struct unit *u); /* NULL is fine */

/* Makes what is on offer from the units. */
void scripts_offer(struct scripts *s);

#endif
