/* SPDX-License-Identifier: MIT
 * play_priv.h - what play_line.c, play_chat.c and play_stakes.c share. */
#ifndef PLYD_PLY_PLAY_PRIV_H
#define PLYD_PLY_PLAY_PRIV_H

#include "ply/play.h"

/* Says why a request was refused; what succeeds is told by events. */
void play_answered(void *payload, const struct client_error *error,
		   const struct client_value *result);

/* -- play_chat.c -- */

/* Obeys a line that says something to others or to the operator; false: it is
 * none. */
bool play_talks(struct play *p, const char *line);

/* -- play_stakes.c -- */

void do_roll(struct play *p);
void do_double(struct play *p);
void do_take(struct play *p);
void do_drop(struct play *p);
/* Whether the opponent would resign; and the answer. */
bool play_is_resigned_to(const struct play *p);
void play_answer_resignation(struct play *p, bool accepts);
/* how: "", "1", "2" or "match". What is final is asked for twice. */
void play_resign(struct play *p, const char *how);

#endif
