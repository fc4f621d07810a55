/* SPDX-License-Identifier: MIT
 * text.h - what scripts say, made fit for logs, terminals and the wire. */
#ifndef PLYD_SCRIPT_TEXT_H
#define PLYD_SCRIPT_TEXT_H

#include "base/span.h"

/* Copies at most size - 1 bytes of text and a NUL. Control characters become
 * `?`; so does every byte that is not ASCII, if the text is not UTF-8. It is
 * cut between characters. Returns its length. Allocates nothing. */
size_t text_clean(struct span text, char *out, size_t size);

/* Whether text is UTF-8 without control characters. */
bool text_is_clean(struct span text);

#endif
