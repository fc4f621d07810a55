/* SPDX-License-Identifier: MIT
 * json.h - values of the protocol as JSON and back. */
#ifndef PLYD_PLY_JSON_H
#define PLYD_PLY_JSON_H

#include <jansson.h>

#include <plyd/client.h>
#include "base/buf.h"

/* Gives v as JSON; NULL: no memory. */
json_t *json_of_value(const struct client_value *v);

/* Appends v as MessagePack. */
void put_value(struct buf *b, const struct client_value *v);

/* Appends j as MessagePack. False: it holds a number with a fraction, which the
 * protocol does not know; b is of no use then. */
bool put_json(struct buf *b, const json_t *j);

#endif
