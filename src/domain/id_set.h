/* SPDX-License-Identifier: MIT
 * id_set.h - a few ids, in the order of their coming. */
#ifndef PLYD_DOMAIN_ID_SET_H
#define PLYD_DOMAIN_ID_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/id.h"

/* Zeros are an empty set; release with id_set_release(). */
struct id_set {
	struct id *at;
	size_t count;
};

bool id_set_has(const struct id_set *set, const struct id *id);
/* Adds one that is not in. If there are `most` already, the oldest goes first.
 * PLYD_ENOMEM: nothing changed. */
int id_set_add(struct id_set *set, const struct id *id, size_t most);
void id_set_drop(struct id_set *set, const struct id *id); /* not in: nothing */
void id_set_release(struct id_set *set);

#endif
