/* SPDX-License-Identifier: MIT
 * verify_dice.h - the dice of records that were found good, counted and said. */
#ifndef PLYD_PLY_VERIFY_DICE_H
#define PLYD_PLY_VERIFY_DICE_H

#include "ply/dice_stats.h"
#include "ply/record_file.h"

/* Counts all throws of a good record. False: no memory. */
bool verify_dice_count(struct dice_stats *s, const struct record_view *r);

/* Says what was counted, of so many records. True: it looks fair. */
bool verify_dice_say(const struct dice_stats *s, size_t records, bool json);

#endif
