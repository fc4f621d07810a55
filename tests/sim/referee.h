/* SPDX-License-Identifier: MIT
 * referee.h - a second, naive opinion, written from the documents. It sees
 * every request, every message that leaves and every row that becomes durable,
 * and keeps books of its own; of the server it uses the rules core, the fact
 * codec and the record's verifier, and looks at the domain only after a start,
 * to see that nothing durable was forgotten. */
#ifndef PLYD_TESTS_SIM_REFEREE_H
#define PLYD_TESTS_SIM_REFEREE_H

#include "disk.h"
#include "domain/command.h"
#include "net.h"

struct sim;

void referee_open(struct sim *sim);
void referee_release(struct sim *sim);

/* -- what clients do -- */

void referee_asked(struct sim *sim, struct link *l, const struct asked *a);
/* A draw policy is asked about a ply, and has until then (domain time). */
void referee_judged(struct sim *sim, const struct match *m, uint64_t until_ms);
/* What it is about to say. */
void referee_verdict(struct sim *sim, const struct id *match,
		     const struct cmd_verdict *v);
void referee_thought(struct sim *sim, const struct id *match,
		     const struct cmd_thought *t);

/* A script is asked, with what it is told that it kept; by: enum kept_by. */
void referee_asks_script(struct sim *sim, const struct id *match, int by,
			 struct span memory);

/* A fault is about to stop it; false: its beginning is not durable yet. */
bool referee_freezes(struct sim *sim, const struct id *match);
/* The operator is about to end it so. */
void referee_operator_ends(struct sim *sim, const struct id *match,
			   enum match_result result);

/* -- what the server says -- */

void referee_message(struct sim *sim, struct link *l, struct span bytes);
/* A connection was let in. */
void talk_let_in(struct sim *sim, const struct link *l);
void referee_link_ends(struct sim *sim, struct link *l);

/* -- what is durable -- */

void referee_durable(struct sim *sim, uint64_t row, const struct id *match,
		     struct span bytes);
/* A row of it is on the disk, but not as it was written. */
void referee_torn(struct sim *sim, const struct id *match);
void referee_secret(struct sim *sim, const struct id *match, struct span bytes);
void referee_finished(struct sim *sim, const struct record *r);
/* What was made durable together is here now. */
void referee_batch_done(struct sim *sim);
/* The hub was told and has sent what it had to. */
void referee_delivered(struct sim *sim);

/* -- the life of the server -- */

/* A domain was brought back and has woken: it must hold all that is durable. */
void referee_started(struct sim *sim);
/* The journal takes commits again. */
void referee_writable(struct sim *sim);
/* Nothing more happens: what must have come to an end by now? */
void referee_end(struct sim *sim);

/* The operator asks for time on a clock. False: he has asked often enough. */
bool referee_operator_adjusts(struct sim *sim, const struct id *match, int side,
			      int64_t add_ms);

#endif
