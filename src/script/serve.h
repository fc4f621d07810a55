/* SPDX-License-Identifier: MIT
 * serve.h - the worker between its questions: the scripts that it was given,
 * and an answer for each question. No I/O: messages go in and out as bytes. */
#ifndef PLYD_SCRIPT_SERVE_H
#define PLYD_SCRIPT_SERVE_H

#include "base/span.h"

enum {
	SERVE_TABLE_BYTES = 8 * 1024 * 1024 /* of the search */
};

/* Takes one whole message that is to be sent. */
typedef void serve_send_fn(void *payload, struct span bytes);

struct serve;

/* Gives a worker without scripts; release it with serve_free(). PLYD_ENOMEM. */
int serve_new(serve_send_fn *send, void *payload, struct serve **out);
void serve_free(struct serve *s); /* NULL is fine */

/* Answers one whole question: sends log lines as they come and then exactly one
 * answer. PLYD_OK, also where the answer is an error; otherwise the question
 * cannot be read, or an answer cannot be built, and the worker must end. */
int serve_message(struct serve *s, struct span bytes);

#endif
