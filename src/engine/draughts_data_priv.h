/* SPDX-License-Identifier: MIT
 * draughts_data_priv.h - what make targets have made, as it lies in data/: the
 * weights begin with a struct learned_head, the endings are packed by zlib. */
#ifndef PLYD_ENGINE_DRAUGHTS_DATA_PRIV_H
#define PLYD_ENGINE_DRAUGHTS_DATA_PRIV_H

#include "base/span.h"

/* Each lends bytes that last as long as the program, at a multiple of 64. */
struct span data_english_weights(void);
struct span data_turkish_weights(void);
struct span data_english_endings(void);
struct span data_turkish_endings(void);

#endif
