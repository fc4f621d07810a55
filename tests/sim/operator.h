/* SPDX-License-Identifier: MIT
 * operator.h - whoever runs the server of this world. */
#ifndef PLYD_TESTS_SIM_OPERATOR_H
#define PLYD_TESTS_SIM_OPERATOR_H

#include "sim.h"

#define OPERATOR_CONN (UINT64_C(1) << 62) /* and more; no link has it */

/* Does something, and plans to do it again. */
void operator_acts(struct sim *sim);
/* A message to his connection. */
void operator_hears(struct sim *sim, struct span bytes);

#endif
