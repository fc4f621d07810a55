/* SPDX-License-Identifier: MIT
 * text.h - what players may say to each other. */
#ifndef PLYD_SESSION_TEXT_H
#define PLYD_SESSION_TEXT_H

#include "base/span.h"

/* Whether a text may be shown to others: UTF-8 of visible characters, not all
 * of them spaces; no control characters, no line ends, and none of the
 * characters that turn the direction of writing (U+202A to U+202E, U+2066 to
 * U+2069). */
bool text_is_clean(struct span text);

#endif
