/* SPDX-License-Identifier: MIT
 * scripts.h - the operator's scripts in the world: read at first and then again
 * and again, each time with other versions; what they keep of matches. */
#ifndef PLYD_TESTS_SIM_SCRIPTS_H
#define PLYD_TESTS_SIM_SCRIPTS_H

#include "domain/domain.h"

struct sim;

/* The versions of this reading; sim->rules must be there. */
void scripts_read(struct sim *sim);
/* They are read again, and the server is told. */
void scripts_reload(struct sim *sim);

/* What a script keeps with what it says now, which was never said before. */
struct span scripts_keep(struct sim *sim);
/* What a personality says, which was never said before; or nothing. */
struct span scripts_say(struct sim *sim);
/* The referee hears what a script is told that it kept. */
void scripts_asked(struct sim *sim, const struct match *m, int by);

#endif
