/* SPDX-License-Identifier: MIT
 * worker.h - one plyd-script process: asked questions, which it answers one
 * after another, and killed when it does not answer in time. What it answers is checked by proto/worker.h, and
 * whoever asks knows what to do without an answer. */
#ifndef PLYD_SERVER_WORKER_H
#define PLYD_SERVER_WORKER_H

#include "base/span.h"
#include "net/net.h"
#include "proto/worker.h"

struct worker;

struct worker_ops {
	void *payload;
	/* The answer to the oldest worker_ask(); NULL: the worker died, was
	 * killed at its deadline (late is true) or talked nonsense. Then it is
	 * no more, none of its questions will be answered, and worker_free() is
	 * the only call that it may get. */
	void (*answered)(void *payload, struct worker *w,
			 const struct worker_reply *reply, bool late);
	/* It died without a question. */
	void (*died)(void *payload, struct worker *w);
	/* What came at once was told. NULL: nobody needs to know. w may be no
	 * more. */
	void (*told)(void *payload);
};

/* Starts a process and gives its worker. PLYD_EIO: why says why not.
 * PLYD_ENOMEM. */
int worker_start(struct net *n, const char *program,
		 const struct worker_ops *ops, struct worker **out,
		 char why[NET_WHY_MAX]);
/* Kills the process, if there is one; no callback comes any more. */
void worker_free(struct worker *w);

/* Sends a question that was written with worker_ask_*(), soon, together with
 * others of this round of the loop. Its time begins when those before it are
 * answered; all that wait at once have the same deadline. If it cannot be sent,
 * answered() tells later. */
void worker_ask(struct worker *w, struct span question, int64_t deadline_ms);
size_t worker_waiting(const struct worker *w); /* questions not yet answered */
int worker_pid(const struct worker *w);        /* 0: none */
/* Of one that was late: the machine did not let it work for a quarter of its
 * time, so that its script may be innocent. */
bool worker_was_starved(const struct worker *w);

#endif
